"""Modules of the chapters: for each story and its record at most one, of the same name."""
