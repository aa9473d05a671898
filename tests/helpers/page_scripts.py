"""What tests ask a built page, in JavaScript."""

# What only the page itself can tell. Text inside code is left out: there, TeX is what was meant.
INSPECT = r"""
() => {
  const article = document.querySelector("article.bd-article") || document.body;
  const skipped = "pre, code, script, style, mjx-container, textarea";
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  let text = "";
  while (walker.nextNode())
    if (!walker.currentNode.parentElement.closest(skipped)) text += walker.currentNode.data + " ";
  const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
  const visible = e => e.checkVisibility() && e.getBoundingClientRect().width > 0;
  // A picture with no text is decoration, and only of the theme.
  const named = i => i.hasAttribute("alt") && (i.alt.trim() || !article.contains(i));
  return {
    text,
    formulas: article.querySelectorAll(".math").length,
    rendered: article.querySelectorAll("mjx-container").length,
    formula_errors: article.querySelectorAll("mjx-merror, [data-mjx-error]").length,
    without_alt: [...document.images].filter(i => !named(i)).map(i => i.src),
    broken_images: [...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src),
    headings: [...article.querySelectorAll("h1, h2, h3, h4, h5, h6")].map(h => +h.tagName[1]),
    headers: [...document.querySelectorAll(".bd-header__inner")].filter(visible).length,
    twice: [...new Set(ids.filter((id, i) => ids.indexOf(id) !== i))],
    loaded: performance.getEntriesByType("resource").map(entry => entry.name),
    timing: performance.getEntriesByType("navigation").map(e => [e.domInteractive, e.loadEventEnd]),
  };
}
"""

# What depends on the width: boxes that scroll, which the theme lets readers reach a moment later,
# and formulas. A formula in a table scrolls with it; any other is all in sight. Its own box scrolls
# and lets nothing around it grow: only what MathJax made can be measured.
BOXES = r"""
async () => {
  const boxes = [...document.querySelectorAll(".pst-scrollable-table-container, .bd-article pre")]
    .filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1);
  const named = e => e.localName === "pre" || e.getAttribute("aria-label");
  const scrolls = e => /auto|scroll/.test(getComputedStyle(e).overflowX);
  const good = e => scrolls(e) && e.tabIndex >= 0 && named(e);
  for (let i = 0; i < 40 && !boxes.every(good); i++) await new Promise(go => setTimeout(go, 50));
  const root = document.documentElement;
  const cut = e => {
    const { left, right } = (e.querySelector("mjx-math") || e).getBoundingClientRect();
    const own = e.getAttribute("display") && e.scrollWidth > e.clientWidth + 1;
    return own || left < -1 || right > root.clientWidth + 1;
  };
  const formulas = [...document.querySelectorAll("mjx-container")]
    .filter(e => e.offsetParent && !e.closest("table, .pst-scrollable-table-container") && cut(e));
  return {
    formulas: formulas.map(e => (e.querySelector("mjx-assistive-mml") || e).textContent),
    boxes: boxes.filter(e => !good(e)).map(e => e.outerHTML.slice(0, 200)),
    overflow: root.scrollWidth - root.clientWidth,
  };
}
"""

# The smallest label of each figure, in pixels, and whether one that stands on the page itself is in
# a colour that is read there, 3 to 1 as WCAG asks of graphics. A bitmap has no labels that a page
# could set: 0.
FIGURES = r"""
() => {
  const channel = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = c => {
    const [r, g, b] = c.match(/[\d.]+/g).map(Number);
    return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  };
  const paper = light(getComputedStyle(document.body).backgroundColor);
  const contrast = ink => (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
  const found = [];
  for (const figure of document.querySelectorAll("article.bd-article :is(img, svg.ord-figure)")) {
    const { width } = figure.getBoundingClientRect();
    if (!figure.checkVisibility() || !width || figure.naturalWidth === 0) continue;
    if (figure.localName === "img") { found.push([figure.src, 0, ""]); continue; }
    const scale = width / figure.viewBox.baseVal.width;
    const surfaces = [...figure.querySelectorAll("path, rect, image, use")]
      .filter(e => !["none", undefined].includes(getComputedStyle(e).fill))
      .filter(e => light(getComputedStyle(e).fill) !== paper)
      .map(e => e.getBoundingClientRect());
    let smallest = Infinity, pale = "";
    for (const text of figure.querySelectorAll("text")) {
      const inside = [text, ...text.querySelectorAll("tspan")].filter(e => !e.children.length);
      const sizes = inside.map(e => scale * parseFloat(getComputedStyle(e).fontSize));
      smallest = Math.min(smallest, Math.max(...sizes));
      const { left, right, top, bottom } = text.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const under = surfaces.some(s => s.left <= x && x <= s.right && s.top <= y && y <= s.bottom);
      if (!under && contrast(light(getComputedStyle(text).fill)) < 3) pale = text.textContent;
    }
    found.push([figure.getAttribute("aria-label"), smallest, pale]);
  }
  return found;
}
"""

# The contrast of each verdict against what stands behind it, as WCAG 2 defines it.
CONTRAST = r"""
(names) => {
  const channel = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const numbers = s => s.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = e => {
    for (; e; e = e.parentElement) {
      const c = numbers(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  const box = document.createElement("div");
  box.className = "pst-scrollable-table-container";
  const row = names.map(n => `<td><span class="${n}">x</span></td>`).join("");
  box.innerHTML = `<table class="table"><caption><span class="caption-text">x</span></caption>
    <tbody><tr>${row}</tr><tr>${row}</tr></tbody></table>
    <figure><figcaption><p><span class="caption-text">x</span></p></figcaption></figure>`;
  document.querySelector("article.bd-article").append(box);
  const result = [...box.querySelectorAll("span")].map(span => {
    const [a, b] = [light(numbers(getComputedStyle(span).color)), light(behind(span))];
    const sign = getComputedStyle(span, "::before").content;
    return [span.className, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), sign];
  });
  box.remove();
  return result;
}
"""

# A look is an element with its ancestors, and the colours and sizes that contrast depends on.
LOOKS = r"""
() => {
  for (const e of document.querySelectorAll("[data-look]")) delete e.dataset.look;
  const looks = new Set();
  const paths = new Map([[document.documentElement, ""]]);
  const path = e => {
    if (!paths.has(e)) {
      const s = getComputedStyle(e);
      paths.set(e, `${path(e.parentElement)}/${e.localName} ${s.backgroundColor} ${s.opacity}`);
    }
    return paths.get(e);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || e.closest("script, style") || !e.checkVisibility())
      continue;
    const s = getComputedStyle(e);
    const look = `${path(e)} ${s.color} ${s.fontSize} ${s.fontWeight}`;
    if (!looks.has(look)) e.dataset.look = "";
    looks.add(look);
  }
  return looks.size;
}
"""

# Opens all that is folded, by a click where a reader would click, and waits until it is seen.
UNFOLD = r"""
async () => {
  const seen = e => e && e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const parts = [];
  for (const box of document.querySelectorAll("article .admonition.solution")) {
    const title = box.querySelector(":scope > .admonition-title");
    const rest = [...box.children].find(e => e !== title && e.localName !== "button");
    parts.push(["solution", title, rest, box]);
  }
  for (const summary of document.querySelectorAll("article details:not([open]) > summary"))
    parts.push(["details", summary, summary.nextElementSibling, summary.parentElement]);
  const shut = [];
  for (const [kind, head, rest, box] of parts) {
    if (seen(rest)) shut.push(["is not folded", box.outerHTML.slice(0, 150)]);
    head.click();
    for (let i = 0; i < 100 && !(seen(rest) && rest.offsetHeight); i++)
      await new Promise(go => setTimeout(go, 20));
    const open = seen(rest) && rest.offsetHeight && box.innerText.length > head.innerText.length;
    if (!open) shut.push(["stays shut", box.outerHTML.slice(0, 150)]);
  }
  return [parts.filter(([kind]) => kind === "solution").length, shut];
}
"""
