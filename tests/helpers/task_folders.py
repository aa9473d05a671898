"""Folders of gold data and runs, written for a test."""

from pathlib import Path

Files = dict[str, str | bytes]


def write(folder: Path, files: Files) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def write_task(folder: Path, gold: str, name: str = "gold.csv", **runs: str | bytes) -> Path:
    """A gold file, and a file of the same ending for each run."""
    ending = Path(name).suffix
    return write(folder, {name: gold} | {f"runs/{run}{ending}": runs[run] for run in runs})
