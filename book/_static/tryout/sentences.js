// Sentences on ranked runs: where measures disagree, and how the runs stand beside people.
(() => {
  "use strict";
  const { margins, overCells, total, one } = window.ordbookConfusion;
  const { fixed, ranks, listing, counted, TIE } = window.ordbookExplorer;
  const times = (n) => ["never", "once"][n] ?? `${n} times`;
  const mean = (values) => total(values) / values.length;

  // -- what a run does --

  // wrong: items in a wrong class; off: by how many steps on average.
  const errorsOf = ({ counts }) => {
    const count = (f) => overCells(counts, (j, i) => Number(f(i - j)));
    const [wrong, items] = [count((step) => step !== 0), count(() => true)];
    return {
      wrong,
      off: overCells(counts, (j, i) => Math.abs(i - j)) / wrong,
      high: count((step) => step > 0),
      low: count((step) => step < 0),
      bias: overCells(counts, (j, i) => i - j) / items,
      constant: margins(counts).chosen.filter(Boolean).length === 1,
    };
  };
  // -- where measures disagree --

  const classError = (cm, j) => total(cm[j].map((count, i) => count * Math.abs(i - j))) / total(cm[j]);
  // Why B can win by one measure and A by another.
  const reasonOf = (a, b, classes, perClass) => {
    const { gold, chosen } = margins(b.counts);
    const answered = margins(a.counts).chosen;
    const never = classes.filter((_, k) => gold[k] && !chosen[k] && answered[k]);
    if (b.errors.constant) return `${b.name} always answers ${classes[chosen.findIndex(Boolean)]}`;
    if (never.length) return `${b.name} never answers ${listing(never, "or")}`;
    const off = [a, b].map(({ errors }) => fixed(errors.off, 1));
    if (!perClass && off[0] !== off[1])
      return `${b.name} is on average ${off[1]} steps off in its ${counted(b.errors.wrong, "error")}, ` +
        `${a.name} ${off[0]} in its ${counted(a.errors.wrong, "error")}`;
    const differences = classes.map((_, j) =>
      (gold[j] ? Math.abs(classError(a.counts, j) - classError(b.counts, j)) : 0));
    const j = differences.indexOf(Math.max(...differences));
    return `on the ${counted(gold[j], "item")} of gold ${classes[j]}, ${b.name} is on average ` +
      `${fixed(classError(b.counts, j), 1)} steps off, ${a.name} ${fixed(classError(a.counts, j), 1)}`;
  };
  const winners = (runs, measure) => runs.filter((run) => run.ranks[measure] === 1);
  const disagreement = ({ runs, classes, by, measures }) => {
    if (runs.length === 1) return "There is one run, so nothing is ranked.";
    const first = winners(runs, by);
    const firstNames = listing(first.map(({ name }) => name));
    const others = measures.filter((measure) => !winners(runs, measure).some((run) => first.includes(run)));
    if (!others.length)
      return measures.every((measure) => String(winners(runs, measure).map(({ name }) => name)) === String(first.map(({ name }) => name)))
        ? `All six measures put ${firstNames} first.`
        : `No measure puts another run before ${firstNames}.`;
    const chief = others.includes("accuracy") ? "accuracy" : others[0];
    const [a, b] = [first[0], winners(runs, chief)[0]];
    const same = others.filter((measure) => winners(runs, measure).includes(b));
    const perClass = same.length === 1 && (chief === "MAE_M" || by === "MAE_M");
    return `By ${listing(same)} ${b.name} wins, by ${by} ${a.name}: ${reasonOf(a, b, classes, perClass)}.`;
  };

  // -- pools and people --

  const pooling = ({ runs, by }, { cost }) => {
    const places = ranks(runs.map(({ counts }) => cost(by, one(by, counts))));
    const pooled = runs.filter((_, k) => places[k] === 1);
    const isSame = pooled.some((run) => run.ranks[by] === 1);
    return `Of all items as one pool, ${listing(pooled.map(({ name }) => name))} ${isSame ? "also " : ""}` +
      `${pooled.length > 1 ? "win" : "wins"} by ${by}: every item counts alike there, and every topic here.`;
  };
  // Gold by an even number of people: what changes with the upper median, and whether the winner does.
  const onTies = ({ runs, by, ties, items }) => {
    const [lower, upper] = [winners(runs, by), runs.filter((run) => run.isFirstByUpper)].map((first) => listing(first.map(({ name }) => name)));
    const same = runs.length > 1 ? `${upper} would be first by ${by}, too` : "scores are those of the last column";
    return { changes: lower !== upper, text: `The two middle ratings of ${ties} of ${counted(items, "item")} differ` + (lower === upper
      ? `, and gold is the lower one. With the upper one, ${same}.`
      : `, and the winner depends on which of them is gold: with the lower ${lower} is first by ${by}, with the upper ${upper}.`) };
  };
  const onPeople = ({ runs, by, ceiling }, { better, cost }) => {
    // As in ordbook.meta.people: who rated less than a tenth of the items is no end of the range.
    const most = Math.max(...ceiling.people.map(({ items }) => items));
    const sorted = ceiling.people.filter(({ items }) => 10 * items >= most).sort((a, b) => cost(by, b.score) - cost(by, a.score));
    const [worst, best] = [sorted[0], sorted.at(-1)];
    const { name } = runs[0];
    const { score } = ceiling.runs.find((run) => run.name === name);
    const where = better(by, worst.score, score) ? "worse than every person"
      : better(by, score, best.score) ? "better than every person" : "within their range";
    return `By ${by}, a person against the median of the others has ${fixed(worst.score, 3)} (${worst.name}) to ` +
      `${fixed(best.score, 3)} (${best.name}). On the same gold ${name} has ${fixed(score, 3)}, ${where}.`;
  };

  const sentences = (result, scoring) => {
    const tied = result.ties ? [onTies(result)] : [];
    return [
      ...tied.filter(({ changes }) => changes).map(({ text }) => text),
      disagreement(result),
      ...tied.filter(({ changes }) => !changes).map(({ text }) => text),
      ...(result.overTopics ? [pooling(result, scoring)] : []),
      ...(result.ceiling ? [onPeople(result, scoring)] : []),
    ];
  };

  window.ordbookSentences = Object.freeze({ errorsOf, sentences, times });
})();
