"""JSON files read strictly: what is wrong is named, and a key given twice is wrong.

Contents
--------
read_json    a JSON file, gzipped or not -> its value
parse_json   its bytes -> its value
as_object    refuse what is not an object, or gives a key twice
field        a field of an object, of the right type
short        a value as messages show it
"""

import gzip
import json
import zlib
from collections import Counter
from pathlib import Path
from typing import Any, TypeVar

# The largest real file has 20 MB; more than this is not what it says it is.
LARGEST = 500_000_000
T = TypeVar("T")


def read_json(path: Path) -> Any:
    """Read a JSON file; every ``ValueError`` names the file and what to do."""
    if path.is_dir():
        raise ValueError(f"{path}: this is a folder; a file is expected here")
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        with gzip.open(path) if packed else path.open("rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise ValueError(f"{path}: more than {LARGEST // 10**6} MB; this is another file")
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise ValueError(f"{path}: the gzip file is cut short or damaged; get it again") from None
    except OSError as error:
        raise ValueError(f"{path}: cannot be read ({error.strerror})") from None
    return parse_json(content, str(path))


def parse_json(content: bytes, where: str) -> Any:
    """Parse the bytes of a JSON file; every ``ValueError`` begins with ``where``."""
    try:
        return json.loads(
            content.decode("utf-8-sig"), object_pairs_hook=_pairs, parse_int=_whole_number
        )
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{where}: not UTF-8 text (byte {error.start}: {error.reason}); save it as UTF-8"
        ) from None
    except json.JSONDecodeError as error:
        raise ValueError(f"{where}, line {error.lineno}: not JSON ({error.msg})") from None
    except RecursionError:
        raise ValueError(f"{where}: nested too deeply; this is another file") from None


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


def as_object(value: Any, where: str) -> dict[str, Any]:
    """Return an object; refuse other values, and objects that give a key twice."""
    if not isinstance(value, dict):
        raise ValueError(f"{where}: expected a JSON object, found {short(value)}")
    if isinstance(value, _Object) and value.repeated is not None:
        raise ValueError(f"{where}: the key {value.repeated!r} is given twice; remove one")
    return value


def field(entry: dict[str, Any], key: str, kind: type[T], where: str) -> T:
    """Return a field of an object, of the right type."""
    names: dict[type, str] = {
        dict: "an object",
        list: "a list",
        str: "a string",
        int: "a whole number",
    }
    if key not in entry:
        raise ValueError(f"{where}: there is no {key!r}; add it")
    value = entry[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(f"{where}: {key!r} is {short(value)}; expected {names[kind]}")
    if kind is dict:
        as_object(value, f"{where}, {key}")
    return value


def short(value: Any) -> str:
    """Return a value as messages show it: at most 60 characters."""
    text = repr(value) if not isinstance(value, list | dict) else f"a {type(value).__name__}"
    return {"a list": "a list", "a _Object": "an object"}.get(text, text)[:60]
