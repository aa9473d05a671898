// The quantification measures, operation for operation as in ordbook/measures. No requests.
//
// Contents
// --------
// check                what is not a distribution is refused: RangeError, one line
// supported, midpoints which classes are in C*; the middle of each class in gold mass
// NMD ... RPS          f(gold, estimate): two arrays of one number for each class, in order
// all, one             every measure by name, in the order of ordbook.measures.QUANTIFICATION; one of
//                      them on a pair that is not checked
// parts                what the pictures show: cumulative sums, squared errors, DW, OD
//
// The comments name the function in Python. Sums run over classes from first to last.
(() => {
  "use strict";
  const TOLERANCE = 1e-12; // SUPPORT_TOLERANCE: a probability above is in C*; a tie in DNKT
  const SUM = 1e-5; // how far a sum may be from 1
  const TINY = 2.2250738585072014e-308; // np.finfo(np.float64).tiny

  const check = (values, name = "distribution") => {
    if (values.length < 2) throw new RangeError(`${name} needs at least two classes`);
    values.forEach((x, k) => {
      if (!Number.isFinite(x)) throw new RangeError(`${name}: class ${k + 1} is not a number`);
      if (x < 0) throw new RangeError(`${name}: class ${k + 1} is negative`);
    });
    const sum = total(values);
    if (!(Math.abs(sum - 1) <= SUM))
      throw new RangeError(`${name} sums to ${Number(sum.toPrecision(10))}, not to 1`);
  };
  const checkPair = (gold, estimate) => {
    check(gold, "gold");
    check(estimate, "estimate");
    if (gold.length !== estimate.length)
      throw new RangeError(`gold has ${gold.length} classes and estimate has ${estimate.length}`);
  };

  // components.py
  const total = (values) => values.reduce((sum, x) => sum + x, 0);
  const inner = (left, right) => left.reduce((sum, x, k) => sum + x * right[k], 0);
  const cumulate = (values) => {
    let sum = 0;
    return values.map((x) => (sum += x));
  };
  const midpoints = (gold) => cumulate(gold).map((c, k) => c - gold[k] / 2);
  const supported = (values) => values.map((x) => x > TOLERANCE);
  const squares = (gold, estimate) => estimate.map((p, k) => (p - gold[k]) * (p - gold[k]));

  // viewpoint_weights: views are 1 for the classes that count as viewpoints, else 0
  const bySteps = (views) =>
    views.map((_, j) => views.reduce((sum, view, i) => sum + view * Math.abs(i - j), 0));
  const byGoldMass = (views, gold) => {
    const m = midpoints(gold);
    const count = cumulate(views);
    const mass = cumulate(views.map((view, k) => view * m[k]));
    const last = views.length - 1;
    return m.map((at, j) =>
      Math.max(at * (2 * count[j] - count[last]) + mass[last] - 2 * mass[j], 0)
    );
  };
  const od = (gold, estimate, weigh = bySteps) => {
    const views = supported(gold).map(Number);
    const n = total(views);
    return inner(weigh(views, gold).map((w) => w / n), squares(gold, estimate));
  };
  const adw = (gold, estimate, weigh = bySteps) => {
    const weights = weigh(gold.map(() => 1), gold).map((w) => w / gold.length);
    return inner(weights, squares(gold, estimate));
  };
  const sod = (gold, estimate) => (od(gold, estimate) + od(estimate, gold)) / 2;
  const dw = (gold, estimate) => {
    const errors = squares(gold, estimate);
    return errors.map((_, i) => errors.reduce((sum, e, j) => sum + Math.abs(i - j) * e, 0));
  };

  // quantification.py
  const differences = (gold, estimate) => cumulate(estimate.map((p, k) => p - gold[k]));
  const root = (value, gold) => Math.sqrt(value / (gold.length - 1));
  const nmd = (g, p) => total(differences(g, p).map(Math.abs)) / (g.length - 1);
  const rps = (g, p) => total(differences(g, p).map((x) => x * x)) / (g.length - 1);
  const rnod = (g, p) => root(od(g, p), g);
  const nvd = (g, p) => total(p.map((x, k) => Math.abs(x - g[k]))) / 2;
  const rnss = (g, p) => Math.sqrt(total(squares(g, p)) / 2);
  const jsd = (g, p) => {
    // The floor gives the empty terms, 0 log 0 = 0: it only ever meets a factor 0.
    const term = (x, both) => x * Math.log2((2 * Math.max(x, TINY)) / both);
    const terms = p.map((x, k) => {
      const both = Math.max(g[k] + x, TINY);
      return term(x, both) + term(g[k], both);
    });
    return Math.max(total(terms) / 2, 0);
  };

  // priority.py
  const order = (values, i, lag) => {
    const step = values[i + lag] - values[i];
    return Number(step > TOLERANCE) - Number(step < -TOLERANCE);
  };
  const pairs = (g, p) => {
    const found = { agreement: 0, untied: 0, untiedGold: 0 };
    for (let lag = 1; lag < g.length; lag += 1)
      for (let i = 0; i + lag < g.length; i += 1) {
        const [ours, golds] = [order(p, i, lag), order(g, i, lag)];
        found.agreement += ours * golds;
        found.untied += Math.abs(ours);
        found.untiedGold += Math.abs(golds);
      }
    return found;
  };
  const dnkt = (g, p) => {
    const { agreement, untied, untiedGold } = pairs(g, p);
    return (1 - agreement / Math.sqrt(Math.max(1, untied) * Math.max(1, untiedGold))) / 2;
  };
  const harmonic = (left, right) => {
    const sum = left + right;
    return (2 * left * right) / (sum > 0 ? sum : 1);
  };

  const kernels = {
    NMD: nmd,
    RNOD: rnod,
    RSNOD: (g, p) => root(sod(g, p), g),
    RNOD2: (g, p) => root(od(g, p, byGoldMass), g),
    RNADW: (g, p) => root(adw(g, p), g),
    RNADW2: (g, p) => root(adw(g, p, byGoldMass), g),
    NVD: nvd,
    RNSS: rnss,
    JSD: jsd,
    DNKT: dnkt,
    DNKT_JSD: (g, p) => harmonic(dnkt(g, p), jsd(g, p)),
    DNKT_NMD: (g, p) => harmonic(dnkt(g, p), nmd(g, p)),
    DNKT_RNOD: (g, p) => harmonic(dnkt(g, p), rnod(g, p)),
    RPS: rps,
  };
  const checked = {};
  for (const [name, kernel] of Object.entries(kernels))
    checked[name] = (gold, estimate) => {
      checkPair(gold, estimate);
      return kernel(gold, estimate);
    };
  const one = (name, [gold, estimate]) => kernels[name](gold, estimate);
  const all = (gold, estimate) => {
    checkPair(gold, estimate);
    const scores = {};
    for (const [name, kernel] of Object.entries(kernels)) scores[name] = kernel(gold, estimate);
    return scores;
  };
  const parts = (gold, estimate) => ({
    cumulativeGold: cumulate(gold),
    cumulativeEstimate: cumulate(estimate),
    differences: differences(gold, estimate).map(Math.abs),
    squares: squares(gold, estimate),
    supported: supported(gold),
    dw: dw(gold, estimate),
    od: od(gold, estimate),
    pairs: pairs(gold, estimate),
  });

  window.ordbookMeasures = Object.freeze({
    ...checked, names: Object.keys(kernels), one, all, parts, check, supported, midpoints, TOLERANCE, SUM,
  });
})();
