// The ranks of the runs by every measure, a line each, beneath the table of the box. What comes
// from the reader is text, never markup.
(() => {
  "use strict";
  const { element, make, ranks } = window.ordbookExplorer;
  const { LOW } = window.ordbookRanking;
  const MOST = 12; // lines that an eye can follow
  const COLOURS = 6; // the second six are dashed
  const [ROW, HEAD, END, LETTER] = [24, 72, 34, 7]; // pixels

  const cut = (name, most) => (name.length > most ? `${name.slice(0, most - 1)}…` : name);

  // The measure of the table first, the others of the table next; runs are ranked among themselves.
  const ranking = ({ runs, by, measures }) => {
    const names = [...new Set([by, ...measures, ...Object.keys(runs[0].scores)])];
    const first = runs.slice(0, MOST);
    const byMeasure = names.map((name) =>
      ranks(first.map(({ scores }) => (LOW.has(name) ? scores[name] : -scores[name]))));
    return { names, runs: first, ranks: first.map((_, k) => byMeasure.map((column) => column[k])) };
  };

  const picture = ({ names, runs, ranks: places }, by, chosen, width) => {
    const left = Math.min(130, Math.round(0.3 * width));
    const step = (width - left - END - 24) / (names.length - 1);
    const x = (k) => left + 12 + k * step;
    const y = (place) => HEAD + (place + 0.5) * ROW;
    const most = Math.floor((left - 6) / LETTER);
    const columns = runs.map(({ column }) => column).sort((a, b) => a - b);
    const lines = runs.map((run, k) => {
      const points = places[k].map((rank, m) => [x(m), y(rank - 1)]);
      const colour = columns.indexOf(run.column);
      const classes = ["try-line", `try-line-${colour % COLOURS}`];
      if (colour >= COLOURS) classes.push("try-dashed");
      if (run.name === chosen) classes.push("try-bold");
      return make("g", { class: classes.join(" ") }, make("title", {}, run.name),
        // Runs that are tied have a label each, one beneath the other.
        make("text", { x: left - 4, y: y(k) + 4, "text-anchor": "end" }, cut(run.name, most)),
        make("polyline", { points: [[left, y(k)], ...points].join(" ") }),
        ...points.map(([cx, cy]) => make("circle", { cx, cy, r: 4 })));
    });
    const heads = names.map((name, k) =>
      make("text", {
        transform: `translate(${x(k)} ${HEAD - 4}) rotate(${step < 18 ? -80 : -50})`, class: name === by ? "try-bold" : "",
      }, name));
    const height = y(runs.length - 1) + ROW;
    // The chosen run is drawn above the others.
    lines.sort((a, b) => a.classList.contains("try-bold") - b.classList.contains("try-bold"));
    return make("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...heads, ...lines);
  };

  const table = ({ names, runs, ranks: places }) =>
    element("table", {}, element("caption", {}, "Ranks of the runs by every measure"),
      element("thead", {}, element("tr", {}, ...["run", ...names].map((name) => element("th", {}, name)))),
      element("tbody", {}, ...runs.map((run, k) =>
        element("tr", {}, element("th", {}, run.name), ...places[k].map((rank) => element("td", {}, String(rank)))))));

  const draw = (part, result, chosen) => {
    part.hidden = !result.ordered || result.runs.length < 2;
    if (part.hidden) return;
    const ranked = ranking(result);
    const few = result.runs.length <= MOST ? "" : ` The first ${MOST} of ${result.runs.length} runs by ${result.by} are ranked among themselves.`;
    part.querySelector(".try-bump").replaceChildren(picture(ranked, result.by, chosen, Math.max(280, part.parentElement.clientWidth)));
    part.querySelector(".try-ranks").replaceChildren(table(ranked));
    part.querySelector(".try-bump-about").textContent =
      `Ranks by ${ranked.names.length} measures, the best at the top. The thick line is the run that is chosen in the table.${few}`;
  };

  window.ordbookBump = Object.freeze({ draw });
})();
