// A pasted table: text -> the answers of gold and runs, the classes, and what is wrong. Nothing here
// touches the page, so that a worker can run it.
//
// Contents
// --------
// separatorOf, records   the cells of the text, as a spreadsheet copies them or as CSV
// hasHeader, sourceOf    guesses: is the first line a header, do rows hold labels or shares
// errorsOf               what is wrong with cells, by cause
// labels                 a column of gold and one for each run, a row for each item
// shares                 a row for each topic and run, a column for each class
// read                   text and options -> all of it
(() => {
  "use strict";
  const MOST_CLASSES = 25;
  const MOST_CELLS = 10; // of a kind of error that are named
  const SUM = 1e-5 + 2e-9; // how far a sum may be from 1, whatever the decimals
  const FEW_ITEMS = 2; // of the median topic, with which all items are one pool
  const FEWEST_ITEMS = 8; // from here on, a column in which no value comes twice names the items
  const NO_LABELS = /^(id|items?|index|nr|no\.?|#|text)$/i;
  const NO_CLASS = /^(total|sum|n|count|all|votes|mean)$/i;
  const TOPIC = /^(topics?|query)$/i;
  const GOLD = /^(gold|truth|ground truth|reference)$/i;
  // Scales of words in common use; a reader confirms the order all the same.
  const SCALES = [
    "very negative,negative,slightly negative,neutral,slightly positive,positive,very positive",
    "strongly disagree,disagree,somewhat disagree,neither,neutral,undecided,somewhat agree,agree,strongly agree",
    "very low,low,medium,moderate,high,very high", "very bad,bad,ok,good,very good",
    "very poor,poor,fair,acceptable,average,good,very good,excellent,perfect",
    "never,rarely,seldom,sometimes,often,usually,always", "none,mild,minor,moderate,major,severe,critical",
    "not relevant,irrelevant,partially relevant,marginally relevant,relevant,highly relevant,perfectly relevant",
    "no,partly,partially,maybe,yes", "small,medium,large", "easy,medium,hard", "d,c,b,a",
  ].map((scale) => scale.split(","));

  // -- cells --

  const lines = (text) => text.split(/\r\n|\r|\n/);
  const separatorOf = (text) => {
    const first = lines(text.slice(0, 20000)).filter((line) => line.trim()).slice(0, 20);
    const inAll = (separator) => first.every((line) => line.trim().includes(separator));
    const candidates = ["\t", ";", ",", " "];
    return candidates.find(inAll) || candidates.find((one) => (first[0] || "").trim().includes(one)) || ",";
  };
  const records = (text, separator) => {
    const quoted = text.includes('"') && separator !== " ";
    if (!quoted)
      return lines(text).map((line) => {
        if (!line.trim()) return [];
        return separator === " " ? line.trim().split(/\s+/) : line.split(separator);
      });
    // A quoted cell may hold separators and line ends; a quote that nobody closes is a letter.
    const cell = new RegExp(`"([^"]*(?:""[^"]*)*)" *(?=[${separator}\\r\\n]|$)|([^${separator}\\r\\n]*)`, "y");
    const all = [[]];
    for (let at = 0; ;) {
      cell.lastIndex = at;
      const [whole, inside, plain] = cell.exec(text);
      all.at(-1).push(inside === undefined ? plain : inside.replaceAll('""', '"'));
      at += whole.length;
      if (at >= text.length) break;
      if (text[at] !== separator) all.push([]);
      at += text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1;
    }
    return all.map((row) => (row.length === 1 && !row[0].trim() ? [] : row));
  };

  const numberOf = (cell, separator) => {
    if (!/^[+−-]?(\d{1,9}([.,]\d+)?|[.,]\d+)(e[+-]?\d\d?)?$/i.test(cell)) return NaN;
    if (separator === "," && cell.includes(",")) return NaN;
    return Number(cell.replace("−", "-").replace(",", ".")) + 0 || 0;
  };

  // A cell of a spreadsheet may be formatted as a percentage.
  const plain = (cell) => (cell ?? "").trim().replace(/ ?%$/, "");

  // -- guesses --

  const hasHeader = (rows, isNumber) => {
    const [first, ...rest] = rows;
    if (first.some((cell) => GOLD.test(cell))) return true;
    if (!rest.length) return false;
    const numeric = first.map((_, k) => rest.filter((row) => isNumber(row[k])).length * 2 > rest.length);
    if (numeric.some(Boolean)) return first.every((cell, k) => !numeric[k] || !isNumber(cell));
    const below = new Set(rest.flat());
    return first.every((cell) => !below.has(cell));
  };
  // The column in which rows are called gold, where others hold numbers: these rows are shares.
  const sourceOf = (rows, isNumber) => {
    const [, ...below] = rows;
    const texts = (below[0] ?? []).map((cell) => !isNumber(plain(cell)));
    if (texts.filter((isText) => !isText).length < 2) return -1;
    return texts.findIndex((isText, k) => isText && below.some((cells) => GOLD.test(plain(cells[k]))));
  };

  // What each column is: "gold", "person", "run", "topic", or why it is left out. `cells` are numbers of texts, the
  // empty one is 0.
  const rolesOf = (names, cells, wanted, people) => {
    const sets = cells.map((column) => new Set(column));
    const roles = sets.map((set, k) => {
      if (set.size === 1 && set.has(0)) return "it is empty";
      if (TOPIC.test(names[k]) && k === names.findIndex((name) => TOPIC.test(name))) return "topic";
      if (NO_LABELS.test(names[k])) return "its name is not that of a run";
      return set.size >= FEWEST_ITEMS && set.size === cells[k].length ? "no value comes twice" : "run";
    });
    const named = names.findIndex((name) => GOLD.test(name));
    const gold = [names.indexOf(wanted), named, roles.indexOf("run")].find((k) => k >= 0) ?? 0;
    const golds = people.length ? people.map((name) => names.indexOf(name)) : [gold];
    return roles.map((role, k) => {
      if (golds.includes(k)) return people.length ? "person" : "gold";
      if (k === named && k === gold) return "the people give the gold";
      const isAlien = role === "run" && ![...sets[k]].some((cell) => cell && golds.some((other) => sets[other].has(cell)));
      return isAlien ? "it shares no label with gold" : role;
    });
  };

  const areNumbers = (labels) => labels.every((label) => label !== "" && !Number.isNaN(Number(label)));
  // Words of a scale in common use in its order, other words as they come.
  const ordered = (labels) => {
    const scale = SCALES.find((words) => labels.every((label) => words.includes(label.toLowerCase())));
    return scale ? [...labels].sort((a, b) => scale.indexOf(a.toLowerCase()) - scale.indexOf(b.toLowerCase())) : labels;
  };
  // As in ordbook.data.ratings: whole or half steps without a gap, and below 0 only where the scale
  // is even about 0. Any other order has to be confirmed.
  const scaleOf = (labels) => {
    if (!areNumbers(labels)) return { known: labels.length < 3, classes: ordered([...labels].sort()) };
    const sorted = labels.map(Number).sort((a, b) => a - b);
    const [low, high] = [sorted[0], sorted.at(-1)];
    const step = sorted.every(Number.isInteger) ? 1 : 0.5;
    const known = sorted.every((x, k) => Number.isInteger(x / step) && !(k && x - sorted[k - 1] > 1)) &&
      (low >= 0 || (-low === high && high > 1));
    const whole = Array.from({ length: (high - low) / step + 1 }, (_, k) => low + k * step);
    return { known, classes: (known ? whole : sorted).map(String) };
  };

  const median = (raters) => raters[0].map((_, item) =>
    raters.map((codes) => codes[item]).sort((a, b) => a - b)[Math.floor((raters.length - 1) / 2)]);

  // -- what is wrong --

  const problemOf = (cell, isWord) => {
    if (cell === "") return "empty cell";
    if (cell[0] === "=") return "formula in place of its value";
    if (/^#(N\/A|REF!|DIV\/0!|VALUE!|NAME\?|NUM!|NULL!)/i.test(cell)) return "error of the spreadsheet";
    return isWord ? "not a number" : "";
  };
  // By cause: how often, and the first places; and the rows that are not read.
  const errorsOf = ({ body, names }) => {
    const errors = new Map();
    const bad = new Set();
    const note = (cause, r, column = "", cell = "") => {
      if (!errors.has(cause)) errors.set(cause, { cause, count: 0, cells: [] });
      const error = errors.get(cause);
      error.count += 1;
      bad.add(r);
      const where = column && `, ${column.slice(0, 40)}`;
      if (error.cells.length < MOST_CELLS)
        error.cells.push(`row ${body[r].line}${where}${cell && ` (${cell.slice(0, 20)})`}`);
    };
    body.forEach(({ cells }, r) => {
      if (cells.length > names.length) note(`more than ${names.length} cells in a row`, r, "", String(cells.length));
    });
    return { errors, bad, note };
  };
  const within = (classes) => {
    if (classes.length > MOST_CLASSES)
      throw new RangeError(`There are ${classes.length} different labels, and at most ${MOST_CLASSES} can be classes of a scale.`);
    return classes;
  };
  const isSameSet = (order, classes) => order?.length === classes.length && classes.every((name) => order.includes(name));

  // -- labels --

  const labels = ({ names, body, separator, isNumber }, { gold: wanted, order, skip, people: raters }) => {
    // Every cell becomes the number of its text; there are few different ones, and each is read once.
    const texts = [""];
    const numbers = new Map([["", 0]]);
    const seen = new Map();
    const numberOfText = (cell) => {
      const text = isNumber(cell.trim()) ? String(numberOf(cell.trim(), separator)) : cell.trim();
      if (!numbers.has(text)) numbers.set(text, texts.push(text) - 1);
      seen.set(cell, numbers.get(text));
      return numbers.get(text);
    };
    const columns = names.map((_, k) => Int32Array.from(body, ({ cells }) =>
      (cells[k] ? seen.get(cells[k]) ?? numberOfText(cells[k]) : 0)));
    const people = raters.length > 1 && raters.every((name) => names.includes(name)) ? raters : [];
    const roles = rolesOf(names, columns, wanted, people);
    const [[gold = null], runs, [topic]] = ["gold", "run", "topic"].map((role) => names.filter((_, k) => roles[k] === role));
    const golds = people.length ? people : [gold];
    if (!runs.length) {
      const out = names.flatMap((name, k) => (golds.includes(name) ? [] : [`${name} is left out, because ${roles[k]}`]));
      throw new RangeError(`There is no run beside gold, which is ${golds.join(", ")}: ${out.slice(0, 3).join("; ")}.`);
    }

    const chosen = [...golds, ...runs];
    const columnOf = new Map(names.map((name, k) => [name, columns[k]]));
    const tallyOf = (rows) => {
      const tally = new Int32Array(texts.length);
      for (const name of chosen) for (const r of rows) tally[columnOf.get(name)[r]] += 1;
      return tally;
    };
    const counts = tallyOf([...body.keys()]);
    const used = [...texts.keys()].filter((id) => counts[id]);
    const total = (ids) => ids.reduce((n, id) => n + counts[id], 0);
    const numeric = texts.map(isNumber);
    const mostNumbers = total(used.filter((id) => numeric[id])) >= 0.8 * total(used.filter(Boolean));
    const wrong = texts.map((text, id) => (counts[id] ? problemOf(text, mostNumbers && !numeric[id]) : ""));

    const { errors, bad, note } = errorsOf({ body, names });
    const topicColumn = columnOf.get(topic);
    body.forEach((_, r) => {
      if (topicColumn?.[r] === 0) note("item without a topic", r);
      for (const name of chosen) {
        const id = columnOf.get(name)[r];
        if (wrong[id]) note(wrong[id], r, name, texts[id]);
      }
    });

    const kept = [...body.keys()].filter((r) => !bad.has(r));
    // As in ClassificationTask: a topic of one or two items cannot tell a near error from a far one.
    const sizes = new Map();
    for (const r of topic ? kept : []) sizes.set(topicColumn[r], (sizes.get(topicColumn[r]) || 0) + 1);
    const sorted = [...sizes.values()].sort((a, b) => a - b);
    const middle = (sorted.length - 1) / 2;
    const isSmall = sorted[Math.floor(middle)] + sorted[Math.ceil(middle)] <= 2 * FEW_ITEMS;
    if (sizes.size > 1 && isSmall) roles[names.indexOf(topic)] = "its topics are too small for scores of their own";
    const topics = sizes.size > 1 && !isSmall ? [...sizes.keys()] : [];
    const topicPlace = new Map(topics.map((id, k) => [id, k]));
    const tally = tallyOf(kept);
    const scale = scaleOf(texts.filter((_, id) => tally[id]));
    const isConfirmed = isSameSet(order, scale.classes);
    const classes = within(isConfirmed ? order : scale.classes);
    const place = Uint8Array.from(texts, (text) => Math.max(0, classes.indexOf(text)));
    const answers = new Map(chosen.map((name) => [name, Uint8Array.from(kept, (r) => place[columnOf.get(name)[r]])]));
    if (people.length) answers.set(gold, median(people.map((name) => answers.get(name))));
    return {
      roles, classes, gold, runs, people, answers,
      ordered: scale.known || isConfirmed,
      asks: !scale.known && tally.some(Boolean),
      tally: classes.map((name) => tally[numbers.get(name)] || 0),
      unit: "row",
      rows: body.length,
      items: kept.length,
      errors: [...errors.values()],
      refused: errors.size > 0 && !skip,
      numbers: mostNumbers,
      // How decimals are written, if there are any.
      point: mostNumbers ? [",", "."].find((point) => [...seen.keys()].some((cell) => cell.includes(point))) ?? "" : "",
      topic: topics.length ? topic : null,
      topics: topics.map((id) => texts[id]),
      topicOf: topics.length ? Int32Array.from(kept, (r) => topicPlace.get(topicColumn[r])) : null,
    };
  };

  // -- shares --

  const decimalsOf = (cell) => {
    const [digits, exponent = "0"] = cell.toLowerCase().split("e");
    return (digits.split(/[.,]/)[1] ?? "").length - Number(exponent);
  };
  // As ordbook.data.tables reads a file: whole numbers are counts, and other rows sum to 1 as exactly as
  // their decimals can tell. Percentages, which it refuses, are divided here, as the page says.
  const formOf = (rows, width, digitsOf) => {
    const sums = rows.map(({ sum }) => sum);
    if (sums.every((sum) => Math.abs(sum - 100) <= 1)) return { form: "sums of about 100", isRight: () => true };
    if (rows.every(({ values }) => values.every(Number.isInteger)) && sums.some((sum) => sum !== 1))
      return { form: "counts", isRight: (sum) => sum > 0 };
    const digits = sums.every((sum) => Math.abs(sum - 1) <= SUM) ? 0 : digitsOf();
    const tolerance = Math.max(SUM, digits > 1 ? Math.min(0.5, width * 0.5 * 10 ** -digits + 2e-9) : 0);
    return { form: "", tolerance, isRight: (sum) => Math.abs(sum - 1) <= tolerance };
  };

  const shares = ({ names, body, source, separator, isNumber }, { order, skip }) => {
    const cell = (r, k) => (body[r].cells[k] ?? "").trim();
    const rows = [...body.keys()];
    const others = names.map((_, k) => k).filter((k) => k !== source);
    const first = body.slice(0, 1000);
    const isNumeric = (k) => 2 * first.filter(({ cells }) => isNumber(plain(cells[k]))).length > first.length;
    const topicColumn = others.find((k) => TOPIC.test(names[k])) ?? others.find((k) => NO_LABELS.test(names[k])) ??
      (source ? 0 : others.find((k) => k === 1 && !isNumeric(k)));
    const roles = names.map((name, k) => {
      if (k === source) return "source";
      if (k === topicColumn) return "topic";
      if (NO_LABELS.test(name) || NO_CLASS.test(name)) return "its name is not that of a class";
      return isNumeric(k) ? "class" : "most of its cells hold no numbers";
    });
    const columns = names.filter((_, k) => roles[k] === "class");
    if (columns.length < 2)
      throw new RangeError("Rows are called gold, but fewer than two columns hold numbers: a column for each class is needed.");

    const { errors, bad, note } = errorsOf({ body, names });
    const topicOf = (r) => (topicColumn === undefined ? "all" : cell(r, topicColumn));
    const table = new Map(); // name -> topic -> row
    for (const r of rows) {
      const name = GOLD.test(cell(r, source)) ? "gold" : cell(r, source);
      if (!table.has(name)) table.set(name, new Map());
      if (!name) note("row that is neither gold nor a run", r);
      else if (!topicOf(r)) note("row without a topic", r);
      else if (table.get(name).has(topicOf(r))) note("second row of a topic and run", r, topicOf(r), name);
      else table.get(name).set(topicOf(r), { r });
    }
    const gold = table.get("gold");
    const runs = [...table.keys()].filter((name) => name && name !== "gold");
    if (!runs.length) throw new RangeError("All rows are called gold: add rows of a run.");
    const forms = new Map();
    for (const name of ["gold", ...runs]) {
      for (const [topic, row] of table.get(name)) {
        const { r } = row;
        row.values = columns.map((column) => {
          const text = plain(cell(r, names.indexOf(column)));
          const value = numberOf(text, separator);
          const problem = problemOf(text, Number.isNaN(value)) || (value < 0 ? "negative number" : "");
          if (problem) note(problem, r, column, cell(r, names.indexOf(column)));
          return value;
        });
        row.sum = row.values.reduce((sum, x) => sum + x, 0);
        if (!gold.has(topic)) note("topic without gold", r, topic);
      }
      const good = [...table.get(name).values()].filter(({ r }) => !bad.has(r));
      const digitsOf = () => good.reduce((most, { r }) =>
        Math.max(most, ...columns.map((column) => decimalsOf(plain(cell(r, names.indexOf(column)))))), 0);
      const { form, tolerance, isRight } = formOf(good, columns.length, digitsOf);
      forms.set(name, { form, tolerance });
      for (const row of good) {
        if (!isRight(row.sum)) note(row.sum ? "sum that is not 1" : "only zeros", row.r, name, row.sum ? String(Number(row.sum.toPrecision(6))) : "");
        if (form) row.values = row.values.map((x) => x / row.sum);
      }
    }
    for (const name of runs)
      for (const [topic, { r }] of gold) if (!table.get(name).has(topic)) note("topic without a row of a run", r, topic, name);

    const left = new Set([...bad].map(topicOf));
    const topics = [...gold.keys()].filter((topic) => !left.has(topic));
    const known = areNumbers(columns) || columns.length < 3;
    const isConfirmed = isSameSet(order, columns);
    const sorted = areNumbers(columns) ? [...columns].sort((a, b) => a - b) : ordered(columns);
    const classes = within(isConfirmed ? order : sorted);
    const places = classes.map((name) => columns.indexOf(name));
    const rowsOf = (name) => topics.map((topic) => places.map((k) => table.get(name).get(topic).values[k]));
    return {
      roles, classes, runs, topics,
      gold: "gold",
      people: [],
      answers: new Map(["gold", ...runs].map((name) => [name, rowsOf(name)])),
      shares: true,
      source: names[source],
      goldName: cell(gold.values().next().value.r, source),
      topic: names[topicColumn] ?? null,
      // What was divided, and why.
      forms: [...forms].filter(([, { form }]) => form).map(([name, { form }]) => [name, form]),
      tolerance: Math.max(...[...forms.values()].map(({ tolerance = 0 }) => tolerance)),
      percent: rows.some((r) => body[r].cells.some((text) => text.includes("%"))),
      ordered: known || isConfirmed,
      asks: !known,
      unit: "topic",
      rows: gold.size,
      items: topics.length,
      errors: [...errors.values()],
      refused: errors.size > 0 && !skip,
      point: separator !== "," && body.some(({ cells }) => columns.some((name) => cells[names.indexOf(name)]?.includes(","))) ? "," : ".",
    };
  };

  // -- all of it --

  // Options: header (null for a guess), gold (name of a column, null for a guess), order (names of
  // the classes, confirmed), skip (leave out the rows with errors), people (columns of which gold is
  // the median, of two in the middle the lower). What is wrong with the whole is thrown as a
  // RangeError.
  const read = (text, options = {}) => {
    const { header, ...choices } = { header: null, gold: null, order: null, skip: false, people: [], ...options };
    const separator = separatorOf(text);
    const isNumber = (cell) => !Number.isNaN(numberOf(cell, separator));
    const full = records(text, separator).map((cells, k) => ({ cells, line: k + 1 }))
      .filter(({ cells }) => cells.some((cell) => cell.trim()));
    if (!full.length) throw new RangeError("The box is empty. Paste a column of gold and one for each run.");
    const start = full.slice(0, 1000).map(({ cells }) => cells.map((cell) => cell.trim()));
    const source = sourceOf(full.map(({ cells }) => cells), isNumber);
    const named = header ??
      (source < 0 ? hasHeader(start, isNumber) : !start.slice(1).some((cells) => cells[source] === start[0][source]));
    const body = named ? full.slice(1) : full;
    if (!body.length) throw new RangeError("There is a header and no row of labels.");
    let width = 0;
    for (const { cells } of full) {
      while (cells.length && !cells.at(-1).trim()) cells.pop();
      width = Math.max(width, cells.length);
    }
    const usual = named ? Math.max(full[0].cells.length, body[0].cells.length) : body[0].cells.length;
    if (width < 2) throw new RangeError("There is one column. Two are needed: gold, and a run.");
    if (width > usual && body.filter(({ cells }) => cells.length > usual).length * 2 > body.length)
      throw new RangeError(`Most rows have more cells than row ${full[0].line}, which has ${usual}.`);
    const heads = named ? start[0] : [];
    const names = [];
    for (let k = 0; k < usual; k += 1)
      names.push(heads[k] && !names.includes(heads[k]) ? heads[k] : `${heads[k] || "column"} ${k + 1}`);
    const table = { names, body, source, separator, isNumber };
    return { separator, named, names, ...(source < 0 ? labels(table, choices) : shares(table, choices)) };
  };

  window.ordbookTable = Object.freeze({ read, median });
})();
