// Set-up: any stones on any squares, which the server turns into a game that leads to them.

import { ask } from "./api.js";
import { byId, button } from "./elements.js";
import { squareName, stonesOf } from "./game.js";
import { show, shownMoves, state } from "./state.js";

const NEXT = { ".": "x", x: "o", o: "." };
const WORDS = { ".": "empty", x: "White", o: "Black" };
let cells = [];

function label(cell, column, row) {
  const name = squareName(column, row);
  cell.textContent = cell.dataset.stone === "." ? name : "";
  cell.setAttribute("aria-label", `${name}: ${WORDS[cell.dataset.stone]}`);
}

export function makeSetup(stones = stonesOf(state.board, shownMoves())) {
  const { columns, rows } = state.board;
  byId("setup").style.gridTemplateColumns = `repeat(${columns},minmax(0,1fr))`;
  cells = [];
  for (let row = rows - 1; row >= 0; row -= 1)
    for (let column = 0; column < columns; column += 1) {
      const cell = button("", () => {
        cell.dataset.stone = NEXT[cell.dataset.stone];
        label(cell, column, row);
      });
      cell.dataset.stone = stones[column][row] || ".";
      label(cell, column, row);
      cells.push(cell);
    }
  byId("setup").replaceChildren(...cells);
  byId("setup-words").hidden = true;
}

async function use() {
  const { columns, name } = state.board;
  const letters = cells.map((cell) => cell.dataset.stone);
  const rows = Array.from({ length: letters.length / columns }, (_, row) => letters.slice(row * columns, (row + 1) * columns).join(""));
  try {
    const read = await ask("/position", { pos: rows.join("\n"), board: name, notation: "board" });
    show(name, read.columns.map((column) => column - 1));
  } catch (error) {
    byId("setup-words").textContent = error.message;
    byId("setup-words").hidden = false;
  }
}

byId("setup-use").addEventListener("click", use);
byId("setup-clear").addEventListener("click", () => makeSetup(stonesOf(state.board, [])));
byId("setup-copy").addEventListener("click", () => makeSetup());
byId("setup-panel").addEventListener("toggle", () => { if (byId("setup-panel").open) makeSetup(); });
