"""Gold votes of the twins: fitted to what two baselines make of them in print.

The uniform baseline and the popularity baseline depend on the gold votes alone. What DialEval-1
prints of their means and LQ'21 of their wins and ties is therefore a statement about the votes,
and 20 votes for five classes can fall in 10,626 ways only, so that all can be tried.
"""

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from twin_targets import GoldTargets
from twin_votes import TIE, VoteVectors, vote_vectors

from ordbook.data.tasks import BASELINES, baselines
from ordbook.measures import QUANTIFICATION
from ordbook.papers.symbols import SIX

Floats = NDArray[np.float64]
Integers = NDArray[np.int_]
SIDES = {"uni": 1, "pop": -1}
# Share of the votes that are given at random: hardly a dialogue has all its votes in one class.
CARELESS = 0.1
FACTORS = (0.6, 1.0, 1.6)
# Half of the last printed digit, and a little less so that float noise cannot matter.
HALF_DIGIT = 0.5e-4 * 0.9
STEPS = 20000


def gold_votes(targets: GoldTargets, seed: int = 0) -> Integers:
    """Draw votes that any reader of the papers' tables could take for those behind them.

    1. A prior for vote vectors: dialogues have a quality on a line, assessors see it with noise
       that differs between dialogues, thresholds cut the line into classes, and a few votes fall
       anywhere. Three numbers of it are fitted to the four printed means.
    2. Of all distributions over the vote vectors that give the printed means and counts, the one
       nearest to the prior (in relative entropy).
    3. One vector per dialogue drawn from it; then as few dialogues as possible drawn again, so
       that every printed count is met (an integer programme over the patterns of wins, losses
       and ties); then vectors exchanged for others with the same pattern, until every mean
       equals the printed one in four decimals.

    Returns
    -------
    ndarray
        (dialogues, classes), whole numbers; the dialogues in random order, but for those whose
        votes are known, which stand in their places.

    Raises
    ------
    ValueError
        If no votes give all printed counts, or none were found that give the means too.
    """
    ways = vote_vectors(targets.votes, len(targets.classes))
    rng = np.random.default_rng([seed, 1])
    allowed, known = _known(ways, targets)
    features, aims = _features(ways, targets)
    chance = _nearest(_prior(ways, targets) * allowed, features, aims / targets.dialogues)
    _, pattern = np.unique(ways.signs, axis=1, return_inverse=True)
    pattern = pattern.ravel()
    places = np.array(sorted(known), dtype=int)
    fixed = np.array([known[place] for place in places], dtype=int)
    free = targets.dialogues - len(fixed)
    drawn = rng.choice(len(chance), size=free, p=chance)
    means = len(targets.means)
    counts = features[:, means:], aims[means:] - features[fixed, means:].sum(axis=0)
    drawn = _meet_counts(drawn, pattern, chance, *counts, rng)
    rest = features[:, :means], aims[:means] - features[fixed, :means].sum(axis=0)
    drawn = _meet_means(drawn, pattern, chance, *rest, HALF_DIGIT * targets.dialogues, rng)
    chosen = np.empty(targets.dialogues, dtype=int)
    chosen[places] = fixed
    chosen[np.setdiff1d(np.arange(targets.dialogues), places)] = rng.permutation(drawn)
    return ways.votes[chosen]


def _meet_counts(
    drawn: Integers,
    pattern: Integers,
    chance: Floats,
    features: Floats,
    aims: Floats,
    rng: np.random.Generator,
) -> Integers:
    """Draw as few vectors again as it takes for the counts to equal the aims."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    kinds, first = np.unique(pattern, return_index=True)
    likely = np.bincount(pattern, weights=chance)
    before = np.bincount(pattern[drawn], minlength=len(kinds))
    # Variables: how many more and how many fewer vectors of each pattern.
    table = features[first].T
    table = np.vstack([table, np.ones(len(kinds))])
    off = np.append(aims, len(drawn)) - table @ before
    # Rare patterns cost more, and no two choices cost the same.
    cost = (1 - np.log(np.maximum(likely, 1e-9))) * rng.uniform(1, 1.1, len(kinds))
    found = milp(
        np.concatenate([cost, cost]),
        constraints=LinearConstraint(np.hstack([table, -table]), off, off),
        integrality=np.ones(2 * len(kinds)),
        bounds=Bounds(0, np.concatenate([np.where(likely > 0, np.inf, 0), before])),
    )
    if found.status != 0:
        raise ValueError(f"no votes give all printed counts: {found.message}")
    more, fewer = np.round(found.x).astype(int).reshape(2, -1)
    new = list(drawn)
    for kind in np.flatnonzero(more - fewer):
        change = more[kind] - fewer[kind]
        here = [i for i, vector in enumerate(new) if pattern[vector] == kind]
        if change < 0:
            leaving = set(rng.choice(here, size=-change, replace=False).tolist())
            new = [vector for i, vector in enumerate(new) if i not in leaving]
        else:
            weights = np.where(pattern == kind, chance, 0)
            new += list(rng.choice(len(chance), size=change, p=weights / weights.sum()))
    return np.array(new)


def _meet_means(
    drawn: Integers,
    pattern: Integers,
    chance: Floats,
    features: Floats,
    aims: Floats,
    tolerance: float,
    rng: np.random.Generator,
) -> Integers:
    """Exchange vectors for others with the same pattern until the sums are near the aims."""
    drawn = drawn.copy()
    misses = features[drawn].sum(axis=0) - aims
    cumulative = {}
    for kind in np.unique(pattern[drawn]):
        members = np.flatnonzero((pattern == kind) & (chance > 0))
        cumulative[kind] = members, chance[members] / chance[members].sum()
    for _ in range(STEPS):
        if np.abs(misses).max() <= tolerance:
            return drawn
        i = rng.integers(len(drawn))
        members, weights = cumulative[pattern[drawn[i]]]
        coming = rng.choice(members, size=min(50, 2 * len(members)), p=weights)
        moved = misses + features[coming] - features[drawn[i]]
        j = int(np.abs(moved).max(axis=1).argmin())
        if np.abs(moved[j]).max() < np.abs(misses).max():
            misses, drawn[i] = moved[j], coming[j]
    raise ValueError(f"no votes were found that give the printed means: {misses} remains")


def gold_fit(votes: Integers, targets: GoldTargets) -> pd.DataFrame:
    """Return every target, printed and as the votes give it: columns target, printed, twin."""
    gold = votes / votes.sum(axis=1, keepdims=True)
    scores = {m: QUANTIFICATION[m].kernel(gold[None], baselines(gold)) for m in SIX}
    rows: list[tuple[str, float, float]] = []
    for (run, measure), mean in targets.means.items():
        which = BASELINES.index(run)
        rows.append((f"{run}, mean {measure}", mean, float(scores[measure][which].mean())))
    signs = {
        m: np.where(np.abs(s[1] - s[0]) < TIE, 0, np.sign(s[1] - s[0])) for m, s in scores.items()
    }
    for (measure, side), count in targets.wins.items():
        found = int((signs[measure] == SIDES[side]).sum())
        rows.append((f"{measure}, dialogues for {side}", count, found))
    for (first, second), count in targets.disagree.items():
        found = int(((signs[first] == -1) & (signs[second] == 1)).sum())
        rows.append((f"{first} for pop, {second} for uni", count, found))
    for number, (nmd, rnod, _) in targets.known.items():
        for measure, delta in (("NMD", nmd), ("RNOD", rnod)):
            pair = scores[measure][:, number - 1]
            rows.append((f"dialogue {number}, delta {measure}", delta, float(pair[1] - pair[0])))
    return pd.DataFrame(rows, columns=["target", "printed", "twin"])


def _features(ways: VoteVectors, targets: GoldTargets) -> tuple[Floats, Floats]:
    """Return what is summed over dialogues, (ways, targets), and the aims; the means first."""
    columns: list[Floats | NDArray[np.bool_]] = []
    aims: list[float] = []
    for (run, measure), mean in targets.means.items():
        columns.append(ways.scores[SIX.index(measure), BASELINES.index(run)])
        aims.append(mean * targets.dialogues)
    for (measure, side), count in targets.wins.items():
        columns.append(ways.signs[SIX.index(measure)] == SIDES[side])
        aims.append(count)
    for (first, second), count in targets.disagree.items():
        signs = ways.signs[SIX.index(first)], ways.signs[SIX.index(second)]
        columns.append((signs[0] == -1) & (signs[1] == 1))
        aims.append(count)
    return np.stack(columns, axis=1).astype(float), np.array(aims)


def _known(ways: VoteVectors, targets: GoldTargets) -> tuple[NDArray[np.bool_], dict[int, int]]:
    """Return which vectors may occur, and place -> vector for dialogues whose votes are known."""
    allowed = np.ones(len(ways.votes), dtype=bool)
    fixed: dict[int, int] = {}
    nmd, rnod = (ways.deltas[SIX.index(m)] for m in ("NMD", "RNOD"))
    for number, (of_nmd, of_rnod, mode) in targets.known.items():
        fits = (np.abs(nmd - of_nmd) < 5.001e-4) & (np.abs(rnod - of_rnod) < 5.001e-4)
        fits &= ways.votes.argmax(axis=1) == targets.classes.index(mode)
        if fits.sum() != 1:
            raise ValueError(f"dialogue {number}: {fits.sum()} vote vectors give its deltas")
        fixed[number - 1] = int(np.flatnonzero(fits)[0])
    if targets.known:
        # They are the top of a ranking by d = delta NMD - delta RNOD: no other is below them.
        last = max(of_nmd - of_rnod for of_nmd, of_rnod, _ in targets.known.values())
        allowed &= (nmd - rnod) >= last - 1e-9
    return allowed, fixed


def _prior(ways: VoteVectors, targets: GoldTargets) -> Floats:
    """Return the chance of every vector: an ordered probit, fitted to the four printed means."""
    from scipy.optimize import minimize

    which = [(SIX.index(m), BASELINES.index(run)) for run, m in targets.means]
    table = np.stack([ways.scores[m, run] for m, run in which])
    aims = np.array(list(targets.means.values()))

    def misfit(parameters: Floats) -> float:
        off = (table @ _probit(ways.votes, *parameters) - aims) / aims
        return float((off**2).sum())

    best = minimize(misfit, [0.5, -0.3, -0.3], method="Nelder-Mead", options={"maxiter": 120})
    return _probit(ways.votes, *best.x)


def _probit(votes: Integers, centre: float, log_spread: float, log_noise: float) -> Floats:
    from scipy.special import gammaln, ndtr

    classes = votes.shape[1]
    nodes, weights = np.polynomial.hermite_e.hermegauss(15)
    cuts = np.arange(1, classes) - classes / 2
    coefficient = gammaln(votes.sum(axis=1)[0] + 1) - gammaln(votes + 1).sum(axis=1)
    chance = np.zeros(len(votes))
    for node, weight in zip(nodes, weights / weights.sum(), strict=True):
        quality = centre + np.exp(log_spread) * node
        for factor in FACTORS:  # assessors agree on some dialogues more than on others
            below = ndtr((cuts - quality) / (np.exp(log_noise) * factor))
            p = np.diff(np.concatenate([[0], below, [1]]))
            p = (1 - CARELESS) * p + CARELESS / classes
            chance += weight / len(FACTORS) * np.exp(coefficient + votes @ np.log(p))
    return np.asarray(chance / chance.sum())


def _nearest(prior: Floats, features: Floats, means: Floats) -> Floats:
    """Return the distribution nearest to the prior under which the features have these means."""
    from scipy.optimize import minimize

    log_prior = np.log(np.maximum(prior, 1e-300))
    centred = features - means
    scale = np.sqrt((prior / prior.sum()) @ centred**2)
    centred = centred / scale

    def dual(tilt: Floats) -> tuple[float, Floats]:
        exponent = log_prior + centred @ tilt
        top = exponent.max()
        weights = np.exp(exponent - top)
        total = weights.sum()
        # A little ridge: counts that imply each other leave directions in which it is flat.
        return (
            float(top + np.log(total) + 1e-5 * tilt @ tilt),
            centred.T @ weights / total + 2e-5 * tilt,
        )

    best = minimize(
        dual, np.zeros(features.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 500}
    )
    exponent = log_prior + centred @ best.x
    weights = np.exp(exponent - exponent.max())
    return np.asarray(weights / weights.sum())
