"""What chapters call: for each story and its record at most one module, of the same name."""
