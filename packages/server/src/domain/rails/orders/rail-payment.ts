/**
 * A rail payment: one order to one connection. The commit that accepts the payment fixes everything that the order needs; its id is the
 * idempotency key outside. Only a report decides its outcome; a missing answer never does.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { toIso } from "../../../std/clock.ts";
import { toWireId } from "../../../std/ids.ts";
import type { JsonObject } from "../../../std/json.ts";
import { countedBy, stateFacet } from "../../../tables/facets.ts";
import { defineLookup, defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import type { OrderInvoice } from "../../payments/carrier/carrier.port.ts";
import { type Asserter, asserterOf } from "../../payments/quotes/parties/quote-maker.ts";
import { type Transaction, transactions } from "../../payments/transactions/transaction.ts";
import type { OrderDirection } from "../connections/rail-connection.ts";

export const railPaymentStates = [
  // Waits for a second token before it may be sent.
  "HELD",
  "QUEUED",
  "SENDING",
  "UNKNOWN",
  "SENT",
  "ACCEPTED",
  "SETTLED",
  "RETURNED",
  "DECLINED",
  "CANCELLED",
] as const;
export type RailPaymentState = (typeof railPaymentStates)[number];

/** States in which a report is still awaited. */
export const openStates: readonly RailPaymentState[] = [
  "HELD",
  "QUEUED",
  "SENDING",
  "UNKNOWN",
  "SENT",
  "ACCEPTED",
];

export function isOpen({ state }: Pick<RailPayment, "state">): boolean {
  return openStates.includes(state);
}

/** Whether the order waits here, so that it can be cancelled without asking anybody. */
export function isUnsent({ state }: Pick<RailPayment, "state">): boolean {
  return state === "HELD" || state === "QUEUED";
}

/** The account at the other end, as it was when the payment was accepted. */
export type Counterparty = {
  readonly accountType: string;
  readonly accountInfo: JsonObject;
  readonly name: string | null;
  readonly identifierMasked: string;
};

/** Who reported: a connector, an entry of the account outside, a person, or this server itself. */
export const reportSources = ["CONNECTOR", "CALLBACK", "ENTRY", "MARK", "SERVER"] as const;
export type ReportSource = (typeof reportSources)[number];

export type LastReport = {
  readonly status: string;
  readonly scheme: string;
  readonly code?: string;
  readonly text?: string;
  readonly at: string;
  readonly source: ReportSource;
};

export type HistoryLine = {
  readonly state: string;
  readonly at: string;
  /** `token <id>`, `worker <kind>` and so on. */
  readonly by: string;
  readonly why: string;
  /** Of a mark: what the person noted. */
  readonly note?: string;
};

export type Recall = {
  readonly state: "REQUESTED" | "REFUSED" | "DONE";
  readonly reason: string;
  readonly note?: string;
  readonly at: string;
};

const columns = {
  id: fixed("uuid"),
  /** Null for a return of money that belonged to no transaction. */
  transactionId: fixed<string | null>("uuid"),
  connectionId: mutable("uuid"),
  /** Null when no route chose the connection: a person named it, or the order returns money through it. */
  routeId: mutable<string | null>("uuid"),
  direction: fixed<OrderDirection>("text"),
  paymentRail: fixed("text"),
  currency: fixed("text"),
  amountMinor: fixed("int8"),
  counterparty: fixed<Counterparty>("json"),
  /** Our account at the bank, copied from the connection. */
  ours: mutable<JsonObject>("json"),
  reference: fixed("text"),
  remittance: fixed<string | null>("text"),
  /** Null unless it pays an invoice of another institution. */
  invoice: fixed<OrderInvoice | null>("json"),
  /** The people behind the actor of the first line of `history`; null when there are none. */
  people: fixed<readonly string[] | null>("json"),
  /** `YYYY-MM-DD` */
  requestedOn: fixed("text"),
  state: mutable<RailPaymentState>("text"),
  /** A report contradicts what was recorded: a person must decide. */
  isConflict: mutable("bool"),
  bankReference: mutable<string | null>("text"),
  sentAt: mutable<number | null>("time"),
  /** Where it was first sent: it is never sent anywhere else. */
  sentTo: mutable<string | null>("text"),
  settledOn: mutable<string | null>("text"),
  /** The entries of the external account that show its settlement and its return. */
  settledEntryId: mutable<string | null>("uuid"),
  returnedEntryId: mutable<string | null>("uuid"),
  /** The settlement was reported but moved nothing, because no account could take the money. */
  movesNothing: mutable("bool"),
  /** The amount that reports and marks moved on the external account and no entry has confirmed yet. See `untoldOf`. */
  untoldMinor: mutable("int8"),
  /** The returned amount; null before a return. Less than the amount when a bank kept a charge. */
  returnedMinor: mutable<bigint | null>("int8"),
  /** For a collection: the banking days that its money is held after settlement, copied from the connection at acceptance. */
  holdDays: fixed("int4"),
  /** When the hold of a settled collection ends. */
  heldUntil: mutable<number | null>("time"),
  /** The job that credits it then; null while it is not held. */
  releaseJobId: mutable<string | null>("uuid"),
  lastReport: mutable<LastReport | null>("json"),
  history: mutable<readonly HistoryLine[]>("json"),
  recall: mutable<Recall | null>("json"),
  /** For a return: the item whose money goes back, and the entry that brought the money. */
  itemId: fixed<string | null>("uuid"),
  originalEntryId: fixed<string | null>("uuid"),
  /** The job that sends it or asks about it; null while it waits for its connection, or for people. */
  jobId: mutable<string | null>("uuid"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface RailPayment extends RowOf<typeof columns> {}

export const railPayments = defineTable<RailPayment>("rail_payments", columns, {
  isFinal: (payment) => !isOpen(payment),
  counted: countedBy<RailPayment>(stateFacet),
});

export const paymentOfTransaction = defineLookup(railPayments, { by: "transactionId" });

/** Who asked for an order that this command makes. */
export function orderedBy({ actor: { people = [] } }: World): Pick<RailPayment, "people"> {
  return { people: people.length === 0 ? null : people };
}

/** Who asked for the order, and so does not release it. Of an order that no caller asked for, the actor that moves it now. */
export function askerOf(world: World, { history, people }: RailPayment): Asserter {
  const by = history[0]?.by;
  if (by === undefined || by.startsWith("worker ")) return asserterOf(world);
  return { by, people: people ?? [] };
}

/** Beyond this, the oldest lines except the first are dropped, so that endless reports cannot fill a row. */
const MOST_HISTORY = 50;

/** The history line that records that the order may have left; it occurs at most once. */
export const ORDER_SENT = "the order is sent";

/** The payment in this state, with the line of its history. */
export function withState(
  world: World,
  payment: RailPayment,
  change: {
    readonly state: RailPaymentState;
    readonly why: string;
    readonly note?: string | undefined;
  },
): RailPayment {
  const { state, why, note } = change;
  const line: HistoryLine = {
    state,
    at: toIso(world.at),
    by: `${world.actor.kind} ${world.actor.id}`,
    why,
    ...(note === undefined ? {} : { note }),
  };
  const [first, ...others] = payment.history;
  const kept = first === undefined ? [] : [first, ...others.slice(2 - MOST_HISTORY)];
  return { ...payment, state, history: [...kept, line] };
}

export function putPayment(world: World, payment: RailPayment): RailPayment {
  return world.put(railPayments, {
    ...payment,
    untoldMinor: untoldOf(payment),
    updatedAt: world.at,
  });
}

/**
 * A payout debits the external account when it settles and credits it when it is returned; a collection does the reverse. For a BACK order
 * only the settlement counts: if its money comes in again, an entry alone books that.
 */
function untoldOf(payment: RailPayment): bigint {
  const { state, direction, amountMinor, returnedMinor, movesNothing } = payment;
  if ((state !== "SETTLED" && state !== "RETURNED") || movesNothing) return 0n;
  const sign = direction === "PULL" ? 1n : -1n;
  const settledMinor = payment.settledEntryId === null ? sign * amountMinor : 0n;
  if (direction === "BACK") return settledMinor;
  const backMinor = payment.returnedEntryId === null ? sign * (returnedMinor ?? 0n) : 0n;
  return settledMinor - backMinor;
}

export function requirePayment(world: Loaded, id: string): RailPayment {
  const payment = world.find(railPayments.ref(id));
  if (payment === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  return payment;
}

export function toRailPaymentId(id: string): string {
  return toWireId("RailPayment", id);
}

/** The end-to-end reference that banks carry through: 32 characters, within the 35 of the shortest bank field. */
export function endToEndIdOf(id: string): string {
  return id.replaceAll("-", "").toUpperCase();
}

/** Adds to the transaction the references that identify the order at its bank. */
export function showOrder(
  world: World,
  { id, reference, bankReference }: Pick<RailPayment, "id" | "reference" | "bankReference">,
  transaction: Transaction,
): Transaction {
  const reconciliationInstructions = {
    reference: transaction.reference ?? reference,
    endToEndId: endToEndIdOf(id),
    ...(bankReference === null ? {} : { bankReference }),
  };
  const outcome = { ...transaction.outcome, reconciliationInstructions };
  return world.put(transactions, { ...transaction, outcome, updatedAt: world.at });
}

/** The id in an end-to-end reference; undefined for any other text. */
export function idOfEndToEndId(text: string): string | undefined {
  const digits = /^[0-9A-F]{32}$/.exec(text)?.[0]?.toLowerCase();
  return digits?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const WITHIN_TEXT = /(?<![0-9A-Z])[0-9A-F]{8}-?(?:[0-9A-F]{4}-?){3}[0-9A-F]{12}(?![0-9A-Z])/i;

/** The first id in a text that a person may have written, in small letters or with hyphens too. */
export function endToEndIdIn(text: string): string | undefined {
  const [found] = WITHIN_TEXT.exec(text) ?? [];
  return found === undefined ? undefined : idOfEndToEndId(endToEndIdOf(found));
}

/** All but the last four characters are hidden. */
export function maskedIdentifier(identifier: string): string {
  return `…${identifier.slice(-4)}`;
}

export interface RailPaymentSubject {
  readonly kind: "RailPayment";
  readonly id: string;
  readonly payment: RailPayment;
}

export function railPaymentSubject(payment: RailPayment): RailPaymentSubject {
  return { kind: "RailPayment", id: toRailPaymentId(payment.id), payment };
}
