// Pictures of positions: the empty board as `claimeven board` draws it is in the page, and stones are put onto it.

import { draw, parseSvg } from "./elements.js";
import { squareName } from "./game.js";
import { walk } from "./lookup.js";

export function drawStones(position, label) {
  const svg = parseSvg(walk.table.picture);
  svg.classList.add("board");
  svg.setAttribute("aria-label", label);
  svg.querySelector("title").remove();
  position.stones.forEach((stones, column) => stones.forEach((stone, row) => {
    const { cx, cy, r } = placeOf(svg, column, row);
    svg.append(draw("circle", { class: stone === "x" ? "white-stone" : "black-stone", cx, cy, r }));
  }));
  return svg;
}

export function placeOf(svg, column, row) {
  const cell = svg.querySelector(`[data-square="${squareName(column, row)}"]`);
  const [x, y, size] = ["x", "y", "width"].map((name) => Number(cell.getAttribute(name)));
  return { cx: x + size / 2, cy: y + size / 2, r: size * 0.42, x, y, size };
}

// What server and report draw for the one of two mirror images, turned round for the other; letters stay as they are.
export function mirror(svg, marks) {
  const [left, right] = [placeOf(svg, 0, 0), placeOf(svg, walk.table.columns - 1, 0)];
  const width = left.x + right.x + right.size;
  for (const element of marks.querySelectorAll("*")) {
    const room = Number(element.getAttribute("width") || 0);
    for (const name of ["x", "cx"])
      if (element.hasAttribute(name)) element.setAttribute(name, width - Number(element.getAttribute(name)) - room);
  }
}

// The board to play on: a press on a column calls `play`.
export function drawPosition(position, label, play) {
  const svg = drawStones(position, label);
  const { table, moves } = walk;
  if (moves.length) {
    const column = moves[moves.length - 1];
    const { cx, cy, r } = placeOf(svg, column, position.stones[column].length - 1);
    svg.append(draw("circle", { class: "last", cx, cy, r }));
  }
  for (let column = 0; play && column < table.columns; column += 1) {
    const [{ x, y, size }, bottom] = [placeOf(svg, column, table.rows - 1), placeOf(svg, column, 0)];
    const target = draw("rect", { class: "target", x, y, width: size, height: bottom.y + size - y, rx: 5 });
    target.addEventListener("click", () => play(column));
    svg.append(target);
  }
  return svg;
}
