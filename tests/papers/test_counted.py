"""What data/published/counted.csv says, counted again in the public files."""

import gzip
import json

import ordbook as ob
from ordbook.papers.checks.tools import rows_of

STC3 = {"training": "train_cn", "test": "test"}


def test_dialogues_turns_and_assessors_are_as_counted(raw_files):
    committed = {
        (row["catalogue"], row["files"], row["what"]): int(row["number"])
        for row in rows_of("counted.csv")
    }
    found = {}
    for part, name in STC3.items():
        with gzip.open(raw_files / f"stc3/{name}_annotations_notext.json.gz") as file:
            dialogues = json.load(file)
        found["stc3-dq-a", part, "dialogues"] = len(dialogues)
        found["stc3-dq-a", part, "turns"] = sum(len(each["turns"]) for each in dialogues)
        (found["stc3-dq-a", part, "assessors"],) = {len(each["annotations"]) for each in dialogues}
    (found["dbdc3", "test", "assessors"],) = set(ob.load("dbdc3").votes)
    assert found == committed
