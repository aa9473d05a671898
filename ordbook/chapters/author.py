"""The letter to the authors: the tables that score matrices would close, and lists of errata."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from ordbook.chapters.audit import COMPUTED, NAMES, contradictions
from ordbook.data.loading import load
from ordbook.data.printed import SIX, printed_values
from ordbook.data.scoring import score
from ordbook.meta.similarity import ranking_similarity
from ordbook.papers.ledger import Erratum
from ordbook.papers.relations import judge

SHARED = "NMD|RNOD|NVD|RNSS|JSD"


@dataclass(frozen=True)
class Numbers:
    """Numbers of a paper about SemEval-2017 and DialEval-1.

    Attributes
    ----------
    paper, tables
        Where they stand, for readers.
    table, row, column
        Patterns of their places in the list of all numbers.
    """

    paper: str
    tables: str
    table: str
    row: str = ".*"
    column: str = ".*"

    def among(self, cells: pd.DataFrame) -> pd.Series:
        """Whether each number is one of them."""
        fits = cells["paper"] == self.paper
        for name in ("table", "row", "column"):
            fits &= cells[name].str.fullmatch(getattr(self, name))
        return fits


NO_SIZES = "(?!test sets).*"
MATRICES = (
    Numbers("acl21", "2(ii), 5, 6 and 9(ii)", "2ii|5i+|6[a-f]|9ii .*", NO_SIZES),
    Numbers("acl21", "3(c), 3(d) and 8(ii)", "3[cd]|8ii", NO_SIZES),
    Numbers("lq21", "3, rows of these data sets", "3", ".*(Sem17T4E|DialEval-1).*", "(?!.*T_D$).*"),
    Numbers("lq21", "4(b), (f), (g) and (h)", "4[bfgh]"),
    Numbers("lq21", "5 and 6, (III) to (V)", "[56](III|IV|V)"),
    Numbers(
        "dnkt",
        "5, 13, 15 and 17, pairs of five measures",
        "5|13|15|17",
        SHARED,
        f"({SHARED})( low| high)?",
    ),
)


def from_matrices(cells: pd.DataFrame) -> pd.DataFrame:
    """Count the numbers that the score matrices of ACL'21 would let anybody recompute.

    Returns
    -------
    DataFrame
        Index: paper. Columns tables and numbers; sizes of samples are left out.
    """
    unknown = cells[~cells["verdict"].isin(COMPUTED)]
    rows = [
        (NAMES[numbers.paper], numbers.tables, int(numbers.among(unknown).sum()))
        for numbers in MATRICES
    ]
    return pd.DataFrame(rows, columns=["paper", "tables", "numbers"]).set_index("paper")


def groups(errors: Sequence[Erratum]) -> dict[str, pd.DataFrame]:
    """Return the contents of the letter in three tables: results, slips of the pen and questions.

    What reading the page has probably damaged is in none of them. The rows are numbered throughout.
    """
    listed = {
        "results": [e for e in errors if e.detail in ("shown", "page or our text") and not e.slip],
        "slips": [e for e in errors if e.slip],
        "questions": [e for e in errors if e.detail == "open"],
    }
    tables, number = {}, 1
    for name, group in listed.items():
        frame = contradictions(group).reset_index()
        tables[name] = frame.set_index(pd.RangeIndex(number, number + len(frame), name="no."))
        number += len(frame)
    return tables


def dropped_in(folder: Path) -> tuple[int, int]:
    """Read score matrices of SemEval-2016 from plain files, and compare Table 8(i) of ACL'21.

    Parameters
    ----------
    folder
        Gets a file for each measure, a topic per line and a run per column, and the list of runs.

    Returns
    -------
    tuple of int
        How many correlations equal the printed ones, and how many there are.
    """
    committed = score(load("sem16t4e"), SIX)
    for measure in committed.measures:
        np.savetxt(folder / f"{measure}.txt", committed[measure])
    (folder / "runlist").write_text("\n".join(committed.runs), encoding="utf-8")
    tau = ranking_similarity(score(load(folder))).tau
    printed = printed_values("acl21", "8i")[["row", "column", "printed"]].to_numpy()
    equal = [judge(text, tau.loc[row, column]) == "recomputed" for row, column, text in printed]
    return sum(equal), len(equal)
