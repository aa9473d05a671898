// The pictures of the explorer of distributions: bars that can be dragged, and what measures see.
//
// Contents
// --------
// Bars               one distribution; each bar is a slider
// drawCumulative     NMD: the area between two staircases
// drawWeighted       RNOD: the DW term of each class, made of weighted squared errors
// drawMoved          scores against the distance that an error moves
(() => {
  "use strict";
  const { show, set, make, axis, hatch, fit, ceiling } = window.ordbookExplorer;
  const GRIP = 24; // a bar is taken this far above and below its end
  const EMPTY = 0.005; // a bar below that shows 0.00 and is a line on the ground
  const STILL = 10; // a finger that goes farther does not tap
  const FIRM = 3; // a bar that is held stays until then

  class Bars {
    // side is "gold" or "estimate"; move(k, value, kind) is called for every wish of the visitor.
    constructor(svg, side, move) {
      Object.assign(this, { svg, side, move, columns: [], drag: null, tap: null });
      // A finger on the end of a bar does not scroll; elsewhere it may, and `pointercancel` comes.
      const hold = (event) => {
        const alone = event.cancelable && event.touches.length === 1;
        if (alone && this.place(event.touches[0], true).held) event.preventDefault();
      };
      svg.addEventListener("touchstart", hold, { passive: false });
      svg.addEventListener("pointerdown", (event) => this.down(event));
      svg.addEventListener("pointermove", (event) => this.follow(event));
      for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
        svg.addEventListener(end, (event) => this.up(event));
      svg.addEventListener("keydown", (event) => this.key(event));
    }

    build(n, width, height) {
      const focused = this.columns.findIndex((c) => c.group === document.activeElement);
      this.width = width;
      this.left = 26;
      this.top = 24;
      this.bottom = height - 24;
      this.step = (width - this.left - 2) / n;
      const thick = Math.min(58, this.step * 0.74);
      const id = `ox-hatch-${this.side}`;
      this.svg.replaceChildren(make("defs", {}, hatch(id)));
      for (const value of [0, 0.5, 1]) {
        const y = this.y(value);
        const line = { x1: this.left, x2: width - 2, y1: y, y2: y };
        this.svg.append(make("line", { ...line, class: "ox-grid" }));
        this.svg.append(axis(this.left - 5, y + 4, show(value)));
      }
      this.columns = Array.from({ length: n }, (_, k) => {
        const middle = this.left + (k + 0.5) * this.step;
        const box = { x: middle - thick / 2, width: thick };
        const column = {
          value: 0,
          hit: make("rect", {
            x: this.left + k * this.step, y: 0, width: this.step, height, class: "ox-hit",
          }),
          bar: make("rect", { ...box, class: `ox-bar ox-${this.side}` }),
          grip: make("rect", { ...box, height: 6, rx: 3, class: "ox-grip" }),
          other: make("line", {
            x1: box.x - 3, x2: box.x + thick + 3, class: "ox-other",
          }),
          text: make("text", { x: middle, class: "ox-value" }),
          ring: make("rect", {
            x: middle - this.step / 2 + 1, y: 1, width: this.step - 2, height: height - 2, rx: 5,
            class: "ox-ring",
          }),
        };
        column.group = make("g", {
          role: "slider", tabindex: "0", class: "ox-slider",
          "aria-label": `${this.side}, class ${k + 1}`, "aria-orientation": "vertical",
          "aria-valuemin": "0", "aria-valuemax": "1",
        }, column.hit, column.ring, column.bar);
        if (this.side === "gold") {
          column.lines = make("rect", { ...box, fill: `url(#${id})`, class: "ox-lines" });
          column.group.append(column.lines);
        }
        const label = make("text", { x: middle, y: height - 7, class: "ox-class" }, String(k + 1));
        column.group.append(column.other, column.grip, column.text, label);
        this.svg.append(column.group);
        return column;
      });
      if (focused >= 0 && focused < n) this.columns[focused].group.focus({ preventScroll: true });
    }

    y(value) {
      return this.bottom - value * (this.bottom - this.top);
    }

    update(values, others) {
      // Lower on a phone, so that the scores are in sight while one drags.
      const height = window.matchMedia("(min-width: 760px)").matches ? 210 : 156;
      const width = fit(this.svg, height);
      if (this.columns.length !== values.length || this.width !== width)
        this.build(values.length, width, height);
      this.columns.forEach((column, k) => {
        const value = values[k];
        const y = this.y(Math.min(value, 1));
        column.value = value;
        for (const rect of [column.bar, column.lines])
          if (rect) set(rect, { y, height: Math.max(0, this.bottom - y) });
        set(column.grip, { y: y - 3 });
        set(column.text, { y: y - 8 });
        // Without its first zero where bars stand close.
        column.text.textContent = this.step < 42 ? show(value).replace(/^0\./, ".") : show(value);
        const across = this.y(Math.min(others[k], 1));
        set(column.other, { y1: across, y2: across });
        set(column.group, {
          "aria-valuenow": show(value, 6), "aria-valuetext": `${show(100 * value, 1)} percent`,
        });
      });
    }

    at(event) {
      const box = this.svg.getBoundingClientRect();
      const scale = this.svg.viewBox.baseVal.width / box.width; // 1 unless the page is squeezed
      return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    }

    wish(y) {
      const value = (this.bottom - y) / (this.bottom - this.top);
      return Math.round(100 * Math.min(1, Math.max(0, value))) / 100;
    }

    // The column at a pointer, and whether it is at the end of its bar. Empty bars end at the foot of
    // the chart, where one scrolls: a finger does not hold them, it taps.
    place(event, finger) {
      const [x, y] = this.at(event);
      const k = Math.floor((x - this.left) / this.step);
      if (!this.columns[k]) return { k: -1, held: false };
      const { value } = this.columns[k];
      const off = y - this.y(Math.min(value, 1));
      return { k, y, off, held: Math.abs(off) <= GRIP && !(finger && value < EMPTY) };
    }

    down(event) {
      if (event.button || this.drag) return;
      this.tap = null;
      if (!event.isPrimary) return;
      const { pointerId: id, pointerType, clientX, clientY } = event;
      const finger = pointerType !== "mouse";
      const { k, y, off, held } = this.place(event, finger);
      if (k < 0) return;
      // A mouse drags from anywhere. A finger may want to scroll: wait for what it does.
      if (finger && !held) {
        this.tap = { id, k, value: this.wish(y), clientX, clientY };
        return;
      }
      event.preventDefault();
      this.svg.setPointerCapture(id);
      this.columns[k].group.focus({ preventScroll: true });
      // Taken by its end, a bar stays where it is, until it is let go there; elsewhere it comes.
      this.drag = { id, k, off: held ? off : 0, still: held && clientY, wish: this.wish(y) };
      this.svg.classList.add("ox-dragging");
      this.move(k, held ? null : this.wish(y), "start");
    }

    follow(event) {
      if (!this.drag || event.pointerId !== this.drag.id) return;
      const { k, off, still } = this.drag;
      if (still !== false && Math.abs(event.clientY - still) <= FIRM) return;
      this.drag.still = false;
      this.move(k, this.wish(this.at(event)[1] - off), "drag");
    }

    up(event) {
      const { drag, tap } = this;
      if (tap && tap.id === event.pointerId) {
        this.tap = null;
        const far = Math.hypot(event.clientX - tap.clientX, event.clientY - tap.clientY);
        if (event.type !== "pointerup" || far > STILL) return;
        this.columns[tap.k].group.focus({ preventScroll: true });
        this.move(tap.k, tap.value, "start");
      } else if (drag && drag.id === event.pointerId) {
        this.drag = null;
        this.svg.classList.remove("ox-dragging");
        const tapped = drag.still !== false && event.type === "pointerup";
        this.move(drag.k, tapped ? drag.wish : null, "end");
      }
    }

    key(event) {
      const k = this.columns.findIndex((c) => c.group === event.target);
      if (k < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
      const steps = {
        ArrowUp: 0.01, ArrowRight: 0.01, ArrowDown: -0.01, ArrowLeft: -0.01,
        PageUp: 0.1, PageDown: -0.1, Home: -1, End: 1,
      };
      if (!(event.key in steps)) return;
      event.preventDefault();
      const wanted = Math.min(1, Math.max(0, this.columns[k].value + steps[event.key]));
      this.move(k, Math.round(wanted * 1e6) / 1e6, "key");
    }
  }

  const drawCumulative = (svg, { cumulativeGold, cumulativeEstimate }) => {
    const n = cumulativeGold.length;
    const width = fit(svg, 206);
    const [left, right, top, bottom] = [30, width - 12, 12, 180];
    const x = (k) => left + (k / (n - 1)) * (right - left);
    const y = (value) => bottom - Math.min(value, 1) * (bottom - top);
    svg.replaceChildren();
    for (const value of [0, 0.5, 1]) {
      const line = { x1: left, x2: right, y1: y(value), y2: y(value) };
      svg.append(make("line", { ...line, class: "ox-grid" }));
      svg.append(axis(left - 6, y(value) + 4, show(value)));
    }
    for (let k = 0; k < n - 1; k += 1) {
      const ends = [y(cumulativeGold[k]), y(cumulativeEstimate[k])];
      svg.append(make("rect", {
        x: x(k), y: Math.min(...ends), width: x(k + 1) - x(k),
        height: Math.abs(ends[0] - ends[1]), class: "ox-area",
      }));
    }
    const stairs = (values) =>
      values.map((v, k) => (k ? `H${x(k)}V${y(v)}` : `M${x(0)} ${y(v)}`)).join("");
    svg.append(make("path", { d: stairs(cumulativeGold), class: "ox-stair ox-stair-gold" }));
    svg.append(make("path", { d: stairs(cumulativeEstimate), class: "ox-stair ox-stair-estimate" }));
    for (let k = 0; k < n; k += 1) {
      const [at, side] = [y(cumulativeEstimate[k]), 8];
      svg.append(make("circle", {
        cx: x(k), cy: y(cumulativeGold[k]), r: 5, class: "ox-point-gold",
      }));
      svg.append(make("rect", {
        x: x(k) - side / 2, y: at - side / 2, width: side, height: side,
        class: "ox-point-estimate",
      }));
      svg.append(make("text", { x: x(k), y: 199, class: "ox-class" }, String(k + 1)));
    }
  };

  const drawWeighted = (svg, { squares, supported, dw, od }) => {
    const n = dw.length;
    const width = fit(svg, 206);
    const [left, right, top, bottom] = [46, width - 4, 14, 180];
    const highest = ceiling(Math.max(...dw));
    const step = (right - left) / n;
    const thick = Math.min(58, step * 0.74);
    const y = (value) => bottom - (value / highest) * (bottom - top);
    const texts = []; // above the line of the mean
    svg.replaceChildren();
    for (const value of [0, highest / 2, highest]) {
      const line = { x1: left, x2: right, y1: y(value), y2: y(value) };
      svg.append(make("line", { ...line, class: "ox-grid" }));
      svg.append(axis(left - 6, y(value) + 4, String(Number(value.toPrecision(3)))));
    }
    dw.forEach((_, i) => {
      const middle = left + (i + 0.5) * step;
      let sum = 0;
      squares.forEach((square, j) => {
        const [low, high] = [y(sum), y((sum += Math.abs(i - j) * square))];
        if (low - high < 0.2) return;
        svg.append(make("rect", {
          x: middle - thick / 2, y: high, width: thick, height: low - high,
          class: supported[i] ? "ox-term" : "ox-term ox-term-idle",
        }));
        if (low - high >= 14 && thick >= 12)
          texts.push(make("text", {
            x: middle, y: (low + high) / 2 + 4,
            class: supported[i] ? "ox-piece" : "ox-piece ox-piece-idle",
          }, String(j + 1)));
      });
      const name = supported[i] ? String(i + 1) : `(${i + 1})`;
      svg.append(make("text", {
        x: middle, y: 199, class: supported[i] ? "ox-class" : "ox-class ox-class-idle",
      }, name));
    });
    const mean = { x1: left, x2: right, y1: y(od), y2: y(od) };
    svg.append(make("line", { ...mean, class: "ox-mean-edge" }));
    svg.append(make("line", { ...mean, class: "ox-mean" }), ...texts);
  };

  // lines: {measure: [score at each place]}; at: the place the estimate has now, or -1.
  const MARKS = { NMD: "circle", RNOD: "square", NVD: "diamond" };
  const mark = (kind, x, y, size, name) => {
    if (kind === "circle") return make("circle", { cx: x, cy: y, r: size, class: name });
    const box = { x: x - size, y: y - size, width: 2 * size, height: 2 * size, class: name };
    const turn = kind === "diamond" ? { transform: `rotate(45 ${x} ${y})` } : {};
    return make("rect", { ...box, ...turn });
  };
  const drawMoved = (svg, lines, labels, at) => {
    const width = fit(svg, 206);
    const [left, right, top, bottom] = [46, width - 52, 14, 180];
    const highest = ceiling(Math.max(...Object.values(lines).flat()));
    const x = (k) => left + ((k + 0.5) / labels.length) * (right - left);
    const y = (value) => bottom - (value / highest) * (bottom - top);
    svg.replaceChildren();
    for (const value of [0, highest / 2, highest]) {
      const line = { x1: left, x2: right, y1: y(value), y2: y(value) };
      svg.append(make("line", { ...line, class: "ox-grid" }));
      svg.append(axis(left - 6, y(value) + 4, String(Number(value.toPrecision(3)))));
    }
    labels.forEach((label, k) =>
      svg.append(make("text", { x: x(k), y: 199, class: "ox-class" }, label))
    );
    let end = 0; // of the name before, from above: names keep clear of each other
    const ends = Object.entries(lines).sort(([, a], [, b]) => b.at(-1) - a.at(-1));
    for (const [name, values] of ends) {
      const kind = name.toLowerCase();
      const d = values.map((value, k) => `${k ? "L" : "M"}${x(k)} ${y(value)}`).join("");
      svg.append(make("path", { d, class: `ox-moved ox-moved-${kind}` }));
      values.forEach((value, k) =>
        svg.append(mark(MARKS[name], x(k), y(value), k === at ? 7 : 4, `ox-mark-${kind}`))
      );
      end = Math.max(y(values.at(-1)), end + 13);
      svg.append(make("text", { x: right + 2, y: end + 4, class: "ox-name" }, name));
    }
  };

  window.ordbookExplorerCharts = Object.freeze({ Bars, drawCumulative, drawWeighted, drawMoved });
})();
