"""Kinds of printed tables, a module each: the conditions on every table of that kind."""

from collections.abc import Callable, Iterator, Mapping
from inspect import signature

from ordbook.papers.kinds import correlations, overlaps, power, ranked, sizes, wins
from ordbook.papers.relations import Printed, Relation
from ordbook.papers.tables import Paper

KINDS: Mapping[str, Callable[..., Iterator[Relation]]] = {
    "correlations": correlations.checks,
    "ranked": ranked.checks,
    "power": power.checks,
    "overlaps": overlaps.checks,
    "wins": wins.checks,
    "sizes": sizes.checks,
}


def declared(paper: Paper, printed: Printed) -> Iterator[Relation]:
    """Yield the checks of a paper's tables by the kinds that ``tables.toml`` gives them.

    Raises
    ------
    ValueError
        If there is no such kind, or it has no such option.
    """
    for table, entry in paper.tables.items():
        place = f"data/published/tables.toml, [{paper.name}.tables] {table}"
        options = {name: value for name, value in entry.items() if name not in ("about", "kind")}
        kind = entry.get("kind", "")
        if not kind and not options:
            continue
        if kind not in KINDS:
            raise ValueError(f"{place}: no kind {kind!r}; there are {', '.join(KINDS)}")
        known = [*signature(KINDS[kind]).parameters][3:]
        if unknown := options.keys() - {*known}:
            raise ValueError(
                f"{place}: {kind} has no option {min(unknown)!r}; it has {', '.join(known)}"
            )
        try:
            yield from KINDS[kind](paper, table, printed, **options)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{place}: {error}") from error
