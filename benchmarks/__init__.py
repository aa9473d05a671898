"""How fast ordbook is, and how exactly it agrees with other implementations.

``python -m benchmarks`` measures and prints everything, ``--write`` also writes the two tables
that the book shows, ``--quick`` only shows that the command works.

Contents
--------
inputs          distributions and labels that all comparisons share, and a simulated task
comparison      what a comparison of two implementations is
distributions   the quantification measures: which calls compute the same, which do not, and why
labels          the classification measures: the same
agreement       all comparisons on all inputs -> agreement.csv
timing          ours against loops over theirs, in one run on one machine -> timings.csv
__main__        the command

krippendorff is GPL: it may be imported here and in tests, nowhere else.
"""
