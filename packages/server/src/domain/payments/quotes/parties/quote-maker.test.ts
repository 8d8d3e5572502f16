import { expect, it } from "vitest";
import { decided } from "../../../../../test/kit/decided.ts";
import { PLATFORM } from "../../../../../test/kit/payment-rows.ts";
import type { Command } from "../../../../engine/command.ts";
import { type Asserter, asserterOf, isSame, onBehalfOfMaker } from "./quote-maker.ts";

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

const probe: Command<Asserter | null, readonly Asserter[]> = {
  name: "probe",
  needs: () => [],
  decide: (world, maker) => [
    asserterOf(world),
    onBehalfOfMaker(world, { maker }, () => asserterOf(world)),
    asserterOf(world),
  ],
};

it.each([
  ["its maker", { by: "token a", people: ["p", "q"] }],
  ["the actor of the command, without a maker", null],
] as const)("orders of a quote are asked for by %s", (_who, maker) => {
  const { output = [] } = decided({
    command: probe,
    input: maker,
    platformId: PLATFORM,
    tables: [],
  });
  const [before, during, after] = output;
  expect(during).toEqual(maker ?? before);
  expect(after).toEqual(before);
});
