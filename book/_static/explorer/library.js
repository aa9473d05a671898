// What the explorers and the box on the first page share: numbers, elements, the table of scores,
// and the page around them.
//
// Contents
// --------
// fixed, show, readNumbers   numbers for the eye (half rounded up), and numbers that somebody typed
// random                     numbers from 0 to 1 that follow from a seed
// ranks                      of costs, with ties
// listing, some, counted     words
// element                    an element of the page
// make, set, fit             SVG elements; the width that a picture may have
// ScoreTable                 scores with a bar each, a remark, and what the last action did
// explore                    one state: examples, links, Reset, the address, what is read aloud
//
// Widths are those of the page in pixels, so that letters keep their size. Colours are in the CSS.
(() => {
  "use strict";

  // -- numbers --

  // What is half but for the noise of an addition counts as half.
  const round = (x, digits) => Math.round((x + 1e-12) * 10 ** digits) / 10 ** digits;
  const fixed = (x, digits) => round(x, digits).toFixed(digits).replace(/^-(?=0\.?0*$)/, "");
  const show = (x, digits = 3) => String(round(x, digits) || 0);

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

  // Mulberry32: the same numbers in every browser, so that a link leads to the same samples.
  const random = (seed) => {
    let state = seed;
    return () => {
      state = (state + 0x6d2b79f5) | 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
  };

  const TIE = 1e-12;
  const ranks = (costs) => costs.map((cost) => 1 + costs.filter((other) => other < cost - TIE).length);

  // -- words --

  const listing = (names, word = "and") =>
    names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1)}`;
  const some = (names, most = 3) =>
    names.length > most ? `${names.slice(0, most).join(", ")} and ${names.length - most} more` : listing(names);
  const counted = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

  // -- elements and pictures --

  const element = (tag, properties = {}, ...children) => {
    const result = Object.assign(document.createElement(tag), properties);
    result.append(...children);
    return result;
  };
  const NAMESPACE = "http://www.w3.org/2000/svg";
  const set = (element, attributes) => {
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  };
  const make = (tag, attributes, ...children) => {
    const element = document.createElementNS(NAMESPACE, tag);
    set(element, attributes);
    element.append(...children);
    return element;
  };
  // Reading a width makes the browser lay out the page: once, until that of the page changes.
  let widths = new WeakMap();
  const fit = (svg, height) => {
    if (!widths.has(svg)) {
      const width = Math.max(120, svg.parentElement.clientWidth);
      set(svg, { width, height, viewBox: `0 0 ${width} ${height}` });
      widths.set(svg, width);
    }
    return widths.get(svg);
  };
  // -- the table of scores --

  // Only scores against the same gold are better or worse; others are lower or higher.
  const compare = (before, now, better, sameGold) => {
    const step = now - before;
    if (Math.abs(step) <= TIE) return ["same", "= same"];
    const lower = step < 0;
    const good = lower === (better === "low");
    const word = sameGold ? (good ? "better" : "worse") : lower ? "lower" : "higher";
    return [word, `${lower ? "▼" : "▲"} ${word}`];
  };

  class ScoreTable {
    constructor(root) {
      const names = ["score", "fill", "before", "limit", "change", "note"];
      this.rows = [...root.querySelectorAll("tr[data-measure]")].map((row) => ({
        name: row.dataset.measure,
        better: row.dataset.better,
        ...Object.fromEntries(names.map((name) => [name, row.querySelector(`.ox-${name}`)])),
      }));
    }

    // scale(name) gives the ends of a measure's bar and where its tick stands; before is null
    // where there is nothing to compare with.
    draw({ scores, before, sameGold, scale, notes }) {
      for (const row of this.rows) {
        const score = scores[row.name];
        const { low, high, tick } = scale(row.name);
        const place = (x) => 100 * Math.min(1, Math.max(0, (x - low) / (high - low)));
        const [start, end] = [place(0), place(score)];
        row.score.textContent = fixed(score, 3);
        row.score.dataset.value = String(score);
        row.fill.style.left = `${Math.min(start, end)}%`;
        row.fill.style.width = `${Math.abs(end - start)}%`;
        row.limit.style.left = `${place(tick)}%`;
        row.note.textContent = notes[row.name] || "";
        const [word, text] = before
          ? compare(before[row.name], score, row.better, sameGold)
          : ["", ""];
        row.before.hidden = !before;
        if (before) row.before.style.left = `${place(before[row.name])}%`;
        row.change.textContent = text;
        row.change.dataset.change = word;
      }
    }
  }

  // -- the page --

  // What an explorer gives: copy(state), of a preset too; link(state), "#..."; read(fields), the
  // state that the fields of a link tell, null if they are none of ours, or a RangeError;
  // draw(state, before) with the state before the last action or null; told(state), a sentence.
  const explore = ({ copy, link, read, draw, told }) => {
    const root = document.querySelector(".explorer");
    const find = (selector) => root.querySelector(selector);
    const data = JSON.parse(find("script[type='application/json']").textContent);
    const presets = new Map(data.presets.map((preset) => [preset.id, preset]));
    const first = presets.get(data.start);
    const chooser = find(".ox-preset");
    let home = copy(first); // where Reset leads
    const page = { root, find, data, state: copy(first), action: { key: null, before: null } };

    // One action may have many steps, as a drag has: all of them start from the same state.
    page.begin = (key = null) => {
      if (key !== null && key === page.action.key) return;
      page.action = { key, before: copy(page.state) };
    };
    page.change = (next, said) => {
      page.state = copy(next);
      redraw();
      root.dataset.changing = "yes"; // until the address tells the state
      clearTimeout(timer);
      timer = setTimeout(settle, 500);
      if (said) page.status(said);
    };
    page.load = (next, said) => {
      page.begin();
      home = copy(next);
      page.change(next, said);
    };
    page.status = (text) => {
      const line = find(".ox-status");
      // When it falls silent it keeps its height, so that nothing moves under a finger.
      line.style.minHeight = text.trim() ? "" : window.getComputedStyle(line).height;
      line.textContent = text;
    };

    const redraw = () => {
      draw(page.state, page.action.before);
      for (const onward of root.querySelectorAll("a[data-onward]"))
        onward.href = onward.dataset.onward + link(page.state);
      if (!chooser) return;
      const same = data.presets.find((preset) => link(preset) === link(page.state));
      chooser.value = same ? same.id : "";
    };
    // What is told and the address come after the last of many steps.
    let timer = 0;
    const settle = () => {
      find(".ox-live").textContent = told(page.state);
      try {
        window.history.replaceState(null, "", link(page.state));
      } catch {
        // Some browsers refuse this for files; the page works all the same.
      }
      delete root.dataset.changing;
    };

    if (chooser)
      chooser.addEventListener("change", () => {
        const preset = presets.get(chooser.value);
        if (preset) page.load(preset, preset.about);
      });
    find(".ox-reset").addEventListener("click", () => {
      page.begin();
      page.change(home, "Back to where you started.");
    });
    const jump = () => {
      const smooth = !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
      root.scrollIntoView({ behavior: smooth ? "smooth" : "auto", block: "start" });
    };
    const linked = () => {
      try {
        return read(new URLSearchParams(window.location.hash.replace(/^#/, "")));
      } catch (problem) {
        if (!(problem instanceof RangeError)) throw problem;
        page.status(`The link was not understood: ${problem.message}.`);
        return undefined;
      }
    };
    window.addEventListener("hashchange", () => {
      const next = linked();
      if (!next) return;
      if (link(next) !== link(page.state)) page.load(next, " ");
      jump();
    });
    // The experiments below: each word a state, as a link that can be copied too.
    for (const word of document.querySelectorAll("a[data-explorer]")) {
      const preset = presets.get(word.dataset.explorer);
      word.href = link(preset);
      word.addEventListener("click", (event) => {
        event.preventDefault();
        page.load(preset, preset.about);
        jump();
      });
    }

    page.open = () => {
      root.classList.add("ox-ready");
      for (const part of root.querySelectorAll("[data-needs-script]")) part.hidden = false;
      const next = linked();
      if (next) [page.state, home] = [copy(next), copy(next)];
      else if (next === null) page.status(first.about);
      redraw();
      let width = root.clientWidth;
      new ResizeObserver(() => {
        if (root.clientWidth === width) return;
        width = root.clientWidth;
        widths = new WeakMap();
        redraw();
      }).observe(root);
    };
    return page;
  };

  window.ordbookExplorer = Object.freeze({
    TIE, fixed, show, readNumbers, random, ranks, listing, some, counted, element, set, make,
    fit, ScoreTable, explore,
  });
})();
