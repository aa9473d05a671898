"""``ordbook score``: the scores and the official tables of a task."""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ordbook.commands import (
    TASK,
    Commands,
    add_options,
    prints_to_stderr,
    progress,
    reading,
    say,
    say_json,
    time_left,
)
from ordbook.words import counted

if TYPE_CHECKING:
    from ordbook.data.folder import Task

# So many runs are printed; the files hold them all.
MOST_PRINTED = 20

EPILOG = """\
examples:
  ordbook score my-task --out results --measures RPS,NMD --primary NMD
  ordbook score labels --out results --classes=-1,0,1
  ordbook score my-task --out results --skip-invalid --missing=worst
  ordbook score my-task --out results --by-group language

DIR gets scores.csv, a leaderboard, summary.json for programs, best and median scores by topic, and
every run by class. For each measure it gets two tables as CSV and LaTeX: the runs ranked,
and which run is significantly better than which. README.md says what every file is.
"""


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    score = commands.add_parser(
        "score",
        help="score your runs and write official result tables",
        description="Score every run of a task by every measure, test which runs differ "
        "(randomised Tukey HSD), and write the scores and official-style tables into a folder.",
        epilog=EPILOG,
    )
    score.add_argument(
        "data",
        metavar="PATH",
        help="folder with gold and runs, a file with scores, or a catalogued data set; see "
        "ordbook check --help for the formats",
    )
    add_options(score, "--out!", "--overwrite", *TASK, "--lower-is-better", "--higher-is-better")
    add_options(score, "--measures", "--measure", "--primary")
    score.add_argument(
        "--trials",
        type=trials,
        metavar="N|max",
        help="trials of the randomised test: a fixed number N, at least 100 (5000 in the papers). "
        "By default as many as decide about every pair, up to 640000, or fewer with many runs "
        "and topics; max allows 1000000",
    )
    score.add_argument("--seed", type=int, default=0, help="seed of the test (default 0)")
    score.add_argument("--alpha", type=float, default=0.05, help="significance level (default .05)")
    score.add_argument(
        "--threads", type=int, metavar="N", help="threads of the test (default: one per processor)"
    )
    score.add_argument(
        "--by-group",
        metavar="COLUMN",
        help="rank and test the runs of each group apart, by a column of runs.csv, such as "
        "language; every group gets a folder in DIR",
    )
    add_options(score, "--json")
    score.set_defaults(run=_score)


def trials(text: str) -> int | str:
    """Return a number of trials, or ``max``."""
    return text if text == "max" else int(text)


def _score(options: argparse.Namespace) -> int:
    from ordbook.data.tasks import file_name

    with prints_to_stderr():
        summaries = _results(options)
    for note in dict.fromkeys(note for summary in summaries.values() for note in summary["notes"]):
        progress(f"note: {note}")
    if options.json:
        say_json(summaries if options.by_group else summaries[""])
        return 0
    for group, summary in summaries.items():
        if group:
            say(f"{options.by_group}: {group}")
        say("\n".join(_ranking(summary)))
        say(Path(options.out, file_name(group), "README.md"))
    return 0


def _results(options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Score, test and write; return the summary of each group, or of all runs under no name."""
    from ordbook.commands.check import ends
    from ordbook.data.checking import in_order
    from ordbook.data.scoring import measures_for
    from ordbook.data.tasks import file_name
    from ordbook.files import whole_folder
    from ordbook.measures import import_measures
    from ordbook.meta.items import size
    from ordbook.meta.validation import between_0_and_1
    from ordbook.reports.result_files import write_results
    from ordbook.reports.results import Results
    from ordbook.show.parameters import check_number
    from ordbook.show.source import Source

    check_number("seed", options.seed)
    between_0_and_1(options.alpha, "alpha")
    if isinstance(options.trials, int):
        check_number("trials", options.trials)
    source = Source.of(options.data, **reading(options))
    with whole_folder(options.out, options.overwrite, source.files) as folder:
        own = {measure.name: measure for measure in import_measures(",".join(options.measure))}
        task = source.load_ranked(better=ends(options))
        if own and task.kind == "scores":
            raise ValueError("--measure: scores are taken as they are; leave it out")
        asked = measures_for(task) if options.measures is None else options.measures
        left = [measure for name, measure in own.items() if name not in asked]
        names = [*(own.get(name, name) for name in asked), *left]

        def write(task: "Task", folder: Path) -> dict[str, Any]:
            held = f"{counted(len(task.runs), 'run')} on {size(task, len(task.topics))}"
            classes = f", classes {in_order(task.classes, task.kind)}" if task.classes else ""
            progress(f"{task.name}: scoring {held}{classes}")
            official = Results(
                task,
                names,
                rank_by=options.primary,
                alpha=options.alpha,
                trials=options.trials,
                seed=options.seed,
                threads=options.threads,
                progress=time_left(f"{task.name}: trials of the test"),
            )
            if official.tests is not None:
                progress(f"{task.name}: tested with {official.tests.size}")
            return write_results(folder, official, options.measure)

        groups = task.by(options.by_group) if options.by_group else {"": task}
        if left_out := set(task.runs).difference(*(part.runs for part in groups.values())):
            progress(f"note: {', '.join(sorted(left_out))}: no {options.by_group}, so in no group")
        return {group: write(part, folder / file_name(group)) for group, part in groups.items()}


def _ranking(summary: Mapping[str, Any]) -> Iterator[str]:
    """List the best runs by the primary measure."""
    from ordbook.reports.tables import percent

    measure = summary["primary"]
    ranking = summary["measures"][measure]["ranking"]
    width = max(len("run"), *(len(row["run"]) for row in ranking[:MOST_PRINTED]))
    mean = f"{'mean ' if summary['topics'] > 1 else ''}{measure}"
    beside = summary["beside"]
    other = {row["run"]: row for row in summary["measures"][beside]["ranking"]} if beside else {}
    skilled, answered = ranking[0].get("skill") is not None, summary["answered"]
    head = f"{'answered  ' if answered else ''}{mean}{'   skill' if skilled else ''}"
    head += f"  {beside} (rank)" if beside else ""
    yield f"rank  {'run':{width}}  {head}"
    for row in ranking[:MOST_PRINTED]:
        share = f"{percent(answered[row['run']]):>8}  " if answered else ""
        skill = f"{row['skill']:z8.3f}" if skilled else ""
        score = f"{row['mean']:<{len(mean)}.4f}"
        second = "  {mean:.4f} ({rank})".format_map(other[row["run"]]) if beside else ""
        yield f"{row['rank']:>4}  {row['run']:{width}}  {share}{score}{skill}{second}".rstrip()
    if (more := len(ranking) - MOST_PRINTED) > 0:
        yield f"and {counted(more, 'more run')}, all in leaderboard.html and in this file:"
