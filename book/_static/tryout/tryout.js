// The box on the first page: labels are pasted or typed, and the runs are ranked at once.
// The page is made by ordbook.pages.tryout. What comes from the reader is text, never markup.
(() => {
  "use strict";
  const root = document.querySelector(".tryout");
  const find = (name) => root.querySelector(`.try-${name}`);
  const { fixed, some, listing, counted, element } = window.ordbookExplorer;
  const { LOW } = window.ordbookRanking;
  const { times } = window.ordbookSentences;
  const LONG = 300_000; // letters: a longer text is kept beside the box
  const box = find("text");
  const fresh = () => ({
    header: null, golds: [], by: null, skip: false, codes: null, order: null, confirmed: false, run: null, pooled: false,
  });
  let state = fresh();
  let columns = null; // the names of those that were read last
  let held = null; // a text that is too long for the box

  const short = (name) => (name.length > 40 ? `${name.slice(0, 39)}…` : name);
  const number = (x, digits = 3) => fixed(x, digits).replace("-", "−");
  // What is drawn anew keeps the focus on the control of the same name.
  const redraw = (part, ...children) => {
    const nameOf = (control) => control.ariaLabel || control.name || control.textContent;
    const focused = part.contains(document.activeElement) && nameOf(document.activeElement);
    part.replaceChildren(...children);
    if (focused) [...part.querySelectorAll("button, input")].find((control) => nameOf(control) === focused)?.focus();
  };
  const change = (choice) => {
    Object.assign(state, choice);
    update();
  };

  // -- computing --

  const compute = (text, options) => {
    try {
      return [window.ordbookRanking.analyse(text, options), null];
    } catch (problem) {
      if (!(problem instanceof RangeError)) throw problem;
      return [null, problem.message];
    }
  };

  // -- how it was read --

  const SEPARATORS = { "\t": "tabs", "|": "pipes", ",": "commas", ";": "semicolons", " ": "spaces" };
  const drawReading = (result) => {
    const { names, roles, golds, items, rows, classes } = result;
    find("header").checked = result.named;
    redraw(find("golds"), ...names.filter((_, k) => ["gold", "run"].includes(roles[k])).map((name) => {
      const checked = golds.includes(name);
      const onchange = () => change({ golds: checked ? golds.filter((other) => other !== name) : [...golds, name] });
      return element("label", {}, element("input", { type: "checkbox", name, checked, onchange }), ` ${short(name)}`);
    }));
    find("unit").hidden = !result.topics.length;
    find("over").options[0].textContent = `means over ${counted(result.topics.length, "topic")}`;
    find("over").value = state.pooled ? "pooled" : "topics";
    const out = names.flatMap((name, k) => (/ /.test(roles[k]) ? [`${short(name)} (${roles[k]})`] : []));
    find("read").textContent = counted(items, "item") +
      (result.ordered && classes.length ? `, classes ${short(classes[0])} to ${short(classes.at(-1))}${result.steps ?? ""}` : "") +
      `, with ${SEPARATORS[result.separator]} between columns${result.long ? " and a row for each rating" : ""}.` +
      (result.codes?.length && !result.question ? ` No answer: ${listing(result.codes)}.` : "") +
      (out.length ? ` Left out: ${some(out)}.` : "") +
      (items < rows && !result.refused ? ` ${counted(rows - items, "row")} with errors left out.` : "");
  };

  const drawOrder = ({ asks, classes, tally, refused }) => {
    const part = find("order");
    part.hidden = !asks || refused;
    if (part.hidden) return;
    if (state.order?.length !== classes.length || !classes.every((name) => state.order.includes(name))) {
      Object.assign(state, { order: classes, confirmed: false });
      part.open = true;
    }
    redraw(find("labels"), ...state.order.map((name, k) => {
      const button = (sign, step, word) => element("button", {
        type: "button", ariaLabel: `${name}: ${word}`, ariaDisabled: String(!(k + step in state.order)),
        onclick: () => {
          const order = [...state.order];
          if (k + step in order) [order[k], order[k + step]] = [order[k + step], order[k]];
          change({ order });
        },
      }, sign);
      const count = tally ? ` (${tally[classes.indexOf(name)]})` : "";
      return element("li", {}, button("↑", -1, "lower in the order"), button("↓", 1, "higher in the order"),
        element("span", {}, short(name) + count));
    }));
    find("confirm").hidden = state.confirmed;
  };

  // -- the answer --

  const drawProblems = (result, message) => {
    const part = find("problems");
    const text = message || result.question || (result.refused
      ? "Some rows cannot be read. Mend them in the box, or leave them out for all runs:"
      : result.runs ? "" : "No row is left.");
    part.hidden = !text;
    const { errors = [], codes, question } = result ?? {};
    const button = (label, choice) => element("button", { type: "button", onclick: () => change(choice) }, label);
    part.replaceChildren(element("p", {}, text), element("ul", {}, ...errors.map(({ cause, count, cells }) =>
      element("li", {}, element("strong", {}, `${cause[0].toUpperCase()}${cause.slice(1)}, ${times(count)}: `),
        `${cells.join("; ")}${count > cells.length ? "; …" : ""}`))));
    if (question && codes) part.append(button("No answer", { codes: "gaps" }), " ", button("A class", { codes: "classes" }));
    if (result?.refused && result.items)
      part.append(button(`Leave out ${counted(result.rows - result.items, "row")} of ${result.rows}`, { skip: true }));
    return text;
  };

  const head = (by, measure) => {
    const [direction, sign] = LOW.has(measure) ? ["Low", "↓"] : ["High", "↑"];
    const button = element("button", {
      type: "button", name: measure, title: `${direction} is better. Rank by ${measure}.`, onclick: () => change({ by: measure }),
    });
    const [start, end] = measure.split("_");
    button.append(end ? `${start}_` : start, element("wbr"), `${end ?? ""}\u00a0${sign}`);
    return element("th", { scope: "col", ariaSort: measure === by ? (LOW.has(measure) ? "ascending" : "descending") : null }, button);
  };
  const table = (part, caption, heads, rows) =>
    redraw(part, caption, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
  const scores = (part, { runs, by }, measures, caption, upper) =>
    table(part, element("caption", { className: "visually-hidden" }, caption),
      [element("th", { scope: "col" }, "run"), ...measures.map((name) => head(by, name)),
        ...(upper ? [element("th", { scope: "col" }, `${by}, upper median`)] : [])],
      runs.map((run) => {
        const choose = element("button", {
          type: "button", name: run.name, ariaPressed: String(run.name === state.run), title: `Show the answers of ${run.name}`,
          onclick: () => change({ run: run.name }),
        }, short(run.name));
        const cell = (score, isBest, more = "") => element("td", { className: isBest ? "try-best" : "" }, number(score),
          ...(isBest ? [element("span", { className: "visually-hidden" }, " (best)")] : []), more);
        return element("tr", { className: run.name === state.run ? "try-chosen" : "" }, element("th", { scope: "row" }, choose),
          ...measures.map((name) => {
            const interval = name === by && run.interval &&
              element("span", { className: "try-interval" }, run.interval.map((x) => number(x, 2)).join(" to "));
            const isBest = run.ranks[name] === 1 && runs.some((other) => other.ranks[name] > 1);
            const filled = cell(run.scores[name], isBest, interval || "");
            Object.assign(filled.dataset, { measure: name, value: run.scores[name] });
            return filled;
          }),
          ...(upper ? [cell(run.upper, run.isFirstByUpper && !runs.every((other) => other.isFirstByUpper))] : []));
      }));
  const drawTable = (result) => {
    const { runs, measures, by, overTopics, plain, favoured, ordered, sentences, ties } = result;
    const second = by === plain && ordered ? favoured : by;
    scores(find("scores"), result, [...new Set([plain, second])], `Runs by ${by}, best first`, ties > 0);
    scores(find("every"), result, measures, `Runs by every measure, ranked by ${by}`, false);
    find("all").hidden = !ordered;
    const range = runs[0].interval ? ` Below it the range of 95% of bootstrap samples of the ${overTopics ? "topics" : "items"}.` : "";
    find("about").textContent = ordered
      ? `Ranked by ${by}${by === favoured ? ", which this book recommends" : ""}.${range} ★ is the best of a column.`
      : `Confirm the order of the classes to see the measures that know it. ${measures.join(", ")} ${measures.length > 1 ? "do" : "does"} not need it.`;
    find("sentences").replaceChildren(...sentences.map((text) => element("p", {}, text)));
  };

  const drawAnswers = ({ runs, classes, ordered }) => {
    const { name, counts, errors } = runs.find((run) => run.name === state.run);
    const largest = Math.max(...counts.flat()) || 1;
    table(find("matrix"), element("caption", {}, `Answers of ${short(name)}, by gold class`),
      ["", ...classes].map((label) => element("th", { scope: "col" }, short(label) || "gold")),
      counts.map((row, j) => element("tr", {}, element("th", { scope: "row" }, short(classes[j])), ...row.map((count, i) => {
        const cell = element("td", { className: i === j ? "try-right" : "try-wrong" }, String(count));
        cell.style.setProperty("--try-share", `${Math.round(45 * Math.sqrt(count / largest))}%`);
        return cell;
      }))));
    // As many classes and items as the explorer takes.
    find("explore").hidden = classes.length < 2 || classes.length > 7 || largest > 999 || !ordered;
    find("explore").href = `explorer_labels.html#counts=${counts.join("/")}`;
    find("bias").textContent = ordered
      ? `Bias ${errors.bias > 0 ? "+" : ""}${number(errors.bias, 2)} steps: ${short(name)} is ${times(errors.high)} too high and ${times(errors.low)} too low.`
      : "";
  };

  // -- together --

  let timer = 0;
  const draw = (result, message) => {
    // What was chosen for some columns need not hold for others.
    if (result && columns !== null && columns !== String(result.names)) {
      columns = null;
      return change({ ...fresh(), by: state.by });
    }
    if (result) columns = String(result.names);
    root.removeAttribute("aria-busy");
    const output = find("output");
    const height = output.offsetHeight;
    const runs = result?.runs;
    find("reading").classList.toggle("try-unread", !result);
    if (result) drawReading(result);
    drawOrder(result ?? {});
    const problem = drawProblems(result, message);
    find("answer").hidden = find("more").hidden = !runs;
    // What takes the place of the answer leaves the page below where it is.
    if (runs) output.style.minHeight = "";
    else output.style.minHeight ||= `${height}px`;
    if (runs) {
      if (!runs.some(({ name }) => name === state.run)) state.run = runs[0].name;
      drawTable(result);
      drawAnswers(result);
      find("take").hidden = !result.ordered || result.classes.length < 2;
      find("shell").textContent = window.ordbookTake.shell(result);
      find("python").textContent = window.ordbookTake.python(result);
    }
    clearTimeout(timer);
    timer = setTimeout(() => {
      const said = problem || `${counted(result.items, "item")}, ${counted(runs.length, "run")}. ` +
        `Best by ${result.by}: ${runs[0].name}, ${fixed(runs[0].scores[result.by], 3)}. ${result.sentences.join(" ")}`;
      if (find("live").textContent !== said) find("live").textContent = said;
    }, 700);
  };
  const text = () => held ?? box.value;
  const settings = () => ({ ...state, order: state.confirmed ? state.order : null });
  const update = () => {
    draw(...compute(text(), settings()));
  };
  const take = (pasted) => {
    held = pasted.length > LONG ? pasted : null;
    box.readOnly = held !== null;
    const rows = pasted.split("\n", 100).map((line) => line.slice(0, 200));
    const visible = held ? `${rows.join("\n")}\n… and so on: all of it is read.` : pasted;
    if (box.value !== visible) box.value = visible;
    change({ skip: false });
  };

  // -- what the reader does --

  const on = (name, event, listener) => find(name).addEventListener(event, listener);
  let typing = 0;
  on("text", "input", () => {
    clearTimeout(typing);
    root.setAttribute("aria-busy", "true");
    typing = setTimeout(() => take(box.value), 120);
  });
  on("text", "paste", (event) => {
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    if (pasted.length <= LONG) return;
    event.preventDefault();
    take(pasted);
  });
  const open = async (file) => {
    root.setAttribute("aria-busy", "true");
    const bytes = new Uint8Array(await file.arrayBuffer());
    const starts = (...codes) => codes.every((code, k) => bytes[k] === code);
    if (starts(0x50, 0x4b, 3, 4) || starts(0xd0, 0xcf, 0x11, 0xe0))
      return draw(null, `${short(file.name)} is a workbook. Copy its cells and paste them, or save it as CSV.`);
    return take(new TextDecoder(starts(0xff, 0xfe) ? "utf-16le" : "utf-8").decode(bytes));
  };
  on("file", "change", ({ target }) => {
    if (target.files.length) open(target.files[0]);
    target.value = "";
  });
  on("open", "click", () => find("file").click());
  root.addEventListener("dragover", (event) => event.preventDefault());
  root.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    open(event.dataTransfer.files[0]);
  });
  on("header", "change", ({ target }) => {
    columns = null;
    change({ header: target.checked, golds: [], run: null });
  });
  on("over", "change", ({ target }) => change({ pooled: target.value === "pooled" }));
  on("confirm", "click", () => {
    change({ confirmed: true });
    find("order").open = false;
    find("order").querySelector("summary").focus();
  });
  on("empty", "click", () => {
    take("");
    box.focus();
  });
  for (const button of root.querySelectorAll("[data-example]"))
    button.addEventListener("click", () => {
      state = fresh();
      take(button.dataset.example);
    });

  on("save", "click", () => {
    const csv = window.ordbookTake.csv(window.ordbookTable.read(text(), settings()));
    const href = URL.createObjectURL(new Blob([csv], { type: "text/csv" }));
    element("a", { download: "ratings.csv", href }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  });

  for (const part of root.querySelectorAll("[data-needs-script]")) part.hidden = false;
  update();
})();
