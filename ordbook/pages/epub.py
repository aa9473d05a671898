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
from ordbook.pages.one_file import Book, Page, read_book, relink, run, say
from ordbook.pages.sphinx_extension import repository_address

_XHTML = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"
  lang="en" xml:lang="en">
<head><meta charset="utf-8"/><title>{title}</title><link rel="stylesheet" href="epub.css"/></head>
<body>{body}</body>
</html>
"""
_CONTAINER = """<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="book/content.opf" media-type="application/oebps-package+xml"/>
</rootfiles></container>
"""
_PACKAGE = """<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">{identifier}</dc:identifier><dc:title>{title}</dc:title>
<dc:creator>{author}</dc:creator><dc:language>en</dc:language>
<dc:rights>Text: CC BY 4.0. Code: MIT.</dc:rights>
<meta property="dcterms:modified">{modified}</meta>
</metadata>
<manifest>{items}</manifest>
<spine>{spine}</spine>
</package>
"""
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
    parts = {"epub.css": (style + _signs(built)).encode()}
    items = ['<item id="css" href="epub.css" media-type="text/css"/>']
    for page in book.pages:
        relink(page, names, lambda name, place: f"{name}.xhtml" + (f"#{place}" if place else ""))
        images = _take_images(page, built, parts)
        items += [_item(name) for name in images]
        for formula in page.body.select(".math"):
            _convert(formula, page)
        text = _XHTML.format(title=html.escape(page.title), body=_as_xml(page.body))
        parts[f"{page.name}.xhtml"] = text.encode()
        properties = ' properties="mathml"' if page.body.math else ""
        items.append(_item(f"{page.name}.xhtml", properties))
    parts["contents.xhtml"] = _contents(book).encode()
    items.append(_item("contents.xhtml", ' properties="nav"'))
    spine = [book.pages[0].name, "contents", *(page.name for page in book.pages[1:])]
    package = _PACKAGE.format(
        identifier=uuid.uuid5(uuid.NAMESPACE_URL, repository_address()).urn,
        title=html.escape(book.title),
        author=html.escape(book.author),
        modified=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        items="\n".join(dict.fromkeys(items)),
        spine="".join(f'<itemref idref="{_id(f"{name}.xhtml")}"/>' for name in spine),
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


def _take_images(page: Page, built: Path, parts: dict[str, bytes]) -> list[str]:
    """Put the images of a page into the EPUB and return their names."""
    names = []
    for image in page.body.select("img[src]"):
        path = built / str(image["src"])
        name = f"images/{path.name}"
        parts[name] = path.read_bytes()
        image["src"] = name
        names.append(name)
    return names


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


def _contents(book: Book) -> str:
    """Return the navigation document: parts, chapters and their sections."""
    groups: dict[str, list[str]] = {}
    for page in book.pages:
        sections = "".join(
            f'<li><a href="{page.name}.xhtml#{place}">{html.escape(title)}</a></li>'
            for place, title in page.sections()
        )
        inner = f"<ol>{sections}</ol>" if sections else ""
        link = f'<a href="{page.name}.xhtml">{html.escape(page.title)}</a>'
        groups.setdefault(page.part, []).append(f"<li>{link}{inner}</li>")
    lines = [
        "".join(pages)
        if not part
        else f"<li><span>{html.escape(part)}</span><ol>{''.join(pages)}</ol></li>"
        for part, pages in groups.items()
    ]
    body = f'<nav epub:type="toc" id="toc"><h1>Contents</h1><ol>{"".join(lines)}</ol></nav>'
    return _XHTML.format(title="Contents", body=body)


def _id(name: str) -> str:
    return "x-" + re.sub(r"[^\w-]", "-", name)


def _item(name: str, properties: str = "") -> str:
    kind = "application/xhtml+xml" if name.endswith(".xhtml") else mimetypes.guess_type(name)[0]
    return f'<item id="{_id(name)}" href="{name}" media-type="{kind}"{properties}/>'


def _packed(parts: dict[str, bytes]) -> bytes:
    """Return the archive: the first file says what it is, and is not compressed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        archive.writestr("META-INF/container.xml", _CONTAINER)
        for name, content in parts.items():
            archive.writestr(f"book/{name}", content)
    return buffer.getvalue()


if __name__ == "__main__":
    sys.exit(run("epub", make_epub, sys.argv[1:]))
