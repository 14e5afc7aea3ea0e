// The page: what belongs to the state of the game is shown, whatever led to it.

import { byId, button, make } from "./elements.js";
import { drawState, measureColumns } from "./board.js";
import { followGame, makeGraph } from "./graph.js";
import { columnOf, nameOf, NAMES, OURS, playable, US, W, whoMoves, YOU } from "./stones.js";
import { begin, leadTo, playOn, replay } from "./walk.js";
import { showWhy } from "./why.js";

let states = [];
// The number of the solution of a proof that is shown alone, or null.
let alone = null;
let places = [];
const now = () => states[states.length - 1];

const buttons = Array.from({ length: W }, (_, column) => button("", () => play(column)));
byId("columns").append(...buttons);
byId("columns").classList.toggle("many", W > 8);

function showColumns(state) {
  buttons.forEach((each, column) => {
    const next = playOn(state, column);
    each.setAttribute("aria-disabled", String(!next));
    const [yours, ours] = next ? next.moves.slice(state.moves.length) : [];
    const answer = !next ? "" : ours === undefined ? "the end" : nameOf(ours);
    each.replaceChildren(make("b", {}, next ? nameOf(yours) : "–"),
      ...(next ? [make("span", { class: next.end && ours !== undefined ? "wins" : "" }, `${ours === undefined ? "" : "→ "}${answer}${next.end && ours !== undefined ? " ★" : ""}`)] : []));
    each.setAttribute("aria-label", next ? `Column ${column + 1}, ${nameOf(yours)}: ${ours === undefined ? next.end : `the answer is ${answer}${next.end ? `, ${next.end}` : ""}`}` : `Column ${column + 1}: not playable`);
  });
}

function showPath(state) {
  const firstOurs = whoMoves(states[0].cells) !== OURS && states[0].moves.length;
  byId("path").replaceChildren(...state.moves.map((square, ply) => {
    const isOurs = firstOurs ? ply % 2 === 0 : ply % 2 === 1;
    const at = states.findIndex((each) => each.moves.length > ply);
    return make("li", {}, button(nameOf(square), () => { states = states.slice(0, at + 1); show(); }, { class: isOurs ? "" : "theirs", title: isOurs ? US : YOU, ...(ply === state.moves.length - 1 ? { "aria-current": "step" } : {}) }));
  }));
}

function show() {
  alone = null;
  const state = now();
  drawBoard();
  byId("verdict").textContent = state.end || (state.ours === null ? `${YOU} to move` : `${US} plays ${nameOf(state.ours)}`);
  byId("reason").textContent = state.why ? `${state.end ? `${nameOf(state.ours)}: ` : ""}${state.why}` : "";
  byId("live").textContent = [byId("verdict").textContent, byId("reason").textContent].filter(Boolean).join(": ") + ".";
  byId("back").setAttribute("aria-disabled", String(states.length < 2));
  byId("chance").setAttribute("aria-disabled", String(state.isOver));
  showColumns(state);
  showPath(state);
  followGame(states);
  const address = `#${state.moves.map((square) => (columnOf(square) + 1).toString(36)).join("")}`;
  if (states[0] && location.hash !== address) history.replaceState(null, "", address);
}

function drawBoard() {
  const svg = drawState(now(), alone);
  places = measureColumns(svg);
  byId("columns").style.paddingLeft = `calc(var(--board-width) * ${places[0][0]})`;
  byId("columns").style.paddingRight = `calc(var(--board-width) * ${1 - places[W - 1][1]})`;
  byId("picture").replaceChildren(svg);
  byId("picture").classList.toggle("over", now().isOver);
  showWhy(now(), alone, showAlone);
}

function showAlone(number) {
  const had = document.activeElement?.closest("#rules");
  alone = number;
  drawBoard();
  if (had && number !== null) byId("rules").querySelectorAll("button")[number].focus({ preventScroll: true });
  byId("live").textContent = number === null ? "All of the proof." : byId("rules").querySelectorAll("button")[number].textContent;
}

// The next solution of the proof, and after the last all of it.
function walkProof() {
  const { leaf } = now();
  if (!leaf || !leaf.proof || !leaf.proof.solutions.length) return;
  const next = alone === null ? 0 : alone + 1;
  showAlone(next < leaf.proof.solutions.length ? next : null);
}

function play(column) {
  const next = playOn(now(), column);
  if (!next) return;
  states.push(next);
  show();
}

function takeBack() {
  if (states.length < 2) return;
  states.pop();
  show();
}

function beginAgain() {
  states = [begin()];
  show();
}

function playAny() {
  const open = now().isOver ? [] : playable(now().cells);
  if (open.length) play(columnOf(open[Math.floor(Math.random() * open.length)]));
}

byId("picture").addEventListener("click", (event) => {
  const box = byId("picture").getBoundingClientRect();
  const x = (event.clientX - box.left) / box.width;
  play(places.findIndex(([left, right]) => x >= left && x <= right));
});
for (const [id, act] of [["back", takeBack], ["again", beginAgain], ["chance", playAny]]) byId(id).addEventListener("click", act);

const KEYS_OF_PAGE = { Backspace: takeBack, Home: beginAgain, a: playAny, w: walkProof, Escape: () => alone !== null && showAlone(null) };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const act = /^[1-9]$/.test(event.key) ? () => play(Number(event.key) - 1) : KEYS_OF_PAGE[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

function followAddress() {
  states = replay([...location.hash.slice(1)].map((letter) => parseInt(letter, 36) - 1));
  if (!states.length) states = [begin()];
  show();
}

makeGraph((node) => { states = leadTo(node); show(); });
addEventListener("hashchange", followAddress);
followAddress();
