"""Ten findings: claims as rules, what eight data sets say of each, and the figures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from IPython.display import Markdown, display
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from ordbook.chapters import dnkt, your_data
from ordbook.chapters.your_data import (
    GROUP_A,
    GROUP_B,
    NINE_OQ,
    Evidence,
    Rule,
    Studied,
    blind,
    constant_runs,
    judge,
    order,
    outlier,
    rare,
)
from ordbook.data.loading import load
from ordbook.data.scoring import score
from ordbook.meta.consistency import ranking_consistency
from ordbook.papers.symbols import SIX
from ordbook.show.colours import RIGHT, TIED, WIDTH, WRONG
from ordbook.show.parameters import check_number

NINE_OC = (*GROUP_A, *GROUP_B, "CEM_ORD")
# Catalogue names, and what readers call them: distributions, then labels.
DISTRIBUTIONS: Mapping[str, str] = {
    "sem16t4e": "tweets",
    "stc3-dq-a": "dialogues A",
    "stc3-dq-e": "dialogues E",
    "stc3-dq-s": "dialogues S",
    "fair-oq": "survey",
    "dbdc3": "breakdowns",
}
LABELS: Mapping[str, str] = {"sem16t4c": "tweets, labels", "fair-oc": "survey, labels"}
SETS: Mapping[str, str] = {**DISTRIBUTIONS, **LABELS}
STATUSES = ("holds", "cannot be told", "contradicted")
TRIALS, SPLITS = 5000, 1000
# Rules are applied to parts of the data a hundred times: these are enough there.
FEWER_TRIALS, FEWER_SPLITS = 500, 200
_MARKS = {
    "holds": ("o", RIGHT, RIGHT),
    "cannot be told": ("o", "white", TIED),
    "does not hold": ("X", WRONG, WRONG),
}


def measures_of(seen: Evidence) -> tuple[str, ...]:
    """Return the papers' measures for a kind of task: six for distributions, nine for labels."""
    return SIX if "NMD" in seen.scores.measures else NINE_OC


def with_ten_topics(seen: Evidence, measures: Iterable[str]) -> dict[str, float]:
    """Return mean tau between the rankings by two samples of ten topics, by measure."""
    part = seen.scores.select(measures)
    found = ranking_consistency(part, 10, SPLITS, seen.seed, threads=1).mean
    return {str(name): float(tau) for name, tau in found.items()}


def steadier_with_ten(one: str, other: str) -> Rule:
    """One measure ranks the runs more steadily than another with ten topics."""

    def look(seen: Evidence) -> tuple[bool, str]:
        tau = with_ten_topics(seen, [one, other])
        return bool(tau[one] > tau[other] + 1e-9), f"{tau[one]:.3f}, {tau[other]:.3f}"

    return Rule(f"with ten topics {one} is more consistent than {other}", look)


def topic_range(seen: Evidence) -> tuple[float, float]:
    """Return the least consistency with half of the topics, and the greatest with ten."""
    names = measures_of(seen)
    return min(seen.consistency[m] for m in names), max(with_ten_topics(seen, names).values())


def topics_make_up() -> Rule:
    """Half of the topics make the least steady measure steadier than the best with ten."""

    def look(seen: Evidence) -> tuple[bool, str]:
        least, most = topic_range(seen)
        return least > most + 1e-9, f"{least:.3f}, {most:.3f}"

    text = "the least consistent measure with half of the topics is above the best with ten"
    return Rule(text, look)


def a_variant_is_steadier() -> Rule:
    """One of the three variants of RNOD ranks the runs more steadily than RNOD."""

    def look(seen: Evidence) -> tuple[bool, str]:
        best, mine = max(seen.consistency[v] for v in dnkt.RIVALS[:3]), seen.consistency["RNOD"]
        return best > mine + 1e-9, f"{best:.3f}, {mine:.3f}"

    return Rule("the most consistent variant of RNOD is more consistent than RNOD", look)


@dataclass(frozen=True)
class Claim:
    """A sentence in a few words, the data sets that can speak about it, and its rule."""

    says: str
    sets: Sequence[str]
    rule: Rule


def _less(*gone: str) -> list[str]:
    return [name for name in SIX if name not in gone]


CLAIMS: Mapping[str, Claim] = {
    "rare": Claim("Shares: contradictions are rare", [*DISTRIBUTIONS], rare(SIX)),
    "dnkt": Claim("DNKT ranks unlike all others", [*DISTRIBUTIONS], outlier("DNKT", NINE_OQ)),
    "few": Claim(
        "Ten topics: RNOD steadier than NMD", [*DISTRIBUTIONS], steadier_with_ten("RNOD", "NMD")
    ),
    "kappa": Claim("Kappa is blind to constant runs", ["fair-oc"], blind()),
    "variant": Claim("A variant of RNOD is steadier", [*DISTRIBUTIONS], a_variant_is_steadier()),
    "labels": Claim("Labels: contradictions are rare", [*LABELS], rare(NINE_OC)),
    "topics": Claim("Topics make up for the measure", [*SETS], topics_make_up()),
    "nmd": Claim("NMD ranks unlike the others", [*DISTRIBUTIONS], outlier("NMD", SIX)),
    "order": Claim(
        "NMD, RSNOD: the least steady",
        [*DISTRIBUTIONS],
        order("consistency", _less("NMD", "RSNOD"), ["NMD", "RSNOD"]),
    ),
    "power": Claim(
        "RNOD, NVD: the most differences",
        [*DISTRIBUTIONS],
        order("differences", ["RNOD", "NVD"], _less("RNOD", "NVD"), tie=True),
    ),
}


def start(seed: int = 0) -> dict[str, Studied]:
    """Prepare the eight data sets, and say which they are."""
    check_number("seed", seed)
    data = {name: study(name, seed=seed) for name in SETS}
    lines = [
        f"- **{name}** ({SETS[name]}): {len(one.whole.scores.topics)} topics, "
        f"{len(one.whole.scores.runs)} runs"
        for name, one in data.items()
    ]
    end = f"- seed {seed}; ordbook {version('ordbook')}, numpy {np.__version__}"
    display(Markdown("\n".join([*lines, end])))
    return data


def study(name: str, halves: int = 100, seed: int = 0) -> Studied:
    """Study one of ``SETS``."""
    task = load(name)
    used = NINE_OC if name in LABELS else tuple(dict.fromkeys([*NINE_OQ, *SIX]))
    whole = Evidence(score(task).select(used), SPLITS, TRIALS, seed, constant=constant_runs(task))
    return your_data.study(whole, halves, FEWER_SPLITS, FEWER_TRIALS)


def judged(data: Mapping[str, Studied]) -> pd.DataFrame:
    """Return what :func:`judge` returns for every claim and data set."""
    rows = {
        (key, name): judge(claim.rule, data[name])
        for key, claim in CLAIMS.items()
        for name in claim.sets
    }
    found = pd.DataFrame.from_dict(rows, "index", columns=["seen", "halves", "runs", "verdict"])
    found.index = pd.MultiIndex.from_tuples(rows, names=["claim", "data set"])
    return found


def clashes(seen: Evidence) -> tuple[int, int]:
    """Count contradictions, and the differences that two measures both find."""
    pairs = seen.overlap.values()
    both = sum(pair["both"] for pair in pairs)
    return both - sum(pair["agreeing"] for pair in pairs), both


def apart(seen: Evidence, one: str, among: Sequence[str]) -> pd.Series:
    """Return the mean tau of a measure with the others, and the lowest of the others'."""
    means = pd.Series({a: np.mean([seen.tau[a][b] for b in among if b != a]) for a in among})
    return pd.Series({one: means[one], "lowest of the others": means.drop(one).min()})


def leads(data: Mapping[str, Studied]) -> pd.DataFrame:
    """Return RNOD's lead in mean tau on our data sets, as :func:`ordbook.chapters.dnkt.leads`."""
    gaps: dict[tuple[str, str], dict[str, float]] = {}
    for name in DISTRIBUTIONS:
        seen = data[name].whole
        found = seen.consistency, with_ten_topics(seen, ["RNOD", *dnkt.RIVALS])
        for rival in dnkt.RIVALS:
            for split, tau in zip(dnkt.SPLITS, found, strict=True):
                gaps.setdefault((rival, split), {})[name] = tau["RNOD"] - tau[rival]
    return pd.DataFrame(gaps).T


def overview(found: pd.DataFrame, status: Mapping[str, str]) -> Axes:
    """Draw a row for each claim of :func:`judged` and a mark for each data set, by status."""
    figure, axes = plt.subplots(figsize=(WIDTH, 5.2), layout="constrained")
    x = {name: k + 0.5 * (name in LABELS) for k, name in enumerate(SETS)}
    places, names, y, last = [], [], 0.0, ""
    for number, (key, word) in enumerate(status.items(), 1):
        if word != last:
            y += 1.9
            places.append(y - 0.95)
            names.append(word)
        else:
            y += 1
        last = word
        axes.axhline(y, color="0.85", lw=0.8, zorder=1)
        for name in CLAIMS[key].sets:
            marker, face, edge = _MARKS[str(found.loc[(key, name), "verdict"])]
            axes.plot(x[name], y, marker, ms=9, mfc=face, mec=edge, mew=1.4, zorder=2)
        places.append(y)
        names.append(f"{CLAIMS[key].says}  {number}")
    axes.set_yticks(places, names)
    for tick in axes.get_yticklabels():
        tick.set_fontweight("bold" if tick.get_text() in STATUSES else "normal")
    axes.set_xticks([*x.values()], [*SETS.values()], rotation=90)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.set(xlim=(-0.5, max(x.values()) + 0.5), ylim=(y + 0.6, 0.2))
    handles = [
        Line2D([], [], ls="", marker=m, mfc=face, mec=edge, mew=1.4, ms=8, label=word)
        for word, (m, face, edge) in _MARKS.items()
    ]
    figure.legend(
        handles=handles, loc="outside lower right", ncols=3, frameon=False, handletextpad=0.1
    )
    sns.despine(ax=axes, left=True, bottom=True)
    return axes
