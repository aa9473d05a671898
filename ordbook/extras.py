"""How to get what an extra of the package brings."""


def to_install(extra: str) -> str:
    """Return the command that installs the package with an extra.

    Not by its bare name: as long as the package has no public address, an index could give
    somebody else's package of that name.

    >>> to_install("book")
    'pip install "PATH[book]", PATH being the repository of ordbook or a wheel of it'
    """
    return f'pip install "PATH[{extra}]", PATH being the repository of ordbook or a wheel of it'
