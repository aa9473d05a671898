"""Text that came from a file, made safe for the format it is written into."""

import re

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
# What Markdown interprets within a line, or at its beginning.
_SPECIAL = re.compile(r"[\\`*\[\]<>~|$]|&(?=[#\w])|(?<![^\W_])_|_(?![^\W_])|^[-+=#](?!\d)")
# Before these a number would begin a list.
_NUMBERED = re.compile(r"^(\d+)([.)])(?= |$)")
_INTERVAL = re.compile(r"\[-?\d+\.\d+, -?\d+\.\d+\]")
# A bracket or an asterisk after the end of a row would be taken for an option of that end.
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "`": r"\textasciigrave{}",
        "'": r"\textquotesingle{}",
        '"': r"\char34{}",
        "[": "{[}",
        "]": "{]}",
        "*": "{*}",
        **{character: f"\\{character}" for character in "&%$#_{}"},
    }
)
# LaTeX would make one character of two of these.
_JOINED = re.compile(r"(?<=-)(?=-)|(?<=,)(?=,)")


def escape_markdown(text: object) -> str:
    r"""Return text that MyST shows as it is.

    Examples
    --------
    >>> print(escape_markdown("a_b <i>{{x}}</i>\n# y"))
    a\_b \<i\>\{\{x\}\}\<\/i\> \# y
    """
    return _PUNCTUATION.sub(r"\\\1", " ".join(str(text).split()))


def escape_cell(text: object) -> str:
    r"""Escape Markdown for a table's cell or a list's item, without needless backslashes.

    Examples
    --------
    >>> print(escape_cell("[0.25, 0.5]"), escape_cell("a_b (p = 0.048); 95% of NRU-HSE"))
    [0.25, 0.5] a_b (p = 0.048); 95% of NRU-HSE
    >>> print(escape_cell("runs/team-A.v2.csv: the organisers' file."))
    runs/team-A.v2.csv: the organisers' file.
    >>> print(escape_cell("0.0133"), escape_cell("1. in results/, with =, + or -"))
    0.0133 1\. in results/, with =, + or -
    """
    if _INTERVAL.fullmatch(str(text)):
        return str(text)
    line = " ".join(str(text).split())
    return _NUMBERED.sub(r"\1\\\2", _SPECIAL.sub(r"\\\g<0>", line))


def escape_latex(text: object) -> str:
    r"""Return text that LaTeX shows as it is; letters beyond Latin ones need XeLaTeX or LuaLaTeX.

    Examples
    --------
    >>> print(escape_latex(r"a_b & 50% of \x{y}" + "\n#1--2"))
    a\_b \& 50\% of \textbackslash{}x\{y\} \#1-{}-2
    """
    return _JOINED.sub("{}", " ".join(str(text).split()).translate(_LATEX))


def escape_figure(text: object) -> str:
    r"""Return text that matplotlib shows as it is.

    Dollar signs would begin a formula, and a legend leaves out what begins with an underscore: a
    space goes before it. Where a class or a run is named ``$\frac$``, drawing would fail.

    Examples
    --------
    >>> escape_figure("$x$"), escape_figure("_a")
    ('\\$x\\$', ' _a')
    """
    text = str(text).replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text
