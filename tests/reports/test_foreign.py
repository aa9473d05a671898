"""Every chapter that can be rerun is executed on tasks that its author did not know."""

import numpy as np
import pytest

from helpers.random_tasks import save_labels, save_shares
from ordbook.reports.executing import execute, prepare_environment
from ordbook.reports.rerun import choose
from ordbook.show.parameters import CHAPTERS, chapter_parameters
from ordbook.show.source import Source

pytestmark = pytest.mark.slow

WORDS = ["poor", "fair", "so, so", "good"]
NOISE = {"model a": 0.2, "model b": 0.35, "b_*c*": 0.5, "<d>": 0.65, "e": 0.8}
SETS = {
    "words": "classification",
    "votes": "quantification",
    "llmjudge": "classification",
    "ambistory": "classification",
    "hanna-RE-shares": "quantification",
    "latent": "quantification",
}
CASES = [
    (chapter, data)
    for data, kind in SETS.items()
    for chapter in CHAPTERS
    if kind in CHAPTERS[chapter]
]


@pytest.fixture
def source(tmp_path):
    """Give the source of a set: written here, or catalogued."""

    def source(data: str) -> Source:
        if data == "words":
            folder = save_labels(tmp_path / data, NOISE, 80, 10, WORDS)
            return Source(str(folder), WORDS)
        if data == "votes":
            folder = save_shares(tmp_path / data, NOISE, 24, WORDS)
            rng = np.random.default_rng(1)
            rows = [
                ",".join(map(str, [f"t{k}", *rng.multinomial(7, rng.dirichlet([1, 1, 2, 1]))]))
                for k in range(24)
            ]
            head = (folder / "gold.csv").read_text().partition("\n")[0]
            (folder / "gold.csv").write_text("\n".join([head, *rows, ""]))
            return Source(str(folder), WORDS)
        return Source(data)

    return source


@pytest.mark.parametrize(("chapter", "data"), CASES)
def test_a_chapter_on_data_that_its_author_did_not_know(chapter, data, source, tmp_path):
    place = source(data)
    task = place.load_ranked()
    assert task.kind == SETS[data]
    few = {"trials": 200, "splits": 50} if data in ("words", "votes") else {}
    values = {name: few[name] for name in chapter_parameters(chapter) if name in few}
    prepare_environment()
    page = tmp_path / "chapter.ipynb"
    execute(chapter, choose([chapter], task, place, values)[chapter], page)
    text = page.read_text(encoding="utf-8")
    assert "**Warning.**" not in text, "a check of the chapter fails"
    assert place.data == data or data in text
