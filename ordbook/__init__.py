"""ordbook: how to evaluate ordinal classification and ordinal quantification.

Importing this package loads numpy and nothing else; every other name is loaded when it is
first asked for (PEP 562), and a missing extra is then named in one line.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ordbook import measures
from ordbook.extras import needing
from ordbook.measures import classification, priority, quantification
from ordbook.measures.classification import *
from ordbook.measures.priority import *
from ordbook.measures.quantification import *

if TYPE_CHECKING:
    from ordbook import data, meta, papers
    from ordbook.data.loading import load
    from ordbook.data.nuggets import NuggetTask
    from ordbook.data.ratings import from_ratings
    from ordbook.data.scores import ScoreMatrix, load_scores
    from ordbook.data.scoring import score
    from ordbook.data.tasks import ClassificationTask, QuantificationTask
    from ordbook.measures import Interval, alpha, interval, scorer
    from ordbook.meta.agreement import (
        preference_agreement,
        score_deltas,
        topic_agreement,
        true_disagreements,
    )
    from ordbook.meta.alternative_annotator import alternative_annotator_test
    from ordbook.meta.consistency import ranking_consistency
    from ordbook.meta.discrimination import (
        contradictions,
        discriminative_power,
        p_curves,
        pooled_discriminative_power,
        significance_overlap,
    )
    from ordbook.meta.kendall import kendall_interval, kendall_tau
    from ordbook.meta.parametric import paired_t, parametric_tukey_hsd
    from ordbook.meta.people import human_ceiling
    from ordbook.meta.randomisation import paired_randomisation
    from ordbook.meta.significance import tukey_hsd
    from ordbook.meta.similarity import ranking_similarity
    from ordbook.meta.topic_set_size import detectable_difference, topic_set_size, topics_needed
    from ordbook.papers.comparison import compare
    from ordbook.reports.page import report

__version__ = "0.1.0rc1"

# Module -> its public names that are loaded late.
_MODULES = {
    "data.loading": "load",
    "data.nuggets": "NuggetTask",
    "data.ratings": "from_ratings",
    "data.scores": "ScoreMatrix load_scores",
    "data.scoring": "score",
    "data.tasks": "ClassificationTask QuantificationTask",
    "measures": "Interval alpha interval scorer",
    "meta.agreement": "preference_agreement score_deltas topic_agreement true_disagreements",
    "meta.alternative_annotator": "alternative_annotator_test",
    "meta.consistency": "ranking_consistency",
    "meta.discrimination": "contradictions discriminative_power p_curves "
    "pooled_discriminative_power significance_overlap",
    "meta.kendall": "kendall_interval kendall_tau",
    "meta.parametric": "paired_t parametric_tukey_hsd",
    "meta.people": "human_ceiling",
    "meta.randomisation": "paired_randomisation",
    "meta.significance": "tukey_hsd",
    "meta.similarity": "ranking_similarity",
    "meta.topic_set_size": "detectable_difference topic_set_size topics_needed",
    "papers.comparison": "compare",
    "reports.page": "report",
}
_LAZY = {name: module for module, names in _MODULES.items() for name in names.split()}
# Name of another library -> what it is here.
_ALSO = {
    "accuracy_off1": "accuracy_1",
    "accuracy_score": "accuracy",
    "amae": "mae_macro",
    "average_mean_absolute_error": "mae_macro",
    "cohen_kappa_score": "kappa",
    "crps": "rps",
    "emd": "nmd",
    "f1_score": "f1_macro",
    "krippendorff_alpha": "alpha",
    "mae": "mae_micro",
    "mean_absolute_error": "mae_micro",
    "macro_averaged_mean_absolute_error": "mae_macro",
    "make_scorer": "scorer",
    "mmae": "mae_max",
    "quadratic_kappa": "qwk",
    "quadratic_weighted_kappa": "qwk",
    "ranked_probability_score": "rps",
    "wasserstein_distance": "nmd",
    **{f"mean_{name}": f"{name}.mean" for name in quantification.__all__},
}
_SUBMODULES = ("data", "meta", "papers")

__all__ = [
    "ClassificationTask",
    "Interval",
    "NuggetTask",
    "QuantificationTask",
    "ScoreMatrix",
    "__version__",
    "alpha",
    "alternative_annotator_test",
    "compare",
    "contradictions",
    "data",
    "detectable_difference",
    "discriminative_power",
    "from_ratings",
    "human_ceiling",
    "interval",
    "kendall_interval",
    "kendall_tau",
    "load",
    "load_scores",
    "measures",
    "meta",
    "p_curves",
    "paired_randomisation",
    "paired_t",
    "papers",
    "parametric_tukey_hsd",
    "pooled_discriminative_power",
    "preference_agreement",
    "ranking_consistency",
    "ranking_similarity",
    "report",
    "score",
    "score_deltas",
    "scorer",
    "significance_overlap",
    "topic_agreement",
    "topic_set_size",
    "topics_needed",
    "true_disagreements",
    "tukey_hsd",
]
__all__ += classification.__all__
__all__ += priority.__all__
__all__ += quantification.__all__


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return import_module(f"ordbook.{name}")
    if name not in _LAZY:
        from ordbook.words import did_you_mean  # which takes longer to import than the measures

        also = f"; that is {_ALSO[name]} here" if name in _ALSO else did_you_mean(name, __all__)
        raise AttributeError(f"module 'ordbook' has no attribute {name!r}{also}")
    with needing("analysis", f"ordbook.{name}"):
        value = globals()[name] = getattr(import_module(f"ordbook.{_LAZY[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
