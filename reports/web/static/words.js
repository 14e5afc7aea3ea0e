// Scores and values in words.

const VALUES = {
  white: "White wins", draw: "Draw", black: "Black wins",
  "not-white": "Black at least draws", "not-black": "White at least draws", unknown: "Not decided yet",
};
const SOURCES = {
  rules: "by Allis’ rules", search: "by search", retrograde: "by the moves after it",
  terminal: "the game is over", import: "by an imported file", book: "by the opening book",
};
// Bounds on White’s result: the least and the greatest.
const BOUNDS = { white: [1, 1], draw: [0, 0], black: [-1, -1], "not-white": [-1, 0], "not-black": [0, 1], unknown: [-1, 1] };

export const tellValue = (value) => VALUES[value];

// Where an answer comes from; the rules say who wins, and only search how soon.
export function tellOrigin(answer) {
  if (!answer.source || answer.value === "unknown") return "";
  if (answer.source !== "rules" || !answer.score) return `, ${SOURCES[answer.source] || ""}`;
  return ` by search, the win ${SOURCES.rules}`;
}

export const writeScore = (score) => (score === null ? "?" : score > 0 ? `+${score}` : `${score}`.replace("-", "−"));

// The number of stones that the winner still plays; `ply` stones lie, and the score is for the side to move.
export function movesToEnd(cells, ply, score) {
  let last = cells + 2 - 2 * Math.abs(score);
  const whiteWins = score > 0 === (ply % 2 === 0);
  if (last % 2 !== Number(whiteWins)) last -= 1;
  const left = last - ply;
  return score > 0 ? Math.floor((left + 1) / 2) : Math.floor(left / 2);
}

export function tellScore(cells, ply, score) {
  if (score === 0) return "draw";
  return `${score > 0 ? "wins" : "loses"} in ${movesToEnd(cells, ply, score)}`;
}

// What a bound on the value says of a move, for the side that makes it.
export function tellBound(value, ply) {
  const [least, greatest] = ply % 2 ? [...BOUNDS[value]].map((each) => -each).reverse() : BOUNDS[value];
  if (least === greatest) return ["loses", "draw", "wins"][least + 1];
  if (least === 0) return "at least draws";
  return greatest === 0 ? "at most draws" : "";
}

export const kindOf = (words) => (/^wins/.test(words) ? "win" : words === "draw" ? "draw" : /^loses/.test(words) ? "loss" : "");

// White’s result of an answer: 1, 0, -1, or null while it is open.
export function resultOf(answer) {
  if (!answer) return null;
  const [least, greatest] = BOUNDS[answer.value];
  return least === greatest ? least : null;
}

export function headline(answer, cells) {
  if (answer.source === "terminal") return answer.value === "draw" ? "A draw: the board is full" : `${VALUES[answer.value].split(" ")[0]} has won`;
  if (answer.score) {
    const winner = VALUES[answer.value];
    return `${winner} in ${movesToEnd(cells, answer.ply, answer.score)}`;
  }
  return VALUES[answer.value];
}
