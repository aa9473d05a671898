"""Check a submission before you send it: ``python check.py my_answers.csv``.

It needs Python alone, and to_answer.csv, sample.csv and classes.txt in the folder of this file. It
compares the form of your file with these, and says nothing about how good your answers are.
"""

import csv
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOLERANCE = 1.1e-5  # of a sum of shares, besides what their printed decimals explain
SHOWN = 25
Row = tuple[int, dict[str, str]]


def read(path: Path) -> tuple[list[str], list[Row]]:
    """Return the header of a CSV file, and line number and cells by column of each row."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file)
        rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader if any(row)]
    if not rows:
        raise ValueError("the file is empty; write a header and a line for each answer")
    head = rows[0][1]
    for line, row in rows[1:]:
        if len(row) != len(head):
            raise ValueError(
                f"line {line}: {len(row)} cells, and the header has {len(head)}; "
                "write one cell for each column"
            )
    return head, [(line, dict(zip(head, row, strict=True))) for line, row in rows[1:]]


def faults(path: Path, complete: bool = True) -> list[str]:
    """Return everything that is wrong with a submission, with the line and how to mend it."""
    try:
        head, rows = read(path)
    except UnicodeDecodeError:
        return [f"{path.name}: this is no text in UTF-8; save it as CSV with that encoding"]
    except OSError as error:
        return [f"{path.name}: not readable ({error.strerror}); correct the path"]
    except (ValueError, csv.Error) as error:
        return [f"{path.name}, {error}"]
    keys, asked = read(HERE / "to_answer.csv")
    wanted, _ = read(HERE / "sample.csv")
    if sorted(head) != sorted(wanted):
        return [
            f"{path.name}, line 1: the columns are {','.join(head)}; "
            f"write {','.join(wanted)}, with commas between"
        ]
    classes = (HERE / "classes.txt").read_text(encoding="utf-8").splitlines()
    answers = [column for column in wanted if column not in keys]
    open_keys = {_key(cells, keys) for _, cells in asked}
    first_line: dict[str, int] = {}
    problems = []
    cells_of_shares = [cells[column] for _, cells in rows for column in answers]
    decimals = max((len(cell.partition(".")[2]) for cell in cells_of_shares), default=0)
    rounding = len(answers) * 0.5 * 10.0**-decimals if decimals >= 2 else 0.0
    for line, cells in rows:
        key, where = _key(cells, keys), f"{path.name}, line {line}"
        if key not in open_keys:
            problems.append(f"{where}: {key} is not in to_answer.csv; correct or remove the line")
        elif key in first_line:
            before = first_line[key]
            problems.append(f"{where}: {key} was answered in line {before}; keep one of the two")
        first_line.setdefault(key, line)
        if answers == ["label"]:
            if cells["label"] not in classes:
                problems.append(
                    f"{where}: the label {cells['label']!r} is unknown; "
                    f"write one of {', '.join(classes)}"
                )
        elif fault := _share_fault([cells[column] for column in answers], rounding):
            problems.append(f"{where}: {fault}")
    lacking = [key for _, cells in asked if (key := _key(cells, keys)) not in first_line]
    if lacking and complete:
        names = "; ".join(lacking[:3]) + (f"; and {len(lacking) - 3} more" if lacking[3:] else "")
        problems.append(f"{path.name}: no answer for {names}; add a line for each")
    return problems


def _key(cells: dict[str, str], keys: list[str]) -> str:
    return ", ".join(f"{column} {cells[column]!r}" for column in keys)


def _share_fault(cells: list[str], rounding: float) -> str:
    for cell in cells:
        try:
            share = float(cell)
        except ValueError:
            return f"{cell!r} is no number; write a share from 0 to 1, with a decimal point"
        if not 0 <= share <= 1:
            return f"{cell} is no share; write a number from 0 to 1"
    total = sum(map(float, cells))
    if abs(total - 1) > max(TOLERANCE, min(rounding, 0.5)):
        return f"the shares sum to {total:.6g} and not to 1; divide each by their sum"
    return ""


def main(arguments: list[str]) -> int:
    """Print the faults of the file; return 0 if there are none."""
    if len(arguments) != 1:
        print("usage: python check.py my_answers.csv")
        return 2
    problems = faults(Path(arguments[0]))
    for problem in problems[:SHOWN]:
        print(problem)
    if problems[SHOWN:]:
        print(f"and {len(problems) - SHOWN} more")
    print("Correct this before you send the file." if problems else "Nothing is wrong.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
