"""`ordbook sweep`: chapters on several data sets, whole or continued, the same on any workers."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pytest

import ordbook as ob
from helpers.random_tasks import save_labels, save_shares
from ordbook.cli import main
from ordbook.data.printed import NINE, SIX, printed_values
from ordbook.reports import sweep as sweep_module
from ordbook.reports.across import cross_tables, numbers
from ordbook.reports.executing import RerunError
from ordbook.reports.sweep import make_jobs, sweep
from ordbook.show.source import Source

pytestmark = pytest.mark.slow

QUICK = {"trials": 100, "splits": 10}


@pytest.fixture
def mine(tmp_path) -> Path:
    """Twenty-four topics, four runs, three classes."""
    return save_shares(tmp_path / "my task", dict.fromkeys("abcd", 1), 24)


def quick(data, out, chapters=(), parameters=None, **options):
    """Sweep with few trials and splits."""
    return sweep(chapters, data, out, parameters=parameters or QUICK, **options)


def files_of(out: Path) -> dict[str, bytes]:
    """All files of a sweep but the notebooks."""
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and path.suffix != ".ipynb"
    }


def swept(*more: str, data: str = "fair-oq", out: Path) -> int:
    """Run the command on one data set, quickly."""
    quick = [f"--parameter={name}={value}" for name, value in QUICK.items()]
    return main(["sweep", f"--data={data}", f"--out={out}", *quick, *more])


def shown(notebook: Path) -> list[object]:
    """What the cells of an executed chapter show."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    return [(output.get("data"), output.get("text")) for output in outputs]


def kernels_in(folder: Path) -> list[int]:
    return [
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if any(str(folder) in argument for argument in process.info["cmdline"] or [])
        and "ipykernel_launcher" in process.info["cmdline"]
    ]


@pytest.fixture
def executed(monkeypatch):
    """Chapters and reports are not run here: what would be is noted."""
    ran = []

    def execute(chapter, parameters, output, running):
        ran.append((chapter, dict(parameters)))
        output.write_text("{}")

    monkeypatch.setattr(sweep_module, "execute", execute)
    monkeypatch.setattr(sweep_module, "page", lambda task, **_: f"on {task.name}")
    return ran


def test_what_is_done_is_not_done_again(tmp_path, executed):
    chapters, out = ["topics", "dialeval1", "report"], tmp_path / "out"
    data = ["fair-oq", "fair-oc"]
    lines: list[str] = []
    quick(data, out, chapters, progress=lines.append)
    assert lines[0] == (
        "fair-oc is left out of dialeval1: dialeval1 is not about classification tasks"
    )
    assert len(executed) == 3
    idle = {"classification": "", "classes": ""}
    design = idle | {"quantification": "fair-oq", "splits": 10}
    assert ("topics", design) in executed
    dialeval1 = {"quantification": "fair-oq", "nuggets": "", "classes": "", "trials": 100}
    assert ("dialeval1", dialeval1) in executed, "a chapter gets what it has"
    before = files_of(out)
    assert b"on fair-oq" in before.values()
    quick(data, out, chapters, progress=lines.append)
    assert lines[-1] == "7 of 7 were done before"
    assert len(executed) == 3
    # What is lost is made again.
    shutil.rmtree(out / "tables")
    shutil.rmtree(next((out / "jobs").glob("numbers-fair-oq-*")))
    shutil.rmtree(next((out / "jobs").glob("topics-fair-oc-*")))
    quick(data, out, chapters)
    assert files_of(out) == before
    assert len(executed) == 4
    # A larger plan does the rest.
    quick(["sem16t4e", "fair-oc"], out, ["topics"])
    assert len(executed) == 5
    assert {path.name for path in out.iterdir()} == {"jobs", "sweep.json", "tables"}
    quick(data, out, chapters, overwrite=True)
    assert len(executed) == 8
    assert files_of(out) == before


def test_a_pool_of_items_is_left_out_of_what_compares_topics(tmp_path, executed):
    pool = save_labels(tmp_path / "pool", {"A": 0.1, "B": 0.3}, topics=1)
    lines: list[str] = []
    tables = quick([pool, "fair-oc"], tmp_path / "out", ["acl21", "report"], progress=lines.append)
    why = "there is one topic; comparing runs needs two runs and two topics"
    assert lines[:2] == [
        f"pool is left out of tables: {why}",
        f"pool is left out of acl21: acl21: {why}",
    ]
    assert (next(tmp_path.glob("out/jobs/report-pool-*")) / "report.html").is_file()
    assert set(tables["discrimination-classification"].index) == {"fair-oc", "pooled"}
    with pytest.raises(
        ValueError, match="nothing can be run; pool is left out: there is one topic"
    ):
        quick([pool], tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_one_failure_leaves_the_others(tmp_path, monkeypatch, capsys):
    def execute(chapter, parameters, output, running):
        output.write_text("half")
        if parameters["quantification"]:
            raise RerunError("topics: cell [3] failed")

    monkeypatch.setattr(sweep_module, "execute", execute)
    out = tmp_path / "out"
    assert swept("--chapters=topics", "--data=fair-oc", out=out) == 1
    assert "1 of 4 jobs failed; the others are kept" in capsys.readouterr().err
    assert {path.name.rpartition("-")[0] for path in (out / "jobs").iterdir()} == {
        "numbers-fair-oq", "numbers-fair-oc", "topics-fair-oc"
    }  # fmt: skip
    assert (out / "tables" / "similarity-quantification.csv").is_file()
    monkeypatch.setattr(sweep_module, "numbers", lambda *_, **__: {}["lost"])
    with pytest.raises(RerunError, match="numbers on sem16t4e"):
        quick(["sem16t4e"], tmp_path / "new")
    assert not (tmp_path / "new" / "tables").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_sweep_leaves_no_kernel_and_goes_on_where_it_stopped(tmp_path, number):
    out, system = tmp_path / "out", tmp_path / "system"
    system.mkdir()
    line = ["sweep", "--chapters=dialeval1", "--data=fair-oq", f"--out={out}", "-p", "splits=10"]
    sweeping = subprocess.Popen(
        [sys.executable, "-m", "ordbook", *line],
        env={**os.environ, "TMPDIR": str(system)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not (kernels_in(system) and list(out.glob("jobs/numbers-*/numbers.json"))):
        assert sweeping.poll() is None
        time.sleep(0.1)
    sweeping.send_signal(number)
    _, said = sweeping.communicate(timeout=60)
    if number == signal.SIGINT:
        assert sweeping.returncode == 130
        assert "interrupted; run the same command again to continue" in said
        assert "Traceback" not in said, said[-4000:]
        assert not kernels_in(system)
    else:
        end = time.monotonic() + 20
        while kernels_in(system):  # a kernel looks for its parent every second
            assert time.monotonic() < end
            time.sleep(0.2)
    assert len(list((out / "jobs").iterdir())) == 1
    lines: list[str] = []
    quick(["fair-oq"], out, parameters={"splits": 10}, progress=lines.append)
    assert lines == ["1 of 1 were done before"]
    assert {path.name for path in out.iterdir()} == {"jobs", "sweep.json", "tables"}


def test_the_tables_are_those_of_the_papers():
    data = ["sem16t4e", "fair-oq"]
    tasks = [ob.load(name) for name in data]
    counts = [numbers(task, splits=10) for task in tasks]
    tables, one = cross_tables(counts), cross_tables(counts[:1])
    # DNKT, Table 3, is about one data set of its eight: the average over it alone is it.
    printed = printed_values("dnkt", "3")
    printed = printed[~printed["column"].str.contains("low|high")]
    similar = one["similarity-quantification"]
    assert len(printed) == 36
    for cell in printed.itertuples():
        assert f"{similar.loc[cell.row, cell.column]:.3f}" == f"{float(cell.printed):.3f}"
    similar = similar.loc[list(NINE), list(NINE)]
    nine = (similar.sum() - 1) / 8
    every = one["similarity-quantification"]
    mean = (every.sum() - 1) / (len(every) - 1)
    assert one["average-similarity-quantification"]["average"].to_dict() == pytest.approx(
        mean.to_dict()
    )
    averages = printed_values("dnkt", "4").set_index("row")["printed"].astype(float)
    assert len(averages) == 9
    assert (nine - averages).abs().max() < 0.001, "printed averages are of rounded tau"
    # LQ'21, Table 3, pools counts: sums of S_D over sums of T_D, not a mean of shares.
    power = tables["discrimination-quantification"]
    tests = [ob.tukey_hsd(ob.score(ob.load(name)), 5000) for name in data]
    pooled = ob.meta.discrimination.pooled_discriminative_power(tests)
    for measure in SIX:
        row = power.loc["pooled"]
        assert row[f"{measure} S_D"] == pooled.loc[measure, "significant"]
        assert row[f"{measure} T_D"] == 66 + 120
        assert row[f"{measure} %"] == pytest.approx(100 * pooled.loc[measure, "share"])
    # DNKT, Table 28: a mean over data sets of mean tau, best first.
    consistent = tables["consistency-quantification"]
    found = [ob.ranking_consistency(ob.score(ob.load(name)), 10, 10).mean for name in data]
    ten = consistent.loc["10 vs. 10"]
    assert ten.loc["JSD", "average"] == pytest.approx((found[0]["JSD"] + found[1]["JSD"]) / 2)
    assert ten["average"].is_monotonic_decreasing


def test_tables_are_per_kind(tmp_path, mine):
    data = ["fair-oc", "fair-oq", str(mine)]
    tables = quick(data, tmp_path / "out")
    power = tables["discrimination-quantification"]
    assert list(power.index) == ["fair-oq", "my task", "pooled"]
    columns = tables["average-similarity-quantification"].columns
    assert list(columns) == ["fair-oq", "my task", "average"]
    for name, table in tables.items():
        again = pd.read_csv(tmp_path / "out" / "tables" / f"{name}.csv")
        assert len(again) == len(table)
        numbers = again.select_dtypes("number").iloc[:, -1].to_numpy()
        assert numbers == pytest.approx(table.iloc[:, -1].to_numpy(float), nan_ok=True)


def test_other_files_or_other_runs_of_them_are_another_job(mine):
    """And what was done before is done again only where the files are others."""

    def job(**reading):
        return make_jobs([], [Source.of(str(mine), **reading)], QUICK)[0]

    whole, left_out = job(), job(exclude=["a"])
    assert left_out.source.load().runs == ("b", "c", "d")
    file = mine / "runs" / "a.csv"
    before = file.read_text()
    file.write_text((mine / "runs" / "b.csv").read_text())
    changed = job()
    file.write_text(before)
    assert len({whole.key, left_out.key, changed.key}) == 3
    assert job().key == whole.key


def test_copies_of_a_run_are_named_and_do_not_part_measures(tmp_path, mine):
    """Five copies of a run: a measure is still like itself, and the pages name them."""
    for name in "efghi":
        (mine / "runs" / f"{name}.csv").write_text((mine / "runs" / "a.csv").read_text())
    tables = quick([str(mine)], tmp_path / "out")
    similar = tables["similarity-quantification"]
    assert np.diag(similar).tolist() == [1.0] * len(similar)
    scores = ob.score(ob.load(mine))
    four = replace(scores, values=scores.values[:, :, :4], runs=scores.runs[:4])
    assert similar.to_numpy() == pytest.approx(ob.ranking_similarity(four).tau.to_numpy())
    assert tables["discrimination-quantification"]["NMD T_D"].tolist() == [36, 36], "of nine runs"
    about = (tmp_path / "out" / "tables" / "README.md").read_text()
    assert "my task: a, e, f, g, h and i have the same scores on every topic" in about


def test_workers_change_no_byte(tmp_path):
    for jobs in (1, 2, 3):
        quick(["fair-oq", "fair-oc", "sem16t4e"], tmp_path / str(jobs), jobs=jobs)
    first = files_of(tmp_path / "1")
    assert len(first) == 3 + 1 + 9
    assert files_of(tmp_path / "2") == first
    assert files_of(tmp_path / "3") == first


@pytest.fixture
def cluster(tmp_path):
    """A scheduler and two workers, started by hand; the address."""
    pytest.importorskip("distributed")
    place = tmp_path / "scheduler.json"
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    dask = [*dask, "--no-dashboard", "--host=127.0.0.1", "--port=0", f"--scheduler-file={place}"]
    log = (tmp_path / "dask.log").open("w")
    (tmp_path / "tmp").mkdir()
    environment = {**os.environ, "TMPDIR": str(tmp_path / "tmp")}
    apart = {"stdout": log, "stderr": log, "start_new_session": True, "env": environment}
    running = [subprocess.Popen(dask, **apart)]
    try:
        while not place.is_file() or not place.read_text():
            assert running[0].poll() is None, (tmp_path / "dask.log").read_text()
            time.sleep(0.1)
        address = json.loads(place.read_text())["address"]
        worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-dashboard"]
        worker += ["--nthreads=1", f"--local-directory={tmp_path / 'workers'}"]
        for _ in range(2):
            running.append(subprocess.Popen(worker, **apart))
        yield address
    finally:
        for process in reversed(running):
            for child in psutil.Process(process.pid).children(recursive=True):
                child.kill()
            process.kill()
            process.wait()
        log.close()


def test_a_dask_cluster_gives_the_same_bytes(tmp_path, cluster, capsys):
    data = ["fair-oq", "fair-oc", "sem16t4e"]
    quick(data, tmp_path / "here", ["topics"], jobs=2)
    arguments = ["sweep", "--chapters=topics", *(f"--data={name}" for name in data)]
    arguments += ["-p", "trials=100", "-p", "splits=10", f"--out={tmp_path / 'there'}"]
    assert main([*arguments, f"--scheduler={cluster}"]) == 0
    assert files_of(tmp_path / "there") == files_of(tmp_path / "here")
    pages = sorted((tmp_path / "here").rglob("*.ipynb"))
    assert len(pages) == 3
    for page in pages:
        assert shown(page) == shown(tmp_path / "there" / page.relative_to(tmp_path / "here"))
    assert main([*arguments, f"--scheduler={cluster}"]) == 0
    assert "6 of 6 were done before" in capsys.readouterr().err


def test_no_scheduler(tmp_path, capsys, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(sweep_module, "ANSWER", 0.5)
    arguments = ["sweep", "--data=fair-oq", f"--out={tmp_path / 'out'}"]
    for address in ("tcp://127.0.0.1:1", "nowhere", "http://host:1"):
        assert main([*arguments, f"--scheduler={address}"]) == 2
        assert f"no Dask scheduler with a worker answers at {address}" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main([*arguments, "--scheduler=tcp://127.0.0.1:1"]) == 2
    assert 'pip install "PATH[dask]"' in capsys.readouterr().err
