/** Every text that a page shows is in a catalogue, and the texts of the first page, with no others, are in the first one. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { wordsInMarkup } from "../../server/test/kit/syntax.ts";

const own = fileURLToPath(new URL("../", import.meta.url));
const source = join(own, "src");
const sources = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name) && !/\.(test|d)\.ts$/.test(name))
  .map((name) => join(source, name));
const textOf = new Map(sources.map((path) => [path, readFileSync(path, "utf8")]));

const keysOf = (name: string) =>
  Object.keys(JSON.parse(readFileSync(join(own, "messages", name), "utf8")));
const first = keysOf("en-first.json");
const others = keysOf("en.json");

/** The beginnings of keys that are made from a value: `wordOf("rail", …)`, "t(`theme.${theme}`)". */
const MADE_KEYS =
  /\bwordOf\("([\w.]+)"|\bstateChoices\([^;]*?"([a-z][\w.]*)"\)|\bt\(`([a-z][\w.]*)\.\$\{/gs;

/** The keys that the code of these files shows. */
function shownIn(paths: readonly string[], keys: readonly string[]): readonly string[] {
  const code = paths.map((path) => textOf.get(path) ?? "").join("\n");
  const made = [...code.matchAll(MADE_KEYS)].map((match) => match[1] ?? match[2] ?? match[3]);
  const begins = ["state", ...made].map((name) => `${name}.`);
  return keys.filter(
    (key) => code.includes(`"${key}"`) || begins.some((begin) => key.startsWith(begin)),
  );
}

/** The files of the way in and of Home, with all that they import, and not by a call of `import`. */
function filesOfFirstPage(): readonly string[] {
  const reached = new Set<string>();
  const open = ["main.tsx", "pages/people/entry/entry-pages.tsx"].map((name) => join(source, name));
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    const text = textOf.get(path) ?? "";
    const names = text.matchAll(
      /^(?:import|export)\s(?!type\b)[^;]*?from\s+"(\.[^"]+)"|^import "(\.[^"]+)"/gms,
    );
    for (const [, from, whole] of names) {
      const target = join(dirname(path), from ?? whole ?? "");
      if (textOf.has(target)) open.push(target);
      else expect(existsSync(target) ? "" : `${relative(own, path)}: ${target}`).toBe("");
    }
  }
  return [...reached];
}

describe("texts of the console", () => {
  it("come from a catalogue: no words between tags or in attributes", () => {
    const strays = sources.flatMap((path) =>
      wordsInMarkup(textOf.get(path) ?? "", path).map(
        ({ line, text }) => `${relative(own, path)}:${line} ${text}`,
      ),
    );
    expect(strays).toEqual([]);
  });

  it("are all used, and each stands in one catalogue", () => {
    const keys = [...first, ...others];
    const used = new Set(shownIn(sources, keys));
    expect(keys.filter((key) => !used.has(key))).toEqual([]);
    expect(others.filter((key) => first.includes(key))).toEqual([]);
  });

  it("stand in en-first.json where the first page shows them, and else in en.json", () => {
    const paths = filesOfFirstPage();
    expect(paths.length).toBeGreaterThan(50);
    const shown = new Set(shownIn(paths, [...first, ...others]));
    expect(others.filter((key) => shown.has(key))).toEqual([]);
    expect(first.filter((key) => !shown.has(key))).toEqual([]);
  });

  it("are loaded with every module that is not of the first page", () => {
    const bare = sources.flatMap((path) =>
      [...(textOf.get(path) ?? "").matchAll(/^.*\bimport\("\.[^"]+\.tsx"\).*$/gm)]
        .filter(([line]) => !line.includes("later(") && !path.endsWith("/routes.tsx"))
        .map(([line]) => `${relative(own, path)}: ${line.trim()}`),
    );
    expect(bare).toEqual([]);
  });
});
