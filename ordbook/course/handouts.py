"""What a pack is handed out as: a notebook for students, slides, and a page for the teacher."""

import re
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any

import nbformat
from jinja2 import Environment, PackageLoader, StrictUndefined
from nbconvert.filters import markdown2html
from nbformat import NotebookNode

from ordbook.course.packs import Assembly, Pack, Unit, text_of
from ordbook.course.plain import Plain
from ordbook.course.references import read_labels
from ordbook.course.slides import FOLDED, copy_reveal, deck
from ordbook.files import require_new, share, whole_folder, write_files
from ordbook.meta.parallel import processors
from ordbook.pages.sphinx_extension import is_placeholder, repository_address
from ordbook.report.executing import prepare_environment, side_by_side

Progress = Callable[[str], None]
ANSWER = "**Your answer:** *(double-click here and write)*"
# Three lines: they install what is not there, and nothing elsewhere.
INSTALL = """\
from importlib.util import find_spec
if find_spec("ordbook") is None:
    %pip install -q "{}"
"""
_NOTE = (
    "*From ordbook, by the ordbook authors, CC BY 4.0. In Colab, the first cell installs what is "
    "needed; if Colab then asks to restart the session, do so and run the cells again.*"
)
_RECORD = "application/papermill.record/"
_NAMED_TABLE = re.compile(r"^```\{list-table\} (.*)\n(?::.*\n)*:name: (\S+)", re.MULTILINE)
_TEMPLATES = Environment(
    loader=PackageLoader("ordbook.course", ""),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    autoescape=True,
)


@dataclass(frozen=True)
class Made:
    """A pack that was executed.

    Attributes
    ----------
    pack
        The pack.
    outputs
        What its cells of code show, by the names of the cells.
    texts
        Its texts in plain Markdown, by the names of the cells.
    captions
        Number and caption of each figure, and number of each table, in the order of the pack, by
        the names of the cells.
    plain
        What turns other text into plain Markdown; knows numbers by label, and the works cited.
    """

    pack: Pack
    outputs: Mapping[str, list[NotebookNode]]
    texts: Mapping[str, str]
    captions: Mapping[str, str]
    plain: Plain


def write_packs(
    packs: Sequence[Pack],
    out: str | Path,
    *,
    wheel: str | Path | None = None,
    overwrite: bool = False,
    code: bool = False,
    jobs: int | None = None,
    progress: Progress = lambda line: None,
) -> list[str]:
    """Execute packs and write their notebooks, slides and teacher's pages, whole or not at all.

    Parameters
    ----------
    packs
        What to write.
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
        How many packs to execute at a time; by default one per processor.
    progress
        Told in a line what happens.

    Returns
    -------
    list of str
        The files, relative to the folder.

    Raises
    ------
    ValueError
        If the folder is not empty, or the wheel is not of this version.
    RerunError
        If a cell of a pack fails.
    """
    out = require_new(out, overwrite)
    if wheel is None and requirement().startswith("./"):
        wheel = _built_wheel()
    held = _read_wheel(Path(wheel).expanduser()) if wheel is not None else None
    line = requirement(local=held is not None)
    need = _need(line, held is not None)
    files: dict[str, str | bytes] = {}
    for made in execute_packs(packs, jobs=jobs, progress=progress):
        name = made.pack.name
        files[f"students/{name}.ipynb"] = nbformat.writes(student_notebook(made, line)) + "\n"
        files[f"slides/{name}.html"] = deck(made.pack.title, _slides(made), made.plain, code=code)
        files[f"teacher/{name}.html"] = teacher_page(made, need)
    files["index.html"] = _rendered("packs.html.j2", packs=packs, need=need)
    if held is not None:
        files[f"students/{wheel_name()}"] = held
    with whole_folder(out, overwrite) as folder:
        copy_reveal(folder / "slides")
        write_files(folder, files)
    progress(need)
    return list(files)


def execute_packs(
    packs: Sequence[Pack], *, jobs: int | None = None, progress: Progress = lambda line: None
) -> list[Made]:
    """Execute packs with their solutions, each in an empty folder with a kernel of its own.

    Parameters and errors are those of :func:`write_packs`.
    """
    prepare_environment()
    with tempfile.TemporaryDirectory() as place:
        sources, executed = Path(place, "sources"), Path(place, "executed")
        sources.mkdir()
        executed.mkdir()
        for pack in packs:
            assembly = Assembly()
            for unit in pack.units:
                assembly.add(unit)
            units = [unit for unit, _ in assembly.steps if unit.code]
            cells = [_code("\n".join(assembly.imports.values()), "imports")]
            cells += [_code(unit.code, f"step-{k}") for k, unit in enumerate(units)]
            for cell, unit in zip(cells[1:], units, strict=True):
                cell.metadata["unit"] = unit.name
            nbformat.write(_notebook(cells), sources / f"{pack.name}.ipynb")
        work: dict[str, tuple[Path, dict[str, str | int]]]
        work = {pack.name: (sources / f"{pack.name}.ipynb", {}) for pack in packs}
        side_by_side(work, executed, jobs or processors(), progress)
        return [
            _made(pack, nbformat.read(executed / f"{pack.name}.ipynb", as_version=4))
            for pack in packs
        ]


def _made(pack: Pack, notebook: NotebookNode) -> Made:
    glued: dict[str, str] = {}
    outputs: dict[str, list[NotebookNode]] = {}
    named: dict[str, list[str]] = {}
    for cell in notebook.cells[1:]:
        name = cell.metadata["unit"]
        outputs[name] = cell.outputs
        for output in cell.outputs:
            data = output.get("data", {})
            kept = output.get("metadata", {}).get("scrapbook", {}).get("name")
            if kept is not None:
                text = str(data.get("text/plain", data.get(f"{_RECORD}text/plain", "")))
                glued[kept] = text[1:-1] if re.fullmatch(r"'[^']*'|\"[^\"]*\"", text) else text
            for _, label in _NAMED_TABLE.findall(str(data.get("text/markdown", ""))):
                named.setdefault(name, []).append(label)
    numbers: dict[str, str] = {}
    captions: dict[str, str] = {}
    shown = [unit for unit in pack.units if unit.code and unit.role == "shown"]
    for unit in shown:
        labels = dict.fromkeys(named.get(unit.name, ()), "Table")
        if caption := unit.figure.get("caption"):
            labels = {unit.figure.get("name", unit.name): "Fig."}
        for label, kind in labels.items():
            count = sum(number.startswith(kind) for number in numbers.values())
            numbers[label] = f"{kind} {count + 1}"
        # A table shows its caption itself.
        if labels:
            own = f"**{', '.join(numbers[label] for label in labels)}**"
            captions[unit.name] = f"{own}. {caption}" if caption else own
    plain = Plain(pack.name, read_labels(), glued, numbers)
    captions = {name: plain.text(caption) for name, caption in captions.items()}
    texts = {
        unit.name: plain.text(text_of(unit, pack.units)) for unit in pack.units if not unit.code
    }
    return Made(pack, outputs, texts, captions, plain)


def student_notebook(made: Made, line: str) -> NotebookNode:
    """Return the notebook for students: what the pack shows and needs, without solutions.

    Parameters
    ----------
    made
        From :func:`execute_packs`.
    line
        What installs ordbook, from :func:`requirement`.
    """
    assembly, order = Assembly(), list[NotebookNode]()
    for number, (slot, units) in enumerate(made.pack.slots, 1):
        if slot is not None and units:
            order.append(_text(f"## {number}. {_capital(slot.title)}", f"slot-{number}"))
        for unit in (one for one in units if one.role != "solution"):
            before = len(assembly.steps)
            assembly.add(unit, facts=False)
            if needed := [one.code for one, _ in assembly.steps[before:-1]]:
                cell = _code("\n\n".join(needed), f"for-{unit.name}"[:64])
                cell.metadata["jupyter"] = {"source_hidden": True, "outputs_hidden": True}
                order.append(cell)
            order += _handed_out(made, unit)
    if made.plain.cited:
        listed = made.plain.bibliography.listed(made.plain.cited)
        order.append(_text(f"## References\n\n{listed}", "works-cited"))
    title = f"# {made.pack.title}\n\n" if made.pack.session else ""
    cells = [_text(f"{title}{_NOTE}", "title"), _code(INSTALL.format(line).strip(), "install")]
    if assembly.imports:
        cells.append(_code("\n".join(sorted(set(assembly.imports.values()))), "imports"))
    for cell in order:
        last = cells[-1]
        if cell.cell_type == last.cell_type == "markdown" and ANSWER not in last.source:
            last.source += f"\n\n{cell.source}"
        else:
            cells.append(cell)
    return _notebook(cells)


def _handed_out(made: Made, unit: Unit) -> list[NotebookNode]:
    """Return a cell as students get it, with its caption or a place to answer."""
    if unit.code:
        cell = _code(unit.code, unit.name)
        if set(unit.cell.metadata.get("tags", ())) & FOLDED:
            cell.metadata["jupyter"] = {"source_hidden": True}
        cells = [cell]
        if unit.name in made.captions:
            cells.append(_text(made.captions[unit.name], f"{unit.name[:56]}-caption"))
    else:
        text = made.texts[unit.name]
        if made.pack.session:  # below the headings of the plan
            text = re.sub(r"^##", "###", text, flags=re.MULTILINE)
        cells = [_text(text, unit.name)]
    if unit.exercise and unit.cell is [unit.exercise.question, *unit.exercise.start][-1]:
        cells.append(_text(ANSWER, f"{unit.name[:57]}-answer"))
    return cells


def _slides(made: Made) -> list[NotebookNode]:
    """Return the cells of the slides: with a plan all that it cites, else those marked so."""
    cells: list[NotebookNode] = []

    def put(cell: NotebookNode, kind: str) -> None:
        cell.metadata["slideshow"] = {"slide_type": kind}
        cells.append(cell)

    drawn = False
    titles = {one.label: one.title for one in made.pack.exercises}
    if made.pack.session:
        put(_text(f"# {made.pack.title}", "title"), "slide")
    for number, (slot, units) in enumerate(made.pack.slots, 1):
        if slot is not None:
            ask = made.plain.text(slot.ask)
            put(_text(f"## {_capital(slot.title)}\n\n{_capital(ask)}", f"slot-{number}"), "slide")
            listed = [f"- {{ref}}`{x}`: {titles[x]}" for x in slot.homework if x in titles]
            if listed:
                put(_text(made.plain.text("\n".join(listed)), f"homework-{number}"), "-")
            drawn = False
            notes = f"**{slot.begin} to {slot.end}**\n\n{made.plain.text(slot.text)}"
            put(_text(notes, f"notes-{number}"), "notes")
        # Homework is not read aloud.
        for unit in () if slot and slot.homework else units:
            kind = unit.slide or ("slide" if slot and unit.role in ("shown", "question") else None)
            if kind is None or unit.role in ("start", "solution"):
                continue
            # Two figures on a slide would be small.
            if slot and unit.figure and drawn and kind == "-":
                kind = "slide"
            drawn = bool(unit.figure) or (drawn and kind == "-")
            if not unit.code:
                put(_text(made.texts[unit.name], unit.name), kind)
                continue
            cell = _code(unit.code, unit.name)
            cell.outputs = made.outputs[unit.name]
            alt = unit.cell.metadata.get("mystnb", {}).get("image", {}).get("alt")
            cell.metadata |= {"alt": alt or "", "tags": unit.cell.metadata.get("tags", [])}
            put(cell, kind)
            if kind != "notes" and unit.name in made.captions:
                text = f'<div class="caption">\n\n{made.captions[unit.name]}\n\n</div>'
                put(_text(text, f"{unit.name[:56]}-caption"), "-")
    return cells


def teacher_page(made: Made, need: str = "") -> str:
    """Return the page for the teacher: the plan by minutes, figures and tables, and answers.

    Parameters
    ----------
    made
        From :func:`execute_packs`.
    need
        What students' computers need, in a sentence or two.
    """
    session = made.pack.session
    slots = [
        (slot, markdown2html(made.plain.text(slot.text)))
        for slot, _ in made.pack.slots
        if slot is not None
    ]
    units = {id(unit.cell): unit for unit in made.pack.units}
    answers = []
    for exercise in made.pack.exercises:
        question = markdown2html(made.texts[units[id(exercise.question)].name])
        steps = [_answer(units[id(cell)], made) for cell in exercise.solution if id(cell) in units]
        answers.append((exercise, question, steps))
    return _rendered(
        "teacher.html.j2",
        title=made.pack.title,
        name=made.pack.name,
        before=markdown2html(made.plain.text(session.before)) if session else "",
        slots=slots,
        need=need,
        figures=[
            (markdown2html(text), _shown(made.outputs.get(name, ())))
            for name, text in made.captions.items()
        ],
        answers=answers,
    )


def _answer(unit: Unit, made: Made) -> dict[str, Any]:
    """Return a cell of a solution: its text, or its code and what that shows."""
    if not unit.code:
        return {"text": markdown2html(made.texts[unit.name]), "code": "", "shown": []}
    return {"text": "", "code": unit.code, "shown": _shown(made.outputs[unit.name])}


def _shown(outputs: Sequence[NotebookNode]) -> list[str]:
    """Return what outputs show, in HTML."""
    shown = []
    for output in outputs:
        data = output.get("data", {})
        if "image/png" in data:
            shown.append(f'<img alt="" src="data:image/png;base64,{data["image/png"]}">')
        elif "text/html" in data:
            shown.append(str(data["text/html"]))
        elif text := output.get("text") or data.get("text/plain"):
            shown.append(f"<pre>{escape(text)}</pre>")
    return shown


def requirement(*, local: bool = False) -> str:
    """Return what pip installs this version of ordbook from.

    That is the repository where the metadata of the package names a public one, else a wheel in
    the same folder; never the name alone, under which others could offer another package.

    Parameters
    ----------
    local
        From the wheel in any case.
    """
    address = repository_address()
    if local or is_placeholder(address):
        return f"./{wheel_name()}[book]"
    return f"ordbook[book] @ git+{address.removesuffix('.git')}@v{version('ordbook')}"


def _need(line: str, held: bool) -> str:
    """Return what students' computers need before the first cell runs."""
    if not line.startswith("./"):
        return f"The first cell of a notebook installs {line} where ordbook is not there."
    if held:
        return (
            f"Hand out the whole folder students: the first cell of a notebook installs "
            f"{wheel_name()} from it where ordbook is not there. In Colab, upload that file with "
            "the folder symbol at the left."
        )
    return (
        f"To do before the session: the first cell of a notebook installs {wheel_name()}, which is "
        "not here yet. Run `make wheel` in the repository and make this again, or name the file "
        "with --wheel PATH."
    )


def _built_wheel() -> Path | None:
    """Return the wheel of this version that was built in a clone, if there is one."""
    try:
        return share("dist", wheel_name())
    except FileNotFoundError:
        return None


def wheel_name() -> str:
    """Return the name of the wheel of this version of ordbook."""
    return f"ordbook-{version('ordbook')}-py3-none-any.whl"


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


def _rendered(template: str, **values: object) -> str:
    return _TEMPLATES.get_template(template).render(values)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _code(source: str, name: str) -> NotebookNode:
    cell: NotebookNode = nbformat.v4.new_code_cell(source, id=name)
    return cell


def _text(source: str, name: str) -> NotebookNode:
    cell: NotebookNode = nbformat.v4.new_markdown_cell(source, id=name)
    return cell


def _notebook(cells: list[NotebookNode]) -> NotebookNode:
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    notebook: NotebookNode = nbformat.v4.new_notebook(cells=cells, metadata=metadata)
    nbformat.validate(notebook)
    return notebook
