"""The built pages as one EPUB: ``python -m ordbook.pages.epub``.

Formulas become MathML, which EPUB 3 prescribes and needs no script. Sphinx's own EPUB keeps raw
TeX, names stylesheets that are not there, and would run or read every chapter once more.
"""

from __future__ import annotations

import html
import io
import mimetypes
import re
import sys
import uuid
import zipfile
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from latex2mathml.converter import convert

from ordbook.files import write_whole
from ordbook.pages.one_file import Page, read_book, relink, rendered, run, say
from ordbook.pages.sphinx_extension import repository_address

# How Sphinx writes formulas for MathJax.
_AROUND = [
    re.compile(rf"^\\begin\{{{name}\}}(.*)\\end\{{{name}\}}$", re.DOTALL)
    for name in ("split", "align")
]
_SPACE_OF_LINES = re.compile(r"\\\\\[[\d.]+(ex|em|pt)\]")
_SIGN = re.compile(r'(\.verdict-[\w-]+)::before \{ content: "(.)"')
_DELIMITERS = re.compile(r"^\\[(\[](.*)\\[)\]]$", re.DOTALL)


def make_epub(built: Path, root: Path, target: Path) -> Path:
    """Write the built pages of a book as one EPUB.

    Parameters
    ----------
    built
        The folder of built pages.
    root
        The folder with ``_config.yml`` and ``_toc.yml``.
    target
        The file to write.

    Raises
    ------
    ValueError
        If a page was not built, or a formula cannot be converted.
    """
    book = read_book(built, root)
    say("epub", f"writing {len(book.pages)} pages of the web book")
    names = frozenset(page.name for page in book.pages)
    style = files("ordbook.pages").joinpath("epub.css").read_text(encoding="utf-8")
    parts: dict[str, bytes] = {"epub.css": (style + _signs(built)).encode()}
    properties = {"contents.xhtml": "nav"}
    for page in book.pages:
        relink(page, names, lambda name, place: f"{name}.xhtml" + (f"#{place}" if place else ""))
        _take_images(page, built, parts)
        for formula in page.body.select(".math"):
            _convert(formula, page)
        name, body = f"{page.name}.xhtml", _as_xml(page.body)
        parts[name] = rendered("epub_page.xhtml.j2", title=page.title, body=body).encode()
        properties[name] = "mathml" if page.body.math else ""
    contents = rendered("epub_contents.xhtml.j2", title="Contents", parts=book.parts())
    parts["contents.xhtml"] = contents.encode()
    first, *others = (f"{page.name}.xhtml" for page in book.pages)
    package = rendered(
        "epub.opf.j2",
        book=book,
        identifier=uuid.uuid5(uuid.NAMESPACE_URL, repository_address()).urn,
        modified=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        items=[(name, _kind(name), properties.get(name, "")) for name in parts],
        spine=[first, "contents.xhtml", *others],
    )
    parts["content.opf"] = package.encode()
    target.parent.mkdir(parents=True, exist_ok=True)
    write_whole(target, _packed(parts))
    return target


def mathml(tex: str, display: str = "inline") -> str:
    r"""Return a formula as MathML, with its TeX for readers that cannot show it.

    >>> mathml(r"\tau_b").count("<msub>")
    1
    """
    plain = tex.strip()
    # Sphinx puts environments around those that are there; latex2mathml knows one of their kind.
    for around in _AROUND:
        if (found := around.match(plain)) and r"\begin{aligned}" in found[1]:
            plain = found[1].strip()
    plain = re.sub(r"\\(begin|end)\{(aligned|split)\}", r"\\\1{align*}", plain)
    plain = _SPACE_OF_LINES.sub(r"\\\\", plain)
    text = convert(plain, display=display)
    left = re.search(r"<m[a-z]+[^>]*>(\\[A-Za-z]+|&|&amp;|&#x00026;)<", text)
    if left:
        raise ValueError(f"latex2mathml does not know {left[0]} in the formula {tex}")
    text = text.replace(' columnspacing=""', "")  # for one column, and EPUB does not allow it
    return text.replace("<math ", f'<math alttext="{html.escape(tex)}" ', 1)


def _signs(built: Path) -> str:
    """Return the signs that the pages' style puts before verdicts, and captions explain."""
    style = (built / "_static" / "custom.css").read_text(encoding="utf-8")
    return "\n".join(
        f'{verdict}::before {{ content: "{sign} "; }}' for verdict, sign in _SIGN.findall(style)
    )


def _convert(formula: Tag, page: Page) -> None:
    """Put MathML in the place of the TeX that MathJax would read."""
    number = formula.select_one(".eqno")
    if number is not None:
        number.extract()
    found = _DELIMITERS.match(formula.get_text().strip())
    if found is None:
        raise ValueError(f"{page.name}: no formula in {formula}")
    display = "block" if formula.name == "div" else "inline"
    formula.clear()
    if number is not None:
        formula.append(number)
    fragment = BeautifulSoup(mathml(found[1], display), "html.parser")
    formula.append(fragment)


def _take_images(page: Page, built: Path, parts: dict[str, bytes]) -> None:
    """Put the images of a page into the EPUB."""
    for image in page.body.select("img[src]"):
        path = built / str(image["src"])
        image["src"] = f"images/{path.name}"
        parts[f"images/{path.name}"] = path.read_bytes()


def _as_xml(body: Tag) -> str:
    """Return HTML as XML: attributes that HTML has for its own looks go."""
    for element in body.find_all(True):
        if element.name in ("mspace", "mpadded"):  # theirs are MathML's own
            continue
        for name in ("align", "width", "height", "border", "loading", "valign", "tabindex"):
            if element.name != "img" or name in ("align", "loading"):
                element.attrs.pop(name, None)
        style = element.attrs.get("style")
        if style is not None and "position" in str(style):
            del element["style"]
    return body.decode(formatter="minimal")


def _kind(name: str) -> str:
    if name.endswith(".xhtml"):
        return "application/xhtml+xml"
    return str(mimetypes.guess_type(name)[0])


def _packed(parts: dict[str, bytes]) -> bytes:
    """Return the archive: the first file says what it is, and is not compressed."""
    buffer = io.BytesIO()
    container = files("ordbook.pages").joinpath("epub_container.xml")
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        archive.writestr("META-INF/container.xml", container.read_bytes())
        for name, content in parts.items():
            archive.writestr(f"book/{name}", content)
    return buffer.getvalue()


if __name__ == "__main__":
    sys.exit(run("epub", make_epub, sys.argv[1:]))
