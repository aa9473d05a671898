"""One execution of a chapter: its tasks, and whether what it says is so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from IPython.display import Markdown

from ordbook.book.show import prose
from ordbook.data.loading import Task
from ordbook.measures import Measure


class ClaimError(ValueError):
    """Something that a chapter says is not so."""


@dataclass(frozen=True)
class Run:
    """One execution of a chapter.

    Attributes
    ----------
    chapter
        Its name.
    tasks
        Data parameter -> task, or None where the parameter is empty.
    own
        Measures of the reader's, from the parameter ``own``.
    """

    chapter: str
    tasks: Mapping[str, Task | None]
    own: tuple[Measure, ...] = ()

    def measures(self, part: str, names: Sequence[str]) -> list[str | Measure]:
        """Return the measures of an analysis: the paper's, then the reader's of that kind.

        To be given to :func:`ordbook.score`, whose matrix then has all of them.
        """
        return [*names, *(measure for measure in self.own if measure.kind == part)]

    def task(self, part: str) -> Task:
        """Return the task of a part."""
        task = self.tasks[part]
        if task is None:
            raise ValueError(f"this edition of {self.chapter} has no {part} task")
        return task


def verify(claims: Mapping[str, object]) -> Markdown:
    """Hold a chapter to its claims.

    Parameters
    ----------
    claims
        What the chapter says -> whether it is so.

    Raises
    ------
    ClaimError
        If something is not as claimed.

    Examples
    --------
    >>> verify({"two and two make four": 2 + 2 == 4}).data
    'Checked: 1 claim of this page holds.'
    """
    if false := [claim for claim, holds in claims.items() if not holds]:
        raise ClaimError(f"no longer so: {'; '.join(false)}")
    holds = "claim of this page holds" if len(claims) == 1 else "claims of this page hold"
    return prose("Checked: {n} {holds}.", n=len(claims), holds=holds)
