"""The version of the chapters for students: no solutions, and notebooks that run anywhere."""

import io
import re
import zipfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import nbformat
from jinja2 import Environment, PackageLoader, StrictUndefined
from nbformat import NotebookNode

from ordbook.course.coursework import Chapter, Progress, choose_chapters, read_chapters
from ordbook.files import write_whole
from ordbook.pages.sphinx_extension import is_placeholder, repository_address

FOLDER = "ordbook-course"
# The oldest date a zip file can hold: the same chapters give the same bytes.
DATE = (1980, 1, 1, 0, 0, 0)
# What chapters say of the cell that holds them to their claims, which students do not get.
_CLAIMS = re.compile(r"\s*The last cell holds this page to .*?(?=\n\n|\Z)", re.S)
_TEMPLATES = Environment(
    loader=PackageLoader("ordbook.course", ""),
    undefined=StrictUndefined,
    trim_blocks=True,
    keep_trailing_newline=True,
)


def write_student_zip(
    chapters: Sequence[str],
    out: str | Path,
    *,
    wheel: str | Path | None = None,
    overwrite: bool = False,
    jobs: int | None = None,
    progress: Progress = lambda line: None,
) -> list[str]:
    """Make the notebooks of chapters without solutions, and write them as one zip file.

    Every notebook is executed on the way, in an empty folder; the file appears whole or not at
    all. The same chapters give the same bytes.

    Parameters
    ----------
    chapters
        Names of chapters; none means all.
    out
        The zip file.
    wheel
        A wheel of this version of ordbook, which goes into the zip file and is what its
        requirements install. Without it they take the package from the project's repository, or,
        while that has no public address, name a wheel that the students have to be given.
    overwrite
        Whether a file that is there is replaced.
    jobs, progress
        As for :func:`ordbook.course.coursework.read_chapters`.

    Returns
    -------
    list of str
        What the zip file holds.

    Raises
    ------
    ValueError
        If there is no such chapter, the file is there, or the wheel is not of this version of
        ordbook.
    RerunError
        If a cell of a chapter fails.
    """
    names = choose_chapters(chapters)
    out = Path(out).expanduser()
    if out.suffix.lower() != ".zip":
        raise ValueError(f"{out}: the name of a zip file must end in .zip")
    if out.is_dir() or (out.exists() and not overwrite):
        raise ValueError(f"{out}: this is there already; name another, or add --overwrite")
    out.parent.mkdir(parents=True, exist_ok=True)
    held_wheel = _read_wheel(Path(wheel).expanduser()) if wheel is not None else None
    made = read_chapters(names, jobs=jobs, progress=progress)
    line = requirement(local=held_wheel is not None)
    files: dict[str, str | bytes]
    files = {f"{chapter.name}.ipynb": _written(student_notebook(chapter, line)) for chapter in made}
    files["README.md"] = _readme(made, line, held=held_wheel is not None)
    files["requirements.txt"] = f"{line}\n"
    if held_wheel is not None:
        files[wheel_name()] = held_wheel
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(f"{FOLDER}/{name}", DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            entry.create_system = 3  # the same on every system
            archive.writestr(entry, text)
    write_whole(out, held.getvalue())
    if held_wheel is None and line.startswith("./"):
        progress(
            f"ordbook has no public address yet: give the students {wheel_name()} too, or put it "
            "into the zip file with --wheel (`make wheel` builds it)"
        )
    return [f"{FOLDER}/{name}" for name in files]


def student_notebook(chapter: Chapter, line: str) -> NotebookNode:
    """Return the notebook of a chapter for students: no outputs, captions as text, works cited.

    Parameters
    ----------
    chapter
        From :func:`ordbook.course.coursework.read_chapters`.
    line
        What installs ordbook, from :func:`requirement`.
    """
    install = _TEMPLATES.get_template("install.py.j2").render(_origin(line))
    cells = [nbformat.v4.new_code_cell(install.strip(), id="install")]
    for cell in chapter.notebook.cells:
        if _holds_to_claims(cell):
            continue
        metadata = cell.metadata
        text = _CLAIMS.sub("", cell.source)
        copy = nbformat.v4.new_markdown_cell(text, id=cell.id)
        if cell.cell_type == "code":
            copy = nbformat.v4.new_code_cell(cell.source, id=cell.id)
            tags = set(metadata.get("tags", ())) - {"papermill-error-cell-tag"}
            if tags:
                copy.metadata["tags"] = sorted(tags)
            folded = {
                "source_hidden": bool(tags & {"hide-cell", "hide-input", "remove-input"}),
                "outputs_hidden": bool(tags & {"hide-cell", "hide-output"}),
            }
            if any(folded.values()):
                copy.metadata["jupyter"] = {key: True for key, value in folded.items() if value}
        cells.append(copy)
        figure = metadata.get("mystnb", {}).get("figure", {})
        if figure.get("caption"):
            # No number: it would be another than the book's.
            text = f"*Figure:* {chapter.plain.text(str(figure['caption']))}"
            cells.append(nbformat.v4.new_markdown_cell(text, id=f"{cell.id[:56]}-caption"))
    if chapter.plain.cited:
        listed = chapter.plain.bibliography.listed(chapter.plain.cited)
        cells.append(nbformat.v4.new_markdown_cell(f"## References\n\n{listed}", id="works-cited"))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    notebook: NotebookNode = nbformat.v4.new_notebook(cells=cells, metadata=metadata)
    return notebook


def requirement(*, local: bool = False) -> str:
    """Return the line that installs this version of ordbook.

    From the repository where the metadata of the package names a public one, else from a wheel in
    the same folder; never by name alone, under which others could offer another package.

    Parameters
    ----------
    local
        From the wheel in any case.
    """
    address = repository_address()
    if local or is_placeholder(address):
        return f"./{wheel_name()}[book]"
    return f"ordbook[book] @ git+{address.removesuffix('.git')}@v{version('ordbook')}"


def wheel_name() -> str:
    """Return the name of the wheel of this version of ordbook."""
    return f"ordbook-{version('ordbook')}-py3-none-any.whl"


def _written(notebook: NotebookNode) -> str:
    nbformat.validate(notebook)
    return str(nbformat.writes(notebook)) + "\n"


def _origin(line: str) -> dict[str, str | bool]:
    """Return what templates say of the line that installs ordbook."""
    return {"requirement": line, "wheel": wheel_name(), "local": line.startswith("./")}


def _readme(chapters: Sequence[Chapter], line: str, *, held: bool) -> str:
    template = _TEMPLATES.get_template("student.md.j2")
    return template.render(_origin(line), chapters=chapters, held=held)


def _holds_to_claims(cell: NotebookNode) -> bool:
    """Say whether a cell only holds the page to what it claims: nothing to learn from."""
    return cell.cell_type == "code" and str(cell.id).startswith("verify")


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
