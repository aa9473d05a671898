"""The first page of an edition: which measures to use on this task, and why.

Contents
--------
FirstPage   what the cells of the page show (:mod:`ordbook.book.first_notebook`)
"""

from functools import cached_property

import numpy as np
import pandas as pd
from IPython.display import Markdown, display

from ordbook.advice.choose import Advice, advise
from ordbook.advice.criteria import COMPARED, PROPERTIES, Needs, splits_of
from ordbook.advice.duplicates import distinct_runs
from ordbook.advice.grades import listing
from ordbook.book import show
from ordbook.book.chapters import split_classes
from ordbook.book.places import kind, load_part
from ordbook.data.catalog import RawDataMissing
from ordbook.data.nuggets import NuggetTask
from ordbook.data.scoring import score
from ordbook.measures import Measure, import_measures
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.design import topic_set_size, unfit
from ordbook.meta.significance import tukey_hsd
from ordbook.meta.similarity import ranking_similarity
from ordbook.meta.standings import standings
from ordbook.papers.montecarlo import split_sizes

# What ACL'21 recommends (Sections 5.4 and 6.4), as the page quotes it.
RECOMMENDED = {
    "classification": "kappa and alpha_ord together, with kappa as primary unless several runs "
    "always answer one class, and alpha_ord as primary then",
    "quantification": "RNOD as primary and NMD as secondary",
}


class FirstPage:
    """The task of an edition and what is found on it.

    Parameters
    ----------
    data, classes, own
        As the chapters take them.
    trials, splits
        Of the significance tests and of the consistency.
    """

    def __init__(self, data: str, classes: str, own: str, trials: int, splits: int) -> None:
        self.task = load_part("", data, split_classes(classes))
        self.kind = kind(self.task)
        self.own = tuple(m for m in import_measures(own) if m.kind == self.kind) if own else ()
        self.trials, self.splits = trials, splits
        simulated = self.task.provenance.source == "simulated"
        # What the captions of tables about these data begin with.
        self.word = "SIMULATED: " if simulated else ""
        names: list[str | Measure] = [*COMPARED.get(self.kind, ()), *self.own]
        self.scores = score(self.task, names or None)
        self.advice: Advice | None = None if isinstance(self.task, NuggetTask) else self._advise()

    def _advise(self) -> Advice:
        sizes = split_sizes(self.scores)
        steady = {
            name: ranking_consistency(self.scores, size, self.splits)
            for name, size in sizes.items()
        }
        tests = tukey_hsd(self.scores, self.trials)
        alike = ranking_similarity(self.scores)
        return advise(self.scores, tests, steady, alike, self.needs, own=self.own)

    @cached_property
    def needs(self) -> Needs:
        """What the task asks for; of scores alone only the kind is known."""
        try:
            return Needs.of(self.task)  # type: ignore[arg-type]
        except (RawDataMissing, AttributeError):
            return Needs(self.kind, len(getattr(self.task, "classes", ())))

    def lead(self) -> None:
        """Show the answer."""
        if self.advice is None:
            _say(
                "The classes of nuggets have no order, and the papers' criteria are about measures "
                "for ordered classes: there is no choice to recommend here. Below are the runs by "
                "{measures}.",
                measures=listing(self.scores.measures),
            )
            return
        found = self.advice
        head = f"**Primary: {_safe(found.primary)}.** " if found.primary else ""
        if found.secondary:
            head += f"**Secondary: {_safe(found.secondary)}.**"
        own = [f"{name}: {found.criteria['role'][name]}." for name in (m.name for m in self.own)]
        lines = [head, *(_safe(said) for said in (*found.why, *own))]
        lines.append(_safe(f"ACL'21 itself recommends {RECOMMENDED[self.kind]}."))
        display(Markdown("\n\n".join(filter(None, lines))))

    def doubts(self) -> None:
        """Show what speaks against leaning on the answer."""
        if self.advice is None:
            return
        lines = [f"- {_safe(doubt)}" for doubt in self.advice.doubts]
        text = "\n".join(lines) or "Nothing that this page looks at."
        display(Markdown(text))

    def properties(self) -> None:
        """Show the properties of the definitions."""
        if self.advice is None:
            return
        columns = {"order": "handles order", **{name: name for name in PROPERTIES}}
        criteria = self.advice.criteria
        ticks = criteria[[name for name in columns if name in criteria]].rename(columns=columns)
        ticks = ticks.replace({True: "yes", False: "no"})
        where = ", with two classes" if self.needs.classes == 2 else ""
        caption = f"What is true of the definitions{where}: " + "; ".join(
            f"{name}, {PROPERTIES[name]}" for name in PROPERTIES if name in criteria
        )
        display(show.table(ticks, f"{caption}.", "first-properties", stub="measure"))

    def numbers(self) -> None:
        """Show what the measures do on this task."""
        if self.advice is None:
            return
        found = self.advice.criteria
        kinds = splits_of(found)
        shown = found[[*kinds, "consistency", "significant", "power", "chosen", "role"]].copy()
        shown["chosen"] = [f"{share:.0%}" if share == share else "" for share in found["chosen"]]
        low, high = found["low"].astype(int), found["high"].astype(int)
        counts = found["significant"].astype(int)
        limits = (f"{n} ({a}–{b})" for n, a, b in zip(counts, low, high, strict=True))
        shown["significant"] = list(limits)
        pairs = len(self.scores.runs) * (len(self.scores.runs) - 1) // 2
        caption = (
            f"{self.word}Consistency and power on these data: mean tau between two samples of "
            f"topics ({self.splits:,} splits), and significant differences of {pairs} pairs of "
            f"runs, with the Monte-Carlo interval of {self.trials:,} trials. Chosen: in how many "
            "bootstrap samples of the topics the criteria choose the measure."
        )
        display(show.table(shown, caption, "first-numbers", stub="measure"))
        alike = found[["tau", "group", "contradicted"]].rename(columns={"tau": "mean tau"})
        caption = (
            f"{self.word}How the measures stand to each other: mean tau with the rankings of the "
            f"others and group{self._apart()}, and pairs of runs on which another measure finds "
            "the opposite, both with significance."
        )
        display(show.table(alike, caption, "first-others", stub="measure"))

    def _apart(self) -> str:
        """Say how many copies of runs were left out."""
        runs = len(self.scores.runs)
        kept = len(distinct_runs(self.scores).runs)
        return f" (of {kept} different runs of {runs})" if kept < runs else ""

    def glance(self) -> None:
        """Show the task at a glance."""
        task, needs = self.task, self.needs
        rows: dict[str, object] = {
            "task": task.name,
            "kind": self.kind,
            "topics": len(self.scores.topics),
            "runs": len(self.scores.runs),
        }
        if classes := getattr(task, "classes", ()):
            ordered = self.kind != "nuggets"
            rows["classes, lowest first" if ordered else "classes, in no order"] = listing(
                [str(label) for label in classes]
            )
        if needs.imbalance == needs.imbalance:
            times = f"{needs.imbalance:.3g}" if np.isfinite(needs.imbalance) else "infinitely many"
            rows["commonest gold class, times the rarest"] = times
        if self.kind == "classification":
            rows["runs that always answer one class"] = listing(needs.constant) or "none"
        rows |= {f"note {k}": note for k, note in enumerate(task.provenance.notes, 1)}
        frame = pd.DataFrame({"": {name: str(value) for name, value in rows.items()}})
        display(show.table(frame, f"{self.word}The task of this edition.", "first-glance"))

    def runs(self) -> None:
        """Show the runs by the measures chosen, with their ranks."""
        chosen = [m for m in (self._primary(), self._secondary()) if m] or list(
            self.scores.measures
        )
        means = self.scores.means()[chosen]
        table = pd.DataFrame(index=means.index)
        for measure in chosen:
            table[measure] = means[measure]
            table[f"rank by {measure}"] = standings(self.scores, measure).set_index("run")["rank"]
        table = table.sort_values(f"rank by {chosen[0]}", kind="stable")
        ends = listing([f"{m}, {self.scores.better[m]} is better" for m in chosen])
        caption = f"{self.word}Mean scores over topics: {ends}."
        display(show.table(table, caption, "first-runs", stub="run"))

    def topics(self) -> None:
        """Say how small a difference the topics at hand can find."""
        measure = self._primary()
        if not measure:
            return
        one = self.scores.select([measure])
        if reason := unfit(one):
            _say("This cannot be said: {reason}.", reason=reason)
            return
        found = topic_set_size(one, float(np.ptp(one.means()[measure]))).loc[measure]
        _say(
            "With {topics} topics and {runs} runs, a test at the 5% level has power 0.8 if best "
            "and worst run are at least {least} apart in {measure}; here they are {spread} apart.",
            topics=len(one.topics),
            runs=len(one.runs),
            least=f"{found['detectable']:.4f}",
            spread=f"{found['spread']:.4f}",
            measure=measure,
        )

    def chapters(self, names: str) -> None:
        """List the chapters of the edition."""
        lines = [f"- {{ref}}`{name}`" for name in names.split(",") if name]
        text = "Each is the book's, run on this task.\n\n"
        display(Markdown(text + "\n".join(lines)))

    def _primary(self) -> str:
        return self.advice.primary if self.advice else ""

    def _secondary(self) -> str:
        return self.advice.secondary if self.advice else ""


def _safe(text: str) -> str:
    return show.escape_markdown(text)


def _say(template: str, **values: object) -> None:
    display(show.prose(template, **values))
