"""What README.md says is true: its example runs, and its commands exist."""

import re

import pytest

import ordbook as ob
from ordbook.measures import CLASSIFICATION, QUANTIFICATION


@pytest.fixture(scope="module")
def readme(root) -> str:
    return (root / "README.md").read_text(encoding="utf-8")


def test_the_example_gives_the_values_it_states(readme, no_raw_files):
    block = re.search(r"```python\n(.*?)```", readme, re.DOTALL)[1]
    names: dict = {}
    stated = 0
    for line in block.splitlines():
        code, _, comment = line.partition("#")
        value = re.search(r"(\d\.\d+)\s*$", comment)
        if value:
            # Three decimals are shown.
            assert eval(code.strip(), names) == pytest.approx(float(value[1]), abs=5e-4), line
            stated += 1
        else:
            exec(code, names)
    assert stated == 3
    assert names["scores"].runs == ob.load("sem16t4e").runs


def test_the_commands_are_those_of_the_makefile(root, readme):
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make (\w+)", readme, re.MULTILINE):
        assert f"\n{target}:" in makefile
    assert "jupyter-book build . --all -n -W --keep-going" in readme
    assert "jupyter-book build . --all -n -W --keep-going" in makefile


def test_the_number_of_measures_is_that_of_the_package(readme):
    assert f"{len(QUANTIFICATION) + len(CLASSIFICATION)} measures" in readme


def test_links_lead_to_files_and_the_picture_is_described(root, readme):
    paths = re.findall(r"\]\(([^):#]+)\)", readme)
    assert paths
    assert [path for path in paths if not (root / path).exists()] == []
    assert all(re.findall(r"!\[([^\]]*)\]", readme)), "says what there is to see"
