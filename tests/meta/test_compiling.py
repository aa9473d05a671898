"""What numba is asked for, and that no result depends on its folder of compiled functions."""

import pytest

from ordbook.meta import compiling


class Folder:
    """Stands for numba's folder of one function: notes what is asked of it, and may be damaged."""

    cache_path = "somewhere"

    def __init__(self, **damage):
        self.damage, self.asked = damage, []

    def load_overload(self, *what):
        self.answer("load", what)
        return "machine code"

    def save_overload(self, *what):
        self.answer("save", what)

    def flush(self):
        self.answer("flush", ())

    def answer(self, request, what):
        self.asked.append((request, *what))
        if request in self.damage:
            raise self.damage[request]


@pytest.fixture
def compiled(monkeypatch):
    """Compile a function that returns 7, with a numba that has this folder, or none."""

    def compile_with(folder, **options):
        def njit(**asked):
            if asked.get("cache") and folder is None:
                raise RuntimeError("cannot cache function: no locator available")

            def decorate(function):
                function.asked, function._cache = asked, folder
                return function

            return decorate

        monkeypatch.setattr(compiling, "njit", njit)
        return compiling.compiled(lambda: 7, **options)

    return compile_with


def test_what_was_compiled_is_kept_for_the_next_time(compiled):
    folder = Folder()
    made = compiled(folder, fastmath=True)
    assert made() == 7
    assert made.asked == {"cache": True, "nogil": True, "fastmath": True}
    assert made._cache.load_overload("signature", "target") == "machine code"
    made._cache.save_overload("signature", "code")
    assert folder.asked == [("load", "signature", "target"), ("save", "signature", "code")]
    assert made._cache.cache_path == "somewhere"
    with pytest.raises(AttributeError, match="no_such_thing"):
        _ = made._cache.no_such_thing


def test_without_a_folder_it_is_compiled_each_time(compiled):
    made = compiled(None, fastmath=True)
    assert made() == 7
    assert made.asked == {"nogil": True, "fastmath": True}


def test_what_cannot_be_read_is_thrown_away_and_compiled_again(compiled):
    folder = Folder(load=EOFError("half a file"))
    assert compiled(folder)._cache.load_overload("signature") is None
    assert folder.asked == [("load", "signature"), ("flush",)]


def test_a_folder_that_may_not_be_written_changes_nothing(compiled):
    full = OSError("no space left on device")
    folder = Folder(load=full, flush=full, save=full)
    kept = compiled(folder)._cache
    assert kept.load_overload("signature") is None
    assert kept.save_overload("signature", "code") is None
    assert [request[0] for request in folder.asked] == ["load", "flush", "save"]


def test_without_the_compiler_it_is_the_function_itself(monkeypatch):
    monkeypatch.setattr(compiling, "njit", lambda **options: lambda function: function)
    assert compiling.compiled(len) is len
