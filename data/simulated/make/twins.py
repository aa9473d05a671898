"""Twins: simulated stand-ins for data that are not at hand. Never called data.

The runs of DialEval-1's dialogue quality subtask were not published, as far as we know; score
matrices of them were, and not reached (``acl21-pack`` in the catalogue). A twin has as many runs,
dialogues and votes, the same names, and the same printed numbers as far as it was fitted to them:

- gold votes: the means of both baselines in NMD and RSNOD (DialEval-1, Tables 4 to 6), and wins,
  losses and ties between the two by six measures (LQ'21, Table 7); for DQ-A also Section 5.3;
- runs: their mean NMD and RSNOD (Tables 4 to 6, 9 to 11), and the residual variances that effect
  sizes and p-values imply (Tables 14 to 19, 22 to 27).

Everything else that it shows is a prediction: :func:`ordbook.papers.heldout.held_out` puts it
beside what other papers print of the same runs.
"""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from twin_gold import gold_fit, gold_votes
from twin_runs import (
    Knobs,
    draw_noise,
    estimates,
    fit_language,
    residual_variances,
    scores_of,
)
from twin_targets import FITTED, gold_targets, languages

from ordbook.data.catalog import catalog
from ordbook.data.simulated import (
    COMPUTED,
    PARTS,
    VOTES,
    read_simulated,
    simulated_task,
    whole_parts,
)
from ordbook.data.tasks import BASELINES, QuantificationTask, baselines
from ordbook.files import share, write_whole

Floats = NDArray[np.float64]
OQ7_VOTES = 30


def write_simulated(task: QuantificationTask, votes: int, path: Path) -> None:
    """Write a simulated task, with so many votes per topic, as :func:`read_simulated` reads it."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(["run", "topic", *task.classes])
    gold = np.rint(task.gold * votes).astype(int).tolist()
    writer.writerows([VOTES, topic, *row] for topic, row in zip(task.topics, gold, strict=True))
    for run, block in zip(task.runs, task.estimates, strict=True):
        if run.startswith(BASELINES):
            writer.writerow([run, COMPUTED, *[""] * len(task.classes)])
            continue
        parts = np.rint(block * PARTS).astype(int).tolist()
        writer.writerows([run, topic, *row] for topic, row in zip(task.topics, parts, strict=True))
    write_whole(path, buffer.getvalue())


def make_twin(subtask: str, seed: int = 0) -> QuantificationTask:
    """Simulate the gold votes and the 22 runs of a dialogue quality subtask of DialEval-1.

    Parameters
    ----------
    subtask
        ``"A"``, ``"S"`` or ``"E"``.
    seed
        A whole number from 0. The catalogue's twins have seed 0.

    Returns
    -------
    QuantificationTask
        300 dialogues, five classes, the 13 Chinese and the 9 English runs with ``-C`` and ``-E``
        appended to their names as in LQ'21; both baselines occur in both languages and are equal.
        Its provenance is ``simulated``.

    Raises
    ------
    ValueError
        If there is no such subtask, or no votes give all printed numbers.
    """
    targets = gold_targets(subtask)
    votes = gold_votes(targets, seed)
    gold = votes / targets.votes
    uniform_and_popular = baselines(gold)
    both = languages(subtask)
    names = [[run for run in one.means.index if run not in BASELINES] for one in both]
    rng = np.random.default_rng([seed, 2])
    noise = draw_noise([*names[0], *names[1]], targets.dialogues, len(targets.classes), rng)
    chinese = len(names[0])
    runs: dict[str, Floats | None] = {}
    for one, own, part in zip(both, names, (slice(chinese), slice(chinese, None)), strict=True):
        found, _ = fit_language(one, votes.astype(float), noise.of(part), own, uniform_and_popular)
        by_name = dict(zip(own, whole_parts(found), strict=True))
        runs |= {run + one.suffix: by_name.get(run) for run in one.means.index}
    return simulated_task(_name(subtask), votes, runs, targets.classes)


def simulated_oq7(seed: int = 0) -> QuantificationTask:
    """Simulate 120 topics with 30 votes for seven classes, and ten runs of falling quality.

    ``S-01`` follows the topics best and makes the smallest errors, ``S-10`` worst. They share
    a part of their errors, as systems trained on the same data do.
    """
    rng = np.random.default_rng([seed, 3])
    topics, classes, count = 120, 7, 10
    quality = rng.normal(3.4, 1.1, topics)
    width = np.exp(rng.normal(0, 0.3, topics))
    form = np.exp(-0.5 * ((np.arange(classes) - quality[:, None]) / width[:, None]) ** 2) + 0.02
    votes = rng.multinomial(OQ7_VOTES, form / form.sum(axis=1, keepdims=True))
    names = [f"S-{number:02}" for number in range(1, count + 1)]
    worse = np.linspace(0, 1, count)
    settings = np.stack(
        [
            0.95 - 0.85 * worse,  # signal
            np.full(count, 0.0) + rng.normal(0, 0.1, count),  # log width
            -1.4 + 1.0 * worse + rng.normal(0, 0.1, count),  # log errors of place
            -1.6 + 1.1 * worse + rng.normal(0, 0.1, count),  # log errors of form
            -3.0 + 1.5 * worse,  # flat
            rng.normal(0, 0.15, count),  # moved
            np.full(count, -3.0),  # like the votes
        ],
        axis=1,
    )
    noise = draw_noise(names, topics, classes, rng)
    found = whole_parts(estimates(settings, votes.astype(float), noise, Knobs(0.4, 0.4, 0.3, 0.3)))
    runs = dict(zip(names, found, strict=True))
    labels = tuple(str(label) for label in range(1, classes + 1))
    return simulated_task("simulated-oq7", votes, runs, labels)


def _name(subtask: str) -> str:
    return f"dialeval1-dq-{subtask.lower()}-twin"


SIMULATED: Mapping[str, Callable[[], QuantificationTask]] = {
    **{_name(subtask): partial(make_twin, subtask) for subtask in ("A", "E", "S")},
    "simulated-oq7": simulated_oq7,
}


def votes_of(name: str) -> int:
    """Return how many votes a topic of a simulated set has."""
    return OQ7_VOTES if name == "simulated-oq7" else gold_targets(name[-6].upper()).votes


def fit_report(subtask: str, twin: QuantificationTask | None = None) -> pd.DataFrame:
    """Put what a twin was fitted to beside what it shows.

    Parameters
    ----------
    subtask
        ``"A"``, ``"S"`` or ``"E"``.
    twin
        By default the committed one.

    Returns
    -------
    DataFrame
        target, printed, twin. ``printed`` is a number, and for V_E1 and V_E2 the number derived
        from effect sizes and p-values.
    """
    if twin is None:
        twin = read_simulated(catalog()[_name(subtask)])
    targets = gold_targets(subtask)
    votes = np.rint(twin.gold * targets.votes).astype(int)
    report = [gold_fit(votes, targets)]
    by_run = dict(zip(twin.runs, twin.estimates, strict=True))
    for language in languages(subtask):
        names = list(language.means.index)
        scores = scores_of(twin.gold, np.stack([by_run[n + language.suffix] for n in names]))
        means = pd.DataFrame(scores.mean(axis=2).T, index=names, columns=list(FITTED))
        rows = [
            (f"{run}{language.suffix}, mean {measure}", language.means.loc[run, measure], mean)
            for run in names
            for measure, mean in means.loc[run].items()
        ]
        found = residual_variances(scores)
        for what, implied, values in zip(
            ("V_E1", "V_E2"), (language.v_e1, language.v_e2), found, strict=True
        ):
            rows += [
                (f"{what} of {measure}, runs {language.suffix}", implied[measure], value)
                for measure, value in zip(FITTED, values, strict=True)
            ]
        report.append(pd.DataFrame(rows, columns=["target", "printed", "twin"]))
    return pd.concat(report, ignore_index=True).astype({"printed": float, "twin": float})


def write(folder: Path, names: Sequence[str] = tuple(SIMULATED)) -> list[Path]:
    """Simulate the catalogue's sets and write them into a folder, one CSV file each."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name in names:
        written.append(folder / f"{name}.csv")
        write_simulated(SIMULATED[name](), votes_of(name), written[-1])
    return written


def fits() -> pd.DataFrame:
    """Return the fit of the three committed twins, with six digits; these are the same anywhere."""
    found = pd.concat([fit_report(subtask).assign(subtask=subtask) for subtask in ("A", "E", "S")])
    columns = ["printed", "twin"]
    found[columns] = found[columns].map(lambda value: float(f"{value:.6g}"))
    return found[["subtask", "target", *columns]]


if __name__ == "__main__":
    folder = share("data") / "simulated"
    for path in write(folder):
        print(f"{path}: {path.stat().st_size:,} bytes")
    write_whole(folder / "fit.csv", fits().to_csv(index=False, lineterminator="\n"))
