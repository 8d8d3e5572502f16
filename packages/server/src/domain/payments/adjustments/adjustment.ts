/** An adjustment: a correction of an account's balance against the `adjustments` account of its currency. It is posted for good. */
import { toWireId } from "../../../std/ids.ts";
import { countedBy, currencyFacet } from "../../../tables/facets.ts";
import { defineTable, fixed } from "../../../tables/tables.ts";

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

export interface Adjustment {
  readonly id: string;
  readonly accountId: string;
  readonly direction: AdjustmentDirection;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly reasonCode: AdjustmentReason;
  readonly note: string;
  readonly documentId: string | null;
  readonly approvalId: string;
  /** A wire id of a person or a token. */
  readonly requestedBy: string;
  readonly createdAt: number;
}

export const adjustments = defineTable<Adjustment>(
  "adjustments",
  {
    id: fixed("uuid"),
    accountId: fixed("uuid"),
    direction: fixed("text"),
    amountMinor: fixed("int8"),
    currency: fixed("text"),
    reasonCode: fixed("text"),
    note: fixed("text"),
    documentId: fixed("uuid"),
    approvalId: fixed("uuid"),
    requestedBy: fixed("text"),
    createdAt: fixed("time"),
  },
  { isFinal: () => true, counted: countedBy<Adjustment>(currencyFacet) },
);

export function toAdjustmentId(id: string): string {
  return toWireId("Adjustment", id);
}

export interface AdjustmentSubject {
  readonly kind: "adjustment";
  readonly id: string;
  readonly adjustment: Adjustment;
}
