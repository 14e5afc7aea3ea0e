// What the tables of the page know of positions: reports/page/opening_table.py wrote them, `query` would say the same.

import { byId } from "./elements.js";
import { isOver, isWon, squareName, stonesOf } from "./game.js";

const VALUES = { w: "white", d: "draw", b: "black", n: "not-white", m: "not-black", u: "unknown" };
const SOURCES = { r: "rules", s: "search", g: "retrograde", t: "terminal", i: "import", b: "book" };
// Bounds on White’s result: the least and the greatest.
const BOUNDS = { white: [1, 1], draw: [0, 0], black: [-1, -1], "not-white": [-1, 0], "not-black": [0, 1], unknown: [-1, 1] };

export const looks = JSON.parse(byId("walker-looks").textContent);
export const tables = [...document.querySelectorAll(".walker-data")].map((each) => JSON.parse(each.textContent));

// Where the walk is. A table has the fields of a board.
export const walk = { table: tables[0], moves: [] };

// White’s stones and a guard on top of each column, as Position.key; of two mirror images the lesser number.
function keyOf(stones) {
  const parts = stones.map((column) => BigInt(column.reduce((bits, stone, row) => bits + (stone === "x" ? 2 ** row : 0), 2 ** column.length)));
  const stride = BigInt(walk.table.rows + 1);
  const join = (columns) => columns.reduceRight((key, part) => (key << stride) | part, 0n);
  const key = join(parts);
  const mirrored = join([...parts].reverse());
  return mirrored < key ? [mirrored.toString(16), true] : [key.toString(16), false];
}

export function look(played) {
  const { table } = walk;
  const stones = stonesOf(table, played);
  if (isOver(table, played)) {
    const value = isWon(table, played) ? (played.length % 2 ? "white" : "black") : "draw";
    const score = value === "draw" ? 0 : -Math.floor((table.columns * table.rows + 2 - played.length) / 2);
    return { stones, over: true, value, source: "terminal", score, key: null };
  }
  const [key, mirrored] = keyOf(stones);
  const code = table.positions[key];
  if (!code) return { stones, over: false, value: "unknown", source: null, score: null, key, mirrored };
  const score = code.length > 2 ? Number(code.slice(2)) : null;
  return { stones, over: false, value: VALUES[code[0]], source: SOURCES[code[1]] || null, score, key, mirrored };
}

export const isAtEnd = (position) => position.over || walk.moves.length >= walk.table.last;

// The legal moves with the positions after them; beyond the table only the end of a game is known.
export function listMoves(position) {
  if (position.over) return [];
  return position.stones.flatMap((stones, column) => {
    if (stones.length === walk.table.rows) return [];
    const after = look([...walk.moves, column]);
    return [{ column, square: squareName(column, stones.length), after, known: after.over || walk.moves.length < walk.table.last }];
  });
}

const nameOf = ([least, greatest]) => Object.keys(BOUNDS).find((name) => BOUNDS[name][0] === least && BOUNDS[name][1] === greatest);

function limit(after, [least, greatest]) {
  const value = nameOf([Math.max(BOUNDS[after.value][0], least), Math.min(BOUNDS[after.value][1], greatest)]);
  if (!value || value === after.value) return after;
  return { ...after, value, source: "retrograde", score: value === "draw" ? 0 : after.score };
}

// What a position and its moves say of each other: a position is worth its best move, and no move is worth more than
// its position; so something may be known of moves beyond the table too.
export function infer(position, list) {
  if (position.over || !list.length) return [position, list];
  const white = walk.moves.length % 2 === 0;
  const choose = white ? Math.max : Math.min;
  let known = limit(position, [0, 1].map((end) => choose(...list.map((move) => BOUNDS[move.after.value][end]))));
  const scores = list.map((move) => move.after.score);
  if (known.score === null && scores.every((score) => score !== null)) known = { ...known, score: Math.max(...scores.map((score) => -score || 0)), source: "retrograde" };
  const [least, greatest] = BOUNDS[known.value];
  const most = white ? [-1, greatest] : [least, 1];
  return [known, list.map((move) => {
    const after = limit(move.after, most);
    return { ...move, after, known: move.known || after.value !== "unknown" };
  })];
}

// As good as any: by score where a move is known to reach the position’s, else by value.
export function findBest(position, list) {
  if (position.score !== null) {
    const reaching = list.filter((move) => move.after.score !== null && -move.after.score === position.score);
    if (reaching.length) return new Set(reaching.map((move) => move.column));
  }
  const white = walk.moves.length % 2 === 0;
  const best = BOUNDS[position.value][white ? 1 : 0];
  // Without scores nothing tells which move of a lost position resists longest.
  if (best === (white ? -1 : 1)) return new Set();
  return new Set(list.filter((move) => BOUNDS[move.after.value][white ? 0 : 1] === best).map((move) => move.column));
}
