"""Runs the chapters of a book side by side, before Sphinx reads them one after the other.

MyST-NB executes a notebook when Sphinx comes to it, and Sphinx reads pages one at a time. A cache
that is emptied at the start of every build is filled here by worker threads, each driving a kernel
of its own; MyST-NB then finds every chapter executed. A chapter that fails is left to MyST-NB,
which runs it again and reports the error; one whose kernel dies is run again here, alone.
"""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.executors.utils import single_nb_execution
from nbclient.exceptions import DeadKernelError
from sphinx.errors import ConfigError, ExtensionError
from sphinx.util import logging

from ordbook.meta.parallel import processors

if TYPE_CHECKING:
    from jupyter_cache.base import JupyterCacheAbstract
    from jupyter_cache.executors.utils import ExecutionResult as Result
    from nbformat import NotebookNode
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

logger = logging.getLogger(__name__)


def use_empty_cache(app: Sphinx, config: Config) -> None:
    """Let MyST-NB look into a cache of this build alone, where it was told to run every chapter.

    A cache that outlives a build would keep old numbers after a change of ``ordbook`` or ``data``.
    """
    if config.nb_execution_mode == "force":
        cache = Path(app.doctreedir).parent / ".executed"
        shutil.rmtree(cache, ignore_errors=True)
        if cache.exists():  # old numbers would stand on the pages
            raise ConfigError(f"{cache}: this cannot be removed; remove it, then build again")
        config.nb_execution_mode = "cache"
        config.nb_execution_cache_path = str(cache)


def execute_ahead(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Run the notebooks among the pages that are about to be read, one kernel a processor."""
    paths = [path for name in docnames if (path := Path(env.doc2path(name))).suffix == ".ipynb"]
    excluded = app.config.nb_execution_excludepatterns
    paths = [path for path in paths if not any(path.match(pattern) for pattern in excluded)]
    if app.config.nb_execution_mode != "cache" or len(paths) < 2:
        return
    cache = get_cache(app.config.nb_execution_cache_path)
    paths = [path for path in paths if not _is_cached(cache, path)]
    # The largest first: they tend to take longest, and none should be left alone at the end.
    paths.sort(key=lambda path: path.stat().st_size, reverse=True)
    died = []
    timeout = app.config.nb_execution_timeout
    with ThreadPoolExecutor(processors()) as workers:
        running = {workers.submit(_execute, path, timeout): path for path in paths}
        for future in as_completed(running):
            try:
                _keep(cache, running[future], *future.result())
            except DeadKernelError:
                died.append(running[future])
    again = []
    for path in died:  # alone it may have memory enough
        try:
            _keep(cache, path, *_execute(path, timeout))
        except DeadKernelError:
            again.append(str(path))
    if again:
        raise ExtensionError(
            f"{', '.join(again)}: the kernel died, and again when it ran alone; most often the "
            "memory was not enough: close other programs, then build again"
        )


def _keep(cache: JupyterCacheAbstract, path: Path, notebook: NotebookNode, result: Result) -> None:
    """Put an executed chapter into the cache, if it did not fail."""
    if result.err is None:
        data = {"execution_seconds": result.time}
        bundle = CacheBundleIn(notebook, str(path), data=data)
        cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
        logger.info("%s: executed in %.1f seconds", path.stem, result.time)


def _is_cached(cache: JupyterCacheAbstract, path: Path) -> bool:
    """Say whether the cache holds a chapter: only one that the reader keeps can."""
    try:
        cache.match_cache_file(str(path))
    except KeyError:
        return False
    return True


def _execute(path: Path, timeout: int) -> tuple[NotebookNode, Result]:
    notebook = nbformat.read(path, as_version=4)
    folder = str(path.parent)
    return notebook, single_nb_execution(
        notebook, cwd=folder, timeout=timeout, allow_errors=False, meta_override=True
    )
