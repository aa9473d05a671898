"""Several comparisons that are idle for one reason, and say so once.

Contents
--------
gathered   within it the notes that say why a comparison is idle become one
"""

from collections.abc import Iterator
from contextlib import contextmanager

from IPython.display import display
from IPython.utils.capture import RichOutput, capture_output

from ordbook.book.admonitions import Myst
from ordbook.book.escape import escape_markdown

_IDLE = ":::{note}\nIdle."


@contextmanager
def gathered(what: str) -> Iterator[None]:
    """Show what is displayed within, but one note in place of all that say *Idle*.

    Parameters
    ----------
    what
        What is compared, as the subject of a sentence: ``"Tables 4(b) to (h)"``.
    """
    with capture_output(stdout=False, stderr=False) as captured:
        yield
    outputs = captured.outputs
    for output in outputs:
        if not _is_idle(output):
            output.display()
    if any(map(_is_idle, outputs)):
        # A reason is the same for all, except that it names the table.
        reason = "were printed for data of the paper; this edition is about other data."
        display(Myst(f"{_IDLE} {escape_markdown(f'{what} {reason}')}\n:::"))


def _is_idle(output: RichOutput) -> bool:
    return str(output.data.get("text/markdown", "")).startswith(_IDLE)
