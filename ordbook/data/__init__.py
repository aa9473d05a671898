"""Tasks, readers, score matrices, the catalogue and the printed values.

A path is read one way: ``folder`` says which file plays which role, ``text`` gives its
rows with their lines, ``tables``, ``ntcir``, ``dbdc`` and ``scorefiles`` make the task, ``answers``
matches runs with gold data, ``problems`` gathers what is wrong, and ``scoring`` turns the task into
a score matrix.
"""
