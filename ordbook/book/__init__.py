"""The book's side of the package: parameters, tables and figures, reruns, the build."""
