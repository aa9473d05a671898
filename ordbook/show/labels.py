"""The labels of the book, by which pages, sections, figures and exercises are referred to."""

import json
import re
from dataclasses import dataclass, field
from functools import cache

import yaml

from ordbook.files import share

_HEADED = re.compile(r"^\(([^)\n]+)\)=\s*\n+(?:\([^)\n]+\)=\s*\n+)*#{1,6} (.+)$", re.MULTILINE)
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_EXERCISE = re.compile(r"^[`:]{3,}\{exercise\}.*\n(?::(?!label:).*\n)*:label: *(\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Target:
    """The address and the name of a label; exercises have their number in the book."""

    page: str
    text: str
    kind: str = "section"


@dataclass
class Labels:
    """The labels and pages of the book."""

    targets: dict[str, Target] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)


@cache
def read_labels() -> Labels:
    """Read the labels of the book.

    Examples
    --------
    >>> read_labels().targets["acl21-data"]
    Target(page='records/acl21', text='Data: Table 1', kind='section')
    """
    labels = Labels()
    folder = share("book")
    chapters = _chapter_numbers()
    paths = [*folder.rglob("*.ipynb"), *folder.rglob("*.md")]
    pages = {path.relative_to(folder).with_suffix("").as_posix(): path for path in sorted(paths)}
    for page, path in pages.items():
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            cells = json.loads(text)["cells"]
            for cell in cells:
                figure = cell["metadata"].get("mystnb", {}).get("figure", {})
                if "name" in figure:
                    target = Target(page, str(figure.get("caption", "")), "figure")
                    labels.targets[figure["name"]] = target
                # The name of a table is an argument of what shows it.
                code = "".join(cell["source"]) if cell["cell_type"] == "code" else ""
                for name in re.findall(rf'"({path.stem}-[\w-]+)"', code):
                    labels.targets.setdefault(name, Target(page, path.stem, "table"))
            text = "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
        title = _TITLE.search(text)
        labels.titles[page] = title[1].strip() if title else page
        for headed in _HEADED.finditer(text):
            labels.targets[headed[1]] = Target(page, headed[2].strip())
        for number, exercise in enumerate(_EXERCISE.finditer(text), 1):
            chapter = chapters.get(page)
            name = f"Exercise {chapter}.{number}" if chapter else "the exercise"
            labels.targets[exercise[1]] = Target(page, name, "exercise")
    return labels


def _chapter_numbers() -> dict[str, int]:
    """Return page -> its number in the book, by the table of contents."""
    toc = yaml.safe_load(share("_toc.yml").read_text(encoding="utf-8"))
    numbered = [part["chapters"] for part in toc["parts"] if part.get("numbered")]
    files = [chapter["file"] for chapters in numbered for chapter in chapters]
    return {file.removeprefix("book/"): number for number, file in enumerate(files, 1)}
