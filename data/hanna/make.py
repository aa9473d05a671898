"""Build ``labels.csv.gz`` from HANNA's own table: ``python data/hanna/make.py TABLE [OUT]``.

TABLE is ``hanna_metric_scores_llm.csv`` of github.com/dig-team/hanna-benchmark-asg at commit
282f27536a5d05ad4ce14298abcd70c45668fed2 (MIT licence, beside this file). Its 11 rows are writers,
and each cell is a list of the scores of 96 prompts.
"""

import csv
import gzip
import json
import math
import sys
from pathlib import Path

from ordbook.files import sha256, write_whole

HERE = Path(__file__).resolve().parent
SHA256 = "d0ce43f9b5cc12894f8b7bf3f7b4da06d19cdbea2c989dd3f173f2240dfee26d"
CRITERIA = ("RE", "CH", "EM", "SU", "EG", "CX")
MODELS = ("Beluga-13B", "OrcaPlatypus", "Mistral-7B", "Llama-13B", "ChatGPT")


def label(mean: float) -> int:
    """Round the mean of three answers, halves up; 0 marks a mean below 1, which no answers give."""
    return math.floor(mean + 0.5 + 1e-9) if mean >= 1 else 0


def main(table: Path, out: Path) -> None:
    """Write a row for each criterion, prompt and writer: three people, and twenty judges."""
    if sha256(table) != SHA256:
        raise ValueError(f"{table}: not the table of that commit")
    csv.field_size_limit(sys.maxsize)
    with table.open(encoding="utf-8", newline="") as file:
        writers = list(csv.DictReader(file))
    people = [f"Human {person}" for person in (1, 2, 3)]
    judges = [f"{model} {prompt}" for model in MODELS for prompt in (1, 2, 3, 4)]
    lines = [",".join(["criterion", "prompt", "writer", *people, *judges])]
    for criterion in CRITERIA:
        names = [f"{person} {criterion}" for person in people]
        names += [f"{model} {criterion} {prompt}" for model in MODELS for prompt in (1, 2, 3, 4)]
        scores = [[json.loads(writer[name]) for name in names] for writer in writers]
        for prompt in range(96):
            for writer, by_name in zip(writers, scores, strict=True):
                labels = [str(label(column[prompt])) for column in by_name]
                lines.append(",".join([criterion, str(prompt + 1), writer["Model"], *labels]))
    packed = gzip.compress("\n".join([*lines, ""]).encode(), mtime=0)
    write_whole(out, packed)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else HERE / "labels.csv.gz")
