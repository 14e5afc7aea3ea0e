// The value over the course of the game as a line, and where it turned.

import { verdictOf } from "./answers.js";
import { byId, button, draw, make } from "./elements.js";
import { sideToMove, squaresOf } from "./game.js";
import { fieldsAt, goTo, state } from "./state.js";
import { resultOf, writeScore } from "./words.js";

// On a telephone it is drawn narrower, as its text would else be too small.
const isNarrow = matchMedia("(max-width:30rem)");
const HEIGHT = 150, LEFT = 44, RIGHT = 12, TOP = 12, BOTTOM = 24;
const place = byId("curve");
let goToPoint = () => {};
const RESULTS = { 1: "White wins", 0: "a draw", "-1": "Black wins" };

// White’s score after so many moves, null where it is not known.
function scoreAt(ply) {
  const answer = verdictOf(fieldsAt(ply));
  if (!answer || answer.score === null) return null;
  return ply % 2 ? -answer.score || 0 : answer.score;
}

// The moves that gave away a win or a draw: [ply of the move, result before, result after].
export function findTurns() {
  const turns = [];
  for (let ply = 0; ply < state.moves.length; ply += 1) {
    const before = resultOf(verdictOf(fieldsAt(ply))), after = resultOf(verdictOf(fieldsAt(ply + 1)));
    if (before !== null && after !== null && before !== after) turns.push([ply, before, after]);
  }
  return turns;
}

export function drawCurve() {
  const width = isNarrow.matches ? 310 : 460;
  const number = state.moves.length;
  const most = Math.floor((state.board.columns * state.board.rows) / 2);
  const x = (ply) => LEFT + (width - LEFT - RIGHT) * (number ? ply / number : 0.5);
  // A win is far from a draw however late it comes; how soon it comes is the rest of the height.
  const y = (score) => {
    const height = (HEIGHT - TOP - BOTTOM) / 2;
    return TOP + height - Math.sign(score) * height * (score ? 0.3 + (0.7 * Math.abs(score)) / most : 0);
  };
  const scores = Array.from({ length: number + 1 }, (_, ply) => scoreAt(ply));
  const turns = findTurns();
  const svg = draw("svg", { class: "chart", viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": describe(scores, turns) });
  for (const [words, at] of [["White", y(most)], ["draw", y(0)], ["Black", y(-most)]])
    svg.append(draw("text", { x: 0, y: at + 4 }, words));
  svg.append(draw("line", { class: "zero", x1: LEFT, x2: width - RIGHT, y1: y(0), y2: y(0) }));
  svg.append(draw("line", { class: "now", x1: x(state.at), x2: x(state.at), y1: TOP - 6, y2: HEIGHT - BOTTOM + 6 }));
  let path = "";
  scores.forEach((score, ply) => { if (score !== null) path += `${path && scores[ply - 1] !== null ? "L" : "M"}${x(ply)} ${y(score)}`; });
  svg.append(draw("path", { class: "curve", d: path }));
  const step = Math.max(1, Math.ceil(number / (isNarrow.matches ? 9 : 14)));
  for (let ply = 0; ply <= number; ply += step) svg.append(draw("text", { x: x(ply), y: HEIGHT - 4, "text-anchor": "middle" }, ply));
  scores.forEach((score, ply) => {
    if (score === null) return;
    const turned = turns.some(([move]) => move + 1 === ply);
    const point = draw("circle", { class: `point${ply && ply % 2 === 0 ? " black" : ""}${turned ? " turn" : ""}`, cx: x(ply), cy: y(score), r: turned ? 5 : 3.5 },
      draw("title", {}, `after ${ply} moves: ${writeScore(score)} for White`));
    svg.append(point);
  });
  goToPoint = (point) => {
    const box = place.getBoundingClientRect();
    const at = ((point - box.left) / box.width) * width;
    goTo(Math.round(((at - LEFT) / (width - LEFT - RIGHT)) * number));
  };
  place.replaceChildren(svg);
  showTurns(turns);
}

// A press leads to a move, and dragging through all of them; each step draws the line anew, so its place listens.
place.addEventListener("pointerdown", (event) => {
  place.setPointerCapture(event.pointerId);
  goToPoint(event.clientX);
});
place.addEventListener("pointermove", (event) => {
  if (place.hasPointerCapture(event.pointerId)) goToPoint(event.clientX);
});
isNarrow.addEventListener("change", drawCurve);

function describe(scores, turns) {
  const known = scores.filter((score) => score !== null).length;
  return `The value after each of ${scores.length - 1} moves, of which ${known} are known; it turned ${turns.length} times.`;
}

function showTurns(turns) {
  const squares = squaresOf(state.board, state.moves);
  byId("turns").replaceChildren(...turns.map(([ply, before, after]) => make("li", {},
    button(`Move ${ply + 1}, ${sideToMove(ply)} ${squares[ply]}`, () => goTo(ply)), `: ${RESULTS[before]} before it, ${RESULTS[after]} after it`)));
}
