// Our players as opponents: whoever’s turn it is at the end of the game and is no human is asked for a move.

import { ask } from "./api.js";
import { byId, make } from "./elements.js";
import { isOver, sideToMove } from "./game.js";
import { play, shownFields, shownMoves, state } from "./state.js";

const WORDS = {
  random: "random: any move", perfect: "perfect: never errs", rules: "rules: plays by proofs", negamax: "negamax",
  easy: "easy", medium: "medium", hard: "hard", guru: "guru", victor: "victor", mcts: "mcts: plays games in its head", solution: "solution: knows the board by heart", "connect-k": "connect-k",
};
let thinking = null;

export function offerPlayers(names) {
  for (const id of ["white-player", "black-player"]) {
    byId(id).replaceChildren(make("option", { value: "" }, "you"), ...names.map((name) => make("option", { value: name }, WORDS[name] || name)));
    byId(id).addEventListener("change", letPlay);
  }
}

export async function letPlay() {
  if (thinking) thinking.abort();
  thinking = null;
  const words = byId("player-words");
  words.textContent = "";
  const player = byId(state.at % 2 ? "black-player" : "white-player").value;
  if (!player || state.at !== state.moves.length || isOver(state.board, shownMoves())) return;
  const mine = (thinking = new AbortController());
  words.textContent = `${sideToMove(state.at)} (${player}) thinks …`;
  try {
    const seconds = Math.min(5, Math.max(0.1, Number(byId("player-seconds").value) || 1));
    const choice = await ask("/move", { ...shownFields(), player, seconds }, mine.signal);
    if (mine !== thinking) return;
    thinking = null;
    play(choice.column - 1);
    if (!thinking) words.textContent = `${player} played column ${choice.column}${choice.note ? ` (${choice.note})` : ""}.`;
  } catch (error) {
    if (error.name !== "AbortError") words.textContent = error.message;
  }
}
