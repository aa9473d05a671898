"""Printed values beside recomputed ones."""
