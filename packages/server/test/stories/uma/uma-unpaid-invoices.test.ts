/** Invoices that are not paid in time: the connector is asked, and only its word ends them. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type MovedTime, moveTime } from "../../kit/moved-date.ts";
import type { TestConnector } from "../../kit/rail-connector.ts";
import { balanceOf, transactionOf } from "../../kit/story-rails.ts";
import { APPROVED, openPaid, type PaidStory } from "../../kit/story-uma-paid.ts";

let time: MovedTime;
let at: PaidStory;
beforeAll(async () => {
  time = moveTime();
  at = await openPaid();
});
afterAll(async () => {
  time.restore();
  await at.close();
});

describe("an invoice that is not paid", () => {
  /** What the connector says of it from now on; `down`: nothing. */
  type Says = "open" | "expired" | "cancelled" | "paid" | "not there" | "down";
  const asked: string[] = [];

  interface Saying {
    readonly afterCancel?: Says;
    readonly told?: readonly object[];
  }

  function says(
    transactionId: string,
    now: Says,
    { afterCancel = "cancelled", told = [] }: Saying = {},
  ): void {
    const own = transactionId.split(":")[1];
    let state = now;
    asked.length = 0;
    at.connector.reply = (call) => {
      const [, id = "", act = ""] =
        /^\/invoices\/([0-9a-f-]{36})(\/cancel)?$/.exec(call.path) ?? [];
      if (id === "" || call.method === "PUT") return undefined;
      if (id !== own) return { status: 404, body: { code: "not_received" } };
      asked.push(`${call.method}${act}`);
      if (act !== "") state = afterCancel;
      if (state === "down") return { status: 503, body: {} };
      if (state === "not there") return { status: 404, body: { code: "not_received" } };
      const { expiresAt } = at.invoices.get(id) ?? { expiresAt: new Date().toISOString() };
      return { status: 200, body: { status: state, invoice: "x", expiresAt, entries: told } };
    };
  }

  /** Past the end of the invoice and its grace. */
  async function later(): Promise<void> {
    time.pass(370_000);
    await at.bank.settle();
  }

  let before: TestConnector["reply"];
  beforeAll(() => {
    before = at.connector.reply;
  });
  afterEach(() => {
    at.connector.reply = before;
  });

  it("is cancelled at the connector, and only then expires", async () => {
    at.approval = APPROVED;
    const { transactionId } = await at.pay();
    says(transactionId, "open");
    await later();
    expect(asked).toEqual(["GET", "POST/cancel"]);
    expect(await transactionOf(at.bank, transactionId)).toMatchObject({
      status: "FAILED",
      failureReason: "QUOTE_EXPIRED",
    });
    // The network pays it all the same, and the connector tells of it: a person decides.
    await at.tell(transactionId, 1n);
    expect(await transactionOf(at.bank, transactionId)).toMatchObject({ status: "FAILED" });
  });

  it.each<readonly [Says, Says]>([
    ["down", "down"],
    ["open", "down"],
    ["open", "open"],
    ["paid", "paid"],
    ["not there", "not there"],
  ])("stays pending while the connector says %s, and %s to a cancel", async (now, afterCancel) => {
    at.approval = APPROVED;
    const { transactionId } = await at.pay();
    says(transactionId, now, { afterCancel });
    await later();
    expect(asked.length).toBeGreaterThan(0);
    expect(await transactionOf(at.bank, transactionId)).toMatchObject({ status: "PENDING" });
    says(transactionId, "expired");
    await later();
    expect(await transactionOf(at.bank, transactionId)).toMatchObject({ status: "FAILED" });
  });

  it("is paid by what the connector tells when it is asked, if no callback came", async () => {
    at.approval = APPROVED;
    const { transactionId } = await at.pay();
    const { amount } = at.invoiceOf(transactionId);
    const money = { id: "lost", amount, currency: "MSAT", direction: "CREDIT" };
    const told = [{ ...money, bookedAt: "2026-11-29T12:00:00Z" }];
    says(transactionId, "paid", { told });
    const had = await balanceOf(at.bank, at.accountId);
    await later();
    expect(await transactionOf(at.bank, transactionId)).toMatchObject({ status: "COMPLETED" });
    expect((await balanceOf(at.bank, at.accountId)) - had).toBe(1_000);
    expect(asked).toEqual(["GET"]);
  });

  it("whose text never came is cancelled, and its payment fails", async () => {
    at.approval = APPROVED;
    at.connector.reply = (call) =>
      call.path.startsWith("/invoices/") ? { status: 500, body: {} } : undefined;
    const { status, text, transactionId } = await at.pay();
    expect([status, JSON.parse(text).code]).toEqual([424, "PAYREQ_REQUEST_FAILED"]);
    expect(await transactionOf(at.bank, transactionId)).toMatchObject({ status: "PENDING" });
    says(transactionId, "not there");
    await later();
    expect(await transactionOf(at.bank, transactionId)).toMatchObject({
      status: "FAILED",
      failureReason: "PAY_REQUEST_FAILED",
    });
  });
});
