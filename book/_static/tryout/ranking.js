// Runs by measures of labels: scores, intervals, and the sentences on them.
(() => {
  "use strict";
  const { margins, names, one, total } = window.ordbookConfusion;
  const { random, ranks, TIE } = window.ordbookExplorer;
  const { GAP, median, areSmall } = window.ordbookTable;
  const [RESAMPLES, MOST_INTERVALS, SEED] = [1000, 10, 20260101];
  // The first two measures are those that the book recommends, as FAVOURED in ordbook.advice.choose;
  // the last needs no order of the classes.
  const MEASURES = ["kappa", "MAE_M", "MAE_mu", "alpha_ord", "QWK", "accuracy"];
  const LOW = new Set(["MAE_M", "MAE_mu"]);
  const cost = (measure, score) => (LOW.has(measure) ? score : -score);
  const better = (measure, x, y) => cost(measure, x) < cost(measure, y) - TIE;
  const mean = (values) => total(values) / values.length;

  // -- matrices --

  // A matrix for each topic that has items; without topics, the one of all items.
  const matricesOf = (gold, run, n, topicOf = null, topics = 1) => {
    const matrices = Array.from({ length: topics }, () => Array.from({ length: n }, () => new Array(n).fill(0)));
    for (let k = 0; k < gold.length; k += 1)
      if (gold[k] !== GAP) matrices[topicOf ? topicOf[k] : 0][gold[k]][run[k]] += 1;
    return matrices.filter((cm) => cm.some(total));
  };
  const logFactorials = (n) => {
    const logs = new Float64Array(n + 1);
    for (let k = 2; k <= n; k += 1) logs[k] = logs[k - 1] + Math.log(k);
    return logs;
  };
  // Inversion, from the likeliest number outwards: about as many steps as standard deviations.
  const binomial = (n, p, next, logs) => {
    if (n === 0 || p <= 0) return 0;
    if (p >= 1) return n;
    const [log, rest] = [Math.log(p), Math.log1p(-p)];
    const mode = Math.min(n, Math.floor((n + 1) * p));
    let left = next();
    const isAt = (k) => {
      if (k >= 0 && k <= n) left -= Math.exp(logs[n] - logs[k] - logs[n - k] + k * log + (n - k) * rest);
      return left <= 0;
    };
    for (let step = 0; step <= n; step += 1) {
      if (isAt(mode + step)) return mode + step;
      if (step && isAt(mode - step)) return mode - step;
    }
    return mode;
  };
  // As many items drawn with replacement: their matrix is multinomial, so that no row is drawn.
  const resampled = (cm, next, logs) => {
    let left = total(cm.map(total));
    let rest = left;
    return cm.map((row) => row.map((count) => {
      const drawn = binomial(left, count / rest, next, logs);
      left -= drawn;
      rest -= count;
      return drawn;
    }));
  };

  // Every run has the same random numbers, so equal runs have equal intervals.
  const interval = (resample, resamples) => {
    const next = random(SEED);
    const scores = Float64Array.from({ length: resamples }, () => resample(next)).sort();
    return [0.025, 0.975].map((q) => {
      const at = q * (scores.length - 1);
      const low = Math.floor(at);
      return scores[low] + (at - low) * ((scores[low + 1] ?? scores[low]) - scores[low]);
    });
  };
  const ofTopics = (scores) => (next) => {
    let sum = 0;
    for (let k = 0; k < scores.length; k += 1) sum += scores[Math.floor(next() * scores.length)];
    return sum / scores.length;
  };

  // -- people --

  // As ordbook.human_ceiling: each person against the median of the others, on the items that both
  // rated, and runs on the same gold, which is the lower and the upper of two in the middle in turn;
  // null if there are none.
  const ceiling = ({ golds: people, runs, answers }, score) => {
    const held = people.map((name) => {
      const others = people.filter((other) => other !== name).map((other) => answers.get(other));
      const golds = [Math.floor, Math.ceil].map((end) =>
        median(others, end).map((code, k) => (answers.get(name)[k] === GAP ? GAP : code)));
      return { name, golds, items: golds[0].filter((code) => code !== GAP).length };
    }).filter(({ items }) => items);
    const against = (golds, name) => mean(golds.map((gold) => score(gold, answers.get(name))));
    const weight = total(held.map(({ items }) => items));
    return weight ? {
      people: held.map(({ name, golds, items }) => ({ name, items, score: against(golds, name) })),
      runs: runs.map((name) =>
        ({ name, score: total(held.map(({ golds, items }) => items * against(golds, name))) / weight })),
    } : null;
  };

  // -- all of it --

  // The rule of ordbook.advice.choose.recommended: kappa, unless most topics have one gold class.
  const recommended = ([{ parts } = { parts: [] }]) => {
    const hasOneClass = (cm) => margins(cm).gold.filter(Boolean).length === 1;
    return MEASURES[Number(2 * parts.filter(hasOneClass).length > parts.length)];
  };

  const analyse = (text, options = {}) => {
    const table = window.ordbookTable.read(text, options);
    const { answers, gold, upper, topicOf, itemOf, runs: runNames, ...result } = table;
    const { golds, classes, ties } = result;
    if (table.question || table.refused || !table.items) return result;
    if (golds.length > 1 && !table.ordered)
      return { ...result, question: "Confirm the order of the labels: the median of people needs it." };
    const overTopics = Boolean(topicOf && !options.pooled);
    // The matrices that are scored; their scores are averaged.
    const partsOf = (golds, run) => {
      const parts = matricesOf(golds, run, classes.length, ...(overTopics ? [topicOf, table.topics.length] : []));
      return areSmall(parts.map((cm) => total(cm.map(total)))) ? matricesOf(golds, run, classes.length) : parts;
    };
    const score = (measure, parts) => mean(parts.map((part) => one(measure, part)));
    const runs = runNames.map((name, column) => {
      const parts = partsOf(gold, answers.get(name));
      const scores = Object.fromEntries(names.map((measure) => [measure, score(measure, parts)]));
      const [counts] = matricesOf(gold, answers.get(name), classes.length);
      return { name, column, parts, counts, scores, ranks: {} };
    });
    for (const measure of names)
      ranks(runs.map(({ scores }) => cost(measure, scores[measure]))).forEach((rank, k) => (runs[k].ranks[measure] = rank));
    const favoured = recommended(runs);
    // Until the order of words is confirmed, nothing that rests on it is shown.
    const known = table.ordered ? MEASURES : MEASURES.slice(-1);
    const by = known.find((measure) => measure === options.by) ?? (table.ordered ? favoured : known[0]);
    runs.sort((a, b) => a.ranks[by] - b.ranks[by]);
    const logs = logFactorials(overTopics ? 0 : table.items);
    for (const run of runs.slice(0, MOST_INTERVALS))
      if (!overTopics || run.parts.length > 1)
        run.interval = interval(overTopics
          ? ofTopics(Float64Array.from(run.parts, (part) => one(by, part)))
          : (next) => one(by, resampled(run.counts, next, logs)), options.resamples ?? RESAMPLES);
    Object.assign(result, { by, measures: known, plain: MEASURES.at(-1), favoured, runs, overTopics, pooled: Boolean(topicOf && options.pooled) });
    if (ties) {
      for (const run of runs) run.upper = score(by, partsOf(upper, answers.get(run.name)));
      ranks(runs.map((run) => cost(by, run.upper))).forEach((rank, k) => (runs[k].isFirstByUpper = rank === 1));
    }
    result.ceiling = golds.length > 1 ? ceiling(table, (golds, run) => score(by, partsOf(golds, run))) : null;
    const words = window.ordbookSentences;
    for (const run of runs) run.errors = words.errorsOf(run);
    result.sentences = table.ordered ? words.sentences(result, { better, cost }) : [];
    for (const run of runs) delete run.parts;
    return result;
  };

  window.ordbookRanking = Object.freeze({ analyse, LOW });
})();
