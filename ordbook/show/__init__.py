"""Output of notebooks and of the report: tables, figures, parameters and checked claims."""
