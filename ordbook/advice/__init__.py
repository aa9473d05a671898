"""Which measure to use on a task: the papers' criteria, graded, and how firmly they decide."""
