import { expect, it } from "vitest";
import type { RailEntry } from "../../rails/entries/rail-entry.ts";
import type { RailItem } from "../../rails/entries/rail-item.ts";
import {
  type AccountCandidate,
  type Candidates,
  nameKey,
  type OrderCandidate,
  type QuoteCandidate,
  suggestionsFor,
} from "./suggestions.ts";

const BANK = "bank";

function item(more: Partial<RailItem> = {}): RailItem {
  return {
    id: "item",
    connectionId: BANK,
    entryId: "entry",
    accountId: null,
    transactionId: null,
    paymentId: null,
    suggestedPaymentId: null,
    reason: "UNREFERENCED",
    direction: "CREDIT",
    currency: "USD",
    amountMinor: 12_500n,
    state: "OPEN",
    agedDays: 0,
    jobId: null,
    resolution: null,
    resolvedAt: null,
    createdAt: 0,
    ...more,
  };
}

const entry = (more: Partial<RailEntry> = {}) =>
  ({ id: "entry", payer: { name: "Ana Ruiz" }, remittance: null, ...more }) as RailEntry;

const account = (id: string, more: Partial<AccountCandidate> = {}): AccountCandidate => ({
  ...{ id, currency: "USD", isOpen: true, name: `Holder of ${id}`, detail: null },
  ...more,
});
const quote = (id: string, more: Partial<QuoteCandidate> = {}): QuoteCandidate => ({
  ...{ id, currency: "USD", amountMinor: 12_500n, isWaiting: true, name: "Bo Lind", detail: null },
  ...more,
});
const order = (id: string, more: Partial<OrderCandidate> = {}): OrderCandidate => ({
  ...{ id, connectionId: BANK, direction: "OUT", currency: "USD", amountMinor: 12_500n },
  ...{ name: "Jonas Berg", reference: "FL1", isReturnable: false },
  ...more,
});

const NONE: Candidates = {
  ...{ accounts: new Map(), quotes: new Map(), orders: [], addresses: [], seen: [], named: [] },
};
const byId = <Row extends { readonly id: string }>(...rows: readonly Row[]) =>
  new Map(rows.map((row) => [row.id, row]));
const NO_REFERENCES = { exact: [], near: [] };

const suggested = (
  candidates: Partial<Candidates>,
  of: Partial<Parameters<typeof suggestionsFor>[0]> = {},
) =>
  suggestionsFor(
    { item: item(), entry: entry(), references: NO_REFERENCES, ...of },
    { ...NONE, ...candidates },
  ).map(({ part, reasons }) => [part.kind, part.id, reasons.map(({ reason }) => reason).join("+")]);

it("puts the account of a reference with a wrong character before one where the payer was seen", () => {
  const candidates = {
    accounts: byId(account("right"), account("usual")),
    addresses: [{ reference: "FLX", accountId: "right", quoteId: null }],
    seen: Array.from({ length: 12 }, () => ({ name: "Ana Ruiz", accountId: "usual" })),
  };
  expect(suggested(candidates, { references: { exact: [], near: ["FLX"] } })).toEqual([
    ["ACCOUNT", "right", "NEAR_REFERENCE"],
    ["ACCOUNT", "usual", "PAYER_SEEN"],
  ]);
});

it("suggests both accounts of two references, and a reference before a near one", () => {
  const addresses = ["FLA", "FLB", "FLC"].map((reference) => ({
    ...{ reference, accountId: reference, quoteId: null },
  }));
  const accounts = byId(account("FLC"), account("FLA"), account("FLB"));
  const references = { exact: ["FLA", "FLB"], near: ["FLC"] };
  expect(suggested({ accounts, addresses }, { references })).toEqual([
    ["ACCOUNT", "FLA", "REFERENCE"],
    ["ACCOUNT", "FLB", "REFERENCE"],
    ["ACCOUNT", "FLC", "NEAR_REFERENCE"],
  ]);
});

it.each([
  ["a closed account", { isOpen: false }],
  ["an account in another currency", { currency: "EUR" }],
])("does not suggest %s", (_name, more) => {
  const accounts = byId(account("one", more));
  const seen = [{ name: "Ana Ruiz", accountId: "one" }];
  expect(suggested({ accounts, seen })).toEqual([]);
});

it("suggests the account where the payer was seen most often first", () => {
  const seen = ["b", "a", "b"].map((accountId) => ({ name: "RUIZ ANA", accountId }));
  expect(suggested({ accounts: byId(account("a"), account("b")), seen })).toEqual([
    ["ACCOUNT", "b", "PAYER_SEEN"],
    ["ACCOUNT", "a", "PAYER_SEEN"],
  ]);
});

it("suggests the account of a customer with the payer's name, and of no other customer", () => {
  const named = [
    { name: "Ana Ruiz", accountId: "a" },
    { name: "Ana Maria Ruiz", accountId: "b" },
  ];
  expect(suggested({ accounts: byId(account("a"), account("b")), named })).toEqual([
    ["ACCOUNT", "a", "CUSTOMER_NAME"],
  ]);
});

it("suggests nothing by name for a line without a payer", () => {
  const candidates = {
    accounts: byId(account("a")),
    seen: [{ name: "", accountId: "a" }],
    named: [{ name: "", accountId: "a" }],
  };
  expect(suggested(candidates, { entry: entry({ payer: null }) })).toEqual([]);
});

it("suggests quotes that wait for exactly this amount, the payer's own first", () => {
  const quotes = byId(
    quote("other"),
    quote("own", { name: "Ana Ruiz" }),
    quote("more", { amountMinor: 12_501n }),
    quote("over", { isWaiting: false }),
    quote("euro", { currency: "EUR" }),
  );
  expect(suggested({ quotes })).toEqual([
    ["QUOTE", "own", "QUOTE_AMOUNT+CUSTOMER_NAME"],
    ["QUOTE", "other", "QUOTE_AMOUNT"],
  ]);
});

it("does not suggest a quote of a near reference for another amount", () => {
  const candidates = {
    quotes: byId(quote("one", { amountMinor: 1n })),
    addresses: [{ reference: "FLX", accountId: null, quoteId: "one" }],
  };
  expect(suggested(candidates, { references: { exact: [], near: ["FLX"] } })).toEqual([]);
});

it("suggests for money that left an order of this amount, the payee's own first", () => {
  const out = { item: item({ direction: "DEBIT" }), entry: entry({ payer: null }) };
  const named = { ...out, entry: entry({ payer: null, remittance: "to JONAS BERG" }) };
  const orders = [
    order("bo", { name: "Bo Lind" }),
    order("jonas"),
    order("elsewhere", { connectionId: "another bank" }),
    order("less", { amountMinor: 12_499n }),
    order("pull", { direction: "PULL" }),
  ];
  expect(suggested({ orders }, named)).toEqual([
    ["PAYMENT", "jonas", "ORDER_AMOUNT+CUSTOMER_NAME"],
    ["PAYMENT", "bo", "ORDER_AMOUNT"],
  ]);
});

it("suggests for a credit a collection of this amount, and a return only of a named order", () => {
  const orders = [
    order("collected", { direction: "PULL" }),
    order("paid", { isReturnable: true }),
    order("named", { isReturnable: true, amountMinor: 12_600n }),
  ];
  const of = { item: item({ suggestedPaymentId: "named" }) };
  expect(suggested({ orders }, of)).toEqual([
    ["PAYMENT", "named", "NAMED_ORDER"],
    ["PAYMENT", "collected", "ORDER_AMOUNT"],
  ]);
  const [first] = suggestionsFor(
    { ...of, entry: entry(), references: NO_REFERENCES, item: of.item },
    { ...NONE, orders },
  );
  expect(first?.part).toEqual({ kind: "PAYMENT", id: "named", outcome: "RETURNED" });
});

it("suggests the account that held money is for first", () => {
  const held = item({ state: "HELD", accountId: "a", reason: "ABOVE_CEILING" });
  const seen = Array.from({ length: 20 }, () => ({ name: "Ana Ruiz", accountId: "b" }));
  const accounts = byId(account("b"), account("a"));
  expect(suggested({ accounts, seen }, { item: held })[0]).toEqual([
    "ACCOUNT",
    "a",
    "NAMED_ACCOUNT",
  ]);
});

it("suggests at most three, and nothing for an item that is resolved", () => {
  const ids = ["a", "b", "c", "d"];
  const accounts = byId(...ids.map((id) => account(id)));
  const seen = ids.map((accountId) => ({ name: "Ana Ruiz", accountId }));
  expect(suggested({ accounts, seen })).toHaveLength(3);
  expect(suggested({ accounts, seen }, { item: item({ state: "RESOLVED" }) })).toEqual([]);
});

it.each([
  ["Ana Ruiz", "ANA RUIZ"],
  ["Ana Ruiz", "Ruiz, Ana"],
  ["Ana Ruiz", "Mrs. Ana  Ruíz"],
  ["Søren Müller", "SØREN MULLER"],
  ["O'Brien Ltd", "o'brien ltd."],
])("takes %s and %s for one name", (one, other) => {
  expect(nameKey(one)).toBe(nameKey(other));
});

it.each([
  ["Ana Ruiz", "Ana Maria Ruiz"],
  ["Ana Ruiz", "Anna Ruiz"],
  ["Ana Ruiz", ""],
])("takes %s and %s for two", (one, other) => {
  expect(nameKey(one)).not.toBe(nameKey(other));
});
