"""Which measure to use on a task: the papers' criteria and grades, and how firm they are."""
