// What the server has said of positions, and the one analysis that is under way.

import { analyze, Problem, solveMany, stopSearch } from "./api.js";
import { fieldsAt, keyOf, shownFields, state } from "./state.js";

const whole = new Map();
const verdicts = new Map();
const listeners = [];
let running = null;

export const onAnswer = (listener) => listeners.push(listener);
export const answerOf = (fields) => whole.get(keyOf(fields));
export const verdictOf = (fields) => whole.get(keyOf(fields)) || verdicts.get(keyOf(fields));

function tell(answer, isWhole, problem = null) {
  for (const listener of listeners) listener(answer, isWhole, problem);
}

export function giveUp() {
  if (running) running.controller.abort();
  running = null;
}

// Stop searching, and keep what there is.
export function stop() {
  if (running && running.search) stopSearch(running.search);
}

export const isSearching = () => running !== null;

// Analyse the position shown; what another position was being asked for is given up.
export async function lookAtShown() {
  giveUp();
  const fields = shownFields();
  const known = answerOf(fields);
  if (known) {
    tell(known, true);
    return;
  }
  const mine = { controller: new AbortController(), search: null };
  running = mine;
  try {
    for await (const [name, answer] of analyze(fields, mine.controller.signal)) {
      if (running !== mine) return;
      mine.search = answer.search || mine.search;
      if (name === "answer") {
        running = null;
        if (answer.whole) whole.set(keyOf(fields), answer);
        else verdicts.set(keyOf(fields), answer);
      }
      tell(answer, name === "answer");
    }
  } catch (error) {
    if (running === mine) running = null;
    if (error.name !== "AbortError") tell(null, true, error instanceof Problem ? error.message : "the server does not answer");
  }
}

// The line of best play from the position shown.
export async function findLine(signal) {
  const fields = shownFields();
  let found = answerOf(fields);
  if (found && found.line) return found.line;
  for await (const [, answer] of analyze({ ...fields, line: 1 }, signal)) found = answer;
  if (found && found.whole) whole.set(keyOf(fields), found);
  return (found && found.line) || [];
}

let filling = null;

// Find the verdicts of all positions of the game, the last ones first, as they are the easiest.
export async function fillGame(changed) {
  if (filling) filling.abort();
  const mine = (filling = new AbortController());
  const wanted = [];
  for (let ply = state.moves.length; ply >= 0; ply -= 1) if (!verdictOf(fieldsAt(ply))) wanted.push(fieldsAt(ply));
  if (!wanted.length) return;
  try {
    let number = 0;
    for await (const answer of solveMany(wanted, mine.signal)) {
      if (!answer.error) verdicts.set(keyOf(wanted[number]), answer);
      number += 1;
      changed();
    }
  } catch (error) {
    if (error.name !== "AbortError") changed();
  }
}

export const stopFilling = () => filling && filling.abort();
