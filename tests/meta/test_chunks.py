"""Trials in ranges: all of them, on the thread that asks, and none after an exception."""

import threading
from concurrent.futures import ThreadPoolExecutor, wait
from time import sleep

import numpy as np
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


def test_one_thread_is_the_one_that_asks_and_more_are_workers():
    def work(start, stop):
        sleep(0.02)  # or one worker could do it all
        return threading.get_ident()

    here = threading.get_ident()
    found = {thread for *_, thread in chunks.in_chunks(work, 8, 1, 1)}
    assert found == {here}
    found = {thread for *_, thread in chunks.in_chunks(work, 12, 1, 3)}
    assert here not in found
    assert len(found) <= 3


def test_ranges_that_wait_are_not_begun_after_an_exception(monkeypatch):
    """Of eight ranges four are handed to two threads; the fourth waits when the first fails."""
    begun, over = [], threading.Event()

    class Pool(ThreadPoolExecutor):
        def shutdown(self, **options):
            super().shutdown(wait=False, **options)
            over.set()
            super().shutdown()

    def work(start, stop):
        begun.append(start)
        if start == 0:
            raise RuntimeError("no")
        over.wait(10)

    monkeypatch.setattr(chunks, "ThreadPoolExecutor", Pool)
    with pytest.raises(RuntimeError, match="no"):
        list(chunks.in_chunks(work, 8, 1, 2))
    assert over.is_set()
    assert sorted(begun) in ([0, 1], [0, 1, 2])


@pytest.mark.parametrize("steps", [0, 1, 3])
def test_a_range_goes_through_no_more_elements_than_it_may(steps, monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK", 10)
    found = [stop - start for start, stop, _ in chunks.in_chunks(lambda a, b: None, 60, steps, 1)]
    assert found == ([3] * 20 if steps == 3 else [10] * 6)


def test_workers_are_never_more_than_two_ranges_each_ahead(monkeypatch):
    """Results that nobody took yet must not pile up, however many ranges there are."""
    handed, ahead, allowed = [], [], threading.Semaphore(1)

    class Pool(ThreadPoolExecutor):
        def submit(self, *call):
            handed.append(call)
            return super().submit(*call)

    def work(start, stop):
        return allowed.acquire(timeout=10)  # one after the other

    monkeypatch.setattr(chunks, "ThreadPoolExecutor", Pool)
    monkeypatch.setattr(chunks, "CHUNK", 1)
    for taken, (_, _, done) in enumerate(chunks.in_chunks(work, 20, 1, 2)):
        assert done
        ahead.append(len(handed) - taken)
        allowed.release()
    assert ahead == [4] * 17 + [3, 2, 1]


def test_the_thread_that_asks_never_waits_long_at_once(monkeypatch):
    """Without an end to its waiting, Windows would not hear Ctrl-C."""
    waited = []

    def waiting(pending, timeout=None, **options):
        waited.append(timeout)
        return wait(pending, timeout=timeout, **options)

    monkeypatch.setattr(chunks, "wait", waiting)
    assert len(list(chunks.in_chunks(lambda a, b: None, 16, 1, 2))) == 8
    assert waited
    assert all(timeout is not None and 0 < timeout <= 0.5 for timeout in waited)


@pytest.mark.filterwarnings("error")
def test_numbers_without_a_sign_are_numbers():
    ranges = [list(chunks.in_chunks(range, n, 10**6, 1)) for n in (200, np.uint8(200))]
    assert ranges[0] == ranges[1]
    assert len(ranges[0]) > 1
