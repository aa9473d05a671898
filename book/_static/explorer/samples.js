// Two samples of the topics, and what they make of the same runs, as ordbook.meta computes it.
//
// Contents
// --------
// decode               a measure's scores: topic after topic, one score for each run
// shuffled             the topics in the order of a draw; the first draw takes every other topic
// means, ranks, tau    over some topics; what is equal but for float noise is tied
// significant          how many pairs differ by Tukey's HSD test (parametric_tukey_hsd)
// draw                 all of it, for two samples of each size
(() => {
  "use strict";
  const { random } = window.ordbookExplorer;
  const NOISE = 1e-12; // ordbook.meta.variances.TOLERANCE

  const decode = (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return new Float64Array(bytes.buffer);
  };
  const shuffled = (number, topics) => {
    const all = [...Array(topics).keys()];
    if (number === 1) return [...all.filter((k) => k % 2 === 0), ...all.filter((k) => k % 2)];
    const next = random(number);
    for (let k = topics - 1; k > 0; k -= 1) {
      const other = Math.floor(next() * (k + 1));
      [all[k], all[other]] = [all[other], all[k]];
    }
    return all;
  };
  // A sample of each size begins where those of the other sizes do: they grow by topics.
  const samples = (order, size) => {
    const half = Math.floor(order.length / 2);
    return [order.slice(0, size), order.slice(half, half + size)];
  };

  const means = (scores, runs, topics) => {
    const sums = new Array(runs).fill(0);
    for (const t of topics) for (let r = 0; r < runs; r += 1) sums[r] += scores[t * runs + r];
    return sums.map((sum) => sum / topics.length);
  };
  const noise = (scores) => NOISE * scores.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const sign = (difference, slack) => (Math.abs(difference) <= slack ? 0 : Math.sign(difference));
  const ranks = (values, better, slack) =>
    values.map((x) => 1 + values.filter((y) => (better === "low" ? x - y : y - x) > slack).length);
  const tau = (x, y, slack) => {
    let agreement = 0;
    for (let i = 0; i < x.length; i += 1)
      for (let j = i + 1; j < x.length; j += 1)
        agreement += sign(x[j] - x[i], slack) * sign(y[j] - y[i], slack);
    return agreement / ((x.length * (x.length - 1)) / 2);
  };
  // critical: the quantile of the studentised range, of which p = .05 is the upper tail.
  const significant = (scores, runs, topics, critical) => {
    const center = means(scores, runs, topics);
    let [square, largest] = [0, 0];
    for (const t of topics) {
      const residuals = center.map((mean, r) => scores[t * runs + r] - mean);
      const middle = residuals.reduce((sum, x) => sum + x, 0) / runs;
      for (const x of residuals) square += (x - middle) ** 2;
      for (let r = 0; r < runs; r += 1) largest = Math.max(largest, Math.abs(scores[t * runs + r]));
    }
    const slack = NOISE * largest;
    const variance = square / ((runs - 1) * (topics.length - 1));
    const unit = variance <= slack ** 2 ? 0 : Math.sqrt(variance / topics.length);
    let found = 0;
    for (let i = 0; i < runs; i += 1)
      for (let j = i + 1; j < runs; j += 1) {
        const difference = Math.abs(center[i] - center[j]);
        found += Number(difference > slack && difference > critical * unit);
      }
    return found;
  };

  // What all topics say, once for each measure; `critical` by number of topics.
  const whole = (scores, runs, critical) => {
    const topics = [...Array(scores.length / runs).keys()];
    return {
      topics, slack: noise(scores), means: means(scores, runs, topics),
      pairs: significant(scores, runs, topics, critical[topics.length]),
    };
  };
  const draw = (scores, runs, all, order, sizes, critical) =>
    Object.fromEntries(sizes.map((size) => {
      const both = samples(order, size);
      const [a, b] = both.map((topics) => means(scores, runs, topics));
      return [size, {
        means: [a, b],
        tau: tau(a, b, all.slack),
        tauAll: [a, b].map((x) => tau(x, all.means, all.slack)),
        pairs: both.map((topics) => significant(scores, runs, topics, critical[size])),
      }];
    }));

  window.ordbookSamples = Object.freeze({
    decode, shuffled, samples, means, ranks, tau, significant, whole, draw,
  });
})();
