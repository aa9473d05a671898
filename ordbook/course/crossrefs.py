"""What the labels of the book stand for, read from its sources.

Contents
--------
Target       where a label is, and what it is called
Labels       label -> target, and page -> title, of the whole book
read_labels  read them from the chapters and pages
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from ordbook.chapters.parameters import chapter_names
from ordbook.data.paths import share

_HEADED = re.compile(r"^\(([^)\n]+)\)=\s*\n+(?:\([^)\n]+\)=\s*\n+)*#{1,6} (.+)$", re.MULTILINE)
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_EXERCISE = re.compile(r"^[`:]{3,}\{exercise\}.*\n(?::(?!label:).*\n)*:label: *(\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Target:
    """Where a label is and what it is called; exercises have their number in the book."""

    page: str
    text: str
    kind: str = "section"


@dataclass
class Labels:
    """The labels and pages of the book."""

    targets: dict[str, Target] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)


def read_labels(folder: Path | None = None) -> Labels:
    """Read what the labels of a book stand for.

    Examples
    --------
    >>> read_labels().targets["acl21-data"]
    Target(page='records/acl21', text='Data: Table 1', kind='section')
    """
    labels = Labels()
    folder = folder or share("book")
    # Exercises are counted through the book: chapters in its order, then the page on teaching.
    order = {name: place for place, name in enumerate(chapter_names())}
    found = [*folder.rglob("*.ipynb"), *folder.rglob("*.md")]
    pages = {path.relative_to(folder).with_suffix("").as_posix(): path for path in sorted(found)}
    number = 0
    for page, path in sorted(pages.items(), key=lambda item: order.get(item[0], len(order))):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            cells = json.loads(text)["cells"]
            for cell in cells:
                figure = cell["metadata"].get("mystnb", {}).get("figure", {})
                if "name" in figure:
                    target = Target(page, str(figure.get("caption", "")), "figure")
                    labels.targets[figure["name"]] = target
            text = "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
        title = _TITLE.search(text)
        labels.titles[page] = title[1].strip() if title else page
        for headed in _HEADED.finditer(text):
            labels.targets[headed[1]] = Target(page, headed[2].strip())
        for exercise in _EXERCISE.finditer(text):
            number += 1
            labels.targets[exercise[1]] = Target(page, f"Exercise {number}", "exercise")
    return labels
