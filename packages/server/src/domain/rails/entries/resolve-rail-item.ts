/**
 * Says what the money of an item is, once and in full:
 *
 *   ACCOUNT        it is for an internal account, which is credited: suspense → account. Only for money that came in
 *   QUOTE          it is for a quote that waits for exactly this amount, and whose payout then begins: suspense → paid-in
 *   RETURN         it goes back to its payer, whose account the entry names: an order, and suspense → clearing once that has settled
 *   PAYMENT        it settled an order, or gave it back, without naming it: suspense ↔ clearing, and the posting of the order
 *   RECEIVABLE     it pays what a holder owes: suspense → receivables. Only for money that came in
 *   FX             it is one leg of an exchange that was made at the bank: suspense ↔ fx
 *   OWN_FUNDS      it is the platform's own: a charge, interest, a top-up: suspense ↔ own-funds
 *   DUPLICATE_OF   another entry has booked the same line: the booking is undone, suspense ↔ clearing
 *   INVOICE        it is for an invoice whose payment did not take it: suspense → account, at a price. Only for money that came in
 *
 * An item that is HELD for an account is resolved in the same way, and always by two tokens, as is a RETURN to an account that a person
 * supplied. A resolution is never taken back; another posting corrects it.
 */

import type { Command, Loaded, World } from "../../../engine/command.ts";
import { invalidField, Refusal, wrongState } from "../../../engine/refusal.ts";
import { systemAccount } from "../../../ledger/chart.ts";
import type { Leg, PostingReason } from "../../../ledger/postings.ts";
import { present } from "../../../std/assert.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { internalAccounts, toInternalAccountId } from "../../accounts/internal/internal-account.ts";
import { refuseWithoutRoom } from "../../accounts/internal/system-room.ts";
import { isFundedByRails } from "../../payments/quotes/funded-outside.ts";
import { type Quote, quotes, toQuoteId } from "../../payments/quotes/quote.ts";
import { toTransactionId, transactions } from "../../payments/transactions/transaction.ts";
import { bookNeeds, countLine } from "../books/rail-book.ts";
import { railConnections } from "../connections/rail-connection.ts";
import { type Asked, askForMark, needsSecondToken } from "../marks/rail-mark.ts";
import { railPayments, toRailPaymentId } from "../orders/rail-payment.ts";
import { reportNeeds } from "../orders/take-report.ts";
import { concludeNeeds, concludeRefund, refundedBy } from "../quotes/conclude-refund.ts";
import { fundingsOfQuote } from "../quotes/quote-funding.ts";
import { addFunding, fundExactly, takeFundingNeeds } from "../quotes/take-funding.ts";
import { railReceivables, toReceivableId, withCollected } from "../returns/rail-receivable.ts";
import { railRoutings } from "../routes/routing.ts";
import {
  type Deposit,
  depositNeeds,
  depositObstacle,
  recordDeposit,
  recordReturnedDeposit,
} from "./deposit.ts";
import {
  applyInvoicePart,
  creditedTo,
  type InvoicePart,
  invoicePartNeeds,
  refuseInvoicePart,
} from "./invoice-part.ts";
import { railEntries, signedMinor, toRailEntryId } from "./rail-entry.ts";
import {
  endItem,
  isWaiting,
  itemsOfEntry,
  type PartOutcome,
  type RailItem,
  type ResolvedPart,
  railItems,
} from "./rail-item.ts";
import {
  applyPaymentPart,
  refuseOtherLine,
  refuseOwnQuotes,
  refusePaymentPart,
  refuseReceivablePart,
  refuseShortReturnPart,
} from "./resolution-parts.ts";
import { orderItemBack, type PayerDetails, returnObstacle } from "./return-item.ts";

export const MOST_PARTS = 100;

export type Part = { readonly minor: bigint } & (
  | { readonly kind: "ACCOUNT"; readonly accountId: string }
  | { readonly kind: "QUOTE"; readonly quoteId: string }
  | { readonly kind: "RETURN"; readonly details?: PayerDetails }
  | { readonly kind: "PAYMENT"; readonly paymentId: string; readonly outcome: PartOutcome }
  | { readonly kind: "RECEIVABLE"; readonly receivableId: string }
  | { readonly kind: "FX" }
  | { readonly kind: "OWN_FUNDS"; readonly label: string }
  | { readonly kind: "DUPLICATE_OF"; readonly entryId: string }
  | Omit<InvoicePart, "minor">
);

export interface ResolveRailItemInput {
  readonly itemId: string;
  readonly parts: readonly Part[];
  readonly note: string;
  /** Whether the workspace has another person who could have asked for it. */
  readonly isGuarded?: boolean;
}

/** The resolution as a waiting mark stores it; amounts are decimal strings. */
export type ResolutionRequest = {
  readonly itemId: string;
  readonly parts: readonly JsonObject[];
  readonly note: string;
};

/**
 * Waits for another token at a connection with FOUR_EYES; for a HELD item, or with details of a payer, always. Refuses, in this order: an
 * unknown item, one that is resolved, parts that do not sum to it; then of the first part at fault: an unknown account, quote or entry, an
 * account of another currency, a credit from money that went out, an account that takes none, a quote that is not PENDING or needs another
 * amount, money that cannot be ordered back, an order or a receivable that it does not fit, an entry that is not the same line or a
 * duplicate itself, books without room; then a quote of the caller's own. Accounts and receivables are judged with all parts for them
 * together.
 */
export const resolveRailItem: Command<ResolveRailItemInput, Asked<RailItem>> = {
  name: "resolve-rail-item",
  needs: resolveNeeds,
  decide(world, input) {
    const item = refuseResolution(world, input);
    const { connectionId } = item;
    const { parts, isGuarded = false } = input;
    const waits = needsSecondToken(world, connectionId) || needsTwoTokens(item, parts);
    if (waits || isGuarded) refuseOwnQuotes(world, parts);
    if (!waits) return { kind: "done", done: resolveItem(world, item, input) };
    const request = requestOf(input);
    const mark = askForMark(world, { connectionId, kind: "RESOLUTION", request });
    return { kind: "waiting", mark };
  },
};

/** A second token must agree to money above the ceiling, and to a payer's account that the first token supplied. */
function needsTwoTokens({ state }: RailItem, parts: readonly Part[]): boolean {
  return state === "HELD" || parts.some((part) => part.kind === "RETURN" && part.details);
}

/** Checks the resolution and returns the item. */
export function refuseResolution(
  world: World,
  { itemId, parts }: Pick<ResolveRailItemInput, "itemId" | "parts">,
): RailItem {
  const item = world.find(railItems.ref(itemId));
  if (item === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  const { state } = item;
  if (!isWaiting(item)) {
    const needed = "OPEN or HELD";
    throw wrongState({ object: "item", status: state, needed, action: "resolved" });
  }
  refuseOtherSum(item, parts);
  for (const index of parts.keys()) refusePart(world, item, { parts, index });
  return item;
}

/** Applies a resolution that passed the checks. */
export function resolveItem(
  world: World,
  item: RailItem,
  { parts, note }: Pick<ResolveRailItemInput, "parts" | "note">,
): RailItem {
  const resolved = parts.map((part) => resolvePart(world, item, part));
  const done = endItem(world, item, { parts: resolved, note });
  const transaction = refundedBy(world, item.transactionId);
  if (transaction !== undefined) concludeRefund(world, transaction);
  return done;
}

function requestOf({ itemId, parts, note }: ResolveRailItemInput): ResolutionRequest {
  return { itemId, parts: parts.map((part) => ({ ...part, minor: String(part.minor) })), note };
}

export function resolutionInputIn({
  itemId,
  parts,
  note,
}: ResolutionRequest): ResolveRailItemInput {
  const read = parts.map((part) => ({ ...part, minor: BigInt(String(part.minor)) }));
  return { itemId, parts: read as unknown as readonly Part[], note };
}

function resolveNeeds(world: Loaded, { itemId, parts }: ResolveRailItemInput): readonly AnyRef[] {
  const item = world.find(railItems.ref(itemId));
  const refs: AnyRef[] = [railItems.ref(itemId)];
  if (item === undefined) return refs;
  const { entryId, paymentId, connectionId, currency } = item;
  if (entryId !== null) refs.push(railEntries.ref(entryId));
  if (paymentId !== null) refs.push(...orderNeeds(world, paymentId));
  refs.push(
    railConnections.ref(connectionId),
    railRoutings.ref(world.platformId),
    systemAccount("suspense", currency, connectionId),
    ...bookNeeds(item),
    ...concludeNeeds(item.transactionId),
  );
  for (const part of parts) {
    if (part.kind === "ACCOUNT") refs.push(...depositNeeds(world, part.accountId));
    if (part.kind === "QUOTE") refs.push(...takeFundingNeeds(world, part.quoteId));
    if (part.kind === "PAYMENT") refs.push(...reportNeeds(world, part.paymentId));
    if (part.kind === "RECEIVABLE") {
      refs.push(railReceivables.ref(part.receivableId), systemAccount("receivables", currency));
    }
    if (part.kind === "FX") refs.push(systemAccount("fx", currency));
    if (part.kind === "INVOICE") refs.push(...invoicePartNeeds(world, part.invoiceId));
    if (part.kind === "DUPLICATE_OF") {
      refs.push(railEntries.ref(part.entryId), itemsOfEntry.of(part.entryId));
    }
  }
  return refs;
}

/** The order, and its transaction, which names the payer. */
function orderNeeds(world: Loaded, paymentId: string): readonly AnyRef[] {
  const transactionId = world.find(railPayments.ref(paymentId))?.transactionId ?? null;
  const ref = railPayments.ref(paymentId);
  return transactionId === null ? [ref] : [ref, transactions.ref(transactionId)];
}

function refuseOtherSum({ amountMinor, currency }: RailItem, parts: readonly Part[]): void {
  const sum = parts.reduce((total, { minor }) => total + minor, 0n);
  if (sum === amountMinor) return;
  const message = `must sum to the item's ${amountMinor} in the smallest unit of ${currency}; they sum to ${sum}`;
  throw invalidField("parts", message);
}

interface Place {
  readonly parts: readonly Part[];
  readonly index: number;
}

function refusePart(world: World, item: RailItem, { parts, index }: Place): void {
  const part = parts[index];
  if (item.reason === "SHORT_RETURN" && part !== undefined) {
    refuseShortReturnPart(world, item, { part, field: `parts[${index}]` });
  }
  switch (part?.kind) {
    case "ACCOUNT":
      refuseAccount(world, item, {
        ...{ parts, accountId: part.accountId },
        field: `parts[${index}].accountId`,
      });
      return;
    case "INVOICE":
      refuseInvoicePart(world, item, { parts, index });
      return;
    case "QUOTE":
      refuseQuote(world, item, { parts, part, field: `parts[${index}].quoteId` });
      return;
    case "RETURN":
      refuseReturn(world, item, { part, field: `parts[${index}]` });
      return;
    case "DUPLICATE_OF":
      refuseOtherLine(world, item, { part, field: `parts[${index}].entryId` });
      return;
    case "PAYMENT": {
      const isTwice = parts.findIndex((each) => isOfOrder(each, part.paymentId)) !== index;
      if (isTwice) throw invalidField(`parts[${index}].paymentId`, "is there twice");
      refusePaymentPart(world, item, { part, field: `parts[${index}].paymentId` });
      return;
    }
    case "RECEIVABLE": {
      const { receivableId } = part;
      const all = parts.filter(
        (each) => each.kind === "RECEIVABLE" && each.receivableId === receivableId,
      );
      const minor = all.reduce((total, each) => total + each.minor, 0n);
      refuseReceivablePart(world, item, {
        receivableId,
        minor,
        field: `parts[${index}].receivableId`,
      });
      return;
    }
    case "FX":
      refuseWithoutRoom(world, [
        { system: "fx", currency: item.currency, minor: signedMinor(item) },
      ]);
      return;
    case "OWN_FUNDS": {
      const { currency, connectionId } = item;
      const minor = signedMinor(item);
      refuseWithoutRoom(world, [{ system: "own-funds", currency, connectionId, minor }]);
    }
  }
}

function isOfOrder(part: Part, paymentId: string): boolean {
  return part.kind === "PAYMENT" && part.paymentId === paymentId;
}

function refuseAccount(
  world: World,
  item: RailItem,
  { parts, accountId, field }: { parts: readonly Part[]; accountId: string; field: string },
): void {
  const account = world.find(internalAccounts.ref(accountId));
  if (account === undefined) {
    throw new Refusal("REFERENCE_NOT_FOUND", { field }, `${field}: names no internal account`);
  }
  if (item.direction === "DEBIT") {
    throw invalidField(field, "cannot be credited from money that went out; use OWN_FUNDS");
  }
  if (account.currency !== item.currency) {
    throw invalidField(field, `is in ${account.currency}, the item in ${item.currency}`);
  }
  const minor = creditedTo(world, parts, accountId);
  const obstacle = depositObstacle(world, { accountId, minor });
  if (obstacle === undefined) return;
  const id = toInternalAccountId(accountId);
  const message = `${field}: the account ${obstacle.words}.`;
  throw new Refusal("CONFLICT", { field, accountId: id }, message);
}

function refuseQuote(
  world: World,
  item: RailItem,
  {
    parts,
    part,
    field,
  }: { parts: readonly Part[]; part: Extract<Part, { kind: "QUOTE" }>; field: string },
): void {
  const quote = world.find(quotes.ref(part.quoteId));
  if (quote === undefined) {
    throw new Refusal("REFERENCE_NOT_FOUND", { field }, `${field}: names no quote`);
  }
  const { status, sendingCurrency: currency, sendingMinor } = quote;
  if (item.direction === "DEBIT") throw invalidField(field, "is not funded by money that went out");
  if (item.entryId === null) {
    throw invalidField(field, "is not funded by money that came back for an order");
  }
  if (!isFundedByRails(world, quote)) {
    throw invalidField(field, "names a quote that is not funded by its payer through a connection");
  }
  const same = parts.filter((each) => each.kind === "QUOTE" && each.quoteId === quote.id);
  if (same.length > 1) throw invalidField(field, "names a quote that another part names");
  if (currency !== item.currency || part.minor !== sendingMinor) {
    throw invalidField(
      field,
      `needs exactly ${sendingMinor} in the smallest unit of ${currency}; the part has ${part.minor} of ${item.currency}`,
    );
  }
  const hasParts = world.all(fundingsOfQuote.of(quote.id)).length > 0;
  if (status === "PENDING" && !hasParts) return;
  const state = hasParts ? "has a part of its money already" : `is ${status}`;
  throw new Refusal("CONFLICT", { field, status }, `${field}: the quote ${state}.`);
}

function refuseReturn(
  world: World,
  { entryId }: RailItem,
  { part, field: path }: { part: Extract<Part, { kind: "RETURN" }>; field: string },
): void {
  const field = `${path}.kind`;
  const refuse = (obstacle: string) =>
    new Refusal("CONFLICT", { field }, `${field}: the money ${obstacle}.`);
  if (entryId === null) throw refuse("came back for an order; use ACCOUNT or OWN_FUNDS");
  const entry = world.get(railEntries.ref(entryId));
  if (part.details !== undefined && entry.payer?.account !== undefined) {
    throw invalidField(`${path}.details`, "is not needed: the entry tells the payer's account");
  }
  const obstacle = returnObstacle(world, entry, part.details);
  if (obstacle !== undefined) throw refuse(obstacle);
}

function resolvePart(world: World, item: RailItem, part: Part): ResolvedPart {
  const signed = signedMinor({ direction: item.direction, amountMinor: part.minor });
  const minor = part.minor.toString();
  const { currency, connectionId } = item;
  switch (part.kind) {
    case "ACCOUNT": {
      const { accountId } = part;
      assign(world, item, {
        reason: "suspense.assign",
        signed,
        leg: { account: accountId, minor: signed },
      });
      const transactionId = world.newId();
      depositOf(world, item, { accountId, minor: part.minor, transactionId });
      return {
        kind: "ACCOUNT",
        accountId: toInternalAccountId(accountId),
        transactionId: toTransactionId(transactionId),
        minor,
      };
    }
    case "QUOTE":
      return fundQuoteBy(world, item, world.get(quotes.ref(part.quoteId)));
    case "RETURN":
      return returnBy(world, item, part);
    case "PAYMENT": {
      const leg: Leg = { system: "clearing", currency, connectionId, minor: signed };
      assign(world, item, { reason: "suspense.assign", signed, leg });
      applyPaymentPart(world, item, part);
      const { paymentId, outcome } = part;
      return { kind: "PAYMENT", paymentId: toRailPaymentId(paymentId), outcome, minor };
    }
    case "RECEIVABLE": {
      const leg: Leg = { system: "receivables", currency, minor: signed };
      assign(world, item, { reason: "suspense.assign", signed, leg });
      const { receivableId } = part;
      withCollected(world, world.get(railReceivables.ref(receivableId)), part.minor);
      return { kind: "RECEIVABLE", receivableId: toReceivableId(receivableId), minor };
    }
    case "FX": {
      const leg: Leg = { system: "fx", currency, minor: signed };
      assign(world, item, { reason: "suspense.assign", signed, leg });
      return { kind: "FX", minor };
    }
    case "OWN_FUNDS": {
      const leg: Leg = { system: "own-funds", currency, connectionId, minor: signed };
      assign(world, item, { reason: "suspense.assign", signed, leg });
      return { kind: "OWN_FUNDS", label: part.label, minor };
    }
    case "INVOICE":
      return applyInvoicePart(world, item, part);
    case "DUPLICATE_OF": {
      const leg: Leg = { system: "clearing", currency, connectionId, minor: signed };
      assign(world, item, { reason: "suspense.undo", signed, leg });
      const entryId = present(item.entryId, "the entry of a duplicate");
      const { bookedOn, createdAt } = world.get(railEntries.ref(entryId));
      countLine(world, item, { bookedOn, createdAt, minor: -signed });
      return { kind: "DUPLICATE_OF", entryId: toRailEntryId(part.entryId), minor };
    }
  }
}

function returnBy(
  world: World,
  item: RailItem,
  { minor, details }: Extract<Part, { kind: "RETURN" }>,
): ResolvedPart {
  const entryId = present(item.entryId, "the entry of money to order back");
  const entry = world.get(railEntries.ref(entryId));
  const { id: itemId, transactionId } = item;
  const order = { itemId, amountMinor: minor, transactionId, details };
  const paymentId = toRailPaymentId(orderItemBack(world, entry, order));
  return { kind: "RETURN", paymentId, minor: minor.toString() };
}

function fundQuoteBy(world: World, item: RailItem, quote: Quote): ResolvedPart {
  const { sendingMinor: minor, sendingCurrency: currency, transactionId } = quote;
  const leg: Leg = { system: "paid-in", currency, minor };
  assign(world, item, { reason: "suspense.assign", signed: minor, leg });
  const { connectionId } = item;
  const id = present(item.entryId, "the entry of money for a quote");
  addFunding(world, quote, { id, connectionId, amountMinor: minor });
  fundExactly(world, quote);
  return {
    kind: "QUOTE",
    quoteId: toQuoteId(quote.id),
    transactionId: toTransactionId(transactionId),
    minor: minor.toString(),
  };
}

function depositOf(
  world: World,
  { entryId, paymentId }: RailItem,
  deposit: Deposit & { readonly transactionId: string },
): void {
  if (entryId !== null) {
    recordDeposit(world, world.get(railEntries.ref(entryId)), deposit);
    return;
  }
  const payment = world.get(railPayments.ref(present(paymentId, "the order of an item")));
  recordReturnedDeposit(world, payment, deposit);
}

/** Moves money out of suspense, to the account of the other leg. */
function assign(
  world: World,
  { currency, connectionId }: RailItem,
  { reason, signed, leg }: { reason: PostingReason; signed: bigint; leg: Leg },
): void {
  const suspense: Leg = { system: "suspense", currency, connectionId, minor: -signed };
  world.post({ reason, legs: [suspense, leg] });
}
