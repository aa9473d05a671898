"""The built book: extensions of Sphinx, content of single pages, and the printed forms."""
