/** Reports of a rail, and a table with the next state for each report in each state. */
import type { PaidChannel } from "../../job-kinds.ts";
import type { FailureReason } from "../../payments/transactions/failure.ts";
import type { RailPaymentState } from "./rail-payment.ts";

export const reportStatuses = [
  "sent",
  "accepted",
  "settled",
  "declined",
  "returned",
  "cancelled",
  "unknown",
  "not-received",
  // The rail has another order under this id.
  "conflict",
] as const;
export type ReportStatus = (typeof reportStatuses)[number];

export interface RailReport {
  readonly status: ReportStatus;
  readonly scheme: "CONNECTOR" | "MANUAL";
  /** The code and text that the rail sent. */
  readonly code: string | undefined;
  readonly text: string | undefined;
  /** The rail's reference of the payment. */
  readonly reference: string | undefined;
  /** `YYYY-MM-DD` */
  readonly settledOn: string | undefined;
  /** Undefined: the whole amount. */
  readonly amountMinor: bigint | undefined;
  /** Of an order that paid an invoice: the channels over which the payment went, where the connector tells them. */
  readonly channels?: readonly PaidChannel[] | undefined;
  /** Of a mark: what the person noted for the history of the order. */
  readonly note?: string | undefined;
}

/** The report for an order that is cancelled here before it was sent. */
export const CANCELLED_REPORT: RailReport = {
  status: "cancelled",
  scheme: "MANUAL",
  code: undefined,
  text: undefined,
  reference: undefined,
  settledOn: undefined,
  amountMinor: undefined,
};

/** The code under which an order is cancelled whose invoice lapsed before it was sent. */
const LAPSED = "TM01";

/** The report for an order whose invoice lapsed before it was sent. */
export const LAPSED_REPORT: RailReport = {
  ...CANCELLED_REPORT,
  code: LAPSED,
  text: "The invoice lapsed before the order was sent.",
};

/** The next state; `same`: nothing new; `conflict`: it contradicts what was recorded, and a person decides. */
export type Verdict = RailPaymentState | "same" | "conflict";

type Row = Readonly<Record<ReportStatus, Verdict>>;

/** No outcome was reported yet, so that any outcome is accepted. */
const UNDER_WAY: Row = {
  sent: "SENT",
  accepted: "ACCEPTED",
  settled: "SETTLED",
  declined: "DECLINED",
  returned: "RETURNED",
  cancelled: "DECLINED",
  unknown: "same",
  "not-received": "same",
  conflict: "conflict",
};

/** The money of declined and cancelled payments was refunded. A late `accepted` is ignored. */
const GIVEN_BACK: Row = {
  sent: "same",
  accepted: "same",
  settled: "conflict",
  declined: "same",
  returned: "conflict",
  cancelled: "same",
  unknown: "same",
  "not-received": "same",
  conflict: "conflict",
};

/** The order was never sent. A report is about another order, or about one lost by the restore of an older backup. */
const HELD: Row = {
  sent: "conflict",
  accepted: "conflict",
  settled: "conflict",
  declined: "conflict",
  returned: "conflict",
  cancelled: "CANCELLED",
  unknown: "same",
  "not-received": "same",
  conflict: "conflict",
};

export const WAYS_OUT: Readonly<Record<RailPaymentState, Row>> = {
  HELD,
  // A report about an order that was not sent comes from a person, or after an older backup was restored.
  QUEUED: { ...UNDER_WAY, cancelled: "CANCELLED" },
  SENDING: UNDER_WAY,
  UNKNOWN: UNDER_WAY,
  SENT: { ...UNDER_WAY, sent: "same", "not-received": "conflict" },
  ACCEPTED: { ...UNDER_WAY, sent: "same", accepted: "same", "not-received": "conflict" },
  SETTLED: {
    sent: "same",
    accepted: "same",
    settled: "same",
    declined: "conflict",
    returned: "RETURNED",
    cancelled: "conflict",
    unknown: "same",
    "not-received": "conflict",
    conflict: "conflict",
  },
  RETURNED: {
    sent: "same",
    accepted: "same",
    settled: "same",
    declined: "same",
    returned: "same",
    cancelled: "same",
    unknown: "same",
    "not-received": "same",
    conflict: "conflict",
  },
  DECLINED: GIVEN_BACK,
  CANCELLED: { ...GIVEN_BACK, sent: "conflict", accepted: "conflict" },
};

/** Codes by which the rail calls the order a duplicate: it may have been paid before, so it is not declined. */
const DUPLICATE_CODES: ReadonlySet<string> = new Set(["DUPL", "AM05"]);

export function isDuplicateReport({ status, code }: RailReport): boolean {
  return status === "declined" && code !== undefined && DUPLICATE_CODES.has(code.toUpperCase());
}

/** The layer whose payments fail under a reason of their own. */
const LIGHTNING = "ln";

const OUT_REASONS: readonly (readonly [FailureReason, RegExp])[] = [
  ["ACCOUNT_INVALID", /^(AC0[12347]|AC13|RC0[14]|BE0[4-7])$/],
  ["ACCOUNT_CANNOT_RECEIVE", /^(AC06|AC14|AG0[12]|BE01|MD07|MS0[23]|SL(0[1-9]|1[0-2]))$/],
  ["COMPLIANCE_REJECTED", /^(RR0[1-4]|RR12|FR01)$/],
  ["LIMIT_EXCEEDED", /^(AM02|AM14|AM21)$/],
];

/**
 * The public failure reason for a code of ISO 20022; any other code gets the general reason of its direction, or of the layer of the invoice
 * that was to be paid.
 */
export function failureReasonOf(
  direction: "OUT" | "PULL",
  { status, code = "" }: Pick<RailReport, "status" | "code">,
  layer?: string,
): FailureReason {
  if (status === "cancelled" && code === LAPSED) return "QUOTE_EXPIRED";
  if (status === "returned") return direction === "OUT" ? "PAYOUT_RETURNED" : "COLLECTION_FAILED";
  const listed = OUT_REASONS.find(([, codes]) => codes.test(code.toUpperCase()));
  if (listed !== undefined) return listed[0];
  if (layer === LIGHTNING) return "LIGHTNING_PAYMENT_FAILED";
  return direction === "PULL" ? "COLLECTION_FAILED" : "COUNTERPARTY_POST_TX_FAILED";
}
