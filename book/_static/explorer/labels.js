// The explorer of labels: a confusion matrix whose cells are typed, stepped or dragged sideways.
// The page is made by ordbook.pages.explorer and works as two tables without this script.
//
// Contents
// --------
// draw*, notes         the parts of the page; what is special about a measure at this matrix
// build, put           the cells, and what a new count in one of them does
// drags, keys, classes, clear errors
(() => {
  "use strict";
  const measures = window.ordbookConfusion;
  const { show, element, ScoreTable, explore } = window.ordbookExplorer;
  const { drawSteps, drawRuler } = window.ordbookExplorerCharts;
  const [LEAST, MOST, MOST_ITEMS] = [2, 7, 999];
  const PIXELS = 6; // that a drag goes for one item

  const link = ({ counts }) => `#counts=${counts.map((row) => row.join(",")).join("/")}`;
  const read = (fields) => {
    if (!fields.has("counts")) return null;
    const counts = fields.get("counts").split("/").map((row) =>
      row.split(",").map((count) => (/^\d{1,3}$/.test(count) ? Number(count) : NaN))
    );
    if (counts.length < LEAST || counts.length > MOST)
      throw new RangeError(`${counts.length} rows of counts; ${LEAST} to ${MOST} are possible`);
    measures.check(counts);
    return { counts };
  };

  // -- the parts of the page --

  const list = (classes) => classes.map((k) => k + 1).join(", ");
  const notes = ({ gold, chosen }) => {
    const found = {};
    const where = (values) => [...values.keys()].filter((k) => values[k] > 0);
    const [truths, answers] = [where(gold), where(chosen)];
    const empty = [...gold.keys()].filter((k) => !gold[k]);
    const never = truths.filter((k) => !chosen[k]);
    if (answers.length === 1 && String(truths) === String(answers))
      for (const name of ["kappa", "alpha_ord", "alpha_int", "QWK"])
        found[name] = "0/0: defined as 1";
    else if (answers.length === 1)
      for (const name of ["kappa", "QWK"])
        found[name] = `always class ${list(answers)}: 0, whichever it is`;
    if (empty.length)
      for (const name of ["MAE_M", "F1_M", "HMPR"]) found[name] = `gold ${list(empty)} empty: left out`;
    else if (never.length)
      for (const name of ["F1_M", "HMPR"]) found[name] = `${list(never)} never chosen: precision 0`;
    return found;
  };

  const drawPictures = (scores, parts) => {
    const number = (x) => (x < 1e6 ? show(x, 2) : x.toExponential(3));
    const formula = (name, { observed, expected }) =>
      expected > 0
        ? `${name} = 1 − ${number(observed)} / ${number(expected)} = ${show(scores[name])}`
        : `${name} = 1: no disagreement is expected, and none is there`;
    find(".ox-formula-kappa").textContent = formula("kappa", parts.kappa);
    find(".ox-formula-alpha").textContent = formula("alpha_ord", parts.alphaOrd);
    drawSteps(find(".ox-steps"), parts);
    drawRuler(find(".ox-ruler-view"), parts);
    const told = parts.off.slice(1).map((count, d) =>
      `${d + 1} steps: ${show(count)} items, by chance ${show(parts.offByChance[d + 1])}`
    );
    find(".ox-steps").ariaLabel = `Items so many steps off. ${told.join("; ")}.`;
    find(".ox-ruler-view").ariaLabel =
      `Labels of the classes, gold and run together: ${parts.labels.join(", ")}. ` +
      `Their middles: ${parts.middles.map((x) => show(x, 1)).join(", ")}.`;
  };

  // -- the matrix --

  let cells = [];
  const build = (n) => {
    const names = [...Array(n).keys()].map((k) => k + 1);
    const head = (scope, text) => element("th", { scope }, text);
    const row = (...parts) => element("tr", {}, ...parts);
    const wrapped = (inputs) => inputs.map((input) => element("td", {}, input));
    cells = names.map((gold) => names.map((said) => element("input", {
      type: "number", min: 0, max: MOST_ITEMS, step: 1, inputMode: "numeric", className: "ox-cell",
      ariaLabel: `gold ${gold}, says ${said}`, autocomplete: "off",
    })));
    const matrix = find(".ox-matrix");
    matrix.style.setProperty("--ox-classes", n);
    matrix.tHead.replaceChildren(
      row(element("td"), ...names.map((k) => head("col", `says ${k}`)), head("col", "all"))
    );
    matrix.tBodies[0].replaceChildren(
      ...cells.map((inputs, j) => row(head("row", `gold ${j + 1}`), ...wrapped(inputs), element("td"))),
      row(head("row", "all"), ...names.map(() => element("td")), element("td"))
    );
  };
  const drawMatrix = (counts, { gold, chosen }) => {
    if (cells.length !== counts.length) build(counts.length);
    const largest = Math.max(1, ...counts.flat());
    counts.forEach((row, j) => row.forEach((count, i) => {
      const input = cells[j][i];
      if (document.activeElement !== input || Number(input.value) !== count) input.value = count;
      input.style.setProperty("--ox-share", `${Math.round(75 * Math.sqrt(count / largest))}%`);
      input.classList.toggle("ox-right", i === j);
    }));
    const rows = [...find(".ox-matrix").tBodies[0].rows];
    gold.forEach((count, k) => (rows[k].lastChild.textContent = count));
    const items = gold.reduce((a, b) => a + b, 0);
    [...chosen, items].forEach((count, k) => (rows.at(-1).cells[k + 1].textContent = count));
  };

  const draw = ({ counts }, before) => {
    const [scores, parts] = [measures.all(counts), measures.parts(counts)];
    const n = counts.length;
    drawMatrix(counts, parts);
    const comparable = before && before.counts.length === n;
    const ends = (name) => page.data.limits[name][n];
    table.draw({
      scores,
      before: comparable ? measures.all(before.counts) : null,
      sameGold: comparable && String(measures.margins(before.counts).gold) === String(parts.gold),
      // The tick of those that can be negative is chance, that of the others the end of the range.
      scale: (name) => {
        const [low, high] = ends(name);
        return { low, high, tick: low < 0 ? 0 : high };
      },
      notes: notes(parts),
    });
    drawPictures(scores, parts);
    controls.classes.value = String(n);
  };

  const page = explore({
    copy: ({ counts }) => ({ counts: counts.map((row) => [...row]) }),
    told: ({ counts }) => {
      const scores = measures.all(counts);
      const some = ["kappa", "MAE_M", "alpha_ord", "accuracy"];
      return `${some.map((name) => `${name} ${show(scores[name])}`).join(", ")}.`;
    },
    link, read, draw,
  });
  const { find } = page;
  const table = new ScoreTable(page.root);
  const controls = Object.fromEntries(
    ["classes", "keep", "transpose"].map((name) => [name, find(`.ox-${name}`)])
  );

  // -- what changes a count --

  // Where gold is kept, a wrong answer more is a right one less in its row. A right one less goes to
  // the nearest class, and a right one more is taken from there.
  const put = (from, j, i, wanted) => {
    const counts = from.counts.map((row) => [...row]);
    let count = Math.min(MOST_ITEMS, Math.max(0, wanted));
    if (controls.keep.checked) {
      const row = counts[j];
      const others = [...row.keys()].filter((k) => k !== i)
        .sort((a, b) => Math.abs(a - i) - Math.abs(b - i) || b - a);
      const donors = i === j ? others : [j];
      count = Math.min(count, row[i] + donors.reduce((sum, k) => sum + row[k], 0));
      let more = count - row[i];
      if (more < 0) row[donors[0]] -= more;
      for (const k of more > 0 ? donors : []) {
        const taken = Math.min(more, row[k]);
        row[k] -= taken;
        more -= taken;
      }
    }
    counts[j][i] = count;
    if (!counts.flat().some(Boolean)) return page.status("At least one item is needed.");
    return page.change({ counts }, " ");
  };
  const place = (input) => {
    const j = cells.findIndex((row) => row.includes(input));
    return j < 0 ? null : [j, cells[j].indexOf(input)];
  };

  const matrix = find(".ox-matrix");
  matrix.addEventListener("input", (event) => {
    const at = place(event.target);
    if (!at || event.target.value === "") return;
    page.begin(`typed ${at}`);
    put(page.state, ...at, Math.round(Number(event.target.value)));
  });
  matrix.addEventListener("focusout", (event) => {
    page.action.key = null;
    const at = place(event.target);
    if (at) event.target.value = page.state.counts[at[0]][at[1]];
  });
  matrix.addEventListener("keydown", (event) => {
    const at = place(event.target);
    const steps = { PageUp: 10, PageDown: -10 };
    if (!at || !(event.key in steps)) return;
    event.preventDefault();
    page.begin(`typed ${at}`);
    put(page.state, ...at, page.state.counts[at[0]][at[1]] + steps[event.key]);
  });

  // A wheel scrolls the page, and does not step the cell that has the focus.
  matrix.addEventListener("wheel", (event) => event.target.blur(), { passive: true });

  // Sideways, so that a finger still scrolls the page up and down.
  let drag = null;
  let drags = 0;
  matrix.addEventListener("pointerdown", (event) => {
    const at = place(event.target);
    if (at && event.isPrimary && !event.button)
      drag = { at, input: event.target, x: event.clientX, moving: false };
  });
  matrix.addEventListener("pointermove", (event) => {
    if (!drag || !event.isPrimary) return;
    const items = Math.round((event.clientX - drag.x) / PIXELS);
    if (!drag.moving) {
      if (!items) return;
      drag.moving = true;
      drag.input.setPointerCapture(event.pointerId);
      page.begin(`drag ${(drags += 1)}`);
    }
    event.preventDefault();
    const [j, i] = drag.at;
    put(page.action.before, j, i, page.action.before.counts[j][i] + items);
  });
  for (const end of ["pointerup", "pointercancel"])
    matrix.addEventListener(end, () => (drag = null));

  controls.classes.addEventListener("change", () => {
    const { counts } = page.state;
    const n = Number(controls.classes.value);
    const next = Array.from({ length: n }, (_, j) =>
      Array.from({ length: n }, (_, i) => (counts[j] && counts[j][i]) || 0)
    );
    if (!next.flat().some(Boolean)) next[0][0] = 1;
    page.begin();
    page.change({ counts: next }, n > counts.length
      ? "New classes come at the end and are empty."
      : "The items of the classes that went are gone.");
  });
  controls.transpose.addEventListener("click", () => {
    const { counts } = page.state;
    page.begin();
    page.change({ counts: counts.map((_, j) => counts.map((row) => row[j])) },
      "Gold and run have changed places.");
  });

  page.open();
})();
