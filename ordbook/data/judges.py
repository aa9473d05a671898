"""Readers for the catalogued ratings by people and by language models: AmbiStory, latent, HANNA.

================  ==================================================================================
AmbiStory         gold: a JSON object, id -> ``{"homonym": ..., "choices": [1 to 5, ...]}``; a run:
                  JSON Lines, ``{"id": ..., "prediction": ...}``
latent            CSV, a row for each rater (people) or each LLM and day: a column for each text
HANNA             CSV that travels with ordbook, made by ``data/hanna/make.py``: a row for each
                  criterion, prompt and writer; a column for each judge, and for the first, second
                  and third person, who may be others for each story
================  ==================================================================================

The files are those of known checksums, so nothing else is checked.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ordbook.data.annotators import Annotators, Rule, find_ties
from ordbook.data.catalog import DataSet
from ordbook.data.problems import Note, as_notes
from ordbook.data.tasks import ClassificationTask, Provenance, QuantificationTask
from ordbook.data.text import read_text
from ordbook.files import sha256, share
from ordbook.measures import nmd
from ordbook.words import counted

SCALE = (1, 2, 3, 4, 5)
COMMONEST = "commonest"
PEOPLE = ["Human 1", "Human 2", "Human 3"]
_HANNA = ("data", "hanna", "labels.csv.gz")


def nearest(ratings: ArrayLike) -> NDArray[np.intp]:
    """Round ratings to labels from 1 to 5, halves up.

    Examples
    --------
    >>> nearest([-1, 1.5, 2.49, 4.5, 6]).tolist()
    [1, 2, 2, 5, 5]
    """
    # The means of three answers are binary fractions: a half may be stored a hair below.
    rounded = np.floor(np.asarray(ratings, dtype=float) + 0.5 + 1e-9)
    return rounded.clip(SCALE[0], SCALE[-1]).astype(np.intp)


def read_ambistory(
    dataset: DataSet, gold: Path, runs: Mapping[str, Path], provenance: Provenance
) -> ClassificationTask:
    """Read AmbiStory: the gold label is the median of the people's, the topic the homonym."""
    items: dict[str, Any] = json.loads(read_text(gold))
    predicted, notes, continuous = {}, list[str](), 0
    for run, path in runs.items():
        rows = [json.loads(line) for line in read_text(path).splitlines() if line.strip()]
        answers = {str(row["id"]): float(row["prediction"]) for row in rows}
        ratings = [answers[item] for item in items]
        predicted[run] = nearest(ratings).tolist()
        continuous += any(rating % 1 for rating in ratings)
        if twice := len(rows) - len(answers):
            text = f"run {run} answers {counted(twice, 'item')} twice: the last one counts."
            notes.append(Note(text, run=run))
    notes.append(
        f"{continuous} of {len(runs)} runs predict fractions, which are rounded to the nearest "
        "class, halves up."
    )
    choices = [item["choices"] for item in items.values()]
    task = ClassificationTask.from_labels(
        nearest([np.median(ratings) for ratings in choices]).tolist(),
        predicted,
        [item["homonym"] for item in items.values()],
        SCALE,
        name=dataset.name,
    )
    votes = np.array([[ratings.count(label) for label in SCALE] for ratings in choices])
    ties = find_ties(votes, "median", task.gold, dataset.ties)
    notes += [ties.note] if ties else []
    provenance = replace(provenance, notes=as_notes([*provenance.notes, *notes]))
    return replace(task, ties=ties, provenance=provenance)


def read_latent(name: str, gold: Path, llms: Path, provenance: Provenance) -> QuantificationTask:
    """Read latent: an LLM's distribution is that of its answers on all days; one run has all."""
    answers = pd.read_csv(llms, index_col=["llm", "day"])
    note = (
        "the distribution of a language model is that of its answers on three days; the run "
        "'all together' has the answers of all models."
    )
    votes = pd.read_csv(gold, index_col="rater").to_numpy().T
    by_model = answers.groupby("llm", sort=False)
    runs = {str(model): _shares(rows.to_numpy().T) for model, rows in by_model}
    task = QuantificationTask.from_arrays(
        _votes(votes),
        runs | {"all together": _shares(answers.to_numpy().T)},
        classes=SCALE,
        topics=list(answers),
        name=name,
        votes=True,
        provenance=replace(provenance, notes=as_notes([*provenance.notes, note])),
    )
    names = [f"rater {rater}" for rater in range(1, votes.shape[1] + 1)]
    people = _annotators(votes, names, task.topics, np.arange(len(votes)), "shares")
    return replace(task, annotators=people)


def read_hanna(dataset: DataSet) -> ClassificationTask | QuantificationTask:
    """Read a criterion of HANNA: labels, or distributions over the stories of a prompt."""
    rows = _hanna().loc[[dataset.part]]
    prompts = [str(prompt) for prompt in rows.index.get_level_values("prompt")]
    topics = list(dict.fromkeys(prompts))
    people = rows[PEOPLE].to_numpy()
    judges = {str(name): rows[name].to_numpy() for name in rows if name not in PEOPLE}
    gold = nearest(np.median(people, axis=1))
    labels = {judge: ratings.clip(min=SCALE[0]) for judge, ratings in judges.items()}
    below = sum(int((ratings == 0).sum()) for ratings in judges.values())
    notes: list[str] = [
        f"a judge's label is the mean of three answers, rounded halves up; {below} of "
        f"{len(judges) * len(rows)} means lie below 1, where an answer was probably not "
        "understood, and count as 1."
    ]
    about: dict[str, Any] = {"classes": SCALE, "name": dataset.name}
    task: ClassificationTask | QuantificationTask
    if dataset.kind == "classification":
        always = SCALE[np.bincount(gold - SCALE[0]).argmax()]
        runs = {judge: ratings.tolist() for judge, ratings in labels.items()}
        runs[COMMONEST] = [always] * len(rows)
        task = ClassificationTask.from_labels(gold.tolist(), runs, prompts, **about)
        text = f"run {COMMONEST} is no judge: it always answers {always}."
        notes.append(Note(text, run=COMMONEST))
    else:
        by_prompt = (len(topics), -1)
        shares = {judge: _shares(ratings.reshape(by_prompt)) for judge, ratings in labels.items()}
        task = QuantificationTask.from_arrays(
            _votes(people.reshape(by_prompt)), shares, topics=topics, votes=True, **about
        )
        score = np.mean(nmd(task.gold, _shares(gold.reshape(by_prompt))))
        notes.append(
            "33 votes a prompt stand against 11 labels of a judge: one who gave every story the "
            f"median of its three people would still have a mean NMD of {score:.3f}."
        )
    provenance = Provenance("raw", {"/".join(_HANNA): sha256(share(*_HANNA))}, as_notes(notes))
    groups = {judge: judge.rpartition(" ")[0] for judge in judges}
    items = [f"{prompt}: {writer}" for _, prompt, writer in rows.index]
    rule: Rule = "median" if dataset.kind == "classification" else "shares"
    places = np.repeat(np.arange(len(topics)), len(rows) // len(topics))
    by = _annotators(people, PEOPLE, items, places, rule)
    return replace(task, provenance=provenance, groups=groups, annotators=by)


def hanna_below_scale() -> pd.DataFrame:
    """Count the means of a judge's three answers that lie below 1, by judge and criterion.

    HANNA's table seems to count an answer that could not be parsed as -1. Only means below 1 show
    it, so a judge with many of them has more. Hold what you find against the other judges.

    Examples
    --------
    >>> counts = hanna_below_scale().sum(axis=1)
    >>> int(counts.sum()), counts.nlargest(2).to_dict()
    (1051, {'Mistral-7B 1': 253, 'Llama-13B 4': 182})
    """
    judges = _hanna().drop(columns=PEOPLE)
    return judges.eq(0).groupby("criterion", sort=False).sum().T


def _hanna() -> pd.DataFrame:
    return pd.read_csv(share(*_HANNA), index_col=["criterion", "prompt", "writer"])


def _annotators(
    ratings: NDArray[Any], names: Sequence[str], items: Sequence[str], topics: Any, rule: Rule
) -> Annotators:
    """Return the ratings of the people who all rated all items, (items, people)."""
    item, person = np.indices(ratings.shape).reshape(2, -1)
    classes = ratings.ravel() - SCALE[0]
    return Annotators(tuple(names), tuple(items), topics, item, person, classes, len(SCALE), rule)


def _votes(ratings: NDArray[Any]) -> NDArray[np.intp]:
    """Count ratings, (items, raters): (items, classes)."""
    return np.stack([(ratings == rating).sum(axis=1) for rating in SCALE], axis=1)


def _shares(ratings: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(_votes(ratings) / ratings.shape[1])
