"use strict";
// The opening table: a walk through the positions that reports/opening_table.py wrote into the page.
(() => {
  const root = document.getElementById("walker");
  if (!root) return;
  const byId = (id) => document.getElementById(id);
  const looks = JSON.parse(byId("walker-looks").textContent);
  const tables = [...document.querySelectorAll(".walker-data")].map((each) => JSON.parse(each.textContent));
  const VALUES = { w: "white", d: "draw", b: "black", n: "not-white", m: "not-black", u: "unknown" };
  const SOURCES = { r: "rules", s: "search", g: "retrograde", t: "terminal", i: "import", b: "book" };
  // Bounds on White's result: the least and the greatest.
  const BOUNDS = { white: [1, 1], draw: [0, 0], black: [-1, -1], "not-white": [-1, 0], "not-black": [0, 1], unknown: [-1, 1] };
  let table = tables[0];
  let moves = [];

  // The game

  const sideToMove = (ply) => (ply % 2 ? "Black" : "White");
  const columnName = (column) => (column < 26 ? String.fromCharCode(97 + column) : columnName(Math.floor(column / 26) - 1) + columnName(column % 26));
  const squareName = (column, row) => columnName(column) + (row + 1);

  function play(played) {
    const stones = Array.from({ length: table.columns }, () => []);
    played.forEach((column, ply) => stones[column].push(ply % 2 ? "o" : "x"));
    return stones;
  }

  function isOver(stones, played) {
    if (!played.length) return null;
    const column = played[played.length - 1];
    const row = stones[column].length - 1;
    const stone = stones[column][row];
    const reach = (right, up) => {
      let number = 0;
      while ((stones[column + (number + 1) * right] || [])[row + (number + 1) * up] === stone) number += 1;
      return number;
    };
    const hasLine = [[1, 0], [0, 1], [1, 1], [1, -1]].some(([right, up]) => reach(right, up) + reach(-right, -up) + 1 >= table.connect);
    if (hasLine) return stone === "x" ? "white" : "black";
    return played.length === table.columns * table.rows ? "draw" : null;
  }

  // White's stones and a guard on top of each column, as Position.key; of two mirror images the lesser number.
  function keyOf(stones) {
    const parts = stones.map((column) => BigInt(column.reduce((bits, stone, row) => bits + (stone === "x" ? 2 ** row : 0), 2 ** column.length)));
    const stride = BigInt(table.rows + 1);
    const join = (columns) => columns.reduceRight((key, part) => (key << stride) | part, 0n);
    const key = join(parts);
    const mirrored = join([...parts].reverse());
    return mirrored < key ? [mirrored.toString(16), true] : [key.toString(16), false];
  }

  function look(played) {
    const stones = play(played);
    const end = isOver(stones, played);
    if (end) {
      const score = end === "draw" ? 0 : -Math.floor((table.columns * table.rows + 2 - played.length) / 2);
      return { stones, over: true, value: end, source: "terminal", score, key: null };
    }
    const [key, mirrored] = keyOf(stones);
    const code = table.positions[key];
    if (!code) return { stones, over: false, value: "unknown", source: null, score: null, key, mirrored };
    const score = code.length > 2 ? Number(code.slice(2)) : null;
    return { stones, over: false, value: VALUES[code[0]], source: SOURCES[code[1]] || null, score, key, mirrored };
  }

  const isAtEnd = (position) => position.over || moves.length >= table.last;

  function listMoves(position) {
    if (position.over) return [];
    return position.stones.flatMap((column, number) => {
      if (column.length === table.rows) return [];
      const square = squareName(number, column.length);
      if (moves.length < table.last) return [{ column: number, square, after: look([...moves, number]), known: true }];
      const after = look([...moves, number]);
      return [{ column: number, square, after, known: after.over }];
    });
  }

  // As good as any: by score where a move is known to reach the position's, else by value.
  function findBest(position, list) {
    if (position.score !== null) {
      const reaching = list.filter((move) => move.after.score !== null && -move.after.score === position.score);
      if (reaching.length) return new Set(reaching.map((move) => move.column));
    }
    const white = moves.length % 2 === 0;
    const best = BOUNDS[position.value][white ? 1 : 0];
    return new Set(list.filter((move) => BOUNDS[move.after.value][white ? 0 : 1] === best).map((move) => move.column));
  }

  // Words

  const showValue = (value) => looks.values[value][0];
  const showScore = (score) => (score === null ? "" : score > 0 ? `+${score}` : `${score}`.replace("-", "−"));

  function writeMoves(played) {
    return table.alphabet ? played.map((column) => table.alphabet[column]).join("") : played.map((column) => column + 1).join(",");
  }

  function squaresOf(played) {
    const heights = new Array(table.columns).fill(0);
    return played.map((column) => squareName(column, heights[column]++));
  }

  function describe(position, list, best) {
    const squares = squaresOf(moves);
    const where = squares.length ? `After ${squares.join(", ")}: ` : "The start: ";
    const value = showValue(position.value);
    if (position.over) return `${where}the game is over, ${value}.`;
    const score = position.score === null ? "" : `, score ${showScore(position.score)} for ${sideToMove(moves.length)}`;
    const good = list.filter((move) => best.has(move.column)).map((move) => `${move.column + 1} (${move.square})`);
    const advice = good.length && !isAtEnd(position) ? ` Best: ${good.join(", ")}.` : "";
    return `${where}${sideToMove(moves.length)} to move, ${value}${score}.${advice}`;
  }

  // Elements

  function make(tag, fields = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(fields)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  function draw(tag, fields, text) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(fields)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
  }

  const CELL = 40;

  function drawFrame(label) {
    const width = table.columns * CELL, height = table.rows * CELL;
    const svg = draw("svg", { class: "board", viewBox: `-18 0 ${width + 18} ${height + 18}`, role: "img", "aria-label": label });
    for (let column = 0; column < table.columns; column += 1)
      svg.append(draw("text", { class: "axis", x: (column + 0.5) * CELL, y: height + 13 }, columnName(column)));
    for (let row = 0; row < table.rows; row += 1)
      svg.append(draw("text", { class: "axis", x: -9, y: (table.rows - row - 0.5) * CELL + 4 }, row + 1));
    return svg;
  }

  const centre = (column, row) => ({ cx: (column + 0.5) * CELL, cy: (table.rows - row - 0.5) * CELL });

  function drawPosition(position, label) {
    const width = table.columns * CELL, height = table.rows * CELL;
    const svg = draw("svg", { class: "board", viewBox: `0 0 ${width} ${height + 18}`, role: "img", "aria-label": label });
    svg.append(draw("rect", { class: "frame", width, height, rx: 10 }));
    position.stones.forEach((stones, column) => {
      for (let row = 0; row < table.rows; row += 1) {
        const kind = { x: "white-stone", o: "black-stone" }[stones[row]] || "hole";
        svg.append(draw("circle", { class: kind, ...centre(column, row), r: CELL * 0.41 }));
      }
      svg.append(draw("text", { class: "axis", x: (column + 0.5) * CELL, y: height + 13 }, columnName(column)));
    });
    if (moves.length) {
      const column = moves[moves.length - 1];
      svg.append(draw("circle", { class: "last", ...centre(column, position.stones[column].length - 1), r: CELL * 0.41 }));
    }
    if (!isAtEnd(position))
      for (let column = 0; column < table.columns; column += 1) {
        const target = draw("rect", { class: "target", x: column * CELL, width: CELL, height });
        target.addEventListener("click", () => { choose(column); goTo([...moves, column]); });
        svg.append(target);
      }
    return svg;
  }

  // Columns

  const buttons = () => [...byId("walker-columns").children];

  function choose(column) {
    buttons().forEach((button, number) => { button.tabIndex = number === column ? 0 : -1; });
    buttons()[column].focus();
  }

  function makeColumns() {
    const columns = byId("walker-columns");
    columns.replaceChildren();
    for (let column = 0; column < table.columns; column += 1) {
      const button = make("button", { type: "button", tabindex: column === Math.floor(table.columns / 2) ? 0 : -1 });
      button.addEventListener("click", () => { choose(column); goTo([...moves, column]); });
      columns.append(button);
    }
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
    const squares = squaresOf(moves);
    const steps = ["start", ...squares.map((square, ply) => (ply % 2 ? square : `${ply / 2 + 1}. ${square}`))];
    byId("walker-path").replaceChildren(...steps.map((text, ply) => {
      const button = make("button", { type: "button", ...(ply === moves.length ? { "aria-current": "step" } : {}) }, text);
      button.addEventListener("click", () => goTo(moves.slice(0, ply)));
      return make("li", {}, button);
    }));
  }

  function showHint(position) {
    const hint = byId("walker-hint");
    hint.replaceChildren();
    if (position.over || (moves.length < table.last && position.value !== "unknown")) return;
    const board = table.board === "7x6" ? "" : ` --board ${table.board}`;
    const unknown = position.value === "unknown";
    const moved = moves.length ? writeMoves(moves) : unknown ? '""' : "";
    hint.append(
      unknown ? "The store does not know this position. To solve it: " : "The table ends here. To go on: ",
      make("code", {}, ["claimeven", unknown ? "solve" : "query", moved].filter(Boolean).join(" ") + board));
  }

  // Proofs

  // Names of squares and columns, seen from behind the board.
  function mirrorNames(text) {
    const mirror = (name) => columnName(table.columns - 1 - [...name].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 96, 0) + 1);
    return text
      .replace(/\b([a-z]{1,2})(\d+)\b/g, (all, column, row) => mirror(column) + row)
      .replace(/\b(columns? )([a-z]{1,2})( and )?([a-z]{1,2})?(?=[,:.])/g, (all, word, one, and, two) => word + (two ? mirror(two) + and + mirror(one) : mirror(one)));
  }

  function drawProof(title, marks, text) {
    const svg = drawFrame(title);
    const cells = new Map();
    for (let column = 0; column < table.columns; column += 1)
      for (let row = 0; row < table.rows; row += 1) {
        const name = squareName(column, row), mark = marks(column, row);
        const kind = mark.ours ? "cell ours" : mark.mark === "!" ? "cell threat" : "cell";
        const cell = draw("rect", { class: kind, x: column * CELL + 1, y: (table.rows - row - 1) * CELL + 1, width: CELL - 2, height: CELL - 2, rx: 4 });
        cells.set(name, cell);
        svg.append(cell, ...drawMark(mark.mark, centre(column, row), text ? text.get(name) : undefined));
      }
    return [svg, cells];
  }

  function drawMark(mark, { cx, cy }, label) {
    if (mark === "x" || mark === "o") return [draw("circle", { class: mark === "x" ? "white-stone" : "black-stone", cx, cy, r: CELL * 0.38 })];
    if (label !== undefined) {
      const size = Math.min(17, (CELL - 6) / (0.62 * label.length));
      return [draw("text", { class: "mark", x: cx, y: cy + size * 0.35, "font-size": size }, label)];
    }
    if (mark === "X" || mark === "O") return [draw("circle", { class: `promise ${mark === "X" ? "white-stone" : "black-stone"}`, cx, cy, r: CELL * 0.2 })];
    return [draw("text", { class: "mark", x: cx, y: cy + 5, "font-size": 15 }, mark === "." ? "·" : mark)];
  }

  function showProof(position) {
    const place = byId("walker-proof");
    const proof = position.key === null ? undefined : table.proofs[position.key];
    place.hidden = !proof;
    place.replaceChildren();
    if (!proof) return;
    const turn = position.mirrored ? mirrorNames : (text) => text;
    const ours = proof.controller === "white" ? "X" : "O";
    const marks = (column, row) => {
      const from = position.mirrored ? table.columns - 1 - column : column;
      const mark = proof.marks[from * table.rows + row];
      return { mark, ours: mark === ours };
    };
    const solutions = proof.sentences.map((sentence, number) => {
      const text = turn(sentence);
      return { label: table.labels[number], text, squares: text.slice(0, text.indexOf(":")).split(" ").slice(1) };
    });
    const users = new Map();
    const separator = solutions.every((each) => each.label.length === 1) ? "" : "+";
    for (const { label, squares } of solutions)
      for (const square of squares) users.set(square, users.has(square) ? users.get(square) + separator + label : label);
    const [who] = drawProof("Who gets which square", marks);
    const [which, cells] = drawProof("Which solution uses it", marks, users);
    place.append(
      make("h3", {}, `Rule proof: ${proof.verdict}`),
      ...(proof.condition ? [make("p", {}, turn(proof.condition))] : []),
      make("div", { class: "proof-pictures" },
        make("figure", {}, make("figcaption", {}, "Who gets which square"), who),
        make("figure", {}, make("figcaption", {}, "Which solution uses it"), which)),
      makeLegend(proof, ours),
      makeSolutions(proof, solutions, cells));
  }

  function makeLegend(proof, ours) {
    const controller = proof.controller === "white" ? "White" : "Black";
    const opponent = proof.controller === "white" ? "Black" : "White";
    const meanings = [
      [ours, `${controller} gets it`],
      [ours === "X" ? "O" : "X", `left to ${opponent}`],
      ["=", `${opponent} may get it, but not all that is paired with it`],
      ["!", "White’s threat"],
      [":", "in a column of the threat: no solution may use it"],
      [".", "not needed for the proof"],
    ];
    return make("ul", { class: "legend" }, ...meanings.filter(([mark]) => proof.marks.includes(mark)).map(([mark, meaning]) => {
      const svg = draw("svg", { viewBox: `0 0 ${CELL} ${CELL}`, "aria-hidden": "true" });
      const kind = mark === ours ? "cell ours" : mark === "!" ? "cell threat" : "cell";
      svg.append(draw("rect", { class: kind, x: 1, y: 1, width: CELL - 2, height: CELL - 2, rx: 4 }), ...drawMark(mark, { cx: CELL / 2, cy: CELL / 2 }));
      return make("li", {}, svg, meaning);
    }));
  }

  function makeSolutions(proof, solutions, cells) {
    if (!solutions.length) return make("p", {}, "The chosen set is empty: there is no group left to complete.");
    return make("ul", { class: "solutions", "aria-label": "The chosen set" }, ...solutions.map(({ label, text, squares }) => {
      const [strategy, kills] = text.split(/; this (?=kills )/);
      const item = make("li", { tabindex: "0" }, make("b", {}, label), make("p", {}, `${strategy}. `, make("small", {}, `It ${kills}`)));
      const mark = (on) => squares.forEach((square) => cells.get(square).classList.toggle("chosen", on));
      for (const event of ["mouseenter", "focus"]) item.addEventListener(event, () => mark(true));
      for (const event of ["mouseleave", "blur"]) item.addEventListener(event, () => mark(false));
      return item;
    }));
  }

  // The walk

  function goTo(played) {
    if (played.length > table.last) return;
    const column = played[played.length - 1];
    const before = play(played.slice(0, -1));
    if (played.length && (before[column].length === table.rows || isOver(before, played.slice(0, -1)))) return;
    moves = played;
    show();
  }

  function show() {
    const position = look(moves);
    const list = listMoves(position);
    const best = findBest(position, list.filter((move) => move.known));
    const words = describe(position, list, best);
    byId("walker-value").textContent = showValue(position.value);
    byId("walker-value").dataset.value = position.value;
    const score = position.score === null || position.over ? "" : `, score ${showScore(position.score)}`;
    const source = position.source && !position.over ? `, decided by ${looks.sources[position.source]}` : "";
    byId("walker-turn").textContent = position.over ? "The game is over." : `${sideToMove(moves.length)} to move${score}${source}`;
    byId("walker-picture").replaceChildren(drawPosition(position, words));
    byId("walker-live").textContent = words;
    byId("walker-back").setAttribute("aria-disabled", String(!moves.length));
    byId("walker-start").setAttribute("aria-disabled", String(!moves.length));
    root.dataset.moves = moves.join(",");
    showColumns(position, list, best);
    showMoves(position, list, best);
    showPath();
    showHint(position);
    showProof(position);
  }

  function useTable(number) {
    table = tables[number];
    moves = [];
    root.dataset.board = table.board;
    if (byId("walker-board")) byId("walker-board").value = String(number);
    makeColumns();
  }

  function step(direction) {
    const current = buttons().findIndex((button) => button.tabIndex === 0);
    choose((current + direction + table.columns) % table.columns);
  }

  const KEYS = {
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    ArrowDown: () => goTo([...moves, buttons().findIndex((button) => button.tabIndex === 0)]),
    ArrowUp: () => goTo(moves.slice(0, -1)),
    Backspace: () => goTo(moves.slice(0, -1)),
    Home: () => goTo([]),
  };

  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    const column = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : -1;
    const act = column >= 0 && column < table.columns ? () => { choose(column); goTo([...moves, column]); } : KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  byId("walker-back").addEventListener("click", () => goTo(moves.slice(0, -1)));
  byId("walker-start").addEventListener("click", () => goTo([]));
  if (byId("walker-board")) byId("walker-board").addEventListener("change", (event) => { useTable(Number(event.target.value)); show(); });
  for (const button of document.querySelectorAll(".jump"))
    button.addEventListener("click", () => {
      const number = tables.findIndex((each) => each.board === button.dataset.board);
      useTable(number);
      moves = button.dataset.moves ? button.dataset.moves.split(",").map(Number) : [];
      show();
      root.scrollIntoView({ block: "start" });
      choose(Math.floor(table.columns / 2));
    });

  root.hidden = false;
  useTable(0);
  show();
})();
