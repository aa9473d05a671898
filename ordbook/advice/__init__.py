"""Which measure to use on a task: by definition, and by the papers' criteria on data."""

from collections.abc import Mapping

# What `recommendation.md` recommends, the primary measure first.
FAVOURED: Mapping[str, tuple[str, str]] = {
    "classification": ("kappa", "MAE_M"),
    "quantification": ("RPS", "NMD"),
}
