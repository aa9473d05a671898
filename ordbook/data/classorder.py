"""What the names of classes say about an order that nobody stated.

What writes columns by name, as pandas, R or a spreadsheet may do, puts them in the order of the
alphabet, and missing answers last.

Contents
--------
NO_ANSWERS      what columns of missing answers are called; is_no_answer
no_answers      which of the classes are called so
why_not_chosen  what speaks against an order
how_it_falls    of an order that may be upside down: by what it falls
"""

import unicodedata
from collections.abc import Sequence
from math import isfinite


def _bare(name: str) -> str:
    """Return a name without capitals and accents."""
    parts = unicodedata.normalize("NFKD", name.casefold())
    return "".join(each for each in parts if not unicodedata.combining(each))


def _letters(name: str) -> str:
    """Return the letters and digits of a name, without capitals and accents."""
    return "".join(filter(str.isalnum, _bare(name)))


NO_ANSWERS = frozenset(
    map(
        _letters,
        (
            *("NA", "n/a", "#N/A", "X.NA.", "nan", "NaT", "null", "blank", "empty", "missing"),
            *("missing value", "not available", "not applicable", "undefined", "unknown", "DK"),
            *("no answer", "no response", "no reply", "not answered", "unanswered", "skipped"),
            *("not known", "not stated", "not specified", "don't know", "do not know", "DK/NA"),
            *("can't say", "cannot say", "can't tell", "cannot tell", "prefer not to say"),
            *("prefer not to answer", "unlabelled", "unlabeled", "not labelled"),
            *("k.A.", "keine Angabe", "keine Angaben", "ohne Angabe", "keine Antwort", "fehlend"),
            *("weiß nicht", "weiss nicht", "unbekannt", "nicht beantwortet", "leer", "#NV"),
            *("sans réponse", "pas de réponse", "non réponse", "ne sait pas", "inconnu", "vide"),
            *("non renseigné", "ne se prononce pas", "NSP", "no sabe", "no contesta", "NS/NC"),
            *("sin respuesta", "desconocido", "no responde", "não sabe", "sem resposta"),
            *("non so", "nessuna risposta", "non risponde", "weet niet", "geen antwoord"),
            *("nie wiem", "brak odpowiedzi", "brak danych", "не знаю", "нет ответа"),
            *("無回答", "未回答", "わからない", "不明", "無記入", "欠損", "該当なし"),
            *("不知道", "无回答", "未作答", "缺失", "未知", "무응답", "모름", "결측"),
        ),
    )
)


def is_no_answer(name: str) -> bool:
    """Whether a name is that of missing answers, with or without brackets, dots and accents.

    Examples
    --------
    >>> is_no_answer("<NA>"), is_no_answer("(blank)"), is_no_answer("No.answer")
    (True, True, True)
    >>> is_no_answer("none"), is_no_answer("no"), is_no_answer("neutral"), is_no_answer("-")
    (False, False, False, False)
    """
    return _letters(name) in NO_ANSWERS


# These may be the lowest class, as in empty, half, full.
_STATES = frozenset(
    (
        *("empty", "unknown", "missing", "blank", "null", "undefined", "unanswered"),
        *("leer", "fehlend", "unbekannt", "vide", "inconnu", "desconocido"),
    )
)


def no_answers(classes: Sequence[str]) -> list[str]:
    """Return the classes that have a name of missing answers; the first may be a state.

    Examples
    --------
    >>> no_answers(["unknown", "possible", "certain"]), no_answers(["low", "high", "unknown"])
    ([], ['unknown'])
    """
    return [
        name
        for place, name in enumerate(classes)
        if is_no_answer(name) and (place or _letters(name) not in _STATES)
    ]


def why_not_chosen(classes: Sequence[str]) -> str:
    """Say why nobody may have chosen this order, or nothing.

    The alphabet is that of characters, or goes without capitals, accents or punctuation. Names of
    missing answers do not count.

    Examples
    --------
    >>> why_not_chosen(["élevé", "faible", "moyen"])
    'in the order of the alphabet'
    >>> why_not_chosen(["1", "10", "2", "<NA>"])
    'whose numbers neither rise nor fall'
    >>> why_not_chosen(["low", "mid", "high"])
    ''
    """
    missing = no_answers(classes)
    answers = [name for name in classes if name not in missing]
    numbers = _numbers(answers)
    if numbers not in (sorted(numbers), sorted(numbers, reverse=True)):
        return "whose numbers neither rise nor fall"
    words = len(numbers) < len(answers)
    return "in the order of the alphabet" if words and _rise(answers) else ""


def how_it_falls(classes: Sequence[str]) -> str:
    """Say how an order falls, or nothing.

    Examples
    --------
    >>> how_it_falls(["3", "2", "1"]), how_it_falls(["neutral", "good", "bad"])
    ('fall', 'fall by the alphabet')
    >>> how_it_falls(["low", "mid", "high"])
    ''
    """
    numbers = _numbers(classes)
    if len(numbers) > 1:
        return "fall" if numbers != sorted(numbers) else ""
    return "fall by the alphabet" if _rise(classes[::-1]) else ""


def _numbers(names: Sequence[str]) -> list[float]:
    """Return those of the names that are numbers."""
    found = []
    for name in names:
        try:
            found.append(float(name))
        except ValueError:
            continue
    return [number for number in found if isfinite(number)]


def _rise(names: Sequence[str]) -> bool:
    """Whether names follow an alphabet; two do in one direction, whatever they are."""
    if len(names) <= 2:
        return False
    for form in (str, str.casefold, _bare, _letters):
        forms = [form(name) for name in names]
        if len(set(forms)) > 1 and forms == sorted(forms):
            return True
    return False
