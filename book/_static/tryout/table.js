// A pasted table: text -> the answers of gold and runs, the classes, and what is wrong.
(() => {
  "use strict";
  const { listing, counted } = window.ordbookExplorer;
  const MOST_CLASSES = 25;
  const GAP = 255; // in place of a class: a person has not rated the item
  const MOST_CELLS = 10; // of a kind of error that are named
  const FEW_ITEMS = 2; // of the median topic, with which all items are one pool
  const FEWEST_ITEMS = 8; // from here on, a column in which no value comes twice names the items
  const ITEM = /^(items?|id|item[ _-]?id|index|nr|no\.|#)$/i;
  const TEXT = /^text$/i;
  const TOPIC = /^(topics?|query)$/i;
  const GOLD = new RegExp("^((rating|label|score|grade)s?[ _-])?(gold(en)?|(ground[ _-]?)?truth|y_true|reference|humans?|labels?|" +
    "true(?=[ _-]))([ _-](standard|rating|label|score|grade)s?)?$", "i");
  // A long table has a row for each rating, with who gave it.
  const WHO = /^(annotator|rater|judge|assessor|coder|worker|person|user|model|system|run)s?([ _-]?(id|name))?$/i;
  const RATING = /^(rating|label|score|grade|answer|value)s?$/i;
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
    const candidates = ["\t", "|", ";", ",", " "];
    return candidates.find((separator) => first.every((line) => line.includes(separator))) ||
      candidates.find((separator) => first[0]?.includes(separator)) || ",";
  };
  // A table of Markdown: without the pipes at the ends of its lines, and the rule below its head.
  const plainLines = (text) => text.replace(/^[ \t]*\|[ \t]*|[ \t]*\|[ \t]*$/gm, "")
    .replace(/^(?=.*-)(?=.*\|)[-:| \t]+$/gm, "");
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

  // -- guesses --

  const hasHeader = ([first, ...rest], isNumber) => {
    const below = new Set(rest.flat());
    if (first.some((cell) => [GOLD, ITEM, TOPIC].some((known) => known.test(cell)) && !below.has(cell))) return true;
    if (!rest.length) return false;
    const numeric = first.map((_, k) => rest.filter((row) => isNumber(row[k])).length * 2 > rest.length);
    if (numeric.some(Boolean) && first.every((cell, k) => !numeric[k] || !isNumber(cell))) return true;
    // Words, or numbers above enough others, of which none comes again.
    return (!numeric.some(Boolean) || rest.length >= FEWEST_ITEMS) && first.every((cell) => !below.has(cell));
  };
  // Rows called gold, among others with as many numbers, hold shares of the classes.
  const areShares = ([first, ...below], isNumber) =>
    !first.some((cell) => GOLD.test(cell)) && below.some((cells) =>
      cells.some((cell) => GOLD.test(cell)) && cells.filter((cell) => isNumber(cell.replace(/ ?%$/, ""))).length > 1);

  // Whether a column may hold ratings on the scale of another: it has a label of it, or a number between two.
  const isNear = (set, other) => {
    const numbers = [...other].filter((cell) => cell !== "").map(Number);
    const [low, high] = [Math.min, Math.max].map((end) => numbers.reduce((x, y) => end(x, y), end()));
    return [...set].some((cell) => cell !== "" && (other.has(cell) || (low <= cell && cell <= high)));
  };
  // What each column is: "gold", "run", "topic", "item", or why it is left out. No column is gold
  // that nobody named so: `wanted` by the reader, or one by its head.
  const rolesOf = (names, columns, wanted) => {
    const sets = columns.map((cells) => new Set(cells));
    const [topic, item] = [TOPIC, ITEM].map((known) => names.findIndex((name) => known.test(name)));
    const [chosen, called] = [(name) => wanted.includes(name), (name) => GOLD.test(name)].map((test) => names.filter(test));
    const golds = chosen.length || called.length > 1 ? chosen : called;
    const roles = sets.map((set, k) => {
      if (golds.includes(names[k])) return "gold";
      if (set.size === 1 && set.has("")) return "it is empty";
      if (k === topic) return "topic";
      if (k === item) return "item";
      if (ITEM.test(names[k]) || TEXT.test(names[k]) || TOPIC.test(names[k])) return "its name is not that of a run";
      return set.size >= FEWEST_ITEMS && set.size === columns[k].length ? "no value comes twice" : "run";
    });
    const wider = golds.length ? "gold" : "run";
    return roles.map((role, k) => (role !== "run" || sets.some((set, j) => j !== k && roles[j] === wider && isNear(sets[k], set))
      ? role : golds.length ? "it shares no label with gold" : "it shares no label with another column"));
  };
  // A table with a row for each rating becomes one with a row for each item and a column for each rater.
  const widened = ({ names, body }) => {
    const [topic, item, who, rating] = [TOPIC, ITEM, WHO, RATING].map((known) => names.findIndex((name) => known.test(name)));
    if (item < 0 || who < 0 || rating < 0) return null;
    const keys = [topic, item].filter((k) => k >= 0);
    const places = new Map();
    const rows = new Map();
    const twice = [];
    for (const { cells, line } of body) {
      const key = keys.map((k) => cells[k]).join("\t");
      if (!rows.has(key)) rows.set(key, { line, cells: keys.map((k) => cells[k]) });
      if (!places.has(cells[who])) places.set(cells[who], keys.length + places.size);
      const row = rows.get(key).cells;
      const place = places.get(cells[who]);
      if (row[place] !== undefined) twice.push(`${cells[who]} rated ${cells[item]} twice, the second time in row ${line}. Keep one of the ratings.`);
      row[place] = cells[rating] ?? "";
    }
    if (2 * rows.size > body.length) return null;
    if (twice.length) throw new RangeError(twice[0]);
    return { names: [...keys.map((k) => names[k]), ...places.keys()], body: [...rows.values()] };
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

  // Numbers that look like codes for no answer: -1 alone below 0 (of -1, 0, 1 nobody knows), what is
  // farther below 0 than any class is above, and 9, 99 or 999 beyond a gap.
  const codesOf = (labels) => {
    const sorted = labels.map(Number).sort((a, b) => a - b);
    const areNines = sorted.map((x, k) => k > 0 && /^9+$/.test(x) && x > sorted[k - 1] + 1);
    const top = Math.max(...sorted.filter((_, k) => !areNines[k]));
    const below = sorted.filter((x) => x < 0 && x >= -top);
    const isAlone = (x) => below.length === 1 && x === below[0] && x !== -top;
    return sorted.filter((x, k) => top > 0 && (areNines[k] || x < -top || isAlone(x))).map(String);
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

  const labels = ({ names, body, separator, isNumber }, { golds: wanted, order, skip, codes }) => {
    const texts = new Map(); // there are few different cells, and each is read once
    const textOf = (cell = "") => {
      if (!texts.has(cell)) texts.set(cell, isNumber(cell) ? String(numberOf(cell, separator)) : cell);
      return texts.get(cell);
    };
    const columns = names.map((_, k) => body.map(({ cells }) => textOf(cells[k])));
    const columnOf = (name) => columns[names.indexOf(name)];
    const roles = rolesOf(names, columns, wanted);
    const [golds, runs, [topic], [item]] = ["gold", "run", "topic", "item"].map((role) => names.filter((_, k) => roles[k] === role));
    const reading = { roles, golds, runs, rows: body.length, items: body.length, topics: [], classes: [] };
    const seen = new Set();
    const twice = (columnOf(item) ?? []).flatMap((text, r) => {
      const key = `${columnOf(topic)?.[r]}\t${text}`;
      const again = text !== "" && seen.has(key);
      seen.add(key);
      return again ? [r] : [];
    });
    if (2 * twice.length >= body.length)
      throw new RangeError("Most items stand in several rows. If a row holds one rating, call the columns item, annotator " +
        "and rating; if items are counted anew in each topic, call the column of topics topic.");
    if (!golds.length && runs.length < 2)
      throw new RangeError("This does not look like a table of ratings. Paste columns separated by commas or tabs, with a row for each item.");
    const ask = (question) => ({ ...reading, question });
    if (!golds.length)
      return ask("Which columns hold gold, the ratings by people? Check them below “Gold is”: of several people, " +
        "gold is the median. The other columns are taken for models.");
    if (!runs.length) {
      const out = names.flatMap((name, k) => (golds.includes(name) ? [] : [`${name} is left out, because ${roles[k]}`]));
      return ask(`There is no run beside gold, which is ${listing(golds)}: ${out.slice(0, 3).join("; ")}.`);
    }

    const chosen = [...golds, ...runs];
    const tallyOf = (tallied, rows) => {
      const tally = new Map();
      for (const column of tallied)
        for (const r of rows) tally.set(column[r], (tally.get(column[r]) ?? 0) + 1);
      return tally;
    };
    const rows = [...body.keys()];
    const tallied = tallyOf(chosen.map(columnOf), rows);
    const found = codes === "classes" ? [] : codesOf([...tallied.keys()].filter(isNumber));
    if (found.length && !codes) {
      const cells = counted(found.reduce((sum, text) => sum + tallied.get(text), 0), "cell");
      return { ...ask(`What does ${listing(found, "or")} mean, in ${cells}: no answer, or a class of the scale?`), codes: found };
    }
    for (const name of found.length ? chosen : [])
      columns[names.indexOf(name)] = columnOf(name).map((text) => (found.includes(text) ? "" : text));
    const counts = [...tallyOf(chosen.map(columnOf), rows)];
    const number = (pairs) => pairs.reduce((sum, [text, count]) => sum + (text ? count : 0), 0);
    const areNumeric = number(counts.filter(([text]) => isNumber(text))) >= 0.8 * number(counts);
    const wrong = new Map(counts.map(([text]) => [text, problemOf(text, areNumeric && !isNumber(text))]));
    // The steps are whole ones, unless gold or a person gave half a point.
    const given = [...new Set(golds.flatMap(columnOf))].filter(isNumber).map(Number);
    const step = areNumeric && !given.every(Number.isInteger) ? 0.5 : 1;
    const isRegular = areNumeric && given.every((value) => Number.isInteger(value / step));
    const isBetween = (text) => isRegular && isNumber(text) && !Number.isInteger(text / step);
    const haveGaps = golds.length > 1;

    const { bad, note, all } = errorsOf({ body, names });
    const topicColumn = columnOf(topic);
    if (topicColumn) for (const r of rows) if (!topicColumn[r]) note("item without a topic", r);
    if (haveGaps)
      for (const r of rows) if (golds.every((name) => !columnOf(name)[r])) note("item that no person rated", r);
    for (const r of twice) note("second row of an item", r, "", columnOf(item)[r]);
    for (const name of chosen) {
      const isRun = !golds.includes(name);
      columnOf(name).forEach((text, r) => {
        const problem = wrong.get(text) || (isRun && isBetween(text) && "rating between two classes");
        if (problem && (text || isRun || !haveGaps)) note(problem, r, name, text);
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
    const [gold, upper] = [Math.floor, Math.ceil].map((end) => median(golds.map((name) => answers.get(name)), end));
    return {
      ...reading, ...scale, ...all(skip), answers, gold, upper, topics,
      ties: gold.filter((code, k) => code !== upper[k]).length,
      codes: found,
      tally: classes.map((name) => tally.get(name) ?? 0),
      items: kept.length,
      itemOf: kept.map((r, k) => (item ? columnOf(item)[r] : String(k + 1))),
      steps: step < 1 && !scale.asks ? " in steps of 0.5" : "",
      topicOf: topics.length ? Int32Array.from(kept, (r) => topicPlace.get(topicColumn[r])) : null,
    };
  };

  // -- all of it --

  // Options: header (null for a guess), golds (columns that are gold, of several their median; none
  // for a guess; empty cells of several are no ratings), order (names of the classes, confirmed), skip
  // (leave out the rows with errors), codes ("gaps" or "classes": what to take codes for no answer
  // for, null to ask). What is wrong with the whole is thrown as a RangeError; a `question` is one
  // that has to be answered first.
  const read = (pasted, options = {}) => {
    const { header, ...choices } = { header: null, golds: [], order: null, skip: false, codes: null, ...options };
    const text = plainLines(pasted);
    const separator = separatorOf(text);
    const isNumber = (cell) => !Number.isNaN(numberOf(cell, separator));
    const spaced = separator === " " ? text.replace(/^[ \t]+|[ \t]+$/gm, "").replace(/[ \t]+/g, " ") : text;
    const full = records(spaced, separator).map((cells, k) => ({ cells, line: k + 1 })).filter(({ cells }) => cells.some(Boolean));
    if (!full.length) throw new RangeError("The box is empty. Paste a column of gold and one for each run.");
    const rows = full.map(({ cells }) => cells);
    const named = header ?? hasHeader(rows.slice(0, 1000), isNumber);
    const body = named ? full.slice(1) : full;
    if (!body.length) throw new RangeError("There is a header and no row of labels.");
    let width = 0;
    for (const cells of rows) {
      while (!cells.at(-1)) cells.pop();
      width = Math.max(width, cells.length);
    }
    const usual = Math.max(rows[0].length, body[0].cells.length);
    if (width < 2) throw new RangeError("There is one column. Two are needed, separated by commas or tabs: gold, and a run.");
    if (width > usual && body.filter(({ cells }) => cells.length > usual).length * 2 > body.length)
      throw new RangeError(`Most rows have more cells than row ${full[0].line}, which has ${usual}.`);
    const heads = named ? rows[0] : [];
    const names = [];
    // The first column of a data frame that was saved has no name.
    const headOf = (k) => heads[k] || (named && k === 0 ? "index" : `column ${k + 1}`);
    for (let k = 0; k < usual; k += 1) names.push(names.includes(headOf(k)) ? `${headOf(k)} ${k + 1}` : headOf(k));
    const long = named ? widened({ names, body }) : null;
    if (!long && areShares(rows.slice(0, 1000), isNumber))
      throw new RangeError("These rows hold shares of the classes. The box scores labels; ordbook score takes a folder of shares.");
    const table = { names, body, ...long, separator, isNumber };
    return { separator, named, long: Boolean(long), names: table.names, ...labels(table, choices) };
  };

  window.ordbookTable = Object.freeze({ read, median, areSmall, GAP });
})();
