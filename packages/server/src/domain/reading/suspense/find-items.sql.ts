/** Items in suspense by what a person types: words of the payer, of the remittance and of references, or an amount. No index serves it. */
import { connectionCurrencies } from "../../../money/currency.ts";
import type { Reads } from "../../../postgres/database.ts";
import { type Condition, type ListPage, tableSource } from "../../../tables/list-query.ts";
import { type SearchedQuery, searchRows } from "../../../tables/list-search.ts";
import { type RailItem, railItems } from "../../rails/entries/rail-item.ts";
import { amountsIn } from "../search/amounts.ts";
import { fold } from "../search/terms.ts";

const MOST_WORDS = 6;

/** Without `withPersonal` nothing counts that is masked: not what the payer is called, what he has written, or what the bank calls the line. */
export function searchItems(
  reads: Reads,
  query: Omit<SearchedQuery, "fits">,
  sought: { readonly text: string; readonly withPersonal: boolean },
): Promise<ListPage<RailItem>> {
  return searchRows(reads, tableSource(railItems), { ...query, fits: [whenTold(sought)] });
}

/** An item of an order that came back has no line: its payee and its reference count. */
function whenTold({
  text,
  withPersonal,
}: {
  readonly text: string;
  readonly withPersonal: boolean;
}): Condition {
  const words = text.trim().toLowerCase().split(/\s+/u).slice(0, MOST_WORDS);
  const amounts = amountsMeant(text);
  const own = `(?::text[])[1:${words.length}]`;
  const line = "concat_ws(' ', e.payer ->> 'name', e.remittance, e.reference, e.bank_reference)";
  const order = withPersonal
    ? "concat_ws(' ', p.counterparty ->> 'name', p.reference)"
    : "p.reference";
  const holdsAll = (told: string) =>
    `not exists (select from unnest(${own}) w(word) where strpos(lower(${told}), w.word) = 0)`;
  const sides = [
    `t.currency || ' ' || t.amount_minor = any ((?::text[])[${words.length + 1}:])`,
    ...(withPersonal
      ? [
          `exists (select from rail_entries e where e.platform_id = $1::uuid and e.id = t.entry_id and ${holdsAll(line)})`,
        ]
      : []),
    "t.entry_id is null and exists (select from rail_payments p where p.platform_id = $1::uuid and p.id = t.payment_id " +
      `and ${holdsAll(order)})`,
  ];
  return { sql: `(${sides.join(" or ")})`, value: [...words, ...amounts] };
}

/** The amounts that the text may mean, as `USD 301250`, in each currency that it leaves open. */
export function amountsMeant(text: string): readonly string[] {
  return amountsIn(fold(text.trim())).flatMap((meant) => {
    const [decimal = "", code = ""] = meant.slice(1).split(" ");
    return connectionCurrencies.flatMap((currency) => {
      const minor = currency.code.toLowerCase().startsWith(code)
        ? minorOf(decimal, currency.decimals)
        : undefined;
      return minor === undefined ? [] : [`${currency.code} ${minor}`];
    });
  });
}

/** Undefined for an amount that the currency has no digits for. */
function minorOf(decimal: string, decimals: number): string | undefined {
  const [whole = "", fraction = ""] = decimal.split(".");
  if (fraction.length > decimals) return undefined;
  return String(BigInt(whole + fraction.padEnd(decimals, "0")));
}
