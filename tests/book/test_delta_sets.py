"""Score deltas of several data sets, and what is known of the paper's own."""

import numpy as np
import pandas as pd

from ordbook.book import delta_sets
from ordbook.data.printed import printed_values
from ordbook.meta.deltas import quadrants


def frames():
    rng = np.random.default_rng(5)
    columns = ["NMD", "RNOD", "NVD"]
    return {
        name: pd.DataFrame(rng.standard_normal((topics, 3)), columns=columns)
        for name, topics in (("E", 30), ("$S$", 50))
    }


def test_a_panel_for_every_set_and_measure_with_its_counts():
    sets = frames()
    figure = delta_sets.scatter(sets, "NMD", ["RNOD", "NVD"])
    panels = figure.axes
    assert len(panels) == 4
    wanted = [(name, other) for other in ("RNOD", "NVD") for name in sets]
    for axes, (name, other) in zip(panels, wanted, strict=True):
        assert axes.get_xlabel() == f"ΔNMD, {name}"
        assert axes.get_ylabel() == f"Δ{other}"
        drawn = sum(len(line.get_xdata()) for line in axes.lines if line.get_gid() == "topics")
        assert drawn == len(sets[name])
        found = quadrants(sets[name], "NMD", other)
        texts = [text.get_text() for text in axes.texts]
        for count in (found.first, found.second, found.third, found.fourth):
            assert str(count) in texts
    figure.canvas.draw()


def test_what_is_known_of_the_lost_counts_agrees_with_what_is_printed():
    known = delta_sets.deduced()
    assert list(known.index) == ["1(a)", "1(b)", "1(c)", "1(d)", "2(a)", "2(b)", "2(c)"]
    assert known["measures"]["2(b)"] == "RNOD, RNSS"
    assert "lost" not in known.to_numpy()
    # Section 5.3: 75 and 2 dialogues; and from 62 to 78 over the panels of Figure 1.
    assert known.loc["1(d)", ["2nd quadrant", "4th quadrant"]].tolist() == ["75", "2"]
    ends = [int(n) for text in known["2nd quadrant"][:4] for n in text.split(" to ")]
    assert (min(ends), max(ends)) == (62, 78)
    text = printed_values("lq21", "s5.3")["printed"].str.cat(sep=" ")
    assert "62" in text
    assert "78" in text
