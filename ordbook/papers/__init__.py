"""Printed values beside recomputed ones.

Contents
--------
claims     what the papers say about the measures' properties, and what is true
verdicts   ``compare``: a verdict for every printed cell
"""
