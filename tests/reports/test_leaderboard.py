"""The leaderboard: what summary.json says, on a page that sorts and filters."""

import json
from dataclasses import replace

import pandas as pd
import pytest
from bs4 import BeautifulSoup

import ordbook as ob
from helpers.browsing import open_browser
from ordbook.reports.result_files import write_results
from ordbook.reports.results import Results


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The folder of results, and its summary: a run with a hostile name, and two groups."""
    task = ob.QuantificationTask.from_arrays(
        [[0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.1, 0.8, 0.1]],
        {
            "<b>x</b>": [[0.4, 0.4, 0.2], [0.2, 0.2, 0.6], [0.2, 0.7, 0.1]],
            "B": [[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.3, 0.4, 0.3]],
            "C": [[0.2, 0.3, 0.5], [0.5, 0.3, 0.2], [0.5, 0.0, 0.5]],
        },
    )
    out = tmp_path_factory.mktemp("results")
    group = {"<b>x</b>": "Waseda", "B": "Tsinghua", "C": "Waseda"}
    task = replace(task, about=pd.DataFrame({"group": group}))
    write_results(out, Results(task, ["RNOD", "NMD", "JSD", "RPS"], rank_by="RPS", trials=200))
    return out, json.loads((out / "summary.json").read_text())


def test_the_page_holds_what_the_summary_says(page):
    out, summary = page
    soup = BeautifulSoup((out / "leaderboard.html").read_text(), "html.parser")
    assert not soup.find_all(src=True)
    assert not soup.find_all("link")
    heads = [head.get_text() for head in soup.thead.find_all("th")]
    assert heads[:7] == ["rank", "run", "score", "interval", "skill", "better than", "group"]
    assert heads[7:] == ["RPS \u2193", "RNOD \u2193", "NMD \u2193", "JSD \u2193"]
    rows = [[cell.get_text() for cell in row.find_all(["th", "td"])] for row in soup.tbody("tr")]
    for shown, row in zip(rows, summary["measures"]["RPS"]["ranking"], strict=True):
        interval = f"{row['low']:.4f} to {row['high']:.4f}"
        group = summary["groups"][row["run"]]["group"]
        better = str(row["beats"])
        score, skill = f"{row['mean']:.4f}", f"{row['skill']:.3f}"
        facts = [row["run"], score, interval, skill, better, group, score]
        assert shown[:8] == [str(row["rank"]), *facts]
    assert summary["measures"]["RPS"]["skill_note"] in soup.get_text()


@pytest.mark.slow
@pytest.mark.browser
def test_it_sorts_and_filters_without_a_network(page, chromium):
    pytest.importorskip("playwright.sync_api")
    out, summary = page
    with open_browser(chromium) as running:
        opened = running.new_page()
        opened.goto((out / "leaderboard.html").as_uri())
        runs = opened.locator("tbody tr:not([hidden]) th")
        opened.get_by_role("button", name="JSD").click()
        ranking = summary["measures"]["JSD"]["ranking"]
        assert runs.all_text_contents() == [row["run"] for row in ranking]
        ranks = opened.locator("tbody tr td:first-child").all_text_contents()
        assert ranks == [str(row["rank"]) for row in ranking]
        skill = opened.locator("tbody tr td:nth-child(5)")
        assert skill.all_text_contents() == [""] * 3, "the divergence has none"
        opened.get_by_role("button", name="RPS").click()
        ranking = summary["measures"]["RPS"]["ranking"]
        assert skill.all_text_contents() == [f"{row['skill']:.3f}" for row in ranking]
        opened.get_by_role("button", name="JSD").click()
        ranking = summary["measures"]["JSD"]["ranking"]
        opened.get_by_role("button", name="JSD").click()
        assert runs.all_text_contents() == [row["run"] for row in reversed(ranking)]
        opened.get_by_role("button", name="run").click()
        assert runs.all_text_contents() == sorted(summary["runs"])
        opened.get_by_label("group").select_option("Tsinghua")
        assert runs.all_text_contents() == ["B"]
        opened.get_by_label("group").select_option("*")
        opened.get_by_label("Find a run").fill("<B>")
        assert runs.all_text_contents() == ["<b>x</b>"]
        assert opened.get_by_role("status").text_content() == "1 of 3 runs"
