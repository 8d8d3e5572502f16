/**
 * Every regular expression of the product takes time that grows with its input, not with its square. Each is run against
 * long texts that almost fit: a character that the expression names, over and over, before an end that does not fit.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sampleOf } from "./kit/sample.ts";

const packages = fileURLToPath(new URL("../../", import.meta.url));
const sources = ["server/src", "client/src"].flatMap((folder) =>
  readdirSync(join(packages, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => join(packages, folder, name)),
);

interface Found {
  readonly place: string;
  readonly expression: RegExp;
}

/** A literal where an expression can begin; a slash behind a name, a number or a bracket divides. */
const LITERAL =
  /(?<=(?:[=([{,;:!&|?+]|=>|\breturn|\bcase|^)\s*)\/(?![/*])((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/gm;
/** The pattern of a schema, which its validator compiles with the flag `u`. */
const PATTERN = /\bpattern: ("(?:[^"\\\n]|\\.)*")/g;

function expressionsIn(text: string, place: string): readonly Found[] {
  const code = text
    .split("\n")
    .map((line) => (/^\s*(\*|\/\/|\/\*)/.test(line) ? "" : line))
    .join("\n");
  const literals = [...code.matchAll(LITERAL)].map(
    ([, source = "", flags = ""]) => new RegExp(source, flags.replace("g", "")),
  );
  const patterns = [...code.matchAll(PATTERN)].map(
    ([, quoted = '""']) => new RegExp(JSON.parse(quoted) as string, "u"),
  );
  return [...literals, ...patterns].map((expression) => ({ place, expression }));
}

const PREFIXES = ["", "a", "a:", "a=", "a;", '"', "a@", "1", "http://a", "<a"];
const ENDINGS = ["\u0000", "\n"];
const USUAL = [..." \ta0.-_,;:/=\"'@%\\"];

/** What is repeated: each character that the expression names, those that classes stand for, and pairs of them. */
function pieces({ source }: RegExp): readonly string[] {
  const named = [...new Set(source.replaceAll(/\\[dwsbBDWS]/g, ""))].filter(
    (character) => !/[\\^$()[\]{}?*+|]/.test(character),
  );
  const singles = [...new Set([...USUAL, ...named.slice(0, 24)])];
  const few = singles.slice(0, 10);
  return [...singles, ...few.flatMap((one) => few.map((other) => one + other))];
}

function msFor(expression: RegExp, text: string): number {
  expression.lastIndex = 0;
  const from = performance.now();
  expression.test(text);
  return performance.now() - from;
}

const SHORT = 200;
const LONG = 10 * SHORT;
/** What takes less for the long text is fast whatever its growth; a clock and a busy machine blur the rest. */
const NOTICED_MS = 0.3;
const MOST_GROWTH = 15;
/** What takes more for the long text is slow whatever its growth, and is not measured again. */
const TOO_SLOW_MS = 500;

interface Wrapping {
  readonly prefix: string;
  readonly ending: string;
}

const WRAPPINGS: readonly Wrapping[] = PREFIXES.flatMap((prefix) =>
  ENDINGS.map((ending) => ({ prefix, ending })),
);
const PLAIN: readonly Wrapping[] = [{ prefix: "", ending: "!" }];

/** The text whose tenfold length takes more than fifteen times as long; undefined when there is none. */
function slowText(expression: RegExp): string | undefined {
  for (const piece of pieces(expression)) {
    for (const { prefix, ending } of piece.length === 1 ? WRAPPINGS : PLAIN) {
      const textOf = (length: number) =>
        prefix + piece.repeat(Math.ceil(length / piece.length)) + ending;
      const first = msFor(expression, textOf(LONG));
      if (first < NOTICED_MS) continue;
      if (first > TOO_SLOW_MS) return JSON.stringify({ prefix, piece, ending, long: first });
      const least = (length: number) =>
        Math.min(...[1, 2, 3].map(() => msFor(expression, textOf(length))));
      const [short, long] = [least(SHORT), least(LONG)];
      if (long >= NOTICED_MS && long > MOST_GROWTH * short)
        return JSON.stringify({ prefix, piece, ending, short, long });
    }
  }
  return undefined;
}

const all = sources.flatMap((path) =>
  expressionsIn(readFileSync(path, "utf8"), relative(packages, path)),
);

describe("the expressions of the source", () => {
  it("are found: literals and patterns of schemas, in every layer", () => {
    expect(all.length).toBeGreaterThan(150);
    expect(new Set(all.map(({ place }) => place)).size).toBeGreaterThan(60);
  });

  it("take time in proportion to what they are run against", () => {
    const slow = sampleOf(all).flatMap(({ place, expression }) => {
      const text = slowText(expression);
      return text === undefined ? [] : [`${place}: ${expression} ${text}`];
    });
    expect(slow).toEqual([]);
  });
});

describe("an expression that is known to be slow", () => {
  it.each(sampleOf([/^[ \t]*;?[ \t]*$/, /^a:[ \t]*(.*?)[ \t]*$/, /(\s+)x$/, /^a*a*x$/]))(
    "is found by its growth: %s",
    (expression) => expect(slowText(expression)).toBeDefined(),
  );

  it("is found in the source, and a division is not mistaken for one", () => {
    const found = expressionsIn(
      'const a = /x+$/.test(b);\nconst c = d / e / f;\npattern: "^y+$"',
      "p",
    );
    expect(found.map(({ expression }) => expression.source)).toEqual(["x+$", "^y+$"]);
  });
});
