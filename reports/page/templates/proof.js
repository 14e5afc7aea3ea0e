// A rule proof: its picture, as `claimeven prove` and the explorer draw it, and a sentence for every solution.

import { byId, make, parseSvg } from "./elements.js";
import { mirrorNames } from "./game.js";
import { walk } from "./lookup.js";
import { drawStones, mirror } from "./picture.js";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg">';

export function showProof(position) {
  const place = byId("walker-proof");
  const proof = position.key === null ? undefined : walk.table.proofs[position.key];
  place.hidden = !proof;
  place.replaceChildren();
  if (!proof) return;
  const turn = position.mirrored ? (text) => mirrorNames(text, walk.table.columns) : (text) => text;
  const picture = drawStones(position, `The proof: ${proof.verdict}`);
  const marks = parseSvg(`${SVG}${proof.picture}</svg>`).firstChild;
  if (position.mirrored) mirror(picture, marks);
  picture.append(marks);
  place.append(
    make("h3", {}, `Rule proof: ${proof.verdict}`),
    ...(proof.condition ? [make("p", {}, turn(proof.condition))] : []),
    make("div", { class: "proof-parts" },
      make("figure", {}, picture, makeLegend(proof, turn)),
      makeSolutions(proof.sentences.map(turn), marks)));
}

function makeLegend(proof, turn) {
  return make("ul", { class: "legend" }, ...proof.meanings.map(([kind, meaning]) => {
    const sample = parseSvg(walk.table.samples[kind]);
    sample.setAttribute("aria-hidden", "true");
    return make("li", {}, sample, turn(meaning));
  }));
}

function makeSolutions(sentences, marks) {
  if (!sentences.length) return make("p", {}, "The chosen set is empty: there is no group left to complete.");
  const squares = [...marks.querySelectorAll("[data-solution]")];
  return make("ul", { class: "solutions", "aria-label": "The chosen set" }, ...sentences.map((text, number) => {
    const [strategy, kills] = text.split(/; this (?=kills )/);
    const item = make("li", { tabindex: "0", class: `tone${number % 6}` }, make("b", {}, walk.table.labels[number]), make("p", {}, `${strategy}. `, make("small", {}, `It ${kills}`)));
    // The squares of the others step back.
    const point = (on) => squares.forEach((each) => each.classList.toggle("faint", on && each.dataset.solution !== String(number)));
    for (const event of ["mouseenter", "focus"]) item.addEventListener(event, () => point(true));
    for (const event of ["mouseleave", "blur"]) item.addEventListener(event, () => point(false));
    return item;
  }));
}
