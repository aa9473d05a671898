// Sentences on ranked runs: where measures disagree, and what the measure that ranks does not see
// in these data. Nothing here touches the page, so that a worker can run it.
(() => {
  "use strict";
  const { margins, overCells, total, one: oneOfLabels } = window.ordbookConfusion;
  const { one: oneOfShares } = window.ordbookMeasures;
  const { fixed, ranks, listing, some, counted, TIE } = window.ordbookExplorer;
  const times = (n) => ["never", "once"][n] ?? `${n} times`;
  const mean = (values) => total(values) / values.length;

  // -- what a run does --

  // wrong: items, or the mean share, in a wrong class; off: by how many steps on average.
  const ofLabels = ({ counts }) => {
    const count = (f) => overCells(counts, (j, i) => Number(f(i - j)));
    const [wrong, items] = [count((step) => step !== 0), count(() => true)];
    return {
      wrong,
      off: overCells(counts, (j, i) => Math.abs(i - j)) / wrong,
      far: count((step) => Math.abs(step) > 1),
      high: count((step) => step > 0),
      low: count((step) => step < 0),
      bias: overCells(counts, (j, i) => i - j) / items,
      constant: margins(counts).chosen.filter(Boolean).length === 1,
    };
  };
  const ofShares = ({ parts, scores }, topics) => {
    const steps = parts.map(([gold, run]) => total(run.map((share, k) => k * (share - gold[k]))));
    const distances = parts.map((pair) => oneOfShares("NMD", pair));
    const worst = distances.indexOf(Math.max(...distances));
    const average = (side) => parts[0][side].map((_, k) => mean(parts.map((pair) => pair[side][k])));
    return {
      wrong: scores.NVD,
      off: scores.NMD * (parts[0][0].length - 1) / scores.NVD,
      high: steps.filter((step) => step > TIE).length,
      low: steps.filter((step) => step < -TIE).length,
      bias: mean(steps),
      peak: mean(parts.map(([, run]) => Math.max(...run))),
      rows: [average(0), average(1), ...parts[worst]],
      worst: topics[worst],
    };
  };

  // -- where measures disagree --

  const classError = (cm, j) => total(cm[j].map((count, i) => count * Math.abs(i - j))) / total(cm[j]);
  // Why B can win by one measure and A by another.
  const reasonOfLabels = (a, b, classes, perClass) => {
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
  const reasonOfShares = (a, b) => {
    const off = [a, b].map(({ errors }) => fixed(errors.off, 1));
    if (off[0] !== off[1])
      return `${b.name} misplaces ${fixed(b.errors.wrong, 2)} of the mass by ${off[1]} steps on average, ` +
        `${a.name} ${fixed(a.errors.wrong, 2)} by ${off[0]}`;
    return `the largest share of ${b.name} is on average ${fixed(b.errors.peak, 2)}, that of ${a.name} ${fixed(a.errors.peak, 2)}`;
  };

  const winners = (runs, measure) => runs.filter((run) => run.ranks[measure] === 1);
  const disagreement = ({ runs, classes, by, measures, shares }) => {
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
    const reason = shares ? reasonOfShares(a, b) : reasonOfLabels(a, b, classes, perClass);
    return `By ${listing(same)} ${b.name} wins, by ${by} ${a.name}: ${reason}.`;
  };

  // -- what a measure does not see --

  // Of runs that always give one answer, the best; `part` makes what it would answer.
  const constant = ({ runs, classes, by }, { score, better }, part) => {
    const scores = classes.map((_, k) => score(by, runs[0].parts.map((own) => part(own, k))));
    const k = ranks(scores).indexOf(1);
    const behind = runs.filter((run) => better(by, scores[k], run.scores[by])).map(({ name }) => name);
    return `${classes[k]} would have ${fixed(scores[k], 3)} here, ${behind.length ? `better than ${some(behind)}` : "and no run is worse"}.`;
  };
  const direction = (by, { name, errors }, isShares) =>
    `${by} does not say in which direction a run errs: ` + (isShares
      ? `the mean class of ${name} is too high in ${counted(errors.high, "topic")} and too low in ${errors.low}.`
      : `${name} is ${times(errors.high)} too high and ${times(errors.low)} too low.`);

  const blindSpotOfShares = (result, scoring) => {
    const { runs, classes, by } = result;
    if (by === "NMD")
      return "NMD may reward a bet: a run that always puts everything on " +
        constant(result, scoring, ([gold], k) => [gold, classes.map((_, i) => Number(i === k))]);
    const wrong = runs.filter(({ errors }) => errors.wrong > TIE);
    if (by === "RNOD" || by === "RPS") return direction(by, wrong[0], true);
    const farthest = wrong.reduce((a, b) => (b.errors.off > a.errors.off ? b : a));
    return `${by} does not see how far mass is misplaced: that of ${farthest.name} is on average ` +
      `${fixed(farthest.errors.off, 1)} steps off, and would cost the same one step off.`;
  };
  const blindSpotOfLabels = (result, scoring) => {
    const { runs, classes, by } = result;
    if (by === "accuracy") {
      const farthest = runs.reduce((a, b) => (b.errors.far > a.errors.far ? b : a));
      return `Accuracy does not see how far an answer is off: ${farthest.errors.far
        ? `${farthest.name} is more than one step off ${times(farthest.errors.far)}, which costs no more than one step would`
        : "here, no answer is more than one step off"}.`;
    }
    if (by.startsWith("MAE"))
      return `${by} does not correct for chance: a run that always answers ` +
        constant(result, scoring, (cm, k) => margins(cm).gold.map((count) => classes.map((_, i) => (i === k ? count : 0))));
    const constants = runs.filter((run) => run.errors.constant && Math.abs(run.scores[by]) <= TIE);
    if (by === "alpha_ord" || by === "QWK") return `${by} can rise when a right answer is made wrong.`;
    if (constants.length > 1)
      return `${some(constants.map(({ name }) => name))} have a ${by} of 0, because none of them looks at ` +
        "its items; MAE_M can tell them apart.";
    return direction(by, runs.find((run) => run.errors.wrong));
  };
  const blindSpot = (result, scoring) => {
    if (result.runs.every(({ errors }) => errors.wrong <= TIE)) return "No run makes an error, so there is nothing to see.";
    return (result.shares ? blindSpotOfShares : blindSpotOfLabels)(result, scoring);
  };

  // -- pools and people --

  const pooling = ({ runs, by }, { cost }) => {
    const places = ranks(runs.map(({ counts }) => cost(by, oneOfLabels(by, counts))));
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
      blindSpot(result, scoring),
      ...(result.overTopics && !result.shares ? [pooling(result, scoring)] : []),
      ...(result.ceiling ? [onPeople(result, scoring)] : []),
    ];
  };

  window.ordbookSentences = Object.freeze({ ofLabels, ofShares, sentences, times });
})();
