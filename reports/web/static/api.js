// Questions to the server. Each can be given up by a signal, which stops what the server does for it.

export class Problem extends Error {}

async function fail(response) {
  let detail = `the server answers ${response.status}`;
  try {
    detail = (await response.json()).detail || detail;
  } catch {
    // an answer that is no problem object
  }
  throw new Problem(detail);
}

const address = (path, fields) => `${path}?${new URLSearchParams(fields)}`;

export async function ask(path, fields, signal) {
  const response = await fetch(address(path, fields), { signal });
  if (!response.ok) await fail(response);
  return response.json();
}

export async function askText(path, fields, signal) {
  const response = await fetch(address(path, fields), { signal });
  if (!response.ok) await fail(response);
  return response.text();
}

// The lines of a stream of text, one by one.
async function* linesOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    yield* lines;
  }
  if (rest) yield rest;
}

// The events of an analysis: [name, object].
export async function* analyze(fields, signal) {
  const response = await fetch(address("/analyze", fields), { signal, headers: { Accept: "text/event-stream" } });
  if (!response.ok) await fail(response);
  let name = "";
  for await (const line of linesOf(response)) {
    if (line.startsWith("event: ")) name = line.slice(7);
    if (line.startsWith("data: ")) {
      const data = JSON.parse(line.slice(6));
      if (name === "problem") throw new Problem(data.detail);
      yield [name, data];
    }
  }
}

// Verdicts on many positions, in their order.
export async function* solveMany(positions, signal) {
  const body = positions.map((each) => JSON.stringify(each)).join("\n");
  const response = await fetch("/solve", { method: "POST", body, signal });
  if (!response.ok) await fail(response);
  for await (const line of linesOf(response)) if (line) yield JSON.parse(line);
}

export const stopSearch = (id) => fetch(`/searches/${id}`, { method: "DELETE" });
