"""ACL'21 Table 1: the data sets."""

from ordbook.data.catalog import catalog
from ordbook.data.printed import printed_values


def test_sizes_come_from_the_catalogue():
    """tests/data/test_catalog.py holds the catalogue to the files themselves."""
    printed = printed_values("acl21", "1").set_index(["row", "column"])["printed"]
    for row in ("Sem16T4C", "Sem17T4C", "Sem16T4E", "Sem17T4E"):
        dataset = catalog()[row.lower()]
        assert printed[row, "#ordinal classes"] == str(len(dataset.classes))
        assert printed[row, "Test data sample size"] == str(dataset.topics)
        assert (
            printed[row, "Task type"]
            == {"classification": "OC", "quantification": "OQ"}[dataset.kind]
        )
        if dataset.runs:
            assert printed[row, "#runs used"] == str(dataset.runs)
