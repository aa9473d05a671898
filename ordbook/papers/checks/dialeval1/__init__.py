"""The checks of the NTCIR-15 DialEval-1 overview: 29 tables and the text.

Contents
--------
relations   every check
ERRATA      what they broke on
unreached   why no check reaches a number
"""

from typing import Literal

from ordbook.papers.checks.dialeval1 import (
    bootstrap,
    claims,
    pvalues,
    significance,
    tables,
    text,
)
from ordbook.papers.checks.dialeval1.layout import said
from ordbook.papers.checks.places import DIALEVAL1
from ordbook.papers.errata import Erratum
from ordbook.papers.relations import Cell, Printed, Relation


def relations(printed: Printed) -> list[Relation]:
    """Return every check of the overview's numbers."""
    return [
        *tables.relations(printed),
        *bootstrap.relations(printed),
        *text.relations(printed),
        *pvalues.relations(printed),
        *significance.relations(printed),
        *claims.relations(printed),
    ]


ERRATA: tuple[Erratum, ...] = (
    Erratum(
        "dialeval1-tua1-run2",
        (said("s5.1", "TUA1-run2 vs BL-lstm in NMD for A-score", "claim"),),
        "misprint",
        "TUA1-run2 is not significantly better than BL-LSTM in NMD for A-score: TUA1-run0 is.",
        "Table 14 does not list the pair. Its means (Table 4) differ by .1598 - .1412 = .0186, and "
        "the smallest difference that Table 14 lists is .0198. TUA1-run0 is listed (p = .0344); "
        "TUA1-run2 is in terms of RSNOD (Table 15, p = .0297).",
    ),
    Erratum(
        "dialeval1-p-bound",
        (said("s5.1", "IMTKU-run2 outperforms the baselines in NMD (Chinese DQ)", "p"),),
        "misprint",
        "The significance level is printed as p < 0.5 instead of p < 0.05.",
        "The largest p in Tables 14 to 29 is .0434, and what they do not list begins just above "
        ".05: in Table 14 the largest unlisted difference (.0194, smallest listed .0198) has p of "
        "about .052 by the studentised range that fits the printed p. At .5 it would be listed.",
    ),
    Erratum(
        "dialeval1-table13-caption",
        (said("table13 caption", "language of the runs", "claim"),),
        "misprint",
        "The caption of Table 13 says Chinese runs; they are the English ones.",
        "Its tau are .944 = 34/36, .833 = 30/36, .778 = 28/36 and .889 = 32/36, those of the 9 "
        "runs of Tables 9 to 12. Of 13 Chinese runs tau is a multiple of 1/78: .944 x 78 = 73.6.",
    ),
    Erratum(
        "dialeval1-table8-reference",
        (said("s5.2", "table of English rank correlations", "tables"),),
        "misprint",
        "Section 5.2 refers to Table 8 for the English runs; they are in Table 13.",
        "Table 8's tau are those of the 13 Chinese runs (.692 = 54/78), which 9 English runs "
        "cannot have (.692 x 36 = 24.9); Table 13's follow from Tables 9 to 12.",
    ),
    Erratum(
        "dialeval1-top-english",
        (said("s5.2", "top English vs top Chinese run", "claim"),),
        "claim",
        "The top English run is better, not worse, than the top Chinese run in the S-score.",
        "Tables 5 and 10: English IMTKU-run0 .1892 (RSNOD) and .1250 (NMD), Chinese IMTKU-run2 "
        ".1918 and .1254; smaller is better. The other six comparisons are as the sentence says.",
    ),
    Erratum(
        "dialeval1-equation8",
        (said("s3.2", "JSD formula", "equation 8"),),
        "misprint",
        "Eq. 8 has KLD(p_M||p*) where Jensen-Shannon divergence has KLD(p*||p_M).",
        "As printed it is not symmetric, which Section 3.1.2 says of JSD, does not give SIGIR'18's "
        "worked example (.0390), and is infinite for BL-uniform as soon as one class of one turn "
        "has no vote, where Tables 7 and 12 print a mean of .2858.",
    ),
    Erratum(
        "dialeval1-resamples",
        (said("footnote2", "kendall.ci B", "trials"),),
        "open",
        "Seven of the sixteen limits of tau are not what B = 10,000 resamples give.",
        "kendall.ci takes the 250th smallest and largest of 10,000 tau: 2.5 percent, give or take "
        ".5. In the bootstrap of the printed rankings the lower limits of Table 8 A, S, ND and "
        "Table 13 S, E, ND cut off 0.5 to 1.6 percent, and in Table 8 A only 1.7 percent reach "
        "the upper limit 1.000. About 100 resamples explain all sixteen; else seven are off.",
    ),
)

REASONS: dict[tuple[str, str], str] = {
    ("3", "Source"): "where the dialogues come from, which no number speaks about",
    ("s5.1", "STC-3 runs better than BL-lstm"): (
        "needs the participants' runs of STC-3, of which two were published, as far as we know"
    ),
    ("s2.1", "Figure 1 rounds"): "counted in Figure 1, an image",
    ("s2.3", "unique features"): "counts the items of the list that follows",
    ("s3.2", "ND alpha"): (
        "a parameter of the ND scores, whose runs were not published, as far as we know"
    ),
    ("s3.3", "online evaluation share of test data"): "a rule of the task",
    ("s3.3", "online predictions per language and subtask"): "a rule of the task",
}
HIDDEN = {REASONS["s5.1", "STC-3 runs better than BL-lstm"]}


def unreached(cell: Cell) -> tuple[Literal["not reached", "stated"], str]:
    """Say why no check reaches a number of the overview."""
    if cell.paper != DIALEVAL1.name:
        raise ValueError(f"{cell} is not in the DialEval-1 overview")
    reason = REASONS.get((cell.table, cell.row), "nothing else in the five papers speaks about it")
    return ("not reached" if reason in HIDDEN else "stated"), reason
