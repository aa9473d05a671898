"""One execution of a chapter: what is idle, what is compared, and whether that is as claimed.

Contents
--------
Run          the tasks of this edition, and its comparisons with what is printed
verify       compare the verdicts with what the chapter claims; raise where they part
ClaimError   they part
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
from IPython.display import Markdown, display
from myst_nb import glue

from ordbook.book.admonitions import Myst
from ordbook.book.chapters import CHAPTERS
from ordbook.book.show import comparison, escape_markdown, prose
from ordbook.data.catalog import RawDataMissing
from ordbook.data.loading import Task
from ordbook.data.names import counted
from ordbook.measures import Measure
from ordbook.papers.comparison import Comparison, OtherVerdict, Ours, compare
from ordbook.papers.verdicts import RECOMPUTED

# Names of printed tables in ``data/published``: 2i, figure1ii, s6.3, "9i left".
_TABLE = re.compile(r"(figure|s|)(\d[\d.]*)([a-zIVX]*)( .*)?")
_KINDS = {"": "Table", "figure": "Figure", "s": "Section"}


class ClaimError(ValueError):
    """The verdicts of a chapter are not what the chapter claims."""


@dataclass(frozen=True)
class Run:
    """One execution of a chapter.

    Attributes
    ----------
    chapter
        Its name.
    tasks
        Data parameter -> task, or None where the parameter is empty.
    comparisons
        Printed table -> how it compares, filled by :meth:`compare`; None where it was idle.
    own
        Measures of the reader's, from the parameter ``own``.
    book_numbers
        Whether trials, splits and seeds are those of the book, for which the ledger's verdicts
        were found.
    """

    chapter: str
    tasks: Mapping[str, Task | None]
    comparisons: dict[str, Comparison | None] = field(default_factory=dict)
    own: tuple[Measure, ...] = ()
    book_numbers: bool = True

    def measures(self, part: str, names: Sequence[str]) -> list[str | Measure]:
        """Return the measures of an analysis: the paper's, then the reader's of that kind.

        To be given to :func:`ordbook.score`, whose matrix then has all of them.
        """
        return [*names, *(measure for measure in self.own if measure.kind == part)]

    def task(self, part: str) -> Task:
        """Return the task of a part; use :meth:`has` first."""
        task = self.tasks[part]
        if task is None:
            raise ValueError(f"this edition of {self.chapter} has no {part} task")
        return task

    def has(self, part: str) -> bool:
        """Return whether this edition has data for a part; where not, show why it is idle."""
        if self.tasks[part] is not None:
            return True
        _idle(f"This edition has no {part} task, so there is nothing to compute here.")
        return False

    def on_papers_data(self, part: str) -> bool:
        """Return whether a part runs on the data of the paper."""
        task = self.tasks[part]
        return (
            task is not None
            and task.name == CHAPTERS[self.chapter][part]
            and task.provenance.source in ("raw", "committed")
        )

    def has_papers_data(self, *parts: str, about: str = "") -> bool:
        """Return whether these parts run on the data of the paper; where not, show it.

        Parameters
        ----------
        parts
            By default all.
        about
            What the cells that follow are about, where that is not the chapter's own data.
        """
        parts = parts or tuple(self.tasks)
        if all(self.on_papers_data(part) for part in parts):
            return True
        data = about or " and ".join(CHAPTERS[self.chapter][part] for part in parts)
        _idle(f"What follows is about {data}; this edition is about other data.")
        return False

    def compare(
        self,
        table: str,
        caption: str,
        part: str | None = None,
        name: str = "",
        *,
        ours: Ours | Callable[[], Ours] = None,
        printed: Callable[[], pd.DataFrame] | None = None,
        about: str = "",
        layout: Callable[[str, str], tuple[str, str]] | None = None,
        **options: Any,
    ) -> None:
        """Compare a printed table and show it, if this edition runs on the data it is about.

        Parameters
        ----------
        table
            As for :func:`ordbook.compare`.
        caption, name
            As for :func:`ordbook.book.show.comparison`.
        part
            The data parameter whose default the table was printed for; by default all. ``""``
            for a table that is about no data: it is the paper's, and idle where no part runs on
            the paper's data.
        ours
            As for :func:`ordbook.compare`, or a function that gives it, called only where the
            table is compared.
        printed
            A function that gives the printed values where they are in raw files. Where it
            raises RawDataMissing, the table is idle.
        about
            The data that the table is about, where they are not the chapter's own.
        layout
            Printed row and column -> those to show, for tables with several numbers in a cell.
        options
            Passed on to :func:`ordbook.compare`.
        """
        parts = list(self.tasks) if part is None else [part] if part else []
        compared, summary = None, "idle: other data"
        if self._is_papers(parts):
            try:
                values = printed() if printed else None
                recomputed = ours() if callable(ours) else ours
                compared = compare(self.chapter, table, recomputed, printed=values, **options)
                summary = compared.summary()
                display(comparison(compared, caption, name, layout))
                if remarks := _remarks(compared):
                    display(Myst(remarks))
            except RawDataMissing as missing:
                _idle(f"{_called(table, caption)} cannot be compared here: {missing}.")
                summary = "idle: raw files absent"
            except OtherVerdict as other:
                if self.book_numbers:
                    raise
                _idle(
                    f"{_called(table, caption)} comes to other verdicts with this edition's "
                    f"numbers of trials, splits or seeds than with the book's: {other}."
                )
                summary = "idle: other numbers of trials, splits or seeds"
        else:
            data = about or " and ".join(CHAPTERS[self.chapter][name] for name in parts)
            what = _called(table, caption)
            whose = f"was printed for {data}" if data else "is the paper's own"
            _idle(f"{what} {whose}; this edition is about other data.")
        self._keep(table, compared, summary)

    def compare_all(
        self,
        tables: Mapping[str, str | None],
        caption: str,
        name: str,
        *,
        ours: Mapping[str, Ours | Callable[[], Ours]] | None = None,
        about: str,
        layout: Callable[[str, str], tuple[str, str]] | None = None,
    ) -> None:
        """Compare several printed tables as :meth:`compare` does; one note names the idle ones.

        Parameters
        ----------
        tables
            Table -> the data parameter whose default it was printed for; None for all.
        caption, name
            With ``{}`` where the table is named.
        ours
            Table -> values of ours, for those that have some.
        about
            The data that the tables are about.
        layout
            As for :meth:`compare`.
        """
        idle = []
        for table, part in tables.items():
            if self._is_papers([part] if part else list(self.tasks)):
                self.compare(
                    table,
                    caption.format(table),
                    part,
                    name.format(table),
                    ours=(ours or {}).get(table),
                    about=about,
                    layout=layout,
                )
            else:
                idle.append(table)
                self._keep(table, None, "idle: other data")
        if idle:
            *some, last = idle
            named = f"Tables {', '.join(some)} and {last} were" if some else f"Table {last} was"
            _idle(f"{named} printed for {about}; this edition is about other data.")

    def _is_papers(self, parts: Sequence[str]) -> bool:
        """Whether all of these parts run on the data of the paper; of none, whether any does."""
        if not parts:
            return not self.tasks or any(self.on_papers_data(part) for part in self.tasks)
        return all(self.on_papers_data(part) for part in parts)

    def _keep(self, table: str, compared: Comparison | None, summary: str) -> None:
        """Keep a comparison, and its summary for the list at the top of the page."""
        self.comparisons[table] = compared
        glue(f"{self.chapter}-{table}", summary, display=False)


def verify(run: Run, claims: Mapping[str, Mapping[str, int]]) -> Markdown:
    """Hold the verdicts of a chapter to its claims.

    Parameters
    ----------
    run
        From :func:`start`, after every comparison of the chapter.
    claims
        Printed table -> verdict -> number of cells, for the verdicts that need a value of ours
        or say that something is wrong. What only follows from other printed numbers, or cannot be
        checked, is the audit's to claim.

    Raises
    ------
    ClaimError
        If a table's verdicts are not the claimed ones, or a compared table is not claimed.
    """
    if run.comparisons.keys() != claims.keys():
        raise ClaimError(
            f"{run.chapter} compares tables {', '.join(run.comparisons)} "
            f"and claims verdicts for {', '.join(claims)}"
        )
    checked = {table: c for table, c in run.comparisons.items() if c is not None}
    for table, compared in checked.items():
        found = {status: n for status, n in compared.counts().items() if status in RECOMPUTED}
        if found != dict(claims[table]):
            raise ClaimError(
                f"Table {table} of {run.chapter}: claimed {dict(claims[table])}, found {found}"
            )
    if not run.comparisons:
        return prose("This chapter compares no printed table; its values by hand are asserted.")
    if not checked:
        return prose("Idle. Nothing to verify: no printed table is about this edition's data.")
    cells = sum(len(compared.cells) for compared in checked.values())
    theirs = not all(run.on_papers_data(part) for part in run.tasks)
    return prose(
        "Verified: the verdicts of {values} in {tables}"
        + (", which the papers printed for their own data," if theirs else "")
        + " are what this chapter claims.",
        values=counted(cells, "printed value"),
        tables=counted(len(checked), "table"),
    )


def _remarks(compared: Comparison) -> str:
    """Write what a table cannot hold: why cells do not come out, and how they were read."""
    cells = compared.cells
    wrong = cells[cells["verdict"].isin(["close", "differs", "erratum", "open"])]
    lines = []
    for reason, places in wrong.groupby("reason", sort=False):
        where = "; ".join(f"{cell.row}, {cell.column}" for cell in places.itertuples(index=False))
        lines.append(f"- **{escape_markdown(where)}**: {escape_markdown(reason)}")
    absent = cells.loc[cells["verdict"] == "not reached", "reason"].unique()
    lines += [f"- Not reached: {escape_markdown(reason)}." for reason in absent]
    if notes := [note.removeprefix("part: ") for note in cells["note"].unique() if note]:
        lines += ["", ":::{admonition} How the printed values were read", ":class: dropdown"]
        lines += ["", *(f"- {escape_markdown(note)}" for note in notes), ":::"]
    return "\n".join(lines)


def _called(table: str, caption: str) -> str:
    """Return ``Table 2(i)``, ``Figure 1(ii)`` or ``Section 6.3``; others by their caption."""
    found = _TABLE.fullmatch(table)
    if not found:
        return caption.rstrip(".")
    kind, number, part, side = found.groups(default="")
    return f"{_KINDS[kind]} {number}{f'({part})' if part else ''}{side}"


def _idle(reason: str) -> None:
    display(Myst(f":::{{note}}\nIdle. {escape_markdown(reason)}\n:::"))
