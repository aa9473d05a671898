"""What a pack is handed out as: a notebook for students, slides, and a page for the teacher."""

import re
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise
from pathlib import Path

import nbformat
from jinja2 import Environment, PackageLoader, StrictUndefined
from nbconvert.filters import markdown2html
from nbformat import NotebookNode

from ordbook.course import installing
from ordbook.course.packs import (
    Pack,
    Slot,
    chapter_pack,
    chapters_cited,
    defines,
    figure_of,
    planned_sessions,
    role,
    session_pack,
    shows,
)
from ordbook.course.plain import Plain
from ordbook.course.slides import FOLDED, copy_reveal, deck
from ordbook.files import require_new, whole_folder, write_files
from ordbook.report.executing import prepare_environment, side_by_side
from ordbook.show.labels import read_labels
from ordbook.show.parameters import notebook_of
from ordbook.show.show import GLUED

Progress = Callable[[str], None]
ANSWER = "**Your answer:** *(double-click here and write)*"
_NAMED_TABLE = re.compile(r"^```\{list-table\} (.*)\n(?::.*\n)*:name: (\S+)", re.MULTILINE)
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


@dataclass(frozen=True)
class Material:
    """A pack whose chapters were executed, ready to be written down.

    Attributes
    ----------
    pack
        The pack, its cells with outputs.
    plain
        Makes texts plain; knows the numbers of figures and tables, and the works cited.
    glued
        The values that each chapter keeps for its texts.
    captions
        The number, and of figures the caption, below each cell with a figure or table, by cell id.
    """

    pack: Pack
    plain: Plain
    glued: Mapping[str, Mapping[str, str]]
    captions: Mapping[str, str]

    def text(self, cell: NotebookNode) -> str:
        """Return the text of a cell in plain Markdown."""
        chapter = cell.metadata["pack"]["chapter"]
        plain = replace(self.plain, page=chapter, glued=self.glued.get(chapter, {}))
        return plain.text(cell.source)


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
    materials = execute_packs(names, jobs=jobs, progress=progress)
    for material in materials:
        name, title = material.pack.name, material.pack.title
        files[f"students/{name}.ipynb"] = nbformat.writes(student_notebook(material, line)) + "\n"
        files[f"slides/{name}.html"] = deck(title, slides(material), material.plain, code=code)
        files[f"teacher/{name}.html"] = teacher_page(material, need)
    packs = [material.pack for material in materials]
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
) -> list[Material]:
    """Execute the chapters that packs need, once each, and put the packs together.

    Parameters and errors are those of :func:`write_packs`.
    """
    prepare_environment()
    needed = [chapters_cited(name) if name in planned_sessions() else [name] for name in names]
    chapters = list(dict.fromkeys(chapter for some in needed for chapter in some))
    with tempfile.TemporaryDirectory() as folder:
        work: dict[str, tuple[Path, dict[str, str | int]]]
        work = {chapter: (notebook_of(chapter), {}) for chapter in chapters}
        side_by_side(work, Path(folder), jobs, progress)
        executed = {
            chapter: nbformat.read(Path(folder, f"{chapter}.ipynb"), as_version=4)
            for chapter in chapters
        }
    return [put_together(name, executed) for name in names]


def put_together(name: str, executed: Mapping[str, NotebookNode]) -> Material:
    """Choose the cells of a pack from executed chapters, and number its figures and tables."""
    session = name in planned_sessions()
    pack = session_pack(name, executed) if session else chapter_pack(name, executed[name])
    glued = {chapter: _glued(notebook) for chapter, notebook in executed.items()}
    numbers: dict[str, str] = {}
    captioned: dict[str, str] = {}
    for cell in pack.cells:
        if cell.cell_type != "code" or role(cell) != "shown":
            continue
        figure = figure_of(cell)
        if "caption" in figure:
            labels = {figure.get("name", cell.id): "Fig."}
        else:
            texts = [
                str(output.get("data", {}).get("text/markdown", "")) for output in cell.outputs
            ]
            labels = {label: "Table" for text in texts for _, label in _NAMED_TABLE.findall(text)}
        for label, kind in labels.items():
            count = sum(number.startswith(kind) for number in numbers.values())
            numbers[label] = f"{kind} {count + 1}"
        # A table shows its caption itself.
        if labels:
            own = f"**{', '.join(numbers[label] for label in labels)}**"
            captioned[cell.id] = f"{own}. {figure['caption']}" if "caption" in figure else own
    plain = Plain(name, read_labels(), {}, numbers)
    captions = {place: plain.text(caption) for place, caption in captioned.items()}
    return Material(pack, plain, glued, captions)


def _glued(notebook: NotebookNode) -> dict[str, str]:
    """Return the values that the cells of a chapter keep for its texts."""
    values: dict[str, str] = {}
    for output in (output for cell in notebook.cells for output in cell.get("outputs", ())):
        name = output.get("metadata", {}).get("scrapbook", {}).get("name")
        if name is not None:
            data = output.get("data", {})
            text = str(data.get("text/plain", data.get(f"{GLUED}text/plain", "")))
            values[name] = text[1:-1] if re.fullmatch(r"'[^']*'|\"[^\"]*\"", text) else text
    return values


def student_notebook(material: Material, line: str) -> NotebookNode:
    """Return the notebook for students: the cells of the pack without solutions.

    A question of the plan stands before the section that answers it, whose text is folded.

    Parameters
    ----------
    material
        From :func:`execute_packs`.
    line
        What installs ordbook, from :func:`ordbook.course.installing.choose`.
    """
    session = material.pack.session
    title = f"# {material.pack.title}\n\n" if session else ""
    cells = [_text(f"{title}{installing.NOTE}"), _code(installing.cell(line))]
    cells += [_text(material.plain.text(session.before))] if session else []
    for number, part in enumerate(material.pack.parts, 1):
        ask = material.plain.text(part.slot.ask) if part.slot else ""
        if part.slot is not None and part.cells:
            question = f"\n\n> **Question.** {_capital(ask)}" if ask else ""
            cells.append(_text(f"## {number}. {_capital(part.slot.title)}{question}"))
        folding = False
        for cell in (cell for cell in part.cells if role(cell) != "solution"):
            folding = folding or bool(ask and figure_of(cell))
            cells += _handed_out(material, cell, folding and role(cell) == "shown")
            after = part.cells[part.cells.index(cell) + 1 :]
            if role(cell) in ("question", "start") and role(after[0]) == "solution":
                cells.append(_text(ANSWER))
    if material.plain.cited:
        listed = material.plain.bibliography.listed(material.plain.cited)
        cells.append(_text(f"## References\n\n{listed}"))
    return _notebook(cells)


def _handed_out(material: Material, cell: NotebookNode, folding: bool) -> list[NotebookNode]:
    """Return a cell as students get it, with its caption."""
    if cell.cell_type == "code":
        copy = _code(cell.source)
        if set(cell.metadata.get("tags", ())) & FOLDED:
            copy.metadata["jupyter"] = {"source_hidden": True}
        caption = material.captions.get(cell.id)
        return [copy, _text(_folded(caption) if folding else caption)] if caption else [copy]
    text = material.text(cell)
    if material.pack.session:  # below the headings of the plan
        text = re.sub(r"^##+", "###", text, flags=re.MULTILINE)
    return [_text(_folded(text) if folding and not text.startswith("#") else text)]


def _folded(text: str) -> str:
    head = "Read on after you have answered"
    return f"<details><summary>{head}</summary>\n\n{text}\n\n</details>"


def slides(material: Material) -> list[NotebookNode]:
    """Return the cells of the slides: as the chapter marks them, or as a session is planned."""
    session = material.pack.session
    pages: list[list[NotebookNode]] = []
    if session is None:
        marked = [cell for cell in material.pack.cells if _slide_type(cell) not in (None, "skip")]
        wanted = (cell for cell in marked if role(cell) in ("setup", "shown"))
        pages = [_on_slide(material, cell, str(_slide_type(cell))) for cell in wanted]
    else:
        before = f"## {session.title}\n\n{material.plain.text(session.before)}"
        first = [f"# {session.title}", before]
        pages = [[_slide(_text(text), "slide")] for text in first]
    for part in material.pack.parts:
        if part.slot is not None:
            notes = f"**{part.slot.begin} to {part.slot.end}**\n\n"
            notes += material.plain.text(part.slot.text)
            for page in _slot_pages(material, part.slot, part.cells):
                title = _slide(_text(f"## {_capital(part.slot.title)}"), "slide")
                pages.append([title, *page, _slide(_text(notes), "notes")])
    return _numbered([cell for page in pages for cell in page])


def _slot_pages(
    material: Material, slot: Slot, cells: Sequence[NotebookNode]
) -> list[list[NotebookNode]]:
    """Return the slides of a slot.

    First come the definitions, then the figures and tables that the slot cites, then its exercises,
    which homework only lists. The question is below the first figure or table.
    """
    lead = _slide(_text(material.plain.text(slot.lead)), "-")
    about = [cell.metadata["pack"] for cell in cells if role(cell) == "question"]
    if slot.homework:
        listed = [f"- {{ref}}`{exercise['label']}`: {exercise['title']}" for exercise in about]
        return [[lead, _slide(_text(material.plain.text("\n".join(listed))), "-")]]
    figures = [cell for cell in cells if any(shows(cell, label) for label in slot.cited)]
    drawings = [_on_slide(material, cell, "-") for cell in figures]
    defined = _definitions(material, slot, cells)
    asked = [_on_slide(material, cell, "-") for cell in cells if role(cell) == "question"]
    if not (drawings or defined):
        table = [[_slide(_text(slot.board_table), "-")]] if slot.board_table else []
        defined = table or ([] if asked and slot.ask else [[lead]])
    if slot.ask:
        page = [*drawings, *defined[-1:], *asked][0]
        drawn = drawings and figure_of(figures[0])
        question = _text(f"> {_capital(material.plain.text(slot.ask))}")
        page.insert(1 if drawn else len(page), _slide(question, "-"))
        for caption in page[2:] if drawn else ():
            _slide(caption, "fragment")  # which tells what is asked
    return [*defined, *drawings, *asked]


def _definitions(
    material: Material, slot: Slot, cells: Sequence[NotebookNode]
) -> list[list[NotebookNode]]:
    """Return formulas, tables and short code of the cited sections that are marked for slides."""
    pages: list[list[NotebookNode]] = []
    for cell, after in pairwise([*cells, _text("")]):
        if _slide_type(cell) is None or not any(defines(cell, label) for label in slot.cited):
            continue
        body = _HEADING.sub("", _short(material.text(cell)))
        code = after if after.cell_type == "code" and _slide_type(after) else None
        if code is not None and (figure_of(code) or code.id in material.captions):
            code = None
        if not (code or re.search(r"^(\$\$|\||- |```)", body, re.MULTILINE)):
            continue
        page = [_slide(_text(body), "-"), *(_on_slide(material, code, "-") if code else [])]
        if pages and len(" ".join(c.source for c in (*pages[-1], *page)).split()) < _WORDS // 2:
            pages[-1] += page
        else:
            pages.append(page)
    return pages


def _slide_type(cell: NotebookNode) -> str | None:
    """Return where a cell stands on slides, as Jupyter's own editor writes it."""
    kind: str | None = cell.metadata.get("slideshow", {}).get("slide_type")
    return kind


def _slide(cell: NotebookNode, kind: str) -> NotebookNode:
    cell.metadata["slideshow"] = {"slide_type": kind}
    return cell


def _on_slide(material: Material, cell: NotebookNode, kind: str) -> list[NotebookNode]:
    """Return a cell for a slide, a figure or table with its caption."""
    if cell.cell_type == "markdown":
        return [_slide(_text(material.text(cell)), kind)]
    copy = _slide(_code(cell.source), kind)
    copy.outputs = cell.outputs
    alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
    copy.metadata |= {"alt": alt, "tags": cell.metadata.get("tags", [])}
    caption = material.captions.get(cell.id)
    if caption is None or kind == "notes":
        return [copy]
    return [copy, _slide(_text(f'<div class="caption">\n\n{caption}\n\n</div>'), "-")]


def _short(text: str) -> str:
    """Shorten a long text for a slide: its first paragraph, its formulas, tables and lists."""
    heading, *blocks = text.split("\n\n")
    if len(text.split()) <= _WORDS:
        return text
    return "\n\n".join([heading, *blocks[:1], *(b for b in blocks[1:] if b[0] in "$|-")])


def teacher_page(material: Material, need: str = "") -> str:
    """Return the page for the teacher: the plan by minutes, figures and tables, and answers.

    Parameters
    ----------
    material
        From :func:`execute_packs`.
    need
        What students' computers need, in a sentence or two.
    """
    pack = material.pack

    def html(text: str) -> str:
        return str(markdown2html(material.plain.text(text)))

    answers: dict[str, list[str]] = {}
    for cell in (cell for cell in pack.cells if "label" in cell.metadata["pack"]):
        steps = answers.setdefault(cell.metadata["pack"]["label"], [])
        if cell.cell_type == "markdown":
            steps.append(markdown2html(material.text(cell)))
        elif role(cell) == "solution":
            folded = f"<summary>Code of the answer</summary><pre>{escape(cell.source)}</pre>"
            steps.append(f"<details>{folded}</details>")
            steps += [f'<div class="shown">{html}</div>' for html in _shown(cell.outputs)]
    drawn = [cell for cell in pack.cells if cell.id in material.captions]
    return _rendered(
        "teacher.html.j2",
        title=pack.title,
        name=pack.name,
        before=html(pack.session.before) if pack.session else "",
        prepare=html(pack.session.prepare) if pack.session else "",
        slots=[(part.slot, html(part.slot.text)) for part in pack.parts if part.slot is not None],
        need=need,
        figures=[
            (markdown2html(material.captions[cell.id]), list(_shown(cell.outputs)))
            for cell in drawn
        ],
        answers=list(answers.values()),
    )


def _shown(outputs: Sequence[NotebookNode]) -> Iterable[str]:
    """Yield what outputs show, in HTML."""
    for output in outputs:
        data = output.get("data", {})
        if "image/png" in data:
            yield f'<img alt="" src="data:image/png;base64,{data["image/png"]}">'
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


def _notebook(cells: list[NotebookNode]) -> NotebookNode:
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    notebook: NotebookNode = nbformat.v4.new_notebook(cells=_numbered(cells), metadata=metadata)
    nbformat.validate(notebook)
    return notebook
