"""Caches that are damaged, full or not to be written: a whole file, or a line that helps."""

import errno
import hashlib
import os
import shutil
import tempfile
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType

import pytest

from ordbook.cli import main
from ordbook.data import fetch as fetching
from ordbook.data.catalog import DataSet, catalog
from ordbook.data.raw import raw_files

pytestmark = pytest.mark.slow

CONTENT = {"gold": b"gold\t1\n" * 2000, "runs/r": b"run\t1\n" * 3000}


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ORDBOOK_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("ORDBOOK_MIRROR", raising=False)
    return tmp_path / "cache" / "raw"


@pytest.fixture
def upstream(tmp_path):
    """A folder with the files of a data set."""
    for name, content in CONTENT.items():
        path = tmp_path / "upstream" / "set" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path / "upstream"


@pytest.fixture(params=["mirror", "network"])
def dataset(request, cache, upstream, monkeypatch):
    """A data set that is fetched from a mirror, or from a server on this machine."""
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in CONTENT.items()}
    server = None
    if request.param == "mirror":
        monkeypatch.setenv("ORDBOOK_MIRROR", str(upstream))
        urls = dict.fromkeys(sums, "http://nowhere.invalid/x")
    else:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr(SimpleHTTPRequestHandler, "log_message", lambda *_: None)
        handler = partial(SimpleHTTPRequestHandler, directory=upstream)
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        urls = {name: f"http://127.0.0.1:{server.server_port}/set/{name}" for name in sums}
    found = DataSet(
        name="set", title="t", kind="quantification", format="semeval", classes=("1", "2"),
        class_names=("a", "b"), topics=1, runs=1, licence="none", citation="c", reference="r",
        upstream="u", folder="set", files=MappingProxyType(sums), urls=urls,
    )  # fmt: skip
    monkeypatch.setattr(fetching, "catalog", lambda: {"set": found})
    yield found
    if server is not None:
        server.shutdown()


def files(folder):
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(paths)}


@contextmanager
def limited(size=100):
    """No file may be larger, as if there were no room for more."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_is_a_file_that_did_not_arrive(dataset, cache, capsys):
    with limited():
        assert main(["fetch", "set"]) == 1
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert (
        f"{cache / 'set' / 'gold'} cannot be written (file too large); make room there" in said[0]
    )
    assert files(cache) == {}
    assert main(["fetch", "set"]) == 0, "with room, the same command does it"
    assert files(cache) == {f"set/{name}": content for name, content in CONTENT.items()}


def test_a_cache_that_may_not_be_written(dataset, cache, monkeypatch, capsys):
    make = os.mkdir

    def refuse(path, *more, **options):
        if Path(path).is_relative_to(cache.parent):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return make(path, *more, **options)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "mkdir", refuse)
        assert main(["fetch", "set"]) == 2
    said = capsys.readouterr().err
    assert "cannot be made or written (read-only file system); set ORDBOOK_CACHE to" in said
    assert len(said.splitlines()) == 1
    # One that can be made, and then not locked.
    cache.mkdir(parents=True)
    opened = Path.open

    def refuse_lock(path, *more, **options):
        if path.name == ".lock":
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return opened(path, *more, **options)

    monkeypatch.setattr(Path, "open", refuse_lock)
    assert main(["fetch", "set"]) == 2
    assert "set ORDBOOK_CACHE to another folder" in capsys.readouterr().err


@pytest.mark.parametrize("damage", ["cut short", "changed", "empty", "zeros"])
def test_a_damaged_file_is_never_read_and_fetched_again(
    damage, dataset, cache, monkeypatch, capsys
):
    assert main(["fetch", "set"]) == 0
    path = cache / "set" / "runs" / "r"
    whole = path.read_bytes()
    path.write_bytes(
        {
            "cut short": whole[:-1],
            "changed": whole.replace(b"1", b"2", 1),
            "empty": b"",
            "zeros": bytes(len(whole)),  # as a journal leaves them after a power cut
        }[damage]
    )
    os.utime(path, (1e9, 4e9))  # times do not tell
    with pytest.MonkeyPatch.context() as patched:
        patched.delenv("ORDBOOK_MIRROR", raising=False)
        with pytest.raises(ValueError, match=r"runs/r: sha256 is .*again with 'ordbook fetch set'"):
            raw_files(dataset)
    capsys.readouterr()
    assert main(["fetch", "set"]) == 0
    assert "is not the right file and is replaced" in capsys.readouterr().err
    assert path.read_bytes() == whole


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


# Zip files, which are unpacked for a while


@pytest.fixture
def packed(tmp_path):
    for name in ("gold", "runs/a", "runs/b"):
        path = tmp_path / "task" / f"{name}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = [f"topic {k},.2,.3,.5" for k in range(20)]
        path.write_text("\n".join(["topic,low,mid,high", *rows]) + "\n")
    return Path(shutil.make_archive(str(tmp_path / "task"), "zip", tmp_path / "task"))


def test_no_room_for_temporary_files_is_no_fault_of_the_zip_file(packed, monkeypatch, capsys):
    with limited():
        assert main(["check", str(packed)]) == 1
    said = capsys.readouterr().err
    assert (
        f"{tempfile.gettempdir()} (temporary files; TMPDIR names another folder): file too" in said
    )
    assert "make room there" in said
    assert len(said.splitlines()) == 1

    def none(*_):
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_get_default_tempdir", none)
    assert main(["check", str(packed)]) == 1
    assert "make room in one of them, or name another folder with TMPDIR" in capsys.readouterr().err
