"""What the systems share: answers as numbers, and models that give probabilities."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from respondents import Respondents
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder, StandardScaler
from statsmodels.miscmodels.ordinal_model import OrderedModel

_PLAIN = ["age", "yrs_married", "children", "religious", "educ"]
_KINDS = ["occupation", "occupation_husb"]


def numbers() -> Any:
    """Return what turns answers into columns: standardised, and one 0/1 column per occupation."""
    return make_column_transformer(
        (StandardScaler(), _PLAIN),
        # Times are skewed: from zero for two thirds of the respondents to 58.
        (make_pipeline(FunctionTransformer(np.log1p), StandardScaler()), ["affairs"]),
        (OneHotEncoder(drop="first", sparse_output=False), _KINDS),
    )


def multinomial(**settings: Any) -> Any:
    """Return a multinomial logit."""
    return make_pipeline(numbers(), LogisticRegression(max_iter=1000, **settings))


def bayes() -> Any:
    """Return naive Bayes over the answers as they were ticked; times of affairs in five steps."""
    ticked = make_column_transformer(
        (OrdinalEncoder(), _PLAIN + _KINDS),
        (FunctionTransformer(_steps), ["affairs"]),
    )
    return make_pipeline(ticked, CategoricalNB(min_categories=7))


def _steps(times: Any) -> NDArray[np.int64]:
    """Time of affairs -> 0 for none, then 1 to 4, cut at 0.5, 2 and 5."""
    return np.digitize(np.asarray(times), [1e-9, 0.5, 2, 5])


def ordered(train: Respondents, test: Respondents) -> NDArray[np.float64]:
    """Return the class probabilities (respondents, classes) of an ordered logit."""
    columns = numbers().fit(train.answers)
    model = OrderedModel(train.ratings, columns.transform(train.answers), distr="logit")
    found = model.fit(method="bfgs", maxiter=1000, disp=False)
    if not found.mle_retvals["converged"]:
        raise RuntimeError("the ordered logit did not converge")
    return np.asarray(model.predict(found.params, columns.transform(test.answers)))
