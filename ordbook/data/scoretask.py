"""A task of which only scores are known.

Contents
--------
ScoresTask    what a file of scores gives: measures, topics, runs, and no distributions
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NoReturn

from ordbook.data.glance import Glance
from ordbook.data.names import counted
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import Provenance


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ScoresTask(Glance):
    """A score matrix in the place of a task: :func:`ordbook.score` returns it.

    Gold data and runs are not known: asking for them is an error that says so.

    Attributes
    ----------
    scores
        The matrix.
    groups, languages
        Run -> the group (team) it belongs to, and its language, where a list says so.

    Examples
    --------
    >>> import ordbook as ob
    >>> task = ScoresTask(scores=ob.score(ob.load("simulated-oq7"), ["NMD", "RNOD"]))
    >>> task
    <ScoresTask simulated-oq7: 120 topics, 10 runs, scores by NMD, RNOD; simulated>
    >>> ob.score(task, ["RNOD"]).measures
    ('RNOD',)
    """

    scores: ScoreMatrix
    groups: Mapping[str, str] = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)

    kind: ClassVar[str] = "scores"
    classes: ClassVar[tuple[str, ...]] = ()
    votes: ClassVar[tuple[int, ...]] = ()
    missing: ClassVar[str] = ""

    @property
    def name(self) -> str:
        """Name of the task."""
        return self.scores.task

    @property
    def measures(self) -> tuple[str, ...]:
        """Names of the measures."""
        return self.scores.measures

    @property
    def topics(self) -> tuple[str, ...]:
        """Names of the topics."""
        return self.scores.topics

    @property
    def runs(self) -> tuple[str, ...]:
        """Names of the runs."""
        return self.scores.runs

    @property
    def provenance(self) -> Provenance:
        """Where the scores come from."""
        return self.scores.provenance

    @property
    def gold(self) -> NoReturn:
        """No gold data are known.

        Raises
        ------
        ValueError
            Always.
        """
        self._refuse("gold data")

    @property
    def estimates(self) -> NoReturn:
        """No distributions are known; raises as :attr:`gold` does."""
        self._refuse("distributions")

    @property
    def predicted(self) -> NoReturn:
        """No labels are known; raises as :attr:`gold` does."""
        self._refuse("labels")

    def with_baselines(self) -> NoReturn:
        """Baselines need distributions; raises as :attr:`gold` does."""
        self._refuse("distributions")

    def select(self, measures: Iterable[object] | None = None) -> ScoreMatrix:
        """Return the scores by these measures, by default by all.

        Raises
        ------
        ValueError
            If there are no scores by one of them.
        """
        if measures is None:
            return self.scores
        names = []
        for measure in [measures] if isinstance(measures, str) else measures:
            if not isinstance(measure, str):
                self._refuse("distributions to compute a measure from")
            names.append(measure)
        if not names or len(set(names)) < len(names):
            raise ValueError(f"{self.name}: name each measure once, and at least one")
        return self.scores.select(names)

    def _refuse(self, what: str) -> NoReturn:
        raise ValueError(
            f"{self.name}: there are no {what}, as only scores were given; load the gold data and "
            "the run files to have them"
        )

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} {self.name}: {counted(len(self.topics), 'topic')}, "
            f"{counted(len(self.runs), 'run')}, scores by {', '.join(self.measures)}; "
            f"{self.provenance.source}>"
        )
