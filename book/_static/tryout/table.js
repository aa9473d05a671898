// A pasted table: text -> the answers of gold and runs, the classes, and what is wrong. Nothing here
// touches the page, so that a worker can run it.
(() => {
  "use strict";
  const MOST_CLASSES = 25;
  const GAP = 255; // in place of a class: a person has not rated the item
  const MOST_CELLS = 10; // of a kind of error that are named
  const FEW_ITEMS = 2; // of the median topic, with which all items are one pool
  const FEWEST_ITEMS = 8; // from here on, a column in which no value comes twice names the items
  const SUM = 1e-5 + 2e-9; // how far shares may be from a sum of 1, as in the package
  const ROUNDED = 0.02; // how far rounding may take them from it, before they are divided by it
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

  const separatorOf = (text) => {
    const first = text.slice(0, 20000).split(/[\r\n]/).map((line) => line.trim()).filter(Boolean).slice(0, 20);
    const candidates = ["\t", ";", ",", " "];
    return candidates.find((separator) => first.every((line) => line.includes(separator))) ||
      candidates.find((separator) => first[0]?.includes(separator)) || ",";
  };
  // A quoted cell may hold separators and line ends; a quote that nobody closes is a letter.
  const records = (text, separator) => {
    const cell = new RegExp(`"([^"]*(?:""[^"]*)*)" *(?=[${separator}\\r\\n]|$)|([^${separator}\\r\\n]*)`, "y");
    const all = [[]];
    for (let at = 0; ;) {
      cell.lastIndex = at;
      const [whole, inside, plain] = cell.exec(text);
      all.at(-1).push((plain ?? inside.replaceAll('""', '"')).trim());
      at += whole.length;
      if (at >= text.length) return all;
      if (text[at] !== separator) all.push([]);
      at += text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1;
    }
  };
  const numberOf = (cell, separator) => {
    if (!/^[+−-]?(\d{1,9}([.,]\d+)?|[.,]\d+)(e[+-]?\d\d?)?$/i.test(cell)) return NaN;
    if (separator === "," && cell.includes(",")) return NaN;
    return Number(cell.replace("−", "-").replace(",", ".")) + 0 || 0;
  };
  // A cell of a spreadsheet may be formatted as a percentage.
  const plain = (cell = "") => cell.replace(/ ?%$/, "");

  // -- guesses --

  const hasHeader = ([first, ...rest], isNumber) => {
    if (first.some((cell) => GOLD.test(cell))) return true;
    if (!rest.length) return false;
    const numeric = first.map((_, k) => rest.filter((row) => isNumber(row[k])).length * 2 > rest.length);
    if (numeric.some(Boolean)) return first.every((cell, k) => !numeric[k] || !isNumber(cell));
    const below = new Set(rest.flat());
    return first.every((cell) => !below.has(cell));
  };
  // The column in which rows are called gold, where others hold numbers: these rows are shares.
  const sourceOf = ([first, ...below], isNumber) => {
    const texts = (below[0] ?? []).map((cell) => !isNumber(plain(cell)));
    if (texts.filter((isText) => !isText).length < 2) return -1;
    const source = texts.findIndex((isText, k) => isText && below.some((cells) => GOLD.test(cells[k])));
    return first.some((cell, k) => k !== source && GOLD.test(cell)) ? -1 : source;
  };

  // What each column is: "gold", "person", "run", "topic", or why it is left out.
  const rolesOf = (names, columns, wanted, people) => {
    const sets = columns.map((cells) => new Set(cells));
    const roles = sets.map((set, k) => {
      if (set.size === 1 && set.has("")) return "it is empty";
      if (TOPIC.test(names[k]) && k === names.findIndex((name) => TOPIC.test(name))) return "topic";
      if (NO_LABELS.test(names[k])) return "its name is not that of a run";
      return set.size >= FEWEST_ITEMS && set.size === columns[k].length ? "no value comes twice" : "run";
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
  // As in ordbook.data.ratings: steps without a gap, and below 0 only where the scale is even about
  // 0. Any other order has to be confirmed.
  const scaleOf = (labels, step) => {
    if (!areNumbers(labels)) return { known: labels.length < 3, classes: ordered([...labels].sort()) };
    if (!labels.length) return { known: true, classes: [] };
    const sorted = labels.map(Number).sort((a, b) => a - b);
    const [low, high] = [sorted[0], sorted.at(-1)];
    const known = sorted.every((x, k) => Number.isInteger(x / step) && !(k && x - sorted[k - 1] > 1)) &&
      (low >= 0 || (-low === high && high > 1));
    const classes = known ? Array.from({ length: (high - low) / step + 1 }, (_, k) => low + k * step) : sorted;
    return { known, classes: classes.map(String) };
  };

  // Of an even number the lower of the two in the middle, or with Math.ceil the upper one.
  const median = (raters, end = Math.floor) => raters[0].map((_, item) => {
    const rated = raters.map((codes) => codes[item]).filter((code) => code !== GAP).sort((a, b) => a - b);
    return rated[end((rated.length - 1) / 2)] ?? GAP;
  });

  // As in ClassificationTask: a topic of one or two items cannot tell a near error from a far one.
  const areSmall = (sizes) => {
    const sorted = sizes.sort((a, b) => a - b);
    const middle = (sorted.length - 1) / 2;
    return sorted[Math.floor(middle)] + sorted[Math.ceil(middle)] <= 2 * FEW_ITEMS;
  };

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
    return { bad, note, all: (skip) => ({ errors: [...errors.values()], refused: errors.size > 0 && !skip }) };
  };
  // The classes in an order that is known or was confirmed, or else one to be confirmed.
  const orderOf = ({ known, classes }, order) => {
    if (classes.length > MOST_CLASSES)
      throw new RangeError(`There are ${classes.length} different labels, and at most ${MOST_CLASSES} can be classes of a scale.`);
    const isConfirmed = order?.length === classes.length && classes.every((name) => order.includes(name));
    return { classes: isConfirmed ? order : classes, ordered: known || isConfirmed, asks: !known };
  };

  // -- labels: a column of gold and one for each run, a row for each item --

  const labels = ({ names, body, separator, isNumber }, { gold: wanted, order, skip, people: raters }) => {
    const texts = new Map(); // there are few different cells, and each is read once
    const textOf = (cell = "") => {
      if (!texts.has(cell)) texts.set(cell, isNumber(cell) ? String(numberOf(cell, separator)) : cell);
      return texts.get(cell);
    };
    const columns = names.map((_, k) => body.map(({ cells }) => textOf(cells[k])));
    const columnOf = (name) => columns[names.indexOf(name)];
    const people = raters.length > 1 && raters.every((name) => names.includes(name)) ? raters : [];
    const roles = rolesOf(names, columns, wanted, people);
    const [[gold = null], runs, [topic]] = ["gold", "run", "topic"].map((role) => names.filter((_, k) => roles[k] === role));
    const golds = people.length ? people : [gold];
    if (!runs.length) {
      const out = names.flatMap((name, k) => (golds.includes(name) ? [] : [`${name} is left out, because ${roles[k]}`]));
      throw new RangeError(`There is no run beside gold, which is ${golds.join(", ")}: ${out.slice(0, 3).join("; ")}. ` +
        "If rows hold shares, those of the true shares are called gold.");
    }

    const chosen = [...golds, ...runs];
    const tallyOf = (tallied, rows) => {
      const tally = new Map();
      for (const column of tallied)
        for (const r of rows) tally.set(column[r], (tally.get(column[r]) ?? 0) + 1);
      return tally;
    };
    const rows = [...body.keys()];
    const counts = [...tallyOf(chosen.map(columnOf), rows)];
    const number = (pairs) => pairs.reduce((sum, [text, count]) => sum + (text ? count : 0), 0);
    const areNumeric = number(counts.filter(([text]) => isNumber(text))) >= 0.8 * number(counts);
    const wrong = new Map(counts.map(([text]) => [text, problemOf(text, areNumeric && !isNumber(text))]));
    // The steps are whole ones, unless gold or a person gave half a point.
    const given = [...new Set(golds.flatMap(columnOf))].filter(isNumber).map(Number);
    const step = areNumeric && !given.every(Number.isInteger) ? 0.5 : 1;
    const isRegular = areNumeric && given.every((value) => Number.isInteger(value / step));
    const isBetween = (text) => isRegular && isNumber(text) && !Number.isInteger(text / step);

    const { bad, note, all } = errorsOf({ body, names });
    const topicColumn = columnOf(topic);
    if (topicColumn) for (const r of rows) if (!topicColumn[r]) note("item without a topic", r);
    if (people.length)
      for (const r of rows) if (people.every((name) => !columnOf(name)[r])) note("item that no person rated", r);
    for (const name of chosen) {
      const isRun = !golds.includes(name);
      columnOf(name).forEach((text, r) => {
        const problem = wrong.get(text) || (isRun && isBetween(text) && "rating between two classes");
        if (problem && (text || isRun || !people.length)) note(problem, r, name, text);
      });
    }

    const kept = rows.filter((r) => !bad.has(r));
    const sizes = tallyOf(topicColumn ? [topicColumn] : [], kept);
    const isOnePool = areSmall([...sizes.values()]);
    if (sizes.size > 1 && isOnePool) roles[names.indexOf(topic)] = "its topics are too small for scores of their own";
    const topics = sizes.size > 1 && !isOnePool ? [...sizes.keys()] : [];
    const topicPlace = new Map(topics.map((name, k) => [name, k]));
    const tally = tallyOf(chosen.map(columnOf), kept);
    tally.delete("");
    const scale = orderOf(scaleOf([...tally.keys()], step), order);
    const { classes } = scale;
    const place = new Map(classes.map((name, k) => [name, k]));
    const answers = new Map(chosen.map((name) => [name, Uint8Array.from(kept, (r) => place.get(columnOf(name)[r]) ?? GAP)]));
    if (people.length) answers.set(gold, median(people.map((name) => answers.get(name))));
    return {
      ...scale, ...all(skip), roles, gold, runs, people, answers, topics,
      tally: classes.map((name) => tally.get(name) ?? 0),
      unit: "row",
      rows: body.length,
      items: kept.length,
      numbers: areNumeric,
      steps: step < 1 && !scale.asks ? " in steps of 0.5" : "",
      guess: people.length || runs.length < 2 || names.some((name) => name === wanted || GOLD.test(name)) ? ""
        : `Gold is taken to be ${gold.slice(0, 40)}, the first column of ratings. If several people rated, check them below “Gold by several people”.`,
      // How decimals are written, if there are any.
      point: [",", "."].find((point) => areNumeric && [...texts.keys()].some((cell) => cell.includes(point))) ?? "",
      topic: topics.length ? topic : null,
      topicOf: topics.length ? Int32Array.from(kept, (r) => topicPlace.get(topicColumn[r])) : null,
    };
  };

  // -- shares: a row for each topic and run, a column for each class --

  const shares = ({ names, body, source, separator, isNumber }, { order, skip }) => {
    const first = body.slice(0, 1000);
    const isNumeric = (k) => 2 * first.filter(({ cells }) => isNumber(plain(cells[k]))).length >= first.length;
    const others = [...names.keys()].filter((k) => k !== source);
    const topic = [TOPIC, NO_LABELS].map((known) => others.find((k) => known.test(names[k]))).find((k) => k >= 0) ??
      (source ? 0 : others.find((k) => k === 1 && !isNumeric(k)));
    const roles = names.map((name, k) => {
      if (k === source) return "source";
      if (k === topic) return "topic";
      if (NO_LABELS.test(name) || NO_CLASS.test(name)) return "its name is not that of a class";
      return isNumeric(k) ? "class" : "most of its cells hold no numbers";
    });
    const columns = others.filter((k) => roles[k] === "class");
    if (columns.length < 2)
      throw new RangeError("Rows are called gold, but fewer than two columns hold numbers: a column for each class is needed.");

    const { bad, note, all } = errorsOf({ body, names });
    const shareOf = (r, k) => {
      const cell = body[r].cells[k] ?? "";
      const value = numberOf(plain(cell), separator);
      const problem = problemOf(cell, Number.isNaN(value)) || (value < 0 ? "negative number" : "");
      if (problem) note(problem, r, names[k], cell);
      return value;
    };
    const topicOf = (r) => (topic === undefined ? "all" : body[r].cells[topic]);
    const sources = new Map([["gold", new Map()]]); // name -> topic -> row
    for (const r of body.keys()) {
      const name = GOLD.test(body[r].cells[source]) ? "gold" : body[r].cells[source];
      if (name && !sources.has(name)) sources.set(name, new Map());
      if (!name) note("row that is neither gold nor a run", r);
      else if (!topicOf(r)) note("row without a topic", r);
      else if (sources.get(name).has(topicOf(r))) note("second row of a topic and run", r, topicOf(r), name);
      else {
        const values = columns.map((k) => shareOf(r, k));
        sources.get(name).set(topicOf(r), { r, values, sum: values.reduce((sum, x) => sum + x, 0) });
      }
    }
    const gold = sources.get("gold");
    const runs = [...sources.keys()].filter((name) => name !== "gold");
    if (!runs.length) throw new RangeError("All rows are called gold: add rows of a run.");
    const forms = [];
    for (const [name, rows] of sources) {
      for (const [label, { r }] of rows) if (!gold.has(label)) note("topic without gold", r, label);
      for (const [label, { r }] of gold) if (!rows.has(label)) note("topic without a row of a run", r, label, name);
      const good = [...rows.values()].filter(({ r }) => !bad.has(r) && gold.has(topicOf(r)));
      const areCounts = good.every(({ values }) => values.every(Number.isInteger)) && good.some(({ sum }) => sum !== 1);
      const whole = 2 * good.filter(({ sum }) => sum > 50).length > good.length ? 100 : 1;
      for (const { r, sum } of good)
        if (areCounts ? !sum : Math.abs(sum - whole) > ROUNDED * whole) note(`sum that is not ${areCounts ? "above 0" : whole}`, r, name, String(Number(sum.toPrecision(6))));
      if (good.every(({ sum }) => Math.abs(sum - 1) <= SUM)) continue;
      forms.push([name, areCounts ? "whole numbers" : whole === 100 ? "percentages" : "rounded"]);
      for (const row of good) row.values = row.values.map((x) => x / row.sum);
    }

    const left = new Set([...bad].map(topicOf));
    const topics = [...gold.keys()].filter((name) => !left.has(name));
    const heads = columns.map((k) => names[k]);
    const known = areNumbers(heads) || heads.length < 3;
    const scale = orderOf({ known, classes: areNumbers(heads) ? [...heads].sort((a, b) => a - b) : ordered(heads) }, order);
    const places = scale.classes.map((name) => heads.indexOf(name));
    const answersOf = (rows) => topics.map((name) => places.map((k) => rows.get(name).values[k]));
    const hasDecimal = (point) => body.some(({ cells }) => columns.some((k) => cells[k]?.includes(point)));
    return {
      ...scale, ...all(skip), roles, runs, topics,
      gold: "gold",
      people: [],
      answers: new Map([...sources].map(([name, rows]) => [name, answersOf(rows)])),
      shares: true,
      source: names[source],
      goldName: body[gold.values().next().value.r].cells[source],
      topic: names[topic] ?? null,
      forms, // which sources were divided by the sums of their rows, and why
      percent: hasDecimal("%"),
      unit: "topic",
      rows: gold.size,
      items: topics.length,
      point: hasDecimal(",") ? "," : ".",
    };
  };

  // -- all of it --

  // Options: header (null for a guess), gold (name of a column, null for a guess), order (names of
  // the classes, confirmed), skip (leave out the rows with errors), people (columns of which gold is
  // the median, of two in the middle the lower; their empty cells are no ratings). What is wrong with
  // the whole is thrown as a RangeError.
  const read = (text, options = {}) => {
    const { header, ...choices } = { header: null, gold: null, order: null, skip: false, people: [], ...options };
    const separator = separatorOf(text);
    const isNumber = (cell) => !Number.isNaN(numberOf(cell, separator));
    const spaced = separator === " " ? text.replace(/^[ \t]+|[ \t]+$/gm, "").replace(/[ \t]+/g, " ") : text;
    const full = records(spaced, separator).map((cells, k) => ({ cells, line: k + 1 })).filter(({ cells }) => cells.some(Boolean));
    if (!full.length) throw new RangeError("The box is empty. Paste a column of gold and one for each run.");
    const rows = full.map(({ cells }) => cells);
    const source = sourceOf(rows, isNumber);
    const named = header ??
      (source < 0 ? hasHeader(rows.slice(0, 1000), isNumber) : !rows.slice(1).some((cells) => cells[source] === rows[0][source]));
    const body = named ? full.slice(1) : full;
    if (!body.length) throw new RangeError("There is a header and no row of labels.");
    let width = 0;
    for (const cells of rows) {
      while (!cells.at(-1)) cells.pop();
      width = Math.max(width, cells.length);
    }
    const usual = Math.max(rows[0].length, body[0].cells.length);
    if (width < 2) throw new RangeError("There is one column. Two are needed: gold, and a run.");
    if (width > usual && body.filter(({ cells }) => cells.length > usual).length * 2 > body.length)
      throw new RangeError(`Most rows have more cells than row ${full[0].line}, which has ${usual}.`);
    const heads = named ? rows[0] : [];
    const names = [];
    for (let k = 0; k < usual; k += 1)
      names.push(heads[k] && !names.includes(heads[k]) ? heads[k] : `${heads[k] || "column"} ${k + 1}`);
    const table = { names, body, source, separator, isNumber };
    return { separator, named, names, ...(source < 0 ? labels(table, choices) : shares(table, choices)) };
  };

  window.ordbookTable = Object.freeze({ read, median, areSmall, GAP });
})();
