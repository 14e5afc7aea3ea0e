// The board as all pictures of the project draw it, with digits or with a proof on its empty squares.

import { draw, parseSvg } from "./elements.js";
import { columnOf, data, H, mirrorSquare, nameOf, NAMES, OURS, playable, W, whoMoves } from "./stones.js";

export const HUES = 6;

function placeOf(svg, square) {
  const cell = svg.querySelector(`[data-square="${nameOf(square)}"]`);
  const [x, y, size] = ["x", "y", "width"].map((name) => Number(cell.getAttribute(name)));
  return { x, y, size, cx: x + size / 2, cy: y + size / 2 };
}

function putDigits(svg, state) {
  const open = playable(state.cells);
  [...state.cells].forEach((stone, square) => {
    const seen = state.leaf.mirrored ? mirrorSquare(square) : square;
    const digit = state.leaf.digits[H - 1 - (seen % H)][columnOf(seen)];
    if (stone !== "." || digit === ".") return;
    const { x, y, size, cx, cy } = placeOf(svg, square);
    const box = { x: x + 2, y: y + 2, width: size - 4, height: size - 4, rx: 4 };
    svg.append(draw("rect", { class: "level", ...box, style: `fill-opacity:${(0.42 * (1 - digit / 9)).toFixed(2)}` }));
    if (open.includes(square)) svg.append(draw("rect", { class: "playable", ...box }));
    svg.append(draw("text", { class: "digit", x: cx, y: cy + 5 }, digit));
  });
}

// The squares of a proof that are still empty, one solution more than the others; its groups are crossed out.
function putProof(svg, state, alone) {
  const { proof, mirrored } = state.leaf;
  const turn = mirrored ? mirrorSquare : (square) => square;
  const ours = OURS.toUpperCase();
  if (alone !== null)
    for (const group of proof.solutions[alone].kills) {
      const ends = [placeOf(svg, turn(group[0])), placeOf(svg, turn(group[group.length - 1]))];
      svg.append(draw("g", { class: `hue${alone % HUES}` }, draw("line", { class: "killed", x1: ends[0].cx, y1: ends[0].cy, x2: ends[1].cx, y2: ends[1].cy })));
    }
  [...proof.marks].forEach((mark, square) => {
    if (state.cells[turn(square)] !== ".") return;
    const { x, y, size, cx, cy } = placeOf(svg, turn(square));
    if (mark === "!") svg.append(draw("circle", { class: "threat", cx, cy, r: size * 0.37 }), draw("text", { class: "danger", x: cx, y: cy + 5.5 }, "!"));
    if (mark === ":") svg.append(draw("text", { class: "label muted", x: cx, y: cy + 4 }, ":"));
    const users = proof.solutions.flatMap((solution, number) => (solution.squares.includes(square) ? [number] : []));
    const kind = mark === ours ? "ours" : mark === "=" ? "shared" : "theirs";
    const width = (size - 4) / users.length, isFaint = alone !== null && !users.includes(alone);
    users.forEach((number, part) => {
      const left = x + 2 + part * width, letter = Math.min(14, (width - 2) / (0.8 * data.labels[number].length));
      svg.append(draw("g", { class: `hue${number % HUES}${isFaint ? " faint" : ""}` },
        draw("rect", { class: kind === "ours" || users.length === 1 ? kind : "part", x: left, y: y + 2, width, height: size - 4, rx: 4 }),
        draw("text", { class: kind === "ours" ? "tag" : "label", x: left + width / 2, y: cy + letter * 0.36, style: `font-size:${letter}px` }, data.labels[number])));
    });
    if (users.length > 1 && kind !== "ours") svg.append(draw("rect", { class: `${kind}${isFaint ? " faint" : ""}`, x: x + 2, y: y + 2, width: size - 4, height: size - 4, rx: 4 }));
  });
}

function describeBoard(state) {
  const squares = (stone) => [...state.cells].flatMap((each, square) => (each === stone ? [nameOf(square)] : []));
  const stones = Object.entries(NAMES).map(([stone, name]) => `${name} ${squares(stone).join(" ") || "none"}`);
  return `A ${data.board} board, ${stones.join(", ")}; ${state.end || `${NAMES[whoMoves(state.cells)]} is to move`}.`;
}

export function drawState(state, alone) {
  const svg = parseSvg(data.picture);
  svg.querySelector("title").textContent = describeBoard(state);
  for (const name of ["width", "height"]) svg.removeAttribute(name);
  [...state.cells].forEach((stone, square) => {
    if (stone === ".") return;
    const { cx, cy, size } = placeOf(svg, square);
    const circle = draw("circle", { class: stone === "x" ? "white-stone" : "black-stone", cx, cy, r: size * 0.42 });
    circle.dataset.on = nameOf(square);
    svg.append(circle);
  });
  if (state.leaf && !state.isOver) (state.leaf.digits ? putDigits : (...both) => putProof(...both, alone))(svg, state);
  for (const [square, kind] of [[state.lastOf, "yours"], [state.ours, "ring"]])
    if (square !== null) {
      const { cx, cy, size } = placeOf(svg, square);
      svg.append(kind === "ring" ? draw("circle", { class: "ring", cx, cy, r: size * 0.42 })
        : draw("circle", { class: OURS === "x" ? "white-stone" : "black-stone", cx, cy, r: size * 0.1 }));
    }
  return svg;
}

// Where the columns lie in the picture, in parts of its width.
export function measureColumns(svg) {
  const width = Number(svg.getAttribute("viewBox").split(" ")[2]);
  return Array.from({ length: W }, (_, column) => {
    const { x, size } = placeOf(svg, column * H);
    return [x / width, (x + size) / width];
  });
}
