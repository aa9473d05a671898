"""The built pages in one file, to print or to read without a browser.

Contents
--------
one_file   what both take from the built pages
pdf        ``make pdf``: printed by Chromium (print.css, print.js)
epub       ``make epub`` (epub.css)
"""
