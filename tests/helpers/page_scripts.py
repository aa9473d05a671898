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

# The contrast of two colours as WCAG 2 defines it. A computed mixture has its channels from 0 to 1.
COLOURS = r"""
  const numbers = c => c.match(/[\d.]+/g).map(Number).map((v, i) =>
    c.startsWith("color(") && i < 3 ? 255 * v : v);
  const channel = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
"""

# The smallest label of each figure, in pixels, and whether one that stands on the page itself is in
# a colour that is read there, 3 to 1 as WCAG asks of graphics. A bitmap has no labels that a page
# could set: 0.
FIGURES = (
    rf"""
() => {{{COLOURS}"""
    + r"""
  const paper = light(numbers(getComputedStyle(document.body).backgroundColor));
  const found = [];
  for (const figure of document.querySelectorAll("article.bd-article :is(img, svg.ord-figure)")) {
    const { width } = figure.getBoundingClientRect();
    if (!figure.checkVisibility() || !width || figure.naturalWidth === 0) continue;
    if (figure.localName === "img") { found.push([figure.src, 0, ""]); continue; }
    const scale = width / figure.viewBox.baseVal.width;
    const surfaces = [...figure.querySelectorAll("path, rect, image, use")]
      .filter(e => !["none", undefined].includes(getComputedStyle(e).fill))
      .filter(e => light(numbers(getComputedStyle(e).fill)) !== paper)
      .map(e => e.getBoundingClientRect());
    let smallest = Infinity, pale = "";
    for (const text of figure.querySelectorAll("text")) {
      const inside = [text, ...text.querySelectorAll("tspan")].filter(e => !e.children.length);
      const sizes = inside.map(e => scale * parseFloat(getComputedStyle(e).fontSize));
      smallest = Math.min(smallest, Math.max(...sizes));
      const { left, right, top, bottom } = text.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const under = surfaces.some(s => s.left <= x && x <= s.right && s.top <= y && y <= s.bottom);
      const ink = light(numbers(getComputedStyle(text).fill));
      if (!under && contrast(ink, paper) < 3) pale = text.textContent;
    }
    found.push([figure.getAttribute("aria-label"), smallest, pale]);
  }
  return found;
}
"""
)

# Texts that are hard to read: a contrast below 4.5, or 3 in large letters, of what WCAG 2.1 asks at
# level AA. Text over a picture and in figures is left out, and so is what cannot be used just now.
PALE = (
    rf"""
() => {{{COLOURS}"""
    + r"""
  const over = (top, under) => top.slice(0, 3).map((v, i) => {
    const part = top[3] ?? 1;
    return part * v + (1 - part) * under[i];
  });
  const grounds = new Map();
  const ground = e => {
    if (!e) return [255, 255, 255];
    if (!grounds.has(e)) {
      const own = numbers(getComputedStyle(e).backgroundColor);
      grounds.set(e, own[3] === 0 ? ground(e.parentElement) : over(own, ground(e.parentElement)));
    }
    return grounds.get(e);
  };
  const looks = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    const skipped = `script, style, svg, kbd, .headerlink, .visually-hidden,
      .search-button__kbd-shortcut, [aria-disabled=true], :disabled`;
    const seen = walker.currentNode.data.trim() && e.checkVisibility({ opacityProperty: true });
    if (!seen || e.closest(skipped)) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(e);
    const behind = ground(e);
    looks.set(`${color} ${behind} ${fontSize} ${fontWeight}`, () => {
      const size = parseFloat(fontSize);
      const least = size >= 24 || (size >= 18.66 && fontWeight >= 700) ? 3 : 4.5;
      const ratio = contrast(light(over(numbers(color), behind)), light(behind));
      return ratio < least ? [[ratio.toFixed(2), e.outerHTML.slice(0, 150)]] : [];
    });
  }
  return [...looks.values()].flatMap(pale => pale());
}
"""
)

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
