// The pictures of the explorers: bars that can be moved, and what measures see.
//
// Contents
// --------
// frame, block         what all pictures have: lines at three heights, and a bar
// Bars                 one distribution; over each bar lies a slider of the browser
// drawCumulative       NMD: the area between two staircases
// drawWeighted         RNOD: the DW term of each class, made of weighted squared errors
// drawMoved            scores against the distance that an error moves
// drawSteps            kappa: how many items are so many steps off, and how many by chance
// drawRuler            alpha_ord: classes as wide as they have labels
(() => {
  "use strict";
  const { show, element, make, set, fit } = window.ordbookExplorer;

  // -- what all pictures have --

  // The next of 1, 2, 5, 10, 20, ... at or above: a scale that does not shiver while one drags.
  const ceiling = (value) => {
    if (!(value > 1e-9)) return 1;
    const power = 10 ** Math.floor(Math.log10(value));
    return power * [1, 2, 5, 10].find((step) => step * power >= value * (1 - 1e-9));
  };
  // Hatching tells gold from an estimate without colour.
  const hatch = () =>
    make("defs", {}, make("pattern", {
      id: "ox-hatch", width: 7, height: 7, patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(45)",
    }, make("line", { x1: 0, y1: 0, x2: 0, y2: 7, class: "ox-hatch" })));
  const word = (x, y, text, name) => make("text", { x, y, class: name }, String(text));
  const block = (x, width, [y1, y2], name) =>
    make("rect", { x, width, y: Math.min(y1, y2), height: Math.abs(y1 - y2), class: name });
  const hatched = (...place) => {
    const lines = block(...place, "ox-lines");
    set(lines, { fill: "url(#ox-hatch)" });
    return lines;
  };

  // An empty picture with lines at 0, half of the highest value, and this. For `n` classes side by
  // side it tells their step, their middles and how wide a bar is.
  const frame = (svg, highest, n, { height = 206, top = 14, left = 46, right = 4 } = {}) => {
    const width = fit(svg, height);
    const bottom = height - 26;
    const y = (value) => bottom - (Math.min(value, highest) / highest) * (bottom - top);
    svg.replaceChildren();
    for (const value of [0, highest / 2, highest]) {
      const line = { x1: left, x2: width - right, y1: y(value), y2: y(value), class: "ox-grid" };
      svg.append(make("line", line));
      svg.append(word(left - 6, y(value) + 4, Number(value.toPrecision(3)), "ox-axis"));
    }
    const step = (width - left - right) / n;
    return {
      top, bottom, left, right: width - right, step, y,
      thick: Math.min(58, step * 0.74),
      x: (k) => left + (k + 0.5) * step,
      name: (x, text, isIdle) =>
        svg.append(word(x, height - 7, text, isIdle ? "ox-class ox-class-idle" : "ox-class")),
    };
  };

  // -- a distribution --

  class Bars {
    // side is "gold" or "estimate"; rest() is called where an action of the visitor ends, and
    // move(k, value) for each of its steps.
    constructor(field, side, rest, move) {
      Object.assign(this, { field, side, sliders: [] });
      this.svg = field.querySelector("svg");
      for (const end of ["pointerdown", "focusout"]) field.addEventListener(end, rest);
      field.addEventListener("input", ({ target }) =>
        move(this.sliders.indexOf(target), Number(target.value)));
    }

    update(values, others) {
      // Lower on a phone, so that the scores are in sight while one drags.
      const height = window.matchMedia("(min-width: 760px)").matches ? 210 : 156;
      const { x, y, top, bottom, left, step, thick, name } =
        frame(this.svg, 1, values.length, { height, top: 24, left: 26, right: 2 });
      if (this.side === "gold") this.svg.prepend(hatch());
      values.forEach((value, k) => {
        const ends = [y(value), bottom];
        this.svg.append(block(x(k) - thick / 2, thick, ends, `ox-bar ox-${this.side}`));
        if (this.side === "gold")
          this.svg.append(hatched(x(k) - thick / 2, thick, ends));
        this.svg.append(make("line", {
          x1: x(k) - thick / 2 - 3, x2: x(k) + thick / 2 + 3, y1: y(others[k]), y2: y(others[k]),
          class: "ox-other",
        }));
        // Without its first zero where bars stand close.
        const text = step < 42 ? show(value).replace(/^0\./, ".") : show(value);
        this.svg.append(word(x(k), y(value) - 8, text, "ox-value"));
        name(x(k), k + 1);
      });
      if (this.sliders.length !== values.length) this.build(values.length);
      for (const [key, size] of Object.entries({ top, length: bottom - top, step }))
        this.field.style.setProperty(`--ox-${key}`, `${size}px`);
      this.sliders.forEach((slider, k) => {
        slider.style.left = `${left + k * step}px`;
        slider.value = values[k];
        slider.ariaValueText = `${show(100 * values[k], 1)} percent`;
      });
    }

    build(n) {
      this.sliders.forEach((slider) => slider.remove());
      this.sliders = Array.from({ length: n }, (_, k) => element("input", {
        type: "range", min: 0, max: 1, step: 0.01, className: "ox-slider",
        ariaLabel: `${this.side}, class ${k + 1}`,
      }));
      this.field.append(...this.sliders);
    }
  }

  // -- what measures of distributions see --

  const drawCumulative = (svg, { cumulativeGold, cumulativeEstimate }) => {
    const n = cumulativeGold.length;
    const { y, left, right, name } = frame(svg, 1, n, { left: 30, right: 12, top: 12 });
    const x = (k) => left + (k / (n - 1)) * (right - left);
    for (let k = 0; k < n - 1; k += 1)
      svg.append(block(
        x(k), x(k + 1) - x(k), [y(cumulativeGold[k]), y(cumulativeEstimate[k])], "ox-area"
      ));
    const stairs = (values) =>
      values.map((v, k) => (k ? `H${x(k)}V${y(v)}` : `M${x(0)} ${y(v)}`)).join("");
    svg.append(make("path", { d: stairs(cumulativeGold), class: "ox-stair ox-stair-gold" }));
    svg.append(make("path", { d: stairs(cumulativeEstimate), class: "ox-stair ox-stair-estimate" }));
    for (let k = 0; k < n; k += 1) {
      const [cy, at] = [y(cumulativeGold[k]), y(cumulativeEstimate[k])];
      svg.append(make("circle", { cx: x(k), cy, r: 5, class: "ox-point-gold" }));
      svg.append(block(x(k) - 4, 8, [at - 4, at + 4], "ox-point-estimate"));
      name(x(k), k + 1);
    }
  };

  const drawWeighted = (svg, { squares, supported, dw, od }) => {
    const { x, y, left, right, thick, name } = frame(svg, ceiling(Math.max(...dw)), dw.length);
    const texts = []; // above the line of the mean
    dw.forEach((_, i) => {
      const idle = (style) => (supported[i] ? style : `${style} ${style}-idle`);
      let sum = 0;
      squares.forEach((square, j) => {
        const [low, high] = [y(sum), y((sum += Math.abs(i - j) * square))];
        if (low - high < 0.2) return;
        svg.append(block(x(i) - thick / 2, thick, [low, high], idle("ox-term")));
        if (low - high >= 14 && thick >= 12)
          texts.push(word(x(i), (low + high) / 2 + 4, j + 1, idle("ox-piece")));
      });
      name(x(i), supported[i] ? i + 1 : `(${i + 1})`, !supported[i]);
    });
    const mean = { x1: left, x2: right, y1: y(od), y2: y(od) };
    svg.append(make("line", { ...mean, class: "ox-mean-edge" }));
    svg.append(make("line", { ...mean, class: "ox-mean" }), ...texts);
  };

  // lines: {measure: [score at each place]}; at: the place the estimate has now, or -1.
  const drawMoved = (svg, lines, labels, at) => {
    const highest = ceiling(Math.max(...Object.values(lines).flat()));
    const { x, y, right, name } = frame(svg, highest, labels.length, { right: 52 });
    labels.forEach((label, k) => name(x(k), label));
    let end = 0; // of the name before, from above: names keep clear of each other
    const ends = Object.entries(lines).sort(([, a], [, b]) => b.at(-1) - a.at(-1));
    for (const [measure, values] of ends) {
      const style = `ox-moved-${measure.toLowerCase()}`;
      const d = values.map((value, k) => `${k ? "L" : "M"}${x(k)} ${y(value)}`).join("");
      svg.append(make("path", { d, class: `ox-moved ${style}` }));
      values.forEach((value, k) => svg.append(make("circle", {
        cx: x(k), cy: y(value), r: k === at ? 7 : 4, class: `ox-mark ${style}`,
      })));
      end = Math.max(y(values.at(-1)), end + 13);
      svg.append(word(right + 2, end + 4, measure, "ox-name"));
    }
  };

  // -- what measures of labels see --

  // Pairs of bars: how many items are so many steps off, and how many would be by chance.
  const drawSteps = (svg, { off, offByChance }) => {
    const worth = [off, offByChance].map((counts) => counts.map((count, d) => count * d).slice(1));
    const { x, y, bottom, step, name } =
      frame(svg, ceiling(Math.max(...worth.flat())), worth[0].length, { top: 18 });
    const thick = Math.min(44, step * 0.36);
    svg.prepend(hatch());
    worth[0].forEach((_, k) => {
      for (const [s, side] of ["estimate", "gold"].entries()) {
        const start = x(k) + (s ? 1 : -1 - thick);
        const ends = [y(worth[s][k]), bottom];
        svg.append(block(start, thick, ends, `ox-bar ox-${side}`));
        if (s) svg.append(hatched(start, thick, ends));
        if (thick > 24)
          svg.append(word(start + thick / 2, ends[0] - 4, show(worth[s][k], 1), "ox-value"));
      }
      name(x(k), step < 90 ? k + 1 : `${k + 1} step${k ? "s" : ""} off`);
    });
  };

  // A class is as wide as it has labels, of gold and run together; alpha measures from middle to
  // middle. Below it the same classes for measures that count steps.
  const drawRuler = (svg, { labels, middles }) => {
    const width = fit(svg, 190);
    const [left, right] = [8, width - 8];
    const step = (right - left) / labels.length;
    const whole = labels.reduce((a, b) => a + b, 0);
    const x = (label) => left + (label / whole) * (right - left);
    const even = (k) => left + (k + 0.5) * step;
    svg.replaceChildren();
    labels.forEach((count, k) => {
      const start = x(middles[k] - count / 2);
      const wide = x(middles[k] + count / 2) - start;
      if (count) svg.append(block(start, wide, [34, 78], "ox-term"));
      svg.append(make("path", {
        d: `M${x(middles[k])} 78V92L${even(k)} 118V132`, class: count ? "ox-tie" : "ox-tie ox-idle",
      }));
      svg.append(block(even(k) - step / 2, step, [132, 162], "ox-step"));
      if (wide >= 12) svg.append(word(x(middles[k]), 61, k + 1, "ox-class ox-piece"));
      svg.append(word(even(k), 152, k + 1, "ox-class"));
    });
    svg.append(word(left, 24, "alpha_ord: as wide as it has labels", "ox-ruler"));
    svg.append(word(left, 180, "kappa, QWK, alpha_int: one step each", "ox-ruler"));
  };

  window.ordbookExplorerCharts = Object.freeze({
    Bars, drawCumulative, drawWeighted, drawMoved, drawSteps, drawRuler,
  });
})();
