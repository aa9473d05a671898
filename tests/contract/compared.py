"""Every printed cell that a page compares, with our value and the verdict.

All notebooks below ``book/`` are run, each in a kernel that keeps what `ordbook.compare` returns.
"""

import json
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from contract.golden import Cells, same

BOOK = Path(__file__).resolve().parents[2] / "book"
TOLERANCE = 1e-9
# What IPython runs before the first cell.
STARTUP = (
    "import sys; sys.path.insert(0, {!r}); from contract.compared import keep; keep(); del sys"
)
Place = tuple[str, str, str, str]


def keep() -> None:
    """Put a function that writes down each comparison in the place of `ordbook.compare`."""
    import ordbook

    original: Callable[..., Any] = ordbook.compare
    kept = Path(os.environ["CONTRACT_KEPT"])

    @wraps(original)
    def compare(*arguments: Any, **named: Any) -> Any:
        found = original(*arguments, **named)
        columns = ["row", "column", "verdict", "ours"]
        cells = [[*map(str, c[:3]), _text(c[3])] for c in found.cells[columns].to_numpy()]
        with kept.open("a", encoding="utf-8") as file:
            print(json.dumps([str(found.paper), str(found.table), cells]), file=file)
        return found

    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "ordbook":
            for attribute in [key for key, value in vars(module).items() if value is original]:
                setattr(module, attribute, compare)
    kept.touch()  # says that all this was done


def _text(ours: Any) -> str:
    """Write a value of ours; of values over many seeds the mean and the bounds."""
    if ours is None:
        return "-"
    if hasattr(ours, "interval"):
        low, high = ours.interval()
        return f"{float(ours.mean)!r} {float(low)!r} {float(high)!r}"
    return (
        repr(float(ours)) if not isinstance(ours, str) and hasattr(ours, "__float__") else str(ours)
    )


def compared(folder: Path, mirror: str | None, ledger: Cells) -> Cells:
    """Run all notebooks, two at a time; return what they compare.

    Parameters
    ----------
    folder
        Where the comparisons are kept.
    mirror
        The folder with raw files, if there is one.
    ledger
        The frozen ledger: its keys say in which part of a table a cell stands.
    """
    profile = folder / "ipython/profile_default/startup"
    profile.mkdir(parents=True)
    startup = STARTUP.format(str(Path(__file__).resolve().parents[1]))
    (profile / "00-contract.py").write_text(startup, encoding="utf-8")
    environment = os.environ | {"IPYTHONDIR": str(folder / "ipython")}
    environment |= {"ORDBOOK_MIRROR": mirror} if mirror else {}

    def one(path: Path) -> list[Any]:
        kept = folder / f"{path.relative_to(BOOK).as_posix().replace('/', '-')}.kept"
        notebook = nbformat.read(path, as_version=4)
        resources = {"metadata": {"path": str(path.parent)}}
        client = NotebookClient(notebook, timeout=1800, kernel_name="python3", resources=resources)
        try:
            client.execute(env=environment | {"CONTRACT_KEPT": str(kept)})
        except Exception as error:
            raise RuntimeError(f"{path.name} does not run") from error
        print(f"  {path.relative_to(BOOK)}", flush=True)
        # Absent, if the hook failed: the notebook would have run without it.
        return [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()]

    paths = sorted(BOOK.rglob("*.ipynb"), key=lambda path: -path.stat().st_size)
    paths = [path for path in paths if ".ipynb_checkpoints" not in path.parts]
    with ThreadPoolExecutor(2) as pool:
        pages = list(pool.map(one, paths))
    return gathered([comparison for page in pages for comparison in page], ledger)


def gathered(comparisons: list[Any], ledger: Cells) -> Cells:
    """Return the cells of all comparisons; those with the same result once."""
    parts: dict[Place, list[str]] = {}
    for key in ledger:
        words = key.split(" | ")
        if words[-1] == "printed" and len(words) == 5:
            parts.setdefault((words[0], "", words[2], words[3]), []).append(words[1])
    found: dict[str, list[str]] = {}
    for paper, table, cells in comparisons:
        seen: dict[Place, int] = {}
        for row, column, verdict, ours in cells:
            # A whole table may hold the same row and column in each of its parts, in their order.
            place, value = (paper, "", row, column), f"{verdict} {ours}"
            known = parts.get(place, [])
            fits = [table] if table in known else [p for p in known if p.startswith(table)] or known
            number = seen[place] = seen.get(place, -1) + 1
            part = fits[number] if number < len(fits) else table
            values = found.setdefault(f"{paper} | {part} | {row} | {column}", [])
            if not any(same(value, other, TOLERANCE) for other in values):
                values.append(value)
    return {
        f"{key} #{number}" if number else key: value
        for key, values in sorted(found.items())
        for number, value in enumerate(sorted(values))
    }
