"""Mutation testing with mutmut: does a test fail when a line of the package is wrong?

``make mutants ARGS=meta`` makes the mutants of a package, tries those not tried yet, and counts
them. All happens in ``_build/mutation/meta``; there, ``mutmut show NAME`` shows a mutant.

What mutmut does otherwise, and why it is changed here:

- it leaves functions with decorators out, which the classification measures are;
- it mutates texts for readers, of which no test knows the wording: ``raise`` statements and
  strings of three words or more are left alone; other strings are changed in one way, not three;
- ``strict=True`` of ``zip``, a guard against what does not occur, is left alone;
- it takes a function's tests to be those that reach it first: here what a shared fixture or a
  cached function calls counts for every test that uses it;
- it waits for tests however long they take; here one that is skipped, or takes more than
  ``BUDGET`` seconds of a processor, is left out;
- it collects the tests anew for each mutant; here they are collected once, and each mutant is
  tried in a fork of that process, with the tests of its own package: first those that found most
  of its function's mutants before, then quick ones;
- it does not try functions that no test calls; some are called when a module is imported, or a
  test is collected: here their mutants are tried in a process of their own, with all tests.

Code outside of functions is not mutated.

Contents
--------
adapt     what is mutated
conduct   how tests are run
draw      a random sample of mutants
choose    which mutants are tried
report    the count, and the survivors that tests/mutants.csv does not explain
"""

import argparse
import csv
import functools
import gc
import os
import random
import re
import resource
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from fnmatch import fnmatch
from itertools import islice
from math import ceil
from pathlib import Path
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
# Survivors that no test can kill, because they do what the original does.
KNOWN = ROOT / "tests" / "mutants.csv"
NEEDED = (
    *("ordbook", "tests", "data", "book", "benchmarks"),
    *("pyproject.toml", "requirements.txt", "_config.yml", "_toc.yml"),
)
# Package -> its tests that stand elsewhere.
TESTS = {
    "measures": [],
    "meta": ["tests/book/test_results.py"],  # of ordbook.meta.standings
    "papers": ["tests/book/test_scoreboard.py"],  # the live ledger is the committed one
}
BUDGET = 30.0  # seconds of tests for one mutant; slower ones are left out
KILLS = "kills.txt"  # a line per mutant found: its function, and the test
ANEW = "all tests, in a process of their own"
MEMORY = 6 * 2**30  # bytes that a mutant may take
# Decorators that call the function they get, and keep no trace of it elsewhere.
PLAIN = {
    *("ClassificationMeasure", "WeightedMeasure"),
    *("cache", "lru_cache", "cached_property", "property"),
}


def forget() -> None:
    """Empty the caches of the package and of the tests."""
    for thing in gc.get_objects():
        if isinstance(thing, functools._lru_cache_wrapper) and str(thing.__module__).startswith(
            ("ordbook", "test")
        ):
            thing.cache_clear()


def prose(node: Any) -> bool:
    """Tell whether an expression is a text for readers: three words or more."""
    import libcst as cst

    if isinstance(node, cst.ConcatenatedString):
        return prose(node.left) or prose(node.right)
    if isinstance(node, cst.FormattedString):
        text = "".join(
            p.value if isinstance(p, cst.FormattedStringText) else "x" for p in node.parts
        )
    elif isinstance(node, cst.SimpleString):
        text = node.value
    else:
        return False
    return len(re.findall(r"\w\W* \W*(?=\w)", text)) >= 2


def adapt(budget: float = BUDGET) -> None:
    """Change mutmut as the module's description says."""
    import libcst as cst
    from mutmut.mutation import file_mutation, mutators

    def plain(function: Any) -> bool:
        found = (item.decorator for item in function.decorators)
        names = [
            getattr(item.func if isinstance(item, cst.Call) else item, "value", "")
            for item in found
        ]
        return bool(names) and set(names) <= PLAIN

    visitor = file_mutation.MutationVisitor
    skips, arranges = visitor._skip_node_and_children, file_mutation.function_trampoline_arrangement

    def skip(self: Any, node: Any) -> bool:
        if isinstance(node, cst.Raise) or strict(node):
            return True
        if isinstance(node, cst.FunctionDef) and plain(node):
            return False
        return bool(skips(self, node))

    def strict(node: Any) -> bool:
        return isinstance(node, cst.Arg) and getattr(node.keyword, "value", "") == "strict"

    def arrange(function: Any, mutants: Any, class_name: str | None) -> Any:
        """Let decorator and docstring stand on the function that chooses, not on its choices."""
        bare = function
        if isinstance(function.body, cst.IndentedBlock) and function.get_docstring() is not None:
            bare = bare.with_changes(body=function.body.with_changes(body=function.body.body[1:]))
        outer = function.decorators if plain(function) else ()
        if outer:
            bare = bare.with_changes(decorators=())
        first, methods, last, names = arranges(bare, mutants, class_name)
        chooser = methods[0].with_changes(
            decorators=[*outer, *methods[0].decorators], body=function.body
        )
        return first, [chooser, *methods[1:]], last, names

    def without_prose(operator: Any) -> Any:
        def quiet(node: Any) -> Iterator[Any]:
            if prose(node) or prose(getattr(node, "value", None)):
                return
            for mutated in islice(
                operator(node), 1 if operator is mutators.operator_string else None
            ):
                kept = {id(item) for item in getattr(mutated, "args", ())}
                lost = (item for item in getattr(node, "args", ()) if id(item) not in kept)
                if not any(prose(item.value) or strict(item) for item in lost):
                    yield mutated

        return quiet

    visitor._skip_node_and_children = skip
    file_mutation.function_trampoline_arrangement = arrange
    wordy = {"operator_string", "operator_arg_removal", "operator_assignment"}
    mutators.mutation_operators[:] = [
        (kind, without_prose(operator) if operator.__name__ in wordy else operator)
        for kind, operator in mutators.mutation_operators
    ]
    conduct(budget)


def conduct(budget: float) -> None:
    """Change how mutmut runs tests: collected once, and a fork for each mutant."""
    import mutmut.__main__ as main
    import pytest
    from _pytest.config import _prepareconfig
    from hypothesis import Phase, settings
    from mutmut.mutation.trampoline import set_mutant_under_test
    from mutmut.runners.harness import PytestRunner
    from mutmut.state import state
    from mutmut.utils.file_utils import change_cwd
    from mutmut.utils.format_utils import mangled_name_from_mutant_name
    from mutmut.workers.isolation import ForkRunner, RunningWorker
    from mutmut.workers.timeout import register_timeout

    settings.register_profile(
        "mutants",
        max_examples=15,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
    )
    settings.load_profile("mutants")

    class Watcher:
        """Notes which functions each test calls, itself, by fixtures and by cached functions."""

        def __init__(self) -> None:
            self.by_fixture: dict[Any, set[str]] = defaultdict(set)
            self.took: dict[Any, float] = defaultdict(float)
            self.left_out: set[str] = set()
            signal.signal(signal.SIGPROF, self.too_long)

        def too_long(self, *signal_and_frame: object) -> None:
            pytest.skip("it takes too long for mutants")

        @pytest.hookimpl(wrapper=True)
        def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Any:
            seen = state()._stats
            before = set(seen)
            seen.clear()
            start = process_time()
            try:
                return (yield)
            finally:
                self.took[fixturedef] = process_time() - start
                self.by_fixture[fixturedef] |= seen
                seen |= before

        def pytest_runtest_logstart(self, nodeid: str, location: Any) -> None:
            forget()
            state().duration_by_test[nodeid] = 0.0
            state()._stats.clear()
            signal.setitimer(signal.ITIMER_PROF, BUDGET)

        def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
            if call.when == "call":
                state().duration_by_test[item.nodeid] += call.duration
            if call.excinfo is not None:  # skipped: a failure ends the run
                self.left_out.add(item.nodeid)

        def pytest_runtest_teardown(self, item: Any, nextitem: Any) -> None:
            signal.setitimer(signal.ITIMER_PROF, 0)
            if item.nodeid in self.left_out:
                return
            fixtures = set(item._request._fixture_defs.values())
            # In a fork of its own it would have to set up all of them.
            state().duration_by_test[item.nodeid] += sum(self.took[each] for each in fixtures)
            used = (self.by_fixture[each] for each in fixtures)
            for function in set(state()._stats).union(*used):
                state().tests_by_mangled_function_name[function].add(item.nodeid)

        def pytest_sessionfinish(self) -> None:
            for test in sorted(self.left_out):
                print(f"left out: {test}", file=sys.__stderr__)

    def run_stats(self: Any, *, tests: Iterable[str]) -> int:
        chosen = list(tests) or self._pytest_add_cli_args_test_selection
        with change_cwd("mutants"):
            return int(self.execute_pytest(["-q", "-x", *chosen], plugins=[Watcher()]))

    class Runner(ForkRunner):
        """Forks from a process that has collected the tests, which saves most of the time."""

        def startup(self) -> None:
            set_mutant_under_test("")
            runner: Any = self.test_runner
            with change_cwd("mutants"):
                chosen = runner._pytest_add_cli_args_test_selection
                options = ["--rootdir=.", "-qqq", "-s", "--tb=no", *runner._pytest_add_cli_args]
                self.options = [*options, *chosen]
                config = _prepareconfig(self.options)
                self.session = pytest.Session.from_config(config)
                config._do_configure()
                config.hook.pytest_sessionstart(session=self.session)
                config.hook.pytest_collection(session=self.session)
            forget()
            super().startup()

        def attempt(self, name: str, tests: Iterable[str]) -> int:
            """Run tests with a mutant until one fails: its module's first, and quick ones first."""
            set_mutant_under_test(name)
            silence = os.open(os.devnull, os.O_WRONLY)
            for stream in (1, 2):
                os.dup2(silence, stream)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            os.chdir("mutants")
            if ANEW in tests:
                found = subprocess.run([sys.executable, "-m", "pytest", "-x", *self.options])
                return int(found.returncode != 0)
            took, wanted = state().duration_by_test, set(tests)
            items = [item for item in self.session.items if item.nodeid in wanted]
            module, function = name.split(".")[2], mangled_name_from_mutant_name(name)
            kills = Path(KILLS)
            kills.touch()
            lines = (line.split("\t") for line in kills.read_text("utf-8").splitlines())
            found = Counter(test for where, test in lines if where == function)
            items.sort(
                key=lambda item: (
                    -found[item.nodeid],
                    module not in item.path.stem,
                    took[item.nodeid],
                )
            )
            start = process_time()
            for item, following in zip(items, [*items[1:], None], strict=True):
                if process_time() - start > budget:
                    break
                # What hangs gets a signal, which counts as a failure.
                limit = ceil(process_time() + 6 * took[item.nodeid] + 6)
                resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if self.session.testsfailed:
                    with kills.open("a", encoding="utf-8") as file:
                        file.write(f"{function}\t{item.nodeid}\n")
                    return 1
            return 0 if items else 33

        def submit(self, mutant_name: str, tests: list[str], cpu: int, expected: float) -> None:
            pid = os.fork()
            if pid == 0:
                code = 35  # suspicious: neither passed nor failed
                try:
                    code = self.attempt(mutant_name, tests)
                finally:
                    os._exit(code)
            limit = 6 * min(expected, budget) + 120
            register_timeout(pid=pid, timeout_s=3600 if ANEW in tests else limit)
            self._running[pid] = RunningWorker(mutant_name, datetime.now(), expected)

        def run_clean_tests(self, tests: Iterable[str]) -> int:
            return 0  # the collection of statistics was such a run

        def run_forced_fail(self) -> int:
            return 1

    def runner(max_workers: int = 1) -> Runner:
        return Runner(max_workers, PytestRunner())

    PytestRunner.run_stats = run_stats
    main.get_mutant_runner = runner


def draw(names: Iterable[str], size: int | None, seed: int) -> set[str]:
    """Return so many names drawn at random: always the same; a larger draw holds a smaller one."""
    shuffled = sorted(names)
    if size is not None:
        random.Random(seed).shuffle(shuffled)
    return set(shuffled[:size])


def choose(patterns: list[str], size: int | None, seed: int, again: bool) -> None:
    """Make mutmut try only the mutants of some names, or a random sample of them.

    Those that tests/mutants.csv explains are not tried, unless again: each takes the whole budget.
    """
    import mutmut.__main__ as main
    from mutmut.state import state
    from mutmut.utils.format_utils import mangled_name_from_mutant_name

    collect = main.collect_source_file_mutation_data

    def collect_chosen(*, mutant_names: Any) -> Any:
        mutants, files = collect(mutant_names=())
        mutants = [each for each in mutants if any(fnmatch(each[1], p) for p in patterns)]
        tests = state().tests_by_mangled_function_name
        for each in mutants:
            if not tests.get(function := mangled_name_from_mutant_name(each[1])):
                tests[function] = {ANEW}
        state().duration_by_test[ANEW] = 10 * BUDGET  # they come last
        kept = draw((name for _, name, _ in mutants), size, seed)
        mutants = [each for each in mutants if each[1] in kept]
        if not again:
            for data, name, code in mutants:
                if code is None and explained(name, data.path):
                    data.exit_code_by_key[name] = 0
                    data.save()
        else:
            for data, name, code in mutants:
                data.exit_code_by_key[name] = None if code in (0, 33) else code
        return [(data, name, data.exit_code_by_key[name]) for data, name, _ in mutants], files

    main.collect_source_file_mutation_data = collect_chosen


def changed(name: str, path: Path) -> tuple[str, str]:
    """Return the lines that a mutant changes, before and after."""
    from mutmut.mutation.diff_apply import get_diff_for_mutant

    lines = get_diff_for_mutant(name, path=path).splitlines()[2:]
    before, after = (
        " ".join(line[1:].strip() for line in lines if line.startswith(sign)) for sign in "-+"
    )
    return before, after


@functools.cache
def known() -> dict[tuple[str, str], set[tuple[str, str]]]:
    """Return tests/mutants.csv: module and function -> lines before and after."""
    found: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    with KNOWN.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found[row["module"], row["function"]].add((row["before"], row["after"]))
    return dict(found)


def explained(name: str, path: Path) -> bool:
    """Tell whether tests/mutants.csv has a mutant."""
    from mutmut.utils.format_utils import orig_function_and_class_names_from_key

    module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    function, owner = orig_function_and_class_names_from_key(name)
    lines = known().get((module, f"{owner}.{function}" if owner else function))
    return lines is not None and changed(name, path) in lines  # most functions have none


def report(patterns: list[str], size: int | None, seed: int) -> None:
    """Print how many mutants there are by package, and the survivors nobody has explained.

    Those of some names, or of a random sample.
    """
    from mutmut.mutation.data import SourceFileMutationData
    from mutmut.stats import status_by_exit_code
    from mutmut.utils.file_utils import walk_mutatable_files
    from scipy.stats import binomtest

    counts: dict[str, Counter[str]] = defaultdict(Counter)
    codes = {}
    for path in sorted(walk_mutatable_files()):
        data = SourceFileMutationData(path=path)
        data.load()
        codes[path] = data.exit_code_by_key
    every = [n for names in codes.values() for n in names if any(fnmatch(n, p) for p in patterns)]
    drawn = draw(every, size, seed)
    for path, found in codes.items():
        for name in sorted(found.keys() & drawn):
            status = status_by_exit_code[found[name]]
            if status in ("survived", "no tests"):
                if explained(name, path):
                    status = "equivalent"
                else:
                    before, after = changed(name, path)
                    print(f"{status}: {name}\n  - {before}\n  + {after}")
            counts[path.parts[1]][status] += 1
    for package, count in counts.items():
        killed = count["killed"] + count["timeout"]
        tried = sum(count.values()) - count["not checked"]
        different = tried - count["equivalent"]
        if different:
            print(f"{package}: {dict(count)}, score {killed / different:.1%}")
        if different and (size is not None or count["not checked"]):
            # Of all mutants, if those tried were drawn at random.
            low, high = binomtest(killed, different).proportion_ci(method="exact")
            of = f"{tried} of {sum(count.values())} tried"
            print(f"{package}: {of}; 95% limits {low:.1%} and {high:.1%}")


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("package", choices=TESTS)
    parser.add_argument("names", nargs="*", default=["*"], help="such as 'ordbook.meta.kendall.*'")
    parser.add_argument("--sample", type=int, help="try so many of them, drawn at random")
    parser.add_argument("--seed", type=int, default=0, help="of the draw")
    parser.add_argument(
        "--budget", type=float, default=BUDGET, help="seconds of tests for one mutant"
    )
    parser.add_argument("--jobs", type=int, default=1, help="mutants tried at once")
    parser.add_argument("--again", action="store_true", help="try again those that survived")
    parser.add_argument("--report", action="store_true", help="count what was tried, try nothing")
    options = parser.parse_args()
    if options.package == "meta":
        os.environ["NUMBA_DISABLE_JIT"] = "1"  # or mutants would be compiled
    os.environ.pop("ORDBOOK_MIRROR", None)
    work = ROOT / "_build" / "mutation" / options.package
    work.mkdir(parents=True, exist_ok=True)
    for name in NEEDED:
        if not (work / name).is_symlink():
            (work / name).symlink_to(ROOT / name)
    os.chdir(work)
    from mutmut.configuration import config

    config().only_mutate = [f"ordbook/{options.package}/*"]
    config().pytest_add_cli_args_test_selection = [
        f"tests/{options.package}",
        f"ordbook/{options.package}",  # doctests
        *TESTS[options.package],
    ]
    adapt(options.budget)
    if not options.report:
        from mutmut.__main__ import _run

        choose(options.names, options.sample, options.seed, options.again)
        _run((), options.jobs)
    report(options.names, options.sample, options.seed)


if __name__ == "__main__":
    main()
