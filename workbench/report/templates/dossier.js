// Sorts and filters tables, searches the overview's index, and dims what a link of a proof does not rest on.
"use strict";

const element = (name, text, attributes = {}, space = "http://www.w3.org/1999/xhtml") => {
  const made = document.createElementNS(space, name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

// A line of a table, with the row of its note, which stays below it.
const groups = (body) => {
  const all = [];
  for (const row of [...body.rows]) {
    if (row.classList.contains("note") && all.length) all[all.length - 1].push(row);
    else all.push([row]);
  }
  return all;
};

const number = (text) => Number.parseFloat(text.replace("\u2212", "-"));

const compare = (a, b) => {
  const [x, y] = [number(a), number(b)];
  if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
  return Number.isNaN(x) ? a.localeCompare(b) : x - y;
};

const sortable = (table) => {
  [...table.tHead.rows[0].cells].forEach((cell, column) => {
    const button = element("button", cell.textContent, { type: "button" });
    cell.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = cell.getAttribute("aria-sort") === "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = groups(table.tBodies[0]);
      const text = ([row]) => row.cells[column].textContent.trim();
      rows.sort((a, b) => (down ? -1 : 1) * compare(text(a), text(b)));
      table.tBodies[0].append(...rows.flat());
    });
  });
};

const FILTERS = { all: null, refuted: "violated surprise", undecided: "inconclusive", holds: "holds" };

const filterable = (table) => {
  const bar = element("div", "", { class: "filters" });
  const search = element("input", "", { type: "search", placeholder: "filter", "aria-label": "filter the lines" });
  let verdicts = null;
  const show = () => {
    const words = search.value.toLowerCase();
    for (const rows of groups(table.tBodies[0])) {
      const fits = rows.some((row) => row.textContent.toLowerCase().includes(words));
      const shown = fits && (!verdicts || verdicts.split(" ").includes(rows[0].dataset.verdict));
      for (const row of rows) row.hidden = !shown;
    }
  };
  for (const [name, wanted] of Object.entries(FILTERS)) {
    const button = element("button", name, { type: "button", "aria-pressed": String(!wanted) });
    button.addEventListener("click", () => {
      verdicts = wanted;
      for (const other of bar.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button));
      show();
    });
    bar.append(button);
  }
  search.addEventListener("input", show);
  bar.append(search);
  table.parentElement.before(bar);
};

const searchable = (paragraph, list, index) => {
  const search = paragraph.querySelector("input");
  paragraph.hidden = false;
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length ? index.filter(([text]) => words.every((word) => text.toLowerCase().includes(word))) : [];
    list.hidden = !found.length;
    list.replaceChildren(
      ...found.slice(0, 50).map(([text, target]) => {
        const item = element("li", "");
        item.append(element("a", text, { href: target }));
        return item;
      }),
    );
  });
};

// Of a link of the proof that is pointed at, only what it rests on stays bright.
const traceable = (graph) => {
  const nodes = new Map([...graph.querySelectorAll("a")].map((node) => [node.dataset.key, node]));
  const dim = (from) => {
    const bright = new Set(), todo = from ? [from] : [];
    while (todo.length) {
      const key = todo.pop();
      if (bright.has(key) || !nodes.has(key)) continue;
      bright.add(key);
      todo.push(...nodes.get(key).dataset.uses.split(" "));
    }
    for (const [key, node] of nodes) node.classList.toggle("dim", Boolean(from) && !bright.has(key));
    for (const line of graph.querySelectorAll("polyline")) line.classList.toggle("dim", Boolean(from));
  };
  for (const [key, node] of nodes) {
    for (const name of ["mouseenter", "focus"]) node.addEventListener(name, () => dim(key));
    for (const name of ["mouseleave", "blur"]) node.addEventListener(name, () => dim(null));
  }
};

for (const table of document.querySelectorAll("table.sortable")) {
  sortable(table);
  filterable(table);
}
document.querySelectorAll("svg.proof").forEach(traceable);
const find = document.getElementById("find");
if (find && window.INDEX) searchable(find, document.getElementById("results"), window.INDEX);
// A link to what lies in a closed fold opens it.
const unfold = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  if (target) target.scrollIntoView();
};
window.addEventListener("hashchange", unfold);
if (location.hash) unfold();
