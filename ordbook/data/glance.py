"""What a task, a score matrix or tests show at a glance: a line, in a notebook a small table."""

import html
from collections.abc import Sequence

from ordbook.data.names import some


class Glance:
    """What names its axes in attributes, and says in a line what it is."""

    _AXES = ("measures", "topics", "runs", "classes")

    def _repr_html_(self) -> str:
        axes: dict[str, Sequence[str] | int] = {
            axis: names for axis in self._AXES if (names := getattr(self, axis, None))
        }
        rows = "".join(
            f"<tr><th>{axis}</th><td>{_text(names)}</td></tr>" for axis, names in axes.items()
        )
        return f"<table><caption>{html.escape(repr(self)[1:-1])}</caption>{rows}</table>"


def _text(names: Sequence[str] | int) -> str:
    return str(names) if isinstance(names, int) else html.escape(f"{len(names)}: {some(names, 5)}")
