// A solution of the board, where there is one: what it plays here and why, its digits, its answers to every move.

import { ask } from "./api.js";
import { drawBoard, shown } from "./board.js";
import { byId, button, make } from "./elements.js";
import { play, shownFields, state } from "./state.js";
import { mark as markWalk } from "./why.js";

const SIDES = { white: "White", black: "Black" };
const HOW = "He completes a line where he can and stops one where he must. Else he plays the lowest digit that exactly one playable square carries.";
const place = byId("solution");
let boards = [];
let standing = null;
let current = null;
// Whether the digits stay on the board from move to move.
let isWanted = false;

export const hasSolution = () => boards.includes(state.board.name);

export function offerSolutions(names) {
  boards = names;
  showSolution();
}

export async function showSolution() {
  if (current) current.abort();
  const mine = (current = new AbortController());
  standing = null;
  byId("solution-panel").hidden = !hasSolution();
  for (const option of document.querySelectorAll('option[value="solution"]')) option.disabled = !hasSolution();
  if (!hasSolution()) return;
  try {
    standing = (await ask("/solution", shownFields(), mine.signal)).solution;
  } catch (error) {
    if (error.name !== "AbortError") place.replaceChildren(make("p", { class: "muted" }, error.message));
    return;
  }
  if (mine !== current) return;
  tell();
  if (isWanted && standing.digits) putDigits(true);
}

function tell() {
  const { controller, claim, sizes, words, move, digits, rules, answers, known } = standing;
  const result = claim === "win" ? "wins" : "never loses";
  const number = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
  place.replaceChildren(
    make("p", {}, make("strong", {}, `${SIDES[controller]} ${result} on this board.`),
      ` All of it is in ${number(sizes.moves, "move")} and ${number(sizes.certificates, "diagram")}${sizes.rule_leaves ? " or rule proofs" : ""}, without search.`),
    make("p", { id: "solution-words", ...(known ? {} : { class: "muted" }) }, `${words[0].toUpperCase()}${words.slice(1)}.`));
  const tools = make("div", { class: "walk" });
  if (move) tools.append(button(`Play ${move.square}`, () => play(move.column - 1), { id: "solution-play" }));
  if (digits) tools.append(button("Digits on the board ", toggleDigits, { id: "solution-digits", "aria-pressed": "false" }));
  if (digits) tools.lastChild.append(make("kbd", {}, "d"));
  if (tools.children.length) place.append(tools);
  if (digits) place.append(make("p", { class: "muted" }, HOW.replaceAll("He ", `${SIDES[controller]} `).replaceAll(" he ", ` ${SIDES[controller]} `)));
  if (rules) place.append(make("p", {}, `After it: ${rules.verdict}, by ${number(rules.solutions.length, "solution")} of the nine rules.`));
  if (answers.length)
    place.append(make("ul", { class: "answers", "aria-label": "Answers" }, ...answers.map(({ column, square, answer }) =>
      make("li", {}, button(square, () => play(column - 1)), answer ? ` → ${answer.square}` : " ends the game"))));
  mark();
}

export function toggleDigits() {
  if (!standing || !standing.digits) return;
  isWanted = !shown.digits;
  putDigits(isWanted);
  byId("live").textContent = isWanted ? `The digits, from the top: ${standing.digits.join(", ")}.` : "The digits are off the board.";
}

function putDigits(on) {
  drawBoard({ digits: on, proof: false, line: [] });
  mark();
  markWalk();
}

export function mark() {
  byId("solution-digits")?.setAttribute("aria-pressed", String(shown.digits));
}
