// Positions as strings of .xo, square by square: column after column, from the bottom.

import { byId } from "./elements.js";
import { squareName } from "./game.js";

export const data = JSON.parse(byId("data").textContent);
export const W = data.columns, H = data.rows, OURS = data.controller, YOURS = OURS === "x" ? "o" : "x";
export const NAMES = { x: "White", o: "Black" };
export const US = NAMES[OURS], YOU = NAMES[YOURS];

export const mirrorCells = (cells) => Array.from({ length: W }, (_, column) => cells.slice((W - 1 - column) * H, (W - column) * H)).join("");
export const mirrorSquare = (square) => (W - 1 - Math.floor(square / H)) * H + (square % H);
export const columnOf = (square) => Math.floor(square / H);
export const nameOf = (square) => squareName(columnOf(square), square % H);
export const whoMoves = (cells) => (cells.replace(/\./g, "").length % 2 ? "o" : "x");
export const put = (cells, square, stone) => cells.slice(0, square) + stone + cells.slice(square + 1);

// The square that a stone falls to, or -1.
export function squareIn(cells, column) {
  const row = cells.slice(column * H, (column + 1) * H).indexOf(".");
  return row < 0 ? -1 : column * H + row;
}

// The squares that can be played, from the left.
export const playable = (cells) => Array.from({ length: W }, (_, column) => squareIn(cells, column)).filter((square) => square >= 0);

// Whether a stone on a square completes a line.
export function completes(cells, square, stone) {
  const column = columnOf(square), row = square % H;
  const isThere = (x, y) => x >= 0 && x < W && y >= 0 && y < H && cells[x * H + y] === stone;
  return [[0, 1], [1, 0], [1, 1], [1, -1]].some(([right, up]) => {
    let number = 1;
    for (const way of [1, -1]) for (let step = 1; isThere(column + way * step * right, row + way * step * up); step += 1) number += 1;
    return number >= data.connect;
  });
}
