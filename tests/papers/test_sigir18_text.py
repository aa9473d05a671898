"""SIGIR'18 Section 3: the example of X and Y, and the cases of Figure 1."""

import itertools

import numpy as np

import ordbook as ob
from ordbook.data.printed import printed_values
from ordbook.measures.components import vd

GOLD = np.full(5, 0.2)
MEASURES = {"VD": vd, "RNSS": ob.rnss, "JSD": ob.jsd}


def test_no_other_distribution_in_hundredths_has_the_scores_of_y():
    head = np.array(list(itertools.combinations_with_replacement(range(51), 4)))
    last = 100 - head.sum(axis=1)
    sorted_ones = np.column_stack([head, last])[last >= head[:, 3]] / 100
    fits = np.ones(len(sorted_ones), dtype=bool)
    printed = printed_values("sigir18", "s3.1").query("row == 'example System Y'")
    texts = printed.set_index("column")["printed"]
    for name, measure in MEASURES.items():
        half = 0.5 * 10.0 ** -len(texts[name].partition(".")[2])
        fits &= np.abs(measure(GOLD, sorted_ones) - float(texts[name])) <= half + 1e-9
    assert sorted_ones[fits].tolist() == [[0.1, 0.1, 0.2, 0.2, 0.4]]
