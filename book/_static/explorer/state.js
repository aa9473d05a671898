// What the explorer holds: two distributions over the same 3 to 9 classes. Pure functions.
//
// Contents
// --------
// rescale          set one probability; the others keep their proportions
// resize           another number of classes
// normalise        divide by the sum
// readNumbers      what somebody typed
// readLink, link   the fragment of an address, #gold=.1,.9&estimate=...
// fixed, show      a number for the eye, half rounded up; show leaves the last zeros out
(() => {
  "use strict";
  const LEAST = 3;
  const MOST = 9;
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  // Without the noise of a division; equal numbers stay equal.
  const tidy = (x) => Math.round(x * 1e12) / 1e12;

  const rescale = (values, k, value) => {
    const rest = sum(values.filter((_, j) => j !== k));
    const share = (x) => (rest > 0 ? x * ((1 - value) / rest) : (1 - value) / (values.length - 1));
    return values.map((x, j) => (j === k ? value : tidy(share(x))));
  };

  const normalise = (values) => {
    const whole = sum(values);
    if (!(whole > 0 && whole < Infinity) || values.some((x) => x < 0)) return null;
    return values.map((x) => x / whole);
  };

  // New classes come at the end and are empty; those that go leave the rest in proportion.
  const resize = (values, n) => {
    if (n >= values.length) return [...values, ...Array(n - values.length).fill(0)];
    const kept = normalise(values.slice(0, n));
    return kept ? kept.map(tidy) : Array(n).fill(1 / n);
  };

  const readNumber = (text) => {
    const fraction = /^(\d+)\/(\d+)$/.exec(text);
    if (fraction) return Number(fraction[1]) / Number(fraction[2]);
    return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  };
  // "0,2 0,3": a comma inside what spaces separate is a decimal comma, or nobody knows.
  const DECIMAL_COMMA = /^[+-]?\d*,\d+,?$/;
  const readNumbers = (text) => {
    const spaced = text.trim().split(/[\s;]+/);
    const unclear = spaced.length > 1 && spaced.find((part) => DECIMAL_COMMA.test(part));
    if (unclear) {
      const typed = unclear.replace(/,$/, "");
      throw new RangeError(
        `decimals need a point: ${typed.replace(",", ".")} instead of ${typed}; ` +
          "two numbers need a space between"
      );
    }
    return text.trim().split(/[\s,;]+/).filter(Boolean).map(readNumber);
  };

  const check = (gold, estimate) => {
    for (const [name, values] of [["gold", gold], ["estimate", estimate]]) {
      if (values.length < LEAST || values.length > MOST)
        throw new RangeError(`${name} has ${values.length} classes; ${LEAST} to ${MOST} are possible`);
      window.ordbookMeasures.check(values, name);
    }
    if (gold.length !== estimate.length)
      throw new RangeError(`gold has ${gold.length} classes and estimate has ${estimate.length}`);
  };

  // A fragment without gold= and estimate= is none of ours (null); a wrong one is an error.
  const readLink = (hash) => {
    const fields = new URLSearchParams(hash.replace(/^#/, ""));
    if (!fields.has("gold") && !fields.has("estimate")) return null;
    const [gold, estimate] = ["gold", "estimate"].map((key) => readNumbers(fields.get(key) || ""));
    check(gold, estimate);
    return { gold, estimate };
  };
  const write = (x) => String(x).replace(/^0\./, ".");
  const link = ({ gold, estimate }) =>
    `#gold=${gold.map(write).join(",")}&estimate=${estimate.map(write).join(",")}`;

  // What is half but for the noise of an addition counts as half.
  const round = (x, digits) => Math.round((x + 1e-12) * 10 ** digits) / 10 ** digits;
  const fixed = (x, digits) => round(x, digits).toFixed(digits);
  const show = (x, digits = 3) => String(round(x, digits));

  window.ordbookExplorerState = Object.freeze({
    LEAST, MOST, rescale, normalise, resize, readNumbers, readLink, link, check, fixed, show,
  });
})();
