/** Parts of a resolution that concern an order, a receivable or another line: their checks, and their effect on the order. */
import type { World } from "../../../engine/command.ts";
import { invalidField, Refusal, wrongState } from "../../../engine/refusal.ts";
import { ledgerAccounts } from "../../../ledger/chart.ts";
import { present } from "../../../std/assert.ts";
import { hasRoomFor } from "../../accounts/internal/internal-account.ts";
import { asserterOf, refuseMaker } from "../../payments/quotes/parties/quote-maker.ts";
import { quotes } from "../../payments/quotes/quote.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import { putPayment, type RailPayment, railPayments } from "../orders/rail-payment.ts";
import { WAYS_OUT } from "../orders/rail-report.ts";
import { takeReport } from "../orders/take-report.ts";
import { railReceivables } from "../returns/rail-receivable.ts";
import { returnObstacle } from "../returns/return-rule.ts";
import { railEntries } from "./rail-entry.ts";
import { itemsOfEntry, type PartKind, type PartOutcome, type RailItem } from "./rail-item.ts";

interface PaymentPart {
  readonly minor: bigint;
  readonly paymentId: string;
  readonly outcome: PartOutcome;
}

/** Refuses a line that cannot settle or return the order as an entry that names it would. Only a returned payout may be short. */
export function refusePaymentPart(
  world: World,
  item: RailItem,
  { part, field }: { readonly part: PaymentPart; readonly field: string },
): void {
  const payment = world.find(railPayments.ref(part.paymentId));
  if (payment === undefined) {
    throw new Refusal("REFERENCE_NOT_FOUND", { field }, `${field}: names no rail payment`);
  }
  if (item.entryId === null) throw invalidField(field, "is of another order than the item");
  const isOut = payment.direction !== "PULL";
  const isSettling = part.outcome === "SETTLED";
  if (payment.direction === "BACK" && !isSettling) {
    throw invalidField(field, "names an order BACK; money that came once more is for another part");
  }
  const direction = isOut === isSettling ? "DEBIT" : "CREDIT";
  const fits =
    payment.connectionId === item.connectionId &&
    payment.currency === item.currency &&
    hasAmountOf(world, payment, part) &&
    direction === item.direction;
  if (!fits) {
    const message = `must name an order of the connection with the amount of the part; ${part.outcome} of a ${payment.direction} is a ${direction}`;
    throw invalidField(field, message);
  }
  const isPossible = isSettling
    ? canBeSettled(world, payment)
    : canBeReturned(world, payment, part.minor);
  if (isPossible) return;
  const status = payment.state;
  throw new Refusal(
    "CONFLICT",
    { field, status },
    `${field}: the order is ${status}, and cannot be ${part.outcome} by this line.`,
  );
}

function hasAmountOf(world: World, payment: RailPayment, { outcome, minor }: PaymentPart): boolean {
  const { state, amountMinor, returnedMinor } = payment;
  if (outcome === "RETURNED" && state === "RETURNED") return minor === returnedMinor;
  if (outcome === "SETTLED" || minor === amountMinor) return minor === amountMinor;
  return obstacleTo(world, payment, minor) !== "AMOUNT_DIFFERS";
}

function canBeSettled(world: World, payment: RailPayment): boolean {
  const { state, direction, settledEntryId, movesNothing } = payment;
  if (settledEntryId !== null || movesNothing) return false;
  if (state === "SETTLED" || state === "RETURNED") return true;
  if (WAYS_OUT[state].settled !== "SETTLED") return false;
  if (direction !== "PULL" || payment.transactionId === null) return true;
  const { destinationAccountId, quoteId } = world.get(transactions.ref(payment.transactionId));
  if (quoteId !== null) return true;
  const accountId = present(destinationAccountId, "the destination of a pull");
  return hasRoomFor(world.get(ledgerAccounts.ref(accountId)), payment.amountMinor);
}

function canBeReturned(world: World, payment: RailPayment, minor: bigint): boolean {
  const { state, returnedEntryId } = payment;
  if (returnedEntryId !== null) return false;
  if (state === "RETURNED") return true;
  if (WAYS_OUT[state].returned !== "RETURNED") return false;
  return obstacleTo(world, payment, minor) === undefined;
}

/** A person has judged the return, so the bounds on a rail's reports do not apply. */
function obstacleTo(world: World, payment: RailPayment, amountMinor: bigint) {
  return returnObstacle(world, payment, { amountMinor, bookedOn: undefined });
}

/** The missing part of a short return, which own funds cover, goes to the paying account or is borne by the platform. */
export function refuseShortReturnPart(
  world: World,
  { paymentId }: RailItem,
  {
    part,
    field,
  }: {
    readonly part: { readonly kind: PartKind; readonly accountId?: string };
    readonly field: string;
  },
): void {
  if (part.kind === "OWN_FUNDS") return;
  const payment = world.get(railPayments.ref(present(paymentId, "the order of a short return")));
  const { transactionId } = payment;
  const transaction =
    transactionId === null ? undefined : world.find(transactions.ref(transactionId));
  const payer = transaction?.sourceAccountId ?? undefined;
  if (part.kind === "ACCOUNT" && payer !== undefined && part.accountId === payer) return;
  const message =
    "must be OWN_FUNDS, or ACCOUNT with the account that the payment came from: own funds stand in for this money";
  throw invalidField(part.kind === "ACCOUNT" ? `${field}.accountId` : `${field}.kind`, message);
}

/** Refuses a part for a quote that the caller has made, because another person must confirm that its money came. */
export function refuseOwnQuotes(
  world: World,
  parts: readonly { readonly kind: PartKind; readonly quoteId?: string }[],
): void {
  for (const [index, { kind, quoteId }] of parts.entries()) {
    if (kind !== "QUOTE" || quoteId === undefined) continue;
    const quote = world.get(quotes.ref(quoteId));
    refuseMaker(quote, asserterOf(world), `parts[${index}].quoteId`);
  }
}

/** Reports to the order what the line says, and ties it to the entry. */
export function applyPaymentPart(world: World, item: RailItem, part: PaymentPart): void {
  const payment = world.get(railPayments.ref(part.paymentId));
  const entryId = present(item.entryId, "the entry of an item that is of an order");
  const { bankReference, bookedOn } = world.get(railEntries.ref(entryId));
  const isSettling = part.outcome === "SETTLED";
  const told = takeReport(world, payment, {
    source: "MARK",
    report: {
      status: isSettling ? "settled" : "returned",
      scheme: "MANUAL",
      code: undefined,
      text: undefined,
      reference: bankReference,
      settledOn: bookedOn,
      amountMinor: part.minor,
    },
  });
  const tie = isSettling ? { settledEntryId: entryId } : { returnedEntryId: entryId };
  putPayment(world, { ...told, ...tie, isConflict: false });
}

export function refuseReceivablePart(
  world: World,
  item: RailItem,
  part: { readonly receivableId: string; readonly minor: bigint; readonly field: string },
): void {
  const { receivableId, minor, field } = part;
  const receivable = world.find(railReceivables.ref(receivableId));
  if (receivable === undefined) {
    throw new Refusal("REFERENCE_NOT_FOUND", { field }, `${field}: names no receivable`);
  }
  const { state, currency, openMinor } = receivable;
  if (item.direction === "DEBIT") {
    throw invalidField(field, "cannot be paid from money that went out; use OWN_FUNDS");
  }
  if (currency !== item.currency) {
    throw invalidField(field, `is in ${currency}, the item in ${item.currency}`);
  }
  if (state !== "OPEN") {
    throw wrongState({ object: "receivable", status: state, needed: "OPEN", action: "paid" });
  }
  if (minor > openMinor) throw invalidField(field, `has ${openMinor} open, less than ${minor}`);
}

/** A duplicate is the whole of the item, and another entry of the connection with the same direction, currency and amount. */
export function refuseOtherLine(
  world: World,
  item: RailItem,
  {
    part,
    field,
  }: {
    readonly part: { readonly entryId: string; readonly minor: bigint };
    readonly field: string;
  },
): void {
  const entry = world.find(railEntries.ref(part.entryId));
  if (entry === undefined) {
    throw new Refusal("REFERENCE_NOT_FOUND", { field }, `${field}: names no rail entry`);
  }
  const isSameLine =
    item.entryId !== null &&
    entry.id !== item.entryId &&
    entry.connectionId === item.connectionId &&
    entry.direction === item.direction &&
    entry.currency === item.currency &&
    entry.amountMinor === item.amountMinor &&
    part.minor === item.amountMinor;
  if (!isSameLine) {
    throw invalidField(
      field,
      "must name another entry of the connection with the direction, currency and amount of the whole item",
    );
  }
  const others = world.all(itemsOfEntry.of(entry.id));
  const isUndone = others.some(({ resolution }) =>
    resolution?.parts.some(({ kind }) => kind === "DUPLICATE_OF"),
  );
  // Two lines that undo each other would leave the money of both out of the books.
  if (isUndone) throw invalidField(field, "names an entry that is a duplicate itself");
}
