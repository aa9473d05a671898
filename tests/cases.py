"""Many inputs of one kind in one test."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any


def each(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[..., Any]:
    """Call a test with every case, and name the case that fails.

    Takes what ``pytest.mark.parametrize`` takes, but makes one test; all cases share its fixtures.
    """
    wanted = tuple(names.replace(",", " ").split()) if isinstance(names, str) else names
    listed = [(one,) if len(wanted) == 1 else tuple(one) for one in cases]
    assert listed, f"no cases of {', '.join(wanted)}"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(test)

        @wraps(test, updated=())
        def run(**fixtures: Any) -> None:
            for one in listed:
                values = dict(zip(wanted, one, strict=True))
                with case(values):
                    test(**fixtures, **values)

        others = [p for p in signature.parameters.values() if p.name not in wanted]
        run.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        run.pytestmark = list(getattr(test, "pytestmark", []))  # type: ignore[attr-defined]
        return run

    return decorate


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
        failure.add_note(f"case: {', '.join(repr(part)[:300] for part in what)}")
        raise
