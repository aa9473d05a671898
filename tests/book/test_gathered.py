"""Idle notes of several tables become one; everything else is shown as ever."""

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.display import Markdown, display
from IPython.utils.capture import capture_output
from myst_nb import glue

from ordbook.book.gathered import gathered

IDLE = ":::{note}\nIdle. Table 1 was printed for other data.\n:::"


@pytest.fixture(autouse=True)
def shell():
    """Capturing needs a shell, as a notebook has one."""
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()


def shown(*texts):
    with capture_output() as captured, gathered("Tables 1 to 3"):
        for text in texts:
            display(Markdown(text))
    return [output.data["text/markdown"] for output in captured.outputs]


def test_all_idle_notes_become_one():
    (note,) = shown(IDLE, IDLE, IDLE)
    assert note.startswith(":::{note}\nIdle. ")
    assert "Tables 1 to 3 were printed for data of the paper" in note


def test_what_is_not_idle_stays():
    assert shown("a table", "another") == ["a table", "another"]
    assert shown("a table", IDLE)[0] == "a table"


def test_what_is_kept_for_the_text_stays():
    with capture_output() as captured, gathered("Tables"):
        glue("some-table", "idle: other data", display=False)
    (output,) = captured.outputs
    assert output.metadata["scrapbook"]["name"] == "some-table"
