"""Tasks in any format, converted: the folder is read, and its task is the same."""

import pytest

import ordbook as ob
from helpers.hostile_files import CORPUS, LARGE, PYTHON, files_of
from helpers.task_folders import assert_same, write
from ordbook.cli import main
from ordbook.data.checking import check

SAMPLES = {
    **dict.fromkeys(("fair-oc", "fair-oq", "formats/tables", "formats/qrels")),
    **{f"formats/ntcir {part}": part for part in "AES"},
}


@pytest.mark.parametrize("sample", SAMPLES)
def test_samples_say_the_same_after_they_were_converted(root, tmp_path, sample):
    source, part = str(root / "data/examples" / sample.split()[0]), SAMPLES[sample]
    code = main(["convert", source, str(tmp_path / "out"), *[f"--part={part}"] * bool(part)])
    assert code == (2 if check(tmp_path / "out").problems else 0)
    options = {"missing": "worst"}
    task, again = ob.load(source, part=part, **options), ob.load(tmp_path / "out", **options)
    assert_same(task, again)
    if task.kind == "classification":
        assert task.items == again.items
        assert len({*task.items}) == len(task.gold)


REFUSED = {  # options, what is said
    ("formats/ntcir", "--part=nugget"): "nuggets, one for each turn, for which CSV has no form",
    ("formats/scores-by-measure",): "scores, which the commands read as they are",
    ("ratings/ratings.csv",): "with --gold median, majority or shares, or which column is gold",
    ("no-such-folder",): "no-such-folder",
}


@pytest.mark.parametrize("command", REFUSED)
def test_what_is_refused(root, tmp_path, capsys, command):
    source, *options = command
    source = str(root / "data/examples" / source)
    assert main(["convert", source, str(tmp_path / "out"), *options]) == 2
    assert REFUSED[command] in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "taken").touch()
    assert main(["convert", source, str(tmp_path / "out"), *options]) == 2
    assert "not empty" in capsys.readouterr().err


@pytest.mark.slow
def test_every_hostile_folder_is_converted_or_refused(tmp_path, capsys, subtests):
    """What ordbook reads stays as it was; all else is refused, and nothing is left."""
    for number, key in enumerate(CORPUS):
        kind, _, name = key.partition(" | ")
        folder = tmp_path / str(number)
        folder.mkdir()
        if name in LARGE:
            continue
        with subtests.test(key):
            write(folder / "in", files_of(key))
            source, out = str(folder / "in" / CORPUS[key]["place"]), folder / "out"
            part = "A" if "NTCIR" in name or "nuggets" in name else None
            code = main(["convert", source, str(out), *["--part=A"] * bool(part)])
            message = capsys.readouterr()
            assert code in (0, 2)
            assert not PYTHON.search(message.out + message.err)
            assert {path.name for path in folder.iterdir()} <= {"in", "out"}
            if kind != "refused" and out.exists() and "\\" not in name:  # which becomes _
                assert_same(ob.load(source, part=part), ob.load(out))
