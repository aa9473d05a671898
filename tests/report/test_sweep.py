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
from cases import case
from ordbook.chapters.parameters import CHAPTERS, EDITION
from ordbook.cli import main
from ordbook.data.printed import printed_values
from ordbook.report.rerun import RerunError
from ordbook.report.sweep import Plan, SweepError, read_plan, sweep
from ordbook.report.sweep import jobs as sweep_jobs
from ordbook.report.sweep.folder import SweepFolder
from ordbook.report.sweep.jobs import connected
from ordbook.report.sweep.plan import TABLES, make_jobs

pytestmark = pytest.mark.slow

QUICK = {"trials": 100, "splits": 10}
ORDBOOK = [sys.executable, "-c", "from ordbook.cli import main; raise SystemExit(main())"]


@pytest.fixture
def mine(tmp_path) -> Path:
    """Twenty topics, four runs, three classes, as tables, made at random."""
    rng = np.random.default_rng(3)
    folder = tmp_path / "my task"
    (folder / "runs").mkdir(parents=True)
    topics = [f"t{i}" for i in range(20)]
    for name in ("gold", "runs/a", "runs/b", "runs/c", "runs/d"):
        frame = pd.DataFrame(rng.dirichlet([1, 1, 1], 20), topics, ["low", "mid", "high"])
        frame.rename_axis("topic").to_csv(folder / f"{name}.csv")
    return folder


def files_of(out: Path) -> dict[str, bytes]:
    """All files of a sweep but the notebooks, which hold times, and what holds their checksums."""
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and path.name != "done.json" and path.suffix != ".ipynb"
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
def chapters_that_wait(monkeypatch):
    """Chapters are not run here: what would be is noted."""
    ran = []

    def execute(chapter, parameters, output, watch):
        ran.append((chapter, dict(parameters)))
        output.write_text("{}")

    monkeypatch.setattr(sweep_jobs, "execute", execute)
    return ran


def test_the_tables_are_those_of_the_papers(tmp_path):
    data = ["sem16t4e", "fair-oq"]
    tables = sweep(Plan([], data, QUICK | {"trials": 5000}), tmp_path / "out")
    one = sweep(Plan([], data[:1], QUICK), tmp_path / "one")
    # DNKT, Table 3, is about one data set of its eight: the average over it alone is it.
    printed = printed_values("dnkt", "3")
    printed = printed[~printed["column"].str.contains("low|high")]
    similar = one["similarity-quantification"]
    assert len(printed) == 36
    for cell in printed.itertuples():
        assert f"{similar.loc[cell.row, cell.column]:.3f}" == f"{float(cell.printed):.3f}"
    nine = one["average-similarity-quantification"].loc["nine", "average"]
    averages = printed_values("dnkt", "4").set_index("row")["printed"].astype(float)
    assert len(averages) == 9
    assert (nine - averages).abs().max() < 0.001, "printed averages are of rounded tau"
    # LQ'21, Table 3, pools counts: sums of S_D over sums of T_D, not a mean of shares.
    power = tables["discrimination-quantification"].droplevel(["trials", "splits", "seed"])
    tests = [ob.tukey_hsd(ob.score(ob.load(name)), 5000) for name in data]
    pooled = ob.meta.discrimination.pooled_discriminative_power(tests)
    for measure in ("NMD", "RSNOD", "RNOD", "NVD", "RNSS", "JSD"):
        row = power.loc["pooled"]
        assert row[f"{measure} S_D"] == pooled.loc[measure, "significant"]
        assert row[f"{measure} T_D"] == 66 + 120
        assert row[f"{measure} %"] == pytest.approx(100 * pooled.loc[measure, "share"])
    # DNKT, Table 28: a mean over data sets of mean tau, best first.
    consistent = tables["consistency-quantification"].loc[5000, 10, 0]
    found = [ob.ranking_consistency(ob.score(ob.load(name)), 10, 10).mean for name in data]
    ten = consistent.loc["10 vs. 10"]
    assert ten.loc["JSD", "average"] == pytest.approx((found[0]["JSD"] + found[1]["JSD"]) / 2)
    assert ten["average"].is_monotonic_decreasing
    # DNKT, Table 24.
    combined = tables["combined-quantification"]
    both = [ob.ranking_similarity(ob.score(ob.load(name))).tau for name in data]
    mean = (both[0].loc["JSD", "DNKT_JSD"] + both[1].loc["JSD", "DNKT_JSD"]) / 2
    assert combined.loc[("JSD", "DNKT_JSD"), "average"] == pytest.approx(mean)


def test_tables_are_per_kind_and_choice_of_parameters(tmp_path, mine):
    data = ["fair-oc", "fair-oq", {"path": str(mine), "classes": "low,mid,high"}]
    plan = Plan([], data, QUICK | {"seed": [0, 1]})
    tables = sweep(plan, tmp_path / "out")
    power = tables["discrimination-quantification"]
    assert list(power.index.get_level_values("data")) == ["fair-oq", "my task", "pooled"] * 2
    assert list(power.index.get_level_values("seed")) == [0] * 3 + [1] * 3
    columns = tables["average-similarity-quantification"].columns
    assert list(columns) == ["fair-oq", "my task", "average"]
    assert "combined-classification" not in tables
    for name, table in tables.items():
        again = pd.read_csv(tmp_path / "out" / "tables" / f"{name}.csv")
        assert len(again) == len(table)
        numbers = again.select_dtypes("number").iloc[:, -1].to_numpy()
        assert numbers == pytest.approx(table.iloc[:, -1].to_numpy(float), nan_ok=True)


def test_what_is_done_is_not_done_again(tmp_path, chapters_that_wait):
    plan = Plan(["official", "dialeval1"], ["fair-oq", "fair-oc"], QUICK)
    lines: list[str] = []
    sweep(plan, tmp_path / "out", progress=lines.append)
    assert lines[0] == "dialeval1 is not about classification tasks: left out for fair-oc"
    assert len(chapters_that_wait) == 3
    idle = {"classification": "", "classes": ""}
    assert ("official", idle | {"quantification": "fair-oq"}) in chapters_that_wait
    dialeval1 = {"quantification": "fair-oq", "nuggets": "", "classes": "", "trials": 100}
    assert ("dialeval1", dialeval1) in chapters_that_wait, "a chapter gets what it has"
    before = files_of(tmp_path / "out")
    sweep(plan, tmp_path / "out", progress=lines.append)
    assert lines[-1] == "5 of 5 were done before"
    assert len(chapters_that_wait) == 3
    # A larger plan does the rest; a file that was changed is made again; a lost one too.
    (tmp_path / "out" / "tables" / "similarity-quantification.csv").unlink()
    numbers = next((tmp_path / "out" / "jobs").glob("numbers-fair-oq-*/numbers.json"))
    numbers.write_text("{}")
    next((tmp_path / "out" / "jobs").glob("official-fair-oc-*/official.ipynb")).unlink()
    sweep(plan, tmp_path / "out", progress=lines.append)
    (aside,) = (tmp_path / "out" / "set-aside").iterdir()
    assert aside.name == f"{numbers.parent.name}-1"
    assert (aside / "numbers.json").read_text() == "{}"
    shutil.rmtree(aside.parent)
    assert files_of(tmp_path / "out") == before
    assert len(chapters_that_wait) == 4
    sweep(Plan(["official"], ["sem16t4e", "fair-oc"], QUICK), tmp_path / "out")
    assert len(chapters_that_wait) == 5
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "jobs", "sweep.json", "tables"
    ]  # fmt: skip


def test_other_data_under_the_same_name_are_run(tmp_path, mine, chapters_that_wait):
    data = [{"path": str(mine), "classes": "low,mid,high"}]
    sweep(Plan(["official"], data, QUICK), tmp_path / "out")
    text = (mine / "runs" / "a.csv").read_text()
    (mine / "runs" / "a.csv").write_text((mine / "runs" / "b.csv").read_text())
    sweep(Plan(["official"], data, QUICK), tmp_path / "out")
    assert len(chapters_that_wait) == 2
    (mine / "runs" / "a.csv").write_text(text)
    sweep(Plan(["official"], data, QUICK), tmp_path / "out")
    assert len(chapters_that_wait) == 2


def test_one_failure_leaves_the_others(tmp_path, monkeypatch, capsys):
    def execute(chapter, parameters, output, watch):
        output.write_text("half")
        if parameters["quantification"]:
            raise RerunError("official: cell [3] failed")

    monkeypatch.setattr(sweep_jobs, "execute", execute)
    arguments = ["sweep", "--chapters=official", "--data=fair-oq", "--data=fair-oc"]
    arguments += ["-p", "trials=100", "-p", "splits=10", "--out", str(tmp_path / "out")]
    assert main(arguments) == 1
    assert "1 of 4 jobs failed; the others are kept" in capsys.readouterr().err
    assert not list((tmp_path / "out" / "jobs").glob("official-fair-oq-*"))
    assert (tmp_path / "out" / "tables" / "similarity-quantification.md").is_file()
    assert not (tmp_path / "out" / ".work").exists()
    monkeypatch.setattr(sweep_jobs, "numbers", lambda *_, **__: {}["lost"])
    with pytest.raises(SweepError, match="numbers on sem16t4e"):
        sweep(Plan([], ["sem16t4e"], QUICK), tmp_path / "new")
    assert not (tmp_path / "new" / "tables").exists()


IMPOSSIBLE = [
    (["--chapters=acl22", "--data=fair-oq"], "no chapter 'acl22'; there are measures"),
    (["--data=nowhere"], "nowhere: neither a path that exists"),
    (["--data=sem17t4e"], "sem17t4e: there is no run; comparing runs needs two"),
    (["--data=fair-oq", "--data=fair-oq"], "two data sets are called 'fair-oq'"),
    (["--data=fair-oq", "-p", "seeed=1"], "no parameter 'seeed'; these chapters have trials"),
    (["--data=fair-oq", "-p", "seeds=100"], "no parameter 'seeds'"),
    (["--data=fair-oq", "-p", "seed=0,x"], "seed must be a whole number, not 'x'"),
    (["--data=fair-oq", "-p", "trials=5"], "trials must lie between 100 and"),
    (["--data=fair-oq", "-p", "trials"], "--parameter trials: write NAME=VALUE"),
    (["--data=fair-oq", "-p", "quantification=x"], "quantification belongs to the data"),
    (["--data=fair-oq", "-p", "own=x"], "measure 'x': write FILE.py:NAME"),
    (["--chapters=lq21", "--data=fair-oc"], "no chapter fits any of the data: lq21 is not"),
    (["--chapters=sigir18", "--data=fair-oq", "-p", "runs=a, b"], "no run 'a'; there are"),
    (["--data=fair-oq", "--jobs=0"], "jobs must be a whole number from 1"),
    (["--chapters=lq21"], "name data sets with --data, or a file with --plan"),
    (["--plan=plan.toml", "--data=fair-oq"], "--plan says it all"),
    (["--plan=plan.toml"], "no entry 'chapter'; a plan has chapters, data, parameters"),
    (["--data=fair-oq", "--out=full"], "not a sweep (thesis.tex); use another"),
    (["--data=fair-oq", "--out=plan.toml"], "this is a file; name a folder"),
    (["--data=fair-oq", "--out=a{b}"], "braces"),
    (["--data=my task", "--classes=low,mid,high", "--out=my task/x"], "lies within the data"),
]


def test_what_is_not_possible_is_refused_before_anything_runs(tmp_path, mine, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sweep_jobs, "perform", lambda *_: pytest.fail("it ran"))
    (tmp_path / "plan.toml").write_text('chapter = ["lq21"]')
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    for arguments, message in IMPOSSIBLE:
        with case(arguments):
            assert main(["sweep", "--out=new", *arguments]) == 2
            assert message in capsys.readouterr().err
            assert sorted(tmp_path.rglob("*")) == before


def test_files_among_the_tables_that_are_not_ours_are_kept(tmp_path):
    (tmp_path / "sweep.json").write_text('{"jobs": []}')
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "average-similarity-quantification.md").write_text("")
    SweepFolder(tmp_path).require_ours()
    (tmp_path / "tables" / "notes.md").write_text("mine")
    with pytest.raises(ValueError, match=r"tables: the folder holds .* \(notes.md\); move it"):
        SweepFolder(tmp_path).require_ours()


def test_what_somebody_changed_is_set_aside(tmp_path, capsys):
    """A file that a person changed cannot be told from a damaged one: it is made anew, and kept."""
    out = tmp_path / "out"
    assert swept(out=out) == 0
    before = files_of(out)
    (job,) = (out / "jobs").iterdir()
    page = out / "tables" / "discrimination-quantification.md"
    for number in (1, 2):
        page.write_text(page.read_text() + f"MY COMMENT {number}")
        (job / "numbers.json").write_text("mine")
        (job / "notes.json").write_text(f"notes {number}")
        capsys.readouterr()
        assert swept(out=out) == 0
        aside = out / "set-aside"
        kept = aside / f"{job.name}-{number}", aside / f"tables-{number}"
        said = capsys.readouterr().err.splitlines()
        assert said == [
            f"{job / 'notes.json'} may not be as the sweep wrote it: set aside in {kept[0]}",
            "1/1 numbers on fair-oq (trials=100, splits=10): done",
            f"{page} may not be as the sweep wrote it: set aside in {kept[1]}",
        ]
        assert (kept[0] / "numbers.json").read_text() == "mine"
        assert (kept[0] / "notes.json").read_text() == f"notes {number}"
        assert (kept[1] / page.name).read_text().endswith(f"MY COMMENT {number}")
        made = files_of(out).items()
        assert {name: text for name, text in made if not name.startswith("set-aside")} == before
    assert swept(out=out) == 0
    assert len(list(aside.iterdir())) == 4, "what is as it was is not set aside"
    # Beside a result that is as it was, a file is in nobody's way.
    (job / "notes.json").write_text("mine")
    assert swept(out=out) == 0
    assert (job / "notes.json").read_text() == "mine"


def test_a_plan_is_read_from_its_folder(tmp_path, mine, monkeypatch):
    (tmp_path / "plan.toml").write_text(
        'chapters = ["lq21"]\n'
        'data = ["fair-oq", {path = "my task", classes = "low,mid,high"}]\n'
        "[parameters]\ntrials = [1000, 2000]\n"
    )
    monkeypatch.chdir("/")
    jobs, notes = make_jobs(read_plan(tmp_path / "plan.toml"))
    assert notes == []
    assert [f"{job}" for job in jobs] == [
        "numbers on fair-oq (trials=1000, splits=1000)",
        "numbers on fair-oq (trials=2000, splits=1000)",
        "numbers on my task (trials=1000, splits=1000)",
        "numbers on my task (trials=2000, splits=1000)",
        "lq21 on fair-oq (trials=1000)",
        "lq21 on fair-oq (trials=2000)",
        "lq21 on my task (trials=1000)",
        "lq21 on my task (trials=2000)",
    ]
    assert jobs[2].data.place == str(mine)
    again, _ = make_jobs(read_plan(tmp_path / "plan.toml"))
    assert [job.key for job in jobs] == [job.key for job in again]
    assert len({job.key for job in jobs}) == 8


def test_data_sets_that_are_the_same_are_noted(tmp_path, mine):
    def notes(*places: str) -> list[str]:
        data = [{"path": str(tmp_path / place), "classes": "low,mid,high"} for place in places]
        return make_jobs(Plan([], ["fair-oq", *data], QUICK))[1]

    shutil.copytree(mine, tmp_path / "copy")
    shutil.copytree(mine, tmp_path / "other")
    shutil.make_archive(str(tmp_path / "packed"), "zip", mine)
    (tmp_path / "other" / "runs" / "a.csv").write_bytes((mine / "runs" / "b.csv").read_bytes())
    assert notes("my task", "other") == []
    assert notes("my task", "copy", "other", "packed.zip") == [
        "my task and copy and packed hold the same data, which the tables count 3 times"
    ]


def test_measures_of_your_own_join_in_where_they_fit(tmp_path):
    (tmp_path / "m.py").write_text(
        "import numpy as np\nfrom ordbook.measures import custom_measure\n"
        "CHEBYSHEV = custom_measure('Chebyshev', lambda g, e: np.abs(g - e).max(-1), "
        "better='low', bounds=(0, 1))\n"
    )
    own = f"{tmp_path}/m.py:CHEBYSHEV"
    plan = Plan([], ["fair-oq", "fair-oc"], QUICK | {"own": own})
    tables = sweep(plan, tmp_path / "out")
    assert "Chebyshev" in tables["similarity-quantification"].index
    assert "Chebyshev" not in tables["similarity-classification"].index


def test_measures_of_your_own_with_one_name_are_refused_before_anything_runs(tmp_path):
    (tmp_path / "m.py").write_text(
        "from ordbook.measures import custom_measure as custom\n"
        "A = B = custom('x', lambda g, e: abs(g - e).max(-1), better='low')\n"
        "C = custom('x', lambda cm: 1 - cm[..., 0, 0] / cm.sum((-2, -1)), better='low', "
        "kind='classification', perfect=0)\n"
    )
    a, b, c = (f"{tmp_path}/m.py:{name}" for name in "ABC")
    for twice in (f"{a},{b}", f"{a},{a}"):
        with pytest.raises(ValueError, match="'x' is named twice"):
            make_jobs(Plan([], ["fair-oq"], {"own": twice}))
    jobs, _ = make_jobs(Plan([], ["fair-oq", "fair-oc"], {"own": f"{a},{c}"}))
    assert [job.parameters["own"] for job in jobs] == [a, c]


def test_copies_of_a_run_are_named_and_do_not_part_measures(tmp_path, mine):
    """Five copies of a run: a measure is still like itself, and the pages say what they do."""
    for name in "efghi":
        (mine / "runs" / f"{name}.csv").write_text((mine / "runs" / "a.csv").read_text())
    data = [{"path": str(mine), "classes": "low,mid,high"}]
    tables = sweep(Plan([], data, QUICK), tmp_path / "out")
    similar = tables["similarity-quantification"]
    assert np.diag(similar).tolist() == [1.0] * len(similar)
    task = ob.load(mine, classes=["low", "mid", "high"])
    scores = ob.score(task)
    four = replace(scores, values=scores.values[:, :, :4], runs=scores.runs[:4])
    alone = ob.ranking_similarity(four).tau
    assert similar.to_numpy() == pytest.approx(alone.to_numpy())
    assert tables["discrimination-quantification"]["NMD T_D"].tolist() == [36, 36], "of nine runs"
    told = {path.stem: path.read_text() for path in (tmp_path / "out" / "tables").glob("*.md")}
    assert len(told) == 5
    for name, text in told.items():
        assert "my task: a, e, f, g, h and i have the same scores on every topic" in text, name
        ranked = "one run of each of these sets is ranked" in text
        assert ranked == ("similarity" in name or "combined" in name)
    sweep(Plan([], ["fair-oq"], QUICK), tmp_path / "other")
    for path in (tmp_path / "other" / "tables").glob("*.md"):
        assert "Identical" not in path.read_text(), "there are none"


def test_one_sweep_at_a_time(tmp_path):
    out = SweepFolder(tmp_path / "out")
    with out.held({}):
        code = "from ordbook.report.sweep import sweep; import sys\n"
        code += "sweep({'data': ['fair-oq']}, sys.argv[1])"
        command = [sys.executable, "-c", code, str(out.path)]
        second = subprocess.run(command, capture_output=True, text=True, check=False)
        assert "a sweep is running in this folder; wait for it" in second.stderr
        assert out.work.is_dir(), "the second must not clean the first one's work"
    # The lock of a dead process holds nobody up, and what it left is removed.
    (out.path / ".lock").write_text("process 1")
    (out.path / ".work" / "1-23" / "official").mkdir(parents=True)
    with out.held({}):
        assert [path.name for path in (out.path / ".work").iterdir()] == [out.work.name]
    assert [path.name for path in out.path.iterdir()] == ["sweep.json"]


def test_workers_change_no_byte(tmp_path):
    plan = Plan([], ["fair-oq", "fair-oc", "sem16t4e"], QUICK)
    for jobs in (1, 2, 3):
        sweep(plan, tmp_path / str(jobs), jobs=jobs)
    first = files_of(tmp_path / "1")
    assert len(first) == 3 + 1 + 18
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
    plan = Plan(["official"], data, QUICK)
    sweep(plan, tmp_path / "here", jobs=2)
    arguments = ["sweep", "--chapters=official", *(f"--data={name}" for name in data)]
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
    monkeypatch.setattr(sweep_jobs, "ANSWER", 0.5)
    arguments = ["sweep", "--data=fair-oq", f"--out={tmp_path / 'out'}"]
    assert main([*arguments, "--scheduler=tcp://127.0.0.1:1"]) == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:1" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main([*arguments, "--scheduler=tcp://127.0.0.1:1"]) == 2
    assert 'pip install "PATH[dask]"' in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_the_kernels_and_keeps_what_is_done(tmp_path, number, code):
    out = tmp_path / "out"
    command = [*ORDBOOK, "sweep", "--chapters=dialeval1", "--data=fair-oq", f"--out={out}"]
    sweeping = subprocess.Popen(
        [*command, "-p", "splits=10"], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    while not (kernels_in(out) and list(out.glob("jobs/numbers-*/done.json"))):
        assert sweeping.poll() is None
        time.sleep(0.1)
    sweeping.send_signal(number)
    _, said = sweeping.communicate(timeout=60)
    assert sweeping.returncode == code
    assert "interrupted; the same command goes on where it stopped" in said
    assert "Traceback" not in said
    assert not kernels_in(out)
    assert sorted(path.name for path in out.iterdir()) == ["jobs", "sweep.json"]
    assert len(list((out / "jobs").iterdir())) == 1


def test_what_is_no_address_is_never_asked(monkeypatch):
    for address in [
        "foo",
        "tcp://",
        "tcp://host",
        "host:0",
        "host:99999",
        "http://host:1",
        "a b:1",
    ]:
        with case(address):
            distributed = pytest.importorskip("distributed")
            monkeypatch.setattr(
                distributed, "Client", lambda *a, **k: pytest.fail("Dask was asked")
            )
            with (
                pytest.raises(ValueError, match="write its address as tcp://HOST:PORT"),
                connected(address),
            ):
                pass


def test_a_plan_that_is_not_there_is_named(tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["sweep", f"--plan={tmp_path / 'nope.toml'}", f"--out={out}"]) == 2
    assert f"{tmp_path / 'nope.toml'}: there is no such file" in capsys.readouterr().err
    assert main(["sweep", f"--plan={tmp_path}", f"--out={out}"]) == 2
    assert "the plan cannot be read" in capsys.readouterr().err
    assert not out.exists()


def test_all_chapters_are_those_that_fit(mine):
    jobs, notes = make_jobs(Plan(["all"], ["fair-oq"]))
    fitting = [name for name in EDITION if "quantification" in CHAPTERS[name]]
    assert [job.what for job in jobs] == [TABLES, *fitting]
    assert notes == [], "nobody named those that do not fit"
