/** An adjustment: a correction of an account's balance against the `adjustments` account of its currency. It is posted for good. */
import { toWireId } from "../../../std/ids.ts";
import { countedBy, currencyFacet } from "../../../tables/facets.ts";
import { listerOf } from "../../../tables/list-query.ts";
import { defineTable, fixed, type RowOf } from "../../../tables/tables.ts";

export const adjustmentReasons = [
  "ERROR_CORRECTION",
  "GOODWILL",
  "FEE_REVERSAL",
  "CHARGE",
  "WRITE_OFF",
  "OTHER",
] as const;
export type AdjustmentReason = (typeof adjustmentReasons)[number];

export const adjustmentDirections = ["CREDIT", "DEBIT"] as const;
export type AdjustmentDirection = (typeof adjustmentDirections)[number];

const columns = {
  id: fixed("uuid"),
  accountId: fixed("uuid"),
  direction: fixed<AdjustmentDirection>("text"),
  amountMinor: fixed("int8"),
  currency: fixed("text"),
  reasonCode: fixed<AdjustmentReason>("text"),
  note: fixed("text"),
  documentId: fixed<string | null>("uuid"),
  approvalId: fixed("uuid"),
  /** A wire id of a person or a token. */
  requestedBy: fixed("text"),
  createdAt: fixed("time"),
};

export interface Adjustment extends RowOf<typeof columns> {}

export const adjustments = defineTable<Adjustment>("adjustments", columns, {
  isFinal: () => true,
  counted: countedBy<Adjustment>(currencyFacet),
});

export const listAdjustments = listerOf(adjustments);

export function toAdjustmentId(id: string): string {
  return toWireId("Adjustment", id);
}

export interface AdjustmentSubject {
  readonly kind: "Adjustment";
  readonly id: string;
  readonly adjustment: Adjustment;
}
