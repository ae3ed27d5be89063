// Draws the curves of a theorem from the numbers in its page: choice of settings, axes, zoom, values at a mark.
"use strict";

const WIDTH = 860, HEIGHT = 400, LEFT = 74, RIGHT = 24, TOP = 12, BOTTOM = 44;
const USE = "Left and right: along a curve. Up and down: another curve. Plus and minus: zoom. Escape: all.";

const drawn = (name, attributes, text = "") => element(name, text, attributes, "http://www.w3.org/2000/svg");

const show = (x) => {
  if (!Number.isFinite(x)) return "none";
  const long = x && (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e5);
  const text = long ? x.toExponential(3).replace(/\.?0*e\+?/, "e") : String(Number(x.toPrecision(4)));
  return text.replaceAll("-", "\u2212");
};

// From values to pixels and back, and where labels stand.
const axis = ([low, high], from, to, log) => {
  const there = log ? Math.log10 : (x) => x, back = log ? (x) => 10 ** x : (x) => x, ticks = [];
  let [a, b] = [there(low), there(high)];
  if (a === b) [a, b] = [a - 0.5, b + 0.5];
  const rough = log && b - a > 1.3 ? (b - a) / 7 : (back(b) - back(a)) / 5;
  const power = 10 ** Math.floor(Math.log10(rough)), step = power * [1, 2, 5, 10].find((n) => n * power >= rough);
  if (log && b - a > 1.3) for (let k = Math.ceil(a), by = Math.ceil(step); k <= b; k += 1) k % by || ticks.push(10 ** k);
  else for (let k = Math.ceil(back(a) / step); k * step <= back(b); k += 1) ticks.push(Number((k * step).toPrecision(9)));
  return {
    place: (x) => from + ((to - from) * (there(x) - a)) / (b - a),
    value: (pixel) => back(a + ((b - a) * (pixel - from)) / (to - from)),
    ticks,
  };
};

const explorer = (box) => {
  const curves = JSON.parse(box.dataset.curves), kinds = [...new Set(curves.map((c) => c.y))];
  const state = { y: kinds[0], logx: true, logy: true, flat: false, bounds: true, zoom: null, curve: null, mark: 0 };
  const bar = element("div", "", { class: "filters" }), said = element("output", ""), list = element("ol", "");
  const svg = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, tabindex: 0, role: "application", "aria-label": USE });
  let shown = [], x, y, begun = null;

  // The marks and values of a row that fit the axes; over the claimed power, if that is asked for.
  const fitting = (c, row) => row
    .map((v, m) => [c.at[m], v === null || !state.flat || c.claimed === null ? v : v / c.at[m] ** c.claimed])
    .filter(([t, v]) => v !== null && (v > 0 || !state.logy) && (t > 0 || !state.logx)
      && (!state.zoom || (t >= state.zoom[0] && t <= state.zoom[1])));

  const frame = () => {
    const points = shown.flatMap((s) => [s.mean, s.low, s.high, ...s.bounds.map(([, row]) => row)].flat());
    const range = (n) => points.reduce(([a, b], p) => [Math.min(a, p[n]), Math.max(b, p[n])], [Infinity, -Infinity]);
    x = axis(range(0), LEFT, WIDTH - RIGHT, state.logx);
    y = axis(range(1), HEIGHT - BOTTOM, TOP, state.logy);
    const text = (px, py, anchor, words) => drawn("text", { x: px, y: py, "text-anchor": anchor }, words);
    const rule = (x1, x2, y1, y2) => drawn("line", { class: "grid", x1, x2, y1, y2 });
    for (const t of x.ticks) {
      svg.append(rule(x.place(t), x.place(t), TOP, HEIGHT - BOTTOM), text(x.place(t), HEIGHT - BOTTOM + 16, "middle", show(t)));
    }
    for (const v of y.ticks) svg.append(rule(LEFT, WIDTH - RIGHT, y.place(v), y.place(v)), text(LEFT - 6, y.place(v) + 4, "end", show(v)));
    svg.append(text(WIDTH / 2, HEIGHT - 6, "middle", shown[0].c.x));
  };

  const draw = () => {
    const chosen = [...list.querySelectorAll("input:checked")].map((input) => curves[input.value]);
    const bounds = (c) => (state.bounds ? Object.entries(c.bounds) : []).map(([form, row]) => [form, fitting(c, row)]);
    shown = chosen.map((c) => ({ c, mean: fitting(c, c.mean), low: fitting(c, c.low), high: fitting(c, c.high), bounds: bounds(c) }));
    shown = shown.filter((s) => s.mean.length);
    svg.replaceChildren();
    said.textContent = shown.length ? USE : "No curve is chosen, or none has a value on these axes.";
    if (!shown.length) return;
    frame();
    const at = (row) => row.map(([t, v]) => `${x.place(t).toFixed(1)},${y.place(v).toFixed(1)}`).join(" ");
    const line = (look, row, name = "polyline") => svg.append(drawn(name, { class: look, points: at(row) }));
    for (const s of shown) {
      const n = curves.filter((c) => c.y === state.y).indexOf(s.c), look = `curve c${n % 6}`, [end, last] = s.mean.at(-1);
      line(`${look} band`, [...s.low, ...[...s.high].reverse()], "polygon");
      for (const [form, row] of s.bounds) line(`${look} ${form === "printed" ? "printed" : "bound"}`, row);
      line(look, s.mean);
      svg.append(drawn("text", { x: x.place(end) + 5, y: y.place(last) + 4, class: look }, String(n + 1)));
      const law = s.mean.filter(([t]) => t >= end / 10).map(([t]) => [t, last * (t / end) ** (state.flat ? 0 : s.c.claimed)])
        .filter(([, v]) => y.place(v) >= TOP && y.place(v) <= HEIGHT - BOTTOM);
      if (s.c.claimed !== null) line(`${look} claimed`, law);
    }
  };

  // What one mark of a curve holds, in words.
  const point = (s, m) => {
    const { c } = s, [t, v] = s.mean[m], index = c.at.indexOf(t);
    [state.curve, state.mark] = [c, m];
    svg.querySelector(".cursor")?.remove();
    svg.append(drawn("circle", { class: "cursor", r: 5, cx: x.place(t), cy: y.place(v) }));
    said.textContent = [
      `${c.name}: ${c.x} = ${show(t)}, mean ${show(c.mean[index])}`,
      `${c.band} of ${c.runs} runs: ${show(c.low[index])} to ${show(c.high[index])}`,
      ...(c.failed ? [`${c.failed} failed`] : []),
      ...Object.entries(c.bounds).map(([form, row]) => `bound, ${form}: ${show(row[index])}`),
    ].join("; ");
  };
  const nearest = (event) => {
    const to = svg.getScreenCTM().inverse(), px = event.clientX * to.a + to.e, py = event.clientY * to.d + to.f;
    const far = shown.flatMap((s) => s.mean.map(([t, v], m) => [Math.hypot(x.place(t) - px, y.place(v) - py), s, m]));
    return { px, best: far.reduce((a, b) => (b[0] < a[0] ? b : a), [Infinity]) };
  };
  const zoom = (range) => { state.zoom = range; draw(); };
  svg.addEventListener("pointermove", (event) => { const { best } = nearest(event); if (best[1]) point(best[1], best[2]); });
  svg.addEventListener("pointerdown", (event) => { begun = nearest(event).px; });
  svg.addEventListener("pointerup", (event) => {
    const ends = [begun, nearest(event).px].sort((a, b) => a - b);
    if (shown.length && begun !== null && ends[1] - ends[0] > 12) zoom(ends.map(x.value));
    begun = null;
  });
  svg.addEventListener("keydown", (event) => {
    const place = Math.max(shown.findIndex((s) => s.c === state.curve), 0), s = shown[place];
    const go = (to, m) => point(to, Math.min(Math.max(m, 0), to.mean.length - 1));
    const middle = s && x.place(s.mean[Math.min(state.mark, s.mean.length - 1)][0]);
    const around = (reach) => zoom([middle - reach, middle + reach].map(x.value));
    const keys = {
      ArrowRight: () => go(s, state.mark + 1), ArrowLeft: () => go(s, state.mark - 1),
      ArrowDown: () => go(shown[(place + 1) % shown.length], state.mark), ArrowUp: () => go(shown.at(place - 1), state.mark),
      "+": () => around(WIDTH / 5), "-": () => around(WIDTH), Escape: () => zoom(null),
    };
    if ((s || event.key === "Escape") && keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });

  const setting = (c, k, n, all) => {
    const item = element("li", ""), label = element("label", ""), input = element("input", "", { type: "checkbox", value: k });
    input.checked = !c.wrong && [0, Math.floor(all / 2), all - 1].includes(n);
    input.addEventListener("change", draw);
    const claim = c.claimed === null ? "" : `, claimed ${c.x}^${c.power}`;
    label.append(input, element("b", String(n + 1), { class: `c${n % 6}` }), ` ${c.name} (${c.runs} runs${claim})`);
    item.append(label, ...c.lines.flatMap(([anchor, word]) => [" ", element("a", word, { href: `#${anchor}` })]));
    return item;
  };
  const choose = () => {
    state.zoom = null;
    list.replaceChildren(...curves.map((c, k) => [c, k]).filter(([c]) => c.y === state.y).map(([c, k], n, all) => setting(c, k, n, all.length)));
    draw();
  };
  const toggle = (name, text) => {
    const button = element("button", text, { type: "button", "aria-pressed": String(state[name]) });
    button.addEventListener("click", () => { button.setAttribute("aria-pressed", String(state[name] = !state[name])); draw(); });
    return button;
  };
  const choice = element("select", "", { "aria-label": "quantity" }), all = element("button", "all of T", { type: "button" });
  choice.append(...kinds.map((kind) => element("option", kind)));
  choice.addEventListener("change", () => { state.y = choice.value; choose(); });
  all.addEventListener("click", () => zoom(null));
  bar.append(choice, toggle("logx", "logarithmic T"), toggle("logy", "logarithmic values"), toggle("flat", "over the claimed power"), toggle("bounds", "bounds"), all);
  box.append(bar, svg, said, list);
  choose();
};

document.querySelectorAll(".curves").forEach(explorer);
