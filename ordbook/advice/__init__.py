"""Which measure to use on a task: by definition, and by the papers' criteria on data."""
