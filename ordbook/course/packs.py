"""Packs for teaching: the sections that a session of the plan cites, or a whole chapter.

``book/teaching.md`` plans the sessions minute by minute. The chapters are executed as they are; a
pack chooses from their cells. Of each chapter that a session cites it takes the set-up, the cited
sections whole, and the cited exercises.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import nbformat
from nbformat import NotebookNode

from ordbook.course.exercises import Exercise, parts
from ordbook.course.plain import Plain
from ordbook.files import share
from ordbook.show.labels import read_labels
from ordbook.show.parameters import chapter_names, notebook_of

_SESSION = re.compile(r"^\(teaching-(?P<name>[\w-]+)\)=\n#+ (?P<title>.+)\n", re.MULTILINE)
# Slots are written **10 to 20: the toy.** and end where the next one begins.
_SLOT = re.compile(r"^\*\*(\d+) to (\d+): (.+?)\.?\*\*", re.MULTILINE)
_PREPARE = "**To prepare.**"
_ASK = re.compile(r"\*Ask\*:\s(.+?)(?:\\$|\Z)", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"^\*(?:Board|Ask|Homework)\*", re.MULTILINE)
_TABLE = re.compile(r"^\|.*(?:\n\|.*)+", re.MULTILINE)
_CITED = re.compile(r"\{(?:num)?ref\}`(?:[^`<]*<)?([\w-]+)>?`")
_HEADING = re.compile(r"(?m)(?=^(?:\([\w-]+\)=\s*\n+)*#+ )(?<!=\n)(?<!=\n\n)")
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
        The board, what to show, to ask and to expect, in MyST Markdown.
    """

    begin: int
    end: int
    title: str
    text: str

    @property
    def ask(self) -> str:
        """The question, up to the last question mark, or nothing."""
        match = _ASK.search(self.text)
        return match[1][: match[1].rfind("?") + 1] if match else ""

    @property
    def lead(self) -> str:
        """The text before the board and the question."""
        return _MARK.split(self.text)[0].strip().removesuffix("\\")

    @property
    def board_table(self) -> str:
        """The first table of the board, or nothing."""
        match = _TABLE.search(self.text)
        return match[0] if match else ""

    @property
    def homework(self) -> list[str]:
        """Labels of what is homework, or was it before this session."""
        return _CITED.findall(self.text.partition("*Homework*")[2])

    @property
    def cited(self) -> list[str]:
        """Labels of the sections, figures, tables and exercises that it uses."""
        return _CITED.findall(self.text)


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
                tuple(Slot(int(a), int(b), title, text.strip()) for a, b, title, text in slots),
            )
    return plan


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
    """The cells that are taught together.

    Each cell says in its metadata, under ``pack``, which ``chapter`` it is from, its ``role``
    (``setup``, ``shown``, ``question``, ``start`` or ``solution``) and, in an exercise, the
    ``label`` and ``title`` of that.

    Attributes
    ----------
    name, title
        Name for files and title for readers.
    session
        The session of the plan; None for a whole chapter.
    parts
        The parts in order.
    """

    name: str
    title: str
    session: Session | None
    parts: tuple[Part, ...]

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


def session_pack(name: str, notebooks: Mapping[str, NotebookNode] | None = None) -> Pack:
    """Choose the cells of a session: each section and exercise where the plan cites it first.

    Parameters
    ----------
    name
        Full name of the session.
    notebooks
        The chapters that it cites, executed; by default as they are in the book.
    """
    session = planned_sessions()[name]
    chapters = {
        chapter: chapter_cells(chapter, (notebooks or {}).get(chapter))
        for chapter in chapters_cited(name)
    }
    used, result = set[str](), list[Part]()
    for slot in session.slots:
        chosen: list[NotebookNode] = []
        for label in slot.cited:
            for cells in chapters.values():
                cited = _cited(cells, label)
                if any(role(cell) == "shown" and cell.cell_type == "code" for cell in cited):
                    cited = [*(cell for cell in cells if role(cell) == "setup"), *cited]
                chosen += [cell for cell in cited if cell.id not in used]
                used |= {cell.id for cell in cited}
        result.append(Part(slot, tuple(chosen)))
    return Pack(name, session.title, session, tuple(result))


def chapter_pack(chapter: str, notebook: NotebookNode | None = None) -> Pack:
    """Return a whole chapter, without the cells that hold it to its claims."""
    cells = chapter_cells(chapter, notebook)
    cells = [cell for cell in cells if not cell.id.startswith(f"{chapter}-verify")]
    title = read_labels().titles[chapter]
    return Pack(chapter, title, None, (Part(None, tuple(cells)),))


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
    copy.metadata = nbformat.from_dict(
        {**cell.metadata, "pack": {"chapter": chapter, "role": role, **about}}
    )
    return copy


def role(cell: NotebookNode) -> str:
    """Return the role of a cell in its pack."""
    return str(cell.metadata["pack"]["role"])


def figure_of(cell: NotebookNode) -> Mapping[str, str]:
    """Return name and caption of the figure that a cell draws."""
    figure: Mapping[str, str] = cell.metadata.get("mystnb", {}).get("figure", {})
    return figure


def defines(cell: NotebookNode, label: str) -> bool:
    """Say whether a text is the beginning of the section with a label."""
    return cell.cell_type == "markdown" and f"({label})=" in cell.source


def shows(cell: NotebookNode, label: str) -> bool:
    """Say whether code shows the figure or the table with a label."""
    chapter = cell.metadata["pack"]["chapter"]
    table = label.startswith(f"{chapter}-") and f'"{label}"' in cell.source
    return cell.cell_type == "code" and (table or figure_of(cell).get("name") == label)


def _cited(cells: Sequence[NotebookNode], label: str) -> list[NotebookNode]:
    """Return the exercise or the whole section that a label stands for, without its checks."""
    exercise = [cell for cell in cells if cell.metadata["pack"].get("label") == label]
    body = [cell for cell in cells if role(cell) == "shown"]
    place = next(
        (k for k, cell in enumerate(body) if defines(cell, label) or shows(cell, label)), None
    )
    if exercise or place is None:
        return exercise
    begins = [k for k, cell in enumerate(body) if _begins(cell)] + [len(body)]
    first = max(k for k in begins if k <= place)
    last = min(k for k in begins if k > place)
    return [c for c in body[first:last] if not _CHECKS & set(c.metadata.get("tags", ()))]


def _begins(cell: NotebookNode) -> bool:
    return cell.cell_type == "markdown" and bool(_HEADING.match(cell.source))
