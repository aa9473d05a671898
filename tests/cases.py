"""Many inputs of one kind in one test."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any


def each(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[..., Any]:
    """Call a test with every case, and name the case that fails.

    Takes what ``pytest.mark.parametrize`` takes, but makes one test; all cases share its fixtures.
    """
    wanted = tuple(names.replace(",", " ").split()) if isinstance(names, str) else names
    listed = [(case,) if len(wanted) == 1 else tuple(case) for case in cases]
    assert listed, f"no cases of {', '.join(wanted)}"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(test)

        @wraps(test, updated=())
        def run(**fixtures: Any) -> None:
            for case in listed:
                values = dict(zip(wanted, case, strict=True))
                try:
                    test(**fixtures, **values)
                except Exception as error:
                    said = (f"{name} = {value!r:.300}" for name, value in values.items())
                    error.add_note(f"the case: {', '.join(said)}")
                    raise

        others = [p for p in signature.parameters.values() if p.name not in wanted]
        run.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        run.pytestmark = list(getattr(test, "pytestmark", []))  # type: ignore[attr-defined]
        return run

    return decorate
