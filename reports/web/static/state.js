// Where the explorer is: a board, a game, and the move of it that is shown; the address of the page says the same.

import { canPlay, parseBoard, writeMoves } from "./game.js";

export const state = { board: parseBoard("7x6"), moves: [], at: 0 };
const listeners = [];

export const onChange = (listener) => listeners.push(listener);

export const shownMoves = () => state.moves.slice(0, state.at);
export const shownText = () => writeMoves(state.board, shownMoves());

// The fields that ask the server about the position after so many moves.
export function fieldsAt(ply) {
  const pos = writeMoves(state.board, state.moves.slice(0, ply));
  return state.board.name === "7x6" ? { pos } : { pos, board: state.board.name };
}
export const shownFields = () => fieldsAt(state.at);
export const keyOf = (fields) => `${fields.board || "7x6"} ${fields.pos}`;

function addressOf() {
  const fields = new URLSearchParams();
  if (state.board.name !== "7x6") fields.set("board", state.board.name);
  if (state.moves.length) fields.set("pos", writeMoves(state.board, state.moves));
  if (state.at !== state.moves.length) fields.set("at", state.at);
  return `/${[...fields].length ? `?${fields}` : ""}`;
}

function change(reason, keepsHistory) {
  if (keepsHistory) history.pushState(null, "", addressOf());
  else history.replaceState(null, "", addressOf());
  for (const listener of listeners) listener(reason);
}

export function goTo(ply) {
  const at = Math.max(0, Math.min(ply, state.moves.length));
  if (at === state.at) return;
  state.at = at;
  change("step", false);
}

export function play(column) {
  if (!canPlay(state.board, shownMoves(), column)) return false;
  const goesOn = state.moves[state.at] === column;
  if (!goesOn) state.moves = [...shownMoves(), column];
  state.at += 1;
  change("play", !goesOn);
  return true;
}

export function takeBack() {
  if (!state.at) return;
  state.moves = state.moves.slice(0, state.at - 1);
  state.at = state.moves.length;
  change("play", true);
}

export function show(boardName, moves, at = moves.length) {
  state.board = parseBoard(boardName);
  state.moves = moves;
  state.at = at;
  change("show", true);
}

// The state that the address asks for, as far as it is a game of digits; any other text is left to the server.
export function readAddress() {
  const fields = new URLSearchParams(location.search);
  const board = fields.get("board") || "7x6";
  return { board, text: fields.get("pos") || "", at: fields.has("at") ? Number(fields.get("at")) : null };
}

export function restore(board, moves, at) {
  state.board = parseBoard(board);
  state.moves = moves;
  state.at = at === null || !(at >= 0) ? moves.length : Math.min(at, moves.length);
  change("show", false);
}
