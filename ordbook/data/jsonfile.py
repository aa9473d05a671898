"""JSON files read strictly: what is wrong is named, and a key given twice is wrong.

Contents
--------
read_json    a JSON file, gzipped or not -> its value
parse_json   its bytes -> its value
as_object    refuse what is not an object, or gives a key twice
field        a field of an object, of the right type
probability, require_sum   a number from 0 to 1; refuse numbers that do not sum to 1
short        a value as messages show it
"""

import gzip
import json
import math
import zlib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from ordbook.data.limits import FIX, LARGEST, content_of
from ordbook.data.problems import Place, Wrong

__all__ = [
    "ADDITIONS",
    "LARGEST",
    "SUM_TOLERANCE",
    "as_object",
    "field",
    "parse_json",
    "probability",
    "read_json",
    "require_sum",
    "short",
]
# Sums are held to this where a file's decimals do not explain more (DESIGN: distributions).
SUM_TOLERANCE = 1e-5
# Lets a sum that lies just on a limit pass, whatever the noise of additions and their order.
ADDITIONS = 1e-9
# The largest real file has 20 MB. With so many, Python needs about 2 GB.
MOST_VALUES, MOST_LISTS = 15_000_000, 3_000_000
T = TypeVar("T")


def read_json(path: Path) -> Any:
    """Read a JSON file; what is wrong is raised with the file and what to do."""
    where = Place(str(path))
    if path.exists() and not path.is_file():
        what = "a folder" if path.is_dir() else "a pipe or a device"
        raise Wrong(where, found=what, expected="a file", fix="put the file there")
    try:
        content, large = content_of(path)
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise Wrong(
            where,
            found="a gzip file that is cut short or damaged",
            expected="a whole one",
            fix="get it again",
        ) from None
    except OSError as error:
        raise Wrong(
            where,
            found=f"what cannot be read ({error.strerror})",
            expected="a JSON file",
            fix="put the file there",
        ) from None
    values = content.count(b",") + 1
    lists = content.count(b"[") + content.count(b"{")
    if large or values > MOST_VALUES or lists > MOST_LISTS:
        many = f"more than {MOST_VALUES} values" if values > MOST_VALUES else ""
        raise Wrong(
            where,
            found=large or many or f"more than {MOST_LISTS} lists and objects",
            expected="less",
            fix=FIX,
        )
    return parse_json(content, where)


def parse_json(content: bytes, where: Place) -> Any:
    """Parse the bytes of a JSON file; what is wrong is raised with ``where``."""
    line = column = None
    fix = "correct the file"
    try:
        return json.loads(
            content.decode("utf-8-sig"), object_pairs_hook=_pairs, parse_int=_whole_number
        )
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        found, fix = f"a byte that is not UTF-8 (byte {error.start})", "save it as UTF-8"
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            found = "UTF-16 text"
    except json.JSONDecodeError as error:
        found = f"what is not JSON ({error.msg})"
        line, column = error.lineno, error.colno
    except RecursionError:
        found, fix = "values nested too deeply", "name another file"
    raise Wrong(where, line=line, column=column, found=found, expected="JSON", fix=fix)


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
        raise Wrong(where, found=short(value), expected="a JSON object", fix="correct it")
    if isinstance(value, _Object) and value.repeated is not None:
        raise Wrong(
            where,
            found=f"the key {value.repeated!r} twice",
            expected="every key once",
            fix="remove one",
        )
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
        raise Wrong(where, found=f"no {key!r}", expected=names[kind], fix="add it")
    value = entry[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Wrong(where, found=f"{key!r}: {short(value)}", expected=names[kind], fix="correct it")
    if kind is dict:
        as_object(value, where.inside(key))
    return value


def probability(value: Any, where: Place) -> float:
    """Return a number from 0 to 1; refuse other values."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:
        raise Wrong(
            where,
            found=short(value),
            expected="a probability, a number from 0 to 1",
            fix="correct it; divide counts by their sum",
        )
    return float(value)


def require_sum(row: Iterable[float], where: Place) -> None:
    """Refuse probabilities that do not sum to 1 within 1e-5."""
    total = math.fsum(row)
    if abs(total - 1) > SUM_TOLERANCE + ADDITIONS:
        raise Wrong(
            where,
            found=f"a sum of {total:.6g}",
            expected=f"1 within {SUM_TOLERANCE:.0e}",
            fix="divide each probability by their sum",
        )


def short(value: Any) -> str:
    """Return a value as messages show it: at most 60 characters."""
    text = repr(value) if not isinstance(value, list | dict) else f"a {type(value).__name__}"
    return {"a list": "a list", "a _Object": "an object"}.get(text, text)[:60]
