"""Tables side by side keep every cell in its row."""

import pandas as pd
import pytest

from ordbook.book.abreast import abreast
from ordbook.book.show import table


def test_rows_are_matched_by_name():
    first = table(pd.DataFrame({"x": [1, 2]}, index=["a", "b"]), "One.", "one")
    second = table(pd.DataFrame({"x": [3, 4]}, index=["c", "a"]), "Two.")
    both = abreast({"I": first, "II": second}, order=["b", "z"])
    assert both.header == ("", "I", "II")
    assert (both.caption, both.name) == ("One.", "one")
    text = [[" ".join(piece for _, piece in cell) for cell in row] for row in both.rows]
    assert text == [["b", "2", ""], ["a", "1", "4"], ["c", "", "3"]]


def test_a_table_of_two_columns_is_refused():
    wide = table(pd.DataFrame({"x": [1], "y": [2]}), "Wide.")
    with pytest.raises(ValueError, match="I: a table with 2 columns cannot stand abreast"):
        abreast({"I": wide})
