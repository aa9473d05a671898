"""Write ten simulated answers of a chatbot, rated from 1 to 5 by three people and two models.

Nothing here is drawn at random. Of each answer, one person in turn is a step away from the other
two, whose rating is the median. The model ``bold`` agrees with the median but for every fourth
answer, which it puts at the other end of the scale. The model ``careful`` is a step away from the
median of every second answer, and never more. So ``bold`` is right more often, and ``careful`` is
nearer: accuracy prefers the first, and measures that look at the order of the classes the second.
"""

import sys
from pathlib import Path

import pandas as pd

MEDIANS = [1, 2, 2, 3, 3, 4, 4, 4, 5, 5]
PEOPLE = ["Ada", "Ben", "Eve"]


def step(rating: int, up: bool) -> int:
    """Move a rating by a step, up or down, and inwards at the ends of the scale."""
    return rating + (1 if rating == 1 or (up and rating < 5) else -1)


def ratings() -> pd.DataFrame:
    """Return a row for each answer, and a column for each person and model."""
    rows = []
    for place, median in enumerate(MEDIANS):
        row: dict[str, object] = {"item": f"answer-{place + 1:02d}"}
        for number, person in enumerate(PEOPLE):
            row[person] = step(median, place % 2 == 1) if place % 3 == number else median
        row["bold"] = (1 if median > 3 else 5) if place % 4 == 1 else median
        row["careful"] = step(median, up=True) if place % 2 == 1 else median
        rows.append(row)
    return pd.DataFrame(rows)


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    ratings().to_csv(folder / "ratings.csv", index=False, lineterminator="\n")
