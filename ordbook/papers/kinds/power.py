"""Tables of significant differences: S_D of T_D pairs of runs, and their share (LQ'21, Table 3)."""

from collections.abc import Iterator, Mapping

from ordbook.papers.kinds.correlations import pairs_of_runs
from ordbook.papers.relations import Printed, Relation, counted, share
from ordbook.papers.relations import total as summed
from ordbook.papers.tables import Paper


def checks(
    paper: Paper, table: str, printed: Printed, runs: Mapping[str, str], total: str = ""
) -> Iterator[Relation]:
    """Yield the checks of one table: T_D = m(m - 1)/2, DP_D = S_D/T_D, and the sums.

    Parameters
    ----------
    paper, table, printed
        Which table, and all printed numbers.
    runs
        Row -> the place that prints the number of its runs.
    total
        The row of sums.
    """
    for power in paper.cells(printed, table):
        if not power.column.endswith("%"):
            continue
        number, pairs = (power._replace(column=power.column[:-1] + what) for what in ("S_D", "T_D"))
        yield share(power, number, pairs, "Section 5.1: DP_D = S_D/T_D")
        if power.row == total:
            for whole in (number, pairs):
                yield summed(whole, [whole._replace(row=row) for row in runs], "Eq. 9")
        elif power.row in runs:
            relies = "Section 5.1: T_D = m_D(m_D - 1)/2"
            yield counted(pairs, pairs_of_runs, relies, [paper.place(runs[power.row])], "sum")
