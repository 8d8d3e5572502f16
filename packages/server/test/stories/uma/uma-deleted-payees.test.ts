/** A customer is deleted while an invoice of a payment to the customer is open. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import { expectStatus, transactionOf } from "../../kit/story-rails.ts";
import { openPaid, type PaidStory } from "../../kit/story-uma-paid.ts";
import { openSandboxes, type Sandboxes } from "../../kit/story-uma-sandboxes.ts";
import { customerAt } from "../../kit/story-uma-served.ts";
import { listenTo } from "../../kit/story-webhooks.ts";

let at: PaidStory;
let customerId: string;
let payees = 0;
/** What the connector says of an open invoice; undefined: it does not answer. */
let said: ((id: string) => object) | undefined;
const asked: string[] = [];
const failed: string[] = [];

beforeAll(async () => {
  at = await openPaid();
  const make = at.connector.reply;
  at.connector.reply = (call) => {
    const [, id = "", act = ""] = /^\/invoices\/([0-9a-f-]{36})(\/cancel)?$/.exec(call.path) ?? [];
    if (id === "" || call.method === "PUT") return make?.(call);
    asked.push(`${call.method}${act}`);
    if (said === undefined) return { status: 503, body: {} };
    const { expiresAt } = at.invoices.get(id);
    const state = { status: act === "" ? "open" : "cancelled", entries: [], ...said(id) };
    return { status: 200, body: { invoice: `lnbc${id}`, expiresAt, ...state } };
  };
  await listenTo(at.bank, ({ type, data }) => {
    if (type === "INCOMING_PAYMENT.FAILED") failed.push(data.id);
    if (type !== "INCOMING_PAYMENT.PENDING") return 200;
    at.asked.push(data.id);
    return at.approval;
  });
});
afterAll(() => at.close());
beforeEach(async () => {
  payees += 1;
  at.receiver = `$payee${payees}@bank.test`;
  customerId = await customerAt(at.bank, at.receiver);
  said = () => ({});
  asked.length = 0;
  failed.length = 0;
});

const remove = () => at.bank.call("DELETE", `/customers/${customerId}`);
const undelivered = { status: "FAILED", failureReason: "OFFRAMP_FAILED" };
const newestItem = async () =>
  (await at.bank.call("GET", "/rails/items?state=OPEN&limit=1")).json.data[0];
const amountOf = (transactionId: string) => BigInt(at.invoiceOf(transactionId).amount);

it("the invoice is cancelled at its connector, then the payment fails", async () => {
  const { transactionId } = await at.pay();
  expect(expectStatus(200, await remove()).json.isDeleted).toBe(true);
  await at.bank.settle();
  expect([...new Set(asked)]).toEqual(["GET", "POST/cancel"]);
  expect(await transactionOf(at.bank, transactionId)).toMatchObject(undelivered);
  await expect.poll(() => failed).toEqual([transactionId]);
  await at.tell(transactionId, amountOf(transactionId));
  expect((await newestItem()).reason).toBe("INVOICE_CLOSED");
});

it("money that comes before the connector has answered waits for a person", async () => {
  said = undefined;
  const { transactionId } = await at.pay();
  expectStatus(200, await remove());
  await at.bank.settle();
  expect((await transactionOf(at.bank, transactionId)).status).toBe("PENDING");
  await at.tell(transactionId, amountOf(transactionId));
  expect(await newestItem()).toMatchObject({ reason: "CUSTOMER_DELETED" });
  expect(await transactionOf(at.bank, transactionId)).toMatchObject(undelivered);
});

it("money that the connector tells of instead of a cancellation waits for a person", async () => {
  const { transactionId } = await at.pay();
  said = (invoiceId) => ({
    status: "paid",
    entries: [
      {
        ...{ id: "PAID-MEANWHILE", amount: String(amountOf(transactionId)), currency: "MSAT" },
        ...{ direction: "CREDIT", bookedAt: new Date().toISOString(), invoiceId },
      },
    ],
  });
  expectStatus(200, await remove());
  await at.bank.settle();
  expect(asked).not.toContain("POST/cancel");
  expect(await newestItem()).toMatchObject({ reason: "CUSTOMER_DELETED" });
  expect(await transactionOf(at.bank, transactionId)).toMatchObject(undelivered);
});

it("a customer about whose payment the platform is still asked is not deleted", async () => {
  at.approval = { status: 202, body: "{}" };
  at.asked.length = 0;
  const paying = at.pay();
  await expect.poll(() => at.asked.length).toBe(1);
  const refused = await remove();
  expect([refused.status, refused.json.details.reason]).toEqual([409, "a payment is in flight"]);
  expectStatus(200, await at.bank.call("POST", `/transactions/${at.asked[0]}/reject`, {}));
  expect((await paying).status).toBe(400);
});

it("the layer between sandboxes does the same", async () => {
  const both: Sandboxes = await openSandboxes(await sharedServer());
  const { quoteId, outgoingId, incomingId } = await both.quoted();
  const path = `/customers/${both.payeeCustomerId}`;
  expectStatus(200, await both.payee.call("DELETE", path));
  await both.payee.settle();
  expect(await transactionOf(both.payee, incomingId)).toMatchObject(undelivered);
  expectStatus(200, await both.execute(quoteId));
  await both.payer.settle();
  expect(await transactionOf(both.payer, outgoingId)).toMatchObject({
    status: "FAILED",
    refund: { status: "COMPLETED" },
  });
  const pay = `/sandbox/uma/invoices/${incomingId}/pay`;
  expectStatus(200, await both.payee.call("POST", pay, { outcome: "EXACT" }));
  const items = (await both.payee.call("GET", "/rails/items?state=OPEN")).json.data;
  expect(items).toMatchObject([{ reason: "INVOICE_CLOSED" }]);
});
