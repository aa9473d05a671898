"""A published book: its buttons, what runs it elsewhere, and a wheel to download."""

import tomllib
import zipfile
from types import SimpleNamespace

import pytest

from ordbook.pages import sphinx_extension


def test_a_repository_gets_its_buttons_once_it_has_an_address(monkeypatch):
    config = SimpleNamespace(html_baseurl="", html_theme_options={"navbar_persistent": []})
    sphinx_extension.add_repository(None, config)
    assert config.html_theme_options == {"navbar_persistent": []}, "a placeholder gets no links"
    address = "https://github.com/someone/ordbook"
    monkeypatch.setattr(sphinx_extension, "repository_address", lambda: address)
    sphinx_extension.add_repository(None, config)
    assert config.html_baseurl == "https://someone.github.io/ordbook/"
    assert config.html_theme_options["repository_url"] == address
    assert config.html_theme_options["launch_buttons"]["binderhub_url"] == "https://mybinder.org"


def test_what_binder_installs_is_what_the_book_is_built_with(root):
    lines = (root / ".binder/requirements.txt").read_text().splitlines()
    assert [line.split() for line in lines if not line.startswith("#")] == [
        ["-r", "../requirements.txt"]
    ]
    python = (root / ".binder/runtime.txt").read_text().strip().removeprefix("python-")
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"Programming Language :: Python :: {python}" in project["classifiers"]


@pytest.mark.slow
@pytest.mark.browser
def test_the_pages_carry_a_wheel_that_can_be_downloaded(built_book):
    (wheel,) = (built_book / "_static").glob("*.whl")
    assert wheel.stat().st_size <= 7_000_000
    page = (built_book / "book" / "your_data.html").read_text(encoding="utf-8")
    assert f'href="../_static/{wheel.name}"' in page
    with zipfile.ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if name.endswith(".whl")]
