import { assert } from "../std/assert.ts";

/**
 * Splits a total by weight into parts that sum to it. Each part is its exact share rounded down or up; the units left
 * over go to the parts that lost most, the earlier one first. A part of weight zero is zero.
 */
export function allocate(total: bigint, weights: readonly bigint[]): readonly bigint[] {
  if (total < 0n) return allocate(-total, weights).map((part) => (part === 0n ? 0n : -part));
  assert(
    weights.every((weight) => weight >= 0n),
    "no weight is negative",
  );
  const sum = weights.reduce((left, right) => left + right, 0n);
  assert(sum > 0n, "some weight is positive");

  const shares = weights.map((weight, index) => ({
    index,
    part: (total * weight) / sum,
    rest: (total * weight) % sum,
  }));
  const given = shares.reduce((left, share) => left + share.part, 0n);
  const neediest = [...shares].sort((left, right) => {
    if (left.rest === right.rest) return left.index - right.index;
    return left.rest > right.rest ? -1 : 1;
  });
  const lucky = new Set(neediest.slice(0, Number(total - given)).map((share) => share.index));
  return shares.map((share) => (lucky.has(share.index) ? share.part + 1n : share.part));
}
