"""The picture of the first page that README.md shows, taken from the built book."""

import sys
from collections.abc import Sequence
from pathlib import Path

from ordbook.extras import to_install
from ordbook.files import write_whole
from ordbook.pages.chromium import FLAGS, find_chromium

HTML, PICTURE = Path("_build/html"), Path("book/_static/screenshot.png")
WIDTH, HEIGHT = 1280, 800
LARGEST = 300_000  # bytes


def take(html: Path = HTML, picture: Path = PICTURE) -> int:
    """Write the picture and return its size in bytes.

    Parameters
    ----------
    html
        The folder of a built book.
    picture
        A PNG file, replaced if it is there.
    """
    page = html / "book" / "index.html"
    if not page.is_file():
        raise ValueError(f"{page} is not there: build the book first (make book)")
    chromium = find_chromium()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise ValueError(f"Playwright is missing: {to_install('test')}") from None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        tab = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light", device_scale_factor=1
        )
        tab.goto(page.resolve().as_uri(), wait_until="load")
        tab.evaluate("document.fonts.ready")
        content = tab.screenshot()
        browser.close()
    if len(content) > LARGEST:
        raise ValueError(f"{picture} would have {len(content):,} bytes, more than {LARGEST:,}")
    write_whole(picture, content)
    return len(content)


def main(arguments: Sequence[str]) -> int:
    """Take the picture and say so."""
    try:
        html, picture = (*map(Path, arguments[:2]), *(HTML, PICTURE)[len(arguments) :])
        size = take(html, picture)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{picture}: {size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
