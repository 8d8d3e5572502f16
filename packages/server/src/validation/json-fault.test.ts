import fc from "fast-check";
import { expect, it } from "vitest";
import { findJsonFault } from "./json-fault.ts";

it.each<readonly [text: string, line: number, column: number, isAtEnd: boolean]>([
  ['{"a":1,}', 1, 8, false],
  ['{"a":1\n "b":2}', 2, 2, false],
  ['{\n  "a": tru\n}', 2, 11, false],
  ["{'a':1}", 1, 2, false],
  ['{"a":01}', 1, 7, false],
  ['{"a":"x\ny"}', 1, 8, false],
  ['{"a":"\\x"}', 1, 7, false],
  ['{"a":1}}', 1, 8, false],
  ['{"a":[1,2', 1, 10, true],
  ['{"a":"x', 1, 8, true],
  ["{", 1, 2, true],
  ["hello", 1, 1, false],
])("%j stops being JSON at line %d, column %d", (text, line, column, isAtEnd) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(findJsonFault(text)).toEqual({ line, column, isAtEnd });
});

it("finds no fault before the end of a text that JSON.parse takes", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const { isAtEnd } = findJsonFault(text);
      expect(isAtEnd).toBe(true);
    }),
  );
});

it("finds a place in any text that was cut or changed", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom("", "}", "x", '"', ","), (json, at, put) => {
      const cut = at % (json.length + 1);
      const { line, column } = findJsonFault(json.slice(0, cut) + put + json.slice(cut + 1));
      expect(line >= 1 && column >= 1).toBe(true);
    }),
  );
});
