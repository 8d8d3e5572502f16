/** Resolutions of items as orders, receivables and exchanges, and adjustments of positions. */
import { beforeEach, describe, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { systemBalances } from "../../kit/story-money.ts";
import {
  activeConnection,
  balanceOf,
  expectStatus,
  manualConnection,
  otherToken,
  type Payer,
  payerOf,
  paymentOf,
  routeTo,
  transactionOf,
} from "../../kit/story-rails.ts";

const server = await sharedServer();
let story: Story;
let payer: Payer;
let connectionId: string;
beforeEach(async () => {
  story = await openStory(server, { environment: "PRODUCTION" });
  payer = await payerOf(story, 10_000);
  connectionId = await activeConnection(story, {
    ...manualConnection(),
    currencies: ["USD", "EUR"],
  });
  await routeTo(story, connectionId);
  await routeTo(story, connectionId, { direction: "PULL" });
});

let lines = 0;
/** The item of a line that names nothing. */
async function itemOf(
  direction: "CREDIT" | "DEBIT",
  amount: number,
  more: Readonly<Record<string, unknown>> = {},
): Promise<RawAnswer["json"]> {
  const told = await story.call("POST", `/rails/connections/${connectionId}/entries`, {
    bankReference: `L-${++lines}`,
    direction,
    amount,
    currency: "USD",
    bookedOn: "2026-11-24",
    ...more,
  });
  const entry = expectStatus(201, told).json;
  const { json } = await story.call("GET", `/rails/items?connectionId=${connectionId}&limit=100`);
  return json.data.find((each: RawAnswer["json"]) => each.entryId === entry.id);
}

const resolve = (item: RawAnswer["json"], parts: readonly unknown[]) =>
  story.call("POST", `/rails/items/${item.id}/resolve`, { parts, note: "known" });
const mark = (orderId: string, outcome: string) =>
  story.call("POST", `/rails/payments/${orderId}/mark`, { outcome });
const orderOf = async (id: string) => (await story.call("GET", `/rails/payments/${id}`)).json;
const unexplained = async () => {
  const path = `/rails/connections/${connectionId}/reconciliation?currency=USD`;
  return (await story.call("GET", path)).json;
};

async function payout(amount = 100) {
  const { id } = expectStatus(201, await payer.pay(amount)).json;
  return { id, orderId: (await paymentOf(story, id)).id as string };
}

async function collection(amount: number) {
  const pulled = await story.call("POST", "/transfer-in", {
    source: { accountId: payer.payeeId },
    destination: { accountId: payer.accountId },
    amount,
  });
  const { id } = expectStatus(201, pulled).json;
  return { id, orderId: (await paymentOf(story, id)).id as string };
}

async function books(): Promise<Readonly<Record<string, number>>> {
  const path = `/ledger/accounts?connectionId=${connectionId}&currency=USD`;
  const { json } = await story.call("GET", path);
  return Object.fromEntries(
    json.data.map(({ kind, balance: { amount } }: RawAnswer["json"]) => [kind, Number(amount)]),
  );
}

const settled = (paymentId: string, amount: number, outcome = "SETTLED") => ({
  kind: "PAYMENT",
  amount,
  paymentId,
  outcome,
});

describe("a part that is of an order", () => {
  it("settles orders that a sum of the bank paid at once", async () => {
    const [one, other] = [await payout(100), await payout(40)];
    await mark(other.orderId, "SETTLED");
    const item = await itemOf("DEBIT", 145);
    const parts = [
      settled(one.orderId, 100),
      settled(other.orderId, 40),
      { kind: "OWN_FUNDS", amount: 5, label: "charge" },
    ];
    const resolved = expectStatus(200, await resolve(item, parts)).json;
    expect(resolved.resolution.parts[0]).toMatchObject({
      kind: "PAYMENT",
      paymentId: one.orderId,
      outcome: "SETTLED",
    });
    expect((await transactionOf(story, one.id)).status).toBe("COMPLETED");
    expect(await orderOf(one.orderId)).toMatchObject({ state: "SETTLED", settledOn: "2026-11-24" });
    expect(await books()).toEqual({ clearing: 145, suspense: 0, "own-funds": -5 });
    expect((await unexplained()).explained.settledNotOnStatement.count).toBe(0);
    // The line of an order is told once.
    const again = await resolve(await itemOf("DEBIT", 40), [settled(other.orderId, 40)]);
    expect([again.status, again.json.code]).toEqual([409, "CONFLICT"]);
  });

  it("gives a payout back, and takes a collection back", async () => {
    const before = await balanceOf(story, payer.accountId);
    const out = await payout();
    await mark(out.orderId, "SETTLED");
    const back = settled(out.orderId, 100, "RETURNED");
    expectStatus(200, await resolve(await itemOf("CREDIT", 100), [back]));
    expect((await transactionOf(story, out.id)).failureReason).toBe("PAYOUT_RETURNED");
    const pulled = await collection(300);
    const came = settled(pulled.orderId, 300);
    expectStatus(200, await resolve(await itemOf("CREDIT", 300), [came]));
    expect(await balanceOf(story, payer.accountId)).toBe(before + 300);
    const taken = settled(pulled.orderId, 300, "RETURNED");
    expectStatus(200, await resolve(await itemOf("DEBIT", 300), [taken]));
    expect((await transactionOf(story, pulled.id)).failureReason).toBe("COLLECTION_FAILED");
    expect(await balanceOf(story, payer.accountId)).toBe(before);
    expect((await books()).suspense).toBe(0);
  });

  it("gives a payout back short: the rest is an item of its own", async () => {
    const before = await balanceOf(story, payer.accountId);
    const out = await payout();
    const early = await resolve(await itemOf("CREDIT", 94), [settled(out.orderId, 94, "RETURNED")]);
    expect([early.status, early.json.details.field]).toEqual([400, "parts[0].paymentId"]);
    await mark(out.orderId, "SETTLED");
    const item = await itemOf("CREDIT", 94);
    expectStatus(200, await resolve(item, [settled(out.orderId, 94, "RETURNED")]));
    expect((await transactionOf(story, out.id)).failureReason).toBe("PAYOUT_RETURNED");
    expect(await balanceOf(story, payer.accountId)).toBe(before - 6);
    const { json } = await story.call("GET", "/rails/items?state=OPEN&limit=100");
    const reasons = json.data.map(({ reason, amount }: RawAnswer["json"]) => [
      reason,
      amount.amount,
    ]);
    expect(reasons).toContainEqual(["SHORT_RETURN", 6]);
    expect((await unexplained()).explained.settledNotOnStatement.count).toBe(1);
    const again = await resolve(await itemOf("CREDIT", 6), [settled(out.orderId, 6, "RETURNED")]);
    expect(again.status).toBe(400);
  });

  it("ends a conflict that another amount had made", async () => {
    const { orderId } = await payout();
    const order = await orderOf(orderId);
    const item = await itemOf("DEBIT", 105, { reference: order.endToEndId });
    expect(await orderOf(orderId)).toMatchObject({ conflict: true, state: "QUEUED" });
    const parts = [settled(orderId, 100), { kind: "OWN_FUNDS", amount: 5, label: "charge" }];
    expectStatus(200, await resolve(item, parts));
    expect(await orderOf(orderId)).toMatchObject({ conflict: false, state: "SETTLED" });
  });

  it("is refused by name", async () => {
    const { orderId } = await payout();
    const item = await itemOf("DEBIT", 100);
    const unknown = "RailPayment:019a4f00-0000-7000-8000-000000000023";
    expect((await resolve(item, [settled(unknown, 100)])).status).toBe(404);
    const wrong: readonly (readonly [unknown, string])[] = [
      [settled(orderId, 100, "RETURNED"), "parts[0].paymentId"],
      [settled(orderId, 100, "SENT"), "parts.0.outcome"],
      [{ kind: "PAYMENT", amount: 100, outcome: "SETTLED" }, "parts[0].paymentId"],
      [{ kind: "FX", amount: 100, paymentId: orderId }, "parts[0].paymentId"],
    ];
    for (const [part, field] of wrong) {
      const refused = await resolve(item, [part]);
      expect(refused.status, field).toBe(400);
      expect(refused.json.details.errors?.[0]?.field ?? refused.json.details.field).toBe(field);
    }
    const twice = await resolve(await itemOf("DEBIT", 200), [
      settled(orderId, 100),
      settled(orderId, 100),
    ]);
    expect(twice.json.details.field).toBe("parts[1].paymentId");
    await mark(orderId, "DECLINED");
    const late = await resolve(item, [settled(orderId, 100)]);
    expect([late.status, late.json.details.status]).toEqual([409, "DECLINED"]);
  });
});

describe("a part that is of a receivable", () => {
  async function owed(): Promise<string> {
    const { orderId } = await collection(300);
    await mark(orderId, "SETTLED");
    const spent = await payout(await balanceOf(story, payer.accountId));
    await mark(spent.orderId, "SETTLED");
    await mark(orderId, "RETURNED");
    return (await story.call("GET", "/rails/receivables?state=OPEN")).json.data[0].id;
  }

  it("pays it with money that came in, in parts", async () => {
    const receivableId = await owed();
    const part = (amount: number) => ({ kind: "RECEIVABLE", amount, receivableId });
    const much = await resolve(await itemOf("CREDIT", 301), [part(300), part(1)]);
    expect([much.status, much.json.details.field]).toEqual([400, "parts[0].receivableId"]);
    expect((await resolve(await itemOf("DEBIT", 10), [part(10)])).status).toBe(400);
    expectStatus(200, await resolve(await itemOf("CREDIT", 120), [part(20), part(100)]));
    const path = `/rails/receivables/${receivableId}`;
    expect((await story.call("GET", path)).json).toMatchObject({
      open: { amount: 180 },
      collected: { amount: 120 },
    });
    expectStatus(200, await resolve(await itemOf("CREDIT", 180), [part(180)]));
    expect((await story.call("GET", path)).json.state).toBe("COLLECTED");
    expect(await systemBalances(story)).not.toHaveProperty("receivables");
    const closed = await resolve(await itemOf("CREDIT", 5), [part(5)]);
    expect([closed.status, closed.json.details.status]).toEqual([409, "COLLECTED"]);
    const euro = await resolve(await itemOf("CREDIT", 5, { currency: "EUR" }), [part(5)]);
    expect(euro.status).toBe(400);
  });
});

describe("positions", () => {
  const positions = async () => {
    const { data } = (await story.call("GET", "/fx/positions")).json;
    return Object.fromEntries(
      data.map(({ currency, balance }: RawAnswer["json"]) => [currency, Number(balance)]),
    );
  };

  it("are moved by both legs of an exchange at the bank", async () => {
    const fx = (amount: number) => [{ kind: "FX", amount }];
    expectStatus(200, await resolve(await itemOf("DEBIT", 1_000, { currency: "EUR" }), fx(1_000)));
    expectStatus(200, await resolve(await itemOf("CREDIT", 1_085), fx(1_085)));
    expect(await positions()).toEqual({ EUR: -1_000, USD: 1_085 });
  });

  it("are adjusted when another token has confirmed it", async () => {
    const body = {
      connectionId,
      legs: [
        { currency: "EUR", amount: -1_000 },
        { currency: "USD", amount: 1_085 },
      ],
      note: "ticket 4711",
    };
    const asked = expectStatus(202, await story.call("POST", "/fx/adjustments", body)).json;
    expect(asked).toMatchObject({
      kind: "ADJUSTMENT",
      request: { legs: body.legs, note: body.note },
    });
    expect(await positions()).toEqual({});
    const path = `/rails/marks/${asked.id}/confirm`;
    expect((await story.call("POST", path)).json.details.rule).toBe("FOUR_EYES");
    const authorization = await otherToken(story);
    expectStatus(200, await story.call("POST", path, undefined, { authorization }));
    expect(await positions()).toEqual({ EUR: -1_000, USD: 1_085 });
    expect(await books()).toEqual({ "own-funds": -1_085 });
    const wrong: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
      [{ legs: [{ currency: "MXN", amount: 1 }] }, "legs[0].currency"],
      [{ legs: [body.legs[0], body.legs[0]] }, "legs[1].currency"],
      [{ legs: [{ currency: "EUR", amount: 0 }] }, "legs[0].amount"],
      [{ legs: [] }, "legs"],
    ];
    for (const [more, field] of wrong) {
      const refused = await story.call("POST", "/fx/adjustments", { ...body, ...more });
      expect(refused.status, field).toBe(400);
      expect(refused.json.details.errors?.[0]?.field ?? refused.json.details.field).toBe(field);
    }
    const unknown = {
      ...body,
      connectionId: "RailConnection:019a4f00-0000-7000-8000-000000000021",
    };
    expect((await story.call("POST", "/fx/adjustments", unknown)).status).toBe(404);
  });
});
