import fc from "fast-check";
import { expect, it } from "vitest";
import { createFairShare } from "./fair-share.ts";

it("a key takes at most as many units as it leaves to the others", () => {
  const share = createFairShare({ total: 100, mostOf: (left) => left });
  expect(share.take("greedy", 40)).toBe("taken");
  expect(share.take("greedy", 11)).toBe("key-full");
  expect(share.take("greedy", 10)).toBe("taken");
  expect(share.take("other", 25)).toBe("taken");
  share.giveBack("greedy", 50);
  expect(share.take("other", 12)).toBe("taken");
});

it("the limit of a key is reported before that of all keys", () => {
  const share = createFairShare({ total: 1, mostOf: () => 1 });
  expect(share.take("a")).toBe("taken");
  expect(share.take("a")).toBe("key-full");
  expect(share.take("b")).toBe("full");
  share.giveBack("a");
  expect(share.take("b")).toBe("taken");
});

it("units in use never exceed the total, and all of them come back", () => {
  const request = fc.record({ key: fc.constantFrom("a", "b", "c"), units: fc.nat({ max: 9 }) });
  fc.assert(
    fc.property(fc.array(request), (requests) => {
      const share = createFairShare({ total: 20, mostOf: () => 15 });
      const taken = requests.filter(({ key, units }) => share.take(key, units) === "taken");
      expect(taken.reduce((sum, { units }) => sum + units, 0)).toBeLessThanOrEqual(20);
      for (const { key, units } of taken) share.giveBack(key, units);
      expect(share.take("a", 15)).toBe("taken");
      expect(share.take("b", 5)).toBe("taken");
    }),
  );
});
