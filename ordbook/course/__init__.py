"""The chapters for teaching: exercises, sheets for graded work, the student version, slides."""
