"""Every chapter that can be rerun is executed on the sets of ratings by people and by models."""

import pytest

from ordbook.report.executing import execute, prepare_environment
from ordbook.report.rerun import choose
from ordbook.show.parameters import CHAPTERS, REPORT
from ordbook.show.source import Source

SETS = {
    "llmjudge": "classification",
    "ambistory": "classification",
    "hanna-RE-shares": "quantification",
    "latent": "quantification",
}
CASES = [
    (chapter, data)
    for data, kind in SETS.items()
    for chapter in (REPORT, *CHAPTERS)
    if chapter == REPORT or kind in CHAPTERS[chapter]
]


@pytest.mark.slow
@pytest.mark.parametrize(("chapter", "data"), CASES)
def test_a_chapter_on_ratings(chapter, data, tmp_path):
    source = Source(data)
    task = source.load_ranked()
    assert task.kind == SETS[data]
    prepare_environment()
    page = tmp_path / "chapter.ipynb"
    execute(chapter, choose([chapter], task, source, {})[chapter], page)
    assert "**Warning.**" not in page.read_text(encoding="utf-8"), "a check of the chapter fails"
