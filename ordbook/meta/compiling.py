"""Compiles loops, and keeps what was compiled for the next time where that is possible."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from numba import njit


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Return a function compiled without the interpreter's lock, see :func:`numba.njit`."""
    try:
        made = njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:  # there is no folder in which it could be kept
        return njit(nogil=True, **options)(function)
    if hasattr(made, "_cache"):  # with NUMBA_DISABLE_JIT it is the function itself
        made._cache = _Kept(made._cache)
    return made


class _Kept:
    """Numba's folder of compiled functions, which nothing depends on.

    What cannot be read is compiled again, and what cannot be written is left: a full disk, a
    folder that may not be written or a damaged file changes no result.
    """

    def __init__(self, cache: Any) -> None:
        self._cache = cache

    def load_overload(self, *what: Any) -> Any:
        """Return what was kept, or None."""
        try:
            return self._cache.load_overload(*what)
        except Exception:  # a damaged file can make pickle raise anything
            with suppress(OSError):
                self._cache.flush()
            return None

    def save_overload(self, *what: Any) -> None:
        """Keep what was compiled."""
        with suppress(OSError):
            self._cache.save_overload(*what)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)
