"""How fast ordbook is, and how exactly it agrees with other implementations.

``python -m benchmarks`` measures and prints everything, ``--write`` also writes the two tables
that the book shows, ``--quick`` only shows that the command works.

krippendorff is GPL: it may be imported here and in tests, nowhere else.
"""
