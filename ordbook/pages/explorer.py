"""Three explorers: distributions, labels, and the luck of the topics.

They are made here and moved by the scripts in ``book/_static/explorer``, which compute what
`ordbook.measures` and `ordbook.meta` compute (tested to 1e-12). Without JavaScript they are tables.
"""

import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from itertools import groupby
from typing import Any

import numpy as np
from scipy.spatial.distance import pdist

from ordbook.data.scores import ScoreMatrix, committed_scores
from ordbook.measures import QUANTIFICATION
from ordbook.measures.components import SUPPORT_TOLERANCE
from ordbook.measures.registry import Measure, by_default, of_paper
from ordbook.meta.kendall import kendall_tau
from ordbook.meta.variances import residual_variances
from ordbook.pages.templates import render

# The page that has the whole of each explorer, and what it opens with.
PAGES = {
    "distributions": "explorer.html",
    "labels": "explorer_labels.html",
    "luck": "explorer_luck.html",
}
START = {"distributions": "week-bold", "labels": "bold", "luck": "five"}
SCRIPTS = {
    "distributions": ("measures.js", "charts.js"),
    "labels": ("confusion.js", "charts.js"),
    "luck": ("samples.js",),
}
# What is shown where there is little room, on a projector or in a chapter.
CHIEF = {
    *("RPS", "NMD", "RNOD", "NVD", "RNSS", "JSD"),
    *("kappa", "MAE_M", "MAE_mu", "alpha_ord", "QWK", "accuracy"),
}
PARTS = {"distributions": ("nmd", "rnod", "farther"), "labels": ("kappa", "alpha_ord"), "luck": ()}
# The section of the chapter on measures that defines each measure.
SECTIONS = {
    **dict.fromkeys(("NMD", "RPS"), "measures.html#measures-nmd"),
    "RNOD": "measures.html#measures-rnod",
    **dict.fromkeys(("RSNOD", "RNADW"), "by_hand.html#measures-relatives"),
    **dict.fromkeys(("RNOD2", "RNADW2"), "by_hand.html#measures-gold-mass"),
    "NVD": "measures.html#measures-nominal",
    **dict.fromkeys(("RNSS", "JSD"), "by_hand.html#measures-bins"),
    **dict.fromkeys(("DNKT", "DNKT_JSD", "DNKT_NMD", "DNKT_RNOD"), "by_hand.html#measures-dnkt"),
    **dict.fromkeys(("accuracy", "MAE_M", "MAE_mu"), "measures.html#measures-mae"),
    "CEM_ORD": "by_hand.html#measures-cem",
    "kappa": "measures.html#measures-kappa",
    **dict.fromkeys(("QWK", "alpha_ord", "alpha_int"), "by_hand.html#measures-alpha"),
    **dict.fromkeys(("F1_M", "HMPR"), "by_hand.html#measures-f1"),
}
# The runs whose luck is tried; the measures are those that ACL'21 compares.
TASKS: Mapping[str, tuple[str, Sequence[str]]] = {
    "sem16t4e": (
        "Distributions: SemEval-2016 4E",
        of_paper("acl21", "quantification"),
    ),
    "sem16t4c": ("Labels: SemEval-2016 4C", of_paper("acl21", "classification")),
}
SIZES = (5, 10, 20, 30, 40, 50)
ALPHA = 0.05
# Short enough to stand beside a picture.
NAMES = {
    "_baseline-0-0-0-1-0": "baseline 1",
    "_baseline-average-on-train+dev+devtest": "baseline mean",
    "_baseline-majority-0": "baseline 0",
}


def presets(page: str) -> list[dict[str, Any]]:
    """Return the presets of a page, most of them from the papers.

    Each has an ``id``, which links call it by, and ``about``, which says where it comes from; of
    ``distributions`` also ``group``, ``name``, ``gold`` and ``estimate``, of ``labels`` ``group``,
    ``name`` and ``counts`` (gold by predicted), of ``luck`` ``task``, ``measure``, ``topics`` (in
    each sample) and ``draw``.
    """
    text = files("ordbook.pages").joinpath(f"explorer_{page}.json").read_text(encoding="utf-8")
    loaded: list[dict[str, Any]] = json.loads(text)
    return loaded


def explorer(kind: str, *, part: str | None = None, start: str | None = None) -> str:
    """Return an explorer in HTML.

    Parameters
    ----------
    kind
        ``distributions``, ``labels`` or ``luck``.
    part
        The one picture that is shown, such as ``rnod``; without it, the whole explorer.
    start
        The preset that it opens with.

    Returns
    -------
    str
        A section with its style sheet and scripts.

    Raises
    ------
    ValueError
        If there is no such explorer, part or preset.

    Examples
    --------
    >>> 'data-measure="RNOD"' in explorer("distributions", part="rnod", start="week-careful")
    True
    """
    if kind not in PAGES:
        raise ValueError(f"there is no explorer {kind}; there are {', '.join(PAGES)}")
    if part is not None and part not in PARTS[kind]:
        known = ", ".join(PARTS[kind]) or "none"
        raise ValueError(f"the explorer of {kind} has no part {part}; it has {known}")
    loaded = presets(kind)
    chosen = next((one for one in loaded if one["id"] == (start or START[kind])), None)
    if chosen is None:
        names = ", ".join(one["id"] for one in loaded)
        raise ValueError(f"the explorer of {kind} has no preset {start}; it has {names}")
    data, values = {"distributions": _distributions, "labels": _labels, "luck": _luck}[kind](chosen)
    by_group = groupby(loaded, key=lambda preset: str(preset.get("group")))
    return render(
        f"explorer_{kind}.html.j2",
        data={"presets": loaded, "start": chosen["id"], **data},
        presets=[(group, list(some)) for group, some in by_group],
        scripts=("library.js", *SCRIPTS[kind], f"{kind}.js"),
        sections=SECTIONS,
        start=chosen,
        chief=CHIEF,
        page=PAGES[kind],
        part=part,
        hidden=" hidden" if part else "",
        only=lambda view: " hidden" if part and view != part else "",
        **values,
    )


def _distributions(start: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the values for the scripts and for the template of the explorer of distributions."""
    classes = range(3, 10)
    limits = {name: {n: m.bounds(n)[1] for n in classes} for name, m in QUANTIFICATION.items()}
    scores = {
        name: float(measure(start["gold"], start["estimate"]))
        for name, measure in QUANTIFICATION.items()
    }
    return {"limits": limits, "track": max(max(of.values()) for of in limits.values())}, {
        "classes": classes,
        "groups": _groups(QUANTIFICATION.values(), scores),
        # Those beside which the scripts may put a remark; their rows keep a line free for it.
        "remarks": ("RNOD", "RSNOD", "DNKT", "DNKT_JSD", "DNKT_NMD", "DNKT_RNOD"),
        "tolerance": f"{SUPPORT_TOLERANCE:g}",
    }


def _labels(start: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the values for the scripts and for the template of the explorer of labels."""
    classes, known = range(2, 8), by_default("classification")
    scores = {name: float(m.kernel(np.array(start["counts"]))) for name, m in known.items()}
    return {"limits": {name: {n: m.bounds(n) for n in classes} for name, m in known.items()}}, {
        "classes": classes,
        "groups": _groups(known.values(), scores),
        "remarks": ("MAE_M", "kappa", "alpha_ord", "alpha_int", "F1_M", "HMPR", "QWK"),
    }


def _luck(start: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the values for the scripts and for the template of the explorer of luck."""
    tasks = {name: _scores(name) for name in TASKS}
    _, topics, runs = tasks[start["task"]].values.shape
    return {
        "chief": sorted(CHIEF),
        "sets": {name: _packed(scores) for name, scores in tasks.items()},
        "sizes": SIZES,
        "critical": critical(runs, (*SIZES, topics)),
    }, {
        "first": _first_draw(tasks[start["task"]], start["topics"]),
        "pairs": runs * (runs - 1) // 2,
        "topics": topics,
    }


def critical(runs: int, topics: Iterable[int]) -> dict[int, float]:
    """Return, by number of topics, the studentised range of which .05 is the upper tail.

    Two runs differ by :func:`ordbook.parametric_tukey_hsd` where theirs is beyond it.
    """
    from scipy.stats import studentized_range  # takes a second

    return {n: float(studentized_range.isf(ALPHA, runs, (runs - 1) * (n - 1))) for n in topics}


def _groups(
    measures: Iterable[Measure], scores: Mapping[str, float]
) -> list[tuple[str, list[tuple[Measure, float]]]]:
    titles = {True: "Ordinal: they know the order of the classes", False: "Nominal: they do not"}
    scored = [(measure, scores[measure.name]) for measure in measures]
    return [(title, [m for m in scored if m[0].ordinal == o]) for o, title in titles.items()]


def _scores(task: str) -> ScoreMatrix:
    """Return the committed scores of a task by the measures that are shown."""
    scores = committed_scores(task)
    if scores is None:
        raise FileNotFoundError(f"data/scores has no {task}: reinstall ordbook")
    return scores.select(TASKS[task][1])


def _packed(scores: ScoreMatrix) -> dict[str, Any]:
    """Scores for the scripts: by measure in base64, topic after topic, in all their bits."""
    return {
        "title": TASKS[scores.task][0],
        "runs": [NAMES.get(run, run) for run in scores.runs],
        "measures": [
            {
                "measure": name,
                "better": scores.better[name],
                "scores": base64.b64encode(values.astype("<f8").tobytes()).decode(),
            }
            for name, values in zip(scores.measures, scores.values, strict=True)
        ],
    }


def _first_draw(scores: ScoreMatrix, size: int) -> list[dict[str, Any]]:
    """Return the first draw of the page: every other topic, and the topics between."""
    samples = [scores.values[:, first::2][:, :size] for first in (0, 1)]
    beyond = critical(len(scores.runs), [size])[size]
    limits = [beyond * np.sqrt(residual_variances(values)[1] / size) for values in samples]
    rows = []
    for k, name in enumerate(scores.measures):
        a, b, whole = (values[k].mean(axis=0) for values in (*samples, scores.values))
        scale = scores.scale[k]
        tau, tau_all = (kendall_tau(a / scale, other / scale) for other in (b, whole))
        pairs = [
            int((pdist(means[:, None], "cityblock") > limit[k]).sum())
            for means, limit in zip((a, b), limits, strict=True)
        ]
        rows.append({"measure": name, "tau": tau, "tau_all": tau_all, "pairs": pairs})
    return rows
