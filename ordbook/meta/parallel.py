"""Trials in ranges, on several threads."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from operator import itemgetter
from typing import TypeVar

from ordbook.meta.validation import whole_number

# Elements that a kernel goes through in about 0.1 seconds, so that Ctrl-C need not wait longer.
CHUNK = 40_000_000

Progress = Callable[[int, int], object]
Result = TypeVar("Result")


def in_chunks(
    work: Callable[[int, int], Result],
    total: int,
    steps: int,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Iterator[tuple[int, int, Result]]:
    """Yield (start, stop, ``work(start, stop)``) for ranges that make up the trials 0 to total - 1.

    A trial goes through so many ``steps``. ``work`` is called on worker threads, unless there is
    but one, and ``progress``, with (trials done, total), on the thread that asks. Results come in
    any order. After an exception, Ctrl-C included, no further range is begun.
    """
    if threads is None:
        threads = processors()
    else:
        whole_number(threads, "threads")
    total = int(total)  # NumPy's numbers without a sign wrap around where they are negated
    # Four ranges a thread, so that none waits long for the last.
    length = max(1, min(CHUNK // max(1, steps), -(-total // (4 * threads))))
    ranges = [(start, min(start + length, total)) for start in range(0, total, length)]
    if threads == 1:
        for start, stop in ranges:
            yield start, stop, work(start, stop)
            if progress is not None:
                progress(stop, total)
        return
    done = 0
    waiting = iter(ranges)
    pending: dict[Future[Result], tuple[int, int]] = {}
    pool = ThreadPoolExecutor(threads)
    try:
        while True:
            for following in islice(waiting, 2 * threads - len(pending)):
                pending[pool.submit(work, *following)] = following
            if not pending:
                return
            # Without a timeout, Windows would not hear Ctrl-C.
            for future in wait(pending, timeout=0.2, return_when=FIRST_COMPLETED).done:
                start, stop = pending.pop(future)
                yield start, stop, future.result()
                done += stop - start
                if progress is not None:
                    progress(done, total)
    finally:
        pool.shutdown(cancel_futures=True)


def in_order(
    work: Callable[[int, int], Result],
    total: int,
    steps: int,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Result]:
    """Return the results of :func:`in_chunks` in the order of their ranges."""
    parts = sorted(in_chunks(work, total, steps, threads, progress), key=itemgetter(0))
    return [result for *_, result in parts]


def further(progress: Progress | None, before: int, total: int) -> Progress | None:
    """Return progress of a part that follows `before` trials of `total`."""
    if progress is None:
        return None
    return lambda done, _: progress(before + done, total)


def processors() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
