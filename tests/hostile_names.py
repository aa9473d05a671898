"""Names that try to be more than names, and data full of them, for all that shows names."""

import csv
import io
from itertools import cycle
from pathlib import Path

import numpy as np

OWNED = "__owned"
NAMES = [
    # HTML
    f"<script>window.{OWNED}=1</script>",
    f'<img src=x onerror="window.{OWNED}=2">',
    f"</td></tr></table><iframe srcdoc='<script>parent.{OWNED}=4</script>'>",
    f'"onmouseover="window.{OWNED}=5" x="',
    f"'><b onclick='window.{OWNED}=6'>bold</b>",
    f"</script></title></textarea><script>window.{OWNED}=7</script>",
    "<!-- comment",
    "&lt;b&gt; &amp; &#60;i&#62;",
    # Markdown and MyST
    f"[click](javascript:window.{OWNED}=8)",
    f"<javascript:window.{OWNED}=9>",
    f"![x](x&quot;onerror=window.{OWNED}=10)",
    "a|b | c",
    "`code` and ``more",
    "```{raw} html",
    ":::{note}",
    "{raw}`html` {ref}`acl21`",
    "{{ 7*7 }} {% include x %}",
    "(label)=",
    "[^1] [x]{.printed}",
    "**bold** _it_ ~~gone~~",
    "1. item",
    "# heading",
    "http://outside.example.com/x",
    "www.outside.example.com me@outside.example.com",
    # formulas, of MathJax and of LaTeX
    rf"$\href{{javascript:window.{OWNED}=11}}{{x}}$",
    rf"\(\href{{javascript:window.{OWNED}=12}}{{x}}\)",
    r"$$\frac$$ $\frac$ $_^$",
    r"\input{/etc/passwd}",
    r"\write18{touch owned} \immediate\openout1=owned",
    r"\\[2cm] & # % _ ^ ~ { } \end{tabular}",
    r"\def\a{b} ^^5cinput x\\",
    # spreadsheets
    '=HYPERLINK("http://outside.example.com","x")',
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "a;=1+1",
    '"=1+1"',
    "＝2+2",
    # files and shells
    "../../owned",
    "a/b",
    "CON",
    "NUL.csv",
    "$(touch owned) `touch owned`",
    "'; touch owned; '",
    "--help",
    "%s %(name)s {0} {name}",
    "~",
    # letters
    "_hidden",
    "🦉 名前 é",
    "👩‍🔬",
    "name " + "x" * 180,
]
FILE_NAMES = [name for name in NAMES if "/" not in name and len(name.encode()) < 250]
REFUSED = {
    "zero byte": "a\0b",
    "escape sequence": "a\x1b[31mb",
    "line feed": "a\nb",
    "tab": "a\tb",
    "turned by RLO": "a\u202eb",
    "zero width space": "a\u200bb",
    "byte order mark": "a\ufeffb",
    "spaces alone": "   ",
}
# Of classes, lowest first.
CLASSES = [NAMES[0], r"$\frac$", "=1+1", "_c", 'x"onmouseover="x']


def _csv(rows: list[list[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _groups(names: list[str]) -> str:
    groups, languages = cycle(reversed(NAMES)), cycle(CLASSES)
    rows = [[run, next(groups), next(languages)] for run in names]
    return _csv([["run", "group", "language"], *rows])


def quantification(folder: Path, runs: list[str]) -> Path:
    """Make a folder of distributions: every name is a topic, those given are runs."""
    rng = np.random.default_rng(3)
    (folder / "runs").mkdir(parents=True)
    head = ["topic", *CLASSES]
    votes = rng.integers(1, 9, (len(NAMES), len(CLASSES))).tolist()
    rows = [[topic, *row] for topic, row in zip(NAMES, votes, strict=True)]
    (folder / "gold.csv").write_text(_csv([head, *rows]), encoding="utf-8")
    for run in runs:
        noisy = rng.integers(1, 9, (len(NAMES), len(CLASSES))) + 2 * np.array(votes)
        rows = [[topic, *row] for topic, row in zip(NAMES, noisy.tolist(), strict=True)]
        (folder / "runs" / f"{run}.csv").write_text(_csv([head, *rows]), encoding="utf-8")
    (folder / "classes.txt").write_text(_csv([[label] for label in CLASSES]), encoding="utf-8")
    (folder / "runs.csv").write_text(_groups(runs), encoding="utf-8")
    return folder


def long_scores(path: Path, measures: list[str]) -> Path:
    """Write scores: every name is a run and a group, some are topics, those given are measures."""
    rng = np.random.default_rng(5)
    body = [
        [measure, topic, run, float(rng.integers(0, 1000)) / 1000]
        for measure in measures
        for topic in NAMES[::8]
        for run in NAMES
    ]
    path.write_text(_csv([["measure", "topic", "run", "score"], *body]), encoding="utf-8")
    (path.parent / "runs.csv").write_text(_groups(NAMES), encoding="utf-8")
    return path


def measures(path: Path, names: list[str]) -> list[str]:
    """Write a Python file with measures of these names; return how options name them."""
    path.write_text(
        "import numpy as np\n"
        "from ordbook.measures import custom_measure\n\n\n"
        "def largest(gold, estimate):\n"
        "    return np.abs(gold - estimate).max(axis=-1)\n\n\n"
        + "".join(
            f"M{k} = custom_measure({name!r}, largest, better='low')\n"
            for k, name in enumerate(names)
        ),
        encoding="utf-8",
    )
    return [f"{path}:M{k}" for k in range(len(names))]


# What LaTeX shows for the commands that stand for a sign.
LATEX_SIGNS = {
    "textbackslash": "\\",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "textasciigrave": "`",
    "textquotesingle": "'",
    "char34": '"',
}
