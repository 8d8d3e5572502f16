import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textsAt } from "./json-digits.ts";

const escaped = (name: string | number) => String(name).replaceAll("~", "~0").replaceAll("/", "~1");

/** Every string and number of a value, by its pointer. */
function leavesOf(value: unknown, at = ""): readonly (readonly [string, string])[] {
  if (typeof value === "string") return [[at, value]];
  if (typeof value === "number") return [[at, JSON.stringify(value)]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    leavesOf(member, `${at}/${escaped(name)}`),
  );
}

describe("the texts of a document", () => {
  it("are found at every pointer, whatever the document and its spaces", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(undefined, 2, "\t"), (text, space) => {
        // `JSON.parse` makes -0 of "-0", which is written as 0.
        const value: unknown = JSON.parse(JSON.stringify(JSON.parse(text)));
        const leaves = leavesOf(value).filter(([pointer]) => pointer !== "");
        const found = textsAt(
          JSON.stringify(value, null, space),
          leaves.map(([pointer]) => pointer),
        );
        expect([...found].sort()).toEqual([...new Map(leaves)].sort());
      }),
      { numRuns: 1_000 },
    );
  });

  it("keep the digits of numbers", () => {
    const text =
      '{ "a": [ 1.08500000000000000000000000001 , 1e400, -0 ], "b": { "a": 12345678901234567890 } }';
    const found = textsAt(text, [
      "/a/0",
      "/a/1",
      "/a/2",
      "/b/a",
      "/a",
      "/b",
      "/c",
      "/a/3",
      "/a/0/1",
    ]);
    expect(Object.fromEntries(found)).toEqual({
      "/a/0": "1.08500000000000000000000000001",
      "/a/1": "1e400",
      "/a/2": "-0",
      "/b/a": "12345678901234567890",
    });
  });

  it("are none of what is no text and no number, nor of members that every object has", () => {
    const text = '{"a":null,"b":true,"c":{},"d":[]}';
    const pointers = ["/a", "/b", "/c", "/d", "/toString", "/__proto__", "/d/length"];
    expect(textsAt(text, pointers).size).toBe(0);
  });
});
