"""What a pack is handed out as: a notebook for students, slides, and a page for the teacher."""

import re
import tempfile
from collections.abc import Callable, Iterable, Sequence
from html import escape
from itertools import pairwise
from pathlib import Path

import nbformat
from jinja2 import Environment, PackageLoader, StrictUndefined
from nbconvert.filters import markdown2html
from nbformat import NotebookNode

from ordbook.course import installing
from ordbook.course.packs import Pack, Slot, chapters_cited, planned_sessions, put_together, role
from ordbook.course.plain import Plain
from ordbook.course.slides import FOLDED, copy_reveal, deck
from ordbook.files import require_new, whole_folder, write_files
from ordbook.reports.executing import prepare_environment, side_by_side
from ordbook.show.parameters import RerunError

Progress = Callable[[str], None]
ANSWER = "**Your answer:** *(double-click here and write)*"
_HEADING = re.compile(r"^#+ .*\n*")
# A slide shows a text of at most so many words whole.
_WORDS = 75
_TEMPLATES = Environment(
    loader=PackageLoader("ordbook.course", ""),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    autoescape=True,
)


def write_packs(
    names: Sequence[str],
    out: str | Path,
    *,
    wheel: str | Path | None = None,
    overwrite: bool = False,
    code: bool = False,
    jobs: int | None = None,
    progress: Progress = lambda line: None,
) -> list[str]:
    """Execute chapters and write notebooks, slides and teacher's pages, whole or not at all.

    Parameters
    ----------
    names
        Full names of sessions, such as ``session-1``, or of chapters.
    out
        A new or an empty folder.
    wheel
        A wheel of this version of ordbook, which goes beside the notebooks; by default the one
        in ``dist/`` of a clone, while ordbook has no public address.
    overwrite
        Whether a folder that is not empty is replaced.
    code
        Show all code on slides, not only short code that is open in the book.
    jobs
        How many chapters to execute at a time; by default one per processor.
    progress
        Called with a line on what happens.

    Returns
    -------
    list of str
        The files, relative to the folder.

    Raises
    ------
    ValueError
        If the folder is not empty, or the wheel is not of this version.
    RerunError
        If a cell of a chapter fails.
    """
    out = require_new(out, overwrite)
    held, line, need = installing.choose(wheel)
    files: dict[str, str | bytes] = {}
    packs = execute_packs(names, jobs=jobs, progress=progress)
    for pack in packs:
        files[f"students/{pack.name}.ipynb"] = nbformat.writes(student_notebook(pack, line)) + "\n"
        files[f"slides/{pack.name}.html"] = deck(pack.title, slides(pack), pack.plain, code=code)
        files[f"teacher/{pack.name}.html"] = teacher_page(pack, need)
    files["index.html"] = _rendered("packs.html.j2", packs=packs, need=need)
    if held is not None:
        files[f"students/{installing.wheel_name()}"] = held
    with whole_folder(out, overwrite) as folder:
        copy_reveal(folder / "slides")
        write_files(folder, files)
    progress(need)
    return list(files)


def execute_packs(
    names: Sequence[str], *, jobs: int | None = None, progress: Progress = lambda line: None
) -> list[Pack]:
    """Execute the chapters that packs need, once each, and put the packs together.

    Parameters and errors are those of :func:`write_packs`.
    """
    prepare_environment()
    needed = {
        name: chapters_cited(name) if name in planned_sessions() else [name] for name in names
    }
    work: dict[str, dict[str, str]] = {name: {} for held in needed.values() for name in held}
    with tempfile.TemporaryDirectory() as folder:
        if failed := side_by_side(work, Path(folder), jobs, progress):
            raise RerunError("\n".join(failed.values()))
        return [
            put_together(
                name,
                {
                    chapter: nbformat.read(Path(folder, f"{chapter}.ipynb"), 4)
                    for chapter in chapters
                },
            )
            for name, chapters in needed.items()
        ]


def student_notebook(pack: Pack, line: str) -> NotebookNode:
    """Return the notebook for students: the cells of the pack without solutions.

    A question of the plan stands before the section that answers it, whose text is folded.

    Parameters
    ----------
    pack
        From :func:`execute_packs`.
    line
        What installs ordbook, from :func:`ordbook.course.installing.choose`.
    """
    title = f"# {pack.title}\n\n" if pack.session else ""
    cells = [_text(f"{title}{installing.NOTE}"), _code(installing.cell(line))]
    cells += [_text(pack.session.before)] if pack.session else []
    for number, part in enumerate(pack.parts, 1):
        ask = part.slot.ask if part.slot else ""
        if part.slot is not None and part.cells:
            question = ""
            if ask:
                question = (
                    f"\n\n> **Question.** {_capital(ask)} *Answer before you run the next cell.*"
                )
            cells.append(_text(f"## {number}. {_capital(part.slot.title)}{question}"))
        folding = False
        for cell, after in pairwise([*part.cells, None]):
            if cell is None or role(cell) == "solution":
                continue
            folding = folding or bool(ask and _draws(cell))
            cells += _handed_out(cell, bool(pack.session), folding and role(cell) == "shown")
            if role(cell) in ("question", "start") and after and role(after) == "solution":
                cells.append(_text(ANSWER))
    if pack.plain.cited:
        listed = pack.plain.bibliography.listed(pack.plain.cited)
        cells.append(_text(f"## References\n\n{listed}"))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    notebook: NotebookNode = nbformat.v4.new_notebook(cells=_numbered(cells), metadata=metadata)
    nbformat.validate(notebook)
    return notebook


def _handed_out(cell: NotebookNode, planned: bool, folding: bool) -> list[NotebookNode]:
    """Return a cell as students get it, with its caption."""

    def folded(text: str) -> NotebookNode:
        head = "<details><summary>Read on after you have answered</summary>"
        return _text(f"{head}\n\n{text}\n\n</details>" if folding and text[0] != "#" else text)

    if cell.cell_type == "markdown":
        # Below the headings of a plan.
        text = re.sub(r"^##+", "###", cell.source, flags=re.M) if planned else cell.source
        return [folded(text)]
    copy, caption = _code(cell.source), cell.metadata["pack"]["caption"]
    if set(cell.metadata.get("tags", ())) & FOLDED:
        copy.metadata["jupyter"] = {"source_hidden": True}
    if not caption:
        return [copy]
    # A number alone tells nothing.
    return [copy, _text(caption) if caption.endswith("**") else folded(caption)]


def slides(pack: Pack) -> list[NotebookNode]:
    """Return the cells of the slides: as the chapter marks them, or as a session is planned."""
    cells: list[NotebookNode] = []
    if pack.session is None:
        for cell in pack.cells:
            kind = _slide_type(cell)
            if kind not in (None, "skip") and role(cell) in ("setup", "shown"):
                cells += _on_slide(cell, str(kind))
    else:
        cells.append(_slide(f"# {pack.title}", "slide"))
        cells.append(_slide(f"## {pack.title}\n\n{pack.session.before}", "slide"))
    for slot, chosen in ((part.slot, part.cells) for part in pack.parts if part.slot):
        for page in _slot_pages(slot, chosen, pack.plain):
            cells += [_slide(f"## {_capital(slot.title)}", "slide"), *page]
            cells.append(_slide(f"**{slot.begin} to {slot.end}**\n\n{slot.text}", "notes"))
    return _numbered(cells)


def _slot_pages(
    slot: Slot, cells: Sequence[NotebookNode], plain: Plain
) -> list[list[NotebookNode]]:
    """Return the slides of a slot.

    First come the definitions, then the figures and tables that the slot cites, then its exercises,
    which homework only lists. The question is below the first figure or table.
    """
    lead = _slide(slot.lead, "-")
    questions = [cell for cell in cells if role(cell) == "question"]
    if slot.homework:
        about = [cell.metadata["pack"] for cell in questions]
        listed = [f"- {{ref}}`{exercise['label']}`: {exercise['title']}" for exercise in about]
        return [[lead, _slide(plain.text("\n".join(listed)), "-")]]
    figures = [cell for cell in cells if cell.cell_type == "code" and _named(cell, slot)]
    drawings, asked = ([_on_slide(cell, "-") for cell in some] for some in (figures, questions))
    defined = _definitions(slot, cells)
    if not (drawings or defined):
        table = [[_slide(slot.board_table, "-")]] if slot.board_table else []
        defined = table or ([] if asked and slot.ask else [[lead]])
    if slot.ask:
        page = [*drawings, *defined[-1:], *asked][0]
        drawn = drawings and _draws(figures[0])
        page.insert(1 if drawn else len(page), _slide(f"> {_capital(slot.ask)}", "-"))
        for caption in page[2:] if drawn else ():
            caption.metadata["slideshow"] = {"slide_type": "fragment"}  # which tells what is asked
    return [*defined, *drawings, *asked]


def _definitions(slot: Slot, cells: Sequence[NotebookNode]) -> list[list[NotebookNode]]:
    """Return formulas, tables and short code of the cited sections that are marked for slides."""
    pages: list[list[NotebookNode]] = []
    for cell, after in pairwise([*cells, _text("")]):
        if cell.cell_type == "code" or _slide_type(cell) is None or not _named(cell, slot):
            continue
        body = _HEADING.sub("", _short(cell.source))
        page = [_slide(body, "-")]
        if (
            after.cell_type == "code"
            and _slide_type(after)
            and not after.metadata["pack"]["caption"]
        ):
            page += _on_slide(after, "-")
        elif not re.search(r"^(\$\$|\||- |```)", body, re.MULTILINE):
            continue
        if pages and len(" ".join(c.source for c in (*pages[-1], *page)).split()) < _WORDS // 2:
            pages[-1] += page
        else:
            pages.append(page)
    return pages


def _named(cell: NotebookNode, slot: Slot) -> bool:
    """Say whether a slot cites the section, the figure or a table of a cell."""
    return not {*slot.cited}.isdisjoint(cell.metadata["pack"]["names"])


def _draws(cell: NotebookNode) -> bool:
    return "figure" in cell.metadata.get("mystnb", {})


def _slide_type(cell: NotebookNode) -> str | None:
    """Return where a cell stands on slides, as Jupyter's own editor writes it."""
    kind: str | None = cell.metadata.get("slideshow", {}).get("slide_type")
    return kind


def _slide(source: str, kind: str) -> NotebookNode:
    cell = _text(source)
    cell.metadata["slideshow"] = {"slide_type": kind}
    return cell


def _on_slide(cell: NotebookNode, kind: str) -> list[NotebookNode]:
    """Return a cell for a slide, a figure or table with its caption."""
    if cell.cell_type == "markdown":
        return [_slide(cell.source, kind)]
    copy, caption = _code(cell.source), cell.metadata["pack"]["caption"]
    copy.outputs = cell.outputs
    copy.metadata |= {
        "slideshow": {"slide_type": kind},
        "alt": cell.metadata.get("mystnb", {}).get("image", {}).get("alt", ""),
        "tags": cell.metadata.get("tags", []),
    }
    if not caption or kind == "notes":
        return [copy]
    return [copy, _slide(f'<div class="caption">\n\n{caption}\n\n</div>', "-")]


def _short(text: str) -> str:
    """Shorten a long text for a slide: its first paragraph, its formulas, tables and lists."""
    heading, *blocks = text.split("\n\n")
    if len(text.split()) <= _WORDS:
        return text
    return "\n\n".join([heading, *blocks[:1], *(b for b in blocks[1:] if b[0] in "$|-")])


def teacher_page(pack: Pack, need: str = "") -> str:
    """Return the page for the teacher: the plan by minutes, figures and tables, and answers.

    Parameters
    ----------
    pack
        From :func:`execute_packs`.
    need
        What students' computers need, in a sentence or two.
    """
    answers: dict[str, list[str]] = {}
    for cell in (cell for cell in pack.cells if "label" in cell.metadata["pack"]):
        steps = answers.setdefault(cell.metadata["pack"]["label"], [])
        if cell.cell_type == "markdown":
            steps.append(markdown2html(cell.source))
        elif role(cell) == "solution":
            folded = f"<summary>Code of the answer</summary><pre>{escape(cell.source)}</pre>"
            steps.append(f"<details>{folded}</details>")
            steps += [f'<div class="shown">{html}</div>' for html in _shown(cell.outputs)]
    return _rendered(
        "teacher.html.j2",
        title=pack.title,
        name=pack.name,
        before=markdown2html(pack.session.before) if pack.session else "",
        prepare=markdown2html(pack.session.prepare) if pack.session else "",
        slots=[(part.slot, markdown2html(part.slot.text)) for part in pack.parts if part.slot],
        need=need,
        figures=[
            (markdown2html(caption), list(_shown(cell.outputs)))
            for cell in pack.cells
            if (caption := cell.metadata["pack"]["caption"])
        ],
        answers=list(answers.values()),
    )


def _shown(outputs: Sequence[NotebookNode]) -> Iterable[str]:
    """Yield what outputs show, in HTML."""
    for output in outputs:
        data = output.get("data", {})
        if "image/svg+xml" in data:
            yield str(data["image/svg+xml"])
        elif "text/html" in data:
            yield str(data["text/html"])
        elif text := output.get("text") or data.get("text/plain"):
            yield f"<pre>{escape(text)}</pre>"


def _rendered(template: str, **values: object) -> str:
    return _TEMPLATES.get_template(template).render(values)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _code(source: str) -> NotebookNode:
    cell: NotebookNode = nbformat.v4.new_code_cell(source)
    return cell


def _text(source: str) -> NotebookNode:
    cell: NotebookNode = nbformat.v4.new_markdown_cell(source)
    return cell


def _numbered(cells: list[NotebookNode]) -> list[NotebookNode]:
    """Name cells by their places, so that the same pack gives the same bytes."""
    for number, cell in enumerate(cells, 1):
        cell.id = f"cell-{number}"
    return cells
