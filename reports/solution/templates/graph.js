// The graph of a solution: a row for every ply, a mark for every position where the controller is to move.
// Of a large one only what lies along the game is shown, unless all of it is asked for.

import { byId, button, draw } from "./elements.js";
import { data, nameOf, squareIn, US } from "./stones.js";

const ROW = 58, LEFT = 34, TOP = 24, LEAST = 13.5, MOST = 44;
const FEW = 300;
const place = byId("graph");
const marks = new Map();
let rows = [];
let svg = null;
let route = null;
let onward = null;
let game = [];
let isWhole = data.nodes.length <= FEW;
let goTo = () => {};

for (const node of data.nodes) node.parents = [];
for (const node of data.nodes) for (const child of node.next || []) data.nodes[child].parents.push(node);

const nextOf = (node) => (node.next || []).map((child) => data.nodes[child]);
const first = data.first.map((child) => data.nodes[child]);
const metBy = (states) => states.flatMap((state) => (state.node ? [state.node] : []));

// What the game has come through, what else could have been played there, and what can come next.
function findNear(states) {
  const met = metBy(states);
  return [...new Set([...(first.length ? first : [data.nodes[0]]), ...met.flatMap((node) => [node, ...nextOf(node)])])];
}

// Rows in the order of their parents, so that few edges cross.
function layOut(nodes) {
  const shown = new Set(nodes);
  rows = [...new Set(nodes.map((node) => node.ply))].sort((one, other) => one - other).map((ply) => {
    const row = nodes.filter((node) => node.ply === ply);
    for (const node of row) {
      const above = node.parents.filter((each) => shown.has(each));
      node.weight = above.length ? above.reduce((sum, each) => sum + each.place, 0) / above.length : 0.5;
    }
    row.sort((one, other) => one.weight - other.weight || one.number - other.number);
    row.forEach((node, number) => { node.place = (number + 0.5) / row.length; });
    return row;
  });
  const widest = Math.max(...rows.map((row) => row.length));
  const width = Math.max(Math.min(place.clientWidth - LEFT - 12, widest * MOST), widest * LEAST);
  const above = first.length ? 1 : 0;
  rows.forEach((row, number) => row.forEach((node) => {
    node.x = LEFT + node.place * width;
    node.y = TOP + (number + above) * ROW;
  }));
  return { width: LEFT + width + 12, height: TOP + (rows.length - 1 + above) * ROW + 22, middle: LEFT + width / 2 };
}

const edge = (from, to) => `M${from.x} ${from.y}C${from.x} ${from.y + ROW / 2} ${to.x} ${to.y - ROW / 2} ${to.x} ${to.y}`;
const edges = (from, nodes) => nodes.filter((each) => marks.has(each)).map((each) => edge(from, each)).join("");

function tellNode(node) {
  const what = node.diagram !== undefined ? `diagram ${node.diagram} takes over` : `${US} plays ${nameOf(squareIn(node.cells, node.column))}${node.proof ? ", then the rules" : ""}`;
  return `${node.moves || "the start"}: ${what}`;
}

function makeMark(node) {
  const shape = node.diagram !== undefined ? draw("rect", { class: "digits", x: -5, y: -5, width: 10, height: 10 })
    : node.proof ? draw("path", { class: "rules", d: "M0-6 6 0 0 6-6 0Z" }) : draw("circle", { class: "move", r: 5 });
  const mark = draw("g", { class: `node${node.column === undefined || node.proof ? " leaf" : ""}`, transform: `translate(${node.x} ${node.y})`, role: "button", tabindex: -1, "aria-label": tellNode(node) },
    draw("circle", { class: "spot", r: 9 }), shape);
  mark.node = node;
  return mark;
}

function drawGraph(nodes) {
  const { width, height, middle } = layOut(nodes);
  const start = { x: middle, y: TOP };
  marks.clear();
  for (const node of nodes) marks.set(node, makeMark(node));
  svg = draw("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  route = draw("path", { class: "route" });
  onward = draw("path", { class: "onward" });
  // All edges are one path, as thousands of elements would be slow.
  const all = edges(start, first) + nodes.map((node) => edges(node, nextOf(node))).join("");
  svg.append(draw("path", { class: "edges", d: all }), onward, route);
  rows.forEach((row) => svg.append(draw("text", { x: 0, y: row[0].y + 4 }, row[0].ply)));
  if (first.length) svg.append(draw("text", { x: start.x, y: start.y - 10, "text-anchor": "middle" }, "start"), draw("circle", { class: "move", cx: start.x, cy: start.y, r: 3 }));
  svg.append(...marks.values());
  marks.get(nodes[0]).setAttribute("tabindex", 0);
  place.replaceChildren(svg);
}

export function makeGraph(go) {
  goTo = go;
  if (isWhole) {
    drawGraph(data.nodes);
    return;
  }
  const words = () => (isWhole ? "Only along the game" : `All ${data.nodes.length.toLocaleString("en")} of them`);
  const choice = button(words(), () => {
    isWhole = !isWhole;
    choice.textContent = words();
    if (isWhole) drawGraph(data.nodes);
    followGame(game);
  }, { id: "whole" });
  place.before(choice);
}

function focusOn(node) {
  for (const each of svg.querySelectorAll('[tabindex="0"]')) each.setAttribute("tabindex", -1);
  marks.get(node).setAttribute("tabindex", 0);
  marks.get(node).focus();
}

const STEPS = {
  ArrowLeft: (node, row, at) => row[at - 1],
  ArrowRight: (node, row, at) => row[at + 1],
  ArrowUp: (node) => node.parents.find((each) => marks.has(each)),
  ArrowDown: (node) => nextOf(node).find((each) => marks.has(each)),
};

place.addEventListener("keydown", (event) => {
  const mark = event.target.closest(".node");
  if (!mark || event.ctrlKey || event.altKey || event.metaKey) return;
  const row = rows.find((each) => each.includes(mark.node));
  if (event.key === "Enter" || event.key === " ") {
    goTo(mark.node);
    focusOn(mark.node);
  } else if (STEPS[event.key]) {
    const next = STEPS[event.key](mark.node, row, row.indexOf(mark.node));
    if (next) focusOn(next);
  } else return;
  event.preventDefault();
  event.stopPropagation();
});
place.addEventListener("click", (event) => {
  const mark = event.target.closest(".node");
  if (mark) goTo(mark.node);
});
for (const name of ["pointerover", "focusin"])
  place.addEventListener(name, (event) => {
    const mark = event.target.closest(".node");
    if (mark) byId("pointed").textContent = tellNode(mark.node);
  });

// Mark the nodes that a game has come through, the way between them, and where it can go on to.
export function followGame(states) {
  game = states;
  if (!isWhole) drawGraph(findNear(states));
  const met = metBy(states);
  const last = met[met.length - 1] || null;
  for (const each of svg.querySelectorAll(".here,.now")) each.classList.remove("here", "now");
  for (const node of met) marks.get(node).classList.add("here");
  const isFresh = last && states[states.length - 1].node === last;
  if (isFresh) marks.get(last).classList.add("now");
  route.setAttribute("d", met.slice(1).map((node, number) => (nextOf(met[number]).includes(node) ? edge(met[number], node) : "")).join(""));
  onward.setAttribute("d", isFresh ? edges(last, nextOf(last)) : "");
  if (!last) return;
  const { clientWidth, clientHeight, scrollLeft, scrollTop } = place;
  if (last.x < scrollLeft + 40 || last.x > scrollLeft + clientWidth - 40) place.scrollLeft = last.x - clientWidth / 2;
  if (last.y < scrollTop + 30 || last.y > scrollTop + clientHeight - 30) place.scrollTop = last.y - clientHeight / 2;
}
