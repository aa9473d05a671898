// The explorer of distributions: holds the pair, listens, and brings bars, table and pictures up
// to date. The page is made by ordbook.pages.explorer and works as a table without this script.
//
// Contents
// --------
// rescale, resize ...  pure functions of distributions of 3 to 9 classes
// draw*, notes         the parts of the page; what is special about a measure at this pair
// bars, typed numbers, classes, swap, moved errors
(() => {
  "use strict";
  const measures = window.ordbookMeasures;
  const { TIE, show, readNumbers, ScoreTable, explore } = window.ordbookExplorer;
  const { Bars, drawCumulative, drawWeighted, drawMoved } = window.ordbookExplorerCharts;
  const SIDES = ["gold", "estimate"];
  const [LEAST, MOST] = [3, 9];

  // -- distributions --

  const sum = (values) => values.reduce((a, b) => a + b, 0);
  // Without the noise of a division; equal numbers stay equal.
  const tidy = (x) => Math.round(x * 1e12) / 1e12;
  // Set one probability; the others keep their proportions.
  const rescale = (values, k, value) => {
    const rest = sum(values.filter((_, j) => j !== k));
    const share = (x) => (rest > 0 ? x * ((1 - value) / rest) : (1 - value) / (values.length - 1));
    return values.map((x, j) => (j === k ? value : tidy(share(x))));
  };
  const normalise = (values) => {
    const whole = sum(values);
    if (!(whole > 0 && whole < Infinity) || values.some((x) => x < 0)) return null;
    return values.map((x) => x / whole);
  };
  // New classes come at the end and are empty; those that go leave the rest in proportion.
  const resize = (values, n) => {
    if (n >= values.length) return [...values, ...Array(n - values.length).fill(0)];
    const kept = normalise(values.slice(0, n));
    return kept ? kept.map(tidy) : Array(n).fill(1 / n);
  };
  // All items of one class are taken for another one.
  const moved = (gold, from, to) => {
    const estimate = [...gold];
    [estimate[from], estimate[to]] = [0, tidy(gold[to] + gold[from])];
    return estimate;
  };
  const equal = (a, b) => a.length === b.length && a.every((x, k) => Math.abs(x - b[k]) <= TIE);

  const write = (x) => String(x).replace(/^0\./, ".");
  const link = ({ gold, estimate }) =>
    `#gold=${gold.map(write).join(",")}&estimate=${estimate.map(write).join(",")}`;
  const read = (fields) => {
    if (!fields.has("gold") && !fields.has("estimate")) return null;
    const [gold, estimate] = SIDES.map((side) => readNumbers(fields.get(side) || ""));
    for (const [name, values] of [["gold", gold], ["estimate", estimate]]) {
      if (values.length < LEAST || values.length > MOST)
        throw new RangeError(`${name} has ${values.length} classes; ${LEAST} to ${MOST} are possible`);
      measures.check(values, name);
    }
    if (gold.length !== estimate.length)
      throw new RangeError(`gold has ${gold.length} classes and estimate has ${estimate.length}`);
    return { gold, estimate };
  };

  // -- the parts of the page --

  const list = (classes) => classes.map((k) => k + 1).join(", ");
  const notes = (gold, scores, parts) => {
    const found = {};
    const empty = [...gold.keys()].filter((k) => !parts.supported[k]);
    if (empty.length) found.RNOD = `no gold in ${list(empty)}`;
    for (const name of ["RNOD", "RSNOD", "DNKT_RNOD"])
      if (scores[name] > 1 + TIE) found[name] = "above 1: possible from five classes on";
    const flat = SIDES.filter((_, s) => !(s ? parts.pairs.untied : parts.pairs.untiedGold));
    if (flat.length) found.DNKT = `${flat.join(" and ")} uniform: always 0.5`;
    for (const name of ["JSD", "NMD", "RNOD"]) {
      const zero = ["DNKT", name].filter((part) => scores[part] === 0);
      if (zero.length) found[`DNKT_${name}`] = `0 because ${zero.join(" and ")} is 0`;
    }
    return found;
  };

  const drawFormulas = (scores, parts) => {
    const steps = parts.dw.length - 1;
    const terms = parts.differences.slice(0, -1).map((x) => show(x)).join(" + ");
    find(".ox-formula-nmd").textContent = `NMD = (${terms}) / ${steps} = ${show(scores.NMD)}`;
    const views = [...parts.dw.keys()].filter((k) => parts.supported[k]);
    const seen = views.map((k) => show(parts.dw[k])).join(" + ");
    find(".ox-formula-rnod").textContent =
      `OD = (${seen}) / ${views.length} = ${show(parts.od)}, ` +
      `RNOD = √(OD / ${steps}) = ${show(scores.RNOD)}`;
    const [golds, estimates, dw] = [parts.cumulativeGold, parts.cumulativeEstimate, parts.dw]
      .map((values) => values.map((x) => show(x)).join(", "));
    find(".ox-cumulative").ariaLabel = `Cumulative probabilities. Gold ${golds}; estimate ${estimates}.`;
    find(".ox-weighted").ariaLabel =
      `DW of the classes: ${dw}. With gold: ${list(views)}. OD, the mean of these, is ${show(parts.od)}.`;
  };

  // From which class, and to which, all items have moved; to is -1 for any other estimate.
  const movement = ({ gold, estimate }) => {
    const classes = [...gold.keys()];
    for (const from of classes.filter((k) => gold[k] > 0 && estimate[k] === 0)) {
      const to = classes.find((k) => k !== from && equal(estimate, moved(gold, from, k)));
      if (to !== undefined) return [from, to];
    }
    const kept = Number(controls.from.value) - 1;
    return [gold[kept] > 0 ? kept : gold.findIndex((x) => x > 0), -1];
  };
  const options = (select, classes, chosen) => {
    select.replaceChildren(...classes.map((k) => new Option(k < 0 ? "–" : k + 1, k + 1)));
    select.value = String(chosen + 1);
  };
  const drawMovement = (pair) => {
    const [from, to] = movement(pair);
    const others = [...pair.gold.keys()].filter((k) => k !== from);
    const lines = {};
    for (const name of ["NMD", "RNOD", "NVD"])
      lines[name] = others.map((k) => measures[name](pair.gold, moved(pair.gold, from, k)));
    drawMoved(find(".ox-farther"), lines, others.map((k) => String(k + 1)), others.indexOf(to));
    const told = others.map((k, i) => {
      const scores = Object.keys(lines).map((name) => `${name} ${show(lines[name][i])}`);
      return `to class ${k + 1} ${scores.join(", ")}`;
    });
    find(".ox-farther").ariaLabel = `Scores if all of class ${from + 1} goes elsewhere: ${told.join("; ")}.`;
    options(controls.from, [...pair.gold.keys()].filter((k) => pair.gold[k] > 0), from);
    options(controls.to, to < 0 ? [-1, ...others] : others, to);
  };

  const draw = (pair, before) => {
    const [scores, parts] = ["all", "parts"].map((what) => measures[what](pair.gold, pair.estimate));
    for (const side of SIDES) {
      bars[side].update(pair[side], pair[SIDES.find((name) => name !== side)]);
      if (document.activeElement !== fields[side].input) fields[side].write(pair[side]);
    }
    const n = pair.gold.length;
    const comparable = before && before.gold.length === n;
    table.draw({
      scores,
      before: comparable ? measures.all(before.gold, before.estimate) : null,
      sameGold: comparable && equal(before.gold, pair.gold),
      scale: (name) => ({ low: 0, high: page.data.track, tick: page.data.limits[name][n] }),
      notes: notes(pair.gold, scores, parts),
    });
    drawFormulas(scores, parts);
    drawCumulative(find(".ox-cumulative"), parts);
    drawWeighted(find(".ox-weighted"), parts);
    drawMovement(pair);
    controls.classes.value = String(n);
  };

  const page = explore({
    copy: ({ gold, estimate }) => ({ gold: [...gold], estimate: [...estimate] }),
    told: ({ gold, estimate }) => {
      const scores = measures.all(gold, estimate);
      const some = ["NMD", "RNOD", "NVD", "JSD"].map((name) => `${name} ${show(scores[name])}`);
      return `${some.join(", ")}.`;
    },
    link, read, draw,
  });
  const { root, find } = page;
  const table = new ScoreTable(root);
  const controls = Object.fromEntries(
    ["classes", "swap", "from", "to"].map((name) => [name, find(`.ox-${name}`)])
  );

  // -- bars and typed numbers --

  const bars = {};
  const fields = {};
  for (const side of SIDES) {
    const rest = () => (page.action.key = null);
    bars[side] = new Bars(find(`.ox-bars-${side}`), side, rest, (k, value) => {
      page.begin(`${side} ${k}`);
      const next = rescale(page.action.before[side], k, value);
      page.change({ ...page.state, [side]: next }, " ");
    });

    const input = find(`.ox-typed-${side}`);
    const error = find(`.ox-error-${side}`);
    const complain = (text) => {
      error.textContent = text;
      input.setAttribute("aria-invalid", String(Boolean(text)));
    };
    const writeOut = (values) => {
      input.value = values.map((x) => String(x)).join(" ");
      complain("");
    };
    const typed = () => {
      const values = readNumbers(input.value);
      const n = page.state.gold.length;
      if (values.length !== n)
        throw new RangeError(`${values.length} numbers for ${n} classes: change the classes first`);
      return values;
    };
    const attempt = (values) => {
      measures.check(values, side);
      page.begin(`typed ${side}`);
      page.change({ ...page.state, [side]: values });
      complain("");
    };
    const trying = (step) => {
      try {
        step();
      } catch (problem) {
        if (!(problem instanceof RangeError)) throw problem;
        complain(/ sums to /.test(problem.message)
          ? `${problem.message}: correct it, or press Normalise`
          : problem.message);
      }
    };
    input.addEventListener("input", () => trying(() => attempt(typed())));
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") trying(() => attempt(typed()));
    });
    find(`.ox-normalise-${side}`).addEventListener("click", () =>
      trying(() => {
        const values = normalise(typed());
        if (!values) throw new RangeError(`${side} cannot be normalised: give numbers from 0 on`);
        attempt(values);
        writeOut(values);
      })
    );
    fields[side] = { input, write: writeOut };
  }

  // -- the other controls --

  controls.classes.addEventListener("change", () => {
    page.begin();
    const { gold, estimate } = page.state;
    const n = Number(controls.classes.value);
    const said = n > gold.length
      ? "New classes come at the end and are empty."
      : "What was in the classes that went is shared out in proportion.";
    page.change({ gold: resize(gold, n), estimate: resize(estimate, n) }, said);
  });
  controls.swap.addEventListener("click", () => {
    page.begin();
    const { gold, estimate } = page.state;
    page.change({ gold: estimate, estimate: gold }, "Gold and estimate have changed places.");
  });
  for (const select of [controls.from, controls.to])
    select.addEventListener("change", () => {
      const { gold } = page.state;
      const [from, to] = [controls.from, controls.to].map(({ value }) => Number(value) - 1);
      const goal = to >= 0 && to !== from ? to : [...gold.keys()].find((k) => k !== from);
      page.begin();
      page.change({ gold, estimate: moved(gold, from, goal) }, " ");
    });

  page.open();
})();
