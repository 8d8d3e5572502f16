/**
 * Suggests to people what the money of an item in suspense may be for. A suggestion decides nothing: a person resolves the item, by the
 * rules of a resolution. Pure: what is looked up is bounded by `candidates.sql.ts`.
 *
 *   NAMED_ORDER     the text names this order, or the rail does
 *   NAMED_ACCOUNT   the money was for this account and is held
 *   NEAR_REFERENCE  a word of the text is within one edit of the reference of this account or quote
 *   REFERENCE       the text has the reference of this account or quote, among others
 *   QUOTE_AMOUNT    the quote waits for exactly this amount
 *   ORDER_AMOUNT    the order has exactly this amount, and no line of the bank yet
 *   PAYER_SEEN      money of a payer with this name was credited to this account before
 *   CUSTOMER_NAME   the customer, or the payee of the order, has the payer's name
 */
import type { RailEntry } from "../../rails/entries/rail-entry.ts";
import type { PartOutcome, RailItem } from "../../rails/entries/rail-item.ts";
import { fold, wordsOf } from "../search/terms.ts";

export const suggestionReasons = [
  "NAMED_ORDER",
  "NAMED_ACCOUNT",
  "NEAR_REFERENCE",
  "REFERENCE",
  "QUOTE_AMOUNT",
  "ORDER_AMOUNT",
  "PAYER_SEEN",
  "CUSTOMER_NAME",
] as const;
export type SuggestionReason = (typeof suggestionReasons)[number];

export interface Reason {
  readonly reason: SuggestionReason;
  /** Of a reference: the right one. */
  readonly reference?: string;
  /** Of a payer that was seen: how many times of the latest payments. */
  readonly count?: number;
}

export type SuggestedPart =
  | { readonly kind: "ACCOUNT"; readonly id: string }
  | { readonly kind: "QUOTE"; readonly id: string }
  | { readonly kind: "PAYMENT"; readonly id: string; readonly outcome: PartOutcome };

export interface Suggestion {
  readonly part: SuggestedPart;
  /** The customer or payee. */
  readonly name: string | null;
  /** The platform's own id of the customer, or the reference of the order. */
  readonly detail: string | null;
  readonly reasons: readonly Reason[];
}

export interface AccountCandidate {
  readonly id: string;
  readonly currency: string;
  /** Whether it can be credited. */
  readonly isOpen: boolean;
  readonly name: string | null;
  readonly detail: string | null;
}

export interface QuoteCandidate {
  readonly id: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  /** Whether it waits for its money. */
  readonly isWaiting: boolean;
  readonly name: string | null;
  readonly detail: string | null;
}

export interface OrderCandidate {
  readonly id: string;
  readonly connectionId: string;
  readonly direction: "OUT" | "PULL" | "BACK";
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly name: string | null;
  readonly reference: string;
  readonly isReturnable: boolean;
}

export interface AddressCandidate {
  readonly reference: string;
  readonly accountId: string | null;
  readonly quoteId: string | null;
}

/** An earlier credit by a payer of this name. */
export interface SeenPayer {
  readonly name: string;
  readonly accountId: string;
}

/** A customer with this name, and one of its accounts. */
export interface NamedAccount {
  readonly name: string;
  readonly accountId: string;
}

/** What was looked up for a page of items. */
export interface Candidates {
  readonly accounts: ReadonlyMap<string, AccountCandidate>;
  readonly quotes: ReadonlyMap<string, QuoteCandidate>;
  readonly orders: readonly OrderCandidate[];
  readonly addresses: readonly AddressCandidate[];
  readonly seen: readonly SeenPayer[];
  readonly named: readonly NamedAccount[];
}

/** The references in the texts of an entry: those that stand there, and those that are nearly there. */
export interface TextReferences {
  readonly exact: readonly string[];
  readonly near: readonly string[];
}

export interface SuggestedFor {
  readonly item: RailItem;
  readonly entry: RailEntry | undefined;
  readonly references: TextReferences;
}

const MOST_SUGGESTIONS = 3;

const WEIGHTS: Readonly<Record<SuggestionReason, number>> = {
  NAMED_ORDER: 100,
  NAMED_ACCOUNT: 100,
  REFERENCE: 90,
  NEAR_REFERENCE: 80,
  PAYER_SEEN: 40,
  QUOTE_AMOUNT: 35,
  ORDER_AMOUNT: 35,
  CUSTOMER_NAME: 20,
};
/** Each time that a payer was seen counts a little, so that the usual account stands before another one. */
const MOST_SEEN = 10;

/** The best suggestions, each with its reasons. Only what could be resolved so is suggested. */
export function suggestionsFor(of: SuggestedFor, candidates: Candidates): readonly Suggestion[] {
  if (of.item.state === "RESOLVED") return [];
  const isCredit = of.item.direction === "CREDIT";
  const found = [
    ...ordersFor(of, candidates),
    ...(isCredit ? [...accountsFor(of, candidates), ...quotesFor(of, candidates)] : []),
  ];
  return found
    .filter(({ reasons }) => reasons.length > 0)
    .toSorted((one, other) => weightOf(other) - weightOf(one))
    .slice(0, MOST_SUGGESTIONS);
}

function weightOf({ reasons }: Suggestion): number {
  return reasons.reduce(
    (sum, { reason, count = 0 }) => sum + WEIGHTS[reason] + Math.min(count, MOST_SEEN),
    0,
  );
}

function accountsFor(
  { item, entry, references }: SuggestedFor,
  { accounts, addresses, seen, named }: Candidates,
): readonly Suggestion[] {
  const payer = nameKey(entry?.payer?.name);
  const fitting = [...accounts.values()].filter(
    ({ currency, isOpen }) => isOpen && currency === item.currency,
  );
  return fitting.map(({ id, name, detail }) => {
    const count = seen.filter(
      (one) => one.accountId === id && payer !== "" && nameKey(one.name) === payer,
    ).length;
    const hasName = named.some(
      (one) => one.accountId === id && payer !== "" && nameKey(one.name) === payer,
    );
    const reasons: readonly Reason[] = [
      ...(item.accountId === id ? [{ reason: "NAMED_ACCOUNT" } as const] : []),
      ...referenceReasons(
        references,
        addresses.filter(({ accountId }) => accountId === id),
      ),
      ...(count > 0 ? [{ reason: "PAYER_SEEN", count } as const] : []),
      ...(hasName ? [{ reason: "CUSTOMER_NAME" } as const] : []),
    ];
    return { part: { kind: "ACCOUNT", id }, name, detail, reasons };
  });
}

function quotesFor(
  { item, entry, references }: SuggestedFor,
  { quotes, addresses }: Candidates,
): readonly Suggestion[] {
  const fitting = [...quotes.values()].filter(
    ({ currency, amountMinor, isWaiting }) =>
      isWaiting && currency === item.currency && amountMinor === item.amountMinor,
  );
  return fitting.map(({ id, name, detail }) => {
    const own = addresses.filter(({ quoteId }) => quoteId === id);
    const reasons: readonly Reason[] = [
      ...referenceReasons(references, own),
      { reason: "QUOTE_AMOUNT" },
      ...(isSameName(name, entry?.payer?.name) ? [{ reason: "CUSTOMER_NAME" } as const] : []),
    ];
    return { part: { kind: "QUOTE", id }, name, detail, reasons };
  });
}

function ordersFor({ item, entry }: SuggestedFor, { orders }: Candidates): readonly Suggestion[] {
  if (entry === undefined) return [];
  return orders.flatMap((order) => {
    const { id, name, reference, amountMinor } = order;
    const isNamed = item.suggestedPaymentId === id;
    const outcome = outcomeOf(order, item);
    const fits = order.connectionId === item.connectionId && order.currency === item.currency;
    if (outcome === undefined || !fits) return [];
    const hasAmount = amountMinor === item.amountMinor;
    // A line that came for another amount than the order cannot settle it.
    if (!hasAmount && !(isNamed && outcome === "RETURNED" && item.amountMinor < amountMinor)) {
      return [];
    }
    // A return is suggested only where the order is named: an amount alone says nothing of a return.
    if (outcome === "RETURNED" && !isNamed) return [];
    const told = [entry.payer?.name, entry.remittance].filter((text) => text != null).join(" ");
    const reasons: readonly Reason[] = [
      ...(isNamed ? [{ reason: "NAMED_ORDER" } as const] : []),
      ...(hasAmount ? [{ reason: "ORDER_AMOUNT" } as const] : []),
      ...(name !== null && hasWords(told, name) ? [{ reason: "CUSTOMER_NAME" } as const] : []),
    ];
    return [{ part: { kind: "PAYMENT", id, outcome }, name, detail: reference, reasons }];
  });
}

/** What a line of this direction is to the order; undefined when it cannot be about it. */
function outcomeOf(order: OrderCandidate, item: RailItem): PartOutcome | undefined {
  const settles = order.direction === "PULL" ? "CREDIT" : "DEBIT";
  if (item.direction === settles) return order.isReturnable ? undefined : "SETTLED";
  return order.isReturnable && order.direction !== "BACK" ? "RETURNED" : undefined;
}

function referenceReasons(
  { exact, near }: TextReferences,
  addresses: readonly AddressCandidate[],
): readonly Reason[] {
  const named = addresses.find(({ reference }) => exact.includes(reference));
  if (named !== undefined) return [{ reason: "REFERENCE", reference: named.reference }];
  const close = addresses.find(({ reference }) => near.includes(reference));
  return close === undefined ? [] : [{ reason: "NEAR_REFERENCE", reference: close.reference }];
}

/** A name without case, accents, order and titles: banks write `RUIZ ANA` for `Ana Ruiz`. */
export function nameKey(name: string | null | undefined): string {
  return nameWords(name).toSorted().join(" ");
}

const TITLES = new Set(["mr", "mrs", "ms", "dr", "herr", "frau", "sr", "sra", "mme"]);

function nameWords(name: string | null | undefined): readonly string[] {
  if (name == null) return [];
  return wordsOf(fold(name))
    .map((word) => word.replaceAll(".", ""))
    .filter((word) => word !== "" && !TITLES.has(word));
}

function isSameName(one: string | null | undefined, other: string | null | undefined): boolean {
  const key = nameKey(one);
  return key !== "" && key === nameKey(other);
}

function hasWords(text: string, name: string): boolean {
  const words = new Set(nameWords(text));
  const wanted = nameWords(name);
  return wanted.length > 0 && wanted.every((word) => words.has(word));
}
