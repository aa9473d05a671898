"""Which changes of printed numbers the checks notice: a census, without chance.

:func:`ordbook.papers.ledger.plant` draws wrong digits; here every check is tried on the same few
changes of every number it reads. A check that notices none of them may still be right: many
other numbers would do for it.

Contents
--------
changes       the other texts that are tried in place of a printed one
sayings       checks -> how many there are and what they say, by table and family
sensitivity   checks -> how many changes they notice, by table and family
committed     the same, from data/checks.csv
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256

import numpy as np
import pandas as pd

from ordbook.data.paths import share
from ordbook.papers.ledger import neighbours, passes
from ordbook.papers.relations import Cell, Printed, Relation, value_of

KEY = ["paper", "table", "family"]
# Of a check of more numbers, so many are changed: the first, and others evenly spaced.
MOST_CELLS = 16
# A number is exchanged with every other one, where there are no more than so many.
ALL_OTHERS = 8
ANYWHERE = "0", "1", "1000000"


def changes(text: str, others: Sequence[str]) -> list[str]:
    """Return what is tried in place of a printed text.

    Parameters
    ----------
    text
        As printed.
    others
        Other texts that the check reads.

    Examples
    --------
    >>> changes("0.25", ["0.30"])
    ['0.26', '0.24', '0.30', '0', '1', '1000000']
    >>> changes("left", ["left"])
    ['left and more']
    """
    near = list(neighbours(text))
    tried = [*near, *others, *ANYWHERE] if near else [f"{text} and more", *others]
    return [each for each in dict.fromkeys(tried) if each != text]


def _changed(relation: Relation, printed: Printed) -> Iterator[dict[Cell, str]]:
    """Yield the texts that a check reads, one of them changed; of a slow check few.

    The other texts that are tried: all in a short check, else the next, smallest and largest one.
    """
    texts = {cell: printed[cell] for cell in relation.cells}
    step = -(-len(texts) // (2 if relation.slow else MOST_CELLS))
    following = dict(zip(relation.cells, (*relation.cells[1:], relation.cells[0]), strict=True))
    numbers = sorted((text for text in texts.values() if _is_number(text)), key=value_of)
    for cell in relation.cells[::step]:
        others = [texts[following[cell]], *numbers[:1], *numbers[-1:]]
        if len(texts) <= ALL_OTHERS:
            others += texts.values()
        for text in changes(texts[cell], others)[: 1 if relation.slow else None]:
            yield texts | {cell: text}


def _is_number(text: str) -> bool:
    try:
        value_of(text)
    except ValueError:
        return False
    return True


def sayings(relations: Mapping[str, Sequence[Relation]], printed: Printed) -> pd.DataFrame:
    """Count the checks, and keep what they say.

    Parameters
    ----------
    relations
        Paper -> its checks.
    printed
        The printed numbers.

    Returns
    -------
    DataFrame
        One line per paper, table (of a check's first number) and family of checks: how many
        checks, how many of them break as printed, and a digest of what all of them read, rest
        on and find.
    """
    rows: dict[tuple[str, str, str], list[tuple[bool, str]]] = defaultdict(list)
    for key, relation in _by_key(relations):
        finding = relation.test(printed)
        texts = *map(str, relation.cells), relation.relies, finding.text
        rows[key].append((not finding.holds, "\n".join(texts)))
    return pd.DataFrame(
        [
            (*key, len(found), sum(broken for broken, _ in found), _digest(t for _, t in found))
            for key, found in rows.items()
        ],
        columns=[*KEY, "checks", "broken", "says"],
    )


def sensitivity(relations: Mapping[str, Sequence[Relation]], printed: Printed) -> pd.DataFrame:
    """Count which changes the checks notice.

    Parameters
    ----------
    relations
        Paper -> its checks.
    printed
        The printed numbers.

    Returns
    -------
    DataFrame
        As of :func:`sayings`; and the changes tried on the checks that hold, how many of these
        they notice, and a digest of which.
    """
    rows: dict[tuple[str, str, str], list[bool]] = {}
    for key, relation in _by_key(relations):
        noticed = rows.setdefault(key, [])
        if relation.test(printed).holds:
            for other in _changed(relation, printed):
                with np.errstate(all="ignore"):  # no votes, a mean of nothing
                    noticed.append(not passes(relation, other))
    counts = pd.DataFrame(
        [(*key, len(found), sum(found), _digest(map(str, found))) for key, found in rows.items()],
        columns=[*KEY, "changes", "noticed", "notices"],
    )
    return sayings(relations, printed).merge(counts, on=KEY, validate="1:1")


def _by_key(
    relations: Mapping[str, Sequence[Relation]],
) -> Iterator[tuple[tuple[str, str, str], Relation]]:
    for paper, checks in relations.items():
        for relation in checks:
            yield (paper, relation.cells[0].table, relation.family), relation


def _digest(texts: Iterable[str]) -> str:
    return sha256("\n".join(texts).encode()).hexdigest()[:8]


def committed() -> pd.DataFrame:
    """Return ``data/checks.csv``, which ``ordbook audit --commit`` wrote last."""
    texts = dict.fromkeys((*KEY, "says", "notices"), str)
    return pd.read_csv(share("data", "checks.csv"), dtype=texts, keep_default_na=False)
