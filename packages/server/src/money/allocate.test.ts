import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Bug } from "../std/assert.ts";
import { allocate } from "./allocate.ts";

const weights = fc
  .array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 12 })
  .filter((each) => each.some((weight) => weight > 0n));
const totals = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n });

describe("allocate", () => {
  it.each<[total: bigint, weights: readonly bigint[], parts: readonly bigint[]]>([
    [100n, [1n, 1n, 1n], [34n, 33n, 33n]],
    [5n, [3n, 7n], [2n, 3n]],
    [1n, [1n, 2n], [0n, 1n]],
    [0n, [1n, 2n], [0n, 0n]],
    [7n, [5n], [7n]],
    [10n, [0n, 1n, 0n], [0n, 10n, 0n]],
    [-100n, [1n, 1n, 1n], [-34n, -33n, -33n]],
  ])("splits %s by %s", (total, by, parts) => {
    expect(allocate(total, by)).toEqual(parts);
  });

  it("gives parts that sum to the whole", () => {
    fc.assert(
      fc.property(totals, weights, (total, by) => {
        expect(allocate(total, by).reduce((left, right) => left + right, 0n)).toBe(total);
      }),
    );
  });

  it("keeps every part within one unit of its exact share", () => {
    fc.assert(
      fc.property(totals, weights, (total, by) => {
        const sum = by.reduce((left, right) => left + right, 0n);
        const parts = allocate(total, by);
        by.forEach((weight, index) => {
          const error = (parts[index] ?? 0n) * sum - total * weight;
          expect((error < 0n ? -error : error) < sum).toBe(true);
        });
      }),
    );
  });

  it("gives nothing to a weight of zero, and no less to a larger weight", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), weights, (total, by) => {
        const parts = allocate(total, by);
        by.forEach((weight, i) => {
          if (weight === 0n) expect(parts[i]).toBe(0n);
          by.forEach((other, j) => {
            if (weight > other) expect((parts[i] ?? 0n) >= (parts[j] ?? 0n)).toBe(true);
          });
        });
      }),
    );
  });

  it("needs a positive weight and no negative one", () => {
    expect(() => allocate(1n, [])).toThrow(Bug);
    expect(() => allocate(1n, [0n])).toThrow(Bug);
    expect(() => allocate(1n, [2n, -1n])).toThrow(Bug);
  });
});
