"""The wheel, installed where nothing else is: first with numpy alone, then with the extras."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(root, repository_files, tmp_path_factory) -> Path:
    # A copy of what is committed: a build writes into its source, and ours may be read-only.
    source = tmp_path_factory.mktemp("source")
    for path in repository_files:
        target = source / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    # What a build, a rerun or an editor may leave behind must not get in.
    for name in ("book/_build/x.html", "book/.ipynb_checkpoints/x.ipynb", "data/__pycache__/x.pyc"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text("junk")
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation"]
    run([*command, "--outdir", str(out), str(source)])
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory) -> Path:
    """An interpreter that has this wheel and numpy, and nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    scheme = {"base": str(folder), "platbase": str(folder)}
    site = Path(sysconfig.get_path("purelib", "venv", vars=scheme))
    executable = Path(sysconfig.get_path("scripts", "venv", vars=scheme)) / (
        "python.exe" if os.name == "nt" else "python"
    )
    # pip of the current environment installs into the other one, and needs no network for it.
    pip = [sys.executable, "-m", "pip", "--python", str(executable)]
    run([*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)])
    numpy = Path(np.__file__).parent
    for package in (numpy, numpy.with_name("numpy.libs")):
        if package.exists():
            try:
                (site / package.name).symlink_to(package, target_is_directory=True)
            except OSError:  # Windows without the right to make links
                shutil.copytree(package, site / package.name)
    return executable


def run(command: list[str], **options) -> str:
    """Run a command and give its output; its whole log is the message where it fails."""
    result = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return result.stdout.strip()


def clean_environment(**extra: str) -> dict[str, str]:
    """No path of the current environment, unless given."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "ORDBOOK"))}
    return {**kept, "PYTHONNOUSERSITE": "1", "PYTHONDONTWRITEBYTECODE": "1", **extra}


def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_the_wheel_holds_package_book_and_data(wheel):
    held = set(names(wheel))
    for name in ("_config.yml", "_toc.yml", "book/index.md", "book/references.bib"):
        assert f"ordbook/_share/{name}" in held
    assert any(name.startswith("ordbook/_share/data/") for name in held)
    assert "ordbook/__init__.py" in held
    assert all(name.startswith(("ordbook/", "ordbook-")) for name in held)


def test_the_wheel_holds_nothing_that_was_built_or_cached(wheel):
    junk = (
        "data/runs/",
        "_build",
        ".ipynb_checkpoints",
        "__pycache__",
        ".pyc",
        ".jupyter_cache",
        "tests/",
    )
    assert [name for name in names(wheel) if any(part in name for part in junk)] == []


def test_the_measures_run_on_numpy_alone(python, tmp_path):
    program = (
        "import importlib.util, sys\n"
        "assert importlib.util.find_spec('pandas') is None\n"
        "from ordbook import rnod\n"
        "print(float(rnod([.5, .5, 0], [.5, 0, .5])))\n"
    )
    value = float(
        run([str(python), "-W", "error", "-c", program], cwd=tmp_path, env=clean_environment())
    )
    assert 0 < value < 1


def test_chapters_tasks_and_scores_are_found_without_a_clone(python, tmp_path):
    # Packages of the current environment, but not this repository: .pth files of PYTHONPATH are not
    # read, so the editable install stays out.
    program = (
        "import sys, ordbook\n"
        "assert ordbook.__file__.startswith(sys.prefix), ordbook.__file__\n"
        "from ordbook.files import share\n"
        "assert share('book', 'acl21.ipynb').is_file()\n"
        "assert list(share('data', 'published').glob('*.csv'))\n"
        "scores = ordbook.score(ordbook.load('sem16t4e'))\n"
        "print(*scores['RNOD'].shape)\n"
    )
    packages = clean_environment(PYTHONPATH=sysconfig.get_path("purelib"))
    shape = run([str(python), "-c", program], cwd=tmp_path, env=packages)
    assert shape == "100 12", "topics and runs of SemEval-2016 Task 4 E"


def test_an_edition_is_made_without_a_clone(python, tmp_path):
    """In an empty folder, from chapters, printed values and examples that travel in the wheel."""
    program = "import sys; from ordbook.cli import main; sys.exit(main(sys.argv[1:]))"
    quick = ["-p", "trials=200"]
    arguments = ["rerun", "lq21", "guarantees", "--data", "fair-oq", "--out", "edition", *quick]
    # The kernel of this interpreter stands for the one that `pip install ordbook[book]` brings.
    kernel = tmp_path / "kernel" / "kernels" / "python3"
    kernel.mkdir(parents=True)
    command = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec = {"argv": command, "display_name": "Python 3", "language": "python"}
    (kernel / "kernel.json").write_text(json.dumps(spec))
    here = tmp_path / "empty"
    here.mkdir()
    packages = clean_environment(
        PYTHONPATH=sysconfig.get_path("purelib"), JUPYTER_DATA_DIR=str(kernel.parents[1])
    )
    page = run([str(python), "-c", program, *arguments], cwd=here, env=packages)
    assert page == str(here / "edition" / "html" / "index.html")
    assert {path.name for path in here.iterdir()} == {"edition"}
    pages = (here / "edition" / "html" / "book").glob("*.html")
    assert {path.name for path in pages} == {
        *("edition.html", "lq21.html", "guarantees.html", "references.html")
    }
    for name in ("lq21", "guarantees"):
        notebook = json.loads((here / "edition" / f"{name}.ipynb").read_text(encoding="utf-8"))
        outputs = [out for cell in notebook["cells"] for out in cell.get("outputs", ())]
        warnings = [out for out in outputs if out.get("name") == "stderr"]
        assert outputs
        assert not warnings, "a kernel that warns of how it is reached"
    report = (here / "edition" / "html" / "report.html").read_text(encoding="utf-8")
    assert "RPS" in report
