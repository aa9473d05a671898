"""Makes the built book self-contained: its pages ask no other host for anything.

What the theme's templates leave out, or load in vain, is mended by those in the folder ``theme``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx_exercise.nodes import solution_node

from ordbook.extras import to_install
from ordbook.files import share
from ordbook.pages import play, speed
from ordbook.pages.execution import execute_ahead, use_empty_cache
from ordbook.pages.figures import inline_figures
from ordbook.pages.folds import gather_setup
from ordbook.reports.executing import prepare_environment

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

MATHJAX_PACKAGE = "sphinx-mathjax-offline"
# One file that reads TeX and MathML and writes HTML, its fonts, and the small packages it fetches
# when a formula uses a rarer command (\boldsymbol, \cancel, \mathtools): 2 of 24 MB.
MATHJAX_FILES = (
    "tex-mml-chtml.js",
    "output/chtml/fonts/woff-v2",
    "input/tex/extensions",
)
# How Sphinx marks every formula, in lines and on display.
FORMULA = 'class="math '
# What stands in the addresses and texts of scripts.
THEBE, MATHJAX = ("sphinx-thebe", "THEBE_JS_URL"), ("mathjax/", "window.MathJax")
# Who runs a chapter for a reader: Binder in an environment made from the folder .binder, Colab
# after the line that docs/publishing.md gives.
BUTTONS = {
    "use_repository_button": True,
    "use_issues_button": True,
    "launch_buttons": {
        "binderhub_url": "https://mybinder.org",
        "colab_url": "https://colab.research.google.com",
        "notebook_interface": "jupyterlab",
    },
}


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension with Sphinx."""
    prepare_environment()
    play.setup(app)
    speed.setup(app)
    app.config.templates_path.append(str(Path(__file__).with_name("theme")))
    app.config.mathjax_path = "mathjax/tex-mml-chtml.js"
    app.config.html_search_scorer = str(share("book", "_static", "scorer.js"))
    app.connect("config-inited", add_repository)
    app.connect("config-inited", use_empty_cache)
    app.connect("config-inited", hide_solutions)
    app.connect("env-before-read-docs", execute_ahead)
    app.connect("doctree-read", gather_setup)
    app.connect("doctree-resolved", inline_figures)
    # Late, so that the scripts other extensions add to a page are already there.
    app.connect("html-page-context", drop_scripts, priority=900)
    # Early, so that the pages can carry the checksums of these files.
    app.connect("builder-inited", copy_mathjax)
    app.connect("build-finished", add_wheel)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def hide_solutions(app: Sphinx, config: Config) -> None:
    """Build a book without solutions and without its sources if ``hide_solutions`` is set.

    The option is that of sphinx-exercise, which does not hide solutions between two marks: those
    are read and executed here, and then dropped.
    """
    if config.hide_solutions:
        config.hide_solutions = False
        config.html_copy_source = False
        app.connect("doctree-read", drop_solutions)


def drop_solutions(app: Sphinx, doctree: nodes.document) -> None:
    """Drop the solutions of a page: worksheets have tagged cells, and dropdowns of a class."""
    tagged = {"tag_solution", "solution"}
    for node in list(doctree.findall(nodes.Element)):
        if node.parent and (isinstance(node, solution_node) or tagged & {*node.get("classes", ())}):
            node.parent.remove(node)


def add_repository(app: Sphinx, config: Config) -> None:
    """Add the address of the pages and the buttons, once the repository has an address.

    The buttons lead to the repository, to its issues, and for a chapter to those who run it.
    """
    address = repository_address()
    if address:
        config.html_baseurl = config.html_baseurl or pages_address(address)
        config.html_theme_options |= {"repository_url": address, **BUTTONS}


def drop_scripts(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object
) -> None:
    """Remove what Jupyter Book always loads: sphinx-thebe, and MathJax where no formula is.

    The scripts of sphinx-thebe declare the same constant twice, which is an error on every page,
    and their button would fetch code from a public host.
    """
    unwanted = THEBE if FORMULA in context.get("body", "") else (*THEBE, *MATHJAX)
    for key in ("script_files", "css_files"):
        context[key] = [
            item
            for item in context.get(key, [])
            if not any(word in _source(item) for word in unwanted)
        ]


def copy_mathjax(app: Sphinx) -> None:
    """Copy the part of MathJax that the pages use next to them."""
    if app.builder.format == "html":
        target = Path(app.outdir) / "_static" / "mathjax"
        copy_files(MATHJAX_PACKAGE, "static/mathjax", MATHJAX_FILES, target)


def add_wheel(app: Sphinx, exception: Exception | None) -> None:
    """Build the wheel of the repository into the finished pages, for readers to download.

    Not before they are finished, as the wheel holds the sources of the book.
    """
    root = Path(app.srcdir)
    if exception or app.builder.name != "html" or not (root / "pyproject.toml").is_file():
        return
    out = str(Path(app.outdir) / "_static")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out]
    result = subprocess.run([*command, str(root)], capture_output=True, text=True, check=False)
    if result.returncode:
        raise ExtensionError(f"the wheel for readers cannot be built:\n{result.stdout[-2000:]}")


def copy_files(package: str, inside: str, names: Sequence[str], target: Path) -> None:
    """Copy files and folders of an installed package into a folder."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise RuntimeError(f"the book needs the package {package}: {to_install('book')}")
    source = Path(spec.origin).parent / inside
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        if (source / name).is_dir():
            shutil.copytree(source / name, target / name, dirs_exist_ok=True)
        else:
            shutil.copy2(source / name, target / name)


def repository_address() -> str:
    """Return the address called Repository in the package's metadata, "" for a placeholder."""
    for entry in metadata("ordbook").get_all("Project-URL") or []:
        label, _, address = entry.partition(",")
        if label.strip() == "Repository":
            host = urlsplit(address.strip()).hostname or ""
            return "" if host.endswith(("example.org", "example.com")) else address.strip()
    raise RuntimeError("pyproject.toml has no Repository in [project.urls]; reinstall the package")


def pages_address(repository: str) -> str:
    """Return the address at which the book of a repository is published.

    >>> pages_address("https://github.com/someone/ordbook")
    'https://someone.github.io/ordbook/'

    Other hosts have no common rule, and get no address.
    """
    parts = urlsplit(repository)
    owner, _, name = parts.path.strip("/").partition("/")
    if parts.hostname != "github.com" or not name:
        return ""
    return f"https://{owner}.github.io/{name.removesuffix('.git')}/"


def _source(item: object) -> str:
    """Return the address of a script or style of a page, and its text if it stands in the page."""
    body = getattr(item, "attributes", {}).get("body") or ""
    return f"{getattr(item, 'filename', '')} {body}"
