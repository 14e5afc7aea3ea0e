// A game against the solution: states of it, each with the position after the answer and what decided the answer.

import { columnOf, completes, data, H, mirrorCells, mirrorSquare, OURS, playable, put, squareIn, US, W, whoMoves, YOU, YOURS } from "./stones.js";
import { dutiesAfter, replyByRules } from "./duties.js";

const byCells = new Map();
data.nodes.forEach((node, number) => {
  node.number = number;
  byCells.set(node.cells, { node, mirrored: false });
});
for (const node of data.nodes) if (!byCells.has(mirrorCells(node.cells))) byCells.set(mirrorCells(node.cells), { node, mirrored: true });

const SIDES = { true: mirrorSquare, false: (square) => square };

// By digits, on the board as they were made for: complete a line, stop one, else the lowest digit that stands alone.
function chooseByDigits(cells, rows) {
  const open = playable(cells);
  for (const [stone, why] of [[OURS, "it completes a line"], [YOURS, `${YOU} would complete a line there`]]) {
    const square = open.find((each) => completes(cells, each, stone));
    if (square !== undefined) return { square, why };
  }
  for (let level = 0; level < 10; level += 1) {
    const those = open.filter((square) => rows[H - 1 - (square % H)][columnOf(square)] === String(level));
    if (those.length === 1) return { square: those[0], why: `no other playable square carries a ${level}` };
  }
  return null;
}

// What is played in a state where we are to move: the square, the reason, and the leaf and node that decide.
function choose({ cells, leaf, lastOf }) {
  if (leaf) {
    const turn = SIDES[leaf.mirrored], seen = leaf.mirrored ? mirrorCells(cells) : cells;
    const chosen = leaf.digits ? chooseByDigits(seen, leaf.digits) : replyByRules(seen, leaf.duties, leaf.proof.reluctant, turn(lastOf));
    return chosen && { leaf, node: null, square: turn(chosen.square), why: chosen.why };
  }
  const found = byCells.get(cells);
  if (!found) {
    const square = playable(cells).find((each) => completes(cells, each, OURS));
    return square === undefined ? null : { leaf: null, node: null, square, why: "it completes a line" };
  }
  const { node, mirrored } = found;
  if (node.diagram !== undefined) {
    const reached = { node, mirrored: mirrored !== node.mirrored, number: node.diagram, digits: data.diagrams[node.diagram] };
    return { ...choose({ cells, leaf: reached }), node };
  }
  const square = squareIn(cells, mirrored ? W - 1 - node.column : node.column);
  if (!node.proof) return { leaf: null, node, square, why: "a move of the graph" };
  return { leaf: { node, mirrored, proof: node.proof, duties: null }, node, square, why: "the nine rules prove what follows" };
}

// What is left of the duties of a proof after the opponent's move, if there was one, and ours.
function keepDuties(leaf, theirs, ours) {
  if (!leaf || !leaf.proof) return leaf;
  if (!leaf.duties) return { ...leaf, duties: leaf.proof.duties };
  const turn = SIDES[leaf.mirrored];
  return { ...leaf, duties: dutiesAfter(dutiesAfter(leaf.duties, turn(theirs), false), turn(ours), true) };
}

function answer(state) {
  const chosen = choose(state);
  if (!chosen || chosen.square === undefined) return { ...state, isOver: true, end: "The solution says nothing here", why: "" };
  const { square, why, node } = chosen;
  const cells = put(state.cells, square, OURS);
  const end = completes(state.cells, square, OURS) ? `${US} has won` : cells.includes(".") ? null : "A draw: the board is full";
  return { ...state, cells, why, end, node, isOver: end !== null, ours: square, leaf: keepDuties(chosen.leaf, state.lastOf, square), moves: [...state.moves, square] };
}

export function begin(cells = data.root) {
  const state = { cells, moves: [], lastOf: null, ours: null, node: null, leaf: null, isOver: false, end: null, why: "" };
  return whoMoves(cells) === OURS ? answer(state) : state;
}

// The state after a move of the opponent's and the answer, or null where that column cannot be played.
export function playOn(state, column) {
  const square = state.isOver ? -1 : squareIn(state.cells, column);
  if (square < 0) return null;
  const cells = put(state.cells, square, YOURS);
  const next = { ...state, cells, lastOf: square, ours: null, node: null, why: "", moves: [...state.moves, square] };
  if (completes(state.cells, square, YOURS)) return { ...next, isOver: true, end: `${YOU} has won: the solution is false` };
  return cells.includes(".") ? answer(next) : { ...next, isOver: true, end: "A draw: the board is full" };
}

// The states of a game given by the columns of both sides, as far as the solution plays along.
export function replay(columns) {
  const states = [begin()];
  for (;;) {
    const state = states[states.length - 1], played = state.moves.map(columnOf);
    if (played.some((column, ply) => ply < columns.length && column !== columns[ply])) return states.slice(0, -1);
    const next = played.length < columns.length ? playOn(state, columns[played.length]) : null;
    if (!next) return states;
    states.push(next);
  }
}

// The states that lead to a node, or where its own moves are not those of the solution, the node alone.
export function leadTo(node) {
  const columns = [...node.moves.slice(data.rootMoves.length)].map((letter) => parseInt(letter, 36) - 1);
  const states = W > 9 ? [] : replay(columns);
  return states.length && states[states.length - 1].node === node ? states : [begin(node.cells)];
}
