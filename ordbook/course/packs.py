"""Packs for teaching: the sections that a session of the plan cites, or a whole chapter.

``book/teaching.md`` plans the sessions minute by minute. The chapters are executed as they are; a
pack chooses from their cells. Of each chapter that a session cites it takes the set-up, the cited
sections whole, and the cited exercises.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import nbformat
from nbformat import NotebookNode

from ordbook.course.exercises import Exercise, parts
from ordbook.course.plain import Plain
from ordbook.files import share
from ordbook.show.labels import read_labels
from ordbook.show.parameters import chapter_names, notebook_of
from ordbook.show.show import GLUED

_SESSION = re.compile(r"^\(teaching-(?P<name>[\w-]+)\)=\n#+ (?P<title>.+)\n", re.MULTILINE)
# Slots are written **10 to 20: the toy.** and end where the next one begins.
_SLOT = re.compile(r"^\*\*(\d+) to (\d+): (.+?)\.?\*\*", re.MULTILINE)
_PREPARE = "**To prepare.**"
_ASK = re.compile(r"\*Ask\*:\s(.+?)(?:\\$|\Z)", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"^\*(?:Board|Ask|Homework)\*", re.MULTILINE)
_TABLE = re.compile(r"^\|.*(?:\n\|.*)+", re.MULTILINE)
_CITED = re.compile(r"\{(?:num)?ref\}`(?:[^`<]*<)?([\w-]+)>?`")
_HEADING = re.compile(r"(?m)(?=^(?:\([\w-]+\)=\s*\n+)*#+ )(?<!=\n)(?<!=\n\n)")
_NAMED_TABLE = re.compile(r"^```\{list-table\} .*\n(?::.*\n)*:name: (\S+)", re.MULTILINE)
# Cells that only check a chapter or keep numbers for its text.
_CHECKS = {"hide-cell", "remove-cell"}


@dataclass(frozen=True)
class Slot:
    """A part of a session.

    Attributes
    ----------
    begin, end
        Minutes from the start of the session.
    title
        What it is about.
    text
        The board, what to show, to ask and to expect, in Markdown.
    lead, board_table, ask
        Of the text what stands before the board and the question, the first table of the board, and
        the question, up to the last question mark; each may be empty.
    cited, homework
        Labels of the sections, figures, tables and exercises that it uses, and of those that are
        homework, or were it before this session.
    """

    begin: int
    end: int
    title: str
    text: str
    lead: str
    board_table: str
    ask: str
    cited: tuple[str, ...]
    homework: tuple[str, ...]

    def map(self, change: Callable[[str], str]) -> "Slot":
        """Return the slot with its texts changed."""
        lead, text, ask = (change(text) for text in (self.lead, self.text, self.ask))
        return replace(self, lead=lead, text=text, ask=ask)


@dataclass(frozen=True)
class Session:
    """A session of a course.

    Attributes
    ----------
    name, title
        Name for files and title for readers.
    before
        Prerequisites, objectives and key points, for students too.
    prepare
        Preparation, for the teacher alone.
    slots
        The parts of the session in order.
    """

    name: str
    title: str
    before: str
    prepare: str
    slots: tuple[Slot, ...]


@cache
def planned_sessions() -> dict[str, Session]:
    """Return name -> session, as ``book/teaching.md`` plans them.

    Examples
    --------
    >>> [(name, session.slots[-1].end) for name, session in planned_sessions().items()]
    [('session-1', 90), ('session-2', 90), ('session-3', 90), ('tutorial', 210)]
    """
    page = share("book", "teaching.md").read_text(encoding="utf-8")
    plan = {}
    for heading in _SESSION.finditer(page):
        rest = page[heading.end() :]
        after = re.search(r"^(#|\(teaching-)", rest, re.MULTILINE)
        before, *pieces = _SLOT.split(rest[: after.start()] if after else rest)
        slots = zip(*(pieces[k::4] for k in range(4)), strict=True)
        if pieces:
            plan[heading["name"]] = Session(
                heading["name"],
                heading["title"],
                before.partition(_PREPARE)[0].strip(),
                before.partition(_PREPARE)[2].strip(),
                tuple(_slot(*slot) for slot in slots),
            )
    return plan


def _slot(begin: str, end: str, title: str, text: str) -> Slot:
    ask, table = _ASK.search(text), _TABLE.search(text)
    return Slot(
        int(begin),
        int(end),
        title,
        text.strip(),
        _MARK.split(text.strip())[0].strip().removesuffix("\\"),
        table[0] if table else "",
        ask[1][: ask[1].rfind("?") + 1] if ask else "",
        tuple(_CITED.findall(text)),
        tuple(_CITED.findall(text.partition("*Homework*")[2])),
    )


def toy_pages() -> dict[str, list[str]]:
    """Return the toy of the first session for printing, with empty grids, and worked out.

    Both are pieces of Markdown; the first table of the board is given, and the others are asked.
    """
    plain = Plain("teaching", read_labels())
    sheet, key = ["# The toy\n\nName: ______________________"], ["# The toy, worked out"]
    for slot in planned_sessions()["session-1"].slots:
        board = slot.text.partition("*Board*:")[2].partition("*Ask*")[0]
        tables = _TABLE.findall(board)
        if not tables:
            continue
        title = f"## {slot.title[:1].upper()}{slot.title[1:]}\n\n"
        given, asked = (tables[:1], tables[1:]) if len(sheet) == 1 else ([], tables)
        grids = [plain.text(table) for table in given] + [_empty(plain.text(t)) for t in asked]
        result = f"**{slot.title.split()[0]}** = ____________" if "$$" in board else ""
        sheet.append(title + "\n\n".join([*grids, result]))
        key.append(title + plain.text(board.strip()))
    return {"toy": sheet, "key": key}


def _empty(table: str) -> str:
    """Return a table with its heads alone, and room to write."""
    head, rule, *rows = table.splitlines()
    room = "&emsp;" * 8
    lines = [
        f"| {row.split('|')[1].strip()} |{f' {room} |' * (row.count('|') - 2)}" for row in rows
    ]
    return "\n".join([head, rule, *lines])


@dataclass(frozen=True)
class Part:
    """A slot of the plan with its cells; a chapter is one part without a slot."""

    slot: Slot | None
    cells: tuple[NotebookNode, ...]


@dataclass(frozen=True)
class Pack:
    """The cells that are taught together, their texts and those of the plan in plain Markdown.

    Each cell says in its metadata, under ``pack``, which ``chapter`` it is from, its ``role``
    (``setup``, ``shown``, ``question``, ``start`` or ``solution``), which labels it ``names`` (of
    the section that it begins, or of the figure or tables that it shows), in an exercise the
    ``label`` and ``title`` of that, and the ``caption`` below a figure or table: its number, and of
    figures the caption, since a table shows its caption itself.

    Attributes
    ----------
    name, title
        Name for files and title for readers.
    session
        The session of the plan; None for a whole chapter.
    parts
        The parts in order.
    plain
        What made the texts plain; knows the works cited.
    """

    name: str
    title: str
    session: Session | None
    parts: tuple[Part, ...]
    plain: Plain

    @property
    def cells(self) -> list[NotebookNode]:
        """All cells, in order."""
        return [cell for part in self.parts for cell in part.cells]


def require_names(
    *, sessions: Sequence[str] | None = None, chapters: Sequence[str] = ()
) -> list[str]:
    """Return full names of packs.

    Parameters
    ----------
    sessions
        Names such as ``1``, ``session-1`` or ``tutorial``; None for all.
    chapters
        Names of chapters; sessions are then left out.

    Raises
    ------
    ValueError
        If there is no such session or chapter.
    """
    known = {"chapter": chapter_names(), "session": list(planned_sessions())}
    wanted = [("chapter", name) for name in chapters] or [
        ("session", f"session-{name}" if f"session-{name}" in known["session"] else name)
        for name in (known["session"] if sessions is None else sessions)
    ]
    for kind, name in wanted:
        if name not in known[kind]:
            names = ", ".join(full.removeprefix("session-") for full in known[kind])
            raise ValueError(f"no {kind} {name!r}; there are {names}")
    return [name for _, name in wanted]


def chapters_cited(name: str) -> list[str]:
    """Return the chapters that a session cites, in the order of the book.

    >>> "sigir18" in chapters_cited("session-1")
    True
    """
    targets = read_labels().targets
    labels = [label for slot in planned_sessions()[name].slots for label in slot.cited]
    pages = {targets[label].page for label in labels if label in targets}
    return [chapter for chapter in chapter_names() if chapter in pages]


def put_together(name: str, executed: Mapping[str, NotebookNode]) -> Pack:
    """Choose the cells of a session or a chapter, number figures and tables, make texts plain.

    Parameters
    ----------
    name
        Full name of the session, or of the chapter.
    executed
        The chapters that it cites, with outputs.
    """
    session, labels = planned_sessions().get(name), read_labels()
    if session is not None:
        chosen = session_parts(name, executed)
    else:
        # Without the cells that hold the chapter to its claims.
        cells = chapter_cells(name, executed[name])
        cells = [cell for cell in cells if not cell.id.startswith(f"{name}-verify")]
        chosen = [Part(None, tuple(cells))]
    plain = Plain(name, labels, {}, _number(cell for part in chosen for cell in part.cells))
    of_chapter = {
        chapter: replace(plain, page=chapter, glued=_glued(notebook))
        for chapter, notebook in executed.items()
    }
    for cell in (cell for part in chosen for cell in part.cells):
        about = cell.metadata["pack"]
        about["caption"] = plain.text(about.get("caption", ""))
        if cell.cell_type == "markdown":
            reader = of_chapter[about["chapter"]]
            # What is handed out lists no work that only a solution cites.
            reader = replace(reader, cited=set()) if role(cell) == "solution" else reader
            cell.source = reader.text(cell.source)
    if session is None:
        return Pack(name, labels.titles[name], None, tuple(chosen), plain)
    before, prepare = plain.text(session.before), plain.text(session.prepare)
    session = replace(session, before=before, prepare=prepare)
    parts = tuple(Part(part.slot and part.slot.map(plain.text), part.cells) for part in chosen)
    return Pack(name, session.title, session, parts, plain)


def _number(cells: Iterable[NotebookNode]) -> dict[str, str]:
    """Return label -> number of the figures and tables, and write captions into their cells."""
    numbers: dict[str, str] = {}
    for cell in cells:
        if cell.cell_type != "code" or role(cell) != "shown":
            continue
        figure = cell.metadata.get("mystnb", {}).get("figure", {})
        kind, own = "Fig.", [figure.get("name", cell.id)]
        if "caption" not in figure:
            texts = [str(out.get("data", {}).get("text/markdown", "")) for out in cell.outputs]
            kind, own = "Table", [label for text in texts for label in _NAMED_TABLE.findall(text)]
        for label in own:
            count = sum(number.startswith(kind) for number in numbers.values())
            numbers[label] = f"{kind} {count + 1}"
        if own:
            caption = f"**{', '.join(numbers[label] for label in own)}**"
            caption += f". {figure['caption']}" if kind == "Fig." else ""
            cell.metadata["pack"]["caption"] = caption
    return numbers


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


def session_parts(name: str, notebooks: Mapping[str, NotebookNode] | None = None) -> list[Part]:
    """Choose the cells of a session: each section and exercise where the plan cites it first.

    The notebooks are the chapters that it cites, by default as they are in the book.
    """
    chapters = {
        chapter: chapter_cells(chapter, (notebooks or {}).get(chapter))
        for chapter in chapters_cited(name)
    }
    used, chosen_parts = set[str](), list[Part]()
    for slot in planned_sessions()[name].slots:
        chosen: list[NotebookNode] = []
        for label in slot.cited:
            for cells in chapters.values():
                cited = _cited(cells, label)
                if any(role(cell) == "shown" and cell.cell_type == "code" for cell in cited):
                    cited = [*(cell for cell in cells if role(cell) == "setup"), *cited]
                chosen += [cell for cell in cited if cell.id not in used]
                used |= {cell.id for cell in cited}
        chosen_parts.append(Part(slot, tuple(chosen)))
    return chosen_parts


def chapter_cells(chapter: str, notebook: NotebookNode | None = None) -> list[NotebookNode]:
    """Return the cells of a chapter with their roles; texts are divided at headings."""
    if notebook is None:
        notebook = nbformat.read(notebook_of(chapter), as_version=4)
    cells: list[NotebookNode] = []
    begun = False
    for part in parts(notebook, chapter):
        if isinstance(part, Exercise):
            about = {"label": part.label, "title": part.title}
            cells.append(_cell(part.question, chapter, "question", **about))
            cells += [_cell(cell, chapter, "start", **about) for cell in part.start]
            cells += [_cell(cell, chapter, "solution", **about) for cell in part.solution]
        elif part.cell_type == "code":
            # The set-up is the folded code at the beginning.
            begun = begun or not _CHECKS & set(part.metadata.get("tags", ()))
            cells.append(_cell(part, chapter, "shown" if begun else "setup"))
        else:
            for place, text in enumerate(filter(None, _HEADING.split(part.source))):
                name = f"{part.id[:45]}-{place}" if place else part.id
                piece = nbformat.from_dict({**part, "id": name, "source": text.strip("\n")})
                cells.append(_cell(piece, chapter, "shown"))
    return cells


def _cell(cell: NotebookNode, chapter: str, role: str, **about: str) -> NotebookNode:
    """Return a copy of a cell that says where it is from, under a name of its own."""
    copy: NotebookNode = nbformat.from_dict(cell)
    copy.id = f"{chapter}-{cell.id}"[:64]
    if cell.cell_type == "markdown":
        names = re.findall(r"\(([\w-]+)\)=", cell.source)
    else:
        names = re.findall(rf'"({chapter}-[\w-]+)"', cell.source)
        names += [cell.metadata.get("mystnb", {}).get("figure", {}).get("name")]
    about_cell = {"chapter": chapter, "role": role, "names": names, **about}
    copy.metadata = nbformat.from_dict({**cell.metadata, "pack": about_cell})
    return copy


def role(cell: NotebookNode) -> str:
    """Return the role of a cell in its pack."""
    return str(cell.metadata["pack"]["role"])


def _cited(cells: Sequence[NotebookNode], label: str) -> list[NotebookNode]:
    """Return the exercise or the whole section that a label stands for, without its checks."""
    exercise = [cell for cell in cells if cell.metadata["pack"].get("label") == label]
    body = [cell for cell in cells if role(cell) == "shown"]
    places = [k for k, cell in enumerate(body) if label in cell.metadata["pack"]["names"]]
    if exercise or not places:
        return exercise
    begins = [
        k
        for k, cell in enumerate(body)
        if cell.cell_type == "markdown" and _HEADING.match(cell.source)
    ]
    first = max(k for k in begins if k <= places[0])
    last = min(k for k in [*begins, len(body)] if k > places[0])
    return [c for c in body[first:last] if not _CHECKS & set(c.metadata.get("tags", ()))]
