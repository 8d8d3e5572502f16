import { expect, it } from "vitest";
import { quoteTransaction } from "../../../../test/kit/payment-rows.ts";
import { queuedOrder } from "../../../../test/kit/rail-rows.ts";
import type { RailEntry } from "../../rails/entries/rail-entry.ts";
import type { RailItem } from "../../rails/entries/rail-item.ts";
import type { RailPayment } from "../../rails/orders/rail-payment.ts";
import { partiesOfTransaction } from "./payment-parties.ts";
import { partiesOfItem, partiesOfOrder } from "./rail-parties.ts";

const id = "019a4f00-0000-7000-8000-000000000001";
const token = { kind: "TOKEN", id };
const account = { kind: "INTERNAL_ACCOUNT", id };
const counterparty = {
  accountType: "USD_ACCOUNT",
  accountInfo: { bankName: "First Example Bank" },
  name: "Bo Lind",
  identifierMasked: "…6789",
};
const bo = { kind: "OUTSIDE", name: "Bo Lind", bank: "First Example Bank", lastFour: "6789" };

const line = (more: Partial<RailEntry> = {}) =>
  ({
    payer: { name: "Ana Ruiz", account: "123456789" },
    remittance: "Invoice 17",
    ...more,
  }) as RailEntry;
const ana = { kind: "OUTSIDE", name: "Ana Ruiz", lastFour: "123456789", remittance: "Invoice 17" };

const item = (more: Partial<RailItem> = {}) =>
  ({ direction: "CREDIT", accountId: null, resolution: null, ...more }) as RailItem;
const resolved = (...parts: readonly object[]) =>
  ({ parts, note: "known", by: `token ${id}` }) as unknown as RailItem["resolution"];

it.each(["OUT", "PULL"] as const)("an order %s has the parties of its payment", (direction) => {
  expect(partiesOfOrder({ ...queuedOrder, direction }, quoteTransaction)).toEqual(
    partiesOfTransaction(quoteTransaction),
  );
});

it.each([
  ["of a quote", quoteTransaction],
  ["of no payment", undefined],
])("money that goes back, %s, goes to who had paid it", (_name, transaction) => {
  const history = [{ state: "QUEUED", at: "", by: `token ${id}`, why: "money goes back" }];
  const order: RailPayment = { ...queuedOrder, direction: "BACK", counterparty, history };
  const parties = { from: { kind: "PLATFORM" }, to: bo, by: token };
  expect(partiesOfOrder(order, transaction)).toEqual(parties);
  expect(partiesOfOrder({ ...order, history: [] }, transaction).by).toBeUndefined();
});

it.each([
  ["a credit", item(), { from: ana }],
  ["a credit that is held for an account", item({ accountId: id }), { from: ana, to: account }],
  ["a debit", item({ direction: "DEBIT" }), { to: ana }],
  [
    "a credit that was given to an account",
    item({ resolution: resolved({ kind: "ACCOUNT", accountId: `InternalAccount:${id}` }) }),
    { from: ana, to: account, by: token },
  ],
  [
    "a credit that was divided",
    item({
      resolution: resolved({ kind: "ACCOUNT", accountId: `InternalAccount:${id}` }, { kind: "FX" }),
    }),
    { from: ana, by: token },
  ],
])("the parties of %s", (_name, row, parties) => {
  expect(partiesOfItem(row, { line: line() })).toEqual(parties);
});

it("an item has what the bank told, or the payee from whom its order came back", () => {
  const told = (more: Partial<RailEntry>) => partiesOfItem(item(), { line: line(more) }).from;
  expect(told({ payer: null, remittance: null, reference: "FL1" })).toEqual({
    kind: "OUTSIDE",
    remittance: "FL1",
  });
  expect(partiesOfItem(item(), { counterparty }).from).toEqual(bo);
  expect(partiesOfItem(item(), {}).from).toEqual({
    kind: "OUTSIDE",
  });
});
