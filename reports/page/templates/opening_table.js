// The opening table: a walk through the positions that the tables of the page know.

import { byId, button, make } from "./elements.js";
import { canPlay, sideToMove, squaresOf } from "./game.js";
import { findBest, infer, isAtEnd, listMoves, look, looks, tables, walk } from "./lookup.js";
import { drawPosition } from "./picture.js";
import { showProof } from "./proof.js";

const root = byId("walker");

// Words

const showValue = (value) => looks.values[value][0];
const showScore = (score) => (score === null ? "" : score > 0 ? `+${score}` : `${score}`.replace("-", "−"));

// As commands and addresses write a game: with letters where digits are not enough.
function writeGame() {
  const { alphabet } = walk.table;
  return alphabet ? walk.moves.map((column) => alphabet[column]).join("") : walk.moves.map((column) => column + 1).join(",");
}

function describe(position, list, best) {
  const squares = squaresOf(walk.table, walk.moves);
  const where = squares.length ? `After ${squares.join(", ")}: ` : "The start: ";
  const value = showValue(position.value);
  if (position.over) return `${where}the game is over, ${value}.`;
  const score = position.score === null ? "" : `, score ${showScore(position.score)} for ${sideToMove(walk.moves.length)}`;
  const good = list.filter((move) => best.has(move.column)).map((move) => `${move.column + 1} (${move.square})`);
  const advice = good.length && !isAtEnd(position) ? ` Best: ${good.join(", ")}.` : "";
  return `${where}${sideToMove(walk.moves.length)} to move, ${value}${score}.${advice}`;
}

// Columns

const buttons = () => [...byId("walker-columns").children];

function choose(column) {
  buttons().forEach((button, number) => { button.tabIndex = number === column ? 0 : -1; });
  buttons()[column].focus();
}

function makeColumns() {
  const middle = Math.floor(walk.table.columns / 2);
  byId("walker-columns").replaceChildren(...Array.from({ length: walk.table.columns }, (_, column) =>
    button("", () => press(column), { tabindex: column === middle ? 0 : -1 })));
}

function showColumns(position, list, best) {
  buttons().forEach((button, column) => {
    const move = list.find((each) => each.column === column);
    const mayPlay = move && !isAtEnd(position);
    const known = move && move.known;
    button.setAttribute("aria-disabled", String(!mayPlay));
    button.dataset.value = known ? move.after.value : "";
    button.classList.toggle("best", Boolean(known && best.has(column)));
    const symbol = known ? looks.values[move.after.value][1] : "·";
    const star = known && best.has(column) ? "★" : "";
    button.replaceChildren(make("b", {}, `${column + 1}`), make("span", {}, symbol), make("span", { class: "star" }, star));
    const words = !move ? "not playable" : known ? showValue(move.after.value) : "beyond the table";
    button.setAttribute("aria-label", `Column ${column + 1}${move ? `, ${move.square}` : ""}: ${words}${star ? ", best move" : ""}`);
  });
}

function showMoves(position, list, best) {
  byId("walker-moves").hidden = !list.some((move) => move.known);
  const rows = list.filter((move) => move.known).map((move) => {
    const isBest = best.has(move.column);
    const score = move.after.score === null ? null : -move.after.score || 0;
    return make("tr", isBest ? { class: "best" } : {},
      make("th", { scope: "row" }, `${isBest ? "★ " : ""}${move.column + 1}`),
      make("td", {}, move.square),
      make("td", { class: "text" }, make("span", { class: "value", "data-value": move.after.value }, showValue(move.after.value))),
      make("td", {}, showScore(score)),
      make("td", { class: "text" }, move.after.source ? looks.sources[move.after.source] : ""));
  });
  byId("walker-moves").tBodies[0].replaceChildren(...rows);
}

function showPath() {
  const squares = squaresOf(walk.table, walk.moves);
  const steps = ["start", ...squares.map((square, ply) => (ply % 2 ? square : `${ply / 2 + 1}. ${square}`))];
  byId("walker-path").replaceChildren(...steps.map((text, ply) =>
    make("li", {}, button(text, () => goTo(walk.moves.slice(0, ply)), ply === walk.moves.length ? { "aria-current": "step" } : {}))));
}

function showHint(position) {
  const hint = byId("walker-hint");
  hint.replaceChildren();
  if (position.over || (walk.moves.length < walk.table.last && position.value !== "unknown")) return;
  const board = walk.table.board === "7x6" ? "" : ` --board ${walk.table.board}`;
  const unknown = position.value === "unknown";
  const moved = walk.moves.length ? writeGame() : unknown ? '""' : "";
  hint.append(
    unknown ? "Neither the store nor the book knows this position. To solve it: " : "The table ends here. To go on: ",
    make("code", {}, ["claimeven", unknown ? "solve" : "analyze", moved].filter(Boolean).join(" ") + board));
}

// The walk

function goTo(played) {
  if (played.length > walk.table.last || !canPlayAll(walk.table, played)) return;
  walk.moves = played;
  show();
}

const canPlayAll = (board, played) => played.every((column, ply) => canPlay(board, played.slice(0, ply), column));

// A press on a column; where the table ends nothing is played.
function press(column) {
  choose(column);
  goTo([...walk.moves, column]);
}

function show() {
  const [position, list] = infer(look(walk.moves), listMoves(look(walk.moves)));
  const best = findBest(position, list.filter((move) => move.known));
  const words = describe(position, list, best);
  byId("walker-value").textContent = showValue(position.value);
  byId("walker-value").dataset.value = position.value;
  const score = position.score === null || position.over ? "" : `, score ${showScore(position.score)}`;
  const source = position.source && !position.over ? `, decided by ${looks.sources[position.source]}` : "";
  byId("walker-turn").textContent = position.over ? "The game is over." : `${sideToMove(walk.moves.length)} to move${score}${source}`;
  byId("walker-picture").replaceChildren(drawPosition(position, words, isAtEnd(position) ? null : press));
  byId("walker-live").textContent = words;
  byId("walker-back").setAttribute("aria-disabled", String(!walk.moves.length));
  byId("walker-start").setAttribute("aria-disabled", String(!walk.moves.length));
  root.dataset.moves = walk.moves.join(",");
  if (location.hash !== addressOf() && (location.hash || walk.moves.length)) history.replaceState(null, "", addressOf());
  showColumns(position, list, best);
  showMoves(position, list, best);
  showPath();
  showHint(position);
  showProof(position);
}

function useTable(number) {
  walk.table = tables[number];
  walk.moves = [];
  root.dataset.board = walk.table.board;
  if (byId("walker-board")) byId("walker-board").value = String(number);
  makeColumns();
}

function step(direction) {
  const current = buttons().findIndex((button) => button.tabIndex === 0);
  choose((current + direction + walk.table.columns) % walk.table.columns);
}

const KEYS = {
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  ArrowDown: () => goTo([...walk.moves, buttons().findIndex((button) => button.tabIndex === 0)]),
  ArrowUp: () => goTo(walk.moves.slice(0, -1)),
  Backspace: () => goTo(walk.moves.slice(0, -1)),
  Home: () => goTo([]),
};

root.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
  const column = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : -1;
  const act = column >= 0 && column < walk.table.columns ? () => press(column) : KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
byId("walker-back").addEventListener("click", () => goTo(walk.moves.slice(0, -1)));
byId("walker-start").addEventListener("click", () => goTo([]));
if (byId("walker-board")) byId("walker-board").addEventListener("change", (event) => { useTable(Number(event.target.value)); show(); });

// Every position has an address of its own, as in #7x6:4455.

const addressOf = () => `#${walk.table.board}:${writeGame()}`;

function readAddress() {
  const [, board, text] = /^#([0-9x]+):([^:]*)$/.exec(decodeURIComponent(location.hash)) || [];
  const number = tables.findIndex((each) => each.board === board);
  if (number < 0) return null;
  const alphabet = tables[number].alphabet;
  const played = alphabet ? [...text].map((letter) => alphabet.indexOf(letter)) : text.split(",").filter(Boolean).map((each) => Number(each) - 1);
  return played.length <= tables[number].last && canPlayAll(tables[number], played) ? [number, played] : null;
}

function followAddress() {
  const found = readAddress();
  if (!found) return;
  useTable(found[0]);
  walk.moves = found[1];
  show();
  root.scrollIntoView({ block: "start" });
  choose(Math.floor(walk.table.columns / 2));
}

addEventListener("hashchange", followAddress);
// A link to where the page is already does not change the address.
for (const link of document.querySelectorAll(".jump"))
  link.addEventListener("click", () => { if (link.getAttribute("href") === location.hash) followAddress(); });

root.hidden = false;
useTable(0);
if (readAddress()) followAddress();
else show();
