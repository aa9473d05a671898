"""The built book: extensions of Sphinx, what stands on some pages only, and the printed forms."""
