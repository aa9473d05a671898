"""Chromium, which the tests of pages drive, and a server of files for it."""

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
# As root and without a display Chromium needs the first two; the others stop its own requests.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # No name resolves, so that nothing leaves this machine even where a page asks for it.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


def find_chromium() -> str:
    """Return the path of Chromium or Chrome: ``ORDBOOK_CHROMIUM``, or the installed one."""
    for path in (os.environ.get("ORDBOOK_CHROMIUM"), *map(shutil.which, BROWSERS)):
        if path:
            return path
    raise ValueError("no Chromium found: install it, or set ORDBOOK_CHROMIUM to its path")


class _Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files without a line per request."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder to this machine and give its address."""
    handler = functools.partial(_Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
