"""Instructions for installing an extra of the package."""

from collections.abc import Iterator
from contextlib import contextmanager


def to_install(extra: str) -> str:
    """Return the command that installs the package with an extra.

    Not by its bare name: as long as the package has no public address, an index could give
    somebody else's package of that name.

    >>> to_install("book")
    'pip install "PATH[book]", PATH being the repository of ordbook or a wheel of it'
    """
    return f'pip install "PATH[{extra}]", PATH being the repository of ordbook or a wheel of it'


@contextmanager
def needing(extra: str, name: str) -> Iterator[None]:
    """Name the extra that brings the package which an import for `name` does not find.

    >>> with needing("analysis", "ordbook.load"):
    ...     import no_such_package
    Traceback (most recent call last):
        ...
    ImportError: ordbook.load needs no_such_package, which the extra 'analysis' brings: pip ...
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "ordbook":
            raise
        raise ImportError(
            f"{name} needs {error.name}, which the extra '{extra}' brings: {to_install(extra)}"
        ) from None
