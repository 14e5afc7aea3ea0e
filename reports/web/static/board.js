// The board: the picture that the server draws, and a button with the score under every column.

import { askText } from "./api.js";
import { byId, draw, make, parseSvg } from "./elements.js";
import { canPlay, isOver, squareName, stonesOf } from "./game.js";
import { play, shownFields, shownMoves, state } from "./state.js";
import { kindOf, tellBound, tellScore, writeScore } from "./words.js";

const picture = byId("picture");
const columns = byId("columns");
const view = { threats: false, proof: false, solution: 0, digits: false, line: [] };
let asked = null;

export const shown = view;

// Where each column lies in the picture, in parts of its width.
let places = [];

export async function drawBoard(changes = {}) {
  Object.assign(view, changes);
  if (asked) asked.abort();
  const mine = (asked = new AbortController());
  const fields = { ...shownFields() };
  if (view.threats) fields.threats = 1;
  if (view.proof) fields.proof = 1;
  if (view.proof && view.solution) fields.solution = view.solution;
  if (view.digits) fields.digits = 1;
  if (view.line.length) fields.line = view.line.join(state.board.columns > 9 ? "," : "");
  byId("svg-link").href = `/board?${new URLSearchParams({ ...fields, key: 1 })}`;
  let text;
  try {
    text = await askText("/board", fields, mine.signal);
  } catch (error) {
    if (error.name === "AbortError") return;
    throw error;
  }
  if (mine !== asked) return;
  const svg = parseSvg(text);
  for (const name of ["width", "height"]) svg.removeAttribute(name);
  measure(svg);
  picture.replaceChildren(svg);
  picture.classList.toggle("over", isOver(state.board, shownMoves()));
  picture.dataset.moves = fields.pos;
}

function measure(svg) {
  const [, , width] = svg.getAttribute("viewBox").split(" ").map(Number);
  const cells = Array.from({ length: state.board.columns }, (_, column) => svg.querySelector(`[data-square="${squareName(column, 0)}"]`));
  const top = svg.querySelector(`[data-square="${squareName(0, state.board.rows - 1)}"]`);
  places = cells.map((cell) => [Number(cell.getAttribute("x")) / width, (Number(cell.getAttribute("x")) + Number(cell.getAttribute("width"))) / width]);
  // Not in per cent, which would be of the column of the page and not of the board.
  columns.style.paddingLeft = `calc(var(--board-width) * ${places[0][0]})`;
  columns.style.paddingRight = `calc(var(--board-width) * ${1 - places[places.length - 1][1]})`;
  const height = Number(cells[0].getAttribute("y")) + Number(cells[0].getAttribute("height")) - Number(top.getAttribute("y"));
  cells.forEach((cell, column) => {
    const ground = draw("rect", { class: "ground", x: cell.getAttribute("x"), width: cell.getAttribute("width"), y: top.getAttribute("y"), height, rx: 5 });
    ground.dataset.column = column;
    svg.append(ground);
  });
}

function columnAt(event) {
  const box = picture.getBoundingClientRect();
  const x = (event.clientX - box.left) / box.width;
  return places.findIndex(([left, right]) => x >= left - 0.005 && x <= right + 0.005);
}

export function highlight(column) {
  for (const ground of picture.querySelectorAll(".ground"))
    ground.classList.toggle("on", Number(ground.dataset.column) === column && canPlay(state.board, shownMoves(), column));
}

picture.addEventListener("click", (event) => play(columnAt(event)));
picture.addEventListener("pointermove", (event) => highlight(columnAt(event)));
picture.addEventListener("pointerleave", () => highlight(-1));

export function makeColumns() {
  columns.classList.toggle("many", state.board.columns > 8);
  columns.replaceChildren(
    ...Array.from({ length: state.board.columns }, (_, column) => {
      const button = make("button", { type: "button" });
      button.addEventListener("click", () => play(column));
      for (const event of ["pointerenter", "focus"]) button.addEventListener(event, () => highlight(column));
      for (const event of ["pointerleave", "blur"]) button.addEventListener(event, () => highlight(-1));
      return button;
    }),
  );
}

// The moves of an answer in the words that stand under the columns.
export function tellMove(child, ply) {
  const cells = state.board.columns * state.board.rows;
  return child.score === null ? tellBound(child.value, ply) : tellScore(cells, ply, child.score);
}

export function showScores(answer) {
  const ply = state.at;
  const stones = stonesOf(state.board, shownMoves());
  [...columns.children].forEach((button, column) => {
    const mayPlay = canPlay(state.board, shownMoves(), column);
    const child = answer && answer.children && answer.children.find((each) => each.column === column + 1);
    const isBest = Boolean(answer && answer.best_moves && answer.best_moves.includes(column + 1));
    const words = child ? tellMove(child, ply) : "";
    button.setAttribute("aria-disabled", String(!mayPlay));
    button.dataset.kind = mayPlay ? kindOf(words) : "";
    button.classList.toggle("best", isBest);
    const [verb, ...rest] = words.split(" ");
    button.replaceChildren(
      make("b", {}, mayPlay ? (child ? writeScore(child.score) : "…") : "–"),
      make("span", {}, verb), make("span", {}, rest.join(" ")),
      make("span", { class: "star" }, ...(isBest ? ["★", make("span", { class: "long" }, " best")] : [])));
    const square = mayPlay ? `, ${squareName(column, stones[column].length)}` : "";
    const score = child && child.score !== null ? `, score ${writeScore(child.score)}` : "";
    const told = mayPlay ? `${words || "not known yet"}${score}${isBest ? ", best" : ""}` : "not playable";
    button.setAttribute("aria-label", `Column ${column + 1}${square}: ${told}`);
  });
}
