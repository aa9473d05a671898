// A list of runs, ranked by the measure of the button that was pressed last. The page is made by
// ordbook.pages.ranks, and the scores stand in it.
(() => {
  "use strict";
  const { element, fixed, ranks } = window.ordbookExplorer;
  const root = document.querySelector(".ranks");
  const { runs, better, highlighted, start } = JSON.parse(root.querySelector("script[type='application/json']").textContent);
  const list = root.querySelector(".ranks-runs");
  const buttons = [...root.querySelectorAll("[data-measure]")];
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const items = new Map(runs.map(({ name }) => {
    const parts = ["rank", "name", "score"].map((part) => element("span", { className: `ranks-${part}` }));
    return [name, element("li", { className: name === highlighted ? "ranks-highlighted" : "" }, ...parts)];
  }));

  // Best first; runs that are tied stay in the order of their names, as the page has them.
  const ranked = (measure) => {
    const places = ranks(runs.map(({ scores }) => (better[measure] === "low" ? scores[measure] : -scores[measure])));
    return runs.map((run, k) => ({ ...run, rank: places[k] })).sort((a, b) => a.rank - b.rank);
  };
  // Each item starts where it stood and moves to its new place.
  const rearrange = (order) => {
    const tops = order.map(({ name }) => items.get(name).offsetTop);
    const isFirst = !list.children.length;
    list.replaceChildren(...order.map(({ name }) => items.get(name)));
    if (isFirst || still.matches) return;
    [...list.children].forEach((item, k) => {
      const way = tops[k] - item.offsetTop;
      if (way) item.animate([{ transform: `translateY(${way}px)` }, { transform: "none" }], { duration: 600, easing: "ease-in-out" });
    });
  };

  let before = null;
  const choose = (measure) => {
    const order = ranked(measure);
    for (const button of buttons) button.ariaPressed = String(button.dataset.measure === measure);
    for (const { name, rank, scores } of order) {
      const [place, label, score] = items.get(name).children;
      place.textContent = rank;
      label.textContent = name;
      score.textContent = fixed(scores[measure], 3).replace("-", "−");
      score.dataset.value = scores[measure];
    }
    rearrange(order);
    const { rank } = order.find(({ name }) => name === highlighted);
    const earlier = before && before.measure !== measure ? ` It was ${before.rank} by ${before.measure}.` : "";
    root.querySelector(".ranks-summary").textContent =
      `By ${measure} (${better[measure]} is better), “${highlighted}” has rank ${rank} of ${runs.length}.${earlier}`;
    if (before?.measure !== measure) before = { measure, rank };
  };

  for (const button of buttons) button.addEventListener("click", () => choose(button.dataset.measure));
  root.hidden = false;
  choose(start);
})();
