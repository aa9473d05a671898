"""The picture of the first page, and what the page on choosing a measure computes."""

import re

import numpy as np
import pytest

from ordbook.advice import FAVOURED
from ordbook.chapters import choosing
from ordbook.chapters.choosing import TREE
from ordbook.measures import (
    CLASSIFICATION,
    QUANTIFICATION,
    accuracy,
    confusion_matrix,
    kappa,
)
from ordbook.measures.registry import by_default
from ordbook.pages.tryout import example


def test_the_picture_shows_the_ten_answers_of_the_example(root):
    picture = (root / "book/_static/two_models.svg").read_text(encoding="utf-8")
    text = re.sub("<[^>]+>", " ", picture)
    table = example()
    for model in ("bold", "careful"):
        counts = confusion_matrix(table["gold"], table[model], labels=range(1, 6))
        panel = picture.partition(f"grade by {model}<")[0].rpartition("<g ")[2]
        drawn = re.findall(r'<rect x="(\d+)" y="(\d+)".*?<text[^>]*>(\d)<', panel)
        cells = {(int(y) // 30, int(x) // 30): int(count) for x, y, count in drawn}
        assert cells == {(i, j): counts[i, j] for i, j in np.argwhere(counts)}
        assert f"accuracy {accuracy.from_confusion(counts):.2f}" in text
        assert f"linear kappa {kappa.from_confusion(counts):.2f}" in text


@pytest.mark.parametrize("kind", ["quantification", "classification"])
def test_every_ordinal_measure_meets_a_need_or_does_not(kind):
    ordinal = [name for name, measure in by_default(kind).items() if measure.ordinal]
    for _, row in choosing.by_need(kind).iterrows():
        named = [n for part in ("met by", "not by") for n in row[part].split(", ") if n != "none"]
        assert sorted(named) == sorted(ordinal)


def test_the_tree_ends_with_the_recommendation_where_the_classes_have_an_order():
    for kind, steps in zip(["classification", "quantification"], TREE.values(), strict=True):
        known = {**QUANTIFICATION, **CLASSIFICATION}
        assert not any(known[name].ordinal for name in steps[0][1].split(" or "))
        ends = [measures.split(",\nwith ") for _, measures in steps[1:]]
        assert ends == [[*FAVOURED[kind]][::-1], [*FAVOURED[kind]]]
