"""The contract notices what changes, and takes what was changed on purpose."""

from contract.compared import gathered
from contract.golden import GONE, differences, read, write
from contract.tables import cells_of_folder

TABLE = "rank,run,mean\n1,A,0.25\n2,B,0.5\n"


def test_a_changed_number_and_a_vanished_key_are_noticed(tmp_path):
    (tmp_path / "RNOD.csv").write_text(TABLE)
    frozen = cells_of_folder(tmp_path, (".csv",))
    assert frozen["RNOD.csv | A | mean"] == "0.25"
    write(tmp_path, "score", {key: frozen[key] for key in list(frozen)[:3]})
    write(tmp_path, "score-raw", {key: frozen[key] for key in list(frozen)[3:]})
    assert not differences(read(tmp_path, "score"), frozen, 1e-9)

    (tmp_path / "RNOD.csv").write_text(TABLE.replace("0.25", "0.2500001").replace("2,B,0.5\n", ""))
    now = cells_of_folder(tmp_path, (".csv",))
    found = differences(read(tmp_path, "score"), now, 1e-9)
    assert found["RNOD.csv | A | mean"] == ("0.25", "0.2500001")
    assert found["RNOD.csv | B | mean"] == ("0.5", GONE)


def test_float_noise_is_no_change(tmp_path):
    assert not differences({"x": "exact 0.3"}, {"x": f"exact {0.1 + 0.2!r}"}, 1e-12)
    assert differences({"x": "exact 0.3"}, {"x": "close 0.3"}, 1e-12)
    assert differences({"x": "0.30"}, {"x": "0.3"}, 0.0)


def test_a_cell_is_found_on_whatever_page_and_by_whatever_part_of_its_table():
    ledger = {f"lq21 | {part} | NMD | RNOD | printed": "1" for part in ("4a", "4b")}
    whole = ["lq21", "4", [["NMD", "RNOD", "exact", "1.0"], ["NMD", "RNOD", "close", "2.0"]]]
    part = ["lq21", "4a", [["NMD", "RNOD", "exact", "1.0"]]]
    cells = {"lq21 | 4a | NMD | RNOD": "exact 1.0", "lq21 | 4b | NMD | RNOD": "close 2.0"}
    assert gathered([whole, part], ledger) == cells
    other = ["lq21", "4a", [["NMD", "RNOD", "exact", "1.1"]]]
    assert gathered([part, other], ledger).keys() == {
        "lq21 | 4a | NMD | RNOD",
        "lq21 | 4a | NMD | RNOD #1",
    }
