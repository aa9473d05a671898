// A table of the box for ordbook: ratings.csv, and the commands and the Python that score it.
(() => {
  "use strict";
  const quoted = (cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const row = (cells) => cells.map(quoted).join(",");

  // `table` is what ordbookTable.read returns.
  const csv = ({ answers, classes, topics, topicOf, itemOf, golds, runs }) => {
    const columns = [...golds, ...runs];
    return [[...(topicOf ? ["topic"] : []), "item", ...columns], ...itemOf.map((item, k) =>
      [...(topicOf ? [topics[topicOf[k]]] : []), item, ...columns.map((name) => classes[answers.get(name)[k]] ?? "")])]
      .map(row).join("\n");
  };

  // `result` is what ordbookRanking.analyse returns. Runs stand in the order of their columns.
  const runsOf = ({ runs }) => [...runs].sort((a, b) => a.column - b.column).map(({ name }) => name);
  const inShell = (word) => (/^[\w.,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  const shell = (result) => {
    const { golds, classes, topics, ties } = result;
    const ratings = ["--gold", "median", `--annotators=${row(golds)}`, `--runs=${row(runsOf(result))}`,
      ...(topics.length ? ["--topic", "topic"] : []), ...(ties ? ["--ties", "lower"] : [])];
    const words = ["ordbook", "convert", "ratings.csv", "my-task", ...ratings, `--classes=${row(classes)}`];
    return `${words.map(inShell).join(" ")}\nordbook score my-task --out results`;
  };
  const python = (result) => {
    const { golds, classes, topics, ties, measures, pooled } = result;
    const list = (names) => `[${names.map((name) => JSON.stringify(name)).join(", ")}]`;
    return [
      "import ordbook as ob",
      `task = ob.from_ratings("ratings.csv", annotator=${list(golds)}, gold="median", runs=${list(runsOf(result))}, ` +
        `classes=${list(classes)}${topics.length ? ', topic="topic"' : ""}${ties ? ', ties="lower"' : ""})`,
      ...(golds.length > 1 ? [`ob.human_ceiling(task, ${list(measures)})`] : []),
      `ob.score(task, ${list(measures)}${pooled ? ', aggregate="pooled"' : ""}).means()`,
    ].join("\n");
  };

  window.ordbookTake = Object.freeze({ csv, shell, python });
})();
