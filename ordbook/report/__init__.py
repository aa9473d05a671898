"""A task's own report: the runs ranked, where they err, which measure to trust, what comes next."""
