"""Tasks, readers, score matrices, the catalogue and the printed values.

Contents
--------
paths       where shipped and fetched files are found
catalog     what exists, under which licence, with which checksum, and how to get it
tasks       QuantificationTask and ClassificationTask
semeval     readers for the run and gold files of SemEval Task 4, subtasks C and E
loading     ``load``: a catalogue name or a path -> a task
scores      ScoreMatrix, saved and loaded without loss
scoring     ``score``: a task -> its score matrix
printed     the values that the papers print, as printed
"""
