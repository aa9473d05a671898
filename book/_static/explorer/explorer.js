// The explorer: holds the pair, listens, and brings bars, table, pictures and address up to date.
//
// Contents
// --------
// begin, change        one action of the visitor, and what follows from it
// draw*                the parts of the page
// notes, compare       what is special about a measure at this pair; what the last action did
// controls             presets, classes, swap, reset, typed numbers, copied link
//
// The page is made by ordbook.pages.explorer and works as a table without this script.
(() => {
  "use strict";
  const measures = window.ordbookMeasures;
  const state = window.ordbookExplorerState;
  const { Bars, drawCumulative, drawWeighted, forget } = window.ordbookExplorerCharts;
  const root = document.querySelector(".explorer");
  const find = (selector) => root.querySelector(selector);
  const data = JSON.parse(find("script[type='application/json']").textContent);
  const SIDES = ["gold", "estimate"];
  const TIE = 1e-12;
  const presets = new Map(data.presets.map((preset) => [preset.id, preset]));
  const first = data.presets.find((preset) => preset.id === data.start);
  const copy = ({ gold, estimate }) => ({ gold: [...gold], estimate: [...estimate] });

  let pair = copy(first);
  let home = copy(first); // where Reset leads
  let action = { key: null, pair: copy(pair), scores: null }; // what was before the last action
  let scores = measures.all(pair.gold, pair.estimate);

  // One action may have many steps, as a drag has: all of them start from the same pair.
  const begin = (key = null) => {
    if (key !== null && key === action.key) return;
    action = { key, pair: copy(pair), scores };
  };
  const change = (next, said) => {
    pair = copy(next);
    scores = measures.all(pair.gold, pair.estimate);
    draw();
    later();
    if (said) status(said);
  };

  // -- the parts of the page --

  const rows = new Map();
  for (const row of root.querySelectorAll("tr[data-measure]")) {
    const part = (name) => row.querySelector(`.ox-${name}`);
    const names = ["score", "fill", "before", "limit", "change", "note"];
    rows.set(row.dataset.measure, Object.fromEntries(names.map((name) => [name, part(name)])));
  }
  const percent = (value) => `${Math.min(100, (100 * value) / data.track)}%`;
  const list = (classes) => classes.map((k) => k + 1).join(", ");

  const notes = (parts) => {
    const found = {};
    const empty = [...pair.gold.keys()].filter((k) => !parts.supported[k]);
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

  // Low is better for all thirteen, but only a pair with the same gold is better or worse.
  const WORDS = {
    same: "= same", better: "▼ better", worse: "▲ worse", lower: "▼ lower", higher: "▲ higher",
  };
  const compare = (name) => {
    if (!action.scores || action.pair.gold.length !== pair.gold.length) return null;
    const step = scores[name] - action.scores[name];
    if (Math.abs(step) <= TIE) return "same";
    const sameGold = pair.gold.every((x, k) => Math.abs(x - action.pair.gold[k]) <= TIE);
    const [down, up] = sameGold ? ["better", "worse"] : ["lower", "higher"];
    return step < 0 ? down : up;
  };

  const drawTable = (parts) => {
    const said = notes(parts);
    for (const [name, row] of rows) {
      const score = scores[name];
      row.score.textContent = state.fixed(score, 4);
      row.score.dataset.value = String(score);
      row.fill.style.transform = `scaleX(${Math.min(1, score / data.track)})`;
      row.limit.style.left = percent(data.limits[name][pair.gold.length]);
      row.note.textContent = said[name] || "";
      const word = compare(name);
      row.before.hidden = !word;
      if (word) row.before.style.left = percent(action.scores[name]);
      row.change.textContent = word ? WORDS[word] : "";
      row.change.dataset.change = word || "";
    }
  };

  const drawFormulas = (parts) => {
    const { show } = state;
    const steps = parts.dw.length - 1;
    const terms = parts.differences.slice(0, -1).map((x) => show(x, 4)).join(" + ");
    const heads = `NMD = (${terms}) / ${steps} = ${show(scores.NMD, 4)}`;
    find(".ox-formula-nmd").textContent = heads;
    const views = [...parts.dw.keys()].filter((k) => parts.supported[k]);
    const seen = views.map((k) => show(parts.dw[k], 4)).join(" + ");
    find(".ox-formula-rnod").textContent =
      `OD = (${seen}) / ${views.length} = ${show(parts.od, 4)}, ` +
      `RNOD = √(OD / ${steps}) = ${show(scores.RNOD, 4)}`;
    find(".ox-cumulative").setAttribute(
      "aria-label",
      `Cumulative probabilities. Gold ${parts.cumulativeGold.map((x) => show(x)).join(", ")}; ` +
        `estimate ${parts.cumulativeEstimate.map((x) => show(x)).join(", ")}.`
    );
    find(".ox-weighted").setAttribute(
      "aria-label",
      `DW of the classes: ${parts.dw.map((x) => show(x, 4)).join(", ")}. ` +
        `With gold: ${list(views)}. OD, the mean of these, is ${show(parts.od, 4)}.`
    );
  };

  const bars = {};
  const fields = {};
  const draw = () => {
    const parts = measures.parts(pair.gold, pair.estimate);
    for (const side of SIDES) {
      if (bars[side].columns.length !== pair[side].length) bars[side].build(pair[side].length);
      const other = SIDES.find((name) => name !== side);
      bars[side].update(pair[side], pair[other]);
      if (document.activeElement !== fields[side].input) fields[side].write(pair[side]);
    }
    drawTable(parts);
    drawFormulas(parts);
    drawCumulative(find(".ox-cumulative"), parts);
    drawWeighted(find(".ox-weighted"), parts);
    controls.classes.value = String(pair.gold.length);
    const same = data.presets.find((preset) =>
      SIDES.every((side) => String(preset[side]) === String(pair[side]))
    );
    controls.preset.value = same ? same.id : "";
  };

  // -- telling, and the address: after the last of many steps --

  let timer = 0;
  const status = (text) => {
    const line = find(".ox-status");
    // When it falls silent it keeps its height, so that nothing moves under a finger.
    line.style.minHeight = text.trim() ? "" : `${line.getBoundingClientRect().height}px`;
    line.textContent = text;
  };
  const settle = () => {
    const told = ["NMD", "RNOD", "NVD", "JSD"].map((name) => `${name} ${state.show(scores[name])}`);
    find(".ox-live").textContent = `${told.join(", ")}.`;
    try {
      window.history.replaceState(null, "", state.link(pair));
    } catch {
      // Some browsers refuse this for files; the link to copy works all the same.
    }
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(settle, 500);
  };

  // -- controls --

  const controls = Object.fromEntries(
    ["preset", "classes", "swap", "reset", "copy"].map((name) => [name, find(`.ox-${name}`)])
  );
  const load = (next, said) => {
    begin();
    home = copy(next);
    change(next, said);
  };
  const jump = () => {
    const smooth = !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    root.scrollIntoView({ behavior: smooth ? "smooth" : "auto", block: "start" });
  };

  for (const side of SIDES) {
    let drags = 0;
    bars[side] = new Bars(find(`.ox-bars-${side}`), side, (k, value, kind) => {
      if (kind === "start") begin(`drag ${(drags += 1)} ${side}`);
      if (kind === "key") begin(`key ${side} ${k}`);
      if (value === null || pair[side][k] === value) return;
      change({ ...pair, [side]: state.rescale(action.pair[side], k, value) }, " ");
    });
    find(`.ox-bars-${side}`).addEventListener("focusout", () => {
      if (action.key && action.key.startsWith("key")) action.key = "left";
    });

    const input = find(`.ox-typed-${side}`);
    const error = find(`.ox-error-${side}`);
    const complain = (text) => {
      error.textContent = text;
      input.setAttribute("aria-invalid", String(Boolean(text)));
    };
    const write = (values) => {
      input.value = values.map((x) => String(x)).join(" ");
      complain("");
    };
    const read = () => {
      const values = state.readNumbers(input.value);
      const n = pair.gold.length;
      if (values.length !== n)
        throw new RangeError(`${values.length} numbers for ${n} classes: change the classes first`);
      return values;
    };
    const attempt = (values) => {
      measures.check(values, side);
      begin(`typed ${side}`);
      change({ ...pair, [side]: values });
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
    input.addEventListener("input", () => trying(() => attempt(read())));
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") trying(() => attempt(read()));
    });
    find(`.ox-normalise-${side}`).addEventListener("click", () =>
      trying(() => {
        const values = state.normalise(read());
        if (!values) throw new RangeError(`${side} cannot be normalised: give numbers from 0 on`);
        attempt(values);
        write(values);
      })
    );
    fields[side] = { input, write };
  }

  controls.preset.addEventListener("change", () => {
    const preset = presets.get(controls.preset.value);
    if (preset) load(preset, preset.about);
  });
  controls.classes.addEventListener("change", () => {
    begin();
    const n = Number(controls.classes.value);
    const said = n > pair.gold.length
      ? "New classes come at the end and are empty."
      : "What was in the classes that went is shared out in proportion.";
    change({ gold: state.resize(pair.gold, n), estimate: state.resize(pair.estimate, n) }, said);
  });
  controls.swap.addEventListener("click", () => {
    begin();
    change({ gold: pair.estimate, estimate: pair.gold }, "Gold and estimate have changed places.");
  });
  controls.reset.addEventListener("click", () => {
    begin();
    change(home, "Back to where you started.");
  });

  const address = () => window.location.href.replace(/#.*$/, "") + state.link(pair);
  const copyOld = (text) => {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "ox-hidden";
    root.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    controls.copy.focus();
    return done;
  };
  controls.copy.addEventListener("click", async () => {
    const text = address();
    let done = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      done = copyOld(text);
    }
    settle();
    status(done ? "Link copied." : `Copy this link: ${text}`);
  });

  const restore = (from) => {
    try {
      const next = state.readLink(window.location.hash);
      if (!next) return false;
      if (state.link(next) !== state.link(pair)) load(next, from);
      return true;
    } catch (problem) {
      if (!(problem instanceof RangeError)) throw problem;
      status(`The link was not understood: ${problem.message}.`);
      return false;
    }
  };
  window.addEventListener("hashchange", () => restore(" ") && jump());

  // The experiments below the explorer: each word a pair, as a link that can be copied too.
  for (const word of document.querySelectorAll("a[data-explorer]")) {
    const preset = presets.get(word.dataset.explorer);
    word.href = state.link(preset);
    word.addEventListener("click", (event) => {
      event.preventDefault();
      load(preset, preset.about);
      jump();
    });
  }

  root.classList.add("ox-ready");
  for (const part of root.querySelectorAll("[data-needs-script]")) part.hidden = false;
  draw();
  if (!/[#&](gold|estimate)=/.test(window.location.hash)) status(first.about);
  restore(" ");
  let width = root.clientWidth;
  new ResizeObserver(() => {
    if (root.clientWidth === width) return;
    width = root.clientWidth;
    forget();
    for (const side of SIDES) bars[side].build(pair[side].length);
    draw();
  }).observe(root);
})();
