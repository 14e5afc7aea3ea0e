// The game: columns, squares, lines. A game is a board and a list of columns, counted from 0.

export function parseBoard(text) {
  const [columns, rows, connect = 4] = text.split("x").map(Number);
  return { name: text, columns, rows, connect };
}

export const sideToMove = (ply) => (ply % 2 ? "Black" : "White");

export const columnName = (column) =>
  column < 26 ? String.fromCharCode(97 + column) : columnName(Math.floor(column / 26) - 1) + columnName(column % 26);

// A text with names of squares and columns, as it is for the board seen from behind.
export function mirrorNames(text, columns) {
  const turn = (name) => columnName(columns - 1 - [...name].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 96, 0) + 1);
  return text
    .replace(/\b([a-z]{1,2})(\d+)\b/g, (all, column, row) => turn(column) + row)
    .replace(/\b(columns? )([a-z]{1,2})( and )?([a-z]{1,2})?(?=[,:.])/g, (all, word, one, and, two) => word + (two ? turn(two) + and + turn(one) : turn(one)));
}

export const squareName = (column, row) => columnName(column) + (row + 1);

// What the server reads: digits, or numbers with commas where a digit is not enough.
export const writeMoves = (board, moves) => moves.map((column) => column + 1).join(board.columns > 9 ? "," : "");

export function stonesOf(board, moves) {
  const stones = Array.from({ length: board.columns }, () => []);
  moves.forEach((column, ply) => stones[column].push(ply % 2 ? "o" : "x"));
  return stones;
}

export function squaresOf(board, moves) {
  const heights = new Array(board.columns).fill(0);
  return moves.map((column) => squareName(column, heights[column]++));
}

export function isWon(board, moves) {
  if (!moves.length) return false;
  const stones = stonesOf(board, moves);
  const column = moves[moves.length - 1];
  const row = stones[column].length - 1;
  const stone = stones[column][row];
  const reach = (right, up) => {
    let number = 0;
    while ((stones[column + (number + 1) * right] || [])[row + (number + 1) * up] === stone) number += 1;
    return number;
  };
  return [[1, 0], [0, 1], [1, 1], [1, -1]].some(([right, up]) => reach(right, up) + reach(-right, -up) + 1 >= board.connect);
}

export const isOver = (board, moves) => moves.length === board.columns * board.rows || isWon(board, moves);

export const canPlay = (board, moves, column) =>
  column >= 0 && column < board.columns && moves.filter((each) => each === column).length < board.rows && !isOver(board, moves);
