"""What `ordbook score` writes of one task, word by word, as it was when somebody last looked at it.

After a change on purpose, copy the files of the new folder over those in ``golden`` and say why.
"""

import math
import re
from pathlib import Path

from ordbook.cli import main
from ordbook.files import share

GOLDEN = Path(__file__).with_name("golden")
FILES = ["README.md", "classes.csv"]
FILES += [
    f"{folder}/{name}.csv" for folder in ("results", "significance") for name in ("RPS", "NMD")
]
NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?:e-\d+)?")
VERSIONS = re.compile(r"^Versions: .*|(?<=written by ordbook )\S+\.(?= )", re.MULTILINE)


def test_score_writes_what_it_wrote(tmp_path):
    out = tmp_path / "results"
    task = str(share("data", "examples", "fair-oq"))
    assert main(["score", task, "--out", str(out), "--measures=RPS,NMD", "--trials=1000"]) == 0
    for name in FILES:
        ours, golden = (
            VERSIONS.sub("", (folder / name).read_text("utf-8")) for folder in (out, GOLDEN)
        )
        assert NUMBER.sub("#", ours) == NUMBER.sub("#", golden), name
        pairs = zip(NUMBER.findall(ours), NUMBER.findall(golden), strict=True)
        # Other processors add in another order.
        assert all(math.isclose(float(a), float(b), rel_tol=1e-9, abs_tol=1e-12) for a, b in pairs)
