"""How the papers are cited."""


def entry_of(text: str, key: str) -> str:
    r"""Return one entry of a BibTeX file, as it stands there.

    >>> entry_of("@misc{a,\n  year = {2001},\n}\n\n@misc{b,\n  year = {2002},\n}\n", "b")
    '@misc{b,\n  year = {2002},\n}'

    Raises
    ------
    ValueError
        If there is no such entry.
    """
    for block in ("\n" + text).split("\n@")[1:]:
        if block.partition("{")[2].startswith(f"{key},"):
            return "@" + block.partition("\n}")[0] + "\n}"
    raise ValueError(f"there is no entry {key!r}")
