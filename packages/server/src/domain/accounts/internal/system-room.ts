/**
 * Headroom in the system accounts. A balance is an int8. A payment settles after it is accepted, so it is accepted only while each system
 * account that it will move stays within half of that range. The other half is reserved for accepted payments that have not settled: it
 * fits 512 payments of the largest amount in one currency. A payment beyond that is refused when it settles, and then fails with a refund
 * (jobs/rails/rail-jobs.ts).
 */
import type { Loaded } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { accountNamed, type SystemAccountName } from "../../../ledger/chart.ts";
import { INT8_MAX } from "../../../ledger/postings.ts";

export interface SystemMove extends SystemAccountName {
  readonly minor: bigint;
}

const ACCEPTED_UP_TO_MINOR = INT8_MAX / 2n;

/** The first move for which its system account has no room; undefined when all fit. */
export function firstWithoutRoom(
  world: Loaded,
  moves: readonly SystemMove[],
): SystemMove | undefined {
  return moves.find((move) => {
    const balanceMinor = world.find(accountNamed(move))?.balanceMinor ?? 0n;
    const afterMinor = balanceMinor + move.minor;
    return afterMinor > ACCEPTED_UP_TO_MINOR || afterMinor < -ACCEPTED_UP_TO_MINOR;
  });
}

/** Refuses a payment for which a system account has no room: AMOUNT_OUT_OF_RANGE. */
export function refuseWithoutRoom(world: Loaded, moves: readonly SystemMove[]): void {
  const full = firstWithoutRoom(world, moves);
  if (full === undefined) return;
  const { currency } = full;
  throw new Refusal(
    "AMOUNT_OUT_OF_RANGE",
    { currency },
    `The platform's books have reached the largest total that they can count in ${currency}; no further payment in it is accepted.`,
  );
}
