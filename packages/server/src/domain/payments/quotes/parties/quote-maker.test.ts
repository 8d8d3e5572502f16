import { expect, it } from "vitest";
import { isSame } from "./quote-maker.ts";

it.each([
  ["the same token", ["token a", []], ["token a", []], true],
  ["another token of no known person", ["token a", []], ["token b", []], false],
  ["a token of the person", ["person p", ["p"]], ["token b", ["p"]], true],
  ["a token with the same root", ["token a", ["r", "a"]], ["token b", ["r", "b"]], true],
  ["an agent of another person", ["person p", ["p"]], ["agent c", ["q"]], false],
] as const)("%s", (_what, [by, people], [otherBy, otherPeople], expected) => {
  expect(isSame({ by, people }, { by: otherBy, people: otherPeople })).toBe(expected);
  expect(isSame({ by: otherBy, people: otherPeople }, { by, people })).toBe(expected);
});
