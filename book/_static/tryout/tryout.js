// The box on the first page: ratings are pasted or typed, and the runs are ranked at once.
// The page is made by ordbook.pages.tryout. What comes from the reader is text, never markup.
//
// Contents
// --------
// compute              in the page, or in a worker if there is much to read
// drawReading          how the text was read, and the order of the labels
// drawProblems, drawTable, drawMatrix, drawPython   the answer
// save, copyLink       a zip for ordbook, and a link that holds the table
// update               after every change; what is read aloud comes when typing stops
(() => {
  "use strict";
  const root = document.querySelector(".tryout");
  const find = (name) => root.querySelector(`.try-${name}`);
  const { fixed } = window.ordbookExplorer;
  const { LOW, counted, times } = window.ordbookRanking;
  const LONG = 300_000; // letters: a longer text is kept beside the box, and read by a worker
  const box = find("text");
  const example = box.defaultValue;
  const fresh = () => ({
    header: null, gold: null, by: null, skip: false, order: null, confirmed: false, run: null, pooled: false, people: [],
  });
  let state = fresh();
  let columns = null; // the names of those that were read last
  let held = null; // a text that is too long for the box

  const element = (tag, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  const hidden = (text) => element("span", { className: "try-hidden" }, text);
  const short = (name) => (name.length > 40 ? `${name.slice(0, 39)}…` : name);

  // -- computing --

  let worker = null;
  let address = null;
  const inWorker = (text, options, done) => {
    worker?.terminate();
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
  const compute = (text, options, done) => {
    worker?.terminate();
    if (text.length > LONG) return inWorker(text, options, done);
    try {
      return done(window.ordbookRanking.analyse(text, options), null);
    } catch (problem) {
      if (!(problem instanceof RangeError)) throw problem;
      return done(null, problem.message);
    }
  };

  // -- how it was read --

  const SEPARATORS = { "\t": "tabs", ",": "commas", ";": "semicolons", " ": "spaces" };
  const drawReading = (result) => {
    const { names, roles, gold } = result;
    find("header").checked = result.named;
    const select = find("gold");
    const options = names.map((name, k) => new Option(short(name), k));
    if (String(names) !== select.dataset.names) {
      select.replaceChildren(...options);
      select.dataset.names = String(names);
    }
    select.value = String(Math.max(0, gold));
    select.parentElement.hidden = gold < 0;
    drawPeople(result);
    const out = names.flatMap((name, k) =>
      (["gold", "run", "topic", "person"].includes(roles[k]) ? [] : [`${short(name)}, because ${roles[k]}`]));
    find("unit").hidden = !result.topics;
    find("over").options[0].textContent = `means over ${counted(result.topics, "topic")}`;
    find("over").value = state.pooled ? "pooled" : "topics";
    const scale = result.ordered && result.classes.length
      ? `, classes ${short(result.classes[0])} to ${short(result.classes.at(-1))}`
      : "";
    const some = out.slice(0, 3).join("; ") + (out.length > 3 ? `; and ${out.length - 3} more` : "");
    find("read").textContent =
      `${counted(result.items, "item")}${scale}, with ${SEPARATORS[result.separator]} between columns.` +
      (out.length ? ` Left out: ${some}.` : "") +
      (result.items < result.rows ? ` ${counted(result.rows - result.items, "row")} with errors left out.` : "");
  };

  const drawPeople = ({ names, roles }) => {
    const list = find("raters");
    if (list.dataset.names !== String(names)) {
      list.dataset.names = String(names);
      list.replaceChildren(...names.map((name, k) => {
        const check = element("input", {
          type: "checkbox", checked: state.people.includes(k),
          onchange: () => {
            state.people = state.people.filter((other) => other !== k);
            if (check.checked) state.people.push(k);
            update();
          },
        });
        return element("label", {}, check, ` ${short(name)}`);
      }));
    }
    [...list.children].forEach((label, k) => {
      label.hidden = !["gold", "run", "person"].includes(roles[k]) && !state.people.includes(k);
      label.firstChild.checked = state.people.includes(k);
    });
  };

  const drawOrder = (result) => {
    const part = find("order");
    part.hidden = !result.asks;
    if (!result.asks) return;
    const labels = result.classes;
    const same = state.order && state.order.length === labels.length && labels.every((one) => state.order.includes(one));
    if (!same) {
      Object.assign(state, { order: labels, confirmed: false });
      part.open = true;
    }
    const tally = new Map(labels.map((name, k) => [name, result.tally[k]]));
    const move = (k, step) => {
      const order = [...state.order];
      [order[k], order[k + step]] = [order[k + step], order[k]];
      state.order = order;
      update();
      const buttons = find("labels").children[k + step].querySelectorAll("button");
      const wanted = buttons[step < 0 ? 0 : 1];
      (wanted.disabled ? buttons[step < 0 ? 1 : 0] : wanted).focus();
    };
    find("labels").replaceChildren(...state.order.map((name, k) => {
      const button = (sign, step, word) => element("button", {
        type: "button", ariaLabel: `${name}: ${word}`, disabled: !(k + step in state.order),
        onclick: () => move(k, step),
      }, sign);
      return element("li", {}, button("↑", -1, "lower in the order"), button("↓", 1, "higher in the order"),
        element("span", {}, `${short(name)} (${tally.get(name)})`));
    }));
    find("confirm").hidden = state.confirmed;
  };

  // -- the answer --

  const drawProblems = (result, message) => {
    const part = find("problems");
    const errors = result?.errors ?? [];
    const waits = result && !result.refused && !result.runs && result.items > 0;
    part.hidden = !message && !result?.refused && !waits;
    if (part.hidden) return;
    if (waits) return part.replaceChildren(element("p", {}, "Confirm the order of the labels: the median of people needs it."));
    const items = errors.map(({ cause, count, cells }) =>
      element("li", {}, element("strong", {}, `${cause[0].toUpperCase()}${cause.slice(1)}, ${times(count)}: `),
        `${cells.join("; ")}${count > cells.length ? "; …" : ""}`));
    part.replaceChildren(
      element("p", {}, message || "Some cells cannot be read. Mend them in the box, or leave their rows out for all runs:"),
      element("ul", {}, ...items));
    if (result?.items) part.append(element("button", {
      type: "button", onclick: () => { state.skip = true; update(); },
    }, `Leave out ${counted(result.rows - result.items, "row")} of ${result.rows}`));
  };

  const head = (result, measure) => {
    const ranks = measure === result.by;
    const sign = LOW.has(measure) ? "↓" : "↑";
    const button = element("button", {
      type: "button", title: `${LOW.has(measure) ? "Low" : "High"} is better. Rank by ${measure}.`,
      onclick: () => {
        state.by = measure;
        update();
        find("scores").querySelector("[aria-sort] button").focus();
      },
    });
    const [start, end] = measure.split("_");
    button.append(end ? `${start}_` : start, element("wbr"), end ? `${end}\u00a0${sign}` : ` ${sign}`);
    const cell = element("th", { scope: "col" }, button);
    if (ranks) cell.ariaSort = LOW.has(measure) ? "ascending" : "descending";
    return cell;
  };
  const drawTable = (result) => {
    const { runs, measures, by } = result;
    const heads = [by, ...measures.filter((name) => name !== by)];
    const rows = runs.map((run) => {
      const chosen = run.name === state.run;
      const choose = element("button", {
        type: "button", ariaPressed: String(chosen), title: `Show the answers of ${run.name}`,
        onclick: () => {
          state.run = run.name;
          update();
          find("scores").querySelector('[aria-pressed="true"]').focus();
        },
      }, short(run.name));
      return element("tr", { className: chosen ? "try-chosen" : "" }, element("th", { scope: "row" }, choose),
        ...heads.map((name) => {
          const wins = runs.length > 1 && result.first[name].length < runs.length && result.first[name].includes(run.column);
          const cell = element("td", { className: wins ? "try-best" : "" }, fixed(run.scores[name], 3).replace("-", "−"));
          cell.dataset.measure = name;
          cell.dataset.value = run.scores[name];
          if (wins) cell.append(hidden(" (best)"));
          if (name === by) cell.append(element("span", { className: "try-interval" },
            run.interval ? run.interval.map((x) => fixed(x, 2).replace("-", "−")).join(" to ") : " "));
          return cell;
        }));
    });
    find("scores").replaceChildren(
      element("caption", { className: "try-hidden" }, `Runs by ${by}, best first`),
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "run"), ...heads.map((name) => head(result, name)))),
      element("tbody", {}, ...rows));
    const recommended = by === result.favoured ? ", which this book recommends" : "";
    find("about").textContent = result.ordered
      ? `Ranked by ${by}${recommended}. Below it the range of 95% of bootstrap samples of the ${result.overTopics ? "topics" : "items"}. ★ is the best of a column.`
      : "Confirm the order of the labels to see the measures that know it. Accuracy does not need it.";
    find("sentences").replaceChildren(...result.sentences.map((text) => element("p", {}, text)));
  };

  const drawMatrix = (result) => {
    const run = result.runs.find(({ name }) => name === state.run);
    const { classes } = result;
    const largest = Math.max(1, ...run.counts.flat());
    const rows = run.counts.map((row, j) => element("tr", {}, element("th", { scope: "row" }, short(classes[j])),
      ...row.map((count, i) => {
        const cell = element("td", { className: i === j ? "try-right" : "try-wrong" }, String(count));
        cell.style.setProperty("--try-share", `${Math.round(45 * Math.sqrt(count / largest))}%`);
        return cell;
      })));
    find("matrix").replaceChildren(
      element("caption", {}, `Answers of ${short(run.name)}, by gold class`),
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "gold"),
        ...classes.map((name) => element("th", { scope: "col" }, short(name))))),
      element("tbody", {}, ...rows));
    // As many classes and items as the explorer takes.
    const fits = classes.length > 1 && classes.length < 8 && largest < 1000 && result.ordered;
    find("explore").hidden = !fits;
    find("explore").href = fits ? `explorer_labels.html#counts=${run.counts.map((row) => row.join(",")).join("/")}` : "";
    const { mean, high, low } = run.bias;
    find("bias").textContent = result.ordered
      ? `Bias ${mean > 0 ? "+" : ""}${fixed(mean, 2).replace("-", "−")} steps: ${short(run.name)} is ${times(high)} too high and ${times(low)} too low.`
      : "";
  };

  const drawPython = (result) => {
    const py = JSON.stringify;
    const name = (k) => (result.named ? py(result.names[k]) : result.people.length ? py(String(k)) : k);
    const literal = (label) => {
      if (!result.numbers) return py(label);
      return result.point && !label.includes(".") ? `${label}.0` : label;
    };
    const classes = result.classes.map(literal).join(", ");
    const float = result.point ? ".astype(float)" : "";
    const options = { "\t": ', sep="\\t"', ";": ', sep=";"', " ": ', sep=r"\\s+"', ",": "" }[result.separator] +
      (result.named ? "" : ", header=None") +
      (result.point === "," ? ', decimal=","' : "") +
      (result.numbers ? "" : ", keep_default_na=False, skipinitialspace=True");
    const columns = (list) => `[${list.map(name).join(", ")}]`;
    const topics = result.topics ? `table[${name(result.topic)}]` : '["all"] * len(table)';
    const measures = result.measures.map((one) => py(one)).join(", ");
    const names = result.people.length && !result.named ? ".rename(columns=str)" : "";
    const pooled = result.topics && !result.overTopics ? ', aggregate="pooled"' : "";
    find("python").textContent = [
      "import ordbook as ob, pandas as pd",
      `table = pd.read_csv("ratings.csv"${options})${names}`,
      ...(result.people.length ? [
        `task = ob.from_ratings(table.reset_index(names="row"), item="row", annotator=${columns(result.people)}, ` +
          `gold="median", runs=${columns(result.runColumns)}, classes=[${classes}]` +
          `${result.topics ? `, topic=${name(result.topic)}` : ""})`,
        `ob.human_ceiling(task, [${measures}])`,
      ] : [
        `gold, runs = table[${name(result.gold)}]${float}, table[${columns(result.runColumns)}]${float}`,
        `task = ob.ClassificationTask.from_labels(gold, runs, ${topics}, [${classes}])`,
      ]),
      `ob.score(task, [${measures}]${pooled}).means()`,
    ].join("\n");
  };

  // -- to take away --

  const save = () => {
    const { files, zip } = window.ordbookZip;
    const entries = files(window.ordbookTable.read(held ?? box.value, settings()));
    const download = element("a", { download: "ratings.zip", href: URL.createObjectURL(zip(entries)) });
    download.click();
    setTimeout(() => URL.revokeObjectURL(download.href), 60_000);
    find("taken").textContent = `ratings.zip holds gold, ${counted(entries.size - 2, "run")} and the order of the ` +
      "classes. The command “ordbook check ratings.zip” reads it.";
  };
  find("save").addEventListener("click", save);
  const copyLink = async () => {
    try {
      const link = window.location.href.replace(/#.*$/, "") + window.ordbookLink.write(held ?? box.value, settings());
      const area = find("address");
      area.value = link;
      area.hidden = false;
      area.select();
      const copied = await navigator.clipboard.writeText(link).then(() => true, () => document.execCommand("copy"));
      area.hidden = copied;
      if (copied) find("link").focus();
      find("taken").textContent = copied ? "Link copied." : "Copy the link from this line:";
    } catch (problem) {
      if (!(problem instanceof RangeError)) throw problem;
      find("taken").textContent = problem.message;
    }
  };
  find("link").addEventListener("click", copyLink);

  // -- together --

  let timer = 0;
  const draw = (result, message) => {
    // What was chosen for some columns need not hold for others.
    if (result && columns !== null && columns !== String(result.names)) {
      columns = null;
      state = { ...fresh(), by: state.by };
      return update();
    }
    if (result) columns = String(result.names);
    root.removeAttribute("aria-busy");
    if (result) {
      drawReading(result);
      drawOrder(result);
    } else find("read").textContent = "\u00a0";
    const ranked = Boolean(result?.runs);
    const height = find("output").offsetHeight;
    drawProblems(result, message);
    find("answer").hidden = find("more").hidden = !ranked;
    find("order").hidden = !result?.asks || result.refused;
    // What takes the place of the answer leaves the page below where it is.
    const output = find("output");
    if (!ranked && !output.style.minHeight) output.style.minHeight = `${height}px`;
    if (ranked) {
      output.style.minHeight = "";
      if (!result.runs.some(({ name }) => name === state.run)) state.run = result.runs[0].name;
      drawTable(result);
      drawMatrix(result);
      window.ordbookBump.draw(find("all"), result, state.run);
      drawPython(result);
      find("in-python").hidden = result.items < result.rows || !result.ordered;
      find("take").hidden = !result.ordered || result.classes.length < 2;
    }
    const best = ranked ? result.runs[0] : null;
    clearTimeout(timer);
    timer = setTimeout(() => {
      find("live").textContent = best
        ? `${counted(result.items, "item")}, ${counted(result.runs.length, "run")}. Best by ${result.by}: ` +
          `${best.name}, ${fixed(best.scores[result.by], 3)}. ${result.sentences.join(" ")}`
        : message || "Some cells cannot be read.";
    }, 700);
  };
  const settings = () => {
    const { header, gold, by, skip, order, confirmed, pooled, people } = state;
    return { header, gold, by, skip, pooled, people, order: confirmed ? order : null };
  };
  const update = () => {
    root.setAttribute("aria-busy", "true");
    find("taken").textContent = "";
    find("address").hidden = true;
    compute(held ?? box.value, settings(), draw);
  };
  const take = (text) => {
    state.skip = false;
    held = text.length > LONG ? text : null;
    box.readOnly = held !== null;
    if (held) {
      const rows = held.split("\n", 200).slice(0, 100).map((line) => line.slice(0, 200));
      box.value = `${rows.join("\n")}\n… and so on: all of it is read.`;
    } else if (box.value !== text) box.value = text;
    update();
  };

  let typing = 0;
  box.addEventListener("input", () => {
    clearTimeout(typing);
    root.setAttribute("aria-busy", "true");
    typing = setTimeout(() => take(box.value), 120);
  });
  box.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.length <= LONG) return;
    event.preventDefault();
    take(text);
  });
  const open = async (file) => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const starts = (...codes) => codes.every((code, k) => bytes[k] === code);
    if (starts(0x50, 0x4b, 3, 4) || starts(0xd0, 0xcf, 0x11, 0xe0))
      return draw(null, `${short(file.name)} is a workbook. Copy its cells and paste them, or save it as CSV.`);
    return take(new TextDecoder(starts(0xff, 0xfe) ? "utf-16le" : "utf-8").decode(bytes));
  };
  find("file").addEventListener("change", () => {
    if (find("file").files.length) open(find("file").files[0]);
    find("file").value = "";
  });
  find("open").addEventListener("click", () => find("file").click());
  root.addEventListener("dragover", (event) => event.preventDefault());
  root.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    open(event.dataTransfer.files[0]);
  });
  find("header").addEventListener("change", () => {
    Object.assign(state, { header: find("header").checked, gold: null, people: [], run: null });
    columns = null;
    update();
  });
  find("gold").addEventListener("change", () => {
    Object.assign(state, { gold: Number(find("gold").value), run: null });
    update();
  });
  find("over").addEventListener("change", () => {
    state.pooled = find("over").value === "pooled";
    update();
  });
  find("confirm").addEventListener("click", () => {
    state.confirmed = true;
    update();
    find("order").open = false;
    find("order").querySelector("summary").focus();
  });
  find("empty").addEventListener("click", () => {
    take("");
    box.focus();
  });
  find("example").addEventListener("click", () => {
    state = fresh();
    take(example);
  });

  const openLink = () => {
    try {
      const { text, ...choices } = window.ordbookLink.read(window.location.hash) ?? {};
      if (text === undefined) return false;
      state = { ...fresh(), ...choices, confirmed: choices.order !== null };
      columns = null;
      take(text);
    } catch (problem) {
      if (!(problem instanceof RangeError)) throw problem;
      draw(null, problem.message);
    }
    root.scrollIntoView({ block: "nearest" });
    return true;
  };
  window.addEventListener("hashchange", openLink);

  for (const part of root.querySelectorAll("[data-needs-script]")) part.hidden = false;
  if (!openLink()) update();
})();
