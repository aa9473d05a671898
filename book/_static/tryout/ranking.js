// Runs by six measures, of one pool of items or as means over topics: scores, intervals, sentences.
// Nothing here touches the page, so that a worker can run it.
//
// Contents
// --------
// confusion, resampled   a run's confusion matrix, and matrices of as many items drawn again
// interval, ofTopics     of one measure, by the bootstrap of items or of topics
// bias                   how far too high a run is, and how often too high and too low
// disagreement, blindSpot  a sentence each
// analyse                text and options -> all that the page shows
(() => {
  "use strict";
  const { all, margins, one } = window.ordbookConfusion;
  const { fixed, random } = window.ordbookExplorer;
  // The first two are those that the book recommends, as FAVOURED in ordbook.advice.choose.
  const MEASURES = ["alpha_ord", "MAE_M", "kappa", "QWK", "MAE_mu", "accuracy"];
  const LOW = new Set(["MAE_M", "MAE_mu"]);
  const SAME = 1e-12;
  const [RESAMPLES, MOST_INTERVALS, SEED] = [1000, 10, 20260101];

  const sum = (values) => values.reduce((a, b) => a + b, 0);
  const listing = (names, word = "and") =>
    names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1)}`;
  const counted = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
  const times = (n) => ["never", "once"][n] ?? `${n} times`;
  const overCells = (cm, f) => sum(cm.map((row, j) => sum(row.map((count, i) => count && count * f(j, i)))));

  // -- matrices --

  const confusion = (gold, run, n) => {
    const cm = Array.from({ length: n }, () => new Array(n).fill(0));
    for (let k = 0; k < gold.length; k += 1) cm[gold[k]][run[k]] += 1;
    return cm;
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
    const odds = p / (1 - p);
    const mode = Math.min(n, Math.floor((n + 1) * p));
    let [low, high] = [mode, mode];
    let down = Math.exp(
      logs[n] - logs[mode] - logs[n - mode] + mode * Math.log(p) + (n - mode) * Math.log1p(-p)
    );
    let up = down;
    let left = next() - down;
    while (left > 0 && (low > 0 || high < n)) {
      if (high < n) {
        up *= (odds * (n - high)) / (high + 1);
        high += 1;
        left -= up;
        if (left <= 0) return high;
      }
      if (low > 0) {
        down *= low / (odds * (n - low + 1));
        low -= 1;
        left -= down;
        if (left <= 0) return low;
      }
    }
    return mode;
  };
  // As many items drawn with replacement: their matrix is multinomial, so that no row is drawn.
  const resampled = (cm, next, logs) => {
    let [left, rest] = [sum(cm.map(sum)), sum(cm.map(sum))];
    return cm.map((row) => row.map((count) => {
      const drawn = binomial(left, count / rest, next, logs);
      left -= drawn;
      rest -= count;
      return drawn;
    }));
  };
  const quantile = (sorted, q) => {
    const at = q * (sorted.length - 1);
    const low = Math.floor(at);
    return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
  };
  // Every run has the same random numbers, so equal runs have equal intervals.
  const interval = (cm, measure, logs, resamples) => {
    const next = random(SEED);
    const scores = Float64Array.from({ length: resamples }, () => one(measure, resampled(cm, next, logs)));
    scores.sort();
    return [quantile(scores, 0.025), quantile(scores, 0.975)];
  };

  const ofTopics = (scores, resamples) => {
    const next = random(SEED);
    const means = Float64Array.from({ length: resamples }, () => {
      let total = 0;
      for (let k = 0; k < scores.length; k += 1) total += scores[Math.floor(next() * scores.length)];
      return total / scores.length;
    });
    means.sort();
    return [quantile(means, 0.025), quantile(means, 0.975)];
  };
  // A matrix for each topic; without topics, the one of the pool.
  const byTopic = (gold, run, topicOf, topics, n) => {
    const items = Array.from({ length: topics }, () => [[], []]);
    for (let k = 0; k < gold.length; k += 1) {
      items[topicOf[k]][0].push(gold[k]);
      items[topicOf[k]][1].push(run[k]);
    }
    return items.map(([golds, answers]) => confusion(golds, answers, n));
  };
  const meanScore = (measure, matrices) => sum(matrices.map((cm) => one(measure, cm))) / matrices.length;

  // -- what a run does --

  const bias = (cm) => ({
    mean: overCells(cm, (j, i) => i - j) / sum(cm.map(sum)),
    high: overCells(cm, (j, i) => Number(i > j)),
    low: overCells(cm, (j, i) => Number(i < j)),
  });
  const errors = (cm) => overCells(cm, (j, i) => Number(i !== j));
  const farErrors = (cm) => overCells(cm, (j, i) => Number(Math.abs(i - j) > 1));
  const stepsOff = (cm) => overCells(cm, (j, i) => Math.abs(i - j)) / errors(cm);
  const classError = (cm, j) => sum(cm[j].map((count, i) => count * Math.abs(i - j))) / sum(cm[j]);
  const isConstant = (cm) => margins(cm).chosen.filter(Boolean).length === 1;
  const better = (measure, x, y) => (LOW.has(measure) ? y - x : x - y) > SAME;
  const winners = (runs, measure) =>
    runs.filter((run) => !runs.some((other) => better(measure, other.scores[measure], run.scores[measure])));

  // Why B can win by one measure and A by another.
  const reason = (a, b, classes, perClass) => {
    const { gold, chosen } = margins(b.counts);
    const answered = margins(a.counts).chosen;
    const never = classes.filter((_, k) => gold[k] && !chosen[k] && answered[k]);
    if (isConstant(b.counts)) return `${b.name} always answers ${classes[chosen.findIndex(Boolean)]}`;
    if (never.length) return `${b.name} never answers ${listing(never, "or")}`;
    const [of, off] = [[a, b].map((run) => errors(run.counts)), [a, b].map((run) => fixed(stepsOff(run.counts), 1))];
    if (!perClass && off[0] !== off[1])
      return `${b.name} is on average ${off[1]} steps off in its ${counted(of[1], "error")}, ` +
        `${a.name} ${off[0]} in its ${counted(of[0], "error")}`;
    const differences = classes.map((_, j) =>
      gold[j] ? Math.abs(classError(a.counts, j) - classError(b.counts, j)) : 0);
    const j = differences.indexOf(Math.max(...differences));
    return `on the ${counted(gold[j], "item")} of gold ${classes[j]}, ${b.name} is on average ` +
      `${fixed(classError(b.counts, j), 1)} steps off, ${a.name} ${fixed(classError(a.counts, j), 1)}`;
  };
  const disagreement = (runs, classes, by) => {
    if (runs.length === 1) return "There is one run, so nothing is ranked.";
    const first = winners(runs, by);
    const others = MEASURES.filter((name) => !winners(runs, name).some((run) => first.includes(run)));
    const everywhere = MEASURES.every((name) => winners(runs, name).length === first.length && winners(runs, name).every((run) => first.includes(run))) ? first : [];
    if (!others.length)
      return everywhere.length
        ? `All six measures put ${listing(everywhere.map(({ name }) => name))} first.`
        : `No measure puts another run before ${listing(first.map(({ name }) => name))}.`;
    const chief = others.includes("accuracy") ? "accuracy" : others[0];
    const [a, b] = [first[0], winners(runs, chief)[0]];
    const same = others.filter((name) => winners(runs, name).includes(b));
    const perClass = same.length === 1 && (chief === "MAE_M" || by === "MAE_M");
    return `By ${listing(same)} ${b.name} wins, by ${by} ${a.name}: ${reason(a, b, classes, perClass)}.`;
  };

  const blindSpot = (runs, classes, by) => {
    const leader = runs[0];
    const n = classes.length;
    if (runs.every((run) => !errors(run.counts))) return "No run makes an error, so there is nothing to see.";
    if (by === "accuracy") {
      const farthest = runs.reduce((a, b) => (farErrors(b.counts) > farErrors(a.counts) ? b : a));
      const far = farErrors(farthest.counts);
      return `Accuracy does not see how far an answer is off: ${far
        ? `${farthest.name} is more than one step off ${times(far)}, which costs no more than one step would`
        : "here, no answer is more than one step off"}.`;
    }
    if (LOW.has(by)) {
      const scores = classes.map((_, k) => meanScore(by, leader.matrices.map((cm) =>
        margins(cm).gold.map((count) => classes.map((__, i) => (i === k ? count : 0))))));
      const k = scores.indexOf(Math.min(...scores));
      const behind = runs.filter((run) => better(by, scores[k], run.scores[by]));
      return `${by} does not correct for chance: a run that always answers ${classes[k]} would have ` +
        `${fixed(scores[k], 3)} here, ${behind.length
          ? `better than ${listing(behind.slice(0, 3).map(({ name }) => name))}${behind.length > 3 ? ` and ${behind.length - 3} more` : ""}`
          : "and no run is worse"}.`;
    }
    const constant = runs.filter((run) => isConstant(run.counts) && Math.abs(run.scores[by]) <= SAME);
    if (by !== "alpha_ord" && constant.length > 1)
      return `${by} cannot tell ${listing(constant.slice(0, 4).map(({ name }) => name))} apart: each always ` +
        "gives one and the same answer, and so has 0.";
    const near = errors(leader.counts) - farErrors(leader.counts);
    if (by === "QWK" && n > 3 && near)
      return `QWK hardly sees small errors: each of the ${counted(near, "error")} of ${leader.name} that are one ` +
        `step off costs 1/${(n - 1) ** 2} of the farthest error.`;
    const run = runs.find(({ counts }) => errors(counts));
    const { high, low } = bias(run.counts);
    return `${by} does not say in which direction a run errs: ${run.name} is ${times(high)} too high ` +
      `and ${times(low)} too low.`;
  };

  const pooling = (runs, by) => {
    const pooled = winners(runs.map(({ name, pool }) => ({ name, scores: pool })), by).map(({ name }) => name);
    const means = winners(runs, by).map(({ name }) => name);
    const same = pooled.some((name) => means.includes(name));
    return `Of all items as one pool, ${listing(pooled)} ${same ? "also " : ""}${pooled.length > 1 ? "win" : "wins"} by ${by}` +
      ": every item counts alike there, and every topic here.";
  };

  // As ordbook.human_ceiling: each person against the median of the others, runs on the same gold.
  const ceiling = (table, codes, score) => {
    const others = table.people.map((k) =>
      window.ordbookTable.median(table.people.filter((other) => other !== k).map((other) => codes.get(other))));
    return {
      people: table.people.map((k, p) => ({ column: k, score: score(others[p], codes.get(k)) })),
      runs: table.runColumns.map((k) => ({
        column: k, score: sum(others.map((gold) => score(gold, codes.get(k)))) / others.length,
      })),
    };
  };
  const ceilingSentence = (names, { people, runs }, leader, by) => {
    const sorted = [...people].sort((a, b) => (LOW.has(by) ? b.score - a.score : a.score - b.score));
    const [worst, best] = [sorted[0], sorted.at(-1)];
    const { score } = runs.find(({ column }) => column === leader.column);
    const where = better(by, worst.score, score) ? "worse than every person"
      : better(by, score, best.score) ? "better than every person" : "within their range";
    return `By ${by}, a person against the median of the others has ${fixed(worst.score, 3)} ` +
      `(${names[worst.column]}) to ${fixed(best.score, 3)} (${names[best.column]}). On the same gold ` +
      `${leader.name} has ${fixed(score, 3)}, ${where}.`;
  };

  // -- all of it --

  // The rule of ordbook.advice.choose.recommended: alpha_ord, unless it is mostly 0/0, because a run
  // is right on every item of a topic, or of the pool, and gold holds one class alone there.
  const recommended = (runs) => {
    const matrices = runs.flatMap((run) => run.matrices);
    const isUndefined = (cm) => !errors(cm) && margins(cm).gold.filter(Boolean).length === 1;
    return 2 * matrices.filter(isUndefined).length > matrices.length ? "MAE_M" : "alpha_ord";
  };

  const analyse = (text, options = {}) => {
    const table = window.ordbookTable.read(text, options);
    const { codes, topicOf, ...shown } = table;
    // A median needs the order, too.
    if (table.refused || !table.items || (table.people.length && !table.ordered)) return shown;
    const gold = codes.get(table.gold);
    const n = table.classes.length;
    const overTopics = Boolean(topicOf) && !options.pooled;
    const matricesOf = (golds, answers, pool = null) =>
      (overTopics ? byTopic(golds, answers, topicOf, table.topics, n) : [pool ?? confusion(golds, answers, n)]);
    const runs = table.runColumns.map((k) => {
      const counts = confusion(gold, codes.get(k), n);
      const pool = all(counts);
      const matrices = matricesOf(gold, codes.get(k), counts);
      const scores = overTopics
        ? Object.fromEntries(Object.keys(pool).map((name) => [name, meanScore(name, matrices)]))
        : pool;
      return { name: table.names[k], column: k, counts, matrices, scores, pool, bias: bias(counts) };
    });
    const favoured = recommended(runs);
    // Until the order of words is confirmed, nothing that rests on it is shown.
    const by = table.ordered ? options.by || favoured : "accuracy";
    runs.sort((a, b) =>
      Number(better(by, b.scores[by], a.scores[by])) - Number(better(by, a.scores[by], b.scores[by])));
    for (const run of runs)
      run.rank = 1 + runs.filter((other) => better(by, other.scores[by], run.scores[by])).length;
    const logs = logFactorials(table.items);
    const resamples = options.resamples ?? RESAMPLES;
    for (const run of runs.slice(0, MOST_INTERVALS))
      run.interval = overTopics
        ? ofTopics(run.matrices.map((cm) => one(by, cm)), resamples)
        : interval(run.counts, by, logs, resamples);
    const sentences = table.ordered ? [disagreement(runs, table.classes, by), blindSpot(runs, table.classes, by)] : [];
    if (overTopics && table.ordered) sentences.push(pooling(runs, by));
    for (const run of runs) delete run.matrices;
    const people = table.people.length ? ceiling(table, codes, (golds, answers) => meanScore(by, matricesOf(golds, answers))) : null;
    if (people) sentences.push(ceilingSentence(table.names, people, runs[0], by));
    const measures = table.ordered ? MEASURES : ["accuracy"];
    const first = Object.fromEntries(measures.map((name) => [name, winners(runs, name).map(({ column }) => column)]));
    return {
      ...shown, by, measures, favoured, runs, first,
      sentences, overTopics, ceiling: people,
    };
  };

  window.ordbookRanking = Object.freeze({ analyse, counted, times, LOW });
})();
