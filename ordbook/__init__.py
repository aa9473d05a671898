"""ordbook: how to evaluate ordinal classification and ordinal quantification.

Importing this package loads numpy and nothing else; every other name is loaded when it is
first asked for (PEP 562), and a missing extra is then named in one line.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ordbook import measures
from ordbook.extras import needing
from ordbook.measures import (
    Interval,
    alpha,
    classification,
    interval,
    priority,
    quantification,
    scorer,
)
from ordbook.measures.classification import *
from ordbook.measures.priority import *
from ordbook.measures.quantification import *

if TYPE_CHECKING:
    from ordbook import data, meta, papers
    from ordbook.data.loading import load
    from ordbook.data.ntcir import NuggetTask
    from ordbook.data.ratings import from_ratings
    from ordbook.data.scores import ScoreMatrix, load_scores
    from ordbook.data.scoring import score
    from ordbook.data.tasks import ClassificationTask, QuantificationTask
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
        pairs_in_doubt,
        pooled_discriminative_power,
        significance_overlap,
    )
    from ordbook.meta.kendall import kendall_interval, kendall_tau
    from ordbook.meta.parametric import paired_t, parametric_tukey_hsd
    from ordbook.meta.people import annotator_agreement, human_ceiling
    from ordbook.meta.randomisation import paired_randomisation
    from ordbook.meta.significance import tukey_hsd
    from ordbook.meta.similarity import ranking_similarity
    from ordbook.meta.subsampling import subsample
    from ordbook.meta.topic_set_size import detectable_difference, topic_set_size, topics_needed
    from ordbook.papers.comparison import compare
    from ordbook.reports.page import report

__version__ = "0.1.0rc1"

# Public name -> (module, extra that brings what the module needs).
_LAZY = {
    "ClassificationTask": ("ordbook.data.tasks", "analysis"),
    "NuggetTask": ("ordbook.data.ntcir", "analysis"),
    "QuantificationTask": ("ordbook.data.tasks", "analysis"),
    "ScoreMatrix": ("ordbook.data.scores", "analysis"),
    "alternative_annotator_test": ("ordbook.meta.alternative_annotator", "analysis"),
    "annotator_agreement": ("ordbook.meta.people", "analysis"),
    "compare": ("ordbook.papers.comparison", "analysis"),
    "contradictions": ("ordbook.meta.discrimination", "analysis"),
    "detectable_difference": ("ordbook.meta.topic_set_size", "analysis"),
    "discriminative_power": ("ordbook.meta.discrimination", "analysis"),
    "from_ratings": ("ordbook.data.ratings", "analysis"),
    "human_ceiling": ("ordbook.meta.people", "analysis"),
    "kendall_interval": ("ordbook.meta.kendall", "analysis"),
    "kendall_tau": ("ordbook.meta.kendall", "analysis"),
    "load": ("ordbook.data.loading", "analysis"),
    "load_scores": ("ordbook.data.scores", "analysis"),
    "p_curves": ("ordbook.meta.discrimination", "analysis"),
    "paired_t": ("ordbook.meta.parametric", "analysis"),
    "pairs_in_doubt": ("ordbook.meta.discrimination", "analysis"),
    "parametric_tukey_hsd": ("ordbook.meta.parametric", "analysis"),
    "pooled_discriminative_power": ("ordbook.meta.discrimination", "analysis"),
    "preference_agreement": ("ordbook.meta.agreement", "analysis"),
    "paired_randomisation": ("ordbook.meta.randomisation", "analysis"),
    "ranking_consistency": ("ordbook.meta.consistency", "analysis"),
    "ranking_similarity": ("ordbook.meta.similarity", "analysis"),
    "report": ("ordbook.reports.page", "analysis"),
    "score": ("ordbook.data.scoring", "analysis"),
    "score_deltas": ("ordbook.meta.agreement", "analysis"),
    "significance_overlap": ("ordbook.meta.discrimination", "analysis"),
    "subsample": ("ordbook.meta.subsampling", "analysis"),
    "topic_agreement": ("ordbook.meta.agreement", "analysis"),
    "topic_set_size": ("ordbook.meta.topic_set_size", "analysis"),
    "topics_needed": ("ordbook.meta.topic_set_size", "analysis"),
    "true_disagreements": ("ordbook.meta.agreement", "analysis"),
    "tukey_hsd": ("ordbook.meta.significance", "analysis"),
}
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
    "annotator_agreement",
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
    "pairs_in_doubt",
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
    "subsample",
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
    module, extra = _LAZY[name]
    with needing(extra, f"ordbook.{name}"):
        value = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
