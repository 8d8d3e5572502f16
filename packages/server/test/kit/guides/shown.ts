/** Compares what a guide shows with what a program printed. */

const ID = /^([A-Z][A-Za-z]+):[0-9a-f]{8}-[0-9a-f-]{27}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** The form of a text that differs from run to run. */
function formOf(text: string): string | undefined {
  return TIME.test(text) ? "time" : ID.exec(text)?.[1];
}

/**
 * What is wrong with `shown` as a part of `real`: its members are there and equal. Ids and times differ from run to run, so
 * their form counts. `…` in a text stands for any characters; a list shows its first elements.
 */
export function wrongIn(shown: unknown, real: unknown, path = "the answer"): string[] {
  if (typeof shown === "string" && typeof real === "string")
    return isSame(shown, real) ? [] : [`${path} is ${JSON.stringify(real)}`];
  if (typeof shown !== "object" || shown === null || typeof real !== "object" || real === null)
    return Object.is(shown, real) ? [] : [`${path} is ${JSON.stringify(real)}`];
  if (Array.isArray(shown) !== Array.isArray(real)) return [`${path} is ${JSON.stringify(real)}`];
  return Object.entries(shown).flatMap(([name, value]) =>
    name in real
      ? wrongIn(value, Reflect.get(real, name), `${path}.${name}`)
      : [`${path}.${name} is not there`],
  );
}

function isSame(shown: string, real: string): boolean {
  const form = formOf(shown);
  return form === undefined ? wildcard(shown).test(real) : form === formOf(real);
}

function wildcard(shown: string): RegExp {
  const parts = shown.split("…").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}

/** The lines of `shown` that the output lacks, in its order. `…` stands for any characters. */
export function missingLines(shown: string, output: string): string[] {
  const lines = output.split(/\r?\n/).map((line) => line.trim());
  let from = 0;
  return shown.split("\n").filter((line) => {
    if (line.trim() === "") return false;
    const form = wildcard(line.trim());
    const found = lines.findIndex((each, index) => index >= from && form.test(each));
    if (found !== -1) from = found + 1;
    return found === -1;
  });
}

/** The JSON that a program printed last: all of its output, or its last line. */
export function lastJson(output: string): unknown {
  const text = output.trim();
  try {
    return JSON.parse(text);
  } catch {
    try {
      return JSON.parse(text.slice(text.lastIndexOf("\n") + 1));
    } catch {
      throw new Error(`the output does not end in JSON: ${text.slice(-300)}`);
    }
  }
}
