"""What notebooks and the report show: tables, figures, parameters and checked claims."""
