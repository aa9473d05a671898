"""What data/published/counted.csv says, counted again in the public files."""

import gzip
import json

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from ordbook.papers.formulas import counts

STC3 = {"training": "train_cn", "test": "test"}
# Part and language of a dialogue -> the name of the files, and the unit of lengths.
LENGTHS = {
    ("train", "cn"): ("training", "characters"),
    ("test", "cn"): ("test", "characters"),
    ("train", "en"): ("translated training", "words"),
    ("test", "en"): ("translated test", "words"),
}


@pytest.mark.slow
def test_files_have_the_committed_counts(raw_files):
    counted = {}
    for part, name in STC3.items():
        with gzip.open(raw_files / f"stc3/{name}_annotations_notext.json.gz") as file:
            dialogues = json.load(file)
        counted["stc3-dq-a", part, "dialogues"] = len(dialogues)
        counted["stc3-dq-a", part, "turns"] = sum(len(each["turns"]) for each in dialogues)
        (counted["stc3-dq-a", part, "assessors"],) = {
            len(dialogue["annotations"]) for dialogue in dialogues
        }
    lengths = pd.read_csv(raw_files / "stc3/lengths.csv.gz").groupby(["part", "language"])
    for place, dialogues in lengths:
        files, unit = LENGTHS[place]
        totals = dialogues[["turns", "posts", "length"]].sum().rename({"length": unit})
        totals["dialogues"] = len(dialogues)
        for thing, number in totals.items():
            assert counted.setdefault(("stc3-dq-a", files, thing), number) == number
    dbdc3 = ob.load("dbdc3")
    (counted["dbdc3", "test", "assessors"],) = set(dbdc3.votes)
    counted["dbdc3", "test", "utterances"], counted["dbdc3", "test", "classes"] = dbdc3.gold.shape
    constant = np.ptp(ob.load("sem16t4c").predicted, axis=1) == 0
    counted["sem16t4c", "submissions", "runs of one class"] = constant.sum()
    assert counted == counts()
