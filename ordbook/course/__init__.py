"""Teaching: checks of answers, sheets of exercises, students' worksheets and slides."""

from ordbook.course.answers import check

__all__ = ["check"]
