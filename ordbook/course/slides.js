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
