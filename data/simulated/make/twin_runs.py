"""Runs of the twins: estimates with the printed mean scores and the residual variances."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from twin_targets import FITTED, Language

from ordbook.measures import QUANTIFICATION

Floats = NDArray[np.float64]
# Settings of a run: how far its estimates follow the dialogues (signal), log width of its curves,
# log size of errors of place and of form, logit of the share that is spread over all classes,
# how far its curves are moved towards the middle class, in classes, and logit of the share in which
# the form of the votes themselves takes the place of a curve. The usual values, and how far from
# them runs may easily be.
USUAL = np.array([0.6, -0.05, -0.9, -1.2, -2.5, 0.3, -2.0])
EASY = np.array([0.3, 0.4, 0.7, 0.7, 1.2, 0.3, 0.7])
# Where runs begin that do not get there from the usual settings: flat and moved, sharp, exact.
ELSEWHERE = (
    np.array([0.6, 0.1, -1.1, -1.3, -0.9, 1.2, -1.0]),
    np.array([0.9, 0.0, -1.9, -2.2, -2.5, 0.0, -1.0]),
)
NEAR = 1e-6
# How wide the differences are that the search for knobs takes, one after another, and the sum of
# squares (of relative errors of eight variances' halves, mostly) that is good enough.
WIDE = (0.1, 0.3, 0.1, 0.05, 0.3, 0.1, 0.2, 0.05, 0.1)
ENOUGH = 0.002
# Share of a run's own errors that it has in common with its team.
TEAM = 0.5
# Where the search for knobs begins.
FREE = np.array([1.0, 1.0, -1.0, -1.0, 0.0, 0.0, 0.0])
# Which of the usual settings it may change: width, place of the curves, likeness to the votes.
CHANGED = [1, 5, 6]


@dataclass(frozen=True)
class Noise:
    """Standard normal draws: of all runs, of the teams and of the runs; of place and of form."""

    place: Floats  # (3, runs, dialogues)
    form: Floats  # (3, runs, dialogues, classes)
    hardness: Floats  # (dialogues,)

    def of(self, runs: slice) -> "Noise":
        """Return the noise of some of the runs."""
        return Noise(self.place[:, runs], self.form[:, runs], self.hardness)


def draw_noise(runs: list[str], dialogues: int, classes: int, rng: np.random.Generator) -> Noise:
    """Draw the noise of some runs; those of a team, which is the name before -run, share a part."""
    place = rng.standard_normal((3, len(runs), dialogues))
    form = rng.standard_normal((3, len(runs), dialogues, classes))
    teams = [run.partition("-run")[0] for run in runs]
    for k, team in enumerate(teams):
        place[0, k], form[0, k] = place[0, 0], form[0, 0]
        place[1, k], form[1, k] = place[1, teams.index(team)], form[1, teams.index(team)]
    return Noise(place, form, rng.standard_normal(dialogues))


@dataclass(frozen=True)
class Knobs:
    """What all runs of a language share.

    Attributes
    ----------
    common_place, common_form
        Share of the variance of the errors that all runs have in common.
    uneven_place, uneven_form
        How unequal dialogues are in the size of the errors: standard deviation of its logarithm.
    """

    common_place: float
    common_form: float
    uneven_place: float
    uneven_form: float


def estimates(settings: Floats, votes: Floats, noise: Noise, knobs: Knobs) -> Floats:
    """Return the runs' distributions, (runs, dialogues, classes)."""
    from scipy.special import ndtr

    classes = votes.shape[1]
    labels = np.arange(classes)
    share = votes / votes.sum(axis=1, keepdims=True)
    place = share @ labels
    spread = np.log(0.3 + np.sqrt(share @ labels**2 - place**2))
    signal, width, errors, form, flat, moved, like = settings.T[:, :, None]

    def mixed(draws: Floats, common: float) -> Floats:
        own = np.sqrt(TEAM) * draws[1] + np.sqrt(1 - TEAM) * draws[2]
        return np.asarray(np.sqrt(common) * draws[0] + np.sqrt(1 - common) * own)

    middle = (classes - 1) / 2
    centre = place.mean() + signal * (place - place.mean())
    centre = centre + moved * np.sign(middle - place.mean())
    centre = centre + np.exp(errors) * _sizes(noise, knobs.uneven_place) * mixed(
        noise.place, knobs.common_place
    )
    cuts = np.arange(1, classes) - 0.5
    wide = np.exp(width + signal * (spread - spread.mean()))
    below = ndtr((cuts - centre[..., None]) / wide[..., None])
    ends = np.zeros((*below.shape[:-1], 1))
    curve = np.diff(np.concatenate([ends, below, ends + 1], axis=-1)) + 1e-4
    like = (1 / (1 + np.exp(-like)))[..., None]
    curve = (1 - like) * curve + like * share
    bumps = mixed(noise.form, knobs.common_form) * _sizes(noise, knobs.uneven_form)[:, None]
    bumps = bumps * np.exp(form)[..., None]
    curve = curve * np.exp(np.clip(bumps, -6, 6))
    curve /= curve.sum(axis=-1, keepdims=True)
    flat = (1 / (1 + np.exp(-flat)))[..., None]
    return np.asarray((1 - flat) * curve + flat / classes)


def _sizes(noise: Noise, uneven: float) -> Floats:
    """Return how large the errors are in each dialogue; their mean square is 1."""
    return np.asarray(np.exp(uneven * noise.hardness - uneven**2))


def scores_of(gold: Floats, found: Floats) -> Floats:
    """Return the scores by the fitted measures, (measures, runs, dialogues)."""
    return np.stack([QUANTIFICATION[m].kernel(gold[None], found) for m in FITTED])


def fit_settings(
    aims: Floats,
    votes: Floats,
    noise: Noise,
    knobs: Knobs,
    usual: Floats,
    steps: tuple[int, int] = (12, 8),
) -> tuple[Floats, Floats]:
    """Return settings whose mean scores are the aims (runs, measures), and what is missed.

    Newton steps: first to the settings nearest to the usual ones that give both means, then, by
    the shortest way, until the means are met. Runs that do not get there begin elsewhere.
    """
    gold = votes / votes.sum(axis=1, keepdims=True)

    def means(settings: Floats) -> Floats:
        return np.asarray(scores_of(gold, estimates(settings, votes, noise, knobs)).mean(axis=2).T)

    best, left = np.tile(usual, (len(aims), 1)), np.full(aims.shape, np.inf)
    for start in (usual, *ELSEWHERE):
        settings = np.tile(start, (len(aims), 1))
        missed = aims - means(settings)
        for step in range(sum(steps)):
            slopes = np.empty((*aims.shape, len(usual)))
            for k, easy in enumerate(EASY):
                nudged = settings.copy()
                nudged[:, k] += 1e-4 * easy
                slopes[:, :, k] = (means(nudged) - (aims - missed)) / 1e-4
            away = (settings - usual) / EASY if step < steps[0] else np.zeros_like(settings)
            gram = slopes @ slopes.transpose(0, 2, 1) + 1e-10 * np.eye(aims.shape[1])
            needed = missed + (slopes @ away[:, :, None])[..., 0]
            move = np.linalg.solve(gram, needed[..., None])
            move = (slopes.transpose(0, 2, 1) @ move)[..., 0] - away
            length = np.sqrt((move**2).sum(axis=1, keepdims=True))
            move *= np.minimum(1, 1 / np.maximum(length, 1e-12))
            for _ in range(6):  # shorter steps for runs that a step would take farther away
                trial = aims - means(settings + move * EASY)
                worse = np.abs(trial).max(axis=1) > np.maximum(np.abs(missed).max(axis=1), 1e-4)
                if not worse.any():
                    break
                move[worse] /= 2
            settings = settings + move * EASY
            missed = aims - means(settings)
        nearer = np.abs(missed).max(axis=1) < np.minimum(np.abs(left).max(axis=1) - NEAR, np.inf)
        best[nearer], left[nearer] = settings[nearer], missed[nearer]
        if np.abs(left).max() < NEAR:
            break
    return best, left


def fit_language(
    language: Language, votes: Floats, noise: Noise, runs: list[str], baselines: Floats
) -> tuple[Floats, Knobs]:
    """Return estimates of the runs of a language, (runs, dialogues, classes), and their knobs.

    For every choice of knobs the settings of each run are those that give its printed means; the
    knobs are those that bring V_E1 and V_E2 of both measures, baselines included, nearest to the
    values which the tables of significant differences imply.
    """
    gold = votes / votes.sum(axis=1, keepdims=True)
    aims = language.means.loc[runs].to_numpy()
    implied = np.array([[v[m] for m in FITTED] for v in (language.v_e1, language.v_e2)])
    others = scores_of(gold, baselines)

    def misfit(free: Floats) -> Floats:
        knobs, usual = _read(free)
        settings, missed = fit_settings(aims, votes, noise, knobs, usual)
        scores = scores_of(gold, estimates(settings, votes, noise, knobs))
        found = residual_variances(np.concatenate([scores, others], axis=1))
        return np.concatenate(
            [
                np.log(found / implied).ravel(),
                50 * missed.ravel(),
                0.02 * (free - FREE),
            ]
        )

    knobs, usual = _read(_least_squares(misfit, FREE))
    settings, _ = fit_settings(aims, votes, noise, knobs, usual, (20, 20))
    return estimates(settings, votes, noise, knobs), knobs


def _read(free: Floats) -> tuple[Knobs, Floats]:
    """Return knobs and usual settings from numbers without bounds."""
    common = 1 / (1 + np.exp(-free[:2]))
    uneven = np.exp(free[2:4])
    usual = USUAL.copy()
    usual[CHANGED] += EASY[CHANGED] * free[4:]
    return Knobs(*(float(x) for x in (*common, *uneven))), usual


def _least_squares(misfit: Callable[[Floats], Floats], start: Floats) -> Floats:
    """Return where the sum of squares is small: Levenberg and Marquardt, with wide differences.

    Runs change from one way to meet their means to another, so that the misfit has small steps in
    it, over which narrow differences would stumble.
    """
    best, found, damping = start, misfit(start), 0.1
    for wide in WIDE:
        slopes = np.stack([(misfit(best + h) - found) / wide for h in wide * np.eye(len(best))], 1)
        for _ in range(4):
            gram = slopes.T @ slopes
            gram += damping * np.diag(np.diag(gram) + 1e-3)
            trial = best - np.clip(np.linalg.solve(gram, slopes.T @ found), -1, 1)
            missed = misfit(trial)
            if missed @ missed < found @ found:
                best, found, damping = trial, missed, damping / 5
                break
            damping *= 5
        if found @ found < ENOUGH:
            break
    return best


def residual_variances(scores: Floats) -> Floats:
    """Return V_E1 and V_E2 of (measures, runs, dialogues), as ``ordbook.meta.variances`` does."""
    _, runs, dialogues = scores.shape
    within = scores - scores.mean(axis=2, keepdims=True)
    v_e1 = (within**2).sum(axis=(1, 2)) / (runs * (dialogues - 1))
    within = within - within.mean(axis=1, keepdims=True)
    return np.stack([v_e1, (within**2).sum(axis=(1, 2)) / ((runs - 1) * (dialogues - 1))])
