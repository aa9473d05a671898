"""The corpus of bad and unusual folders."""

import base64
import gzip
import json
import re
from pathlib import Path

from helpers.task_folders import Files

FOLDER = Path(__file__).parents[1] / "data"
CORPUS = json.loads(gzip.decompress((FOLDER / "hostile.json.gz").read_bytes()))
SAID: dict[str, list[str]] = json.loads((FOLDER / "hostile.json").read_text("utf-8"))


def files_of(key: str) -> Files:
    """The files of a case, by name."""
    return {
        name: base64.b64decode(content["base64"]) if "base64" in content else content["text"]
        for name, content in CORPUS[key]["files"].items()
    }


# What no message may hold: Python's words, and what only a programmer can use.
PYTHON = re.compile(
    r"Traceback|Errno|object at|<class|int\(\)|float\(\)|NoneType|'utf-8' codec|codec can't|"
    r"Error:|\bdict\b|\btuple\b|ordbook-[a-z0-9_]{8}|index out of|\b1 (runs|problems|cells)\b"
)
LARGE = {
    "gzip that unpacks to far more",
    "JSON, very many lists",
}  # takes seconds
