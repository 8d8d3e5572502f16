/** An institution that is built on the official JavaScript SDK pays a customer: both amounts, both books, and what arrives wrong. */
import {
  InMemoryNonceValidator,
  PayReqResponse,
  verifyPayReqResponseSignature,
} from "@uma-sdk/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { sha256Hex } from "../../../src/std/digest.ts";
import { soon } from "../../kit/soon.ts";
import { balanceOf, eventsAbout, transactionOf } from "../../kit/story-rails.ts";
import { APPROVED, openPaid, type PaidStory, TRAVEL_RULE } from "../../kit/story-uma-paid.ts";
import type { Reply } from "../../kit/story-webhooks.ts";

let at: PaidStory;
beforeAll(async () => {
  at = await openPaid();
});
afterAll(() => at.close());

// biome-ignore lint/suspicious/noExplicitAny: a body that a test changes
function withCompliance(body: any, change: object) {
  const { payerData } = body;
  return {
    ...body,
    payerData: { ...payerData, compliance: { ...payerData.compliance, ...change } },
  };
}

describe("a payment of an institution on the SDK", () => {
  it("of an amount that arrives is paid, credited to the unit, and told", async () => {
    at.approval = APPROVED;
    const { status, text, request, transactionId } = await at.pay({ amount: 1_000 });
    expect([status, text]).toEqual([200, expect.stringContaining("lnbc")]);
    const answer = PayReqResponse.fromJson(text);
    expect(answer.converted).toMatchObject({ amount: 1_000, currencyCode: "EUR", decimals: 2 });
    const { multiplier = 0, fee = 0 } = answer.converted ?? {};
    const order = at.invoiceOf(transactionId);
    expect(order).toMatchObject({
      layer: "ln",
      asset: { identifier: "BTC", currency: "MSAT", decimals: 0 },
      amount: String(Math.ceil(1_000 * multiplier) + fee),
      umaAddress: "$ana@bank.test",
    });
    expect(
      await verifyPayReqResponseSignature(
        answer,
        request.payerData?.identifier as string,
        "$ana@bank.test",
        await at.keys(),
        new InMemoryNonceValidator(Date.now() - 60_000),
      ),
    ).toBe(true);
    expect(answer.payeeData).toMatchObject({ identifier: "$ana@bank.test", name: "Ana" });
    expect(await transactionOf(at.bank, transactionId)).toMatchObject({
      status: "PENDING",
      description: "for lunch",
      source: { umaAddress: "$bo@vasp.test" },
    });
    const about = async () => (await at.bank.call("GET", `/uma/payments/${transactionId}`)).json;
    expect(await about()).toMatchObject({
      ...{ transactionId, state: "OPEN", vaspDomain: "vasp.test", layer: "ln" },
      settlementAmount: { amount: 12_500_000, currency: { code: "MSAT" } },
      receivingAmount: { amount: 1_000, currency: { code: "EUR" } },
      ...{ multiplier: "12500", assetIdentifier: "BTC", invoiceExpiresAt: order.expiresAt },
    });
    expect((await at.bank.call("GET", `/uma/payments/${transactionId}/travel-rule`)).json).toEqual({
      ...{ transactionId, format: "ivms@101.2023", document: JSON.parse(TRAVEL_RULE) },
      ...{ sha256: sha256Hex(TRAVEL_RULE), receivedAt: expect.any(String) },
    });
    const before = await balanceOf(at.bank, at.accountId);
    await at.tell(transactionId, BigInt(order.amount));
    expect(await about()).toMatchObject({ state: "PAID" });
    expect(await transactionOf(at.bank, transactionId)).toMatchObject({ status: "COMPLETED" });
    expect((await balanceOf(at.bank, at.accountId)) - before).toBe(1_000);
    expect(await eventsAbout(at.bank, transactionId)).toEqual([
      "INCOMING_PAYMENT.PENDING",
      "INCOMING_PAYMENT.COMPLETED",
    ]);
  });

  it("of units of the asset takes exactly those", async () => {
    at.approval = APPROVED;
    const amount = 12_345_678;
    const { status, text, transactionId } = await at.pay({
      amount,
      isAmountInReceivingCurrency: false,
    });
    expect(status).toBe(200);
    const order = at.invoiceOf(transactionId);
    expect(order.amount).toBe(String(amount));
    const { converted } = PayReqResponse.fromJson(text);
    const { amount: arrives = 0, multiplier = 0, fee = 0 } = converted ?? {};
    expect(Math.ceil(arrives * multiplier) + fee).toBe(amount);
    const before = await balanceOf(at.bank, at.accountId);
    await at.tell(transactionId, BigInt(order.amount));
    expect((await balanceOf(at.bank, at.accountId)) - before).toBe(arrives);
  });

  it("may be asked for five times after one lookup", async () => {
    at.approval = { status: 403 };
    const { callback } = await at.lookUp();
    const codes: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      const { text } = await at.post(callback, (await at.payRequest()).toJsonString());
      codes.push(JSON.parse(text).code);
    }
    expect(codes).toEqual([...Array(5).fill("SENDER_NOT_ACCEPTED"), "REQUEST_NOT_FOUND"]);
  });

  it.each<readonly [what: string, answer: Reply, status: number, code: string, reason: string]>([
    ["rejects", { status: 403 }, 400, "SENDER_NOT_ACCEPTED", "PAY_REQUEST_FAILED"],
    [
      "must know more",
      { status: 422, body: JSON.stringify({ requiredFields: ["TAX_ID"] }) },
      400,
      "MISSING_MANDATORY_PAYER_DATA",
      "PAY_REQUEST_FAILED",
    ],
    [
      "does not give what the payer's side must know",
      { status: 200, body: "{}" },
      403,
      "USER_NOT_READY",
      "MISSING_MANDATORY_PAYEE_DATA",
    ],
    ["breaks", { status: 500 }, 403, "USER_NOT_READY", "PAYMENT_APPROVAL_WEBHOOK_ERROR"],
  ])(
    "is refused where the platform %s, and makes no invoice",
    async (_what, answer, ...expected) => {
      at.approval = answer;
      const [status, code, failureReason] = expected;
      const made = at.invoices.size;
      const { text, transactionId, ...answered } = await at.pay();
      expect([answered.status, JSON.parse(text).code]).toEqual([status, code]);
      expect(await transactionOf(at.bank, transactionId)).toMatchObject({ failureReason });
      expect(at.invoices.size).toBe(made);
    },
  );

  it("waits for the platform that answers that it will call", async () => {
    at.approval = { status: 202 };
    const had = at.asked.length;
    const answered = at.pay();
    const id = await soon(() => present(at.asked[had], "the question"));
    await at.server.app.approvals.settled();
    const body = { receiverCustomerInfo: { FULL_NAME: "Ana" } };
    const approved = await at.bank.call("POST", `/transactions/${id}/approve`, body);
    expect(approved).toMatchObject({ status: 200, json: { status: "PENDING" } });
    const { status, text } = await answered;
    expect([status, JSON.parse(text).pr]).toEqual([200, `lnbc${id.split(":")[1]}`]);
  });

  it("is taken once: the same message is refused, also under another lookup", async () => {
    at.approval = APPROVED;
    const { callback, request, status } = await at.pay();
    expect(status).toBe(200);
    const body = request.toJsonString();
    for (const where of [callback, (await at.lookUp()).callback]) {
      const again = await at.post(where, body);
      expect([again.status, JSON.parse(again.text).code]).toEqual([400, "INVALID_NONCE"]);
    }
  });

  it("of a payer at another institution is refused under this lookup", async () => {
    const { status, text } = await at.pay({ payer: "$bo@other.test" });
    expect([status, JSON.parse(text).code]).toEqual([403, "COUNTERPARTY_NOT_ALLOWED"]);
  });

  it("with a changed amount keeps its signature, and with a changed payer loses it", async () => {
    const { callback } = await at.lookUp();
    const request = JSON.parse((await at.payRequest()).toJsonString());
    request.payerData.identifier = "$eve@vasp.test";
    const { status, text } = await at.post(callback, JSON.stringify(request));
    expect([status, JSON.parse(text).code]).toEqual([401, "INVALID_SIGNATURE"]);
  });

  it.each<readonly [string, number, string, (body: Record<string, unknown>) => unknown]>([
    ["is no JSON", 400, "PARSE_PAYREQ_REQUEST_ERROR", () => "{"],
    [
      "is of version 0",
      400,
      "PARSE_PAYREQ_REQUEST_ERROR",
      ({ convert, ...rest }) => ({ ...rest, currency: convert }),
    ],
    [
      "has a number as amount",
      400,
      "PARSE_PAYREQ_REQUEST_ERROR",
      (body) => ({ ...body, amount: 1 }),
    ],
    ["has no payer", 400, "MISSING_REQUIRED_UMA_PARAMETERS", ({ payerData: _, ...rest }) => rest],
    [
      "converts to another currency",
      400,
      "INVALID_CURRENCY",
      (body) => ({ ...body, convert: "USD", amount: "1.USD" }),
    ],
    [
      "has an amount of another currency",
      400,
      "INVALID_CURRENCY",
      (body) => ({ ...body, amount: "1000.USD" }),
    ],
    [
      "settles on another layer",
      400,
      "INVALID_INPUT",
      (body) => ({ ...body, settlement: { layer: "spark", assetIdentifier: "BTC" } }),
    ],
    [
      "asks what is not known here",
      501,
      "UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY",
      (body) => ({ ...body, payeeData: { shoeSize: { mandatory: true } } }),
    ],
    [
      "has its travel rule data in the clear",
      400,
      "PARSE_PAYREQ_REQUEST_ERROR",
      (body) => withCompliance(body, { encryptedTravelRuleInfo: TRAVEL_RULE }),
    ],
    [
      "has travel rule data for another key",
      400,
      "PARSE_PAYREQ_REQUEST_ERROR",
      (body) => withCompliance(body, { encryptedTravelRuleInfo: "04".repeat(200) }),
    ],
    [
      "lacks travel rule data",
      400,
      "MISSING_MANDATORY_PAYER_DATA",
      (body) => withCompliance(body, { encryptedTravelRuleInfo: undefined }),
    ],
    ["is too small", 400, "AMOUNT_OUT_OF_RANGE", (body) => ({ ...body, amount: "1" })],
  ])("that %s is refused, and leaves nothing", async (_what, status, code, change) => {
    const { callback } = await at.lookUp();
    const count = async () => (await at.bank.call("GET", "/transactions?limit=1")).json.totalCount;
    const before = await count();
    const changed = change(JSON.parse((await at.payRequest()).toJsonString()));
    const body = typeof changed === "string" ? changed : JSON.stringify(changed);
    const answer = await at.post(callback, body);
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([status, code]);
    expect(await count()).toBe(before);
  });

  it("without a lookup is refused", async () => {
    const { callback } = await at.lookUp();
    const body = (await at.payRequest()).toJsonString();
    for (const other of ["https://x/uma/pay/x", `${callback.slice(0, -4)}AAAA`]) {
      const { status, text } = await at.post(other, body);
      expect([status, JSON.parse(text).code]).toEqual([404, "REQUEST_NOT_FOUND"]);
    }
  });
});

describe("what arrives otherwise", () => {
  const items = async () =>
    (await at.bank.call("GET", "/rails/items?state=OPEN&limit=100")).json.data.map(
      (item: { reason: string; amount: { amount: number } }) => item.reason,
    );

  it("is credited once, and the rest is left to a person", async () => {
    at.approval = APPROVED;
    const { transactionId } = await at.pay();
    const { amount } = at.invoiceOf(transactionId);
    const before = await balanceOf(at.bank, at.accountId);
    await at.tell(transactionId, BigInt(amount) - 1n);
    expect(await transactionOf(at.bank, transactionId)).toMatchObject({ status: "PENDING" });
    await at.tell(transactionId, BigInt(amount) + 20_000n);
    await at.tell(transactionId, BigInt(amount));
    expect((await balanceOf(at.bank, at.accountId)) - before).toBe(1_000);
    expect((await items()).toSorted()).toEqual(["ALREADY_PAID", "AMOUNT_DIFFERS", "OVERPAID"]);
  });
});
