"""What tests share that look at built pages with Chromium."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from helpers.chromium import FLAGS

ROOT = Path(__file__).resolve().parents[2]
THEMES = ("light", "dark")
# The theme says this once to every new reader, and means nothing by it.
KNOWN_WARNINGS = ("Got invalid theme mode",)
SETTLE = """async () => {
  if (window.MathJax?.startup?.promise) await window.MathJax.startup.promise;
  await document.fonts.ready;
}"""


def pages_of(toc: Path = ROOT / "_toc.yml") -> list[str]:
    """Chapters in the order of the table of contents, the first page first."""

    def chapters(entry: dict) -> Iterator[str]:
        for key in ("root", "file"):
            if key in entry:
                yield f"{entry[key]}.html"
        for key in ("parts", "chapters", "sections", "subtrees", "entries"):
            for below in entry.get(key, []):
                yield from chapters(below)

    return list(chapters(yaml.safe_load(toc.read_text(encoding="utf-8"))))


@contextmanager
def open_browser(chromium: str) -> Iterator:
    """Start Chromium; close it in the same file, as its event loop would disturb other tests."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield running
        running.close()


@contextmanager
def open_profile(browser, width: int, theme: str) -> Iterator:
    """Give a fresh profile of a reader with such a screen and such a system."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)
    try:
        yield context
    finally:
        context.close()


@contextmanager
def open_files(browser) -> Iterator:
    """Give a function that opens a file in a fresh profile; no page may complain or ask outside."""
    contexts, complaints = [], []

    def start(url: str, width: int, theme: str = "light", **options):
        size = {"width": width, "height": 900}
        context = browser.new_context(viewport=size, color_scheme=theme, **options)
        contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on("dialog", lambda dialog: (complaints.append(dialog.message), dialog.dismiss()))
        tab.on("request", lambda r: complaints.append(r.url) if r.url.startswith("http") else None)
        tab.goto(url)
        return tab

    yield start
    for context in contexts:
        context.close()
    assert not complaints


def is_outside(url: str, address: str) -> bool:
    """Say whether a request goes elsewhere than to the served folder."""
    return not url.startswith((f"{address}/", "data:", "blob:"))


@dataclass
class Watch:
    """What happens in a tab from now on."""

    tab: object
    address: str
    outside: list[str] = field(default_factory=list)
    http_errors: list[str] = field(default_factory=list)
    console_errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin to listen."""
        self.tab.on("request", self._asked)
        self.tab.on("response", lambda r: self.http_errors.append(r.url) if r.status > 399 else 0)
        self.tab.on("console", self._said)
        self.tab.on("pageerror", lambda error: self.console_errors.append(str(error)))

    def _asked(self, request) -> None:
        if is_outside(request.url, self.address):
            self.outside.append(request.url)

    def _said(self, message) -> None:
        if message.type == "error":
            self.console_errors.append(message.text)
        elif message.type == "warning" and not message.text.startswith(KNOWN_WARNINGS):
            self.warnings.append(message.text)

    def taken(self) -> dict[str, list[str]]:
        """Everything that was noticed since the last call."""
        kinds = {
            "outside request": self.outside,
            "http error": self.http_errors,
            "console error": self.console_errors,
            "console warning": self.warnings,
        }
        found = {kind: list(noticed) for kind, noticed in kinds.items()}
        for noticed in kinds.values():
            noticed.clear()
        return found


def settle(tab) -> None:
    """Wait until formulas are set and fonts are there."""
    tab.evaluate(SETTLE)
