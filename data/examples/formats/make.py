"""Build the samples of this folder: ``python data/examples/formats/make.py [FOLDER]``.

Small tasks in every format that ``ordbook.load`` reads. Labels, shares and scores are those of the
examples ``fair-oc`` and ``fair-oq`` beside this folder; dialogues and their votes are simulated.
"""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ordbook as ob
from ordbook.data.labels import FIVE_POINT_SCALE
from ordbook.data.ntcir import NUGGETS, QUALITY

HERE = Path(__file__).resolve().parent
TOPICS = 5
GROUPS = "run,group,language\n"


def write(path: Path, text: str) -> None:
    """Write a text file, and the folders it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def qrels(folder: Path) -> None:
    """Labels of fair-oc, as relevance of documents to queries; blanks or tabs."""
    task = ob.load("fair-oc")
    chosen = np.flatnonzero(task.topic < TOPICS)

    def judgements(classes: NDArray[np.intp], blank: str) -> str:
        rows = ([f"q{task.topic[i]}", "0", f"d{i}", task.classes[classes[i]]] for i in chosen)
        return "".join(blank.join(row) + "\n" for row in rows)

    write(folder / "qrels" / "gold.qrels", judgements(task.gold, " "))
    for run in ("ordered", "forest", "majority"):
        text = judgements(task.predicted[task.runs.index(run)], "\t")
        write(folder / "qrels" / "runs" / f"{run}.txt", text)


def distribution(classes: tuple[str, ...], rng: np.random.Generator) -> dict[str, float]:
    """Return simulated shares of hundredths that sum to 1."""
    counts = rng.multinomial(100, rng.dirichlet(np.ones(len(classes))))
    return {label: count / 100 for label, count in zip(classes, counts.tolist(), strict=True)}


def ntcir(folder: Path, rng: np.random.Generator) -> None:
    """Quality and nuggets: four simulated dialogues, six assessors, two runs of either kind."""
    gold: list[dict[str, Any]] = []
    for number in range(1, 5):
        senders = [("customer", "helpdesk")[i % 2] for i in range(rng.integers(2, 6))]
        votes = [
            {
                "quality": {part: int(rng.integers(-2, 3)) for part in QUALITY},
                "nugget": [str(rng.choice(NUGGETS[sender])) for sender in senders],
            }
            for _ in range(6)
        ]
        turns = [{"sender": sender} for sender in senders]
        gold.append({"id": f"dialogue-{number}", "turns": turns, "annotations": votes})
    write(folder / "ntcir" / "gold.json", lines(gold))
    for run in ("first", "second"):
        quality, nuggets = [], []
        for dialogue in gold:
            about = {part: distribution(FIVE_POINT_SCALE, rng) for part in QUALITY}
            quality.append({"id": dialogue["id"], "quality": about})
            shares = [distribution(NUGGETS[turn["sender"]], rng) for turn in dialogue["turns"]]
            nuggets.append({"id": dialogue["id"], "nugget": shares})
        write(folder / "ntcir" / "runs" / f"{run}_quality.json", lines(quality))
        write(folder / "ntcir" / "runs" / f"{run}_nugget.json", lines(nuggets))


def lines(entries: list[dict[str, Any]]) -> str:
    """Return a JSON list, an entry on each line."""
    return "[\n" + ",\n".join(json.dumps(entry) for entry in entries) + "\n]\n"


def scores(folder: Path) -> None:
    """Scores of three runs of fair-oq on the first topics, in three forms and in a folder."""
    matrix = ob.score(ob.load("fair-oq"), ["NMD", "RNOD"])
    matrix = ob.ScoreMatrix(
        "long",
        matrix.values[:, :TOPICS, :3],
        matrix.measures,
        matrix.topics[:TOPICS],
        matrix.runs[:3],
        matrix.better,
        matrix.provenance,
    )
    (folder / "scores").mkdir(parents=True, exist_ok=True)
    matrix.save(folder / "scores" / "long.csv")
    matrix["RNOD"].to_csv(folder / "scores" / "RNOD.csv", lineterminator="\n")
    rows = matrix["NMD"].to_numpy().tolist()
    write(folder / "scores" / "NMD.txt", "".join(" ".join(map(repr, row)) + "\n" for row in rows))
    write(folder / "scores" / "NMD.runs", "".join(f"{run}\n" for run in matrix.runs))
    for measure in matrix.measures:
        path = folder / "scores-by-measure" / f"{measure}.csv"
        write(path, matrix[measure].to_csv(lineterminator="\n"))
    groups = ("team A,en", "team A,en", "team B,")
    rows = (f"{run},{group}\n" for run, group in zip(matrix.runs, groups, strict=True))
    write(folder / "scores-by-measure" / "runs.csv", GROUPS + "".join(rows))


def tables(folder: Path) -> None:
    """Write the first topics of fair-oq, with groups and languages of the runs."""
    source = HERE.parent / "fair-oq"
    runs = ("PCC-logit", "PCC-bayes", "uniform")
    write(folder / "tables" / "classes.txt", (source / "classes.txt").read_text("utf-8"))
    for name in ("gold.csv", *(f"runs/{run}.csv" for run in runs)):
        text = (source / name).read_text("utf-8")
        write(folder / "tables" / name, "".join(text.splitlines(keepends=True)[: TOPICS + 1]))
    rows = "PCC-logit,team A,en\nPCC-bayes,team B,en\nuniform,organisers,\n"
    write(folder / "tables" / "runs.csv", GROUPS + rows)


def main(folder: Path) -> None:
    """Build all samples anew."""
    for sample in (
        "tables",
        "qrels",
        "ntcir",
        "scores",
        "scores-by-measure",
    ):
        shutil.rmtree(folder / sample, ignore_errors=True)
    qrels(folder)
    ntcir(folder, np.random.default_rng(0))
    scores(folder)
    tables(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
