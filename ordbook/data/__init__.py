"""Tasks, readers, score matrices, the catalogue and the printed values.

Contents
--------
paths       where shipped and fetched files are found
catalog     what exists, under which licence, with which checksum, and how to get it
raw         raw files on this machine, held to their checksums
fetch       gets the raw files of data sets
tasks       QuantificationTask and ClassificationTask
nuggets     NuggetTask: a distribution for each turn of a dialogue
formats     what a path holds, in which format; zip files as folders (zipfolder)
filenames   the name of the gold file, and names that are known but for capitals
published   SemEval's files as published; counted tweets
convert     files as others write them -> gold.csv and runs/*.csv
checking    ``check``: all that is wrong with files, and what is there (summaries)
semeval     reader for the run and gold files of SemEval Task 4, subtasks C and E
tables      reader for CSV files with a header: ``gold.csv`` and ``runs/*.csv``
tableclasses, tablecells, tabletasks   their classes in order, their rows, the tasks they make
csvfile     CSV files read strictly
runfiles    the folder ``runs`` and ``runs.csv``, the list of groups
scorefiles, scoregrids, scoretask   scores that were computed elsewhere
problems    everything that is wrong with some files, to be listed at once
jsonfile    JSON files read strictly
annotations, ntcir, ntcirtasks   readers for the files of NTCIR's STC-3 and DialEval
archives    zip files and folders of many small files, read without unpacking
dbdc, dbdclabels   readers for the Dialogue Breakdown Detection Challenges: dialogues, runs
dialeval    what DialEval-1's organisers do around scoring: posts to turns, online scores
loading     ``load``: a catalogue name or a path -> a task
scores      ScoreMatrix, saved and loaded without loss
scoring     ``score``: a task -> its score matrix
simulate    artificial distributions
simulated   the catalogue's simulated sets: read, written
official    the organisers' own results, as printed
printed     the values that the papers print, as printed
"""
