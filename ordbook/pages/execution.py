"""Runs the chapters of a book side by side, before Sphinx reads them one after the other.

MyST-NB executes a notebook when Sphinx comes to it, and Sphinx reads pages one at a time. Here a
cache is filled in parallel, which is emptied at the start of every build; MyST-NB then finds every
chapter executed. A chapter that fails is left to MyST-NB, which runs it again and reports it.
"""

from __future__ import annotations

import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_cache import get_cache
from jupyter_cache.executors.utils import (
    ExecutionResult,
    create_cache_bundle,
    single_nb_execution,
)
from jupyter_cache.readers import DEFAULT_READ_DATA
from myst_nb.core.read import is_myst_markdown_notebook
from sphinx.errors import ConfigError

from ordbook.meta.parallel import processors
from ordbook.pages.forking import forked_kernels

if TYPE_CHECKING:
    from jupyter_cache.base import ProjectNb
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment


def use_empty_cache(app: Sphinx, config: Config) -> None:
    """Give MyST-NB a cache of this build alone if it is to run every chapter.

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
    pages = {path: reader(path) for name in docnames if (path := Path(env.doc2path(name)))}
    notebooks = [path for path, read_data in pages.items() if read_data]
    if app.config.nb_execution_mode != "cache" or len(notebooks) < 2:
        return
    cache = get_cache(app.config.nb_execution_cache_path)
    # The largest first: they tend to take longest, and none should be left alone at the end.
    notebooks.sort(key=lambda path: path.stat().st_size, reverse=True)
    projects = [
        cache.get_project_notebook(cache.add_nb_to_project(str(path), read_data=pages[path]).pk)
        for path in notebooks
    ]

    def run(project: ProjectNb) -> ExecutionResult | None:
        folder, seconds = str(Path(project.uri).parent), app.config.nb_execution_timeout
        try:
            return single_nb_execution(
                project.nb, folder, seconds, allow_errors=False, shutdown_kernel="immediate"
            )
        except (RuntimeError, OSError):  # a kernel died, or none could start
            return None

    forking = forked_kernels() if sys.platform == "linux" else nullcontext()
    with forking, ThreadPoolExecutor(processors()) as pool:
        results = list(pool.map(run, projects))
    for project, result in zip(projects, results, strict=True):
        if result is not None and result.err is None:
            bundle = create_cache_bundle(project, result.cwd, None, result.time, None)
            cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)


def reader(path: Path) -> dict[str, str]:
    """Return how jupyter-cache reads a notebook, in JSON or in Markdown; nothing for a text."""
    if path.suffix == ".ipynb":
        return dict(DEFAULT_READ_DATA)
    if is_myst_markdown_notebook(path.read_text(encoding="utf-8")):
        return {"type": "plugin", "name": "myst_nb_md"}
    return {}
