// Why: the rule proof of the position shown, solution by solution, with the board to look at.

import { ask } from "./api.js";
import { findLine } from "./answers.js";
import { drawBoard, shown } from "./board.js";
import { byId, button, keepInView, make } from "./elements.js";
import { isOver } from "./game.js";
import { shownFields, shownMoves, show, state } from "./state.js";

const place = byId("why");
const HUES = 6;
let explanation = null;
let current = null;
// A link may ask for the proof on the board.
let isWanted = new URLSearchParams(location.search).get("show") === "proof";

export async function showWhy() {
  if (current) current.abort();
  const mine = (current = new AbortController());
  explanation = null;
  if (isOver(state.board, shownMoves())) {
    place.replaceChildren(make("p", { class: "muted" }, "The game is over; there is nothing left to prove."));
    return;
  }
  let found;
  try {
    found = await ask("/prove", shownFields(), mine.signal);
  } catch (error) {
    if (error.name !== "AbortError" && mine === current) place.replaceChildren(make("p", { class: "muted" }, error.message));
    return;
  }
  if (mine !== current) return;
  explanation = found.explanation;
  if (explanation) showProof();
  else showNothing();
}

function showProof() {
  const { solutions } = explanation;
  place.replaceChildren(
    make("p", {}, make("strong", {}, `${explanation.verdict}.`), ` A proof by Allis’ rules, in ${solutions.length} ${solutions.length === 1 ? "solution" : "solutions"}, accepted by the independent checker.`),
    ...(explanation.win_condition ? [make("p", {}, explanation.win_condition)] : []),
    make("div", { class: "walk" },
      button("Show it on the board", () => walkTo(shown.proof ? null : 0), { id: "walk-all", "aria-pressed": "false" }),
      button("◀", () => step(-1), { "aria-label": "Previous solution", id: "walk-back" }),
      button("Next solution ▶", () => step(1), { id: "walk-on" }),
      make("span", { id: "walk-words", class: "muted" })),
    make("ol", { class: "solutions", "aria-label": "The chosen set" }, ...solutions.map((solution, number) => {
      const [strategy, kills] = solution.sentence.slice(solution.name.length + 2).split("; this ");
      const item = make("button", { type: "button", "aria-pressed": "false", style: `--tone:var(--hue${number % HUES})` },
        make("span", { class: "chip" }, solution.label),
        make("strong", {}, solution.name),
        make("span", { class: "sentence" }, `${strategy}. `, make("span", { class: "kills" }, `It ${kills}`)));
      item.addEventListener("click", () => walkTo(number + 1));
      return make("li", {}, item);
    })));
  mark();
  if (isWanted) walkTo(0);
  isWanted = false;
}

function showNothing() {
  const odd = state.board.rows % 2;
  place.replaceChildren(
    make("p", {}, odd ? "With an odd number of rows the rules say nothing; the scores come from search alone."
      : "The nine rules prove nothing in this position. That does not say who wins: the scores do, by search."));
  if (odd) return;
  const words = make("p", { class: "muted", role: "status" });
  place.append(button("Follow best play to a proof", async () => {
    words.textContent = "looking …";
    try {
      words.textContent = (await followToProof()) || "Best play comes to its end without one.";
    } catch (error) {
      if (error.name !== "AbortError") words.textContent = error.message;
    }
  }, { id: "follow" }), words);
}

// Go along the line of best play until the rules prove something.
async function followToProof() {
  const signal = current.signal;
  const line = (await findLine(signal)).map((column) => column - 1);
  const moves = shownMoves();
  for (let number = 1; number <= line.length; number += 1) {
    const after = [...moves, ...line.slice(0, number)];
    if (isOver(state.board, after)) break;
    const text = after.map((column) => column + 1).join(state.board.columns > 9 ? "," : "");
    const found = await ask("/prove", { pos: text, board: state.board.name }, signal);
    if (found.explanation) {
      show(state.board.name, after);
      return "";
    }
  }
  return null;
}

// 0 is the whole proof, a number from 1 one of its solutions, null the end of the walk.
export function walkTo(number) {
  if (!explanation) return;
  drawBoard({ proof: number !== null, solution: number || 0, digits: false, line: [] });
  mark();
  // Where the board lies above the sentences, as on a telephone, it is brought back into view.
  if (number !== null && byId("picture").getBoundingClientRect().bottom < 0) byId("picture").scrollIntoView({ block: "start" });
  const chosen = number ? explanation.solutions[number - 1] : null;
  byId("live").textContent = number === null ? "The walk through the proof ends." : chosen ? `Solution ${number} of ${explanation.solutions.length}: ${chosen.sentence}` : `The proof: ${explanation.verdict}.`;
}

export function step(direction) {
  if (!explanation) return;
  const number = explanation.solutions.length;
  if (!number) walkTo(0);
  else walkTo(((shown.proof ? shown.solution : direction > 0 ? 0 : 1) + direction + number + 1) % (number + 1));
}

// While a proof is on the board, what is shown of it stands below the board, with the way on and back.
function showBar() {
  const bar = byId("walk-bar");
  bar.hidden = !shown.proof || !explanation;
  if (bar.hidden) return;
  const number = shown.solution, solution = number ? explanation.solutions[number - 1] : null;
  byId("bar-words").replaceChildren(...(solution
    ? [make("span", { class: "chip", style: `--tone:var(--hue${(number - 1) % HUES})` }, solution.label), ` ${solution.sentence.split("; this ")[0]}.`]
    : [`${explanation.verdict}: all ${explanation.solutions.length} solutions. Filled squares are ${explanation.controller === "white" ? "White’s" : "Black’s"}.`]));
}

for (const [id, act] of [["bar-back", () => step(-1)], ["bar-on", () => step(1)], ["bar-end", () => walkTo(null)]]) byId(id).addEventListener("click", act);

const followers = [];

// What is to follow the walk is told the solution that is shown alone, or null.
export const onWalk = (follower) => followers.push(follower);

export const endWalk = () => shown.proof && walkTo(null);

export function mark() {
  showBar();
  const alone = explanation && shown.proof && shown.solution ? explanation.solutions[shown.solution - 1] : null;
  for (const follower of followers) follower(alone);
  const pressed = shown.proof && !shown.solution;
  byId("walk-all")?.setAttribute("aria-pressed", String(shown.proof && pressed));
  if (byId("walk-all")) byId("walk-all").textContent = shown.proof ? "Take it off the board" : "Show it on the board";
  if (byId("walk-words")) byId("walk-words").textContent = shown.proof && shown.solution ? `${shown.solution} of ${explanation.solutions.length}` : "";
  place.querySelectorAll(".solutions button").forEach((each, number) => {
    const on = shown.proof && shown.solution === number + 1;
    each.setAttribute("aria-pressed", String(on));
    if (on) keepInView(place.querySelector(".solutions"), each);
  });
}
