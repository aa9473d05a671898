"""Checks of students' results, which name a likely mistake."""

from collections.abc import Mapping


def check(
    name: str,
    answer: object,
    correct: float | set[str],
    mistakes: Mapping[float, str] | None = None,
    *,
    tolerance: float = 0.005,
) -> None:
    """Print a sentence on a result: right, or the likely mistake.

    Parameters
    ----------
    name
        The quantity that was asked for.
    answer
        The student's number, or set of names; ``...`` where there is none yet.
    correct
        The right number or set.
    mistakes
        Wrong number -> a sentence on how people arrive at it.
    tolerance
        Largest difference of two numbers that counts as rounding.

    Examples
    --------
    >>> check("NMD", 0.2, 0.2)
    NMD: right.
    >>> check("NMD", 0.133, 0.2, {0.4 / 3: "Divide by the steps between classes, not by classes."})
    NMD: 0.133 is not right. Divide by the steps between classes, not by classes.
    >>> check("ordinal measures", {"NMD", "JSD"}, {"NMD", "RNOD"})
    ordinal measures: not right. Missing: RNOD. Too many: JSD.
    """
    if answer is ...:
        print(f"{name}: write your result in place of the three dots.")
    elif isinstance(correct, set):
        if not isinstance(answer, set | frozenset | list | tuple):
            print(f'{name}: write the names as a set, such as {{"NMD", "RNOD"}}.')
            return
        missing, surplus = sorted(correct - set(answer)), sorted(set(answer) - correct)
        lacking = f" Missing: {', '.join(missing)}." if missing else ""
        extra = f" Too many: {', '.join(map(str, surplus))}." if surplus else ""
        print(f"{name}: not right.{lacking}{extra}" if missing or surplus else f"{name}: right.")
    elif isinstance(answer, bool) or not isinstance(answer, int | float):
        print(f"{name}: write a number, such as 0.25.")
    elif abs(answer - correct) <= tolerance:
        print(f"{name}: right.")
    else:
        likely = [why for wrong, why in (mistakes or {}).items() if abs(answer - wrong) < tolerance]
        why = likely[0] if likely else f"It is too {'high' if answer > correct else 'low'}."
        print(f"{name}: {answer:g} is not right. {why}")
