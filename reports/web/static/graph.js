// The problem/solution graph beside the proof: what is walked through on the board stands out in it.

import { askText } from "./api.js";
import { byId, make, parseSvg } from "./elements.js";
import { shownFields } from "./state.js";
import { onWalk, walkTo } from "./why.js";

const place = byId("graph");
let svg = null;
let label = null;

export async function showGraph() {
  svg = null;
  if (!byId("graph-panel").open) return;
  place.replaceChildren("…");
  const mine = shownFields();
  try {
    const drawn = parseSvg(await askText("/graph", { ...mine, format: "svg", bare: 1 }));
    if (mine.pos !== shownFields().pos) return;
    svg = drawn;
    // Its style sheet is for itself alone.
    const frame = make("div");
    frame.attachShadow({ mode: "open" }).append(svg);
    place.replaceChildren(frame);
    [...svg.querySelectorAll("g[data-tag]")].forEach((box, number) => {
      box.style.cursor = "pointer";
      box.addEventListener("click", () => walkTo(number + 1));
    });
    follow();
  } catch (error) {
    place.replaceChildren(make("p", {}, error.message));
  }
}

// Of all that belongs to other solutions only a shadow is left.
function follow() {
  if (!svg) return;
  const problems = new Set([...svg.querySelectorAll("path[data-tag]")].filter((line) => line.dataset.tag === label).map((line) => line.dataset.problem));
  for (const each of svg.querySelectorAll("[data-tag],[data-problem]")) {
    const isOurs = each.dataset.tag ? each.dataset.tag === label : problems.has(each.dataset.problem);
    each.classList.toggle("faint", label !== null && !isOurs);
  }
}

onWalk((solution) => {
  label = solution && solution.label;
  follow();
});
byId("graph-panel").addEventListener("toggle", showGraph);
