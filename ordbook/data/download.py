"""One file on its way: from an address or from a mirror, checked, then put in its place.

Contents
--------
download     get a file from its address
copy         get a file from a mirror
Limits       how long to wait, how often to try again
FetchError   a file that did not arrive
"""

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ordbook.data.catalog import sha256
from ordbook.data.faults import WRITING, is_full, number_of, reason_of

Downloader = Callable[[str, Any, Any], None]


class FetchError(Exception):
    """A file did not arrive; the message says which, what happened and what to do."""


class _Unwritten(FetchError):
    """It arrived, and cannot be put into its place."""


@dataclass(frozen=True)
class Limits:
    """How long to wait and how often to try again.

    Attributes
    ----------
    connect, silence
        Seconds to wait for a connection, and for the next bytes.
    total
        Seconds for one file, and no longer, however steadily it trickles in.
    retries
        How often a file is tried again after a failure that may pass.
    largest
        Bytes: no catalogued file is as large as this.
    """

    connect: float = 10
    silence: float = 30
    total: float = 900
    retries: int = 2
    largest: int = 100_000_000


def copy(source: Path, path: Path, incoming: Path) -> int:
    """Copy a file from a mirror to `path`; return its size."""

    def get(url: str, output: Any, _: Any) -> None:
        shutil.copyfile(url, output)

    _place(str(source), path, sha256(source), incoming, get, retries=0)
    return path.stat().st_size


def download(url: str, path: Path, expected: str, incoming: Path, limits: Limits) -> int:
    """Download a file to `path` and return its size.

    Raises
    ------
    FetchError
        If it did not arrive with the sha256 `expected`; nothing is at `path` then that was not
        there before.
    """
    import requests
    from pooch import HTTPDownloader  # type: ignore[import-untyped]

    received = {"sha256": "", "size": 0}

    def get(url: str, output: Any, _: Any) -> None:
        # Small chunks, so that the limits are looked at even when bytes trickle in.
        watch = _Watch(limits)
        http = HTTPDownloader(
            progressbar=watch, chunk_size=256, timeout=(limits.connect, limits.silence)
        )
        try:
            http(url, output, None)
        except requests.HTTPError as error:
            status = error.response.status_code if error.response is not None else 500
            if status in (408, 425, 429) or status >= 500:
                raise  # may pass: tried again
            raise FetchError(_answer(error)) from None
        received.update({"sha256": sha256(Path(output)), "size": Path(output).stat().st_size})

    advice = f"try again later, or get the file in another way and put it at {path}"
    try:
        _place(url, path, expected, incoming, get, limits.retries)
    except _Unwritten:
        raise
    except FetchError as error:
        raise FetchError(f"{url}: {error}; {advice} (sha256 {expected})") from None
    except requests.RequestException as error:
        raise FetchError(f"{url}: {_what(error, limits)}; {advice} (sha256 {expected})") from None
    except ValueError as error:
        if not received["sha256"]:  # raised before anything came, by an address or a header
            text = " ".join(str(error).split())[:100]
            raise FetchError(f"{url}: the answer makes no sense ({text}); {advice}") from None
        raise FetchError(
            f"{url}: wrong checksum: {received['size']} bytes with sha256 {received['sha256']} "
            f"came, expected {expected}: they were changed or cut short on the way; {advice}"
        ) from None
    return path.stat().st_size


def _place(
    url: str,
    path: Path,
    expected: str,
    incoming: Path,
    downloader: Downloader,
    retries: int,
) -> None:
    """Let Pooch get a file into `incoming` and check it; then move it to `path` in one step."""
    import pooch

    store = pooch.create(
        path=incoming,
        base_url="",
        registry={expected: f"sha256:{expected}"},
        urls={expected: url},
        retry_if_failed=retries,
    )
    logger = pooch.get_logger()
    level = logger.level
    logger.setLevel("ERROR")
    try:
        arrived = Path(store.fetch(expected, downloader=downloader))
        arrived.chmod(0o644)  # temporary files are private, caches may be shared
        path.parent.mkdir(parents=True, exist_ok=True)
        arrived.replace(path)
    except OSError as error:
        # Also the parent of network errors, which have no number; a full disk has no name.
        if number_of(error) is None or not (error.filename or number_of(error) in WRITING):
            raise
        fix = "make room there, or set ORDBOOK_CACHE" if is_full(error) else "set ORDBOOK_CACHE"
        raise _Unwritten(
            f"{path} cannot be written ({reason_of(error)}); {fix} to another folder, then run the "
            "same command again"
        ) from None
    finally:
        logger.setLevel(level)


class _Watch:
    """What Pooch takes for a progress bar: ends a download that exceeds the limits."""

    total = 0

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.received = 0
        self.deadline = time.monotonic() + limits.total

    def update(self, size: int) -> None:
        """Take note of a chunk."""
        import requests

        self.received += size
        if time.monotonic() > self.deadline:
            raise requests.Timeout(f"not complete after {self.limits.total:g} s")
        if self.received > self.limits.largest:
            raise FetchError(f"more than {self.limits.largest} bytes came, too many")

    def reset(self) -> None:
        """Forget the chunks; Pooch calls this at the end, and then `update` with the total."""
        self.received = 0

    def close(self) -> None:
        """Do nothing."""


def _answer(error: Any) -> str:
    return f"the server answered {error.response.status_code} {error.response.reason}"


def _what(error: Any, limits: Limits) -> str:
    """Say in a few words what happened."""
    import requests

    text = str(error)
    if isinstance(error, requests.HTTPError):
        return _answer(error)
    if isinstance(error, requests.ConnectTimeout):
        return f"timeout: no connection within {limits.connect:g} s"
    if isinstance(error, requests.ReadTimeout) or "Read timed out" in text:
        return f"timeout: the server sent nothing for {limits.silence:g} s"
    if isinstance(error, requests.Timeout):
        return f"timeout: {text}"
    if isinstance(error, requests.TooManyRedirects):
        return "the address redirects in a circle"
    if isinstance(error, requests.exceptions.SSLError):
        return "no secure connection: the server's certificate was not accepted"
    broke = ("IncompleteRead", "Connection broken", "Connection aborted", "Connection reset")
    if isinstance(error, requests.exceptions.ChunkedEncodingError) or any(s in text for s in broke):
        return "the connection broke off before the file was complete (truncated)"
    if isinstance(error, requests.ConnectionError):
        return "no connection to the server"
    return f"{type(error).__name__}: {' '.join(text.split())[:100]}"
