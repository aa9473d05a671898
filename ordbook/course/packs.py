"""Packs for teaching: which cells of the stories make up a session, and what these need.

A session holds what its plan cites: of a section what is on slides, figures, tables and exercises.
Nothing is written for a pack alone.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

import nbformat
from nbformat import NotebookNode

from ordbook.course.dependencies import imports_of, names_of
from ordbook.course.exercises import Exercise, parts
from ordbook.course.plan import Session, Slot, sessions
from ordbook.show.parameters import chapter_names, notebook_of

_HEADING = re.compile(r"^#+ ", re.MULTILINE)
_SECTION = re.compile(r"^\([\w-]+\)=$|^#+ ", re.MULTILINE)
_GLUED = re.compile(r"\{glue:text\}`([^`:]+)")


@dataclass(frozen=True)
class Unit:
    """A cell of a chapter.

    Attributes
    ----------
    chapter, place
        Where it stands.
    cell
        The cell.
    role
        What it is: ``shown``, or ``question``, ``start`` or ``solution`` of an exercise.
    exercise
        The exercise that it belongs to.
    """

    chapter: str
    place: int
    cell: NotebookNode = field(compare=False)
    role: str = "shown"
    exercise: Exercise | None = field(default=None, compare=False)

    @property
    def code(self) -> str:
        """Its code; nothing where it is text."""
        return str(self.cell.source) if self.cell.cell_type == "code" else ""

    @property
    def figure(self) -> dict[str, str]:
        """Name and caption of the figure that it draws."""
        return dict(self.cell.metadata.get("mystnb", {}).get("figure", {}))

    @property
    def slide(self) -> str | None:
        """Where it stands on slides, as Jupyter's own editor writes it; None: on none."""
        kind = self.cell.metadata.get("slideshow", {}).get("slide_type")
        return None if kind == "skip" else kind

    @property
    def name(self) -> str:
        """A name that no other cell of the book has."""
        return f"{self.chapter}-{self.cell.id}"[:64]


@dataclass(frozen=True)
class Pack:
    """What is taught together.

    Attributes
    ----------
    name, title
        Of the pack.
    session
        The session that it is for; None if it is a whole chapter.
    slots
        The parts of the plan, each with its cells; a chapter is one, without a plan.
    """

    name: str
    title: str
    session: Session | None
    slots: tuple[tuple[Slot | None, tuple[Unit, ...]], ...]

    @property
    def units(self) -> list[Unit]:
        """All cells, in order."""
        return [unit for _, units in self.slots for unit in units]

    @property
    def exercises(self) -> list[Exercise]:
        """The exercises, in order."""
        asked = (unit.exercise for unit in self.units if unit.role == "question")
        return [exercise for exercise in asked if exercise]


def session_pack(name: str) -> Pack:
    """Return the pack of a session: what its plan cites, each cell where it is cited first.

    Parameters
    ----------
    name
        Of the session: ``1``, ``2`` or ``tutorial``.

    Raises
    ------
    ValueError
        If there is no such session.

    Examples
    --------
    >>> len(session_pack("1").exercises)
    5
    """
    every = sessions()
    session = every.get(name) or every.get(f"session-{name}")
    if session is None:
        known = (one.removeprefix("session-") for one in every)
        raise ValueError(f"no session {name!r}; there are {', '.join(known)}")
    used, slots = set[Unit](), []
    for slot in session.slots:
        groups: dict[str, list[Unit]] = {}
        for label in slot.cited:
            for unit in _cited(label):
                if unit not in used:
                    used.add(unit)
                    groups.setdefault(unit.chapter, []).append(unit)
        ordered = (sorted(group, key=lambda unit: unit.place) for group in groups.values())
        slots.append((slot, tuple(unit for group in ordered for unit in group)))
    return Pack(session.name, session.title, session, tuple(slots))


def chapter_pack(chapter: str) -> Pack:
    """Return the pack of a chapter: all of it but the cells that hold it to its claims.

    Raises
    ------
    ValueError
        If there is no such chapter.
    """
    if chapter not in chapter_names():
        raise ValueError(f"no chapter {chapter!r}; there are {', '.join(chapter_names())}")
    units = tuple(u for u in _units(chapter) if not (u.code and u.cell.id.startswith("verify")))
    title = re.search(r"^# (.+)$", units[0].cell.source, re.MULTILINE)
    return Pack(chapter, title[1] if title else chapter, None, ((None, units),))


@cache
def _units(chapter: str) -> list[Unit]:
    """Return the cells of a chapter, those of exercises among them."""
    found: list[Unit] = []
    for part in parts(nbformat.read(notebook_of(chapter), as_version=4), chapter):
        if not isinstance(part, Exercise):
            found.append(Unit(chapter, len(found), part))
            continue
        roles = {"question": (part.question,), "start": part.start, "solution": part.solution}
        for role, cells in roles.items():
            for cell in cells:
                found.append(Unit(chapter, len(found), cell, role, part))
    return found


def _cited(label: str) -> list[Unit]:
    """Return the cells that a label stands for; none if it is not of a chapter."""
    for units in map(_units, chapter_names()):
        for unit in units:
            if unit.exercise and unit.exercise.label == label:
                return [one for one in units if one.exercise is unit.exercise]
            table = label.startswith(unit.chapter) and f'"{label}"' in unit.code
            if unit.role == "shown" and (table or unit.figure.get("name") == label):
                return [unit]
            if not unit.code and f"({label})=" in unit.cell.source:
                return list(_section(units[unit.place :]))
    return []


def _section(units: Sequence[Unit]) -> Iterator[Unit]:
    """Return what is on slides of the section that begins in the first cell, up to a heading."""
    for unit in units:
        if unit is not units[0] and not unit.code and _HEADING.search(unit.cell.source):
            return
        if unit.slide not in (None, "notes"):
            yield unit


def text_of(unit: Unit, units: Collection[Unit]) -> str:
    """Return the text of a cell, without what belongs to cells that are not among some.

    That is the end of a section before its own, and a last paragraph that announces with a colon
    what does not follow.
    """
    places = {one.place for one in units if one.chapter == unit.chapter}
    text = unit.cell.source
    begins = _SECTION.search(text)
    if begins and unit.place - 1 not in places:
        text = text[begins.start() :]
    *paragraphs, last = text.strip().split("\n\n")
    if not paragraphs or not last.endswith(":") or unit.place + 1 in places:
        paragraphs.append(last)
    return "\n\n".join(paragraphs)


class Assembly:
    """Cells in an order in which they can be executed: each after all that it needs.

    Attributes
    ----------
    steps
        Cells, and whether the pack only needs them.
    imports
        Statements that import what they need, by name.
    """

    def __init__(self) -> None:
        self.steps: list[tuple[Unit, bool]] = []
        self.imports: dict[str, str] = {}
        # Name -> the cell that made it last, or the statement that imported it.
        self._made: dict[str, str] = {}

    def add(self, unit: Unit, *, needed: bool = False, facts: bool = True) -> None:
        """Add a cell after what it needs.

        Parameters
        ----------
        unit
            The cell.
        needed
            Whether only others need it.
        facts
            Whether its text needs the cells that keep numbers for it.

        Raises
        ------
        ValueError
            If two cells need different things of the same name at once.
        """
        for name in _GLUED.findall(unit.cell.source) if facts and not unit.code else ():
            for one in _keepers(unit.chapter, name):
                if all(one != step for step, _ in self.steps):
                    self.add(one, needed=True)
        sources = {name: _maker(unit, name) for name in names_of(unit.code).read}
        makers = {name: one for name, one in sources.items() if one}
        for name, one in sorted(makers.items(), key=lambda item: (item[1].place, item[0])):
            if statement := imports_of(one.code).get(name):
                self.imports.setdefault(name, statement)
                self._made.setdefault(name, statement)
            elif self._made.get(name) != one.name:
                self.add(one, needed=True)
        for name, one in makers.items():
            if self._made.get(name) != imports_of(one.code).get(name, one.name):
                raise ValueError(f"{unit.name}: {name} is made by two cells that it needs")
        self.steps.append((unit, needed))
        imported = imports_of(unit.code)
        self._made |= {name: imported.get(name, unit.name) for name in names_of(unit.code).made}


def _maker(unit: Unit, name: str) -> Unit | None:
    """Return the last cell before one that makes or changes a name; solutions are for their own."""
    for one in reversed(_units(unit.chapter)[: unit.place]):
        own = one.role == "shown" or one.exercise is unit.exercise
        if own and one.code and name in names_of(one.code).made:
            return one
    return None


def _keepers(chapter: str, name: str) -> list[Unit]:
    """Return the cells that may keep a number for the text."""
    cells = [unit for unit in _units(chapter) if re.search(r"\b(facts|glue)\(", unit.code)]
    # A name is PREFIX-KEY, and keys are most often written out.
    exact = [one for one in cells if any(f'"{name[k:]}"' in one.code for k in _ends(name))]
    return exact or [
        one for one in cells if any(f'"{name[: k - 1]}' in one.code for k in _ends(name))
    ]


def _ends(name: str) -> list[int]:
    return [found.end() for found in re.finditer("-", name)]
