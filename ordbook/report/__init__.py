"""Output for organisers about a task of their own: results, rerun, sweep, bundle.

``ob.report`` names this package as well as the function in ``from_python``, so the package can be
called.
"""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from ordbook.extras import needing


class _Callable(ModuleType):
    def __call__(self, task: Any, path: str | Path, **options: Any) -> Path:
        """Write the report; see :func:`ordbook.report.page.report`."""
        with needing("report", "ordbook.report"):
            from ordbook.report.page import report
        return report(task, path, **options)


sys.modules[__name__].__class__ = _Callable
