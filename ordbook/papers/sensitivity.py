"""Which changes of printed numbers the checks notice: a census, without chance.

:func:`ordbook.papers.ledger.plant` draws wrong digits; here every check is tried on the same few
changes of every number it reads. A check that notices none of them may still be right: many
other numbers would do for it.

Contents
--------
changes       the other texts that are tried in place of a printed one
sensitivity   checks -> how many changes they notice, by table and family
committed     the same, from data/checks.csv
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

import numpy as np
import pandas as pd

from ordbook.data.paths import share
from ordbook.papers.ledger import neighbours, passes
from ordbook.papers.relations import Cell, Printed, Relation, value_of

COLUMNS = ("paper", "table", "family", "checks", "broken", "changes", "noticed", "digest")
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
        One line per paper, table (of a check's first number) and family of checks: how many
        checks, how many of them break as printed, the changes tried on the others, how many of
        these they notice, and a digest of what all checks read, rest on, find and notice.
    """
    counts: dict[tuple[str, str, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    texts: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for paper, checks in relations.items():
        for relation in checks:
            key = paper, relation.cells[0].table, relation.family
            finding = relation.test(printed)
            texts[key] += [*map(str, relation.cells), relation.relies, finding.text]
            count = counts[key]
            count[0] += 1
            count[1] += not finding.holds
            if finding.holds:
                for other in _changed(relation, printed):
                    with np.errstate(all="ignore"):  # no votes, a mean of nothing
                        noticed = not passes(relation, other)
                    count[2] += 1
                    count[3] += noticed
                    texts[key].append(str(noticed))
    rows = [(*key, *count, _digest(texts[key])) for key, count in counts.items()]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _digest(texts: Sequence[str]) -> str:
    return sha256("\n".join(texts).encode()).hexdigest()[:8]


def committed() -> pd.DataFrame:
    """Return ``data/checks.csv``, which ``ordbook audit --commit`` wrote last."""
    texts = dict.fromkeys(("paper", "table", "family", "digest"), str)
    return pd.read_csv(share("data", "checks.csv"), dtype=texts, keep_default_na=False)
