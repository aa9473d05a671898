"""Where the files of the reader's own measures are, and their checksums."""

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from ordbook.files import sha256
from ordbook.show.data_argument import resolve


def absolute(place: str) -> str:
    """Return a place with the whole path of its file; that of a module stays as it is."""
    source, colon, name = place.rpartition(":")
    return f"{resolve(source, 'measure')}{colon}{name}" if source.endswith(".py") else place


def contents(places: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of the file of each measure by its name; what it imports is not looked at.

    Parameters
    ----------
    places
        Measures that :func:`ordbook.measures.import_measures` has imported; where their files lie
        does not matter.
    """
    found = {}
    for place in places:
        source = place.rpartition(":")[0]
        module = None if source.endswith(".py") else find_spec(source)
        file = module.origin if module and module.origin else resolve(source, "measure")
        found[Path(place).name] = sha256(Path(file))
    return found
