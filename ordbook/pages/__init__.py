"""The pages of the built book: extensions of Sphinx, and what stands on some pages only.

Contents
--------
sphinx_extension   makes the built book self-contained; the environment that chapters run in
api_extension      the pages that describe the package: what their names link to
cite_extension     the page on citing: BibTeX
execution          runs chapters side by side before Sphinx reads them
finished_pages     weight, labels and landmarks of the written pages
landing            the picture of the first page
screenshot         ``make screenshot``: the picture of it in README.md
explorer           the page on which a reader drags two distributions (explorer_pairs)
"""
