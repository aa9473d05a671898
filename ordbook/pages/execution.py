"""Runs the chapters of a book side by side, before Sphinx reads them one after the other.

MyST-NB executes a notebook when Sphinx comes to it, and Sphinx reads pages one at a time. Here
jupyter-cache fills a cache in parallel, which is emptied at the start of every build; MyST-NB
then finds every chapter executed. A chapter that fails is left to MyST-NB, which runs it again,
alone, and reports the error.
"""

from __future__ import annotations

import logging
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_cache import get_cache
from jupyter_cache.executors import load_executor
from jupyter_cache.readers import DEFAULT_READ_DATA
from myst_nb.core.read import is_myst_markdown_notebook
from sphinx.errors import ConfigError

if TYPE_CHECKING:
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
    config = app.config
    pages = {path: reader(path) for name in docnames if (path := Path(env.doc2path(name)))}
    notebooks = {
        path: read_data
        for path, read_data in pages.items()
        if read_data and not any(map(path.match, config.nb_execution_excludepatterns))
    }
    if config.nb_execution_mode != "cache" or len(notebooks) < 2:
        return
    cache = get_cache(config.nb_execution_cache_path)
    # The largest first: they tend to take longest, and none should be left alone at the end.
    for path in sorted(notebooks, key=lambda path: path.stat().st_size, reverse=True):
        cache.add_nb_to_project(str(path), read_data=notebooks[path])
    # MyST-NB says what fails.
    executor = load_executor("local-parallel", cache, logging.Logger(__name__, logging.CRITICAL))
    executor.run_and_cache(timeout=config.nb_execution_timeout)


def reader(path: Path) -> dict[str, str]:
    """Return how jupyter-cache reads a notebook, in JSON or in Markdown; nothing for a text."""
    if path.suffix == ".ipynb":
        return dict(DEFAULT_READ_DATA)
    if is_myst_markdown_notebook(path.read_text(encoding="utf-8")):
        return {"type": "plugin", "name": "myst_nb_md"}
    return {}
