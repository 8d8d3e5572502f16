/**
 * A receivable: what a holder owes because a collected payment was taken back after its money was spent. It is collected from the account
 * as money arrives, paid by money in suspense, or written off from the platform's own funds.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import { Refusal, wrongState } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import { toWireId } from "../../../std/ids.ts";
import { countedBy, stateFacet } from "../../../tables/facets.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { listerOf } from "../../../tables/list-query.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import type { RailPayment } from "../orders/rail-payment.ts";

export const receivableStates = ["OPEN", "COLLECTED", "WRITTEN_OFF"] as const;
/** WRITTEN_OFF: at least a part of it was written off. */
export type ReceivableState = (typeof receivableStates)[number];

const columns = {
  id: fixed("uuid"),
  connectionId: fixed("uuid"),
  /** The order that was taken back. */
  paymentId: fixed("uuid"),
  transactionId: fixed("uuid"),
  accountId: fixed("uuid"),
  /** Null when the platform itself owes the money. */
  customerId: fixed<string | null>("uuid"),
  currency: fixed("text"),
  /** The sum of the three below. */
  amountMinor: fixed("int8"),
  openMinor: mutable("int8"),
  collectedMinor: mutable("int8"),
  writtenOffMinor: mutable("int8"),
  state: mutable<ReceivableState>("text"),
  /** Why it was written off, and by whom: `token <id>`. */
  note: mutable<string | null>("text"),
  decidedBy: mutable<string | null>("text"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface RailReceivable extends RowOf<typeof columns> {}

export const railReceivables = defineTable<RailReceivable>("rail_receivables", columns, {
  isFinal: ({ state }) => state !== "OPEN",
  counted: countedBy<RailReceivable>(stateFacet),
});

export const findReceivable = finderOf(railReceivables);
export const listReceivables = listerOf(railReceivables);

export function toReceivableId(id: string): string {
  return toWireId("RailReceivable", id);
}

export function addReceivable(
  world: World,
  of: { readonly payment: RailPayment; readonly accountId: string; readonly owedMinor: bigint },
): RailReceivable {
  const { payment, accountId, owedMinor } = of;
  return world.put(railReceivables, {
    id: world.newId(),
    connectionId: payment.connectionId,
    paymentId: payment.id,
    transactionId: present(payment.transactionId, "the transaction of a collection"),
    accountId,
    customerId: world.get(internalAccounts.ref(accountId)).customerId,
    currency: payment.currency,
    amountMinor: owedMinor,
    openMinor: owedMinor,
    collectedMinor: 0n,
    writtenOffMinor: 0n,
    state: "OPEN",
    note: null,
    decidedBy: null,
    createdAt: world.at,
    updatedAt: world.at,
  });
}

/** The receivable after this amount was collected. */
export function withCollected(
  world: World,
  receivable: RailReceivable,
  minor: bigint,
): RailReceivable {
  const openMinor = receivable.openMinor - minor;
  return world.put(railReceivables, {
    ...receivable,
    openMinor,
    collectedMinor: receivable.collectedMinor + minor,
    state: openMinor === 0n ? "COLLECTED" : "OPEN",
    updatedAt: world.at,
  });
}

/** An open receivable: REFERENCE_NOT_FOUND, or CONFLICT for one that is not open. */
export function requireOpenReceivable(world: Loaded, id: string, action: string): RailReceivable {
  const receivable = world.find(railReceivables.ref(id));
  if (receivable === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  const { state } = receivable;
  if (state !== "OPEN") {
    throw wrongState({ object: "receivable", status: state, needed: "OPEN", action });
  }
  return receivable;
}
