/** Money for an invoice that its payment does not take waits in suspense, and a person credits it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { foundAfter } from "../../kit/reconciled.ts";
import { openStory, type RawAnswer } from "../../kit/story.ts";
import { balanceOf, expectStatus, otherToken, transactionOf } from "../../kit/story-rails.ts";
import { openPaid, type PaidStory } from "../../kit/story-uma-paid.ts";
import { umaPaymentObjects } from "../../kit/valid-uma-payment-calls.ts";

let at: PaidStory;
beforeAll(async () => {
  at = await openPaid();
});
afterAll(() => at.close());

async function openItems(): Promise<RawAnswer["json"][]> {
  return (await at.bank.call("GET", "/rails/items?state=OPEN&limit=100")).json.data;
}

/** An invoice of 10.00 EUR, and the item of what came for it. */
async function itemOf(share: (amount: bigint) => bigint) {
  const { transactionId } = await at.pay();
  const amount = BigInt(at.invoiceOf(transactionId).amount);
  const known = new Set((await openItems()).map(({ id }) => id));
  await at.tell(transactionId, share(amount));
  const item = (await openItems()).find(({ id }) => !known.has(id));
  const invoiceId = `UmaInvoice:${transactionId.split(":")[1]}`;
  return { transactionId, invoiceId, amount, item };
}

const resolve = (item: RawAnswer["json"], parts: readonly unknown[]) =>
  at.bank.call("POST", `/rails/items/${item.id}/resolve`, { parts, note: "known" });
const part = (amount: bigint, invoiceId: string, price = "QUOTED") => ({
  ...{ kind: "INVOICE", amount: Number(amount), invoiceId, price },
});

describe("money for an invoice that waits in suspense", () => {
  it("is credited at the price of the invoice, to the payer's receiver", async () => {
    const { transactionId, invoiceId, amount, item } = await itemOf((all) => all / 2n);
    expect(item.reason).toBe("AMOUNT_DIFFERS");
    const had = await balanceOf(at.bank, at.accountId);
    const { json } = expectStatus(200, await resolve(item, [part(amount / 2n, invoiceId)]));
    const [done] = json.resolution.parts;
    expect(done).toMatchObject({
      kind: "INVOICE",
      invoiceId,
      price: "QUOTED",
      amount: { amount: Number(amount / 2n), currency: { code: "MSAT" } },
      fee: { currency: { code: "MSAT" } },
      multiplier: expect.stringMatching(/^\d/),
    });
    expect(await balanceOf(at.bank, at.accountId)).toBe(had + 500);
    const made = await transactionOf(at.bank, done.transactionId);
    const asked = await transactionOf(at.bank, transactionId);
    expect(made).toMatchObject({
      type: "INCOMING",
      status: "COMPLETED",
      paymentRail: "UMA",
      invoiceId,
      railEntryId: item.entryId,
      source: asked.source,
      destination: asked.destination,
      receivedAmount: { amount: 500, currency: { code: "EUR" } },
    });
    // The invoice is open as before, and takes its amount.
    expect(asked.status).toBe("PENDING");
    await at.tell(transactionId, amount);
    expect((await transactionOf(at.bank, transactionId)).status).toBe("COMPLETED");
    expect(await balanceOf(at.bank, at.accountId)).toBe(had + 1_500);
  });

  it("is credited at the price of today", async () => {
    const { invoiceId, amount, item } = await itemOf((all) => all - 1n);
    const had = await balanceOf(at.bank, at.accountId);
    expectStatus(200, await resolve(item, [part(amount - 1n, invoiceId, "CURRENT")]));
    // The rate has not moved: less than the amount of the invoice buys less than it credits.
    expect(await balanceOf(at.bank, at.accountId)).toBe(had + 999);
  });

  it("waits for another token where the connection asks for one", async () => {
    const { invoiceId, amount, item } = await itemOf((all) => all - 1n);
    const { json } = await at.bank.call("GET", "/rails/connections");
    const path = `/rails/connections/${json.data[0].id}`;
    const control = (approval: string) => ({ control: { approval } });
    expectStatus(200, await at.bank.call("PATCH", path, control("FOUR_EYES")));
    const asked = expectStatus(202, await resolve(item, [part(amount - 1n, invoiceId)])).json;
    expect(asked.request.parts).toEqual([part(amount - 1n, invoiceId)]);
    const had = await balanceOf(at.bank, at.accountId);
    const authorization = await otherToken(at.bank);
    const confirm = `/rails/marks/${asked.id}/confirm`;
    expectStatus(200, await at.bank.call("POST", confirm, undefined, { authorization }));
    expect(await balanceOf(at.bank, at.accountId)).toBe(had + 999);
    await at.bank.call("PATCH", path, control(json.data[0].control.approval));
  });

  it("is refused by name", async () => {
    const { invoiceId, amount, item } = await itemOf((all) => all - 1n);
    const all = amount - 1n;
    const unknown = "UmaInvoice:019a4f00-0000-7000-8000-000000000023";
    const others = await present(
      umaPaymentObjects.InvoicedTransaction,
      "their call",
    )(await openStory(at.server));
    const foreign = `${others}`.replace("Transaction", "UmaInvoice");
    const { invoiceId: _, ...noInvoice } = part(all, invoiceId);
    const { price: __, ...noPrice } = part(all, invoiceId);
    const wrong: readonly (readonly [unknown, number, string])[] = [
      [part(all, unknown), 404, "parts[0].invoiceId"],
      [part(all, invoiceId.replace("UmaInvoice", "Transaction")), 404, "parts[0].invoiceId"],
      [part(all, invoiceId, "MID"), 400, "parts.0.price"],
      [noInvoice, 400, "parts[0].invoiceId"],
      [noPrice, 400, "parts[0].price"],
      [{ ...part(all, invoiceId), accountId: at.accountId }, 400, "parts[0].accountId"],
      [{ kind: "FX", amount: Number(all), price: "QUOTED" }, 400, "parts[0].price"],
    ];
    for (const [one, status, field] of wrong) {
      const refused = await resolve(item, [one]);
      expect([refused.status, JSON.stringify(one)]).toEqual([status, JSON.stringify(one)]);
      expect(refused.json.details.errors?.[0]?.field ?? refused.json.details.field).toBe(field);
    }
    const answers = [unknown, foreign].map(
      async (id) => (await resolve(item, [part(all, id)])).json,
    );
    const [ofNobody, ofOthers] = await Promise.all(answers);
    expect({ ...ofOthers, requestId: "" }).toEqual({ ...ofNobody, requestId: "" });
    expect((await resolve(item, [part(all, "UmaInvoice:x")])).status).toBe(404);
    const few = [part(1n, invoiceId), { kind: "OWN_FUNDS", amount: Number(all - 1n), label: "x" }];
    const nothing = await resolve(item, few);
    expect([nothing.status, nothing.json.details.field]).toEqual([400, "parts[0].amount"]);
    expectStatus(200, await resolve(item, [part(all, invoiceId)]));
    expect((await resolve(item, [part(all, invoiceId)])).status).toBe(409);
  });

  it("goes to no account that takes nothing", async () => {
    const { invoiceId, amount, item } = await itemOf((all) => all - 1n);
    const { customerId } = (await at.bank.call("GET", `/internal-accounts/${at.accountId}`)).json;
    const freeze = `/customers/${customerId}/freeze`;
    expectStatus(200, await at.bank.call("POST", freeze, { scope: "ALL", reason: "LEGAL_ORDER" }));
    const refused = await resolve(item, [part(amount - 1n, invoiceId)]);
    expect([refused.status, refused.json.details.accountId]).toEqual([409, at.accountId]);
    const own = [{ kind: "OWN_FUNDS", amount: Number(amount - 1n), label: "kept" }];
    expectStatus(200, await resolve(item, own));
  });
});

describe("the reconciliation of money that a person credited for an invoice", () => {
  const found = (edit: string) => foundAfter({ server: at.server, story: at.bank }, edit);
  const inParts = (from: string, to: string) =>
    `update rail_items set resolution = regexp_replace(resolution::text, '${from}', '${to}')::json where resolution::text like '%"QUOTED"%'`;

  it("finds nothing", async () => {
    expect(await found("select")).toEqual([]);
  });

  it.each([
    [
      "a transaction of another amount",
      "update transactions set received_minor = 1 where details ->> 'invoiceId' is not null",
      /is not the credit of 500 to the account of its invoice/,
    ],
    [
      "an invoice of another asset",
      "update uma_invoices set asset = 'EUR'",
      /which is no invoice of its connection and asset/,
    ],
    [
      "a fee that is not what the price leaves",
      inParts('"feeMinor":"', '"feeMinor":"1'),
      /its price does not come to its amount/,
    ],
    [
      "a price that is not the invoice's",
      inParts('"multiplier":"', '"multiplier":"1'),
      /it is not credited at the price of its invoice/,
    ],
  ])("finds %s", async (_what, edit, expected) => {
    expect((await found(edit)).join("\n")).toMatch(expected);
  });
});
