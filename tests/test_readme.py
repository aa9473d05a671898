"""What README.md says is true: its example runs, and its commands exist."""

import re

import pytest

import ordbook as ob


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


def section(readme: str, heading: str) -> str:
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", readme, re.DOTALL | re.M)
    assert found, f"README has no section {heading!r}"
    return found[1]


def test_the_picture_is_there_and_described(root, readme):
    ((alt, path),) = re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", readme)
    assert alt, "says what there is to see"
    assert "<svg" in (root / path).read_text(encoding="utf-8")


def test_advice_has_links_that_exist_and_no_typed_numbers(root, readme):
    text = section(readme, "Which measure should I use?")
    links = re.findall(r"\]\(([^)]*)\)", text)
    assert links
    assert all((root / link).is_file() for link in links)
    words = re.sub(r"\([^()]*\)|RNOD2|RNADW2|F1_M|below 0|ACL'21|LQ'21|SIGIR'18", "", text)
    assert not re.search(r"\d", words)
