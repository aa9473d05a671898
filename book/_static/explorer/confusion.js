// The classification measures on a matrix of counts cm[gold][predicted], as in
// ordbook/measures/classification.py and agreement.py. No requests.
//
// Contents
// --------
// margins, check       sizes of the gold classes and of the predicted ones; what is no matrix
// all, one             every measure by name, in the order of ordbook.measures.CLASSIFICATION, or one
// parts                what the pictures show: observed and expected disagreement, mid-ranks
(() => {
  "use strict";
  const total = (values) => values.reduce((sum, x) => sum + x, 0);
  const inner = (left, right) => left.reduce((sum, x, k) => sum + x * right[k], 0);
  const columns = (cm) => cm.map((_, k) => cm.map((row) => row[k]));
  const margins = (cm) => ({ gold: cm.map(total), chosen: columns(cm).map(total) });
  // The sum over all cells of f(gold class, predicted class), times their counts.
  const overCells = (cm, f) => total(cm.map((row, j) => total(row.map((c, i) => c && c * f(j, i)))));
  const divide = (x, y) => (y > 0 ? x / y : 0);
  const steps = (j, i) => Math.abs(i - j);

  const check = (cm) => {
    for (const [k, row] of cm.entries()) {
      if (row.length !== cm.length)
        throw new RangeError(`row ${k + 1} has ${row.length} counts for ${cm.length} classes`);
      const wrong = row.find((c) => !(Number.isInteger(c) && c >= 0));
      if (wrong !== undefined) throw new RangeError(`row ${k + 1}: a count is a whole number from 0`);
    }
    if (!total(cm.map(total))) throw new RangeError("there is no item");
  };

  // classification.py
  const overGold = (values, gold) => total(values) / gold.filter((n) => n > 0).length;
  const maeMacro = (cm, { gold }) =>
    overGold(cm.map((row, j) => divide(total(row.map((c, i) => c * steps(j, i))), gold[j])), gold);
  const proximity = (gold) => {
    const n = total(gold);
    let sum = 0;
    const upto = gold.map((size) => (sum += size));
    // Eq. 4 by cumulative counts: from the middle of i to the far edge of j.
    return (j, i) => {
      const middle = upto[i] - gold[i] / 2;
      const k = i > j ? middle - (upto[j] - gold[j]) : upto[j] - middle;
      return -Math.log2(Math.max(0.5, k) / n);
    };
  };
  const cem = (cm, { gold }) => {
    const near = proximity(gold);
    return overCells(cm, near) / total(gold.map((size, j) => size && size * near(j, j)));
  };
  const precisionRecall = (cm, { gold, chosen }) =>
    [chosen, gold].map((sizes) => sizes.map((size, k) => divide(cm[k][k], size)));
  const f1 = (precision, recall) => divide(2 * precision * recall, precision + recall);
  const f1Macro = (cm, sides) => {
    const [precision, recall] = precisionRecall(cm, sides);
    return overGold(precision.map((p, k) => f1(p, recall[k])), sides.gold);
  };
  const hmpr = (cm, sides) =>
    f1(...precisionRecall(cm, sides).map((values) => overGold(values, sides.gold)));

  // agreement.py: 1 where no disagreement is expected
  const corrected = ({ observed, expected }) => (expected > 0 ? 1 - observed / expected : 1);
  const weighted = (cm, { gold, chosen }, weight = steps) => ({
    observed: overCells(cm, weight),
    expected:
      inner(gold, gold.map((_, j) => total(chosen.map((c, i) => c * weight(j, i))))) / total(gold),
  });
  const pooled = ({ gold, chosen }) => gold.map((n, k) => n + chosen[k]);
  const midpoints = (labels) => {
    let sum = 0;
    return labels.map((n) => (sum += n) - n / 2);
  };
  const alpha = (cm, labels, position) => {
    const square = (j, i) => (position[i] - position[j]) ** 2;
    const pairs = inner(labels, labels.map((_, j) => total(labels.map((n, i) => n * square(j, i)))));
    return { observed: overCells(cm, square), expected: pairs / 2 / (total(labels) - 1) };
  };
  const alphaOrd = (cm, sides) => alpha(cm, pooled(sides), midpoints(pooled(sides)));
  const alphaInt = (cm, sides) => alpha(cm, pooled(sides), [...cm.keys()]);

  const hits = (cm) => total(cm.map((row, k) => row[k]));
  const kernels = {
    MAE_M: maeMacro,
    MAE_mu: (cm, { gold }) => overCells(cm, steps) / total(gold),
    CEM_ORD: cem,
    kappa: (cm, sides) => corrected(weighted(cm, sides)),
    alpha_ord: (cm, sides) => corrected(alphaOrd(cm, sides)),
    alpha_int: (cm, sides) => corrected(alphaInt(cm, sides)),
    F1_M: f1Macro,
    HMPR: hmpr,
    accuracy: (cm, { gold }) => hits(cm) / total(gold),
    QWK: (cm, sides) => corrected(weighted(cm, sides, (j, i) => steps(j, i) ** 2)),
  };
  const all = (cm) => {
    check(cm);
    const sides = margins(cm);
    return Object.fromEntries(
      Object.entries(kernels).map(([name, kernel]) => [name, kernel(cm, sides)])
    );
  };
  const one = (name, cm) => kernels[name](cm, margins(cm));
  const parts = (cm) => {
    const sides = margins(cm);
    const n = total(sides.gold);
    // How many items are so many steps off, and how many would be by chance.
    const off = (count) =>
      cm.map((_, d) => total(cm.map((row, j) => total(row.map((_, i) =>
        (steps(j, i) === d ? count(j, i) : 0))))));
    const labels = pooled(sides);
    return {
      ...sides,
      labels,
      middles: midpoints(labels),
      off: off((j, i) => cm[j][i]),
      offByChance: off((j, i) => (sides.gold[j] * sides.chosen[i]) / n),
      kappa: weighted(cm, sides),
      alphaOrd: alphaOrd(cm, sides),
    };
  };

  window.ordbookConfusion = Object.freeze({
    names: Object.keys(kernels), all, one, parts, check, margins, total, overCells,
  });
})();
