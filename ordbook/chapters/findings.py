"""The findings: claims as their papers state them, the votes of the sources, and the figures."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ordbook.advice.claims import WORDS, claims
from ordbook.advice.sources import by_source, committed_votes, short_name, sources
from ordbook.data.catalog import catalog
from ordbook.meta.halves import majority
from ordbook.show.colours import RIGHT, TIED, WIDTH, WRONG
from ordbook.show.run import list_sets

# Kind of task -> the word for what its runs give; distributions come first in the chapter.
KINDS: Mapping[str, str] = {"quantification": "distributions", "classification": "labels"}
STATED: Mapping[str, str] = {"papers": "papers' sources", "all": "all sources"}
# The claims that the story is about, a line for each.
EIGHT: Mapping[tuple[str, str], str] = {
    ("quantification", "rare"): "Contradictions are very rare",
    ("quantification", "popular"): "NMD favours a bet on the popular class",
    ("quantification", "dnkt"): "DNKT ranks runs least like the other measures",
    ("quantification", "ten"): "With ten topics RNOD is more consistent than NMD",
    ("quantification", "more"): "RNOD finds more differences than NMD",
    ("quantification", "alike"): "NMD and RSNOD rank runs alike",
    ("quantification", "nmd"): "NMD ranks runs least like the other five",
    ("classification", "alphas"): "Labels: kappa and alphas are most consistent",
}
# Vote over topics and vote over topics and runs -> marker, face, edge and size.
_FIRM = {
    1: ("o", RIGHT, RIGHT, 8.0),
    -1: ("X", WRONG, WRONG, 8.5),
}
_OVER_TOPICS = {
    1: ("o", "white", RIGHT, 8.0),
    -1: ("X", "white", WRONG, 8.5),
    0: ("o", TIED, TIED, 3.5),
}
_LEGEND = {
    "true as stated": ("s", "0.25", "0.25", 6.5),
    "holds, other topics": _OVER_TOPICS[1],
    "holds, other topics and runs": _FIRM[1],
    "false as stated": ("s", "white", "0.25", 6.5),
    "does not, other topics": _OVER_TOPICS[-1],
    "does not, other topics and runs": _FIRM[-1],
    "cannot be told": _OVER_TOPICS[0],
}


def start(seed: int = 0) -> None:
    """Check the parameter, and list the sources with their data sets."""
    lines = []
    for kind, word in KINDS.items():
        for source, names in sources(kind).items():
            sets = "; ".join(f"**{name}** ({catalog()[name].topics} topics)" for name in names)
            lines.append(f"- {word}, {source}: {sets}")
    list_sets(lines, seed)


def summary() -> pd.DataFrame:
    """Return the outcome of the committed votes, a row for each claim.

    Returns
    -------
    DataFrame
        By kind and claim: paper, section, says, short, stated and key of the claim; papers and all
        (whether it is true, as stated, of the sources from the papers' own domains, and of all);
        papers seen and all seen (the numbers that this rests on); topics and both (1, 0 or -1: the
        outcome of the sources' votes, over other topics, and over other topics and runs); asked
        (how many sources have runs enough for the latter).
    """
    committed = committed_votes()
    rows = {}
    for kind in KINDS:
        outcomes = {
            over: [majority(votes) for votes in by_source(kind, over).to_numpy().tolist()]
            for over in ("topics", "both")
        }
        asked = [number for number, _ in _asked(kind, "both")]
        known = committed[committed["kind"] == kind]
        places = [*zip(known["claim"], known["set"], strict=True)]
        whole = dict(zip(places, known["whole"], strict=True))
        seen = dict(zip(places, known["seen"], strict=True))
        for number, claim in enumerate(claims(kind)):
            rows[kind, number] = {
                **{"paper": claim.paper, "section": claim.section, "says": claim.says},
                **{"short": claim.short, "stated": claim.stated, "key": claim.key},
                **{group: whole[number, group] for group in STATED},
                **{f"{group} seen": seen[number, group] for group in STATED},
                **{over: outcome[number] for over, outcome in outcomes.items()},
                "asked": asked.count(number),
            }
    return pd.DataFrame.from_dict(rows, "index").rename_axis(["kind", "claim"])


def claim_numbers(kind: str, key: str, pattern: str) -> pd.DataFrame:
    r"""Return the numbers that a claim rests on, set by set.

    Parameters
    ----------
    kind, key
        Of the claim, as in ``claims.toml``.
    pattern
        Regular expression with a named group for each number in the committed text.

    Returns
    -------
    DataFrame
        By data set: the numbers; source; topics and both (its votes).

    Examples
    --------
    >>> ten = claim_numbers("quantification", "ten", r"RNOD (?P<RNOD>\S+), NMD (?P<NMD>\S+)")
    >>> ten.loc[["sem16t4e", "hanna-RE-shares"], ["RNOD", "NMD", "source", "topics"]]
                      RNOD    NMD   source  topics
    set
    sem16t4e         0.704  0.667   tweets       1
    hanna-RE-shares  0.559  0.627  stories      -1
    """
    committed = committed_votes()
    (number,) = [k for k, claim in enumerate(claims(kind)) if claim.key == key]
    rows = committed[(committed["kind"] == kind) & (committed["claim"] == number)]
    over = {name: rows[rows["over"] == name].set_index("set") for name in ("topics", "both")}
    numbers = over["topics"]["seen"].str.extract(pattern).astype(float)
    return numbers.assign(
        source=pd.Series(_sources_of(kind)),
        topics=over["topics"]["vote"].astype(int),
        both=over["both"]["vote"].astype(int),
    )


def firm_votes() -> pd.DataFrame:
    """Count the claims on which each data set has a firm vote.

    Returns
    -------
    DataFrame
        By kind and data set: claims (on which it has something to go by), topics (firm over other
        topics) and both (firm over topics and runs together; NaN where it has too few runs).
    """
    committed = committed_votes()
    rows = committed[(committed["over"] != "") & (committed["why"] != "nothing to go by")]
    firm = rows.assign(firm=rows["vote"].astype(int).ne(0).where(rows["why"] == ""))
    by_set = {over: part.groupby(["kind", "set"]) for over, part in firm.groupby("over")}
    table = {over: groups["firm"].sum(min_count=1) for over, groups in by_set.items()}
    return pd.DataFrame({"claims": by_set["topics"].size(), **table})


def eight(found: pd.DataFrame) -> Axes:
    """Draw the votes on :data:`EIGHT`, those for a claim first, and its outcome beside them.

    Parameters
    ----------
    found
        From :func:`summary`.
    """
    figure, axes = plt.subplots(figsize=(WIDTH, 5.2), layout="constrained")
    for y, ((kind, key), sentence) in enumerate(EIGHT.items()):
        claims_of = found.loc[kind].reset_index().set_index("key")
        claim = claims_of.loc[key].to_dict()
        number = int(claim["claim"])
        axes.text(-0.3, y - 0.42, sentence, fontsize=9.5, va="center")
        axes.text(9.3, y - 0.42, claim["paper"], fontsize=9, va="center", ha="right", color=TIED)
        verdict = "true as stated" if claim["all"] else "false as stated"
        _draw(axes, 0, y, _LEGEND[verdict])
        over_topics, over_both = (by_source(kind, over).loc[number] for over in ("topics", "both"))
        votes = sorted(zip(over_topics, over_both, strict=True), reverse=True)
        for place, vote in enumerate(votes):
            _draw(axes, 1.2 + 0.7 * place, y, _mark(*vote))
        over = ", topics and runs" if claim["both"] else ", other topics"
        outcome = WORDS[claim["topics"]] + over * bool(claim["topics"])
        axes.text(9.3, y, outcome, fontsize=9, va="center", ha="right")
    axes.set(xlim=(-0.4, 9.4), ylim=(len(EIGHT) - 0.5, -0.8))
    axes.set_axis_off()
    _legend(figure, [*_LEGEND], ncols=2)
    return axes


def overview(found: pd.DataFrame) -> Figure:
    """Draw a row for each claim and a mark for each source, the firmest claims first.

    Parameters
    ----------
    found
        From :func:`summary`.
    """
    columns = [*STATED.values(), *dict.fromkeys(s for kind in KINDS for s in sources(kind))]
    places = {name: k + 0.7 * (k >= len(STATED)) for k, name in enumerate(columns)}
    figure, axes = plt.subplots(figsize=(WIDTH, 1.7 + 0.205 * len(found)), layout="constrained")
    rows: list[tuple[float, str]] = []
    y = -1.0
    for kind, word in KINDS.items():
        y += 1.3
        rows.append((y, word))
        part = found[found.index.get_level_values("kind") == kind].droplevel("kind")
        part = part.sort_values(["both", "topics"], ascending=False, kind="stable")
        over_topics, over_both = (by_source(kind, over).to_dict() for over in ("topics", "both"))
        asked = _asked(kind, "topics")
        for number, claim in part.to_dict("index").items():
            y += 1
            rows.append((y, f"{claim['short']}, {claim['paper']}"))
            axes.axhline(y, color="0.88", lw=0.8, zorder=1)
            for group, column in STATED.items():
                if not pd.isna(claim[group]):
                    verdict = "true as stated" if claim[group] else "false as stated"
                    _draw(axes, places[column], y, _LEGEND[verdict])
            for source in sources(kind):
                if (number, source) in asked:
                    mark = _mark(over_topics[source][number], over_both[source][number])
                    _draw(axes, places[source], y, mark)
    axes.set_yticks([place for place, _ in rows], [text for _, text in rows], fontsize=8)
    for tick in axes.get_yticklabels():
        tick.set_fontweight("bold" if tick.get_text() in KINDS.values() else "normal")
    axes.set_xticks([*places.values()], [*places], rotation=90, fontsize=8)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.set(xlim=(-0.6, max(places.values()) + 0.6), ylim=(y + 0.6, -0.5))
    _legend(figure, [*_LEGEND], ncols=2)
    axes.spines[:].set_visible(False)
    return figure


def strips(panels: Mapping[str, pd.DataFrame], label: str, line: float) -> Figure:
    """Draw a row for each source and a mark for each of its sets, panel below panel.

    Parameters
    ----------
    panels
        Title -> value, source, topics and both of every set.
    label
        The values' meaning.
    line
        Where a dashed line is drawn.
    """
    heights = [frame["source"].nunique() + 0.6 for frame in panels.values()]
    figure, drawn = plt.subplots(
        len(panels),
        sharex=True,
        squeeze=False,
        figsize=(WIDTH, 1.4 + 0.23 * sum(heights)),
        height_ratios=heights,
        layout="constrained",
    )
    for axes, (title, frame) in zip(drawn.flat, panels.items(), strict=True):
        order = [*dict.fromkeys(frame["source"])]
        axes.hlines(
            range(len(order)), 0, 1, transform=axes.get_yaxis_transform(), color="0.9", lw=1
        )
        for row in frame.to_dict("records"):
            _draw(axes, row["value"], order.index(row["source"]), _mark(row["topics"], row["both"]))
        axes.axvline(line, color=TIED, lw=1.2, ls="--", zorder=0)
        axes.set_yticks(range(len(order)), order)
        axes.set_ylim(len(order) - 0.5, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.set_title(title, loc="left", fontsize="medium", fontweight="bold")
        axes.spines[["top", "right", "left"]].set_visible(False)
    drawn[-1, 0].set_xlabel(label)
    _legend(figure, [*_LEGEND][1:3] + [*_LEGEND][4:], ncols=2)
    return figure


def ten_topics(ten: pd.DataFrame) -> Axes:
    """Draw the mean tau of RNOD and NMD with ten topics, a mark for each set.

    Parameters
    ----------
    ten
        RNOD, NMD, source, topics and both of every set.
    """
    figure, axes = plt.subplots(figsize=(WIDTH, 0.95 * WIDTH), layout="constrained")
    ends = (0.15, 0.9)
    axes.plot(ends, ends, color=TIED, lw=1.2, ls="--", zorder=0)
    for row in ten.to_dict("records"):
        _draw(axes, row["RNOD"], row["NMD"], _mark(row["topics"], row["both"]))
    corners = ten.groupby("source")[["RNOD", "NMD"]].max()
    for source, x, y in zip(corners.index, corners["RNOD"], corners["NMD"], strict=True):
        axes.annotate(source, (x, y), (9, -3), textcoords="offset points")
    axes.set(xlabel="mean tau by RNOD", ylabel="mean tau by NMD", xlim=ends, ylim=ends)
    _legend(figure, ["holds, other topics", "does not, other topics", "cannot be told"], ncols=3)
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def label_of(name: str, runs: int) -> str:
    """Name a set with its number of runs, for figures."""
    return f"{short_name(name)} ({runs} runs)"


def _sources_of(kind: str) -> dict[str, str]:
    return {name: source for source, names in sources(kind).items() for name in names}


def _asked(kind: str, over: str) -> set[tuple[int, str]]:
    """Return the claims and sources with a set whose halves could be asked."""
    committed = committed_votes()
    rows = committed[(committed["kind"] == kind) & (committed["over"] == over)]
    rows = rows[rows["why"] == ""]
    names = rows["set"].map(_sources_of(kind))
    return set(zip(rows["claim"].tolist(), names.tolist(), strict=True))


def _mark(topics: int, both: int) -> tuple[str, str, str, float]:
    return _FIRM[both] if both else _OVER_TOPICS[topics]


def _draw(axes: Axes, x: float, y: float, mark: tuple[str, str, str, float]) -> None:
    marker, face, edge, size = mark
    axes.plot(x, y, marker, ms=size, mfc=face, mec=edge, mew=1.3, zorder=2)


def _legend(figure: Figure, words: list[str], ncols: int) -> None:
    handles = [
        Line2D([], [], ls="", marker=marker, mfc=face, mec=edge, mew=1.3, ms=size, label=word)
        for word in words
        for marker, face, edge, size in [_LEGEND[word]]
    ]
    figure.legend(
        handles=handles,
        loc="outside lower center",
        ncols=ncols,
        frameon=False,
        handletextpad=0.1,
        columnspacing=1,
        fontsize=8.5,
    )
