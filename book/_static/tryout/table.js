// A pasted table: text -> columns of labels, their order as far as it is known, and what is wrong.
// Nothing here touches the page, so that a worker can run it.
//
// Contents
// --------
// separatorOf, records   the cells of the text, as a spreadsheet copies them or as CSV
// hasHeader, rolesOf     guesses: is the first line a header, which column is gold, which are runs
// scaleOf                the classes, from lowest to highest, and whether their order is known
// read                   all of it
(() => {
  "use strict";
  const MOST_CLASSES = 25;
  const MOST_CELLS = 10; // of a kind of error that are named
  const FEW_ITEMS = 2; // of the median topic, with which all items are one pool
  const FEWEST_ITEMS = 8; // from here on, a column in which no value comes twice names the items
  const NO_LABELS = /^(id|items?|index|nr|no\.?|#|text)$/i;
  const TOPIC = /^(topics?|query)$/i;
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
    if (!/^[+−-]?\d{1,9}([.,]\d+)?$/.test(cell)) return NaN;
    if (separator === "," && cell.includes(",")) return NaN;
    return Number(cell.replace("−", "-").replace(",", ".")) + 0 || 0;
  };

  // -- guesses --

  const hasHeader = (rows, isNumber) => {
    const [first, ...rest] = rows;
    if (first.some((cell) => /^gold$/i.test(cell))) return true;
    if (!rest.length) return false;
    const numeric = first.map((_, k) => rest.filter((row) => isNumber(row[k])).length * 2 > rest.length);
    if (numeric.some(Boolean)) return first.every((cell, k) => !numeric[k] || !isNumber(cell));
    const below = new Set(rest.flat());
    return first.every((cell) => !below.has(cell));
  };

  // What each column is: "gold", "person", "run", "topic", or why it is left out. `cells` are numbers of texts, the
  // empty one is 0.
  const rolesOf = (names, cells, wanted, people) => {
    const sets = cells.map((column) => new Set(column));
    const rows = cells[0].length;
    const roles = sets.map((set, k) => {
      if (set.size === 1 && set.has(0)) return "it is empty";
      if (TOPIC.test(names[k]) && k === names.findIndex((name) => TOPIC.test(name)))
        return "topic";
      if (NO_LABELS.test(names[k])) return "its name is not that of a run";
      return rows >= FEWEST_ITEMS && set.size === rows ? "no value comes twice" : "run";
    });
    let gold = names.findIndex((name) => /^gold$/i.test(name));
    if (wanted !== null && wanted < names.length) gold = wanted;
    if (gold < 0) gold = Math.max(0, roles.indexOf("run"));
    const golds = people.length ? people : [gold];
    return roles.map((role, k) => {
      if (golds.includes(k)) return people.length ? "person" : "gold";
      if (k === gold && /^gold$/i.test(names[k])) return "the people give the gold";
      const shared = role !== "run" || [...sets[k]].some((cell) => cell && golds.some((one) => sets[one].has(cell)));
      return shared ? role : "it shares no label with gold";
    });
  };

  // As in ordbook.data.ratings: whole or half steps without a gap, and below 0 only where the scale
  // is even about 0. Any other order has to be confirmed.
  const scaleOf = (labels) => {
    const numbers = labels.map(Number);
    if (numbers.every((number, k) => labels[k] !== "" && !Number.isNaN(number))) {
      const sorted = [...numbers].sort((a, b) => a - b);
      const [low, high] = [sorted[0], sorted.at(-1)];
      const step = sorted.every(Number.isInteger) ? 1 : 0.5;
      const known = sorted.every((x, k) => Number.isInteger(x / step) && !(k && x - sorted[k - 1] > 1));
      if (known && (low >= 0 || (-low === high && high > 1)))
        return {
          known: true,
          classes: Array.from({ length: (high - low) / step + 1 }, (_, k) => String(low + k * step)),
        };
      return { known: false, classes: sorted.map(String) };
    }
    const scale = SCALES.find((words) => labels.every((label) => words.includes(label.toLowerCase())));
    const place = (label) => (scale ? scale.indexOf(label.toLowerCase()) : 0);
    const classes = [...labels].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
    return { known: labels.length < 3, classes };
  };

  const median = (raters) => raters[0].map((_, item) =>
    raters.map((codes) => codes[item]).sort((a, b) => a - b)[Math.floor((raters.length - 1) / 2)]);

  // -- all of it --

  const problemOf = (cell, isWord) => {
    if (cell === "") return "empty cell";
    if (cell[0] === "=") return "formula in place of its value";
    if (/^#(N\/A|REF!|DIV\/0!|VALUE!|NAME\?|NUM!|NULL!)/i.test(cell)) return "error of the spreadsheet";
    return isWord ? "not a number" : "";
  };

  // Options: header (null for a guess), gold (index of a column, null for a guess), order (names of
  // the classes, confirmed), skip (leave out the rows with errors), people (columns of which gold is
  // the median, of two in the middle the lower). What is wrong with the whole is
  // thrown as a RangeError.
  const read = (text, { header = null, gold = null, order = null, skip = false, people: wanted = [] } = {}) => {
    const separator = separatorOf(text);
    const isNumber = (cell) => !Number.isNaN(numberOf(cell, separator));
    const full = records(text, separator).map((cells, k) => ({ cells, line: k + 1 }))
      .filter(({ cells }) => cells.some((cell) => cell.trim()));
    if (!full.length) throw new RangeError("The box is empty. Paste a column of gold and one for each run.");
    const start = full.slice(0, 1000).map(({ cells }) => cells.map((cell) => cell.trim()));
    const guessed = hasHeader(start, isNumber);
    const named = header === null ? guessed : header;
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
    const taken = new Set();
    const names = Array.from({ length: usual }, (_, k) => {
      const name = heads[k] && !taken.has(heads[k]) ? heads[k] : `${heads[k] || "column"} ${k + 1}`;
      taken.add(name);
      return name;
    });

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
    const people = wanted.length > 1 && wanted.every((k) => k < names.length) ? wanted : [];
    const roles = rolesOf(names, columns, gold, people);
    const runColumns = [...names.keys()].filter((k) => roles[k] === "run");
    const goldColumn = people.length ? -1 : roles.indexOf("gold");
    const goldColumns = people.length ? people : [goldColumn];
    if (!runColumns.length) {
      const out = names.flatMap((name, k) => (goldColumns.includes(k) ? [] : [`${name} is left out, because ${roles[k]}`]));
      throw new RangeError(`There is no run beside gold, which is ${goldColumns.map((k) => names[k]).join(", ")}: ${out.slice(0, 3).join("; ")}.`);
    }

    const chosen = [...goldColumns, ...runColumns];
    const topicColumn = roles.indexOf("topic");
    const tallyOf = (rows) => {
      const tally = new Int32Array(texts.length);
      for (const k of chosen) for (const r of rows) tally[columns[k][r]] += 1;
      return tally;
    };
    const counts = tallyOf([...body.keys()]);
    const used = [...texts.keys()].filter((id) => counts[id]);
    const total = (ids) => ids.reduce((n, id) => n + counts[id], 0);
    const numeric = texts.map(isNumber);
    const mostNumbers = total(used.filter((id) => numeric[id])) >= 0.8 * total(used.filter(Boolean));
    const wrong = texts.map((text, id) => (counts[id] ? problemOf(text, mostNumbers && !numeric[id]) : ""));

    const errors = new Map();
    const bad = new Uint8Array(body.length);
    const note = (cause, r, where) => {
      if (!errors.has(cause)) errors.set(cause, { cause, count: 0, cells: [] });
      const error = errors.get(cause);
      error.count += 1;
      bad[r] = 1;
      if (error.cells.length < MOST_CELLS) error.cells.push(`row ${body[r].line}${where}`);
    };
    body.forEach(({ cells }, r) => {
      if (cells.length > usual) note(`more than ${usual} cells in a row`, r, ` (${cells.length})`);
      if (topicColumn >= 0 && !columns[topicColumn][r]) note("item without a topic", r, "");
      for (const k of chosen) {
        const id = columns[k][r];
        if (wrong[id]) note(wrong[id], r, `, ${names[k].slice(0, 40)}${id ? ` (${texts[id].slice(0, 20)})` : ""}`);
      }
    });

    const kept = [...body.keys()].filter((r) => !bad[r]);
    // As in ClassificationTask: a topic of one or two items cannot tell a near error from a far one.
    const sizes = new Map();
    for (const r of topicColumn < 0 ? [] : kept)
      sizes.set(columns[topicColumn][r], (sizes.get(columns[topicColumn][r]) || 0) + 1);
    const sorted = [...sizes.values()].sort((a, b) => a - b);
    const middle = (sorted.length - 1) / 2;
    const small = sorted[Math.floor(middle)] + sorted[Math.ceil(middle)] <= 2 * FEW_ITEMS;
    if (sizes.size > 1 && small) roles[topicColumn] = "its topics are too small for scores of their own";
    const topics = sizes.size > 1 && !small ? [...sizes.keys()] : [];
    const topicPlace = new Map(topics.map((id, k) => [id, k]));
    const tally = tallyOf(kept);
    const labels = texts.filter((_, id) => tally[id]);
    const scale = scaleOf(labels);
    const confirmed = order && order.length === scale.classes.length && scale.classes.every((one) => order.includes(one));
    const classes = confirmed ? order : scale.classes;
    if (classes.length > MOST_CLASSES)
      throw new RangeError(`There are ${classes.length} different labels, and at most ${MOST_CLASSES} can be classes of a scale.`);
    const place = Uint8Array.from(texts, (text) => Math.max(0, classes.indexOf(text)));
    const codes = new Map(chosen.map((k) => [k, Uint8Array.from(kept, (r) => place[columns[k][r]])]));
    if (people.length) codes.set(-1, median(people.map((k) => codes.get(k))));
    return {
      separator, named, names, roles, classes,
      ordered: Boolean(scale.known || confirmed),
      asks: !scale.known && labels.length > 0,
      tally: classes.map((name) => tally[numbers.get(name)] || 0),
      rows: body.length,
      errors: [...errors.values()],
      refused: errors.size > 0 && !skip,
      items: kept.length,
      numbers: mostNumbers,
      // How decimals are written, if there are any.
      point: mostNumbers ? [",", "."].find((point) => [...seen.keys()].some((cell) => cell.includes(point))) ?? "" : "",
      gold: goldColumn,
      runColumns,
      topics: topics.length,
      topicNames: topics.map((id) => texts[id]),
      topic: topicColumn,
      topicOf: topics.length ? Int32Array.from(kept, (r) => topicPlace.get(columns[topicColumn][r])) : null,
      people,
      codes,
    };
  };

  window.ordbookTable = Object.freeze({ read, median });
})();
