"""The templates of pages, and the addresses of what they load."""

import hashlib
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from ordbook.files import share


def render(name: str, **values: Any) -> str:
    """Fill a template of ``ordbook/pages``; a value that is missing is an error."""
    environment = Environment(
        loader=PackageLoader("ordbook.pages", ""),
        autoescape=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    return environment.get_template(name).render(address=address, **values)


def address(name: str) -> str:
    """Address of a file in ``book/_static`` from a page in ``book/``, such as ``tryout/take.js``.

    It has the checksum of the file, so that browsers fetch a new version.
    """
    content = share("book", "_static", *name.split("/")).read_bytes()
    return f"../_static/{name}?v={hashlib.sha256(content).hexdigest()[:8]}"
