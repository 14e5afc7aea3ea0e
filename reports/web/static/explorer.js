// The explorer: what belongs to the position shown is shown, whatever led to it.

import { findLine, fillGame, giveUp, isSearching, lookAtShown, onAnswer, stop, stopFilling } from "./answers.js";
import { ask } from "./api.js";
import { drawBoard, makeColumns, shown, showScores, tellMove } from "./board.js";
import { drawCurve, findTurns } from "./curve.js";
import { byId, button, keepInView, make } from "./elements.js";
import { isOver, sideToMove, squaresOf } from "./game.js";
import { showGraph } from "./graph.js";
import { letPlay, offerPlayers } from "./opponent.js";
import { makeSetup } from "./setup.js";
import { mark as markDigits, offerSolutions, showSolution, toggleDigits } from "./solution.js";
import { goTo, onChange, play, readAddress, restore, show, shownFields, shownMoves, state, takeBack } from "./state.js";
import { endWalk, mark as markWalk, showWhy, step } from "./why.js";
import { headline, tellOrigin, writeScore } from "./words.js";

let answer = null;
let boardName = null;
let line = null;

function complain(words) {
  byId("problem").textContent = words || "";
  byId("problem").hidden = !words;
}

// The position

function showPath() {
  const squares = squaresOf(state.board, state.moves);
  const mistakes = new Set(findTurns().map(([ply]) => ply + 1));
  const steps = ["start", ...squares.map((square, ply) => (ply % 2 ? square : `${ply / 2 + 1}. ${square}`))];
  byId("path").replaceChildren(...steps.map((text, ply) => make("li", {}, button(text, () => goTo(ply), {
    class: `${ply > state.at ? "later" : ""}${mistakes.has(ply) ? " mistake" : ""}`.trim(),
    ...(ply === state.at ? { "aria-current": "step" } : {}),
    ...(mistakes.has(ply) ? { title: "the value turned with this move" } : {}),
  }))));
  keepInView(byId("path"), byId("path").querySelector("[aria-current]"));
}

function showSteps() {
  byId("slider").max = state.moves.length;
  byId("slider").value = state.at;
  byId("slider").setAttribute("aria-valuetext", `after ${state.at} of ${state.moves.length} moves`);
  for (const [id, off] of [["go-start", !state.at], ["go-back", !state.at], ["take-back", !state.at], ["go-on", state.at === state.moves.length], ["go-end", state.at === state.moves.length]])
    byId(id).setAttribute("aria-disabled", String(off));
}

function showAnswer(isWhole) {
  const cells = state.board.columns * state.board.rows;
  showScores(answer);
  const over = isOver(state.board, shownMoves());
  byId("verdict").textContent = answer ? headline(answer, cells) : "Looking …";
  const turn = over ? "" : `${sideToMove(state.at)} to move`;
  const score = answer && answer.score !== null && !over ? `, score ${writeScore(answer.score)}` : "";
  byId("detail").textContent = `${turn}${score}${answer && !over ? tellOrigin(answer) : ""}`;
  byId("best").setAttribute("aria-disabled", String(!(answer && answer.best_moves)));
  const compiling = Boolean(answer && answer.compiling);
  const searching = isSearching() && answer && (compiling || answer.nodes !== undefined);
  const stopped = Boolean(isWhole && answer && answer.whole === false);
  byId("search").hidden = !searching && !stopped;
  byId("search-stop").hidden = compiling || stopped;
  byId("search-more").hidden = !stopped;
  byId("search-bar").hidden = stopped;
  if (stopped) byId("search-words").textContent = "The search was stopped before all scores were found.";
  if (compiling) byId("search-words").textContent = "compiling the search, once on this machine: about half a minute";
  else if (searching) byId("search-words").textContent = `searching: ${(answer.nodes / 1e6).toFixed(1)} M nodes, ${answer.seconds.toFixed(0)} s`;
  if (isWhole) announce();
}

function announce() {
  const squares = squaresOf(state.board, shownMoves());
  const where = squares.length ? `${sideToMove(squares.length - 1)} ${squares[squares.length - 1]}, move ${squares.length}. ` : "The empty board. ";
  const best = answer && answer.best_moves ? answer.children.filter((child) => answer.best_moves.includes(child.column)) : [];
  const advice = best.length ? ` Best: ${best.map((child) => `column ${child.column}, ${child.square}, ${tellMove(child, state.at)}`).join("; ")}.` : "";
  byId("live").textContent = `${where}${byId("verdict").textContent}. ${byId("detail").textContent}.${advice}`;
}

// The whole board in words, for those who do not see it; the picture has them.
function readBoard() {
  const columns = [...byId("columns").children].map((each) => each.getAttribute("aria-label")).join("; ");
  byId("live").textContent = `${byId("picture").querySelector("title")?.textContent || ""} ${byId("verdict").textContent}. ${columns}.`;
}

async function showThreats() {
  byId("threat-panel").hidden = !shown.threats;
  byId("threats").setAttribute("aria-pressed", String(shown.threats));
  if (!shown.threats) return;
  const mine = shownFields();
  const { threats } = await ask("/position", mine);
  if (mine.pos !== shownFields().pos) return;
  byId("threat-list").replaceChildren(...(threats.length ? threats.map((each) => make("li", {}, each.words)) : [make("li", {}, "Neither side has one.")]));
}

async function showLine() {
  byId("line").setAttribute("aria-pressed", String(line !== null));
  if (!line) {
    drawBoard({ line: [] });
    return;
  }
  const mine = line;
  try {
    const columns = await findLine(mine.signal);
    if (mine !== line) return;
    drawBoard({ line: columns, proof: false, digits: false });
    markDigits();
    markWalk();
    if (!columns.length) complain("The line of best play is not known yet.");
  } catch (error) {
    if (error.name !== "AbortError") complain(error.message);
  }
}

function endLine() {
  if (line) line.abort();
  line = null;
  byId("line").setAttribute("aria-pressed", "false");
}

onChange((reason) => {
  complain();
  endLine();
  if (boardName !== state.board.name) {
    boardName = state.board.name;
    byId("board-size").value = boardName;
    makeColumns();
    if (byId("setup-panel").open) makeSetup();
  }
  answer = null;
  drawBoard({ proof: false, solution: 0, digits: false, line: [] });
  markWalk();
  showSteps();
  showAnswer(false);
  lookAtShown();
  showWhy();
  showSolution();
  showThreats();
  showGraph();
  redrawGame();
  if (reason === "show") fillGame(redrawGame);
  letPlay();
  byId("json-link").href = `/analyze?${new URLSearchParams(shownFields())}`;
});

function redrawGame() {
  drawCurve();
  showPath();
}

onAnswer((found, isWhole, problem) => {
  if (problem) {
    complain(problem);
    byId("search").hidden = true;
    return;
  }
  answer = found;
  showAnswer(isWhole);
  if (!isWhole) return;
  redrawGame();
  fillGame(redrawGame);
});

// What can be pressed

function playBest() {
  if (!answer || !answer.best_moves) return;
  const middle = state.board.columns + 1;
  const [best] = [...answer.best_moves].sort((one, other) => Math.abs(2 * one - middle) - Math.abs(2 * other - middle));
  play(best - 1);
}

function toggleLine() {
  if (line) endLine();
  else line = new AbortController();
  showLine();
}

function toggleThreats() {
  drawBoard({ threats: !shown.threats });
  showThreats();
}

const ACTIONS = {
  b: playBest, l: toggleLine, t: toggleThreats, u: takeBack, w: () => step(1), d: toggleDigits, r: readBoard, Escape: endWalk,
  n: () => show(state.board.name, []),
  ArrowLeft: () => goTo(state.at - 1), ArrowRight: () => goTo(state.at + 1),
  Home: () => goTo(0), End: () => goTo(state.moves.length), Backspace: takeBack,
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input:not([type=range]),select,textarea")) return;
  if (event.target.matches("input[type=range],.graph") && /^(Arrow|Home|End)/.test(event.key)) return;
  const column = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : -1;
  const act = column >= 0 ? () => play(column) : ACTIONS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

for (const [id, act] of [
  ["best", playBest], ["line", toggleLine], ["threats", toggleThreats], ["take-back", takeBack], ["new", ACTIONS.n],
  ["go-start", ACTIONS.Home], ["go-back", ACTIONS.ArrowLeft], ["go-on", ACTIONS.ArrowRight], ["go-end", ACTIONS.End], ["search-stop", stop], ["search-more", lookAtShown],
]) byId(id).addEventListener("click", act);
byId("slider").addEventListener("input", () => goTo(Number(byId("slider").value)));

// The address of what is shown: the position, and the proof if it is on the board.
function linkOfShown() {
  const link = new URL(location.href);
  if (shown.proof) link.searchParams.set("show", "proof");
  return link.href;
}

byId("share").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(linkOfShown());
    byId("share").textContent = "Link copied";
    byId("live").textContent = "The link is copied.";
  } catch {
    complain(`The link: ${linkOfShown()}`);
  }
  setTimeout(() => { byId("share").textContent = "Copy link"; }, 2000);
});

// Let the server read a text, in whatever notation it is.
async function enter(text, board, at = null) {
  try {
    const read = await ask("/position", board ? { pos: text, board } : { pos: text });
    return { board: read.board, moves: read.columns.map((column) => column - 1), at };
  } catch (error) {
    complain(error.message);
    return null;
  }
}

byId("entry").addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = byId("entry-text").value;
  const read = await enter(text, /^[\s.xoXO/]+$|^\{/.test(text) && text.trim() ? null : state.board.name);
  if (!read) return;
  byId("entry-text").value = "";
  show(read.board, read.moves);
});
byId("entry-text").addEventListener("paste", (event) => {
  // A field of one line would drop the line ends of a board.
  const text = event.clipboardData.getData("text");
  if (!text.includes("\n")) return;
  event.preventDefault();
  byId("entry-text").value = text.trim().split(/\s*\n\s*/).join("/");
});
byId("board-size").addEventListener("change", async () => {
  const read = await enter("", byId("board-size").value.trim());
  if (read) show(read.board, []);
  else byId("board-size").value = state.board.name;
});

async function readPage() {
  const { board, text, at } = readAddress();
  const read = (await enter(text, board, at)) || { board: "7x6", moves: [], at: null };
  const complaint = byId("problem").textContent;
  restore(read.board, read.moves, read.at);
  if (complaint) complain(complaint);
}

addEventListener("popstate", readPage);
addEventListener("pagehide", () => { giveUp(); stopFilling(); });

ask("/status", {}).then(({ players, solutions }) => { offerPlayers(players); offerSolutions(solutions); }, () => {});
readPage();
