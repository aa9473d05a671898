"""What makes Sphinx quicker changes no page."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PAGE = """({name})=
# Page {name}

```{{list-table}} The table of {name}
:name: table-{name}
* - a
  - $x^2$
```

{{numref}}`table-{other}` stands on {{ref}}`{other}`.
"""
BUILD = "from jupyter_book.cli.main import main; main()"
SLOWLY = f"import ordbook.pages.speed as speed; speed.setup = lambda app: None; {BUILD}"


def book(root: Path, folder: Path) -> Path:
    """Write a book of six pages that refer to each other's tables, with our configuration."""
    shutil.copytree(root / "book" / "_static", folder / "book" / "_static")
    for name in ("_config.yml", "book/references.bib", "book/references.md"):
        shutil.copy(root / name, folder / name)
    names = [f"page{k}" for k in range(6)]
    for name, other in zip(names, names[1:] + names[:1], strict=True):
        (folder / "book" / f"{name}.md").write_text(PAGE.format(name=name, other=other))
    others = "".join(f"  - file: book/{name}\n" for name in [*names[1:], "references"])
    (folder / "_toc.yml").write_text(f"format: jb-book\nroot: book/page0\nchapters:\n{others}")
    return folder


def test_pages_are_the_same_bytes(root, tmp_path):
    source = book(root, tmp_path / "source")
    built = []
    for program in (BUILD, SLOWLY):
        output = tmp_path / f"out{len(built)}"
        command = [sys.executable, "-c", program, "build", str(source), "--path-output"]
        result = subprocess.run(
            [*command, str(output), "--all", "-q"], capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, result.stdout + result.stderr
        html = output / "_build" / "html"
        paths = [*html.rglob("*.html"), html / "searchindex.js", html / "objects.inv"]
        built.append({path.relative_to(html): path.read_bytes() for path in paths})
    assert built[0] == built[1]
    assert "Table 2" in built[0][Path("book/page0.html")].decode()
