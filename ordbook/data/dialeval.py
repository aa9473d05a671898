"""What the name of a DialEval-1 run file says."""

import re
from dataclasses import dataclass

_RUN_FILE = re.compile(
    r"(?:(?P<run>.+)_)?(?P<kind>quality|nugget)(?:_(?P<language>cn|chinese|en|english))?"
    r"(?:_test_submission)?\.json(?:\.gz)?"
)
_LANGUAGES = {"cn": "cn", "chinese": "cn", "en": "en", "english": "en", None: ""}


@dataclass(frozen=True)
class RunFile:
    """What the name of a run file says.

    Attributes
    ----------
    run
        The run's name; empty where only the folder names it.
    kind
        ``quality`` or ``nugget``.
    language
        ``cn`` or ``en``; empty where the name does not say.
    """

    run: str
    kind: str
    language: str


def run_file(name: str) -> RunFile | None:
    """Read the name of a run file; None for a name that is not of that form.

    Examples
    --------
    >>> run_file("run0_quality_chinese_test_submission.json")
    RunFile(run='run0', kind='quality', language='cn')
    >>> run_file("nugget_en.json")
    RunFile(run='', kind='nugget', language='en')
    """
    match = _RUN_FILE.fullmatch(name)
    if match is None:
        return None
    return RunFile(match["run"] or "", match["kind"], _LANGUAGES[match["language"]])
