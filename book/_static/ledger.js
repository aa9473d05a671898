// The list of all printed numbers: filters it and shows a page at a time. No requests.
(() => {
  const section = document.currentScript.closest(".ledger");
  const data = JSON.parse(section.querySelector("script[type='application/json']").textContent);
  const form = section.querySelector("form");
  const { paper, table, verdict, words } = form.elements;
  const count = section.querySelector(".ledger-count");
  const cells = section.querySelector("table");
  const more = section.querySelector(".ledger-more");
  const STEP = 10;
  let found = [];
  let shown = 0;

  const make = (tag, text, style) => {
    const element = document.createElement(tag);
    element.textContent = text;
    if (style) element.className = style;
    return element;
  };
  const fill = (select, all, entries) => {
    select.replaceChildren(make("option", all), ...entries.map(([value, text]) => {
      const option = make("option", text);
      option.value = value;
      return option;
    }));
    select.options[0].value = "";
  };
  const place = (name) => name.replace(/^(?=\d)/, "Table ").replace(/^s(?=\d)/, "Section ")
    .replace(/^(caption|footnote|figure|table)(?=\d)/, "$1 ");

  // A long reason folds; its beginning stays in sight.
  const reason = (text) => {
    if (text.length <= 150) return make("span", text);
    const details = make("details", "");
    details.append(make("summary", `${text.slice(0, 110)}…`), make("p", text));
    return details;
  };
  const line = ([p, t, row, column, printed, s, why]) => {
    const tr = make("tr", "");
    const { name, style } = data.verdicts[s];
    const badge = make("td", "");
    badge.append(make("span", name, style));
    const where = make("td", `${data.papers[p]}, ${place(t)}: ${row}, ${column}`);
    const last = make("td", "");
    last.append(reason(data.reasons[why]));
    tr.append(make("td", printed), badge, where, last);
    return tr;
  };
  const show = () => {
    const next = found.slice(shown, shown + STEP).map(line);
    cells.tBodies[0].append(...next);
    shown += next.length;
    more.hidden = shown >= found.length;
    more.textContent = `Show ${Math.min(STEP, found.length - shown)} more of ${found.length - shown}`;
    return next[0];
  };
  const tables = () => {
    const mine = data.rows.filter((row) => paper.value === "" || row[0] === +paper.value);
    const names = paper.value === "" ? [] : [...new Set(mine.map((row) => row[1]))];
    fill(table, paper.value === "" ? "choose a paper" : "all", names.map((n) => [n, place(n)]));
    table.disabled = paper.value === "";
  };
  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = data.rows.filter(([p, t, row, column, printed, s, why]) => {
      if (paper.value !== "" && p !== +paper.value) return false;
      if (table.value !== "" && t !== table.value) return false;
      if (verdict.value !== "" && s !== +verdict.value) return false;
      const text = `${place(t)} ${row} ${column} ${printed} ${data.reasons[why]}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    });
    const tally = new Map();
    found.forEach((row) => tally.set(row[5], (tally.get(row[5]) || 0) + 1));
    const parts = [...tally].sort(([a], [b]) => a - b)
      .map(([s, n]) => `${n.toLocaleString("en")} ${data.verdicts[s].name}`);
    count.textContent = `${found.length.toLocaleString("en")} of `
      + `${data.rows.length.toLocaleString("en")} numbers${parts.length ? ": " : "."}${parts.join(", ")}`;
    cells.tBodies[0].replaceChildren();
    shown = 0;
    show();
  };

  fill(paper, "all", data.papers.map((name, i) => [i, name]));
  const used = new Set(data.rows.map((row) => row[5]));
  fill(verdict, "all", data.verdicts.map(({ name, sign }, i) => [i, `${sign} ${name}`])
    .filter(([i]) => used.has(i)));
  tables();
  paper.addEventListener("change", tables);
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  more.addEventListener("click", () => {
    const first = show();
    // The button may be gone: readers at the keyboard go on with the first new line.
    if (first && more.hidden) { first.tabIndex = -1; first.focus(); }
  });
  form.hidden = cells.hidden = false;
  filter();
})();
