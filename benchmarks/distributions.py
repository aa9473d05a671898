"""The quantification measures against SciPy, scikit-learn, QuaPy and mlquantify."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import quapy
from mlquantify import metrics as mlq
from scipy.spatial import distance
from scipy.stats import energy_distance, entropy, hmean, kendalltau, wasserstein_distance
from sklearn import metrics

import ordbook.measures as om
from benchmarks.comparison import Comparison, Function
from benchmarks.inputs import Pair

LN2 = float(np.log(2))

# -- theirs, where it takes more than a call -----------------------------------------------------


def gold_mass(gold: Sequence[float]) -> np.ndarray[Any, Any]:
    """DNKT Eq. 6 as it is printed, for mlquantify's ``distances``."""
    n = len(gold)
    return np.array(
        [
            [sum(gold[min(i, j) : max(i, j) + 1]) - (gold[i] + gold[j]) / 2 for j in range(n)]
            for i in range(n)
        ]
    ) * (1 - np.eye(n))


def scipy_nmd(g: Any, p: Any, n: int) -> float:
    """SciPy's Earth Mover's Distance with the classes at 0, 1, ..., over its largest value."""
    return float(wasserstein_distance(range(n), range(n), g, p) / (n - 1))


def scipy_steps(g: Any, p: Any, n: int) -> float:
    """SciPy's Earth Mover's Distance with steps of width 1, 2, ... between the classes."""
    places = np.cumsum(range(n))
    return float(wasserstein_distance(places, places, g, p) / places[-1])


def scipy_rps(g: Any, p: Any, n: int) -> float:
    """SciPy's energy distance is the root of twice the squared differences of the cumulatives."""
    return float(energy_distance(range(n), range(n), g, p) ** 2 / 2 / (n - 1))


def scipy_rps_steps(g: Any, p: Any, n: int) -> float:
    """The same, with steps of width 1, 2, ... between the classes."""
    places = np.cumsum(range(n))
    return float(energy_distance(places, places, g, p) ** 2 / 2 / places[-1])


def scipy_jsd(g: Any, p: Any, n: int) -> float:
    """SciPy gives the root of the divergence."""
    return float(distance.jensenshannon(g, p, base=2) ** 2)


def scipy_dnkt(g: Any, p: Any, n: int) -> float:
    """SciPy compares floats exactly, so rounding has to make the ties."""
    return float((1 - kendalltau(np.round(g, 12), np.round(p, 12)).statistic) / 2)


def hybrid(other: Function) -> Function:
    """Harmonic mean of SciPy's DNKT and another measure."""
    return lambda g, p, n: hmean([scipy_dnkt(g, p, n), other(g, p, n)])


def mlq_rnod(g: Any, p: Any, n: int) -> float:
    """mlquantify's RNOD."""
    return float(mlq.RNOD(g, p))


# -- which inputs ------------------------------------------------------------------------------


def _uniform(pair: Pair) -> bool:
    return bool(min(np.ptp(np.round(pair.gold, 12)), np.ptp(np.round(pair.estimate, 12))) == 0)


def _not_uniform(pair: Pair) -> bool:
    return not _uniform(pair)


def _no_noise(pair: Pair) -> bool:
    both = np.array(pair[:2])
    return not ((both > 0) & (both <= 1e-12)).any()


def _empty_class(pair: Pair) -> bool:
    return bool(pair.gold.min() == 0)


def _all_positive(pair: Pair) -> bool:
    return bool(np.min(pair[:2]) > 0)


# -- the lists ---------------------------------------------------------------------------------

SAME = (
    Comparison(
        "NMD", "SciPy", "wasserstein_distance(range(C), range(C), gold, estimate) / (C - 1)",
        scipy_nmd,
    ),
    Comparison("NMD", "QuaPy", "error.nmd(gold, estimate)", lambda g, p, n: quapy.error.nmd(g, p)),
    Comparison(
        "NMD", "QuaPy", "error.nmd(golds, estimates)", lambda g, p, n: quapy.error.nmd(g, p),
        "For many samples it is one float, our nmd.mean.",
        sets=True, ours=lambda g, p, n: om.nmd.mean(g, p),
    ),
    Comparison("NMD", "mlquantify", "NMD(gold, estimate)", lambda g, p, n: mlq.NMD(g, p)),
    Comparison(
        "NMD", "SciPy", "wasserstein_distance(places, places, gold, estimate) / places[-1]",
        scipy_steps, "Ours with steps of the widths 1, 2, and so on, as between their places.",
        ours=lambda g, p, n: om.nmd(g, p, steps=range(1, n)),
    ),
    Comparison(
        "RPS", "SciPy", "energy_distance(range(C), range(C), gold, estimate)**2 / 2 / (C - 1)",
        scipy_rps,
    ),
    Comparison(
        "RPS", "SciPy", "energy_distance(places, places, gold, estimate)**2 / 2 / places[-1]",
        scipy_rps_steps, "Ours with steps of the widths 1, 2, and so on, as between their places.",
        ours=lambda g, p, n: om.rps(g, p, steps=range(1, n)),
    ),
    Comparison(
        "RNOD", "mlquantify", "RNOD(gold, estimate)", mlq_rnod,
        "Where no gold probability is noise (above 0, but not above 1e-12).", where=_no_noise,
    ),
    Comparison(
        "RSNOD", "mlquantify", "sqrt((RNOD(gold, estimate)**2 + RNOD(estimate, gold)**2) / 2)",
        lambda g, p, n: np.sqrt((mlq.RNOD(g, p) ** 2 + mlq.RNOD(p, g) ** 2) / 2),
        "Where no probability is noise (above 0, but not above 1e-12).", where=_no_noise,
    ),
    Comparison(
        "RNOD2", "mlquantify", "RNOD(gold, estimate, distances=Eq. 6)",
        lambda g, p, n: mlq.RNOD(g, p, distances=gold_mass(g)),
        "Where no gold probability is noise (above 0, but not above 1e-12).", where=_no_noise,
    ),
    Comparison(
        "RNADW", "mlquantify", "RNOD(gold + 1, estimate + 1)",
        lambda g, p, n: mlq.RNOD(g + 1, p + 1),
        "Adding 1 leaves the errors and puts every class into C*, which makes RNOD RNADW.",
    ),
    Comparison(
        "RNADW2", "mlquantify", "RNOD(gold + 1, estimate + 1, distances=Eq. 6)",
        lambda g, p, n: mlq.RNOD(g + 1, p + 1, distances=gold_mass(g)),
        "Adding 1 leaves the errors and puts every class into C*, which makes RNOD2 RNADW2.",
    ),
    Comparison(
        "NVD", "SciPy", "cityblock(gold, estimate) / 2",
        lambda g, p, n: distance.cityblock(g, p) / 2,
    ),
    Comparison(
        "NVD", "QuaPy", "error.ae(gold, estimate) * C / 2",
        lambda g, p, n: quapy.error.ae(g, p) * n / 2,
    ),
    Comparison(
        "NVD", "QuaPy", "error.nae(gold, estimate)", lambda g, p, n: quapy.error.nae(g, p),
        "Where a class has no gold: its divisor 2 (1 - min p*) is 2 then.", where=_empty_class,
    ),
    Comparison(
        "NVD", "mlquantify", "MAE(gold, estimate) * C / 2",
        lambda g, p, n: mlq.MAE(g, p) * n / 2,
    ),
    Comparison(
        "RNSS", "SciPy", "euclidean(gold, estimate) / sqrt(2)",
        lambda g, p, n: distance.euclidean(g, p) / np.sqrt(2),
    ),
    Comparison(
        "RNSS", "scikit-learn", "root_mean_squared_error(gold, estimate) * sqrt(C / 2)",
        lambda g, p, n: metrics.root_mean_squared_error(g, p) * np.sqrt(n / 2),
    ),
    Comparison(
        "RNSS", "QuaPy", "sqrt(error.se(gold, estimate) * C / 2)",
        lambda g, p, n: np.sqrt(quapy.error.se(g, p) * n / 2),
    ),
    Comparison(
        "RNSS", "mlquantify", "sqrt(SE(gold, estimate) * C / 2)",
        lambda g, p, n: np.sqrt(mlq.SE(g, p) * n / 2),
    ),
    Comparison("JSD", "SciPy", "jensenshannon(gold, estimate, base=2)**2", scipy_jsd),
    Comparison(
        "JSD", "QuaPy", "functional.TopsoeDistance(gold, estimate) / (2 log(2))",
        lambda g, p, n: quapy.functional.TopsoeDistance(g, p) / (2 * LN2),
        "It adds 1e-20 inside the logarithms, which no digit here shows.",
    ),
    Comparison(
        "JSD", "mlquantify", "topsoe(gold, estimate) / (2 log(2))",
        lambda g, p, n: mlq.topsoe(g, p) / (2 * LN2),
        "It raises probabilities to at least 1e-20, which no digit here shows.",
    ),
    Comparison(
        "DNKT", "SciPy", "(1 - kendalltau(gold.round(12), estimate.round(12)).statistic) / 2",
        scipy_dnkt, "Where neither distribution is uniform.", where=_not_uniform,
    ),
    Comparison(
        "DNKT_JSD", "SciPy", "hmean of the DNKT and JSD above",
        hybrid(scipy_jsd), "Where neither distribution is uniform.", where=_not_uniform,
    ),
    Comparison(
        "DNKT_NMD", "SciPy", "hmean of the DNKT and NMD above",
        hybrid(scipy_nmd), "Where neither distribution is uniform.", where=_not_uniform,
    ),
    Comparison(
        "DNKT_RNOD", "SciPy", "hmean of the DNKT above and mlquantify's RNOD",
        hybrid(mlq_rnod), "Where neither distribution is uniform and no probability is noise.",
        where=lambda pair: _not_uniform(pair) and _no_noise(pair),
    ),
    Comparison("MD", "QuaPy", "error.md(gold, estimate)", lambda g, p, n: quapy.error.md(g, p)),
    Comparison(
        "KLD", "SciPy", "entropy(estimate, gold, base=2)",
        lambda g, p, n: entropy(p, g, base=2), "Infinite in both where only the gold is 0.",
    ),
    Comparison(
        "KLD", "QuaPy", "error.kld(estimate, gold, eps=0) / log(2)",
        lambda g, p, n: quapy.error.kld(p, g, eps=0) / LN2,
        "Where no probability is 0; its first argument is the one that weighs.",
        where=_all_positive,
    ),
)  # fmt: skip

DIFFERENT = (
    Comparison(
        "NMD", "SciPy", "wasserstein_distance(gold, estimate)",
        lambda g, p, n: wasserstein_distance(g, p),
        "Two arguments are two samples of values: it compares the sorted probabilities and never "
        "sees which class they belong to.",
    ),
    Comparison(
        "NMD", "QuaPy", "error.nmd(golds, estimates)", lambda g, p, n: quapy.error.nmd(g, p),
        "For many samples it returns their mean without saying so; error.md has one value each.",
        sets=True,
    ),
    Comparison(
        "RNOD", "mlquantify", "RNOD(gold, estimate)", mlq_rnod,
        "Where a class has 1e-13 of gold: it counts every class above 0 as C*, ours those above "
        "1e-12.",
        where=lambda pair: pair.kind == "float noise",
    ),
    Comparison(
        "NVD", "QuaPy", "error.nae(gold, estimate)", lambda g, p, n: quapy.error.nae(g, p),
        "Where every class has gold: it divides by 2 (1 - min p*), the largest error that this "
        "gold allows, NVD by 2.",
        where=lambda pair: pair.gold.min() > 0,
    ),
    Comparison(
        "NVD", "mlquantify", "NAE(gold, estimate)", lambda g, p, n: mlq.NAE(g, p),
        "It divides the mean, not the sum, of the errors by 2 (1 - min p*), so it is |C| times "
        "smaller than QuaPy's nae.",
    ),
    Comparison(
        "JSD", "SciPy", "jensenshannon(gold, estimate)",
        lambda g, p, n: distance.jensenshannon(g, p),
        "It is the distance, the square root of the divergence, and its logarithm is natural "
        "unless base=2.",
    ),
    Comparison(
        "DNKT", "SciPy", "(1 - kendalltau(gold, estimate).statistic) / 2",
        lambda g, p, n: (1 - kendalltau(g, p).statistic) / 2,
        "Where two classes differ in their last bits only: it orders them, ours ties them.",
        where=lambda pair: pair.kind == "float ties" and not _uniform(pair),
    ),
    Comparison(
        "DNKT", "SciPy", "(1 - kendalltau(gold.round(12), estimate.round(12)).statistic) / 2",
        scipy_dnkt,
        "Where a distribution is uniform tau-b is 0/0: SciPy gives nan, DNKT's max operators .5.",
        where=_uniform,
    ),
    Comparison(
        "KLD", "QuaPy", "error.kld(gold, estimate, eps=1/200)",
        lambda g, p, n: quapy.error.kld(g, p, eps=1 / 200),
        "It adds eps = 1/(2 SAMPLE_SIZE) to every class, weighs by the gold where ours weighs by "
        "the estimate, and its logarithm is natural.",
        where=_all_positive,
    ),
    Comparison(
        "KLD", "mlquantify", "KLD(estimate, gold).sum() / log(2)",
        lambda g, p, n: mlq.KLD(p, g).sum() / LN2,
        "It takes the absolute value of every logarithm, so terms no longer cancel (and it "
        "returns one value a class).",
        where=_all_positive,
    ),
)  # fmt: skip
