"""LQ'21 (A Closer Look at Evaluation Measures for Ordinal Quantification): all its checks.

Contents
--------
relations   every check
ERRATA      what they break on
unreached   why no check reaches a number
"""

from typing import Literal

from ordbook.data.catalog import catalog
from ordbook.papers.checks.lq21.claims import agreement, power, preferences, systems
from ordbook.papers.checks.lq21.contradictions import contradictions
from ordbook.papers.checks.lq21.definitions import example, formulas, properties, references
from ordbook.papers.checks.lq21.dialogues import section
from ordbook.papers.checks.lq21.elsewhere import by_both, discordant, other_papers, overview
from ordbook.papers.checks.lq21.sets import QUESTIONED, feasible, left_over
from ordbook.papers.checks.lq21.tables import at, data_and_power, names, overlap, overlaps
from ordbook.papers.checks.lq21.text import quantities, repeated, without_contradictions
from ordbook.papers.checks.lq21.votes import joint, wins
from ordbook.papers.errata import Erratum
from ordbook.papers.relations import Cell, Printed, Relation


def relations(printed: Printed) -> list[Relation]:
    """Return the checks of the paper, each on every number that it fits.

    Parameters
    ----------
    printed
        All printed numbers, of the other papers too.
    """
    tables = [*names(printed), *data_and_power(printed), *overlaps(printed)]
    tables += [*contradictions(printed), *wins(printed)]
    programmes = [*feasible(printed), *left_over(printed), *joint(printed)]
    text = [*repeated(printed), *without_contradictions(), *quantities(printed)]
    text += [*formulas(printed), *references(), *example(), *section(printed)]
    words = [*power(printed), *agreement(printed), *preferences(printed), *properties()]
    words += systems()
    others = [*other_papers(printed), *discordant(printed)]
    others += [*overview(printed), *by_both(printed)]
    return tables + others + programmes + text + words


ERRATA: tuple[Erratum, ...] = (
    Erratum(
        name="lq21-table4h-nvd",
        cells=tuple(
            overlap("h", pair, what) for pair in QUESTIONED for what in ("SSO", "a", "b", "c")
        ),
        kind="misprint",
        title="Table 4(h), NVD with RNSS and JSD, repeats the eight numbers of the row above.",
        derivation=(
            "a + b is 4 + 121 and 5 + 120, but NVD finds 120 differences (Table 3, Section 5.1, "
            "the other three cells of NVD); 125 is the number of RNOD, whose row above has the "
            "same eight. The other counts leave b = 114 to 117 with RNSS (SSO 84.4 to 88.6) and "
            "113 to 118 with JSD (84.3 to 91.5). No page image was seen: the text extraction "
            "could also have copied the row, though it shows that fault nowhere else."
        ),
    ),
    Erratum(
        name="lq21-table4gh-both",
        cells=tuple(overlap(part, ("NMD", "RSNOD"), "b") for part in "gh"),
        kind="open",
        title="DialEval-1's means leave other numbers of pairs that NMD and RSNOD both find.",
        derivation=(
            "In a Tukey HSD test all pairs of a measure share one null distribution, so its S_D "
            "significant pairs are those with the largest differences of means. With the means "
            "of DialEval-1 (Tables 4 to 6 and 9 to 11) and the S_D of Table 3, NMD and RSNOD share "
            "100 pairs in DQ-E, printed is 101, and 76 to 80 in DQ-S, printed is 74. The scores "
            "behind the two papers seem to differ; which are right cannot be told."
        ),
    ),
    Erratum(
        name="lq21-footnote2-symmetry",
        cells=(at("footnote2", "C* = C is sufficient for OD to be symmetric", "claim"),),
        kind="claim",
        title="A gold distribution without zeros does not make OD symmetric.",
        derivation=(
            "OD(p || p*) averages DW over the support of p*, OD(p* || p) over that of p; C* = C "
            "fixes the first only. Gold (.25, .25, .25, .25), estimate (1, 0, 0, 0): DW = .375, "
            ".75, 1.25, 1.875, so OD is 1.0625 one way and .375 the other. Equal supports would "
            "be sufficient."
        ),
    ),
    Erratum(
        name="lq21-table5-part",
        cells=(at("s5.2", "STC-3 DQ-A: table with the contradictions", "reference"),),
        kind="misprint",
        title="Section 5.2 refers to Table 5(a); the part is Table 5(I).",
        derivation=(
            "Table 5 has the parts (I) to (V). The four contradictions of STC-3 DQ-A that the "
            "sentence lists are those of Table 5(I), as the paragraph before says."
        ),
    ),
    Erratum(
        name="lq21-appendix-case",
        cells=(at("appendix", "third case (p1* = 0): label", "reference"),),
        kind="misprint",
        title="The third case of the appendix is labelled Case 2 as well.",
        derivation=(
            "The proof announces three cases: both gold probabilities positive (Case 1), p1* = 1 "
            "(Case 2) and p1* = 0, which is labelled Case 2 again and must be Case 3."
        ),
    ),
    Erratum(
        name="lq21-appendix-equation",
        cells=tuple(
            at("appendix", f"{case}: equation", "reference")
            for case in ("Case 2 (p1* = 1)", "third case (p1* = 0)")
        ),
        kind="misprint",
        title="Two cases of the appendix refer to Eq. 14 where Eq. 13 is meant.",
        derivation=(
            "Both cases give OD(p || p*), so what holds for them 'as well' as in Case 1 is Eq. 13, "
            "RNOD(p || p*) = |p_1 - p*_1|. Eq. 14 is about RNOD(p* || p), derived afterwards."
        ),
    ),
)

# Cells that nothing else speaks about: (table, row) -> why; an empty row stands for all rows.
STATED = {
    ("s1", "families of measures suitable for OQ"): "a judgement of the literature",
    ("footnote3", ""): "describes runs of SemEval",
    ("caption3", "percentages in bold: at or above"): "the bold type is lost in the extraction",
    ("caption4", "percentages in bold: at or above"): "the bold type is lost in the extraction",
    ("caption3", "percentages underlined: below"): "a rule for the print",
    ("s5.3", "STC-3 DQ-A NMD: data set name"): "a name, meant is STC-3 DQ-A",
    ("2", "STC-3 DQ-{A, E, S}"): "describes a data set",
}


def unreached(cell: Cell) -> tuple[Literal["not reached", "stated"], str]:
    """Say why no check reaches a number of the paper."""
    reason = STATED.get((cell.table, cell.row)) or STATED.get((cell.table, ""))
    if reason:
        return "stated", reason
    if cell.row == "NMD with NVD RNSS JSD: lower correlations than RNOD":
        pack = catalog()["acl21-pack"].published()
        return "not reached", (
            "the correlations stand in lost figures; to compute them needs scores on DialEval-1, "
            f"as in the score matrices of ACL'21, {pack}"
        )
    raise ValueError(f"{cell}: no check reaches it, and no reason is given")
