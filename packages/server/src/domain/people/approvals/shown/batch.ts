/** The facts that people are shown of a batch of payments: what it comes to, its largest items, and payees that are new. */
import type { Names } from "./members.ts";
import type { ShownFact } from "./shown.ts";
import { amountOf } from "./words.ts";

/** An item of the batch; `to` is the wire id of the account that it pays. */
export interface ShownItem {
  readonly reference: string;
  readonly to: string;
  readonly minor: bigint;
  /** Undefined for a source account that does not exist, whose item will be refused. */
  readonly currency: string | undefined;
}

export interface ShownBatch {
  readonly items: readonly ShownItem[];
  /** Wire ids of accounts that nothing was paid to before. */
  readonly newPayees: readonly string[];
}

export const MOST_SHOWN_ITEMS = 10;

/** The items with the largest amounts. */
export function largestOf(items: readonly ShownItem[]): readonly ShownItem[] {
  return items
    .toSorted((left, right) => Number(right.minor - left.minor))
    .slice(0, MOST_SHOWN_ITEMS);
}

export function batchFacts({ items, newPayees }: ShownBatch, names: Names): readonly ShownFact[] {
  const amount = ({ minor, currency }: ShownItem) => amountOf(minor, currency ?? "");
  return [
    order("amount", "Amount", totalsOf(items).join(", ")),
    order("count", "Payments", String(items.length)),
    order(
      "newPayees",
      "New payees",
      newPayees.length === 0 ? "None" : `${newPayees.length}, paid for the first time`,
    ),
    ...largestOf(items).map(
      (item, place): ShownFact => ({
        key: `largest.${place}`,
        group: "PAYEE",
        label: place === 0 ? "Largest payments" : `Largest payments, ${place + 1}`,
        personal: `${amount(item)} to ${names.get(item.to) ?? item.to}, ${item.reference}${newPayees.includes(item.to) ? ", new" : ""}`,
      }),
    ),
  ];
}

function order(key: string, label: string, value: string): ShownFact {
  return { key, group: "ORDER", label, value };
}

function totalsOf(items: readonly ShownItem[]): readonly string[] {
  const sums = new Map<string, bigint>();
  for (const { currency, minor } of items) {
    if (currency !== undefined) sums.set(currency, (sums.get(currency) ?? 0n) + minor);
  }
  return [...sums].map(([currency, minor]) => amountOf(minor, currency));
}
