"""What twins predict of tables that they were not fitted to."""

from collections.abc import Callable, Iterator, Sequence

import pandas as pd
from twins import make_twin

from ordbook.data.printed import printed_values
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.data.tasks import QuantificationTask
from ordbook.files import write_whole
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.discrimination import contradictions, discriminative_power, significance_overlap
from ordbook.meta.significance import tukey_hsd
from ordbook.meta.similarity import ranking_similarity
from ordbook.papers.heldout import HELD_OUT, KEYS, kept
from ordbook.papers.relations import Cell
from ordbook.papers.symbols import NINE, SIX

COMBINED = ("JSD", "NMD", "RNOD")
# ACL'21 counts the two pairs of duplicated baselines as concordant; tau-a does not.
DUPLICATES = 2
# Mean scores are rounded so before DNKT ranks runs by them: Table 21(a) comes out no other way.
DECIMALS = 4
TRIALS = 5000
SEEDS = range(5)


def predict(twin: QuantificationTask, subtask: str, seed: int = 0) -> dict[Cell, float]:
    """Return a twin's value for every number of the tables that test it.

    ``seed`` is for the permutations and the splits; 5,000 and 1,000 of them, as in the papers.
    """
    if subtask not in HELD_OUT:
        raise ValueError(f"no subtask {subtask!r}; there are {', '.join(HELD_OUT)}")
    combined = [f"DNKT_{measure}" for measure in COMBINED]
    scores = score(twin, dict.fromkeys((*SIX, *NINE, *combined)))
    values = dict(_values(scores, subtask, seed))
    # Of the correlations ACL'21 prints one half, in an order of its own.
    printed = {
        Cell(*map(str, key))
        for paper, table in {(cell.paper, cell.table) for cell in values}
        for key in printed_values(paper, table)[KEYS].itertuples(index=False, name=None)
    }
    return {cell: value for cell, value in values.items() if cell in printed}


def _values(scores: ScoreMatrix, subtask: str, seed: int) -> Iterator[tuple[Cell, float]]:
    tables = HELD_OUT[subtask]
    six = scores.select(SIX)
    tests = tukey_hsd(six, TRIALS, seed)
    for measure, count in discriminative_power(tests)["significant"].items():
        yield Cell("lq21", "3", f"DialEval-1 DQ-{subtask}", f"{measure} S_D"), float(count)
    overlap = significance_overlap(tests)
    for (first, second), row in zip(overlap.index, overlap.to_dict("records"), strict=True):
        for name, value in (
            ("SSO", 100 * row["overlap"]),
            ("a", row["first_only"]),
            ("b", row["both"]),
            ("c", row["second_only"]),
        ):
            yield Cell("lq21", tables["overlap"], first, f"{second} {name}"), float(value)
    clashes = contradictions(tests).groupby(["first", "second"]).size()
    for first, second in overlap.index:
        value = float(clashes.get((first, second), 0))
        yield Cell("lq21", tables["contradictions"], first, second), value
    pairs = len(scores.runs) * (len(scores.runs) - 1) / 2
    concordant = DUPLICATES / pairs
    for (first, second), value in ranking_similarity(six).cells().items():
        if second in SIX:
            yield Cell("acl21", tables["similarity"], first, second), value + concordant
    for name, size in (("full split", None), ("10 vs. 10", 10)):
        found = ranking_consistency(six, size, 1000, seed)
        for measure, mean in found.mean.items():
            yield Cell("acl21", tables[name], str(measure), "mean tau"), float(mean) + concordant
        yield Cell("acl21", tables[name], "all measures", "V_E2"), found.v_e2
        for measure, mean in ranking_consistency(scores, size, 1000, seed).mean.items():
            yield Cell("dnkt", tables["consistency"], str(measure), name), float(mean)
    for measure in COMBINED:
        three = ("DNKT", measure, f"DNKT_{measure}")
        combined = ranking_similarity(scores, three, decimals=DECIMALS).pairs()
        for first, second, tau, *_ in combined.itertuples(index=False):
            yield Cell("dnkt", tables["combined"], first, second), float(tau)
    nine = ranking_similarity(scores, NINE, decimals=DECIMALS)
    for first, second, tau, *_ in nine.pairs().itertuples(index=False):
        yield Cell("dnkt", tables["agreement"], first, second), float(tau)
    for measure, value in nine.averages(digits=3).items():
        yield Cell("dnkt", tables["average"], str(measure), "average"), float(value)


def simulate(
    subtasks: Sequence[str] = tuple(HELD_OUT),
    seeds: Sequence[int] = SEEDS,
    progress: Callable[[str], None] | None = None,
) -> pd.DataFrame:
    """Simulate a twin for every seed (some seconds each), and predict the tables that test it.

    Parameters
    ----------
    subtasks
        ``"A"``, ``"E"``, ``"S"``.
    seeds
        Each gives a twin, and its permutations and splits.
    progress
        Called with a sentence after every twin.

    Returns
    -------
    DataFrame
        subtask, paper, table, row, column, and ``seed 0`` … with the predictions.
    """
    parts = []
    for subtask in subtasks:
        columns = {}
        for seed in seeds:
            columns[f"seed {seed}"] = predict(make_twin(subtask, seed), subtask, seed)
            if progress:
                progress(f"DQ-{subtask}: twin of seed {seed} done")
        part = pd.DataFrame(columns).rename_axis(KEYS).reset_index()
        part.insert(0, "subtask", subtask)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


if __name__ == "__main__":
    found = simulate(progress=lambda text: print(text, flush=True))
    # Six decimals are the same on every machine.
    write_whole(kept(), found.round(6).to_csv(index=False, lineterminator="\n"))
    print(f"{kept()}: {kept().stat().st_size:,} bytes")
