"""Links to the repository, and buttons that run a chapter elsewhere, all from one address."""

import tomllib
from types import SimpleNamespace

import pytest

from ordbook.pages.sphinx_extension import use_repository


@pytest.fixture
def config():
    return SimpleNamespace(html_baseurl="", html_theme_options={"launch_buttons": {"thebe": False}})


def test_a_repository_gets_its_buttons(config):
    use_repository(config, "https://github.com/someone/ordbook")
    options = config.html_theme_options
    assert config.html_baseurl == "https://someone.github.io/ordbook/"
    assert options["repository_url"] == "https://github.com/someone/ordbook"
    assert options["use_repository_button"] is options["use_issues_button"] is True
    buttons = options["launch_buttons"]
    assert buttons["binderhub_url"] == "https://mybinder.org"
    assert buttons["colab_url"] == "https://colab.research.google.com"
    assert buttons["thebe"] is False, "what the configuration says stays"


def test_colab_opens_notebooks_of_github_only(config):
    use_repository(config, "https://gitlab.com/someone/ordbook")
    assert set(config.html_theme_options["launch_buttons"]) == {
        "binderhub_url",
        "notebook_interface",
        "thebe",
    }


def test_a_placeholder_gets_no_links(config):
    use_repository(config, "https://example.org/someone/book")
    assert config.html_theme_options == {"launch_buttons": {"thebe": False}}
    assert config.html_baseurl == ""


def test_what_binder_installs_is_what_the_book_is_built_with(root):
    (line,) = [
        line
        for line in (root / ".binder/requirements.txt").read_text().splitlines()
        if not line.startswith("#")
    ]
    assert line.split() == ["-r", "../requirements.txt"]
    python = (root / ".binder/runtime.txt").read_text().strip().removeprefix("python-")
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"Programming Language :: Python :: {python}" in project["classifiers"]
