"""The explorers: their numbers are Python's; they can be dragged, typed, linked, read aloud."""

import json
import re
import shutil
import subprocess
from dataclasses import replace
from urllib.parse import parse_qs

import numpy as np
import pytest

import ordbook as ob
from browsing import open_browser
from cases import case
from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.measures.components import dw, md, od
from ordbook.meta.variances import slack
from ordbook.pages import explorer
from ordbook.pages.chromium import find_chromium, served

# Both compute in doubles, in the same order but for sums that numpy may take in another one.
TOLERANCE = 1e-12
# The pages of the book, and what makes each.
PAGES = {"explorer": "distributions", "explorer_labels": "labels", "explorer_luck": "luck"}
PRESETS = {
    name: {preset["id"]: preset for preset in explorer.presets(kind)}
    for name, kind in PAGES.items()
}
PAIRS, MATRICES = PRESETS["explorer"], PRESETS["explorer_labels"]
CHAPTERS = ["measures", "lq21", "dnkt", "acl21", "choosing", "topics"]


def browsing(test):
    """Mark what opens a page, which people do not wait for."""
    return pytest.mark.slow(pytest.mark.browser(test))


def of_pair(gold, estimate):
    return {name: m.function(gold, estimate) for name, m in QUANTIFICATION.items()}


def of_matrix(counts):
    return {name: m.function.from_confusion(counts) for name, m in CLASSIFICATION.items()}


def sampled(scores, topics):
    """The scores on some topics only."""
    names = tuple(scores.topics[t] for t in topics)
    return replace(scores, topics=names, values=scores.values[:, list(topics)])


def of_samples(scores, order, size):
    """By measure: tau of the two samples, tau of the first and all topics, significant pairs."""
    both = [sampled(scores, order[start : start + size]) for start in (0, len(order) // 2)]
    tests = [ob.parametric_tukey_hsd(sample) for sample in both]
    found = {}
    for k, name in enumerate(scores.measures):
        a, b, every = (each.values[k].mean(axis=0) for each in (*both, scores))
        equal = float(slack(scores.values)[k])
        taus = [ob.kendall_tau(a, other, tolerance=equal) for other in (b, every)]
        found[name] = (*taus, [int((t.pairs(name)["p"] < 0.05).sum()) for t in tests])
    return found


def expected(preset, tab=None):
    """The scores that a page shows; `tab` tells the topics of a draw."""
    if "gold" in preset:
        return of_pair(preset["gold"], preset["estimate"])
    if "counts" in preset:
        return of_matrix(preset["counts"])
    order = [*range(0, 100, 2), *range(1, 100, 2)]
    if preset["draw"] > 1:
        order = tab.evaluate("k => ordbookSamples.shuffled(k, 100)", preset["draw"])
    scores = explorer._scores(preset["task"])
    return {name: one[0] for name, one in of_samples(scores, order, preset["topics"]).items()}


@pytest.fixture(scope="module")
def computed(root):
    """What a function of the scripts gives for some data: in Node.js, or else in Chromium."""
    names = ("library", "measures", "confusion", "samples")
    folder = root / "book" / "_static" / "explorer"
    scripts = "\n".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in names)

    def by_node(function, data):
        program = f"globalThis.window = globalThis;\n{scripts}\n" + (
            f"const data = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n"
            f"process.stdout.write(JSON.stringify(({function})(data)));"
        )
        given = json.dumps(data)
        done = subprocess.run(
            ["node", "-e", program], input=given, capture_output=True, text=True, check=True
        )
        return json.loads(done.stdout)

    if shutil.which("node"):
        yield by_node
        return
    pytest.importorskip("playwright.sync_api")
    with open_browser(find_chromium()) as browser:
        tab = browser.new_page()
        tab.add_script_tag(content=scripts)
        yield lambda function, data: tab.evaluate(
            f"text => ({function})(JSON.parse(text))", json.dumps(data)
        )


@pytest.fixture(scope="module")
def pages(root, build_book, tmp_path_factory):
    """The pages built as the book builds them, among empty chapters that they refer to."""
    source, output = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("built")
    shutil.copytree(root / "book" / "_static", source / "book" / "_static")
    for name in ("_config.yml", "book/references.bib", "book/references.md"):
        shutil.copy(root / name, source / name)
    for name in PAGES:
        shutil.copy(root / "book" / f"{name}.md", source / "book" / f"{name}.md")
    for name in CHAPTERS:
        (source / "book" / f"{name}.md").write_text(f"({name})=\n# The chapter {name}\n")
    others = [*PAGES, *CHAPTERS, "references"][1:]
    files = "".join(f"  - file: book/{name}\n" for name in others)
    (source / "_toc.yml").write_text(f"format: jb-book\nroot: book/explorer\nchapters:\n{files}")
    result = build_book(source, output)
    assert result.returncode == 0, result.stdout[-3000:]
    return output / "_build" / "html" / "book"


@pytest.fixture
def visit(browser, pages):
    """Open a page, read from a file, and fail at the end if it complained."""
    contexts, complaints = [], []

    def start(fragment="", page="explorer", width=1440, theme="light", **options):
        size = {"width": width, "height": 900}
        context = browser.new_context(viewport=size, color_scheme=theme, **options)
        contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on(
            "request",
            lambda r: complaints.append(r.url) if r.url.startswith("http") else None,
        )
        tab.goto(f"{(pages / f'{page}.html').as_uri()}{fragment}")
        return tab

    yield start
    for context in contexts:
        context.close()
    assert not complaints


PHONE = {"width": 390, "has_touch": True, "is_mobile": True}


def shown(tab):
    """The scores on the page, with all their digits."""
    rows = tab.eval_on_selector_all(
        "tr[data-measure]",
        "rows => rows.map(r => [r.dataset.measure, r.querySelector('.ox-score').dataset.value])",
    )
    return {name: float(value) for name, value in rows}


def changes(tab):
    rows = tab.eval_on_selector_all(
        "tr[data-measure]",
        "rows => rows.map(r => [r.dataset.measure, "
        "r.querySelector('.ox-change').dataset.change || ''])",
    )
    return dict(rows)


def settled(tab):
    """The fields of the address, once it has settled."""
    before = None
    while before != tab.url:
        before = tab.url
        tab.wait_for_timeout(650)
    return parse_qs(tab.url.split("#")[1])


def linked(tab):
    fields = settled(tab)
    return tuple([float(x) for x in fields[side][0].split(",")] for side in ("gold", "estimate"))


def touching(tab):
    """A finger: what it does to the page is what Chromium makes of it, scrolling included."""
    device = tab.context.new_cdp_session(tab)

    def touch(kind, *points):
        sent = [{"x": x, "y": y} for x, y in points]
        device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": sent})

    def swipe(start, end):
        touch("touchStart", start)
        for part in np.linspace(0, 1, 12)[1:]:
            touch("touchMove", tuple(a + part * (b - a) for a, b in zip(start, end, strict=True)))
            tab.wait_for_timeout(20)
        touch("touchEnd")
        tab.wait_for_timeout(300)

    return swipe


def assert_scores(tab, scores):
    found = shown(tab)
    assert set(found) == set(scores)
    assert {n for n in found if abs(found[n] - scores[n]) > TOLERANCE} == set()


def bar(tab, side, number):
    return tab.locator(f".ox-bars-{side} .ox-slider").nth(number - 1)


def value(tab, side, number):
    return float(bar(tab, side, number).get_attribute("aria-valuenow"))


def height_at(tab, side, number, wanted):
    """Where on the page the end of a bar stands that has this probability."""
    bar(tab, side, number).scroll_into_view_if_needed()
    return tab.evaluate(
        """([side, k, wanted]) => {
          const svg = document.querySelector(`.ox-bars-${side}`);
          const lines = [...svg.querySelectorAll(".ox-grid")].map(l => l.getBoundingClientRect());
          const hit = svg.querySelectorAll(".ox-hit")[k].getBoundingClientRect();
          const [zero, one] = [lines[0].y, lines[2].y];
          return [hit.x + hit.width / 2, zero + wanted * (one - zero)];
        }""",
        [side, number - 1, wanted],
    )


def cell(tab, gold, said):
    return tab.get_by_label(f"gold {gold}, says {said}", exact=True)


def counts(tab):
    rows = tab.locator(".ox-matrix tbody tr:has(input)").all()
    return [[int(x.input_value()) for x in row.locator("input").all()] for row in rows]


# The numbers


def random_pairs(n, seed=0):
    """Pairs of 3 to 9 classes: smooth, with zeros, of one class, equal, with ties and near ties."""
    rng = np.random.default_rng(seed)

    def sparse(size):
        kept = rng.random(size) < 0.5
        kept[rng.integers(size)] = True
        values = rng.dirichlet(np.ones(size)) * kept
        return values / values.sum()

    def votes(size):
        return rng.multinomial(10, np.ones(size) / size) / 10

    def nearly_tied(size):
        values = votes(size) + rng.choice([0, 3e-13, 3e-12], size)
        return values / values.sum()

    kinds = [
        lambda size: rng.dirichlet(np.ones(size)),
        lambda size: np.eye(size)[rng.integers(size)],
        lambda size: np.ones(size) / size,
        *(sparse, votes, nearly_tied),
    ]
    for _ in range(n):
        size = int(rng.integers(3, 10))
        gold = kinds[rng.integers(len(kinds))](size)
        equal = rng.random() < 0.1
        yield gold, gold.copy() if equal else kinds[rng.integers(len(kinds))](size)


def random_matrices(n, seed=0):
    """Matrices of 2 to 7 classes: with few and many items, empty classes, constant runs."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        size = int(rng.integers(2, 8))
        matrix = rng.poisson(rng.choice([0.2, 2, 30]), (size, size))
        for part in (matrix, matrix.T):
            if rng.random() < 0.3:
                part[rng.integers(size)] = 0
        if rng.random() < 0.1:
            matrix[:] = 0
        if not matrix.sum():
            matrix[rng.integers(size), rng.integers(size)] = 5
        yield matrix


def assert_equal_scores(given, found, of, known):
    worst = dict.fromkeys(known, 0.0)
    for one, theirs in zip(given, found, strict=True):
        assert list(theirs) == list(known), "the order of the registry"
        for name, score in of(one).items():
            worst[name] = max(worst[name], abs(theirs[name] - score))
    assert {name: d for name, d in worst.items() if not d <= TOLERANCE} == {}


def test_a_thousand_pairs_score_as_in_python(computed):
    pairs = list(random_pairs(1000))
    data = [[g.tolist(), p.tolist()] for g, p in pairs]
    found, parts = (
        computed(f"pairs => pairs.map(([g, p]) => ordbookMeasures.{name}(g, p))", data)
        for name in ("all", "parts")
    )
    assert_equal_scores(pairs, found, lambda pair: of_pair(*pair), QUANTIFICATION)
    # What the pictures draw.
    for (gold, estimate), drawn in zip(pairs, parts, strict=True):
        np.testing.assert_allclose(drawn["dw"], dw(gold, estimate), atol=TOLERANCE, rtol=0)
        assert drawn["od"] == pytest.approx(od(gold, estimate), abs=TOLERANCE)
        assert sum(drawn["differences"]) == pytest.approx(md(gold, estimate), abs=TOLERANCE)
        assert np.flatnonzero(drawn["supported"]).tolist() == np.flatnonzero(gold > 1e-12).tolist()
    assert sum(np.array_equal(g, p) for g, p in pairs) > 50
    assert {len(g) for g, _ in pairs} == set(range(3, 10))


def test_a_thousand_matrices_score_as_in_python(computed):
    matrices = list(random_matrices(1000))
    found, parts = (
        computed(f"all => all.map(ordbookConfusion.{name})", [m.tolist() for m in matrices])
        for name in ("all", "parts")
    )
    assert_equal_scores(matrices, found, of_matrix, CLASSIFICATION)
    for matrix, drawn in zip(matrices, parts, strict=True):
        off = np.abs(np.subtract.outer(*[np.arange(len(matrix))] * 2))
        chance = np.outer(matrix.sum(axis=1), matrix.sum(axis=0)) / matrix.sum()
        for name, counted in (("off", matrix), ("offByChance", chance)):
            sums = [counted[off == d].sum() for d in range(len(matrix))]
            np.testing.assert_allclose(drawn[name], sums, atol=1e-9)
    assert sum((m.sum(axis=0) > 0).sum() == 1 for m in matrices) > 30, "constant runs"
    assert sum((m.sum(axis=1) == 0).any() for m in matrices) > 100, "empty classes"


SAMPLE = """({packed, order, size, critical, runs}) => {
  const s = ordbookSamples;
  return packed.measures.map(({measure, scores}) => {
    const values = s.decode(scores);
    const all = s.whole(values, runs, {...critical, 100: critical[size]});
    const one = s.draw(values, runs, all, order, [size], critical)[size];
    return [measure, [one.tau, one.tauAll[0], one.pairs]];
  });
}"""


def test_samples_of_topics_rank_and_differ_as_in_python(computed):
    rng = np.random.default_rng(0)
    for task in explorer.TASKS:
        scores = explorer._scores(task)
        for size, digits in ((5, 15), (20, 1), (50, 15)):  # one digit makes ties
            with case(task, size):
                rounded = replace(scores, values=scores.values.round(digits))
                order = rng.permutation(100).tolist()
                data = {
                    "packed": explorer._packed(rounded),
                    "order": order,
                    "size": size,
                    "critical": explorer.critical(12, [size]),
                    "runs": 12,
                }
                found = {name: tuple(one) for name, one in computed(SAMPLE, data)}
                for name, one in of_samples(rounded, order, size).items():
                    assert found[name][:2] == pytest.approx(one[:2], abs=TOLERANCE)
                    assert found[name][2] == one[2]


def test_many_draws_are_as_consistent_as_in_python(computed):
    scores = explorer._scores("sem16t4e")
    data = {"packed": explorer._packed(scores), "draws": 400}
    taus = computed(
        """({packed, draws}) => packed.measures.map(({scores}) => {
          const s = ordbookSamples;
          const values = s.decode(scores);
          const all = s.whole(values, 12, {100: 1});
          return Array.from({length: draws}, (_, k) => {
            const order = s.shuffled(k + 2, 100);
            if (new Set(order).size !== 100) throw new Error("not all topics");
            return s.draw(values, 12, all, order, [20], {20: 1})[20].tau;
          });
        })""",
        data,
    )
    theirs = ob.ranking_consistency(scores, 20, splits=400)
    for name, ours in zip(scores.measures, taus, strict=True):
        error = (np.var(ours) / 400 + theirs.tau[name].var() / 400) ** 0.5
        assert abs(np.mean(ours) - theirs.mean[name]) < 5 * error
        assert np.std(ours) == pytest.approx(theirs.tau[name].std(), rel=0.25)


def test_numbers_for_the_eye_are_rounded_alike_and_half_up(computed):
    halves = [(2 * k + 1) / 2000 for k in range(1000)]
    for noise in (0, 1e-15, -1e-15):
        numbers = [x + noise for x in halves]
        found = computed("xs => xs.map(x => ordbookExplorer.show(x))", numbers)
        assert [f"{round(1000 * float(x))}" for x in found] == [f"{k + 1}" for k in range(1000)]
    both = "xs => xs.map(x => [ordbookExplorer.show(x, 4), ordbookExplorer.fixed(x, 4)])"
    assert computed(both, [0.1 + 0.1 + 0.1 - 0.05005, 0.23745, -1e-9]) == [
        ["0.25", "0.2500"],
        ["0.2375", "0.2375"],
        ["0", "0.0000"],
    ]


# What the presets and the prose say


def test_presets_have_the_numbers_that_the_papers_print():
    def pair(name):
        return PAIRS[name]["gold"], PAIRS[name]["estimate"]

    np.testing.assert_allclose(dw(*pair("lq21-a")), [0.03, 0.01, 0.01, 0.03], atol=1e-9)
    np.testing.assert_allclose(dw(*pair("lq21-b")), [0.05, 0.03, 0.01, 0.01], atol=1e-9)
    assert [od(*pair(f"lq21-{run}")) for run in "ab"] == pytest.approx([0.020, 0.025])
    printed = {"sigir18-x": (0.0390, 0.1414), "sigir18-y": (0.0490, 0.1732)}
    for name, both in printed.items():
        assert (round(ob.jsd(*pair(name)), 4), round(ob.rnss(*pair(name)), 4)) == both
        assert ob.measures.vd(*pair(name)) == pytest.approx(0.4)
    deltas = {"181": (-0.150, 0.115), "18": (0, 0.263)}
    for dialogue, expected_deltas in deltas.items():
        for measure, delta in zip((ob.nmd, ob.rnod), expected_deltas, strict=True):
            first, second = (
                measure(*pair(f"lq21-{dialogue}-{run}")) for run in ("popularity", "uniform")
            )
            assert round(first - second, 3) == pytest.approx(delta, abs=1e-9)


def test_presets_are_what_a_page_can_start_from():
    for page, known in PRESETS.items():
        assert len(known) == len(explorer.presets(PAGES[page])), "no name twice"
        assert explorer.START[PAGES[page]] in known
        for preset in known.values():
            with case(preset):
                assert preset["about"].endswith(".")
                if page == "explorer":
                    assert 3 <= len(preset["gold"]) == len(preset["estimate"]) <= 9
                    sums = [sum(preset[side]) for side in ("gold", "estimate")]
                    assert sums == pytest.approx([1, 1], abs=1e-12)
                elif page == "explorer_labels":
                    assert 2 <= len(preset["counts"]) == len(preset["counts"][0]) <= 7
                else:
                    assert preset["measure"] in explorer.TASKS[preset["task"]][1]
                    assert preset["topics"] in explorer.SIZES


def compared(known, first, second):
    """What becomes of each measure from the first preset to the second."""
    before, after = (expected(known[name]) for name in (first, second))
    low = {n for n, m in {**QUANTIFICATION, **CLASSIFICATION}.items() if m.better == "low"}
    steps = {n: (after[n] - before[n]) * (1 if n in low else -1) for n in before}
    return {
        n: "same" if abs(d) <= 1e-12 else "worse" if d > 0 else "better" for n, d in steps.items()
    }


def named(words, word):
    return {name for name, said in words.items() if said == word}


def test_the_experiments_with_distributions_show_what_the_page_says():
    ordinal = {n for n, m in QUANTIFICATION.items() if m.ordinal}
    far = compared(PAIRS, "sigir18-c", "sigir18-d")
    assert (named(far, "worse"), named(far, "same")) == (ordinal, set(QUANTIFICATION) - ordinal)
    end = compared(PAIRS, "lq21-a", "lq21-b")
    assert (end["NMD"], end["RNOD"]) == ("same", "worse")
    a, b = (dw(PAIRS[name]["gold"], PAIRS[name]["estimate"]) for name in ("lq21-a", "lq21-b"))
    assert np.sign((b - a).round(12)).tolist() == [1, 1, 0, -1]
    baselines = compared(PAIRS, "lq21-181-popularity", "lq21-181-uniform")
    popular = {"NMD", "DNKT", "DNKT_JSD", "DNKT_NMD", "DNKT_RNOD"}
    assert named(baselines, "worse") == popular
    assert named(baselines, "better") == set(QUANTIFICATION) - popular
    assert len(QUANTIFICATION) - len(popular) == 8
    pair = PAIRS["asymmetry"]
    there, back = expected(pair), of_pair(pair["estimate"], pair["gold"])
    assert there["NMD"] == pytest.approx(back["NMD"], abs=1e-12)
    assert abs(there["RNOD"] - back["RNOD"]) > 0.01
    pair = PAIRS["dnkt-priorities"]
    kept = expected(pair)
    assert {n for n in kept if kept[n] == 0} == {"DNKT", "DNKT_JSD", "DNKT_NMD", "DNKT_RNOD"}
    # The first bar pulled just below the second, the others in proportion.
    pulled = [0.29, *(np.array(pair["estimate"][1:]) * 0.71 / 0.69)]
    assert pulled[0] < pulled[1]
    assert ob.dnkt(pair["gold"], pulled) > 0
    farther = compared(PAIRS, "farther-2", "farther-3")
    assert (farther["NMD"], farther["RNOD"]) == ("worse", "better")
    assert ob.nmd(*(PAIRS["farther-3"][side] for side in ("gold", "estimate"))) == pytest.approx(
        2 * ob.nmd(*(PAIRS["farther-2"][side] for side in ("gold", "estimate")))
    )
    assert expected(PAIRS["above-one"])["RNOD"] > 1


def test_the_experiments_with_labels_show_what_the_page_says():
    nominal = {n for n, m in CLASSIFICATION.items() if not m.ordinal}
    far = compared(MATRICES, "near", "far")
    assert (named(far, "same"), named(far, "worse")) == (nominal, set(CLASSIFICATION) - nominal)
    constant = [expected(MATRICES[f"always-{k}"]) for k in (1, 2, 3)]
    assert [one["kappa"] for one in constant] == [0, 0, 0]
    assert len({round(one["alpha_ord"], 9) for one in constant}) == 3
    first, middle, last = (one["MAE_M"] for one in constant)
    assert middle < first == last
    reads = compared(MATRICES, "majority", "reader")
    assert named(reads, "worse") == {"accuracy", "MAE_mu"}
    assert len(named(reads, "better")) == 7
    empty = np.array(MATRICES["empty"]["counts"])
    assert empty[2].sum() == 0 < empty[:, 2].sum()
    there, back = of_matrix(empty), of_matrix(empty.T)
    same = {name for name in there if abs(there[name] - back[name]) <= 1e-12}
    assert same == {name for name, m in CLASSIFICATION.items() if m.symmetric}
    right, wrong = (expected(MATRICES[name]) for name in ("single", "single-wrong"))
    chance_corrected = ("kappa", "alpha_ord", "alpha_int")
    assert [right[n] for n in chance_corrected] == [1, 1, 1]
    assert [wrong[n] for n in chance_corrected] == pytest.approx([0, -0.9, -0.9])


def test_the_experiments_with_luck_show_what_the_page_says():
    firsts = {}
    for task in explorer.TASKS:
        scores = explorer._scores(task)
        means = {n: ob.ranking_consistency(scores, n, splits=100).mean for n in (10, 50)}
        firsts[task] = means
    runs, labels = firsts["sem16t4e"], firsts["sem16t4c"]
    assert all(runs[n]["NMD"] < runs[n]["RNOD"] for n in runs)
    assert labels[10]["kappa"] > labels[50]["accuracy"]
    # The first place by RNOD hardly ever changes hands with fifty topics.
    scores = explorer._scores("sem16t4e")["RNOD"].to_numpy()
    rng = np.random.default_rng(0)
    best = [scores[rng.permutation(100)[:50]].mean(axis=0).argmin() for _ in range(200)]
    assert np.mean(np.array(best) == scores.mean(axis=0).argmin()) > 0.95


def test_every_word_of_the_experiments_leads_to_a_preset_and_every_measure_to_its_section(root):
    chapter = (root / "book" / "measures.ipynb").read_text(encoding="utf-8")
    for page, kind in PAGES.items():
        text = (root / "book" / f"{page}.md").read_text(encoding="utf-8")
        names = re.findall(r'data-explorer="([^"]+)"', text)
        assert len(names) > 3
        assert set(names) <= set(PRESETS[page])
        made = getattr(explorer, kind)()._repr_html_()
        anchors = set(re.findall(r'href="measures\.html#([\w-]+)"', made))
        assert {a for a in anchors if f"({a})=" not in chapter} == set()


def test_no_measure_exceeds_1_below_five_classes():
    """As the remark beside RNOD, RSNOD and DNKT_RNOD says."""
    for name, measure in QUANTIFICATION.items():
        assert measure.bounds(4)[1] <= 1
        assert (measure.bounds(5)[1] > 1) == (name in {"RNOD", "RSNOD", "DNKT_RNOD"})


# All three pages

WIDEST = {
    "explorer": "#gold=" + ",".join(["0,.125"] * 4 + [".5"]) + "&estimate=1" + ",0" * 8,
    "explorer_labels": "#counts=" + "/".join(["9999" + ",100" * 6] * 7),
    "explorer_luck": "#task=sem16t4c&measure=kappa&topics=5&draw=101",
}


@browsing
def test_a_page_opens_without_complaint_and_fits(visit):
    for page, fragment in WIDEST.items():
        for width, theme in [(390, "light"), (820, "dark"), (1440, "light")]:
            with case(page, theme, width):
                tab = visit(page=page, width=width, theme=theme)
                assert tab.evaluate("document.documentElement.dataset.theme") == theme
                before = shown(tab)
                for there in ("", fragment):
                    tab.evaluate("text => { location.hash = text }", there)
                    tab.wait_for_timeout(100)
                    root = "document.documentElement"
                    overflow = f"{root}.scrollWidth - {root}.clientWidth"
                    assert tab.evaluate(overflow) <= 0
                assert shown(tab) != before


@browsing
def test_without_javascript_there_is_a_table(browser, pages):
    context = browser.new_context(java_script_enabled=False)
    for page, kind in PAGES.items():
        with case(page):
            tab = context.new_page()
            tab.goto((pages / f"{page}.html").as_uri())
            assert tab.locator(".ox-noscript").is_visible()
            assert_scores(tab, expected(PRESETS[page][explorer.START[kind]]))
            assert not tab.locator(".explorer button:visible, .explorer svg:visible").count()
    context.close()


@browsing
def test_every_preset_is_loaded_and_leads_to_a_link(visit):
    for page, known in PRESETS.items():
        tab = visit(page=page)
        for name, preset in known.items():
            with case(page, name):
                if tab.locator(".ox-preset").count():
                    tab.locator(".ox-preset").select_option(name)
                    assert tab.locator(".ox-preset").input_value() == name
                else:
                    tab.locator(f'a[data-explorer="{name}"]').click()
                assert_scores(tab, expected(preset, tab))
                assert tab.locator(".ox-status").inner_text() == preset["about"]
        settled(tab)
        again = visit("#" + tab.url.split("#")[1], page=page)
        assert shown(again) == shown(tab)
        assert tab.locator(".ox-live").inner_text().endswith(".")


STEPS = [
    ("explorer", "sigir18-c", "sigir18-d"),
    ("explorer", "lq21-181-popularity", "lq21-181-uniform"),
    ("explorer", "farther-2", "farther-3"),
    ("explorer_labels", "near", "far"),
    ("explorer_labels", "majority", "reader"),
]


@browsing
def test_an_experiment_shows_what_became_better_or_worse(visit):
    for page, first, second in STEPS:
        with case(first, second):
            tab = visit(page=page, width=390)
            for name in (first, second):
                tab.locator(f'a[data-explorer="{name}"]').click()
            assert changes(tab) == compared(PRESETS[page], first, second)


WRONG_LINKS = [
    ("explorer", "#gold=.1,.2&estimate=.5,.5", "2 classes; 3 to 9 are possible"),
    ("explorer", "#gold=.1,.2,.3&estimate=.5,.5,0", "gold sums to 0.6"),
    ("explorer", "#gold=.5,.5,0", "estimate has 0 classes"),
    ("explorer", "#gold=.5,.5,0&estimate=.25,.25,.25,.25", "gold has 3 classes and estimate has 4"),
    ("explorer", "#gold=%3Cimg%3E,1,0&estimate=1,0,0", "gold: class 1 is not a number"),
    ("explorer_labels", "#counts=1", "1 rows of counts; 2 to 7 are possible"),
    ("explorer_labels", "#counts=1,2/3", "row 2 has 1 counts for 2 classes"),
    ("explorer_labels", "#counts=1,-2/3,4", "row 1: a count is a whole number from 0"),
    ("explorer_labels", "#counts=0,0/0,0", "there is no item"),
    ("explorer_luck", "#task=x", "there is no task x"),
    ("explorer_luck", "#task=sem16t4e&measure=kappa", "there is no measure kappa"),
    ("explorer_luck", "#task=sem16t4e&measure=NMD&topics=7&draw=1", "samples have 5, 10"),
    ("explorer_luck", "#task=sem16t4e&measure=NMD&topics=5&draw=0", "numbered from 1 to 1000"),
]


@browsing
def test_a_wrong_link_is_explained_and_changes_nothing(visit):
    for page, fragment, reason in WRONG_LINKS:
        with case(fragment, reason):
            tab = visit(fragment, page=page)
            assert reason in tab.locator(".ox-status").inner_text()
            assert_scores(tab, expected(PRESETS[page][explorer.START[PAGES[page]]]))


@browsing
def test_the_link_can_be_copied(browser, pages):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    tab = context.new_page()
    with served(pages.parent) as place:
        address = f"{place}/book/explorer.html"
        tab.goto(address)
        tab.locator(".ox-preset").select_option("lq21-b")
        tab.locator(".ox-copy").click()
        tab.wait_for_function("document.querySelector('.ox-status').textContent === 'Link copied.'")
        copied = tab.evaluate("navigator.clipboard.readText()")
        assert copied == f"{address}#gold=.25,.25,.25,.25&estimate=.25,.25,.35,.15"
        context.close()


# Distributions


@browsing
def test_dragging_with_the_mouse(visit):
    tab = visit("#gold=.2,.2,.6&estimate=.1,.3,.6")
    before = shown(tab)
    tab.mouse.move(*height_at(tab, "estimate", 1, 0.1))
    tab.mouse.down()
    # Down to nothing and up to everything and back: the others keep their proportions.
    for wanted in (0, 0.5, 1, 0.55):
        tab.mouse.move(*height_at(tab, "estimate", 1, wanted), steps=3)
        assert value(tab, "estimate", 1) == pytest.approx(wanted, abs=0.011)
    tab.mouse.up()
    now = value(tab, "estimate", 1)
    assert value(tab, "estimate", 3) == pytest.approx(2 * value(tab, "estimate", 2), abs=1e-5)
    tab.mouse.move(*height_at(tab, "estimate", 1, 0.2))
    assert value(tab, "estimate", 1) == now, "moving without pressing changes nothing"
    gold, estimate = linked(tab)
    assert gold == [0.2, 0.2, 0.6]
    assert_scores(tab, of_pair(gold, estimate))
    assert changes(tab)["NMD"] == ("worse" if shown(tab)["NMD"] > before["NMD"] else "better")


@browsing
def test_a_finger_pulls_a_bar_by_its_end_scrolls_elsewhere_and_taps(visit):
    for beside in [0, 15, -15]:
        with case(beside):
            tab = visit("#gold=.2,.2,.6&estimate=.1,.3,.6", **PHONE)
            start, end = (height_at(tab, "gold", 1, wanted) for wanted in (0.2, 0.75))
            for place in (start, end):
                place[1] += beside
            scrolled = tab.evaluate("scrollY")
            touching(tab)(start, end)
            assert value(tab, "gold", 1) == pytest.approx(0.75, abs=0.02)
            assert tab.evaluate("scrollY") == scrolled
            assert_scores(tab, of_pair(*linked(tab)))
    tab = visit("#gold=.1,.1,.8&estimate=.1,.3,.6", **PHONE)
    before = shown(tab)
    # Far from the end of any bar of this column: up it scrolls, sideways it is no tap.
    for x_step, y_step in [(0, -120), (120, 0)]:
        x, y = height_at(tab, "gold", 1, 0.7)
        scrolled = tab.evaluate("scrollY")
        touching(tab)((x, y), (x + x_step, y + y_step))
        assert (tab.evaluate("scrollY") > scrolled + 60) == (y_step != 0)
        assert shown(tab) == before
    for wanted in [0.85, 0.45, 0.15]:
        tab.touchscreen.tap(*height_at(tab, "gold", 1, wanted))
        assert value(tab, "gold", 1) == pytest.approx(wanted, abs=0.011)


@browsing
def test_each_bar_is_a_slider_for_the_keyboard(visit):
    tab = visit("#gold=.2,.2,.6&estimate=.1,.3,.6")
    slider = bar(tab, "gold", 1)
    slider.focus()
    for attribute, wanted in {
        "role": "slider",
        "aria-label": "gold, class 1",
        "aria-valuemin": "0",
        "aria-valuemax": "1",
    }.items():
        assert slider.get_attribute(attribute) == wanted
    keys = {"ArrowUp": 0.21, "ArrowLeft": 0.2, "PageUp": 0.3, "End": 1, "ArrowRight": 1}
    keys |= {"Home": 0, "ArrowDown": 0}
    for key, wanted in [*keys.items(), ("PageUp", 0.1)]:
        tab.keyboard.press(key)
        assert value(tab, "gold", 1) == wanted
    # Through 1 and 0 the others have kept their proportions.
    assert value(tab, "gold", 2) == pytest.approx(0.9 / 4)
    assert value(tab, "gold", 3) == pytest.approx(2.7 / 4)
    assert_scores(tab, of_pair(*linked(tab)))
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.getAttribute('aria-label')") == "gold, class 2"


@browsing
def test_swap_reset_and_the_number_of_classes(visit):
    pair = PAIRS["asymmetry"]
    gold, estimate = pair["gold"], pair["estimate"]
    tab = visit()
    tab.locator(".ox-preset").select_option(pair["id"])
    tab.locator(".ox-swap").click()
    assert_scores(tab, of_pair(estimate, gold))
    assert set(changes(tab).values()) == {"same", "higher"}, "the gold is another one"
    symmetric = {name for name, m in QUANTIFICATION.items() if m.symmetric}
    assert named(changes(tab), "same") == symmetric
    tab.locator(".ox-reset").click()
    assert_scores(tab, of_pair(gold, estimate))
    tab.locator(".ox-classes").select_option("5")
    assert_scores(tab, of_pair([*gold, 0, 0], [*estimate, 0, 0]))
    assert set(changes(tab).values()) == {""}, "scores of 3 and of 5 classes are not compared"
    assert not tab.locator(".ox-before:visible").count()
    bar(tab, "estimate", 1).press("ArrowUp")
    assert set(changes(tab).values()) <= {"same", "better", "worse"}
    assert tab.locator(".ox-before:visible").count()
    tab.locator(".ox-preset").select_option("lq21-181-popularity")
    tab.locator(".ox-classes").select_option("3")
    # What is left of gold keeps its proportions; of the estimate nothing is left.
    gold, estimate = linked(tab)
    np.testing.assert_allclose(gold, [0, 1 / 3, 2 / 3], atol=1e-11)
    assert estimate == [1 / 3] * 3
    assert_scores(tab, of_pair(gold, estimate))


@browsing
def test_numbers_can_be_typed_and_normalised(visit):
    tab = visit("#gold=.2,.2,.6&estimate=.1,.3,.6", width=390)
    tab.locator(".ox-exact summary").click()
    field, error = tab.locator(".ox-typed-gold"), tab.locator(".ox-error-gold")
    field.fill("0.123456789 .376543211 1/2")
    assert_scores(tab, of_pair([0.123456789, 0.376543211, 0.5], [0.1, 0.3, 0.6]))
    for good in (".2,.2,.6", "0.2, 0.2, 0.6", ".2; .2; .6", ".2 .2 .6"):
        field.fill(good)
        assert_scores(tab, of_pair([0.2, 0.2, 0.6], [0.1, 0.3, 0.6]))
    before = shown(tab)
    for typed, reason in [
        ("2 3 0", "gold sums to 5, not to 1: correct it, or press Normalise"),
        ("0.5 0.5", "2 numbers for 3 classes"),
        ("0.5 0.5 a", "class 3 is not a number"),
        ("0,2 0,2 0,6", "decimals need a point: 0.2 instead of 0,2"),
        ("0,2, 0,2, 0,6", "decimals need a point: 0.2 instead of 0,2"),
        ("1.5 -0.5 0", "class 2 is negative"),
    ]:
        field.fill(typed)
        assert reason in error.inner_text()
        assert field.get_attribute("aria-invalid") == "true"
        assert shown(tab) == before, "what is wrong is not taken"
    field.fill("2 3 0")
    tab.locator(".ox-normalise-gold").click()
    assert error.inner_text() == ""
    assert field.input_value() == "0.4 0.6 0"
    assert_scores(tab, of_pair([0.4, 0.6, 0], [0.1, 0.3, 0.6]))


EDGES = [
    ("explorer", "#gold=.5,0,.5,0&estimate=.2,.2,.2,.4", "RNOD", "no gold in 2, 4"),
    ("explorer", "#gold=.4,.3,.3&estimate=.4,.3,.3", "DNKT_NMD", "0 because DNKT and NMD is 0"),
    ("explorer", "#gold=.5,.25,.25&estimate=.5,.25,.25", "RNOD", ""),
    (
        "explorer",
        "#gold=.2,.2,.2,.2,.2&estimate=.2,.2,.2,.3,.1",
        "DNKT",
        "gold uniform: always 0.5",
    ),
    (
        "explorer",
        "#gold=.01,.01,0,0,.98&estimate=0,0,0,1,0",
        "RNOD",
        "above 1: possible from five classes on",
    ),
    ("explorer_labels", "#counts=0,3/0,0", "kappa", "always class 2: 0, whichever it is"),
    ("explorer_labels", "#counts=3,0/0,0", "alpha_ord", "0/0: defined as 1"),
    ("explorer_labels", "#counts=3,1/0,0", "MAE_M", "gold 2 empty: left out"),
    ("explorer_labels", "#counts=3,0/1,0", "HMPR", "2 never chosen: precision 0"),
    ("explorer_labels", "#counts=3,0/1,1", "kappa", ""),
]


@browsing
def test_the_edges_are_explained_beside_the_measure(visit):
    for page, fragment, measure, note in EDGES:
        with case(fragment, measure, note):
            tab = visit(fragment, page=page)
            assert tab.locator(f'[data-measure="{measure}"] .ox-note').inner_text() == note


@browsing
def test_an_error_is_moved_to_another_class(visit):
    tab = visit("#gold=.1,.2,.4,.2,.1&estimate=.1,.2,.4,.2,.1")
    tab.locator(".ox-from").select_option("1")
    for to, estimate in [("2", [0, 0.3, 0.4, 0.2, 0.1]), ("5", [0, 0.2, 0.4, 0.2, 0.2])]:
        tab.locator(".ox-to").select_option(to)
        assert_scores(tab, of_pair([0.1, 0.2, 0.4, 0.2, 0.1], estimate))
        assert tab.locator(".ox-to").input_value() == to
    said = tab.locator(".ox-farther").get_attribute("aria-label")
    assert "to class 2 NMD 0.025, RNOD 0.092" in said
    assert "to class 3 NMD 0.05, RNOD 0.089" in said


# Labels


@browsing
def test_cells_are_stepped_typed_and_dragged(visit):
    start = "#counts=7,3,0/3,7,0/0,0,10"
    tab = visit(start, page="explorer_labels")
    cell(tab, 1, 3).focus()
    for key, kept, changed in [
        ("ArrowUp", [6, 3, 1], "worse"),
        ("PageUp", [0, 3, 7], "worse"),
        ("ArrowDown", [1, 3, 6], "worse"),  # than before the first key
        ("PageDown", [7, 3, 0], "same"),
    ]:
        tab.keyboard.press(key)
        assert counts(tab)[0] == kept
        assert_scores(tab, of_matrix(counts(tab)))
        assert changes(tab)["kappa"] == changed
    tab.locator(".ox-keep").uncheck()
    cell(tab, 1, 3).fill("25")
    assert counts(tab)[0] == [7, 3, 25]
    assert_scores(tab, of_matrix(counts(tab)))
    assert changes(tab)["kappa"] == "lower"
    assert settled(tab)["counts"] == ["7,3,25/3,7,0/0,0,10"]
    box = cell(tab, 2, 2).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tab.mouse.move(x, y)
    tab.mouse.down()
    for step, count in [(30, 12), (-90, 0), (12, 9)]:
        tab.mouse.move(x + step, y, steps=3)
        assert counts(tab)[1] == [3, count, 0]
    tab.mouse.up()
    tab.mouse.move(x + 60, y)
    assert counts(tab)[1] == [3, 9, 0], "moving without pressing changes nothing"
    assert_scores(tab, of_matrix(counts(tab)))
    phone = visit(start, page="explorer_labels", **PHONE)
    cell(phone, 1, 2).scroll_into_view_if_needed()
    box = cell(phone, 1, 2).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touching(phone)((x, y), (x + 30, y))
    assert counts(phone)[0][1] > 4
    assert sum(counts(phone)[0]) == 10


@browsing
def test_classes_of_labels_come_and_go_and_an_item_is_left(visit):
    tab = visit("#counts=0,0,0/0,0,0/0,0,2", page="explorer_labels")
    tab.locator(".ox-keep").uncheck()
    cell(tab, 3, 3).fill("0")
    assert tab.locator(".ox-status").inner_text() == "At least one item is needed."
    tab.locator(".ox-classes").select_option("5")
    assert len(counts(tab)) == 5
    tab.locator(".ox-classes").select_option("2")
    assert counts(tab) == [[1, 0], [0, 0]]
    tab.locator(".ox-preset").select_option("empty")
    tab.locator(".ox-transpose").click()
    assert counts(tab) == np.transpose(MATRICES["empty"]["counts"]).tolist()
    tab.locator(".ox-reset").click()
    assert counts(tab) == MATRICES["empty"]["counts"]


# Luck


@browsing
def test_topics_are_drawn_again_and_again(visit):
    tab = visit(page="explorer_luck")
    assert settled(tab) if "#" in tab.url else True
    tab.locator(".ox-topics").select_option("5")
    tab.locator(".ox-measure").select_option("NMD")
    tab.get_by_role("button", name="Draw other topics").press("Enter")
    fields = settled(tab)
    assert (fields["topics"], fields["measure"], fields["draw"]) == (["5"], ["NMD"], ["2"])
    preset = {"task": "sem16t4e", "topics": 5, "draw": 2}
    assert_scores(tab, expected(preset, tab))
    order = tab.evaluate("ordbookSamples.shuffled(2, 100)")
    scores = explorer._scores("sem16t4e")
    found = of_samples(scores, order, 5)
    for row in tab.locator(".ox-now-table tbody tr").all():
        texts = row.locator("th, td").all_inner_texts()
        tau, tau_all, pairs = found[texts[0]]
        assert [float(texts[1]), float(texts[3])] == pytest.approx([tau, tau_all], abs=0.0051)
        assert texts[4] == ", ".join(map(str, pairs))
    means = [sampled(scores, order[k : k + 5])["NMD"].mean() for k in (0, 50)]
    best = [explorer.NAMES.get(one.idxmin(), one.idxmin()) for one in means]
    summary = f"Draw 2. NMD: best by A {best[0]}, by B {best[1]}"
    assert tab.locator(".ox-live").inner_text().startswith(summary)
    tab.get_by_role("button", name="Draw 100").click()
    assert tab.locator(".ox-draws").all_inner_texts() == ["102", "102"]
    tab.locator(".ox-task").select_option("sem16t4c")
    assert tab.locator(".ox-measure option").all_inner_texts() == list(CLASSIFICATION)
    tab.locator(".ox-reset").click()
    assert_scores(tab, expected(PRESETS["explorer_luck"]["five"]))
