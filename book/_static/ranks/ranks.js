// A list of runs, ranked by the measure of the button that was pressed last. The page is made by
// ordbook.pages.ranks, and the scores stand in it.
(() => {
  "use strict";
  const SAME = 1e-12; // means that differ by less share a rank
  const root = document.querySelector(".ranks");
  const { runs, better, highlighted, start } = JSON.parse(root.querySelector("script[type='application/json']").textContent);
  const list = root.querySelector(".ranks-runs");
  const buttons = [...root.querySelectorAll("[data-measure]")];
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const ends = { low: "low is better", high: "high is better" };

  // Best first; runs that are tied stay in the order of their names, as the page has them.
  const ranked = (measure) => {
    const cost = ({ scores }) => (better[measure] === "low" ? scores[measure] : -scores[measure]);
    const rank = (run) => 1 + runs.filter((other) => cost(other) < cost(run) - SAME).length;
    return runs.map((run) => ({ ...run, rank: rank(run) })).sort((a, b) => a.rank - b.rank);
  };

  const element = (tag, className, text) =>
    Object.assign(document.createElement(tag), { className, textContent: text });
  const items = new Map(runs.map(({ name }) => {
    const item = element("li", name === highlighted ? "ranks-highlighted" : "", "");
    item.append(...["rank", "name", "score"].map((part) => element("span", `ranks-${part}`, "")));
    return [name, item];
  }));

  // Each item starts where it stood and moves to its new place.
  const rearrange = (order) => {
    const tops = new Map(order.map(({ name }) => [name, items.get(name).offsetTop]));
    const isFirst = !list.children.length;
    list.replaceChildren(...order.map(({ name }) => items.get(name)));
    if (isFirst || still.matches) return;
    for (const [name, top] of tops) {
      const item = items.get(name);
      const way = top - item.offsetTop;
      if (way) item.animate([{ transform: `translateY(${way}px)` }, { transform: "none" }], { duration: 600, easing: "ease-in-out" });
    }
  };

  let before = null;
  const choose = (measure) => {
    const order = ranked(measure);
    for (const button of buttons) button.ariaPressed = String(button.dataset.measure === measure);
    for (const { name, rank, scores } of order) {
      const [place, label, score] = items.get(name).children;
      place.textContent = rank;
      label.textContent = name;
      score.textContent = scores[measure].toFixed(3).replace("-", "−");
      score.dataset.value = scores[measure];
    }
    rearrange(order);
    const { rank } = order.find(({ name }) => name === highlighted);
    const earlier = before && before.measure !== measure ? ` It was ${before.rank} by ${before.measure}.` : "";
    root.querySelector(".ranks-summary").textContent =
      `By ${measure} (${ends[better[measure]]}), “${highlighted}” has rank ${rank} of ${runs.length}.${earlier}`;
    if (before?.measure !== measure) before = { measure, rank };
  };

  for (const button of buttons) button.addEventListener("click", () => choose(button.dataset.measure));
  root.hidden = false;
  choose(start);
})();
