"""The respondents of the survey: a training half, a test half, and the groups of the latter."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from statsmodels.datasets import fair

CLASSES = (1, 2, 3, 4, 5)
SMALLEST = 20  # test respondents of a topic
_TOPIC = {"yrs_married": "m", "religious": "r", "occupation": "o"}


@dataclass(frozen=True)
class Respondents:
    """Answers of some respondents: one row of ``answers``, a rating, a topic and an id each."""

    answers: pd.DataFrame
    ratings: NDArray[np.int64]
    topics: NDArray[np.str_]
    ids: NDArray[np.int64]

    def take(self, mask: NDArray[np.bool_]) -> "Respondents":
        """Return the respondents for which ``mask`` is true."""
        return Respondents(
            self.answers[mask], self.ratings[mask], self.topics[mask], self.ids[mask]
        )


def halves() -> tuple[Respondents, Respondents]:
    """Read the survey; return the training half (odd rows, from 1) and the test half (even rows).

    A topic is a group of respondents with the same years of marriage, religiosity and occupation:
    ``m6-r2-o3`` was married for about 6 years, has religiosity 2 and occupation 3.
    """
    survey = fair.load_pandas().data
    topics = pd.Series("", index=survey.index)
    for column, letter in _TOPIC.items():
        topics += f"-{letter}" + survey[column].map("{:g}".format)
    everyone = Respondents(
        answers=survey.drop(columns="rate_marriage").reset_index(drop=True),
        ratings=survey["rate_marriage"].to_numpy(dtype=np.int64),
        topics=topics.str.removeprefix("-").to_numpy(dtype=np.str_),
        ids=np.arange(1, len(survey) + 1),
    )
    return everyone.take(everyone.ids % 2 == 1), everyone.take(everyone.ids % 2 == 0)


def grouped(test: Respondents) -> Respondents:
    """Return the test respondents of topics with at least :data:`SMALLEST` of them, by topic."""
    _, position, sizes = np.unique(test.topics, return_inverse=True, return_counts=True)
    large = test.take(sizes[position] >= SMALLEST)
    columns = [large.answers[column] for column in _TOPIC]
    order = np.lexsort((large.ids, *reversed(columns)))
    return Respondents(
        large.answers.iloc[order], large.ratings[order], large.topics[order], large.ids[order]
    )


def shares(ratings: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the share of each class.

    Examples
    --------
    >>> shares(np.array([5, 5, 4, 1])).tolist()
    [0.25, 0.0, 0.0, 0.25, 0.5]
    """
    return np.bincount(ratings, minlength=CLASSES[-1] + 1)[1:] / len(ratings)
