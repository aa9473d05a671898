"""The version of the chapters for students: no solutions, and notebooks that run anywhere.

Contents
--------
write_student_zip   make the notebooks and put them into one zip file
student_notebook    the notebook of one chapter
requirement         the line that installs ordbook
"""

import io
import zipfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

import nbformat
from nbformat import NotebookNode

from ordbook.book.coursework import Chapter, Progress, choose_chapters, read_chapters
from ordbook.book.sphinx_extension import repository_address
from ordbook.data.paths import write_whole

# By this comment in a zip file an earlier one of ours is known, and may be replaced.
MARK = b"ordbook student"
FOLDER = "ordbook-course"
# The oldest date a zip file can hold: the same chapters give the same bytes.
DATE = (1980, 1, 1, 0, 0, 0)
_INSTALL = """\
# In Colab this installs what the chapter needs, in a minute or two. Elsewhere it does nothing.
import subprocess
import sys

if "google.colab" in sys.modules:
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", {requirement!r}], check=True)
"""
_README = """\
# {title}

These are {count} of the book *ordbook*, without the solutions of their exercises. Where a solution
stood there are two empty cells for your answer, one for text and one for code.

{chapters}

## In Jupyter, on your own machine

With Python 3.11 or newer, in this folder:

```
python -m venv .venv
.venv/bin/python -m pip install -r requirements.txt jupyterlab     (Windows: .venv\\Scripts\\python)
.venv/bin/python -m jupyterlab
```

## In Colab

Open <https://colab.research.google.com>, choose *Upload* and one of the notebooks. Its first cell
installs what it needs. If Colab then asks to restart the session, do so and run the cells again.

## On Binder

Put the contents of this folder into a public Git repository, for instance on GitHub, and open
<https://mybinder.org> with its address. Binder reads `requirements.txt`; the first start takes some
minutes.

## What is installed

`requirements.txt` says: `{requirement}`

{honest}

The text is under CC BY 4.0, the code under the MIT licence.
"""
_PLACEHOLDER = """\
**Mind:** when this file was made, ordbook had no public address yet, so that line asks the package
index for it by name. If pip does not find it there, install the copy that your teacher gives you
first (`pip install "PATH[book]"`, PATH being a wheel or a folder); in Colab and on Binder, put the
wheel beside the notebooks and name it in that line and in the first cells."""
_PUBLIC = "That takes the version these notebooks were made with from the project's repository."


def write_student_zip(
    chapters: Sequence[str],
    out: str | Path,
    *,
    force: bool = False,
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
        The zip file. An earlier one of ours is replaced.
    force
        Replace a file that is not ours, too.
    jobs, progress
        As for :func:`ordbook.book.coursework.read_chapters`.

    Returns
    -------
    list of str
        What the zip file holds.

    Raises
    ------
    ValueError
        If there is no such chapter, or the file is not ours to replace.
    RerunError
        If a cell of a chapter fails.
    """
    names = choose_chapters(chapters)
    out = Path(out).expanduser()
    _require_ours(out, force)
    made = read_chapters(names, jobs=jobs, progress=progress)
    line = requirement()
    files = {f"{chapter.name}.ipynb": _written(student_notebook(chapter, line)) for chapter in made}
    files["README.md"] = _readme(made, line)
    files["requirements.txt"] = f"{line}\n"
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.comment = MARK
        for name, text in files.items():
            entry = zipfile.ZipInfo(f"{FOLDER}/{name}", DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            entry.create_system = 3  # the same on every system
            archive.writestr(entry, text)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(out, held.getvalue())
    return [f"{FOLDER}/{name}" for name in files]


def student_notebook(chapter: Chapter, line: str) -> NotebookNode:
    """Return the notebook of a chapter for students: no outputs, captions as text, works cited.

    Parameters
    ----------
    chapter
        From :func:`ordbook.book.coursework.read_chapters`.
    line
        What installs ordbook, from :func:`requirement`.
    """
    cells = [nbformat.v4.new_code_cell(_INSTALL.format(requirement=line).strip(), id="install")]
    figures = 0
    for cell in chapter.notebook.cells:
        metadata = cell.metadata
        copy = nbformat.v4.new_markdown_cell(cell.source, id=cell.id)
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
            figures += 1
            text = f"*Figure {figures}.* {chapter.plain.text(str(figure['caption']))}"
            cells.append(nbformat.v4.new_markdown_cell(text, id=f"{cell.id[:56]}-caption"))
    if chapter.plain.cited:
        listed = chapter.plain.bibliography.listed(chapter.plain.cited)
        cells.append(nbformat.v4.new_markdown_cell(f"## References\n\n{listed}", id="works-cited"))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    notebook: NotebookNode = nbformat.v4.new_notebook(cells=cells, metadata=metadata)
    return notebook


def requirement() -> str:
    """Return the line that installs this version of ordbook.

    From the repository where the metadata of the package names a public one, else by name.
    """
    address, release = repository_address(), version("ordbook")
    if is_placeholder(address):
        return f"ordbook[book]=={release}"
    return f"ordbook[book] @ git+{address.removesuffix('.git')}@v{release}"


def is_placeholder(address: str) -> bool:
    """Say whether the address of the repository stands for one that does not exist yet."""
    return (urlsplit(address).hostname or "").endswith(("example.org", "example.com"))


def _written(notebook: NotebookNode) -> str:
    nbformat.validate(notebook)
    return str(nbformat.writes(notebook)) + "\n"


def _readme(chapters: Sequence[Chapter], line: str) -> str:
    title = chapters[0].title if len(chapters) == 1 else "Evaluating ordinal classification"
    return _README.format(
        title=f"{title}: a course",
        count="one chapter" if len(chapters) == 1 else f"{len(chapters)} chapters",
        chapters="\n".join(f"- `{chapter.name}.ipynb`: {chapter.title}" for chapter in chapters),
        requirement=line,
        honest=_PLACEHOLDER if is_placeholder(repository_address()) else _PUBLIC,
    )


def _require_ours(out: Path, force: bool) -> None:
    """Refuse to replace what is not a zip file of ours."""
    if out.is_dir():
        raise ValueError(f"{out}: this is a folder; name a zip file")
    if out.suffix.lower() != ".zip":
        raise ValueError(f"{out}: the name of a zip file must end in .zip")
    if not out.exists() or force:
        return
    try:
        with zipfile.ZipFile(out) as archive:
            ours = archive.comment == MARK
    except (zipfile.BadZipFile, OSError):
        ours = False
    if not ours:
        raise ValueError(f"{out}: this file is not of ordbook; name another, or say --force")
