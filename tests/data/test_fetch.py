"""Fetching: from a local server, and from a mirror."""

import gzip
import hashlib
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType

import pytest
from filelock import FileLock

from ordbook.cli import main
from ordbook.data import fetch as fetching
from ordbook.data.catalog import DataSet, catalog, state
from ordbook.data.fetch import fetch

GOLD, RUN = b"gold\t1\n" * 2000, b"run\t1\n" * 3000


class Handler(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        self.server.asked.append(self.path)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Gives the right gold file and run in a folder, a wrong gold file in another, and no more."""
    folder = tmp_path_factory.mktemp("server")
    for name, content in {
        "good/gold": GOLD, "good/r": RUN, "wrong/gold": GOLD.replace(b"1", b"2")
    }.items():  # fmt: skip
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder))
    server.asked = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ORDBOOK_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("ORDBOOK_MIRROR", raising=False)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(fetching, "RETRIES", 0)
    return tmp_path / "cache" / "raw"


def data_set(name, urls, **more):
    sums = {"gold": hashlib.sha256(GOLD).hexdigest(), "runs/r": hashlib.sha256(RUN).hexdigest()}
    fields = {
        "name": name, "title": "t", "kind": "quantification", "format": "semeval",
        "classes": ("1", "2"), "class_names": ("a", "b"), "topics": 1, "runs": 1,
        "licence": "none", "citation": "c", "reference": "r", "upstream": "u", "folder": name,
        "files": MappingProxyType(sums), "urls": urls,
    }  # fmt: skip
    return DataSet(**(fields | more))


@pytest.fixture
def known(server, monkeypatch):
    """Put data sets into the catalogue: name -> how the server gives the gold file."""

    def put(*hows, **more):
        base = f"http://127.0.0.1:{server.server_port}"
        sets = {
            how: data_set(how, {"gold": f"{base}/{how}/gold", "runs/r": f"{base}/good/r"}, **more)
            for how in hows
        }
        monkeypatch.setattr(fetching, "catalog", lambda: sets)
        return sets

    return put


def files(folder):
    """All files below a folder, with their content, but the lock."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_files_arrive_once(server, cache, known):
    sets, lines = known("good"), []
    (outcome,) = fetch(["good"], report=lines.append)
    assert (outcome.fetched, outcome.present, outcome.failure) == (2, 0, "")
    assert files(cache) == {"good/gold": GOLD, "good/runs/r": RUN}
    assert lines == ["good: gold (14.0 kB)", "good: runs/r (18.0 kB)"]
    assert state(sets["good"]) == "here"
    assert oct((cache / "good/gold").stat().st_mode)[-3:] == "644", "a cache may be shared"
    asked, lines = len(server.asked), []
    (outcome,) = fetch(["good"], report=lines.append)
    assert (outcome.fetched, outcome.present) == (0, 2)
    assert (len(server.asked), lines) == (asked, [])
    (cache / "good/gold").write_bytes(GOLD[:-1])
    assert state(sets["good"]) == "damaged"
    (outcome,) = fetch(["good"], report=lines.append)
    assert (outcome.fetched, outcome.present) == (1, 1)
    assert "good/gold is not the right file and is replaced" in lines[0]
    assert files(cache)["good/gold"] == GOLD


WRONG = hashlib.sha256(GOLD.replace(b"1", b"2")).hexdigest()
FAILURES = {
    "404": "404 Client Error",
    "wrong": f"but got {WRONG}",
}


def test_what_does_not_arrive_leaves_nothing_and_says_why(server, cache, known, subtests):
    known(*FAILURES, "good")
    (cache / "wrong").mkdir(parents=True)
    (cache / "wrong/gold").write_bytes(b"an older version")
    *failed, good = fetch([*FAILURES, "good"], report=str)
    for (how, happened), outcome in zip(FAILURES.items(), failed, strict=True):
        with subtests.test(how=how):
            url = f"http://127.0.0.1:{server.server_port}/{how}/gold"
            assert outcome.failure.startswith(f"{how}: {url}: ")
            assert happened in outcome.failure
            by_hand = f"get it by another way and put it at {cache / how / 'gold'}"
            assert f"try again later, or {by_hand}" in outcome.failure
            assert "\n" not in outcome.failure
            assert "INCOMPLETE" in str(outcome)
    assert not good.failure, "the other data sets are still fetched"
    older = {"wrong/gold": b"an older version"}
    assert files(cache) == {"good/gold": GOLD, "good/runs/r": RUN} | older


def test_without_a_connection_it_is_said_how_to_do_without(server, cache, known):
    server_port = server.server_port
    sets = known("good")
    urls = {file: url.replace(str(server_port), "9") for file, url in sets["good"].urls.items()}
    sets["good"] = data_set("good", urls)
    (outcome,) = fetch(["good"], report=str)
    by_hand = f"get it by another way and put it at {cache / 'good/gold'}"
    assert outcome.failure == (
        f"good: {urls['gold']}: no connection; try again later, or {by_hand}"
    )


def test_one_fetch_at_a_time(cache, known):
    known("good")
    cache.mkdir(parents=True)
    with FileLock(cache / ".lock"):
        waiting = threading.Thread(target=fetch, args=(["good"],), kwargs={"report": str})
        waiting.start()
        waiting.join(0.3)
        assert files(cache) == {}
    waiting.join(10)
    assert files(cache) == {"good/gold": GOLD, "good/runs/r": RUN}


def test_what_must_be_asked_for_is_refused_before_anything_is_fetched(server, cache, monkeypatch):
    urls = {"runs/r": f"http://127.0.0.1:{server.server_port}/good/r"}
    asked = data_set("good", urls, obtain="ask somebody")
    monkeypatch.setattr(fetching, "catalog", lambda: {"good": asked})
    with pytest.raises(ValueError, match="no data set 'nope' in the catalogue; there are good"):
        fetch(["good", "nope"], report=str)
    with pytest.raises(
        ValueError, match="good cannot be fetched: ask somebody; then run .* --from FILE"
    ):
        fetch(["good"], report=str)
    (outcome,) = fetch(["all"], report=str)
    assert "must be asked for, 'ordbook fetch good' says whom" in str(outcome)
    assert files(cache) == {}
    came = cache.parent / "came.txt"
    came.write_bytes(RUN[:-1])
    with pytest.raises(ValueError, match=r"came\.txt: its checksum is .* no file of good; get the"):
        fetch(["good"], file=came, report=str)
    assert files(cache) == {}
    # Once it has come, it is put there, and the rest is fetched.
    came.write_bytes(gzip.compress(GOLD))
    assert fetch(["good"], file=came, report=str)[0].fetched == 1
    assert files(cache) == {"good/gold": GOLD, "good/runs/r": RUN}
    assert state(asked) == "here"
    (cache / "good/gold").write_bytes(gzip.compress(GOLD))
    assert state(asked) == "here", "packed or not"
    (cache / "good/gold").write_bytes(GOLD[1:])
    assert state(asked) == "damaged"
    with pytest.raises(ValueError, match="good cannot be fetched: ask somebody"):
        fetch(["good"], report=str)


def test_a_damaged_cache_gives_no_score(cache, tmp_path, capsys):
    """Committed scores must not stand in for files that are there and wrong."""
    wanted = catalog()["sem16t4e"]
    for name in wanted.files:
        path = cache / wanted.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("half")
    assert main(["score", "sem16t4e", f"--out={tmp_path / 'out'}", "--trials=100"]) == 2
    said = capsys.readouterr().err
    assert "get it again with 'ordbook fetch sem16t4e'" in said
    assert len(said.splitlines()) == 1
    assert not (tmp_path / "out").exists()


# The mirror


@pytest.fixture
def mirror(tmp_path, monkeypatch):
    for name, content in {"gold": GOLD, "runs/r": RUN}.items():
        path = tmp_path / "mirror" / "good" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    monkeypatch.setenv("ORDBOOK_MIRROR", str(tmp_path / "mirror"))
    return tmp_path / "mirror" / "good"


def test_a_mirror_is_copied_and_nothing_downloaded(server, cache, known, mirror, monkeypatch):
    known("good")
    monkeypatch.setenv("ORDBOOK_MIRROR", str(mirror.parent))
    run = mirror / "runs/r"
    server.asked.clear()
    wrong = f"but got {hashlib.sha256(RUN[1:]).hexdigest()}"
    for content, said in ((None, f"{run}: it is not there, and with ORDBOOK"), (RUN[1:], wrong)):
        run.write_bytes(content) if content else run.unlink()
        (outcome,) = fetch(["good"], report=str)
        assert said in outcome.failure
        assert files(cache) == {"good/gold": GOLD}
    run.write_bytes(RUN)
    assert fetch(["good"], report=str)[0].fetched == 1
    assert files(cache) == {"good/gold": GOLD, "good/runs/r": RUN}
    assert server.asked == []
    monkeypatch.setenv("ORDBOOK_MIRROR", str(mirror / "nowhere"))
    with pytest.raises(ValueError, match="ORDBOOK_MIRROR=.* is not a folder"):
        fetch(["good"], report=str)


def test_only_fetch_uses_the_network(root):
    """No other module knows how: a build, a test or an import cannot touch it by accident."""
    knows = {
        path.name
        for path in (root / "ordbook").rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip().startswith(("import ", "from "))
        and any(word in line for word in ("requests", "urllib.request", "pooch", "http.client"))
    }
    assert knows == {"fetch.py"}
