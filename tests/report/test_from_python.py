"""``ob.report``: the report from Python."""

import os
import subprocess
import sys

import pytest

import ordbook as ob
from ordbook.files import share

QUICK = {"trials": "200", "splits": "20"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["task", "scores"])
def test_a_report_on_a_task_and_on_scores(tmp_path, monkeypatch, kind):
    monkeypatch.setenv("MPLBACKEND", "agg")
    task = ob.load(share("data", "examples", "fair-oc"))
    data = task if kind == "task" else ob.score(task, ["MAE_M", "kappa"])
    page = ob.report(data, tmp_path / "report.html", title="My task", parameters=QUICK)
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    text = page.read_text()
    assert "|---" not in text, "a table is shown as a table"
    assert "<title>My task</title>" in text
    assert all(run in text for run in task.runs)
    assert str(tmp_path.parent) not in text
    assert os.environ["MPLBACKEND"] == "agg"


def test_a_place_where_no_file_can_be_is_refused_before_anything_runs(tmp_path):
    task = ob.load(share("data", "examples", "fair-oc"))
    for place in (tmp_path, tmp_path / "none" / "report.html"):
        with pytest.raises(ValueError, match="no file can be written here"):
            ob.report(task, place)


@pytest.mark.slow
def test_without_jupyter_one_line_names_the_extra(tmp_path):
    code = (
        "import sys; sys.modules['nbformat'] = sys.modules['nbclient'] = None\n"
        "import ordbook as ob\n"
        "assert 'pandas' not in sys.modules\n"
        "try: ob.report(None, 'report.html')\n"
        "except ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("ordbook.report needs nb")
    assert "[notebooks]" in done.stdout
