"""Tasks, readers, score matrices, the catalogue and the printed values.

A path is read one way: ``folder`` says which file plays which role, ``text`` gives its
rows with their lines, ``tables``, ``ntcir`` and ``scorefiles`` make the task, ``alignment`` matches
runs with gold data, ``problems`` gathers what is wrong, and ``scoring`` turns the task into a score
matrix. Files that the catalogue knows by their checksums are read by ``known``, without checks.
"""
