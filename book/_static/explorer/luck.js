// The explorer of luck: the same runs ranked by two samples of the topics, draw after draw.
// The page is made by ordbook.pages.explorer and works as a table without this script.
//
// Contents
// --------
// drawn                every draw so far, by every measure: a link tells how many there were
// drawRanking          the two rankings, and that of all topics between them
// drawTables           this draw, and means of all draws by number of topics
(() => {
  "use strict";
  const samples = window.ordbookSamples;
  const { show, fixed, element, make, set, fit, explore } = window.ordbookExplorer;
  const MOST_DRAWS = 1000;
  const MANY = 100;

  // -- the draws --

  const sets = {};
  const drawn = (name, number) => {
    const data = page.data.sets[name];
    if (!sets[name]) {
      const measures = data.measures.map(({ measure, better, scores }) => {
        const values = samples.decode(scores);
        const all = samples.whole(values, data.runs.length, page.data.critical);
        return { measure, better, values, all, draws: [] };
      });
      sets[name] = { runs: data.runs, measures };
    }
    const { runs, measures } = sets[name];
    for (let k = measures[0].draws.length + 1; k <= number; k += 1) {
      const order = samples.shuffled(k, measures[0].all.topics.length);
      for (const { values, all, draws } of measures)
        draws.push(samples.draw(
          values, runs.length, all, order, page.data.sizes, page.data.critical
        ));
    }
    return sets[name];
  };

  const link = ({ task, measure, topics, draw }) =>
    `#task=${task}&measure=${measure}&topics=${topics}&draw=${draw}`;
  const read = (fields) => {
    if (!fields.has("task")) return null;
    const [task, measure] = [fields.get("task"), fields.get("measure")];
    const [topics, draw] = ["topics", "draw"].map((key) => Number(fields.get(key)));
    const known = page.data.sets[task];
    if (!known) throw new RangeError(`there is no task ${task}`);
    if (!known.measures.some((one) => one.measure === measure)) throw new RangeError(`there is no measure ${measure}`);
    if (!page.data.sizes.includes(topics))
      throw new RangeError(`samples have ${page.data.sizes.join(", ")} topics`);
    if (!(Number.isInteger(draw) && draw >= 1 && draw <= MOST_DRAWS))
      throw new RangeError(`draws are numbered from 1 to ${MOST_DRAWS}`);
    return { task, measure, topics, draw };
  };

  // -- the parts of the page --

  const HEIGHT = { row: 25, top: 28 };
  let picture = null; // the names and lines that move, for a number of runs and a width
  const layOut = (svg, runs) => {
    const height = HEIGHT.top + runs.length * HEIGHT.row;
    const width = fit(svg, height);
    const key = `${width} ${runs}`;
    if (picture && picture.key === key) return picture;
    set(svg, { height, viewBox: `0 0 ${width} ${height}` });
    const name = Math.min(190, width * 0.35);
    const letters = Math.floor((name - 28) / 6.6);
    const short = (text) => (text.length > letters ? `${text.slice(0, letters - 1)}…` : text);
    const x = [name, width / 2, width - name];
    const lines = runs.map((run) => make("path", { class: "ox-line" }, make("title", {}, run)));
    const label = (side) => runs.map((run) => {
      const at = side ? width - 22 : 22;
      const text = make("text", { x: at, y: 4, class: `ox-run ox-run-${side}` }, short(run));
      const rank = make("text", { x: side ? width - 2 : 2, y: 4, class: `ox-rank ox-rank-${side}` });
      return make("g", { class: "ox-place" }, text, rank);
    });
    const names = [label(0), label(1)];
    const heads = ["sample A", "all topics", "sample B"].map((text, k) => {
      const at = [2, width / 2, width - 2][k];
      return make("text", { x: at, y: 16, class: `ox-head ox-head-${k}` }, text);
    });
    svg.replaceChildren(...heads, ...lines, ...names.flat());
    picture = { key, x, lines, names };
    return picture;
  };
  const y = (place) => HEIGHT.top + (place - 0.5) * HEIGHT.row;
  // Those that are tied stand in the order of the runs.
  const places = (ranks) => {
    const order = [...ranks.keys()].sort((a, b) => ranks[a] - ranks[b] || a - b);
    return ranks.map((_, run) => order.indexOf(run) + 1);
  };
  const drawRanking = (runs, ranks) => {
    const { x, lines, names } = layOut(find(".ox-ranking"), runs);
    const at = ranks.map(places);
    const [a, all, b] = at;
    runs.forEach((_, r) => {
      const [left, middle, right] = [y(a[r]), y(all[r]), y(b[r])];
      const bend = (from, to, start, end) => {
        const half = (start + end) / 2;
        return `C${half} ${from} ${half} ${to} ${end} ${to}`;
      };
      lines[r].setAttribute("d", `M${x[0]} ${left}${bend(left, middle, x[0], x[1])}` +
        bend(middle, right, x[1], x[2]));
      lines[r].classList.toggle("ox-jump", Math.abs(ranks[0][r] - ranks[2][r]) >= 3);
      lines[r].classList.toggle("ox-first", ranks[1][r] === 1);
      for (const [side, place, rank] of [[0, a, ranks[0]], [1, b, ranks[2]]]) {
        names[side][r].style.transform = `translateY(${y(place[r])}px)`;
        names[side][r].lastChild.textContent = rank[r];
        names[side][r].classList.toggle("ox-first", ranks[1][r] === 1);
      }
    });
    const told = (side) => at[side].map((_, r) => runs[at[side].indexOf(r + 1)]).join(", ");
    set(find(".ox-ranking"), {
      "aria-label": `Best first. Sample A: ${told(0)}. Sample B: ${told(2)}. All: ${told(1)}.`,
    });
  };

  const cell = (text, className = "") => element("td", { className }, text);
  const row = ({ measure }, isChosen, ...cells) =>
    element("tr", { className: isChosen ? "ox-chosen" : "" },
      element("th", { scope: "row" }, measure), ...cells);
  // Of many draws the last ones.
  const strip = (draws, draw, topics) => {
    const dots = draws.slice(Math.max(0, draw - 200), draw).map((each) => {
      const dot = element("span", { className: "ox-dot" });
      dot.style.left = `${100 * Math.max(0, each[topics].tau)}%`;
      return dot;
    });
    dots.at(-1).classList.add("ox-now");
    return element("span", { className: "ox-strip" }, ...dots);
  };
  const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
  const drawTables = ({ measures }, { measure, topics, draw }) => {
    find(".ox-now-table tbody").replaceChildren(...measures.map((one) => {
      const now = one.draws[draw - 1][topics];
      const score = cell(fixed(now.tau, 2), "ox-score");
      score.dataset.value = String(now.tau);
      const line = row(one, one.measure === measure, score, cell(strip(one.draws, draw, topics)),
        cell(fixed(now.tauAll[0], 2)), cell(now.pairs.join(", ")));
      line.dataset.measure = one.measure;
      line.classList.toggle("ox-rest", !page.data.chief.includes(one.measure));
      return line;
    }));
    const means = (of, whole, digits) => measures.map((one) =>
      row(one, one.measure === measure, ...page.data.sizes.map((size) => {
        const some = one.draws.slice(0, draw).map((each) => of(each[size]));
        return cell(fixed(mean(some), digits), size === topics ? "ox-score" : "");
      }), ...whole(one)));
    find(".ox-tau-table tbody").replaceChildren(...means((one) => one.tau, () => [], 2));
    find(".ox-pairs-table tbody").replaceChildren(
      ...means((one) => mean(one.pairs), (one) => [cell(String(one.all.pairs))], 1)
    );
    for (const part of root.querySelectorAll(".ox-draws")) part.textContent = String(draw);
  };

  const options = (select, names, chosen) => {
    select.replaceChildren(...names.map((name) => new Option(name, name)));
    select.value = chosen;
  };
  const draw = (state) => {
    const found = drawn(state.task, state.draw);
    const { better, all, draws } = found.measures.find((one) => one.measure === state.measure);
    const [a, b] = draws[state.draw - 1][state.topics].means;
    const ranks = [a, all.means, b].map((values) => samples.ranks(values, better, all.slack));
    drawRanking(found.runs, ranks);
    drawTables(found, state);
    options(controls.measure, found.measures.map((one) => one.measure), state.measure);
    controls.task.value = state.task;
    controls.topics.value = String(state.topics);
    controls.more.disabled = controls.many.disabled = state.draw >= MOST_DRAWS;
    const best = ranks.map((rank) => found.runs.filter((_, r) => rank[r] === 1).join(" and "));
    const now = draws[state.draw - 1][state.topics];
    find(".ox-summary").textContent =
      `Draw ${state.draw}. ${state.measure}: best by A ${best[0]}, by B ${best[2]}, by all topics ` +
      `${best[1]}. τ of A and B ${show(now.tau, 2)}.`;
  };

  const page = explore({
    copy: ({ task, measure, topics, draw: number }) => ({ task, measure, topics, draw: number }),
    told: () => find(".ox-summary").textContent,
    link, read, draw,
  });
  const { root, find } = page;
  const controls = Object.fromEntries(
    ["task", "measure", "topics", "more", "many"].map((name) => [name, find(`.ox-${name}`)])
  );
  const go = (next) => {
    page.begin();
    page.change({ ...page.state, ...next }, " ");
  };
  const more = (count) => go({ draw: Math.min(MOST_DRAWS, page.state.draw + count) });
  controls.more.addEventListener("click", () => more(1));
  controls.many.addEventListener("click", () => more(MANY));
  controls.measure.addEventListener("change", () => go({ measure: controls.measure.value }));
  controls.topics.addEventListener("change", () => go({ topics: Number(controls.topics.value) }));
  controls.task.addEventListener("change", () => {
    const task = controls.task.value;
    go({ task, measure: page.data.sets[task].measures[0].measure, draw: 1 });
  });

  page.open();
})();
