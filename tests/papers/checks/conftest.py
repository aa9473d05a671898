"""What the tests of the checks share: which of them notice other texts than the printed ones."""

import pytest


def _holds(relation, printed):
    try:
        return relation.test(printed).holds
    except ValueError:  # what cannot be read or computed, such as a distribution that sums to 1.1
        return False


def _broken(relations, printed, changes):
    return {
        relation.family
        for relation in relations
        if changes.keys() & set(relation.cells)
        and _holds(relation, printed)
        and not _holds(relation, {**printed, **changes})
    }


@pytest.fixture(scope="session")
def holds():
    """Whether a check holds; what cannot be read does not."""
    return _holds


@pytest.fixture(scope="session")
def families():
    """Checks, printed texts, other texts -> families that hold as printed and break with these."""
    return _broken
