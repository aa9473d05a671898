"""``ordbook score``: the scores and the official tables of a task."""

import argparse
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ordbook.commands import (
    Commands,
    Help,
    add_classes,
    add_imperfect,
    add_measure,
    add_out,
    add_part,
    aside,
    imperfect,
    number,
    progress,
    say,
    say_json,
    whole,
)

if TYPE_CHECKING:
    from ordbook.data.loading import Task
    from ordbook.measures import Measure

EXAMPLE = """\
examples:
  ordbook score my-task --out results
  ordbook score my-task --out results --measures NMD,RNOD --primary NMD
  ordbook score labels.zip --out results --classes=-1,0,1 --by-group=language
  ordbook score my-task --out results --skip-invalid --missing=worst
  ordbook score my-task --out results --measure my_measures.py:CHEBYSHEV

what DIR holds afterwards:
  scores.csv, scores.json   every score: measure, topic, run, score
  results/MEASURE.*         the runs ranked, with intervals of the means
  significance/MEASURE.*    which runs are significantly better than which
  leaderboard.html          all runs and measures, sorted and filtered without a network
  summary.json, README.md   what each file is, seed, versions, checksums
Runs with the same mean share a rank; significance comes with p and effect size. Tables are CSV,
Markdown (.md) and LaTeX with booktabs (.tex).
"""


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    score = commands.add_parser(
        "score",
        help="score your runs and write official result tables",
        description="Score every run of a task by every measure, test which runs differ "
        "(randomised Tukey HSD), and write the scores and official-style tables into a folder.",
        epilog=EXAMPLE,
        formatter_class=Help,
    )
    score.add_argument(
        "data",
        metavar="PATH",
        help="folder or zip with gold and runs, a file with scores, or a catalogued data set; see "
        "ordbook check --help for the formats.",
    )
    add_out(score)
    add_classes(score)
    add_imperfect(score)
    add_part(score)
    score.add_argument(
        "--better",
        metavar="ENDS",
        help="for scores by measures that ordbook does not know: which end is better, low, high "
        "(for all of these) or NAME=low,NAME=high",
    )
    score.add_argument(
        "--measures",
        metavar="NAMES",
        help="measures, separated by commas, your own among them (default: all that fit)",
    )
    add_measure(score)
    score.add_argument(
        "--primary",
        metavar="MEASURE",
        help="the measure shown first (default: RNOD or kappa, else the first)",
    )
    score.add_argument(
        "--trials",
        type=_trials,
        metavar="N|max",
        help="trials of the randomised test: a fixed number N, at least 100 (5000 in the papers). "
        "By default as many as it takes to decide about every pair, up to 640000, fewer with many "
        "runs and topics; with max up to 1000000",
    )
    score.add_argument("--seed", type=whole, default=0, help="seed of the test (default 0)")
    score.add_argument(
        "--alpha", type=number, default=0.05, help="significance level (default .05)"
    )
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
        "--threads",
        type=whole,
        metavar="N",
        help="threads of the test (default: one per processor)",
    )
    score.add_argument(
        "--json", action="store_true", help="print summary.json in place of the ranking"
    )
    score.set_defaults(run=_score)


def _score(options: argparse.Namespace) -> int:
    with aside():
        summary = _results(options)
    for note in summary["notes"]:
        progress(f"note: {note}")
    if options.json:
        say_json(summary)
    else:
        say("\n".join(_ranking(summary)))
        say(Path(options.out) / "README.md")
    return 0


def _results(options: argparse.Namespace) -> dict[str, Any]:
    """Score, test and write; return the summary."""
    import ordbook as ob
    from ordbook.chapters.data_argument import load_ranked, place_of, split_place
    from ordbook.chapters.parameters import check_number, split_classes
    from ordbook.commands.check import ends
    from ordbook.data.catalog import is_catalogued
    from ordbook.data.checking import in_order
    from ordbook.data.names import counted
    from ordbook.measures import import_measures
    from ordbook.measures.registry import named
    from ordbook.meta.checks import between_0_and_1, whole_number
    from ordbook.meta.items import by_item, compare_runs
    from ordbook.meta.significance import MOST_TRIALS
    from ordbook.report import custom_measures as own_measures
    from ordbook.report.grouping import chosen, facts_of, group_table
    from ordbook.report.output import require_new
    from ordbook.report.resultpages import write_results

    if not options.data:
        raise ValueError("PATH is empty; name a folder, a file or a catalogued data set")
    between_0_and_1(options.alpha, "alpha")
    if isinstance(options.trials, int):
        check_number("trials", options.trials)
    check_number("seed", options.seed)
    if options.threads is not None:
        whole_number(options.threads, "threads")
    place = place_of(options.data, options.part, **imperfect(options))
    inputs = [] if is_catalogued(place) else [split_place(place)[0]]
    require_new(options.out, options.overwrite, inputs)
    own = import_measures(",".join(options.measure))
    sources = own_measures.places(",".join(options.measure))
    checksums = {Path(source).name: own_measures.checksum(source) for source in sources}
    labels = split_classes(options.classes)
    if labels and not inputs:
        raise ValueError(f"{place}: the classes of a catalogued data set are known; leave them")
    task = load_ranked(place, labels, better=ends(options.better), scores=True, few=True)
    chosen(group_table(facts_of(task), task.runs), options.by_group, task.name)
    measures = _measures(task, options.measures, own)
    names = [measure if isinstance(measure, str) else measure.name for measure in measures]
    if options.primary is not None:
        options.primary = named(options.primary, names)
    if options.primary is not None and options.primary not in names:
        raise ValueError(
            f"--primary {options.primary}: not among the measures scored, {', '.join(names)}"
        )
    size = f"{counted(len(task.runs), 'run')} on {counted(len(task.topics), 'topic')}"
    classes = f", classes {in_order(task.classes, task.kind)}" if task.classes else ""
    progress(f"{task.name}: scoring {size}{classes}")
    scores = ob.score(task, measures)
    by = f"{len(scores.measures)} measures" if len(scores.measures) > 1 else scores.measures[0]
    trials, decide_at = options.trials, None
    if not isinstance(trials, int):
        trials, decide_at = MOST_TRIALS if trials else None, options.alpha
    if len(scores.runs) > 1 and (len(scores.topics) > 1 or by_item(task)):
        progress(f"{task.name}: testing by {by}")
    tests = compare_runs(
        task, scores, measures, trials, options.seed, options.threads, decide_at=decide_at
    )
    if tests is not None:
        progress(f"{task.name}: tested with {tests.size}")
    return write_results(
        options.out,
        scores,
        tests,
        primary=options.primary,
        alpha=options.alpha,
        interval=options.interval,
        by_group=options.by_group,
        task=task,
        measures=measures,
        own=checksums,
        inputs=inputs,
        overwrite=options.overwrite,
    )


def _trials(text: str) -> int | str:
    """Return a number of trials, or ``max``."""
    return text if text == "max" else whole(text)


def _measures(task: "Task", asked: str | None, own: Sequence["Measure"]) -> list["str | Measure"]:
    """Return the measures asked for and the reader's own; refuse any that cannot be scored."""
    from ordbook.data.scores import ScoresTask
    from ordbook.data.scoring import NUGGET_MEASURES
    from ordbook.measures import CLASSIFICATION, QUANTIFICATION
    from ordbook.measures.registry import named

    part = task.kind
    known: Sequence[str] = {
        "classification": tuple(CLASSIFICATION),
        "quantification": tuple(QUANTIFICATION),
        "nuggets": NUGGET_MEASURES,
    }.get(part, ())
    if isinstance(task, ScoresTask):
        known = task.measures
    mine = {measure.name: measure for measure in own}
    for measure in own:
        if measure.kind != part:
            what = "scores, which are taken as they are" if part == "scores" else f"{part} tasks"
            raise ValueError(f"--measure {measure.name}: it is not a measure for {what}")
    names = [*known, *mine]
    if asked is not None:
        names = [named(name, [*known, *mine]) for name in _split(asked, [*known, *mine])]
        for name in names:
            if name not in known and name not in mine:
                raise ValueError(
                    f"--measures: {name!r} is not a measure for {task.name}; choose from "
                    f"{', '.join([*known, *mine])}"
                )
        if len(set(names)) < len(names):
            raise ValueError(f"--measures {asked}: name each measure once")
        names += [name for name in mine if name not in names]
    return [mine.get(name, name) for name in names]


def _split(asked: str, known: Collection[str]) -> Iterator[str]:
    """Split names at commas, but not at those within a name that is known."""
    parts, most = asked.split(","), max(name.count(",") for name in known) + 1
    while parts:
        joined = [",".join(parts[:count]).strip() for count in range(most, 1, -1)]
        name = next((name for name in joined if name in known), parts[0].strip())
        yield name
        parts = parts[name.count(",") + 1 :]


def _ranking(summary: Mapping[str, Any]) -> Iterator[str]:
    """List the runs by the primary measure."""
    measure = summary["primary"]
    ranking = summary["measures"][measure]["ranking"]
    width = max(len("run"), *(len(row["run"]) for row in ranking))
    yield f"rank  {'run':{width}}  mean {measure}"
    for row in ranking:
        yield f"{row['rank']:>4}  {row['run']:{width}}  {row['mean']:.4f}"
