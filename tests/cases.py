"""Many inputs of one kind in one test, whose failure names the one that failed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def case(*what: object, within: Path | None = None) -> Iterator[Path]:
    """Add to a failure which case it was; give each case an empty folder of its own."""
    folder = Path()
    if within is not None:
        folder = within / f"case-{len(list(within.iterdir()))}"
        folder.mkdir()
    try:
        yield folder
    except BaseException as failure:
        failure.add_note(f"case: {', '.join(repr(part)[:200] for part in what)}")
        raise
