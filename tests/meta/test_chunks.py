"""Trials in ranges: all of them, on the thread that asks, and none after an exception."""

import threading

import pytest

from ordbook.meta import chunks


def test_ranges_make_up_the_trials_and_progress_is_told_here(monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK", 30)
    for threads in (1, 3):
        seen, told = [], []

        def progress(done, total, told=told):
            assert threading.current_thread() is threading.main_thread()
            told.append((done, total))

        for start, stop, result in chunks.in_chunks(
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
        list(chunks.in_chunks(work, 10**6, 10**6, threads))
    assert len(begun) < 1000  # of 25,000
    assert threading.active_count() == before


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", True])
def test_threads_are_a_whole_number(threads):
    with pytest.raises(ValueError, match="threads must be a whole number from 1"):
        list(chunks.in_chunks(lambda a, b: None, 1, 1, threads))


def test_progress_of_a_part_is_that_of_the_whole():
    told = []
    chunks.further(lambda *done: told.append(done), 30, 100)(7, 10)
    assert told == [(37, 100)]
    assert chunks.further(None, 30, 100) is None


def test_processors_are_those_of_this_process(monkeypatch):
    monkeypatch.setattr(chunks.os, "sched_getaffinity", lambda pid: {0, 3, 5}, raising=False)
    assert chunks.processors() == 3
    monkeypatch.delattr(chunks.os, "sched_getaffinity")
    for count, expected in ((8, 8), (None, 1)):
        monkeypatch.setattr(chunks.os, "cpu_count", lambda count=count: count)
        assert chunks.processors() == expected


@pytest.mark.parametrize(("threads", "ranges"), [(1, 4), (2, 8), (None, 12)])
def test_every_thread_has_four_ranges(threads, ranges, monkeypatch):
    monkeypatch.setattr(chunks, "processors", lambda: 3)
    found = list(chunks.in_chunks(lambda a, b: None, 96, 1, threads))
    assert len(found) == ranges
    assert {stop - start for start, stop, _ in found} == {96 // ranges}
    found = list(chunks.in_chunks(lambda a, b: None, 97, 1, threads))
    assert {stop - start for start, stop, _ in found if stop < 97} == {96 // ranges + 1}
