// Why an answer is right: the digits that are followed, the proof solution by solution, or the graph.

import { byId, button, make } from "./elements.js";
import { mirrorNames } from "./game.js";
import { HUES } from "./board.js";
import { data, nameOf, mirrorSquare, US, W, YOU } from "./stones.js";

function tellDigits(leaf) {
  return [
    make("p", {}, `The digits of diagram ${leaf.number} take over. ${US} completes a line where ${US} can and stops one where ${US} must; else ${US} plays the lowest digit that exactly one playable square carries.`),
    make("p", { class: "muted" }, "That this never fails from here on is what claimeven solution check finds, by trying every opposition."),
  ];
}

function tellProof(leaf, alone, choose) {
  const turn = leaf.mirrored ? (text) => mirrorNames(text, W) : (text) => text;
  const square = leaf.mirrored ? mirrorSquare : (each) => each;
  const { proof } = leaf, text = (number) => turn(data.texts[number]);
  const list = proof.solutions.map(({ name, words, kills }, number) => {
    const groups = kills.map((group) => group.map((each) => nameOf(square(each))).join("-"));
    const told = groups.length ? `It kills ${groups.length === 1 ? "one group" : `${groups.length} groups`}: ${groups.join(", ")}.` : "It kills no group.";
    const item = button("", () => choose(alone === number ? null : number), { "aria-pressed": String(alone === number), style: `--tone:var(--hue${number % HUES})` });
    item.append(make("span", { class: "chip" }, data.labels[number]), make("strong", {}, text(name)),
      make("span", { class: "sentence" }, `${text(words)}. `, make("span", { class: "kills" }, told)));
    return make("li", {}, item);
  });
  return [
    make("p", {}, make("strong", {}, `${data.texts[proof.verdict]}.`), ` The nine rules take over: ${list.length} solution${list.length === 1 ? "" : "s"}, by which ${US} plays on. Filled squares are ${US}’s.`),
    ...(proof.condition === null ? [] : [make("p", {}, text(proof.condition))]),
    make("ol", { class: "solutions", id: "rules", "aria-label": "The chosen set" }, ...list),
  ];
}

export function showWhy(state, alone, choose) {
  const { leaf } = state;
  byId("why").replaceChildren(...(leaf ? (leaf.digits ? tellDigits(leaf) : tellProof(leaf, alone, choose))
    : [make("p", {}, state.node || !state.moves.length ? `Whatever ${YOU} plays, ${US} has an answer, which leads on in the graph or to a leaf of it.` : "The game ends here.")]));
}
