/**
 * A hold sets money of an internal account aside for a payment that comes later. It lowers the available balance by what is left of it, and
 * leaves the total as it is: its money is in `in-flight`, as that of a payment under way, so an account cannot go below zero by a capture.
 *
 * OPEN       its money can be captured, in parts, or released
 * CAPTURED   all of it was captured, or the last capture released the rest
 * RELEASED   what was left of it is available again
 * EXPIRED    released by its job, because its time has passed
 *
 * Each move of its money is committed with the change of its row, so a crash leaves both or none.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import { Refusal, wrongState } from "../../../engine/refusal.ts";
import { ledgerAccounts, systemAccount } from "../../../ledger/chart.ts";
import { toWireId } from "../../../std/ids.ts";
import { countedBy, statusFacet } from "../../../tables/facets.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { listerOf } from "../../../tables/list-query.ts";
import { type AnyRef, defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import { emitBalance, internalAccounts } from "../../accounts/internal/internal-account.ts";
import type { Metadata } from "../../metadata.ts";

export const holdStatuses = ["OPEN", "CAPTURED", "RELEASED", "EXPIRED"] as const;
export type HoldStatus = (typeof holdStatuses)[number];

const columns = {
  id: fixed("uuid"),
  accountId: fixed("uuid"),
  currency: fixed("text"),
  amountMinor: fixed("int8"),
  capturedMinor: mutable("int8"),
  status: mutable<HoldStatus>("text"),
  expiresAt: fixed("time"),
  /** The job that ends it; null once it has ended. */
  expiryJobId: mutable<string | null>("uuid"),
  description: fixed<string | null>("text"),
  metadata: fixed<Metadata | null>("json"),
  /** The payments that captured it, oldest first. */
  transactionIds: mutable<readonly string[]>("json"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface Hold extends RowOf<typeof columns> {}

export const holds = defineTable<Hold>("holds", columns, {
  isFinal: ({ status }) => status !== "OPEN",
  metadataOf: ({ metadata }) => metadata,
  counted: countedBy<Hold>(statusFacet),
});

export const findHold = finderOf(holds);
export const listHolds = listerOf(holds);

export function toHoldId(id: string): string {
  return toWireId("Hold", id);
}

/** What is held of it at this moment. */
export function heldMinorOf({ status, amountMinor, capturedMinor }: Hold): bigint {
  return status === "OPEN" ? amountMinor - capturedMinor : 0n;
}

export interface HoldSubject {
  readonly kind: "Hold";
  readonly id: string;
  readonly hold: Hold;
}

export function holdSubject(hold: Hold): HoldSubject {
  return { kind: "Hold", id: toHoldId(hold.id), hold };
}

/** The rows of a hold that ends. */
export function holdNeeds(world: Loaded, holdId: string): readonly AnyRef[] {
  const ref = holds.ref(holdId);
  const hold = world.find(ref);
  return hold === undefined ? [ref] : [ref, ...moneyNeeds(hold)];
}

/** The rows that a move between an account and what is held of it touches. */
export function moneyNeeds({
  accountId,
  currency,
}: Pick<Hold, "accountId" | "currency">): readonly AnyRef[] {
  return [
    internalAccounts.ref(accountId),
    ledgerAccounts.ref(accountId),
    systemAccount("in-flight", currency),
  ];
}

/**
 * REFERENCE_NOT_FOUND; CONFLICT for a hold that has ended. One whose time has passed counts as EXPIRED although its job has not run.
 */
export function requireOpenHold(world: World, id: string, action: string): Hold {
  const hold = world.find(holds.ref(id));
  if (hold === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  const isTooOld = hold.status === "OPEN" && world.at >= hold.expiresAt;
  const status = isTooOld ? "EXPIRED" : hold.status;
  if (status === "OPEN") return hold;
  throw wrongState({ object: "hold", status, needed: "OPEN", action });
}

/** Makes this much of what is held available. */
export function releaseMoney(
  world: World,
  { accountId, currency }: Pick<Hold, "accountId" | "currency">,
  minor: bigint,
): void {
  world.post({
    reason: "hold.release",
    legs: [
      { system: "in-flight", currency, minor: -minor, heldFor: accountId },
      { account: accountId, minor },
    ],
  });
}

/** Ends an open hold: what is left of it is available again. A frozen account gets it too, because the money is its own. */
export function endHold(world: World, hold: Hold, status: "RELEASED" | "EXPIRED"): Hold {
  releaseMoney(world, hold, heldMinorOf(hold));
  const ended = world.put(holds, { ...hold, status, ...ending(world, hold) });
  if (status === "RELEASED") world.emit("HOLD.RELEASED", holdSubject(ended));
  else world.emit("HOLD.EXPIRED", holdSubject(ended));
  emitBalance(world, hold.accountId);
  return ended;
}

/** The members of a hold that has ended; cancels the job of its expiry. */
export function ending(world: World, { expiryJobId }: Hold) {
  if (expiryJobId !== null) world.cancel(expiryJobId);
  return { expiryJobId: null, updatedAt: world.at };
}
