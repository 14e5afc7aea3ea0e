"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const W = data.columns, H = data.rows, ME = data.controller, YOU = ME === "x" ? "o" : "x";
const mirror = cells => Array.from({length: W}, (_, c) => cells.slice((W - 1 - c) * H, (W - c) * H)).join("");
const byCells = new Map();
for (const node of data.nodes) {
  byCells.set(node.cells, {node, mirrored: false});
  if (!byCells.has(mirror(node.cells))) byCells.set(mirror(node.cells), {node, mirrored: true});
}
const rowOf = (cells, c) => cells.slice(c * H, c * H + H).indexOf(".");
const put = (cells, c, stone) => {
  const place = c * H + rowOf(cells, c);
  return cells.slice(0, place) + stone + cells.slice(place + 1);
};
const makesLine = (cells, c, stone) => {
  const r = rowOf(cells, c), at = (x, y) => x >= 0 && x < W && y >= 0 && y < H && cells[x * H + y] === stone;
  return [[0, 1], [1, 0], [1, 1], [1, -1]].some(([dx, dy]) => {
    let n = 1;
    for (const s of [1, -1]) for (let k = 1; at(c + s * k * dx, r + s * k * dy); k++) n++;
    return n >= data.connect;
  });
};
const legal = cells => [...Array(W).keys()].filter(c => rowOf(cells, c) >= 0);
// By a diagram, on the board as it is stored: complete a line, stop one, else the first digit that stands alone.
const byDiagram = (cells, rows) => {
  const open = legal(cells);
  for (const [stone, why] of [[ME, "completes a line"], [YOU, "the opponent would complete a line there"]]) {
    const c = open.find(c => makesLine(cells, c, stone));
    if (c !== undefined) return {c, why};
  }
  for (let level = 0; level < 10; level++) {
    const those = open.filter(c => rows[H - 1 - rowOf(cells, c)][c] === String(level));
    if (those.length === 1) return {c: those[0], why: "digit " + level + " stands alone"};
  }
  return null;
};
let states;
const now = () => states[states.length - 1];
const start = () => ({cells: data.root, leaf: null, text: "", moves: [], last: -1, over: false, rules: null});
const stonesOf = cells => cells.replace(/\./g, "").length;
const toMove = cells => stonesOf(cells) % 2 ? "o" : "x";
function answer(state) {
  let {cells, leaf} = state, found = leaf ? null : byCells.get(cells), choice = null, rules = null;
  const node = found ? found.node : null;
  if (found && found.node.diagram !== undefined) {
    leaf = {rows: data.diagrams[found.node.diagram], number: found.node.diagram, mirrored: found.mirrored !== found.node.mirrored};
    found = null;
  }
  if (leaf) {
    choice = byDiagram(leaf.mirrored ? mirror(cells) : cells, leaf.rows);
    if (choice && leaf.mirrored) choice.c = W - 1 - choice.c;
  } else if (found) {
    choice = {c: found.mirrored ? W - 1 - found.node.column : found.node.column, why: "a move of the graph"};
    if (found.node.rules) {
      rules = found.node.rules;
      choice.why = "the nine rules prove what follows" + (found.mirrored ? " (for the mirror image)" : "");
    }
  } else {
    const c = legal(cells).find(c => makesLine(cells, c, ME));
    if (c !== undefined) choice = {c, why: "completes a line"};
  }
  if (!choice) return {...state, over: true, text: "The solution says nothing here."};
  const wins = makesLine(cells, choice.c, ME), name = String.fromCharCode(97 + choice.c) + (rowOf(cells, choice.c) + 1);
  const last = choice.c * H + rowOf(cells, choice.c);
  cells = put(cells, choice.c, ME);
  const full = !cells.includes(".");
  const end = wins ? " The controller has won." : full ? " The board is full: a draw." : rules ? " The proof takes over; see the rules below." : "";
  return {cells, leaf, last, rules, node, moves: [...state.moves, choice.c + 1], over: wins || full || !!rules, text: name + ": " + choice.why + "." + end};
}
function enter(state) {
  if (!state.over && toMove(state.cells) === ME) state = answer(state);
  states.push(state);
  draw();
}
function play(c) {
  const state = now();
  if (state.over || rowOf(state.cells, c) < 0) return;
  if (makesLine(state.cells, c, YOU)) {
    enter({...state, cells: put(state.cells, c, YOU), over: true, text: "You have won: the solution is false."});
    return;
  }
  const cells = put(state.cells, c, YOU);
  if (!cells.includes(".")) enter({...state, cells, over: true, moves: [...state.moves, c + 1], text: "The board is full: a draw."});
  else enter({...state, cells, moves: [...state.moves, c + 1]});
}
function back() { if (states.length > 1) { states.pop(); draw(); } }
function again() { states = []; enter(start()); }
function jump(node) { states = []; enter({...start(), cells: node.cells, moves: ["(" + (node.moves || "start") + ")"]}); }
const element = id => document.getElementById(id);
function draw() {
  const state = now();
  const columns = element("columns"), board = element("board");
  columns.style.gridTemplateColumns = board.style.gridTemplateColumns = "repeat(" + W + ",minmax(0,1fr))";
  for (const [c, button] of [...columns.children].entries()) button.disabled = state.over || rowOf(state.cells, c) < 0;
  const shown = [];
  for (let r = H - 1; r >= 0; r--) for (let c = 0; c < W; c++) {
    const span = document.createElement("span"), stone = state.cells[c * H + r];
    if (stone !== ".") { span.className = stone; span.textContent = stone; }
    else if (state.leaf) span.textContent = state.leaf.rows[H - 1 - r][state.leaf.mirrored ? W - 1 - c : c].replace(".", "");
    if (c * H + r === state.last) span.classList.add("last");
    shown.push(span);
  }
  board.replaceChildren(...shown);
  element("live").textContent = state.text;
  element("path").textContent = state.moves.join(" ") + (state.leaf ? "; diagram " + state.leaf.number : "");
  element("rules").textContent = state.rules ? state.rules.join("; ") : "";
  element("back").disabled = states.length < 2;
  const met = new Set(states.flatMap(s => s.node ? [s.node] : []));
  for (const button of document.querySelectorAll("#graph button"))
    button.classList.toggle("here", met.has(button.node));
}
for (let c = 0; c < W; c++) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = String(c + 1);
  button.setAttribute("aria-label", "Column " + (c + 1));
  button.addEventListener("click", () => play(c));
  element("columns").append(button);
}
const plies = new Map();
for (const node of data.nodes) plies.set(node.ply, [...(plies.get(node.ply) || []), node]);
for (const [ply, nodes] of plies) {
  const row = document.createElement("div"), label = document.createElement("b");
  label.textContent = ply;
  row.append(label);
  for (const node of nodes) {
    const button = document.createElement("button");
    button.type = "button";
    button.node = node;
    button.title = (node.moves || "the root") + (node.column === undefined ? ", diagram " + node.diagram : node.rules ? ", rules" : "");
    button.setAttribute("aria-label", button.title);
    if (node.column === undefined || node.rules) button.className = "leaf";
    button.addEventListener("click", () => jump(node));
    row.append(button);
  }
  element("graph").append(row);
}
element("back").addEventListener("click", back);
element("again").addEventListener("click", again);
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^[1-9]$/.test(event.key) && Number(event.key) <= W) play(Number(event.key) - 1);
  else if (event.key === "Backspace") back();
  else if (event.key === "Home") again();
  else return;
  event.preventDefault();
});
again();
