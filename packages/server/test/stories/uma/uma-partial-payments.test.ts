/** Parts of the amount of an invoice, on a layer that takes them: they wait in suspense until they come to the amount. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { foundAfter } from "../../kit/reconciled.ts";
import type { RawAnswer } from "../../kit/story.ts";
import { balanceOf, expectStatus, transactionOf } from "../../kit/story-rails.ts";
import { openPaid, type PaidStory } from "../../kit/story-uma-paid.ts";

let at: PaidStory;
beforeAll(async () => {
  at = await openPaid({ layer: { exactAmounts: false, partialPayments: true } });
});
afterAll(() => at.close());

async function items(state: string): Promise<RawAnswer["json"][]> {
  return (await at.bank.call("GET", `/rails/items?state=${state}&limit=100`)).json.data;
}

/** An invoice of 10.00 EUR, of which two parts of a quarter came. */
async function halfPaid() {
  const { transactionId } = await at.pay();
  const amount = BigInt(at.invoiceOf(transactionId).amount);
  await at.tell(transactionId, amount / 4n);
  await at.tell(transactionId, amount / 4n);
  return { transactionId, amount };
}

const found = (edit: string) => foundAfter({ server: at.server, story: at.bank }, edit);

it("parts credit the customer once they are the amount", async () => {
  const had = await balanceOf(at.bank, at.accountId);
  const { transactionId, amount } = await halfPaid();
  expect((await transactionOf(at.bank, transactionId)).status).toBe("PENDING");
  expect((await items("OPEN")).map(({ reason }) => reason)).toEqual([
    "AMOUNT_DIFFERS",
    "AMOUNT_DIFFERS",
  ]);
  expect(await found("select")).toEqual([]);
  await at.tell(transactionId, amount - 2n * (amount / 4n));
  expect((await transactionOf(at.bank, transactionId)).status).toBe("COMPLETED");
  expect((await balanceOf(at.bank, at.accountId)) - had).toBe(1_000);
  expect(await items("OPEN")).toEqual([]);
  const [{ resolution }] = await items("RESOLVED");
  const invoiceId = transactionId.replace("Transaction", "UmaInvoice");
  expect(resolution.note).toBe("Added up by itself");
  expect(resolution.parts).toEqual([
    {
      ...{ kind: "INVOICE", invoiceId, price: "QUOTED", transactionId },
      amount: { amount: Number(amount / 4n), currency: expect.anything() },
    },
  ]);
});

it("what comes beyond the amount is an item, or own funds where it is small", async () => {
  const { transactionId, amount } = await halfPaid();
  await at.tell(transactionId, amount);
  expect((await transactionOf(at.bank, transactionId)).status).toBe("COMPLETED");
  const [rest] = await items("OPEN");
  expect([rest.reason, rest.amount.amount]).toEqual(["OVERPAID", Number(2n * (amount / 4n))]);
  const small = await halfPaid();
  await at.tell(small.transactionId, small.amount - 2n * (small.amount / 4n) + 9n);
  expect((await transactionOf(at.bank, small.transactionId)).status).toBe("COMPLETED");
  expect((await items("OPEN")).length).toBe(1);
});

it("a part that a person has given to somebody else does not count", async () => {
  const { transactionId, amount } = await halfPaid();
  const [item] = (await items("OPEN")).filter(({ reason }) => reason === "AMOUNT_DIFFERS");
  const parts = [{ kind: "OWN_FUNDS", amount: item.amount.amount, label: "kept" }];
  const body = { parts, note: "known" };
  expectStatus(200, await at.bank.call("POST", `/rails/items/${item.id}/resolve`, body));
  await at.tell(transactionId, amount / 2n);
  expect((await transactionOf(at.bank, transactionId)).status).toBe("PENDING");
  await at.tell(transactionId, amount / 4n + 3n);
  expect((await transactionOf(at.bank, transactionId)).status).toBe("COMPLETED");
});

it("the books add up, and what contradicts them is found", async () => {
  expect(await found("select")).toEqual([]);
  const unpaid = "update uma_invoices set state = 'OPEN', entry_id = null where parts is not null";
  expect((await found(unpaid)).join("\n")).toMatch(/it is added up for UmaInvoice:.*did not pay/);
  const lost = "update uma_invoices set parts = null where parts is not null";
  expect((await found(lost)).join("\n")).toMatch(/leaves -\d+ unexplained/);
  const other = "update uma_invoices set parts = '[]' where parts is not null";
  expect((await found(other)).join("\n")).toMatch(/it is added up for/);
});
