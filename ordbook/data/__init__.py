"""Tasks, readers, score matrices, the catalogue and the printed values.

A path is read one way: ``folder`` says which file plays which role, ``text`` and ``jsonfile`` give
its rows with their lines, ``tables``, ``ntcir``, ``dbdc`` and ``scorefiles`` make the task,
``problems`` gathers what is wrong, and ``scoring`` turns the task into a score matrix.
"""
