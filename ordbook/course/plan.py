"""The sessions that the page for teachers plans, minute by minute."""

import re
from dataclasses import dataclass
from functools import cache

from ordbook.files import share

_SESSION = re.compile(r"^\(teaching-(?P<name>[\w-]+)\)=\n#+ (?P<title>.+)\n", re.MULTILINE)
# Slots are written **10 to 20: the toy.** and end where the next one begins.
_SLOT = re.compile(r"^\*\*(\d+) to (\d+): (.+?)\.?\*\*", re.MULTILINE)
_PREPARE = "**To prepare.**"
_ASK = re.compile(r"\*Ask\*:\s(.+?)(?:\\$|\Z)", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"^\*(?:Board|Ask|Homework)\*", re.MULTILINE)
_TABLE = re.compile(r"^\|.*(?:\n\|.*)+", re.MULTILINE)
_CITED = re.compile(r"\{(?:num)?ref\}`(?:[^`<]*<)?([\w-]+)>?`")


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
        """What to ask, up to the last question mark, or nothing."""
        found = _ASK.search(self.text)
        return found[1][: found[1].rfind("?") + 1] if found else ""

    @property
    def lead(self) -> str:
        """The text before the board and the question."""
        return _MARK.split(self.text)[0].strip().removesuffix("\\")

    @property
    def board_table(self) -> str:
        """The first table of the board, or nothing."""
        found = _TABLE.search(self.text)
        return found[0] if found else ""

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
def sessions() -> dict[str, Session]:
    """Return name -> session, as ``book/teaching.md`` plans them.

    Examples
    --------
    >>> [(name, session.slots[-1].end) for name, session in sessions().items()]
    [('session-1', 90), ('session-2', 90), ('session-3', 90), ('tutorial', 210)]
    """
    page = share("book", "teaching.md").read_text(encoding="utf-8")
    found = {}
    for heading in _SESSION.finditer(page):
        rest = page[heading.end() :]
        after = re.search(r"^(#|\(teaching-)", rest, re.MULTILINE)
        before, *pieces = _SLOT.split(rest[: after.start()] if after else rest)
        slots = zip(*(pieces[k::4] for k in range(4)), strict=True)
        if pieces:
            found[heading["name"]] = Session(
                heading["name"],
                heading["title"],
                before.partition(_PREPARE)[0].strip(),
                before.partition(_PREPARE)[2].strip(),
                tuple(Slot(int(a), int(b), title, text.strip()) for a, b, title, text in slots),
            )
    return found
