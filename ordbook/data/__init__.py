"""Tasks, readers, score matrices, the catalogue and the printed values.

A path is read one way: ``folder`` says which file plays which role, ``formats`` and ``ntcir`` put
the answers of a file into one long table, ``answers`` checks it and makes the task, ``problems``
gathers what is wrong, and ``scoring`` turns the task into a score matrix. Scores are read by
``scoreframes``, and files that the catalogue knows by their checksums by ``known``, without checks.
"""
