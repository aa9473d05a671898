"""The chapters for teaching: exercises, sheets for graded work, the student version, slides.

Contents
--------
exercises   the exercises of the chapters: their kind, level and minutes
solutions   tells the solutions of a chapter from the rest of it
sheets      sheets of fresh exercises for graded work, and their answer keys apart
drawn       the numbers of a sheet
worked      a question and its worked answer
worked_distributions, worked_runs, worked_significance   the questions by subject
coursework  chapters without solutions, executed, in plain Markdown
plain       MyST Markdown -> Markdown that Jupyter and Colab show (crossrefs, citations)
student     the version for students: ``ordbook student``
slides      slides from the chapters' own cells: ``ordbook slides`` (slide_template)
"""
