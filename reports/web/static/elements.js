// Elements of the page, made and found.

export const byId = (id) => document.getElementById(id);

export function make(tag, fields = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(fields)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function draw(tag, fields = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(fields)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function parseSvg(text) {
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}

export function button(text, act, fields = {}) {
  const element = make("button", { type: "button", ...fields }, text);
  element.addEventListener("click", act);
  return element;
}

// Scroll a list, and nothing else: scrollIntoView would also move the page, and where Tab goes on from.
export function keepInView(list, item) {
  const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}
