"""The page around slides: nbconvert's own, with every script and style from the same folder.

Contents
--------
TEMPLATE   overrides the blocks of nbconvert's template that would load from other hosts
INDEX      the page that lists the decks
"""

TEMPLATE = r"""
{%- extends 'index.html.j2' -%}

{%- block html_head_js -%}{%- endblock html_head_js -%}
{%- block jupyter_widgets -%}{%- endblock jupyter_widgets -%}

{%- block html_head_js_mathjax -%}
<script>
window.MathJax = {
  tex: {inlineMath: [["$", "$"], ["\\(", "\\)"]], processEscapes: true},
  options: {ignoreHtmlClass: "jp-OutputArea-executeResult-none|highlight"},
};
</script>
<script src="mathjax/tex-mml-chtml.js"></script>
{%- endblock html_head_js_mathjax -%}

{%- block html_head_css -%}
<link rel="icon" href="data:,">
<style>
/* html: reveal.js loads its theme later, and would win. */
html .reveal { font-size: 32px; }
html .reveal .controls { font-size: 6px; }
html .reveal .slides { text-align: left; }
html .reveal :is(h1, h2, h3) { text-transform: none; letter-spacing: 0; line-height: 1.15; }
html .reveal h1 { font-size: 1.8em; margin: 0 0 .6em; }
html .reveal h2 { font-size: 1.35em; margin: 0 0 .5em; }
html .reveal h3 { font-size: 1.15em; margin: 0 0 .4em; }
html .reveal p { margin: .4em 0; line-height: 1.35; }
html .reveal ul, html .reveal ol { margin: .4em 0 .4em 1.2em; }
html .reveal blockquote { width: auto; margin: .6em 0; padding: .3em 1em; font-style: normal;
  box-shadow: none; border-left: 4px solid #767676; background: #f5f5f5; }
html .reveal .jp-Cell { padding: 0; overflow: visible; }
html .reveal .jp-RenderedHTMLCommon { font-family: inherit; font-size: 1em; color: #222;
  padding: 0; }
html .reveal .jp-OutputArea-output { overflow: visible; }
html .reveal :is(.jp-OutputPrompt, .jp-InputPrompt, .jp-Collapser) { display: none; }
html .reveal :is(img, .jp-RenderedImage img) { display: block; margin: .4em auto; max-width: 100%;
  max-height: 520px; width: auto; height: auto; }
html .reveal .caption, html .reveal .caption p { font-size: 26px; color: #444; }
html .reveal .beside { display: grid; grid-template-columns: 1fr 1fr; gap: 0 40px;
  align-items: start; }
html .reveal .beside > div { min-width: 0; }
html .reveal :is(table, .jp-RenderedHTMLCommon table) { font-size: 24px; margin: .4em 0; }
html .reveal table caption { caption-side: bottom; text-align: left; color: #444;
  padding-top: .3em; }
html .reveal table th, html .reveal table td, html .reveal .jp-RenderedHTMLCommon :is(td, th) {
  text-align: left; padding: .15em .6em; border-bottom: 1px solid #ccc; max-width: none; }
html .reveal pre { width: 100%; margin: .3em 0; box-shadow: none; font-size: 22px; }
html .reveal .slides section { padding: 10px 0; }
html .reveal mjx-container { font-size: 100%; }
</style>
{%- endblock html_head_css -%}

{% block footer_js %}
<script src="reveal/dist/reveal.js"></script>
<script src="reveal/plugin/notes/notes.js"></script>
<script>
// A slide with more than fits is shown smaller; what is too much even so can be scrolled.
const HEIGHT = 720, LEAST = 0.55, SMALL = 330, LARGER = 1.15, GAP = 40;
// A figure takes all that the text leaves below it; or half of the slide where that is too little,
// or where the figure is much larger there and the text, half as wide, still fits beside it.
function enlarge(inner) {
  const image = inner.querySelector("img");
  const block = [...inner.children].find((one) => one.contains(image));
  if (!image || inner.querySelectorAll("img").length > 1) return;
  const next = block.nextElementSibling;
  const figure = next && next.querySelector(".caption") ? [block, next] : [block];
  const texts = [...inner.children].filter((one) => !figure.includes(one));
  const ratio = image.naturalWidth / image.naturalHeight;
  const high = (blocks) => blocks.reduce((sum, one) => sum + one.offsetHeight, 0);
  const whole = HEIGHT - 60;
  let width = inner.clientWidth, room = whole - (inner.offsetHeight - image.offsetHeight);
  const below = Math.min(room, width / ratio);
  // Its caption stands below it, or below the text if that leaves the place.
  const captions = figure.slice(1), left = 2 * (high(texts) + high(captions)) <= whole;
  const half = Math.min(whole - (left ? 0 : 2 * high(captions)), (width - GAP) / 2 / ratio);
  const better = half > LARGER * below && 2 * high(texts) <= whole;
  if (texts.length && (below < SMALL || better)) {
    inner.classList.add("beside");
    const [words, right] = [document.createElement("div"), document.createElement("div")];
    words.append(...texts, ...(left ? captions : []));
    right.append(block, ...(left ? [] : captions));
    inner.append(words, right);
    for (const formula of words.querySelectorAll("mjx-container")) {
      const part = words.clientWidth / formula.querySelector("mjx-math").offsetWidth;
      const size = parseFloat(getComputedStyle(formula).fontSize);
      if (part < 1) formula.style.fontSize = `${0.97 * part * size}px`;
    }
    width = right.clientWidth;
    room = whole - (right.offsetHeight - image.offsetHeight);
  }
  const height = Math.min(room, width / ratio);
  image.style.cssText += `max-height:none;height:${height}px;width:${height * ratio}px;`;
}
async function fit(slide) {
  if (!slide || slide.dataset.fitting) return;
  slide.dataset.fitting = "yes";
  const pictures = [...slide.querySelectorAll("img")];
  await Promise.all(pictures.map((one) => one.decode().catch(() => null)));
  const notes = slide.querySelectorAll(":scope > aside.notes");
  const inner = document.createElement("div");
  inner.className = "inner";
  const others = [...slide.childNodes].filter((node) => ![...notes].includes(node));
  others.forEach((node) => inner.append(node));
  slide.prepend(inner);
  enlarge(inner);
  let scale = 1;
  for (let turn = 0; turn < 4; turn++) {
    const box = inner.getBoundingClientRect(), factor = Reveal.getScale();
    const needed = Math.max(box.height / factor / (HEIGHT - 40),
      inner.scrollWidth / Math.max(inner.clientWidth, 1));
    if (needed <= 1.005 || scale <= LEAST) break;
    scale = Math.max(LEAST, scale / Math.min(needed, 1.25) ** 0.8);
    inner.style.zoom = scale;
  }
  if (inner.getBoundingClientRect().height / Reveal.getScale() > HEIGHT - 20) {
    slide.style.cssText += `height:${HEIGHT}px;overflow-y:auto;`;
    slide.tabIndex = 0;
  }
  slide.dataset.fitted = scale.toFixed(2);
}
const typeset = window.MathJax && MathJax.startup ? MathJax.startup.promise : Promise.resolve();
Reveal.initialize({
  width: 1280, height: HEIGHT, margin: 0.04, center: false, hash: true, slideNumber: "c/t",
  transition: "none", controls: true, progress: true, plugins: [RevealNotes],
}).then(() => typeset).then(() => {
  Reveal.on("slidechanged", (event) => fit(event.currentSlide));
  fit(Reveal.getCurrentSlide());
  document.documentElement.dataset.ready = "yes";
});
</script>
{% endblock footer_js %}
"""

INDEX = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>ordbook: slides</title>
<link rel="icon" href="data:,">
<style>
body {{ font: 1.1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto;
  padding: 0 1rem; }}
li {{ margin: .4rem 0; }}
</style>
</head>
<body>
<main>
<h1>Slides</h1>
<ol>
{items}
</ol>
<p>Space and the arrow keys go on and back, S opens the speaker's view, O shows all slides, F fills
the screen. Add <code>?print-pdf</code> to the address of a deck to print it.</p>
</main>
</body>
</html>
"""
