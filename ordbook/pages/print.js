// Fits the one page to paper: waits for formulas, then scales what is wider than the text.
async () => {
  if (window.MathJax?.startup?.promise) await window.MathJax.startup.promise;
  await document.fonts.ready;
  await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  const PORTRAIT = document.body.clientWidth;
  const LANDSCAPE = 1000;
  const SMALLEST = 0.62; // of the size of tables: about six points
  const LONG = 600; // breaks between rows
  const HIGH = 100; // a row that breaks within
  const SHORT = 200; // a box that stays whole
  const tables = [...document.querySelectorAll("table")].filter(
    (table) => !table.parentElement.closest("table"),
  );

  for (const table of tables) {
    if (!table.caption) continue;
    const caption = document.createElement("p");
    caption.className = "table-caption";
    caption.append(...table.caption.childNodes);
    table.caption.remove();
    table.before(caption);
  }
  // Several narrow tables in one output stand in two columns.
  const halves = PORTRAIT / 2 - 20;
  for (const output of document.querySelectorAll(".cell_output")) {
    const inner = tables.filter((table) => output.contains(table));
    if (inner.length < 2 || output.querySelector("img, pre")) continue;
    if (inner.every((table) => table.scrollWidth <= halves)) output.classList.add("two");
  }

  const scaled = [];
  for (const table of tables) {
    if (table.offsetHeight > LONG) table.style.breakInside = "auto";
    for (const row of table.rows)
      if (row.offsetHeight > HIGH) row.style.breakInside = "auto";
    const width = table.scrollWidth;
    const box = table.parentElement.clientWidth || PORTRAIT;
    if (width <= box + 1) continue;
    let share = box / width;
    if (share < SMALLEST) {
      table.parentElement.classList.add("wide");
      share = Math.min(1, LANDSCAPE / width);
    }
    table.style.zoom = share;
    scaled.push([share, width, table.previousElementSibling?.textContent.slice(0, 60) ?? ""]);
  }
  for (const math of document.querySelectorAll("div.math")) {
    const inner = math.querySelector("mjx-container");
    if (inner && math.scrollWidth > math.clientWidth + 1)
      inner.style.fontSize = `${Math.floor((100 * math.clientWidth) / math.scrollWidth)}%`;
  }
  for (const image of document.images)
    if (image.naturalHeight > 1.2 * image.naturalWidth) image.classList.add("tall");
  for (const box of document.querySelectorAll("div.admonition"))
    if (box.offsetHeight < SHORT) box.classList.add("short");
  // A paragraph that is all bold heads what follows.
  for (const paragraph of document.querySelectorAll("article p"))
    if (paragraph.querySelector(":scope > strong")?.textContent === paragraph.textContent)
      paragraph.classList.add("lead-in");
  return scaled;
}
