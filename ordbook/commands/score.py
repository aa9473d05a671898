"""``ordbook score``: the scores and the official tables of a task.

Contents
--------
add   describe the command to the parser
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ordbook.commands import Commands

EXAMPLE = """\
examples:
  ordbook score my-task --out results
  ordbook score my-task --out results --measures NMD,RNOD --primary NMD --trials 10000
  ordbook score labels.zip --out results --classes=-1,0,1 --by-group=language
  ordbook score my-task --out results --measure my_measures.py:CHEBYSHEV

what DIR holds afterwards:
  scores.csv, scores.json   every score: measure, topic, run, score
  results/MEASURE.*         the runs ranked, ties sharing a rank, with intervals of the means
  significance/MEASURE.*    which runs are significantly better than which, with p and effect size
  summary.json, README.md   what each file is, versions, seed, checksums of what was read
Tables are CSV, Markdown (.md) and LaTeX with booktabs (.tex).

exit codes: 0 done; 2 what was asked is not possible, and DIR is as it was; 130 interrupted"""


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    score = commands.add_parser(
        "score",
        help="score your runs and write official result tables",
        description="Score every run of a task by every measure, test which runs differ "
        "(randomised Tukey HSD), and write the scores and official-style tables into a folder. "
        "It appears whole or not at all; earlier results in it are replaced, a folder with "
        "anything else in it is refused.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    score.add_argument(
        "data",
        metavar="PATH",
        help="folder or zip with gold and runs, a file with scores, or a "
        "catalogued data set; see ordbook check --help for the formats",
    )
    score.add_argument("--out", required=True, metavar="DIR", help="folder for the results")
    score.add_argument(
        "--classes",
        default="",
        metavar="LABELS",
        help="class labels from lowest to highest, separated by commas, where the files do not "
        "say so (write --classes=-1,0,1 with the equals sign)",
    )
    score.add_argument(
        "--part", metavar="PART", help="of NTCIR files, which hold several tasks: A, E, S or nugget"
    )
    score.add_argument(
        "--better",
        metavar="ENDS",
        help="for scores by measures that ordbook does not know: which end is better, low, high or "
        "NAME=low,NAME=high",
    )
    score.add_argument(
        "--measures", metavar="NAMES", help="measures, separated by commas (default: all that fit)"
    )
    score.add_argument(
        "--measure",
        action="append",
        default=[],
        metavar="FILE:NAME",
        help="a measure of your own from a Python file or module, made with "
        "ordbook.measures.custom_measure, beside the others; may be repeated. The file is executed",
    )
    score.add_argument(
        "--primary", metavar="MEASURE", help="the measure shown first (default: the first one)"
    )
    score.add_argument(
        "--trials", type=int, default=5000, help="trials of the randomised test (default 5000)"
    )
    score.add_argument("--seed", type=int, default=0, help="seed of the test (default 0)")
    score.add_argument("--alpha", type=float, default=0.05, help="significance level (default .05)")
    score.add_argument(
        "--interval",
        choices=("t", "hsd"),
        default="t",
        help="intervals of the means: of each by itself, with Student's t over the topics, or "
        "simultaneous ones for comparing runs, from Tukey's HSD (default t)",
    )
    score.add_argument(
        "--by-group",
        nargs="?",
        const="",
        metavar="NAME",
        help="split the tables by what runs.csv says of the runs: by this column of it (write "
        "--by-group=language with the equals sign), or by the first",
    )
    score.add_argument(
        "--threads", type=int, metavar="N", help="threads of the test (default: one per processor)"
    )
    score.add_argument(
        "--json", action="store_true", help="print summary.json in place of the ranking"
    )
    score.set_defaults(run=_score)


def _score(options: argparse.Namespace) -> int:
    import ordbook as ob
    from ordbook.book.grouping import chosen, group_table
    from ordbook.book.results import check_folder, write_results
    from ordbook.commands.check import ends
    from ordbook.data.catalog import is_catalogued, sha256
    from ordbook.measures import import_measures
    from ordbook.meta.checks import between_0_and_1, whole_number

    between_0_and_1(options.alpha, "alpha")
    whole_number(options.trials, "trials")
    whole_number(options.seed, "seed", 0)
    if options.threads is not None:
        whole_number(options.threads, "threads")
    inputs = [] if is_catalogued(options.data) else [options.data]
    check_folder(options.out, inputs)
    own = [measure for place in options.measure for measure in import_measures(place)]
    sources = {place: place.rpartition(":")[0] for place in options.measure}
    checksums = {
        place: sha256(Path(source)) if source.endswith(".py") else ""
        for place, source in sources.items()
    }
    classes = [label.strip() for label in options.classes.split(",")] if options.classes else None
    task = ob.load(options.data, classes=classes, part=options.part, better=ends(options.better))
    for what, number in (("runs", len(task.runs)), ("topics", len(task.topics))):
        if number < 2:
            raise ValueError(
                f"{task.name}: it has {number or 'no'} {what[:-1] if number == 1 else what}; "
                "comparing runs needs two runs and two topics"
            )
    chosen(group_table(getattr(task, "groups", None), task.runs), options.by_group, task.name)
    names = None
    if options.measures is not None:
        names = [name.strip() for name in options.measures.split(",")]
    _say(f"{task.name}: scoring {len(task.runs)} runs on {len(task.topics)} topics")
    scores = ob.score(task, names)
    if own:
        scores = ob.score(task, [*scores.measures, *own])
    if options.primary is not None and options.primary not in scores.measures:
        raise ValueError(
            f"--primary {options.primary}: not among the measures scored, "
            f"{', '.join(scores.measures)}"
        )
    _say(f"{task.name}: testing by {len(scores.measures)} measures, {options.trials} trials")
    tests = ob.tukey_hsd(scores, options.trials, options.seed, options.threads)
    summary = write_results(
        options.out,
        scores,
        tests,
        primary=options.primary,
        alpha=options.alpha,
        interval=options.interval,
        by_group=options.by_group,
        task=task,
        own={Path(place).name: found for place, found in checksums.items()},
        inputs=inputs,
    )
    for note in summary["notes"]:
        _say(f"note: {note}")
    if options.json:
        print(json.dumps(summary, indent=1, ensure_ascii=False))
    else:
        print("\n".join(_ranking(summary)))
        print(Path(options.out) / "README.md")
    return 0


def _ranking(summary: Mapping[str, Any]) -> Iterator[str]:
    """List the runs by the primary measure."""
    measure = summary["primary"]
    ranking = summary["measures"][measure]["ranking"]
    width = max(len("run"), *(len(row["run"]) for row in ranking))
    yield f"rank  {'run':{width}}  mean {measure}"
    for row in ranking:
        yield f"{row['rank']:>4}  {row['run']:{width}}  {row['mean']:.4f}"


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
