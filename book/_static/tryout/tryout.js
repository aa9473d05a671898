// The box on the first page: labels or shares are pasted or typed, and the runs are ranked at once.
// The page is made by ordbook.pages.tryout. What comes from the reader is text, never markup.
(() => {
  "use strict";
  const root = document.querySelector(".tryout");
  const find = (name) => root.querySelector(`.try-${name}`);
  const { fixed, some, counted, element, copyText } = window.ordbookExplorer;
  const { LOW } = window.ordbookRanking;
  const { times } = window.ordbookSentences;
  const LONG = 300_000; // letters: a longer text is kept beside the box, and read by a worker
  const box = find("text");
  const fresh = () => ({
    header: null, gold: null, by: null, skip: false, order: null, confirmed: false, run: null, pooled: false, people: [],
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

  let worker = null;
  let address = null;
  const inWorker = (text, options, done) => {
    const scripts = [...root.querySelectorAll("script.try-engine")].map((script) => script.textContent);
    address ??= URL.createObjectURL(new Blob([
      "self.window = self;", ...scripts,
      `self.onmessage = ({ data: [text, options] }) => {
        try { self.postMessage([ordbookRanking.analyse(text, options), null]); }
        catch (problem) { self.postMessage([null, problem.message]); }
      };`,
    ], { type: "text/javascript" }));
    worker = new Worker(address);
    worker.onmessage = ({ data }) => done(...data);
    worker.postMessage([text, options]);
  };
  const orMessage = (attempt, explain) => {
    try {
      return attempt();
    } catch (problem) {
      if (!(problem instanceof RangeError)) throw problem;
      return explain(problem.message);
    }
  };
  const compute = (text, options, done) => {
    worker?.terminate();
    if (text.length > LONG) return inWorker(text, options, done);
    return done(...orMessage(() => [window.ordbookRanking.analyse(text, options), null], (message) => [null, message]));
  };

  // -- how it was read --

  const SEPARATORS = { "\t": "tabs", ",": "commas", ";": "semicolons", " ": "spaces" };
  const drawReading = (result) => {
    const { names, roles, gold, shares, items, rows, classes } = result;
    find("header").checked = result.named;
    find("gold").replaceChildren(...names.map((name) => new Option(short(name), name)));
    find("gold").value = gold;
    find("gold").parentElement.hidden = shares || gold === null;
    find("people").hidden = shares;
    // The fold opens once, and stays as the reader leaves it.
    if (result.guess && find("guess").hidden) find("people").open = true;
    find("guess").textContent = result.guess;
    find("guess").hidden = !result.guess;
    redraw(find("raters"), ...names.filter((_, k) => ["gold", "run", "person"].includes(roles[k])).map((name) => {
      const onchange = ({ target }) =>
        change({ people: [...state.people.filter((other) => other !== name), ...(target.checked ? [name] : [])] });
      const checked = state.people.includes(name);
      return element("label", {}, element("input", { type: "checkbox", name, checked, onchange }), ` ${short(name)}`);
    }));
    find("unit").hidden = shares || !result.topics.length;
    find("over").options[0].textContent = `means over ${counted(result.topics.length, "topic")}`;
    find("over").value = state.pooled ? "pooled" : "topics";
    const out = names.flatMap((name, k) => (/ /.test(roles[k]) ? [`${short(name)} (${roles[k]})`] : []));
    const divided = (result.forms ?? []).map(([name, form]) => `${short(name)} (${form})`);
    find("read").textContent = (shares ? "Shares of " : "") + counted(items, shares ? "topic" : "item") +
      (result.ordered && classes.length ? `, classes ${short(classes[0])} to ${short(classes.at(-1))}${result.steps ?? ""}` : "") +
      `, with ${SEPARATORS[result.separator]} between columns.` +
      (divided.length ? ` Divided by the sum of their rows: ${some(divided)}.` : "") +
      (out.length ? ` Left out: ${some(out)}.` : "") +
      (items < rows ? ` ${counted(rows - items, result.unit)} with errors left out.` : "");
  };

  const drawOrder = ({ asks, classes, tally, refused }) => {
    const part = find("order");
    part.hidden = !asks || refused;
    if (!asks) return;
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
    const isWaiting = result && !result.refused && !result.runs && result.items > 0;
    part.hidden = !message && !result?.refused && !isWaiting;
    if (part.hidden) return;
    const text = message || (isWaiting ? "Confirm the order of the labels: the median of people needs it."
      : `Some cells cannot be read. Mend them in the box, or leave their ${result.unit}s out for all runs:`);
    part.replaceChildren(element("p", {}, text), element("ul", {}, ...(result?.errors ?? []).map(({ cause, count, cells }) =>
      element("li", {}, element("strong", {}, `${cause[0].toUpperCase()}${cause.slice(1)}, ${times(count)}: `),
        `${cells.join("; ")}${count > cells.length ? "; …" : ""}`))));
    if (result?.refused && result.items) part.append(element("button", {
      type: "button", onclick: () => change({ skip: true }),
    }, `Leave out ${counted(result.rows - result.items, result.unit)} of ${result.rows}`));
  };

  const head = (by, measure) => {
    const [direction, sign] = LOW.has(measure) ? ["Low", "↓"] : ["High", "↑"];
    const button = element("button", {
      type: "button", name: measure, title: `${direction} is better. Rank by ${measure}.`, onclick: () => change({ by: measure }),
    });
    const [start, end] = measure.split("_");
    button.append(end ? `${start}_` : start, element("wbr"), end ? `${end}\u00a0${sign}` : ` ${sign}`);
    return element("th", { scope: "col", ariaSort: measure === by ? (LOW.has(measure) ? "ascending" : "descending") : null }, button);
  };
  const table = (part, caption, heads, rows) =>
    redraw(part, caption, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
  const drawTable = ({ runs, measures, by, overTopics, favoured, ordered, sentences, guess, gold }) => {
    const heads = [by, ...measures.filter((name) => name !== by)];
    const rows = runs.map((run) => {
      const isChosen = run.name === state.run;
      const choose = element("button", {
        type: "button", name: run.name, ariaPressed: String(isChosen), title: `Show the answers of ${run.name}`,
        onclick: () => change({ run: run.name }),
      }, short(run.name));
      return element("tr", { className: isChosen ? "try-chosen" : "" }, element("th", { scope: "row" }, choose),
        ...heads.map((name) => {
          const wins = run.ranks[name] === 1 && runs.some((other) => other.ranks[name] > 1);
          const cell = element("td", { className: wins ? "try-best" : "" }, number(run.scores[name]));
          Object.assign(cell.dataset, { measure: name, value: run.scores[name] });
          if (wins) cell.append(element("span", { className: "try-hidden" }, " (best)"));
          if (name === by) cell.append(element("span", { className: "try-interval" },
            run.interval?.map((x) => number(x, 2)).join(" to ") ?? " "));
          return cell;
        }));
    });
    table(find("scores"), element("caption", { className: "try-hidden" }, `Runs by ${by}, best first`),
      [element("th", { scope: "col" }, "run"), ...heads.map((name) => head(by, name))], rows);
    const range = runs[0].interval ? ` Below it the range of 95% of bootstrap samples of the ${overTopics ? "topics" : "items"}.` : "";
    find("about").textContent = (guess ? `Gold is taken to be ${short(gold)}. ` : "") + (ordered
      ? `Ranked by ${by}${by === favoured ? ", which this book recommends" : ""}.${range} ★ is the best of a column.`
      : `Confirm the order of the classes to see the measures that know it. ${measures.join(", ")} ${measures.length > 1 ? "do" : "does"} not need it.`);
    find("sentences").replaceChildren(...sentences.map((text) => element("p", {}, text)));
  };

  // Counts of labels by gold class, or mean shares beside gold and those of the worst topic.
  const drawAnswers = ({ runs, classes, ordered, shares, topics }) => {
    const { name, counts, errors } = runs.find((run) => run.name === state.run);
    const cells = shares ? errors.rows : counts;
    const largest = Math.max(...cells.flat()) || 1;
    const heads = shares ? ["gold, mean", `${name}, mean`, `gold, ${errors.worst}`, `${name}, ${errors.worst}`] : classes;
    const caption = shares ? `Shares of gold and ${short(name)}: means over ${counted(topics.length, "topic")}, and the topic of its highest NMD`
      : `Answers of ${short(name)}, by gold class`;
    table(find("matrix"), element("caption", {}, caption),
      ["", ...classes].map((label) => element("th", { scope: "col" }, short(label) || (shares ? "class" : "gold"))),
      cells.map((row, j) => element("tr", {}, element("th", { scope: "row" }, short(heads[j])), ...row.map((value, i) => {
        const isRight = shares ? j % 2 === 0 : i === j;
        const cell = element("td", { className: isRight ? "try-right" : "try-wrong" }, shares ? number(value, 2) : String(value));
        cell.style.setProperty("--try-share", `${Math.round(45 * Math.sqrt(value / largest))}%`);
        return cell;
      }))));
    // As many classes and items as the explorers take.
    const n = classes.length;
    const fits = shares ? n > 2 && n < 10 : n > 1 && n < 8 && largest < 1000;
    const link = find("explore");
    link.hidden = !fits || !ordered;
    link.textContent = `Move ${shares ? `the shares of ${short(errors.worst)}` : "these answers"} in the explorer`;
    link.href = shares ? `explorer.html#gold=${cells[2]}&estimate=${cells[3]}` : `explorer_labels.html#counts=${counts.join("/")}`;
    const words = shares ? ["the mean class of ", `in ${counted(errors.high, "topic")}`, `in ${errors.low}`] : ["", times(errors.high), times(errors.low)];
    find("bias").textContent = ordered
      ? `Bias ${errors.bias > 0 ? "+" : ""}${number(errors.bias, 2)} steps: ${words[0]}${short(name)} is ${words[1]} too high and ${words[2]} too low.`
      : "";
  };

  const drawPython = (result) => {
    const py = JSON.stringify;
    const list = (names, write = py) => `[${names.map(write).join(", ")}]`;
    const { named, names, gold, people, topic, topics, point, shares } = result;
    const runs = [...result.runs].sort((a, b) => a.column - b.column).map(({ name }) => name);
    const literal = (label) => {
      if (!result.numbers) return py(label);
      return point && !label.includes(".") ? `${label}.0` : label;
    };
    const float = point ? ".astype(float)" : "";
    const options = { "\t": ', sep="\\t"', ";": ', sep=";"', " ": ', sep=r"\\s+"', ",": "" }[result.separator] +
      (named ? "" : `, names=${list(names)}`) +
      (point === "," ? ', decimal=","' : "") +
      (result.numbers ? "" : ", keep_default_na=False, skipinitialspace=True");
    const measures = list(result.measures);
    const ofShares = () => [
      `rows = table${topic ? "" : '.assign(topic="all")'}.set_index(${list([result.source, topic ?? "topic"])})[${list(result.classes)}]` +
        (result.percent ? '.replace("%", "", regex=True).astype(float)' : ""),
      `shares = {run: rows.loc[run] for run in ${list([result.goldName, ...runs])}}`,
      ...(result.forms.length ? [
        `for run in ${list(result.forms.map(([name]) => (name === gold ? result.goldName : name)))}: ` +
          "shares[run] = shares[run].div(shares[run].sum(axis=1), axis=0)",
      ] : []),
      `task = ob.QuantificationTask.from_arrays(shares.pop(${py(result.goldName)}), shares, classes=${list(result.classes)})`,
    ];
    const ofPeople = () => [
      `task = ob.from_ratings(table.reset_index(names="row"), item="row", annotator=${list(people)}, gold="median", ties="lower", ` +
        `runs=${list(runs)}, classes=${list(result.classes, literal)}${topic ? `, topic=${py(topic)}` : ""})`,
      `ob.human_ceiling(task, ${measures})`,
    ];
    const ofLabels = () => [
      `gold, runs = table[${py(gold)}]${float}, table[${list(runs)}]${float}`,
      `task = ob.ClassificationTask.from_labels(gold, runs, ${topic ? `table[${py(topic)}]` : '["all"] * len(table)'}, ` +
        `${list(result.classes, literal)})`,
    ];
    find("python").textContent = [
      "import ordbook as ob, pandas as pd",
      `table = pd.read_csv("ratings.csv"${options})`,
      ...(shares ? ofShares : people.length ? ofPeople : ofLabels)(),
      `ob.score(task, ${measures}${topics.length && state.pooled && !shares ? ', aggregate="pooled"' : ""}).means()`,
    ].join("\n");
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
    if (result) {
      drawReading(result);
      drawOrder(result);
    } else [find("read").textContent, find("guess").hidden] = ["\u00a0", true];
    drawProblems(result, message);
    find("answer").hidden = find("more").hidden = !runs;
    // What takes the place of the answer leaves the page below where it is.
    if (runs) output.style.minHeight = "";
    else output.style.minHeight ||= `${height}px`;
    if (runs) {
      if (!runs.some(({ name }) => name === state.run)) state.run = runs[0].name;
      drawTable(result);
      drawAnswers(result);
      window.ordbookBump.draw(find("all"), result, state.run);
      drawPython(result);
      find("in-python").hidden = result.items < result.rows || !result.ordered;
      find("take").hidden = !result.ordered || result.classes.length < 2;
    }
    clearTimeout(timer);
    timer = setTimeout(() => {
      find("live").textContent = runs
        ? `${result.guess ? `${result.guess} ` : ""}${counted(result.items, result.shares ? "topic" : "item")}, ${counted(runs.length, "run")}. Best by ${result.by}: ` +
          `${runs[0].name}, ${fixed(runs[0].scores[result.by], 3)}. ${result.sentences.join(" ")}`
        : message || "Some cells cannot be read.";
    }, 700);
  };
  const text = () => held ?? box.value;
  const settings = () => ({ ...state, order: state.confirmed ? state.order : null });
  const update = () => {
    root.setAttribute("aria-busy", "true");
    find("taken").textContent = "";
    compute(text(), settings(), draw);
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
    change({ header: target.checked, gold: null, people: [], run: null });
  });
  on("gold", "change", ({ target }) => change({ gold: target.value, run: null }));
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
    const { files, zip } = window.ordbookZip;
    const entries = files(window.ordbookTable.read(text(), settings()));
    const download = element("a", { download: "ratings.zip", href: URL.createObjectURL(zip(entries)) });
    download.click();
    setTimeout(() => URL.revokeObjectURL(download.href), 60_000);
    find("taken").textContent = `ratings.zip holds gold, ${counted(entries.size - 2, "run")} and the order of the ` +
      "classes. The command “ordbook check ratings.zip” reads it.";
  });
  on("link", "click", async () => {
    const explain = (message) => (find("taken").textContent = message);
    const fragment = orMessage(() => window.ordbookLink.write(text(), settings()), explain);
    const link = window.location.href.replace(/#.*$/, "") + fragment;
    if (fragment.startsWith("#")) explain(await copyText(root, link) ? "Link copied." : `Copy this link: ${link}`);
  });

  const openLink = () => {
    const choices = orMessage(() => window.ordbookLink.read(window.location.hash), (message) => draw(null, message) ?? { message });
    if (!choices) return false;
    if (!choices.message) {
      const { text: linked, ...others } = choices;
      state = { ...fresh(), ...others, confirmed: choices.order !== null };
      columns = null;
      take(linked);
    }
    root.scrollIntoView({ block: "nearest" });
    return true;
  };
  window.addEventListener("hashchange", openLink);

  for (const part of root.querySelectorAll("[data-needs-script]")) part.hidden = false;
  if (!openLink()) update();
})();
