"""All that fails in a notebook, and not the first alone: ``python -m ordbook.reports.failing``."""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def failing(path: Path) -> list[str]:
    """Run every cell of a notebook; return number, kind and message of each failure."""
    notebook = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, kernel_name="python3", allow_errors=True, resources=where).execute()
    return [
        f"cell [{cell.execution_count}]: {output.ename}: {output.evalue}"
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if output.output_type == "error"
    ]


if __name__ == "__main__":
    failures = failing(Path(sys.argv[1]))
    print("\n".join(failures) or "no cell fails, and all claims hold")
    sys.exit(bool(failures))
