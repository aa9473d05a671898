"""LQ'21 Table 5: contradictions between the baselines of STC-3."""

import ordbook as ob


def test_nobody_contradicts_anybody_on_stc3_dq_e(doubled):
    assert ob.contradictions(ob.tukey_hsd(doubled("stc3-dq-e"), 20_000)).empty
