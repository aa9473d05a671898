"""Trials in ranges: all of them, on the thread that asks, and none after an exception."""

import threading

import pytest

from ordbook.meta import parallel


def test_ranges_make_up_the_trials_and_progress_is_told_here(monkeypatch):
    monkeypatch.setattr(parallel, "CHUNK", 30)
    for threads in (1, 3):
        seen, told = [], []

        def progress(done, total, told=told):
            assert threading.current_thread() is threading.main_thread()
            told.append((done, total))

        for start, stop, result in parallel.in_chunks(
            lambda a, b: list(range(a, b)), 50, 4, threads, progress
        ):
            assert result == list(range(start, stop))
            assert len(result) <= 7
            seen += result
        assert sorted(seen) == list(range(50))
        assert told == sorted(told)
        assert told[-1] == (50, 50)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_exception_stops_the_rest(threads):
    begun = []
    before = threading.active_count()

    def work(start, stop):
        begun.append(start)
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        list(parallel.in_chunks(work, 10**6, 10**6, threads))
    assert len(begun) < 1000  # of 25,000
    assert threading.active_count() == before


def test_progress_of_a_part_is_that_of_the_whole():
    told = []
    parallel.further(lambda *done: told.append(done), 30, 100)(7, 10)
    assert told == [(37, 100)]
    assert parallel.further(None, 30, 100) is None
