"""Which measure to use on a task: the papers' criteria, their grades, and how firmly they decide."""
