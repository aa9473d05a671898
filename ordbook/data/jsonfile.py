"""JSON files read strictly: what is wrong is named, and a key given twice is wrong."""

import json
import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from ordbook.data.problems import Place, Wrong
from ordbook.data.text import read_content

# Sums are held to this where a file's decimals do not explain more (DESIGN: distributions).
SUM_TOLERANCE = 1e-5
# Lets a sum that lies just on a limit pass, whatever the noise of additions and their order.
ADDITIONS = 1e-9
T = TypeVar("T")


def read_json(path: Path) -> Any:
    """Read a JSON file, gzipped or not; what is wrong is raised as :class:`Wrong`."""
    return parse_json(read_content(path), Place(str(path)))


def parse_json(content: bytes, where: Place) -> Any:
    """Parse the bytes of a JSON file; what is wrong is raised with ``where``."""
    line = column = None
    fix = "correct the JSON, or get the file again"
    try:
        return json.loads(
            content.decode("utf-8-sig"), object_pairs_hook=_pairs, parse_int=_whole_number
        )
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        utf16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
        found = "UTF-16 text" if utf16 else f"a byte that is not UTF-8 (byte {error.start})"
        fix = "save the file as text in UTF-8"
    except json.JSONDecodeError as error:
        found = f"this is not JSON ({error.msg})"
        line, column = error.lineno, error.colno
    except RecursionError:
        found = "values nested too deeply"
    raise Wrong(where, line=line, column=column, found=found, fix=fix)


def _whole_number(digits: str) -> int | float:
    # Python refuses to convert thousands of digits; as a float they are refused with their place.
    return int(digits) if len(digits) < 20 else float(digits)


class _Object(dict[str, Any]):
    """A JSON object that remembers whether a key was given twice."""

    repeated: str | None = None


def _pairs(pairs: list[tuple[str, Any]]) -> _Object:
    found = _Object(pairs)
    if len(found) < len(pairs):
        found.repeated = Counter(key for key, _ in pairs).most_common(1)[0][0]
    return found


def as_object(value: Any, where: Place) -> dict[str, Any]:
    """Return an object; refuse other values, and objects that give a key twice."""
    if not isinstance(value, dict):
        raise Wrong(where, found=f"{short(value)}, not a JSON object", fix="write an object")
    if isinstance(value, _Object) and value.repeated is not None:
        raise Wrong(where, found=f"the key {value.repeated!r} twice", fix="give each key once")
    return value


def field(entry: dict[str, Any], key: str, kind: type[T], where: Place) -> T:
    """Return a field of an object, of the right type."""
    names: dict[type, str] = {
        dict: "an object",
        list: "a list",
        str: "a string",
        int: "a whole number",
    }
    if key not in entry:
        raise Wrong(where, found=f"no {key!r}", fix=f"add it, {names[kind]}")
    value = entry[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Wrong(
            where, found=f"{key!r}: {short(value)}, not {names[kind]}", fix="correct the value"
        )
    if kind is dict:
        as_object(value, where.inside(key))
    return value


def probability(value: Any, where: Place) -> float:
    """Return a number from 0 to 1; refuse other values."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:
        raise Wrong(
            where,
            found=f"{short(value)}, not a number from 0 to 1",
            fix="write a probability; divide counts by their sum",
        )
    return float(value)


def require_sum(row: Iterable[float], where: Place) -> None:
    """Refuse probabilities that do not sum to 1 within 1e-5."""
    total = math.fsum(row)
    if abs(total - 1) > SUM_TOLERANCE + ADDITIONS:
        raise Wrong(
            where,
            found=f"a sum of {total:.6g}, not 1 within {SUM_TOLERANCE:.0e}",
            fix="divide each probability by their sum",
        )


def short(value: Any) -> str:
    """Return a value as messages show it: at most 60 characters."""
    text = repr(value) if not isinstance(value, list | dict) else f"a {type(value).__name__}"
    return {"a list": "a list", "a _Object": "an object"}.get(text, text)[:60]
