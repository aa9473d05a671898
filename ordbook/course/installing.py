"""How students' computers get ordbook: from a wheel, or from the repository."""

import zipfile
from importlib.metadata import version
from pathlib import Path

from ordbook.files import share
from ordbook.pages.sphinx_extension import is_placeholder, repository_address

NOTE = (
    "*From ordbook, by the ordbook authors, CC BY 4.0. In Colab, the first cell installs what is "
    "needed; if Colab then asks to restart the session, do so and run the cells again.*"
)
_CELL = """\
from importlib.util import find_spec

needed = ["ordbook", "pandas", "scipy", "numba", "matplotlib", "seaborn"]
if missing := [name for name in needed if find_spec(name) is None]:
    %pip install -q "{}"
print("Installed just now:" if missing else "All that is needed is there:", *(missing or needed))
"""


def cell(line: str) -> str:
    """Return the first cell of a notebook, which installs what is missing from a requirement."""
    return _CELL.format(line).strip()


def choose(wheel: str | Path | None = None) -> tuple[bytes | None, str, str]:
    """Choose how notebooks install ordbook.

    Parameters
    ----------
    wheel
        A wheel of this version; by default the one in ``dist/`` of a clone, while ordbook has no
        public address.

    Returns
    -------
    tuple
        The wheel, if one goes beside the notebooks, the requirement for pip, and a sentence or two
        for the teacher.

    Raises
    ------
    ValueError
        If the file is no wheel of this version.
    """
    address, name = repository_address(), wheel_name()
    if wheel is None and not is_placeholder(address):
        line = f"ordbook[notebooks] @ git+{address.removesuffix('.git')}@v{version('ordbook')}"
        need = f"The first cell of a notebook installs {line} where ordbook is not there."
        return None, line, need
    # Never the name alone, under which others could offer another package.
    line = f"./{name}[notebooks]"
    path = _built_wheel() if wheel is None else Path(wheel).expanduser()
    if path is None:
        need = (
            f"To do before the session: the first cell of a notebook installs {name}, which is not "
            "here yet. Run `make wheel` in the repository and make this again, or name the file "
            "with --wheel PATH."
        )
        return None, line, need
    need = (
        f"Hand out the whole folder students: the first cell of a notebook installs {name} from it "
        "where ordbook is not there. In Colab, upload that file with the folder symbol at the left."
    )
    return _read_wheel(path), line, need


def wheel_name() -> str:
    """Return the name of the wheel of this version of ordbook."""
    return f"ordbook-{version('ordbook')}-py3-none-any.whl"


def _built_wheel() -> Path | None:
    """Return the wheel of this version that was built in a clone, if there is one."""
    try:
        return share("dist", wheel_name())
    except FileNotFoundError:
        return None


def _read_wheel(path: Path) -> bytes:
    """Return the wheel, if it is one of this version of ordbook."""
    if not path.is_file():
        raise ValueError(f"{path}: there is no such file; `make wheel` builds a wheel into dist/")
    if path.name != wheel_name() or not zipfile.is_zipfile(path):
        raise ValueError(
            f"{path}: this is not the wheel of ordbook {version('ordbook')}, {wheel_name()}, by "
            "which the notebooks are made; `make wheel` builds it"
        )
    return path.read_bytes()
