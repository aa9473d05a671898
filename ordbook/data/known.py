"""Readers for the files that the catalogue knows by their checksums: nothing else is checked.

================  ==================================================================================
semeval           tabs, no header. C: item, topic, label. E: topic, a share for each class. D:
                  topic, share of positive tweets, of negative ones and, in gold, their number
stc3              JSON, packed or not: of each dialogue, what 19 assessors said, or shares of that
dbdc              a zip file of dialogues, in which 30 annotators say of a turn X (a breakdown), T
                  (possibly one) or O; a run is a zip file of ``<dialogue>.labels.json``. A topic is
                  an utterance, named by file and turn (``CIC0259_12``), as half have no id
qrels             query, 0, document and label, with blanks
ambistory         gold: a JSON object, id -> ``{"homonym": ..., "choices": [1 to 5, ...]}``; a run:
                  JSON Lines, ``{"id": ..., "prediction": ...}``
alttest           JSON, two files: person -> item -> rating, and model -> item -> rating. An item
                  may end in ``__`` and what is rated of it, which is the topic
latent            CSV, a row for each rater (people) or each LLM and day: a column for each text
hanna             CSV that travels with ordbook, made by ``data/hanna/make.py``: a row for each
                  criterion, prompt and writer; a column for each judge, and for the first, second
                  and third person, who may be others for each story
================  ==================================================================================
"""

import json
import math
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ordbook.data.annotators import Annotators, Rule, find_ties
from ordbook.data.catalog import DataSet
from ordbook.data.nuggets import NUGGETS, NuggetTask
from ordbook.data.problems import Note, as_notes
from ordbook.data.tasks import ONE_TOPIC, ClassificationTask, Provenance, QuantificationTask
from ordbook.data.text import SUM_TOLERANCE, read_json, read_text
from ordbook.files import sha256, share
from ordbook.words import counted

Task = ClassificationTask | QuantificationTask | NuggetTask
Files = Mapping[str, Path]  # run -> file
Labels = Mapping[tuple[str, str], str]  # topic and item -> class
Shares = Mapping[Any, Any]  # topic -> a number for each class
SCALE = (1, 2, 3, 4, 5)
BREAKDOWN = ("X", "T", "O")  # from breakdown to not a breakdown
COMMONEST = "commonest"
PEOPLE = ["Human 1", "Human 2", "Human 3"]
_HANNA = ("data", "hanna", "labels.csv.gz")
_LOG = re.compile(r"DBDC3/dbdc3/en/eval/(?:CIC|IRIS|TKTK|YI)_[0-9]+/(\w+)\.log\.json")
_LABELS = re.compile(r"(\w+)\.labels\.json")


def read_semeval(dataset: DataSet, gold: Path, runs: Files, provenance: Provenance) -> Task:
    """Read subtask C, D or E of SemEval's Task 4; the numbers of tweets of D are its votes."""
    rows = {
        name: [line.split("\t") for line in read_text(path).splitlines()]
        for name, path in {"": gold, **runs}.items()
    }
    if dataset.kind == "classification":
        labels = {name: {(row[1], row[0]): row[2] for row in table} for name, table in rows.items()}
        return _classification(dataset, labels.pop(""), labels, provenance)
    counted_tweets = len(dataset.classes) == 2  # and the shares stand from the highest class on
    columns = slice(2, 0, -1) if counted_tweets else slice(1, 1 + len(dataset.classes))
    shares = {
        name: {row[0]: list(map(float, row[columns])) for row in table}
        for name, table in rows.items()
    }
    task = _quantification(dataset, shares.pop(""), shares, provenance, votes=False)
    return replace(task, votes=tuple(int(row[3]) for row in rows[""]) if counted_tweets else ())


def read_qrels(dataset: DataSet, gold: Path, runs: Files, provenance: Provenance) -> Task:
    """Read labels of documents; one above the highest class counts as that class."""
    labels = {}
    for name, path in {"": gold, **runs}.items():
        rows = [line.split() for line in read_text(path).splitlines()]
        labels[name] = {(row[0], row[2]): min(row[3], dataset.classes[-1], key=int) for row in rows}
    return _classification(dataset, labels.pop(""), labels, provenance)


def read_stc3(dataset: DataSet, gold: Path, runs: Files, provenance: Provenance) -> Task:
    """Read dialogue quality, of which the part is A, E or S, or nuggets.

    Turns of nuggets that do not sum to 1 are divided by their sum.
    """
    dialogues = {dialogue["id"]: dialogue for dialogue in read_json(gold)}
    entries = {run: {entry["id"]: entry for entry in read_json(path)} for run, path in runs.items()}
    if dataset.part != "nugget":
        votes = {}
        for key, dialogue in dialogues.items():
            given = [str(each["quality"][dataset.part]) for each in dialogue["annotations"]]
            votes[key] = [given.count(label) for label in dataset.classes]
        shares = {
            run: {key: [entry["quality"][dataset.part][x] for x in dataset.classes]
                  for key, entry in of.items()}
            for run, of in entries.items()
        }  # fmt: skip
        return _quantification(dataset, votes, shares, provenance)
    senders = [[turn["sender"] for turn in each["turns"]] for each in dialogues.values()]
    labels = [
        zip(*(each["nugget"] for each in dialogue["annotations"]), strict=True)
        for dialogue in dialogues.values()
    ]
    return NuggetTask.from_turns(
        senders,
        [
            [[given.count(x) for x in NUGGETS[side]] for side, given in zip(sides, of, strict=True)]
            for sides, of in zip(senders, labels, strict=True)
        ],
        {
            run: [
                [_normalised([turn[x] for x in NUGGETS[side]])
                 for side, turn in zip(sides, of[key]["nugget"], strict=True)]
                for key, sides in zip(dialogues, senders, strict=True)
            ]
            for run, of in entries.items()
        },
        topics=list(dialogues),
        name=dataset.name,
        votes=True,
        provenance=provenance,
    )  # fmt: skip


def without_text(annotations: bytes) -> bytes:
    """Return annotations of STC-3 without the text of the dialogues; other content as it is."""
    try:
        kept = [
            {
                "id": dialogue["id"],
                "turns": [
                    {"sender": turn["sender"], "utterances": []} for turn in dialogue["turns"]
                ],
                "annotations": [
                    {"quality": {x: each["quality"][x] for x in "ASE"}, "nugget": each["nugget"]}
                    for each in dialogue["annotations"]
                ],
            }
            for dialogue in json.loads(annotations)
        ]
    except (ValueError, LookupError, TypeError):
        return annotations
    return json.dumps(kept, separators=(",", ":")).encode()


def read_dbdc(dataset: DataSet, gold: Path, runs: Files, provenance: Provenance) -> Task:
    """Read the English evaluation data of the workshop; the archive holds others, too."""
    votes = {}
    for name, log in _members(gold, _LOG):
        for turn in sorted(log["turns"], key=lambda turn: turn["turn-index"]):
            if given := [each["breakdown"] for each in turn["annotations"]]:
                key = f"{name}_{turn['turn-index']:02d}"
                votes[key] = [given.count(label) for label in BREAKDOWN]
    answers = {run: read_breakdowns(path) for run, path in runs.items()}
    return _quantification(dataset, votes, answers, provenance)


def read_breakdowns(path: Path) -> dict[str, list[float]]:
    """Read a run for DBDC3: utterance -> probabilities of X, T and O."""
    return {
        f"{name}_{turn['turn-index']:02d}": [turn["labels"][0][f"prob-{x}"] for x in BREAKDOWN]
        for name, entry in _members(path, _LABELS)
        for turn in entry["turns"]
    }


def read_ambistory(dataset: DataSet, gold: Path, runs: Files, provenance: Provenance) -> Task:
    """Read AmbiStory: the topic is the homonym, and fractions of a run are rounded."""
    items: dict[str, Any] = json.loads(read_text(gold))
    predicted, notes = dict[str, NDArray[np.float64]](), list[str]()
    for run, path in runs.items():
        rows = [json.loads(line) for line in read_text(path).splitlines() if line.strip()]
        answers = {str(row["id"]): float(row["prediction"]) for row in rows}
        predicted[run] = np.array([answers[item] for item in items])
        if twice := len(rows) - len(answers):
            text = f"run {run} answers {counted(twice, 'item')} twice: the last one counts."
            notes.append(Note(text, run=run))
    fractions = sum((ratings % 1 != 0).any() for ratings in predicted.values())
    notes.append(
        f"{fractions} of {len(runs)} runs predict fractions, which are rounded to the nearest "
        "class, halves up."
    )
    choices = zip_longest(*(entry["choices"] for entry in items.values()), fillvalue=np.nan)
    labels = {run: nearest(ratings) for run, ratings in predicted.items()}
    topics = [entry["homonym"] for entry in items.values()]
    ratings = np.array(list(choices), dtype=float).T
    return _of_people(dataset, ratings, labels, topics, _noted(provenance, notes))


def read_alttest(dataset: DataSet, gold: Path, runs: Files, provenance: Provenance) -> Task:
    """Read a set of the alternative annotator test: people rated some of the items each."""
    judges = pd.DataFrame(read_json(runs["llm"]))
    ratings = pd.DataFrame(read_json(gold)).reindex(judges.index).to_numpy(dtype=float)
    names = [item.partition("__") for item in judges.index]
    labels = {str(model): of.to_numpy() for model, of in judges.items()}
    topics = [topic or ONE_TOPIC for _, _, topic in names]
    task = _of_people(dataset, ratings, labels, topics, provenance)
    persons = [f"person {number}" for number in range(1, ratings.shape[1] + 1)]
    items, scale = [item for item, _, _ in names], list(map(int, dataset.classes))
    return replace(task, annotators=_annotators(ratings, persons, items, task.topic, scale=scale))


def read_latent(dataset: DataSet, gold: Path, runs: Files, provenance: Provenance) -> Task:
    """Read latent: an LLM's distribution is that of its answers on all days; one run has all."""
    answers = pd.read_csv(runs["llm"], index_col=["llm", "day"])
    ratings = pd.read_csv(gold, index_col="rater").to_numpy().T
    by_model = {str(model): rows for model, rows in answers.groupby("llm", sort=False)}
    shares = {
        run: dict(zip(answers, _shares(rows.to_numpy().T), strict=True))
        for run, rows in {**by_model, "all together": answers}.items()
    }
    votes = dict(zip(answers, _votes(ratings), strict=True))
    task = _quantification(dataset, votes, shares, provenance)
    names = [f"rater {rater}" for rater in range(1, ratings.shape[1] + 1)]
    people = _annotators(ratings, names, task.topics, np.arange(len(ratings)), "shares")
    return replace(task, annotators=people)


def read_hanna(dataset: DataSet) -> Task:
    """Read a criterion of HANNA: labels, or distributions over the stories of a prompt."""
    table = pd.read_csv(share(*_HANNA), index_col=["criterion", "prompt", "writer"])
    rows = table.loc[[dataset.part]]
    prompts = list(map(str, rows.index.get_level_values("prompt")))
    topics, people = list(dict.fromkeys(prompts)), rows[PEOPLE].to_numpy()
    judges = rows.drop(columns=PEOPLE)
    labels = {str(judge): ratings.to_numpy() for judge, ratings in judges.clip(SCALE[0]).items()}
    notes: list[str] = [
        "a judge's label is the mean of three answers, rounded halves up; "
        f"{judges.eq(0).sum().sum()} of {judges.size} means lie below 1, where an answer was "
        "probably not understood, and count as 1."
    ]
    provenance = Provenance("raw", {"/".join(_HANNA): sha256(share(*_HANNA))}, as_notes(notes))
    task: ClassificationTask | QuantificationTask
    rule: Rule = "median" if dataset.kind == "classification" else "shares"
    if rule == "median":
        always = np.bincount(np.median(people, axis=1).astype(int)).argmax()
        text = f"run {COMMONEST} is no judge: it always answers {always}."
        provenance = _noted(provenance, [Note(text, run=COMMONEST)])
        labels[COMMONEST] = np.full(len(rows), always)
        task = _of_people(dataset, people, labels, prompts, provenance)
    else:
        text = (
            "33 votes a prompt stand against 11 labels of a judge: one who gave every story the "
            "median of its three people would still miss some."
        )
        by_prompt = (len(topics), -1)
        votes = dict(zip(topics, _votes(people.reshape(by_prompt)), strict=True))
        shares = {
            judge: dict(zip(topics, _shares(ratings.reshape(by_prompt)), strict=True))
            for judge, ratings in labels.items()
        }
        task = _quantification(dataset, votes, shares, _noted(provenance, [text]))
    groups = pd.DataFrame({"group": [str(x).rpartition(" ")[0] for x in judges]}, [*judges])
    items = [f"{prompt}: {writer}" for _, prompt, writer in rows.index]
    places = np.repeat(np.arange(len(topics)), len(rows) // len(topics))
    return replace(task, about=groups, annotators=_annotators(people, PEOPLE, items, places, rule))


READERS = {
    "semeval": read_semeval,
    "stc3": read_stc3,
    "dbdc": read_dbdc,
    "qrels": read_qrels,
    "ambistory": read_ambistory,
    "alttest": read_alttest,
    "latent": read_latent,
}


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


def _noted(provenance: Provenance, notes: Sequence[str]) -> Provenance:
    return replace(provenance, notes=as_notes([*provenance.notes, *notes]))


def _of_people(
    dataset: DataSet,
    ratings: NDArray[Any],
    runs: Mapping[str, NDArray[Any]],
    topics: Sequence[str],
    provenance: Provenance,
) -> ClassificationTask:
    """Build a task whose gold is the median of people's ratings, (items, people), halves up."""
    medians = np.floor(np.nanmedian(ratings, axis=1) + 0.5).astype(int)
    task = ClassificationTask.from_labels(
        medians.tolist(),
        {run: labels.tolist() for run, labels in runs.items()},
        topics,
        dataset.classes,
        name=dataset.name,
        provenance=provenance,
    )
    votes = _votes(ratings, list(map(int, dataset.classes)))
    ties = find_ties(votes, "median", task.gold, dataset.ties)
    return replace(task, ties=ties, provenance=_noted(provenance, [ties.note] if ties else []))


def _classification(
    dataset: DataSet, gold: Labels, runs: Mapping[str, Labels], provenance: Provenance
) -> ClassificationTask:
    """Build a task of labels, with the items in the order of gold."""
    return ClassificationTask.from_labels(
        list(gold.values()),
        {run: [answers[key] for key in gold] for run, answers in runs.items()},
        [topic for topic, _ in gold],
        dataset.classes,
        name=dataset.name,
        provenance=provenance,
    )


def _quantification(
    dataset: DataSet,
    gold: Shares,
    runs: Mapping[str, Shares],
    provenance: Provenance,
    votes: bool = True,
) -> QuantificationTask:
    """Build a task of distributions or, in gold, votes, with the topics in the order of gold."""
    return QuantificationTask.from_arrays(
        list(gold.values()),
        {run: [answers[topic] for topic in gold] for run, answers in runs.items()},
        classes=dataset.classes,
        topics=list(gold),
        name=dataset.name,
        votes=votes,
        tolerance=0.01,  # a run of SemEval prints three decimals
        provenance=provenance,
    )


def _normalised(shares: list[float]) -> list[float]:
    total = math.fsum(shares)
    return shares if abs(total - 1) <= SUM_TOLERANCE else [share / total for share in shares]


def _members(archive: Path, pattern: re.Pattern[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the JSON files of an archive whose names match, by name, and the text of the group."""
    with zipfile.ZipFile(archive) as files:
        for match in filter(None, map(pattern.fullmatch, sorted(files.namelist()))):
            yield match[1], json.loads(files.read(match[0]))


def _annotators(
    ratings: NDArray[Any],
    names: Sequence[str],
    items: Sequence[str],
    topics: Any,
    rule: Rule = "median",
    scale: Sequence[int] = SCALE,
) -> Annotators:
    """Return the ratings of people, (items, people), of which some may be NaN."""
    item, person = np.nonzero(~np.isnan(ratings))
    classes = ratings[item, person].astype(int) - scale[0]
    return Annotators(tuple(names), tuple(items), topics, item, person, classes, len(scale), rule)


def _votes(ratings: NDArray[Any], scale: Sequence[int] = SCALE) -> NDArray[np.intp]:
    """Count ratings, (items, raters): (items, classes)."""
    return np.stack([(ratings == rating).sum(axis=1) for rating in scale], axis=1)


def _shares(ratings: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(_votes(ratings) / ratings.shape[1])
