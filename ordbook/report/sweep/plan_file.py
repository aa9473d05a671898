"""What a sweep is asked to run: chapters, data sets and parameters.

Contents
--------
Plan        what is asked for
read_plan   a small TOML file -> Plan
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ordbook.data.catalog import catalog
from ordbook.data.names import shown

Value = str | int
LARGEST = 200_000  # bytes of a plan
# Parts of a key on one line: the time to read a key grows with their square.
MOST_DOTS = 500


@dataclass(frozen=True)
class Plan:
    """Chapters, data sets and parameters, as they were asked for.

    Attributes
    ----------
    chapters
        Names of chapters, or ``all`` alone for those that fit; without any, only the tables
        across data sets are made.
    data
        Catalogue names and paths, ``PATH#A`` for one task of a folder in NTCIR's format; or
        mappings with ``path``, and where need be ``classes`` (labels from lowest to highest,
        separated by commas, where they are not -2 to 2) and ``part`` (``A``, as in ``PATH#A``).
    parameters
        Parameter -> a value, or a list of values that are all run. A chapter gets those that it
        has; ``trials``, ``splits``, ``seed`` and ``own`` also count for the tables.

    Examples
    --------
    >>> plan = Plan(["lq21"], ["sem16t4e", "fair-oq"], {"trials": 1000, "seed": [0, 1]})
    """

    chapters: Sequence[str]
    data: Sequence[str | Path | Mapping[str, str]]
    parameters: Mapping[str, Value | Sequence[Value]] = field(default_factory=dict)


def read_plan(path: str | Path) -> Plan:
    """Read a plan from a TOML file; relative paths in it start at its folder.

    The file has up to three entries, and nothing else::

        chapters = ["acl21", "lq21"]
        data = ["sem16t4e", "../my task", { path = "marriage.zip", classes = "low,mid,high" }]

        [parameters]
        trials = 1000
        seed = [0, 1]

    Raises
    ------
    ValueError
        If the file cannot be read, is no TOML or has other entries.
    """
    path = Path(path)
    if not path.exists():
        raise ValueError(f"{path}: there is no such file; name the plan, a TOML file")
    if not path.is_dir() and (not path.is_file() or path.stat().st_size > LARGEST):
        what = f"more than {LARGEST // 1000} kB" if path.is_file() else "a pipe or a device"
        raise ValueError(f"{path}: this is {what}; name the plan, a TOML file")
    try:
        text = path.read_text(encoding="utf-8-sig")
        if any(line.count(".") > MOST_DOTS for line in text.splitlines()):
            raise tomllib.TOMLDecodeError(f"a line has more than {MOST_DOTS} dots")
        found = tomllib.loads(text)
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        raise ValueError(f"{path}: the plan cannot be read ({why})") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path}: {shown(str(error), 200)}; a plan is a TOML file") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path}: the plan is not text in UTF-8; save it so") from None
    except RecursionError:
        raise ValueError(f"{path}: lists are nested too deeply; write them flat") from None
    except ValueError:  # Python refuses to convert thousands of digits
        raise ValueError(f"{path}: a number has too many digits; write a smaller one") from None
    known = {"chapters": list, "data": list, "parameters": dict}
    for name, value in found.items():
        if name not in known:
            raise ValueError(f"{path}: no entry {name!r}; a plan has {', '.join(known)}")
        if not isinstance(value, known[name]):
            what = "a table" if name == "parameters" else "a list, in square brackets"
            raise ValueError(f"{path}: {name} must be {what}")

    def near(place: Any) -> Any:
        known = isinstance(place, str) and (place in catalog() or place.startswith("~"))
        return str(path.parent / place) if isinstance(place, str) and not known else place

    data = [
        {**entry, "path": near(entry["path"])}
        if isinstance(entry, dict) and "path" in entry
        else near(entry)
        for entry in found.get("data", [])
    ]
    parameters = dict(found.get("parameters", {}))
    own = parameters.get("own")
    if isinstance(own, str):
        parameters["own"] = _near_files(own, path.parent)
    elif isinstance(own, list):
        parameters["own"] = [
            _near_files(one, path.parent) if isinstance(one, str) else one for one in own
        ]
    return Plan(found.get("chapters", []), data, parameters)


def _near_files(own: str, folder: Path) -> str:
    """Take the files of own measures from the folder of the plan."""
    return ",".join(
        str(folder / place) if ".py:" in place else place
        for place in filter(None, map(str.strip, own.split(",")))
    )
