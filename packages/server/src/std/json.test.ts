import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson, withoutUndefined } from "./json.ts";

/** The same value with the keys of every object in another order. */
function shuffled(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(shuffled);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, shuffled(member)]),
  );
}

it("has one text for equal values, independent of key order", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
    }),
  );
});

it("preserves the value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      expect(JSON.parse(canonicalJson(plain))).toEqual(plain);
    }),
  );
});

it.each([
  [{ a: 1 }, { a: "1" }],
  [{ a: [1, 2] }, { a: [2, 1] }],
  [{ a: null }, {}],
  [[], {}],
  ["", null],
])("tells %j from %j", (one, other) => {
  expect(canonicalJson(one)).not.toBe(canonicalJson(other));
});

it("omits members that are undefined", () => {
  expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
  expect(Object.keys(withoutUndefined({ a: undefined, b: null, c: 0 }))).toEqual(["b", "c"]);
});
