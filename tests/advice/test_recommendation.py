"""The recommendation is one thing everywhere: in package, commands, report, box and on pages."""

import json
import re
import zipfile

import pytest
import yaml

import ordbook as ob
from ordbook.advice import FAVOURED
from ordbook.advice.choose import recommendation, recommended
from ordbook.cli import main
from ordbook.files import share
from ordbook.pages import tryout
from ordbook.reports.page import reported

EXAMPLES = {"classification": "fair-oc", "quantification": "fair-oq"}


def test_the_text_recommends_what_the_package_favours():
    table = recommendation().split("\n\n")[0]
    rows = [[cell.strip() for cell in row.split("|")] for row in table.splitlines()[2:]]
    assert [(row[2], row[3]) for row in rows] == list(FAVOURED.values())
    assert re.search("of a topic cannot unless it is negative", recommendation())


def test_the_pages_print_it(root):
    table, why, *_ = recommendation().split("\n\n")
    assert f"{table}\n\n{why}" in (root / "README.md").read_text(encoding="utf-8")
    page = (root / "book" / "choosing.md").read_text(encoding="utf-8")
    assert "Markdown(recommendation())" in page


def test_pages_that_give_the_recommendation_in_one_line_give_this_one(root):
    words = {"kappa": "linear kappa"}
    expected = {tuple(words.get(name, name) for name in pair) for pair in FAVOURED.values()}
    line = re.compile(
        r"by (linear kappa|\w+)(?:, which [^,]*,)?(?: with| and reports?) (\w+) beside"
    )
    pages = (
        "acl21 explorer explorer_labels glossary judges lq21 questions ratings software your_data"
    )
    found = {}
    for name in pages.split():
        (path,) = (root / "book").glob(f"{name}.*")
        source = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            source = "\n".join("".join(cell["source"]) for cell in json.loads(source)["cells"])
        text = re.sub(r"\$?\\text\{MAE\}_M\$|MAE\$_M\$", "MAE_M", source)
        text = re.sub(r"\{ref\}`([^`<]+) <[^`]+>`", r"\1", text)
        found[name] = {*line.findall(" ".join(text.replace("*", "").split()))}
        assert found[name], f"{name} no longer gives the recommendation"
        assert found[name] <= expected, name
    assert set.union(*found.values()) == expected


@pytest.mark.parametrize("kind", FAVOURED)
def test_whatever_ranks_follows_it(kind, tmp_path, capsys):
    first, second = FAVOURED[kind]
    folder = share("data", "examples", EXAMPLES[kind])
    task = ob.load(folder)
    assert recommended(ob.score(task), task) == [first, second]

    assert main(["score", str(folder), f"--out={tmp_path / 'out'}", "--trials=100"]) == 0
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert (summary["primary"], summary["beside"]) == (first, second)
    places = {row["run"]: row["rank"] for row in summary["measures"][second]["ranking"]}
    leader = summary["measures"][first]["ranking"][0]["run"]
    for text in (capsys.readouterr().out, (tmp_path / "out" / "README.md").read_text()):
        assert f" {second} (rank)" in text
        (row,) = re.findall(rf"^[ |]*1[ |]+{re.escape(leader)} .*$", text, re.MULTILINE)
        assert f" ({places[leader]})" in row
    leaderboard = (tmp_path / "out" / "leaderboard.html").read_text()
    assert f"ranked by {first};" in leaderboard
    assert re.findall(r"data-better=[^>]*>(?:<button[^>]*>)?(\w+)", leaderboard)[:2] == [
        first,
        second,
    ]

    assert main(["bundle", str(folder), f"--out={tmp_path / 'bundle'}"]) == 0
    with zipfile.ZipFile(tmp_path / "bundle" / "bundle.zip") as packed:
        competition = yaml.safe_load(packed.read("competition.yaml"))
        assert f"ranked by **{first}**" in packed.read("evaluation.md").decode()
    columns = competition["leaderboards"][0]["columns"]
    assert [column["key"] for column in columns[:2]] == [first, second]

    report = reported(ob.load(folder))
    assert (report.primary, report.beside) == (first, second)


def test_the_columns_of_the_box_begin_with_it(javascript):
    program = "(text) => ordbookRanking.analyse(text).measures"
    columns = javascript(tryout.SCRIPTS[:-1], program, tryout.example().to_csv(index=False))
    assert tuple(columns[:2]) == FAVOURED["classification"]
    assert tuple(columns) == tryout.MEASURES
