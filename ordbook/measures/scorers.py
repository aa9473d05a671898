"""Scorers for scikit-learn, which know the direction and the classes of a measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .confusion import class_codes
from .registry import ClassificationMeasure, Measure, measure_asked
from .validation import Array

__all__ = ["scorer"]


@dataclass(frozen=True, repr=False)
class Scorer:
    """Score a fitted classifier: larger is better, whatever the direction of the measure.

    Attributes
    ----------
    measure
        Of labels, which are predicted, or of distributions, which ``predict_proba`` returns.
    labels
        All classes from lowest to highest, where they are not whole numbers.
    """

    measure: Measure
    labels: tuple[Any, ...] | None = None

    def __call__(
        self, estimator: Any, X: Any, y_true: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the score of an estimator's answers to `X`, negated where smaller is better."""
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        if isinstance(self.measure, ClassificationMeasure):
            score = self.measure(y_true, estimator.predict(X), labels=self.labels, **weights)
        else:
            gold, estimate = self._distributions(estimator, X, y_true)
            scores = self.measure(gold, estimate)
            even = np.ones(len(scores)) if sample_weight is None else np.asarray(sample_weight)
            score = float(np.average(scores, weights=even))
        return score if self.measure.better == "high" else -score

    def _distributions(self, estimator: Any, X: Any, y_true: Any) -> tuple[Array, Array]:
        """Return gold labels and probabilities as distributions over all classes."""
        probabilities = np.asarray(estimator.predict_proba(X), dtype=np.float64)
        known = np.asarray(estimator.classes_)
        answers = {"y_true": np.concatenate([np.asarray(y_true), known])}
        (codes,), n_classes = class_codes(answers, self.labels)
        gold, columns = codes[: len(probabilities)], codes[len(probabilities) :]
        estimate = np.zeros((len(probabilities), n_classes))
        estimate[:, columns] = probabilities / probabilities.sum(axis=1, keepdims=True)
        return np.eye(n_classes)[gold], estimate

    def __repr__(self) -> str:
        negated = "" if self.measure.better == "high" else ", negated: larger is better"
        return f"<scorer: {self.measure.name}{negated}>"


def scorer(measure: str | Measure, *, labels: Sequence[Any] | None = None) -> Scorer:
    """Make a scorer for scikit-learn's ``scoring=`` that knows which end of a measure is better.

    ``make_scorer(ob.mae_macro)`` takes the largest error for the best, unless it is told
    ``greater_is_better=False``; this cannot happen here. Measures of distributions score the
    probabilities of ``predict_proba`` against gold labels.

    Parameters
    ----------
    measure : str or measure
        Such as ``"MAE_M"``, ``"RPS"`` or ``ob.kappa``.
    labels : sequence, optional
        All classes from lowest to highest, if labels are not whole numbers.

    Returns
    -------
    callable
        ``scorer(estimator, X, y, sample_weight=None)`` returns a float, of which larger is better:
        a measure of errors is negated.

    Raises
    ------
    ValueError
        If the measure is unknown.

    Examples
    --------
    >>> scorer("MAE_M")
    <scorer: MAE_M, negated: larger is better>
    >>> from sklearn.model_selection import GridSearchCV  # doctest: +SKIP
    >>> GridSearchCV(model, grid, scoring=scorer("RPS")).fit(X, y)  # doctest: +SKIP
    """
    return Scorer(measure_asked(measure), None if labels is None else tuple(labels))
