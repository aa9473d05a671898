// Fits the one page to paper: waits for formulas, then scales what is wider than the text.
async () => {
  if (window.MathJax?.startup?.promise) await window.MathJax.startup.promise;
  await document.fonts.ready;
  await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  const PORTRAIT = document.body.clientWidth;
  const LANDSCAPE = 1000;
  const SMALLEST = 0.62; // of the size of tables: about six points
  const scaled = [];
  for (const table of document.querySelectorAll("table")) {
    if (table.parentElement.closest("table")) continue;
    // The longest tables break between rows; others stay whole.
    if (table.offsetHeight > 600) table.style.breakInside = "auto";
    const width = table.scrollWidth;
    const box = table.parentElement.clientWidth || PORTRAIT;
    if (width <= box + 1) continue;
    let share = box / width;
    if (share < SMALLEST) {
      table.parentElement.classList.add("wide");
      share = Math.min(1, LANDSCAPE / width);
    }
    table.style.zoom = share;
    scaled.push([share, width, table.caption?.textContent.slice(0, 60) ?? ""]);
  }
  for (const math of document.querySelectorAll("div.math")) {
    const inner = math.querySelector("mjx-container");
    if (inner && math.scrollWidth > math.clientWidth + 1)
      inner.style.fontSize = `${Math.floor((100 * math.clientWidth) / math.scrollWidth)}%`;
  }
  return scaled;
}
