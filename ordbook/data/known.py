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
from ordbook.measures import nmd
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
    """Read AmbiStory: the gold label is the median of the people's, the topic the homonym."""
    items: dict[str, Any] = json.loads(read_text(gold))
    keys = {item: (entry["homonym"], item) for item, entry in items.items()}
    predicted, notes, continuous = {}, list[str](), 0
    for run, path in runs.items():
        rows = [json.loads(line) for line in read_text(path).splitlines() if line.strip()]
        answers = {str(row["id"]): float(row["prediction"]) for row in rows}
        ratings = [answers[item] for item in items]
        predicted[run] = dict(zip(keys.values(), map(str, nearest(ratings)), strict=True))
        continuous += any(rating % 1 for rating in ratings)
        if twice := len(rows) - len(answers):
            text = f"run {run} answers {counted(twice, 'item')} twice: the last one counts."
            notes.append(Note(text, run=run))
    notes.append(
        f"{continuous} of {len(runs)} runs predict fractions, which are rounded to the nearest "
        "class, halves up."
    )
    choices = [entry["choices"] for entry in items.values()]
    medians = map(str, nearest([np.median(ratings) for ratings in choices]))
    labels = dict(zip(keys.values(), medians, strict=True))
    task = _classification(dataset, labels, predicted, provenance)
    votes = np.array([[ratings.count(label) for label in SCALE] for ratings in choices])
    ties = find_ties(votes, "median", task.gold, dataset.ties)
    notes += [ties.note] if ties else []
    provenance = replace(provenance, notes=as_notes([*provenance.notes, *notes]))
    return replace(task, ties=ties, provenance=provenance)


def read_alttest(dataset: DataSet, gold: Path, runs: Files, provenance: Provenance) -> Task:
    """Read a set of the alternative annotator test: people rated some of the items each."""
    judges = pd.DataFrame(read_json(runs["llm"]))
    ratings = pd.DataFrame(read_json(gold)).reindex(judges.index).to_numpy(dtype=float)
    names = [item.partition("__") for item in judges.index]
    keys = [(topic or ONE_TOPIC, item) for item, _, topic in names]
    medians = np.floor(np.nanmedian(ratings, axis=1) + 0.5).astype(int)
    labels = {str(x): dict(zip(keys, map(str, of), strict=True)) for x, of in judges.items()}
    gold_labels = dict(zip(keys, map(str, medians), strict=True))
    task = _classification(dataset, gold_labels, labels, provenance)
    persons = [f"person {number}" for number in range(1, ratings.shape[1] + 1)]
    scale = [int(label) for label in dataset.classes]
    people = _annotators(ratings, persons, [x for _, x in keys], task.topic, "median", scale)
    ties = find_ties(people.votes, "median", task.gold, dataset.ties)
    notes = as_notes([*task.provenance.notes, *([ties.note] if ties else [])])
    provenance = replace(task.provenance, notes=notes)
    return replace(task, ties=ties, provenance=provenance, annotators=people)


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
    about_runs = pd.DataFrame({"group": [judge.rpartition(" ")[0] for judge in judges]}, [*judges])
    items = [f"{prompt}: {writer}" for _, prompt, writer in rows.index]
    rule: Rule = "median" if dataset.kind == "classification" else "shares"
    places = np.repeat(np.arange(len(topics)), len(rows) // len(topics))
    by = _annotators(people, PEOPLE, items, places, rule)
    return replace(task, provenance=provenance, about=about_runs, annotators=by)


READERS = {
    "semeval": read_semeval,
    "stc3": read_stc3,
    "dbdc": read_dbdc,
    "qrels": read_qrels,
    "ambistory": read_ambistory,
    "alttest": read_alttest,
    "latent": read_latent,
}


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
    rule: Rule,
    scale: Sequence[int] = SCALE,
) -> Annotators:
    """Return the ratings of people, (items, people), of which some may be NaN."""
    item, person = np.nonzero(~np.isnan(ratings))
    classes = ratings[item, person].astype(int) - scale[0]
    return Annotators(tuple(names), tuple(items), topics, item, person, classes, len(scale), rule)


def _votes(ratings: NDArray[Any]) -> NDArray[np.intp]:
    """Count ratings, (items, raters): (items, classes)."""
    return np.stack([(ratings == rating).sum(axis=1) for rating in SCALE], axis=1)


def _shares(ratings: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(_votes(ratings) / ratings.shape[1])
