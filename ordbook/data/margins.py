"""Rows and columns of totals among scores: spreadsheets and evaluation tools add them.

``trec_eval`` writes a topic ``all``, and ``pandas.pivot_table(margins=True)`` a row and a column
``All``. Taken for a topic or a run, it would change n, every interval and every p.

Contents
--------
MARGINS       what they are called; is_called_margin
STATISTICS    what other rows or columns that describe the others are called
NUMBERINGS    what rows or columns that number or rank the others are called
is_about      whether a name is that of something else about topics, such as their year
composed_of   what a margin may be the mean or the sum of
find_margins  the rows or columns called so that are no topics or no runs
doubtful      what else may be none, as notes
coincidence   how likely it is that a topic is that near to the mean of others
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from ordbook.data.names import shown

MARGINS = frozenset(
    (
        *(
            "total",
            "totals",
            "grand total",
            "subtotal",
            "sum",
            "all",
            "mean",
            "average",
            "avg",
            "overall",
        ),
        *(
            "margin",
            "margins",
            "amean",
            "arithmetic mean",
            "macro average",
            "macro avg",
            "micro average",
            "Σ",
            "σ",
        ),
        *("合計", "総計", "計", "平均", "平均値", "总计", "合计", "总和", "平均值", "합계", "평균"),
        *("summe", "gesamt", "insgesamt", "mittel", "mittelwert", "durchschnitt", "schnitt"),
        *("somme", "ensemble", "moyenne", "total général", "suma", "promedio", "media", "média"),
        *(
            "soma",
            "totale",
            "somma",
            "totaal",
            "gemiddelde",
            "razem",
            "średnia",
            "итого",
            "среднее",
        ),
    )
)

STATISTICS = frozenset(
    (
        *("std", "sd", "stdev", "std dev", "standard deviation", "var", "variance", "median"),
        *("min", "max", "minimum", "maximum", "best", "worst", "count", "n"),
        *("gm_all", "gmean", "gmap", "geometric mean", "map"),
        *("stddev", "st dev", "s.d", "se", "sem", "std err", "stderr", "standard error", "range"),
        *("q1", "q2", "q3", "iqr", "5%", "10%", "25%", "50%", "75%", "90%", "95%", "ci", "95% ci"),
        *("standardabweichung", "stabw", "varianz", "anzahl", "écart type", "écart-type"),
        *(
            "標準偏差",
            "分散",
            "中央値",
            "最大",
            "最小",
            "件数",
            "标准差",
            "方差",
            "中位数",
            "표준편차",
        ),
    )
)
NUMBERINGS = frozenset(
    (
        *("rank", "ranks", "ranking", "topic", "topics", "topic id", "topicid", "topic_id", "qid"),
        *("n", "nr", "number", "#", "id", "idx", "index", "row", "line", "unnamed: 0"),
    )
)
# What columns are called that say something else about topics, once punctuation is left out.
_ABOUT = re.compile(
    r"((n|nr|num|number|number of|topic|item|dialogue|document|doc) ?)?"
    r"(year|date|time|timestamp|count|vote|voter|annotator|annotation|assessor|rater|rating"
    r"|response|majority|mode|id|idx|index|row|fold|split|batch|seed|length|len|word|token|turn"
    r"|weight|item)s?"
)
_GOLD = frozenset(("gold", "gold standard", "reference", "ground truth"))  # beside runs
COARSEST = 0.05  # how far a total may be off, if not rounded to more decimals
ENOUGH = 1000
FEWEST = 4  # topics, or runs, of which the first or the last may well be like the others' mean
SELDOM, HARDLY = 0.05, 0.01  # coincidences that speak for a margin with such a name, with any
FEWEST_RISING = 4  # whole numbers that rise, and number topics from any on


def is_called_margin(name: str) -> bool:
    """Whether a name is that of a sum or a mean, with or without a colon.

    Examples
    --------
    >>> is_called_margin("TOTAL:"), is_called_margin("Total war")
    (True, False)
    """
    return _plain(name) in MARGINS


def _plain(name: str) -> str:
    return name.strip().rstrip(":.").strip().casefold()


def is_about(name: str) -> bool:
    """Whether a name is that of a column that says something else about topics.

    Examples
    --------
    >>> is_about("Year"), is_about("# items"), is_about("n_items"), is_about("year of birth")
    (True, True, True, False)
    """
    return _ABOUT.fullmatch(_words(name)) is not None


def _words(name: str) -> str:
    return re.sub(r"[\W_]+", " ", name).strip().casefold()


def composed_of(place: int, names: Sequence[str]) -> Iterator[tuple[str, NDArray[np.intp], bool]]:
    """Yield what a margin at a place may be the mean or the sum of.

    First the others without any that are called a margin, a statistic or a numbering; then with
    those of the latter two, which are topics then; then what a coincidence may be as well.

    Parameters
    ----------
    place
        Of the margin, among the names.
    names
        Of the topics or the runs.

    Yields
    ------
    tuple
        What they are, their places, and whether the name alone speaks for it.

    Examples
    --------
    >>> names = ["s", "t", "Subtotal", "u", "v", "Total", "SD"]
    >>> for what, places, sure in composed_of(5, names):
    ...     print(what, places, sure)
    the others [0 1 3 4] True
    the others [0 1 3 4 6] True
    the others [0 1 2 3 4 6] False
    those above it [3 4] False
    """
    called = np.array([is_called_margin(name) for name in names])
    plain = ~np.array([is_summary(name) for name in names])
    places = np.arange(len(names))
    before = places < place
    last = max(np.flatnonzero(called & before), default=-1)
    seen: list[list[int]] = [[]]
    for what, which, sure in (
        ("the others", plain, True),
        ("the others", ~called, True),
        ("the others", places != place, False),
        ("those above it", plain & before & (places > last), False),
        ("those above it", plain & before, False),
        ("the other means or sums", called & (places != place), False),
    ):
        chosen = np.flatnonzero(which)
        if chosen.tolist() not in seen and (sure or len(chosen) > 1):
            seen.append(chosen.tolist())
            yield what, chosen, sure


def find_margins(
    values: NDArray[np.float64], names: Sequence[str], axis: int, across: Sequence[str] = ()
) -> list[tuple[int, str]]:
    """Find what is called a total, a mean, a statistic or a numbering, and is one.

    Parameters
    ----------
    values
        Scores (measures, topics, runs). What could not be read may be NaN.
    names
        Of the topics or the runs.
    axis
        1 for topics, 2 for runs.
    across
        The names on the other axis, if they too may be those of margins.

    Returns
    -------
    list
        Place among the names, and what is there: by most measures, as far as they are printed,
        the mean or the sum of the others. What is called a margin or a statistic, and is no part
        of such a mean or sum, goes with it. So do ranks and whole numbers that count.

    Examples
    --------
    >>> scores = np.array([[[0.1, 0.5], [0.4, 0.2], [0.2, 0.1], [0.2333, 0.27], [0.1, 0.2]]])
    >>> find_margins(scores, ["1", "2", "3", "Mean", "SD"], axis=1)
    [(3, 'the mean of the others'), (4, 'a statistic beside the mean of the others')]
    """
    summaries = [place for place, name in enumerate(names) if is_summary(name)]
    if not summaries or all(map(is_called_margin, names)):
        return []
    values = _without(values, across, axis)
    found, parts, beside = dict[int, str](), set[int](), ""
    for place in summaries:
        mine = np.take(values, place, axis=axis)
        if not is_called_margin(names[place]):
            if _plain(names[place]) in NUMBERINGS and _numbers_others(mine):
                found[place] = f"a numbering or ranking of the {('runs', 'topics')[axis - 1]}"
            continue
        for what, others, sure in composed_of(place, names):
            rest = np.take(values, others, axis=axis)
            kind = _margin(mine, rest, axis, SELDOM)
            if kind or (sure and (kind := _margin(mine, rest, axis, 1, COARSEST))):
                found[place] = f"the {kind} of {what}"
                beside = beside or f"a statistic beside {found[place]}"
                parts |= set(others.tolist())
                break
    if beside:
        found |= {place: beside for place in summaries if place not in parts | found.keys()}
    return sorted(found.items())


def is_summary(name: str) -> bool:
    """Whether a name is that of a margin, of another statistic, or of a numbering.

    Examples
    --------
    >>> is_summary("Total"), is_summary("Std."), is_summary("rank"), is_summary("Rankine")
    (True, True, True, False)
    """
    return _plain(name) in MARGINS | STATISTICS | NUMBERINGS


def _without(values: NDArray[np.float64], across: Sequence[str], axis: int) -> NDArray[np.float64]:
    """Leave out what is called a summary on the other axis: an SD has no mean of its own."""
    kept = [place for place, name in enumerate(across) if not is_summary(name)]
    return np.take(values, kept, axis=3 - axis) if kept else values


def doubtful(
    values: NDArray[np.float64], names: Sequence[str], axis: int, across: Sequence[str] = ()
) -> list[str]:
    """Return notes on what may be no topic, or no run.

    It has the name of a margin, of another statistic or of a numbering; or, among runs, of the
    gold or of what says something else about topics; or it counts from 0 or 1; or it stands first
    or last, and is the mean or the sum of the others.

    Parameters
    ----------
    values, names, axis, across
        As of :func:`find_margins`, which has refused what it finds.

    Examples
    --------
    >>> scores = np.array([[[0.111], [0.432], [0.243], [0.584], [0.39], [0.352]]])
    >>> print(*doubtful(scores, ["1", "2", "3", "4", "5", "per topic"], axis=1))
    the topic 'per topic' is the mean of the others; if it is no topic, leave it out.
    """
    kind, other = ("topic", "run")[axis - 1], ("run", "topic")[axis - 1]
    told = {
        place: f"the other {kind}s" if is_summary(name) else "the topics"
        for place, name in enumerate(names)
        if is_summary(name) or (axis == 2 and (is_about(name) or _words(name) in _GOLD))
    }
    notes = [
        f"there is a {kind} {shown(names[place])!r}; if it says something about {what}, leave it "
        "out."
        for place, what in told.items()
    ]
    values = _without(values, across, axis)
    plain = [place for place in range(len(names)) if place not in told]
    if len(plain) <= 1:
        return notes
    ends = (plain[0], plain[-1]) if len(plain) > FEWEST else ()
    for place in plain:
        mine = np.take(values, place, axis=axis)
        what = ""
        if mine.shape[1] >= FEWEST_RISING and _counts(mine):
            what = f"counts the {other}s"
        elif place in ends:
            rest = np.take(values, [other for other in plain if other != place], axis=axis)
            margin = _margin(mine, rest, axis, HARDLY)
            what = margin and f"is the {margin} of the others"
        if what:
            notes.append(
                f"the {kind} {shown(names[place])!r} {what}; if it is no {kind}, leave it out."
            )
    return notes


def _counts(mine: NDArray[np.float64]) -> bool:
    """Whether numbers are 0, 1, 2, ... or 1, 2, 3, ... by every measure."""
    numbers = np.arange(mine.shape[1])
    return bool(((mine == numbers).all(axis=1) | (mine == numbers + 1).all(axis=1)).all())


def _numbers_others(mine: NDArray[np.float64]) -> bool:
    """Whether numbers count or rank, or are whole ones that rise, by every measure."""
    rising = (mine % 1 == 0).all() and (np.diff(mine, axis=1) > 0).all()
    ranks = mine.shape[1] > 2 and _counts(np.sort(mine, axis=1))
    return ranks or bool(rising and mine.shape[1] >= FEWEST_RISING)


def _margin(
    mine: NDArray[np.float64],
    rest: NDArray[np.float64],
    axis: int,
    chance: float,
    coarsest: float = np.inf,
) -> str:
    """Say whether numbers are the mean or the sum of others by most measures, or nothing.

    Neither is said where such a coincidence is more likely than ``chance``. Numbers are taken to
    be rounded to ``coarsest`` at most.
    """
    fits: dict[str, list[bool]] = {"mean": [], "sum": []}
    for own, by_topic in zip(mine, rest, strict=True):
        others = by_topic if axis == 1 else by_topic.T
        # A total may be rounded or cut off, and be that of scores before they were rounded.
        each, printed = _unit(others) / 2, min(_unit(own) or 1.0, coarsest)
        for what, total, off in (
            ("mean", others.mean(axis=0), each),
            ("sum", others.sum(axis=0), len(others) * each),
        ):
            near = np.abs(own - total) <= off + printed + 1e-9 * np.abs(own)
            fits[what].append(
                bool(near.all()) and coincidence(others, total, off + printed) <= chance
            )
    return next((what for what, by in fits.items() if 2 * sum(by) > len(by)), "")


def coincidence(others: NDArray[np.float64], total: NDArray[np.float64], off: float) -> float:
    """Return how likely it is, at most, that a topic is that near to a total of other topics.

    Parameters
    ----------
    others
        Their scores (topics, runs).
    total
        Of each run, their mean or sum.
    off
        What still counts as near.

    Returns
    -------
    float
        From 0 to 1: the density of a normal distribution at its mean times what is near, for one
        run after the other, each as far as those before it do not predict it; but no less than
        the share of the topics that are near.

    Examples
    --------
    >>> scores = np.random.default_rng(1).random((20, 3))
    >>> mean = scores.mean(axis=0)
    >>> [float(f"{coincidence(scores, mean, off):.1g}") for off in (0.5, 0.05, 0.001)]
    [1.0, 0.003, 3e-08]
    """
    triangle = np.linalg.qr(others - others.mean(axis=0), mode="r")
    free = np.arange(len(others) - 1, 0, -1)
    spread = np.abs(np.diag(triangle))[: len(free)] / np.sqrt(free[: len(triangle)])
    wide = spread <= off * np.sqrt(2 / np.pi)
    likely = np.prod(np.where(wide, 1.0, off * np.sqrt(2 / np.pi) / np.where(wide, 1.0, spread)))
    near = (np.abs(others - total) <= off).all(axis=1)
    return max(float(likely), float(near.mean()))


def _unit(numbers: NDArray[np.float64]) -> float:
    """Return one unit of the last decimal of numbers, of so many of them; of whole ones 0."""
    some = numbers.ravel()[:: 1 + numbers.size // ENOUGH].tolist()
    last = [Decimal(repr(number)).as_tuple().exponent for number in some if number % 1]
    return 10.0 ** min((each for each in last if isinstance(each, int)), default=-np.inf)
