/** Payments that come back after they have settled: payouts to their account or into suspense, collections from their account or as a debt. */
import { beforeEach, describe, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import {
  bankAccount,
  fundedCustomer,
  openStory,
  type RawAnswer,
  type Story,
} from "../../kit/story.ts";
import { internalAccount, systemBalances } from "../../kit/story-money.ts";
import {
  activeConnection,
  balanceOf,
  eventsAbout,
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
  connectionId = await activeConnection(story, manualConnection());
  await routeTo(story, connectionId);
  await routeTo(story, connectionId, { direction: "PULL" });
});

interface Ordered {
  readonly id: string;
  readonly orderId: string;
  readonly endToEndId: string;
}

async function orderOf(id: string): Promise<Ordered> {
  const order = await paymentOf(story, id);
  return { id, orderId: order.id, endToEndId: order.endToEndId };
}

const mark = (orderId: string, outcome: string) =>
  story.call("POST", `/rails/payments/${orderId}/mark`, { outcome });

let lines = 0;
const tell = (reference: string, direction: "CREDIT" | "DEBIT", amount: number) =>
  story.call("POST", `/rails/connections/${connectionId}/entries`, {
    bankReference: `L-${++lines}`,
    direction,
    amount,
    currency: "USD",
    bookedOn: "2026-11-24",
    reference,
  });

async function settledPayout(amount = 100, accountId = payer.accountId): Promise<Ordered> {
  const paid = await story.call("POST", "/transfer-out", {
    source: { accountId },
    destination: { accountId: payer.payeeId },
    amount,
  });
  const order = await orderOf(expectStatus(201, paid).json.id);
  expectStatus(200, await mark(order.orderId, "SETTLED"));
  return order;
}

async function collection(amount: number): Promise<Ordered> {
  const pulled = await story.call("POST", "/transfer-in", {
    source: { accountId: payer.payeeId },
    destination: { accountId: payer.accountId },
    amount,
  });
  return orderOf(expectStatus(201, pulled).json.id);
}

async function settledCollection(amount: number): Promise<Ordered> {
  const order = await collection(amount);
  expectStatus(200, await mark(order.orderId, "SETTLED"));
  return order;
}

async function books(): Promise<Readonly<Record<string, number>>> {
  const { json } = await story.call("GET", `/ledger/accounts?connectionId=${connectionId}`);
  return Object.fromEntries(
    json.data.map(({ kind, balance: { amount } }: RawAnswer["json"]) => [kind, Number(amount)]),
  );
}

async function items(): Promise<readonly RawAnswer["json"][]> {
  return (await story.call("GET", `/rails/items?connectionId=${connectionId}&limit=100`)).json.data;
}

const resolve = (itemId: string, parts: readonly unknown[]) =>
  story.call("POST", `/rails/items/${itemId}/resolve`, { parts, note: "known" });

/** A person says that a line, whose reference alone names the order, is its return. */
async function comesBack(
  { orderId, endToEndId }: Ordered,
  amount: number,
  direction: "CREDIT" | "DEBIT" = "CREDIT",
): Promise<RawAnswer> {
  const entry = expectStatus(201, await tell(endToEndId, direction, amount)).json;
  expect(entry).toMatchObject({ bookedAs: "SUSPENSE" });
  const item = (await items()).find(({ entryId }) => entryId === entry.id);
  expect(item).toMatchObject({ reason: "UNREFERENCED", suggestedPaymentId: orderId });
  return resolve(item.id, [{ kind: "PAYMENT", amount, paymentId: orderId, outcome: "RETURNED" }]);
}

/** Another token agrees to what waits. */
async function confirmed(asked: RawAnswer): Promise<void> {
  const path = `/rails/marks/${asked.json.id}/confirm`;
  const authorization = await otherToken(story);
  expectStatus(200, await story.call("POST", path, undefined, { authorization }));
}

const railPayment = async (id: string) => (await story.call("GET", `/rails/payments/${id}`)).json;

describe("a settled payout that comes back", () => {
  it("is credited in full, by a mark or by a person who knows its entry, once", async () => {
    const before = await balanceOf(story, payer.accountId);
    const one = await settledPayout();
    expectStatus(200, await comesBack(one, 100));
    const other = await settledPayout();
    expectStatus(200, await mark(other.orderId, "RETURNED"));
    expectStatus(200, await mark(other.orderId, "RETURNED"));
    expect((await tell(other.endToEndId, "CREDIT", 100)).json.bookedAs).toBe("RETURN");
    for (const { id, orderId } of [one, other]) {
      expect(await transactionOf(story, id)).toMatchObject({
        status: "FAILED",
        failureReason: "PAYOUT_RETURNED",
        failure: { stage: "RETURN" },
        refund: { status: "COMPLETED" },
      });
      expect((await eventsAbout(story, id)).slice(-3)).toEqual([
        "OUTGOING_PAYMENT.FAILED",
        "OUTGOING_PAYMENT.REFUND_PENDING",
        "OUTGOING_PAYMENT.REFUND_COMPLETED",
      ]);
      expect((await railPayment(orderId)).returned.amount).toBe(100);
      expect((await transactionOf(story, id)).expectedSettlementAt).toMatch(/^20\d\d-/);
    }
    expect(await balanceOf(story, payer.accountId)).toBe(before);
    expect(await books()).toEqual({ clearing: 0, suspense: 0 });
  });

  it("is credited with what came, and the rest is an item for which own funds stand in", async () => {
    const before = await balanceOf(story, payer.accountId);
    const order = await settledPayout();
    const { id, orderId, endToEndId } = order;
    expectStatus(200, await comesBack(order, 95));
    expect(await transactionOf(story, id)).toMatchObject({
      status: "FAILED",
      refund: { status: "COMPLETED", amount: { amount: 95 } },
    });
    expect((await railPayment(orderId)).returned.amount).toBe(95);
    expect(await balanceOf(story, payer.accountId)).toBe(before - 5);
    expect(await books()).toEqual({ clearing: 5, suspense: 5, "own-funds": -5 });
    const item = (await items()).find(({ reason }) => reason === "SHORT_RETURN");
    expect(item).toMatchObject({
      reason: "SHORT_RETURN",
      paymentId: orderId,
      direction: "CREDIT",
      amount: { amount: 5 },
      state: "OPEN",
    });
    expect(item).not.toHaveProperty("entryId");
    // Own funds go to the account that paid, and to no other.
    const { accountId: other } = await fundedCustomer(story, 0);
    for (const [wrong, field] of [
      [{ kind: "ACCOUNT", amount: 5, accountId: other }, "parts[0].accountId"],
      [{ kind: "FX", amount: 5 }, "parts[0].kind"],
    ] as const) {
      const refused = await resolve(item.id, [wrong]);
      expect([refused.status, refused.json.details.field]).toEqual([400, field]);
    }
    // The platform bears the charge.
    const part = { kind: "ACCOUNT", amount: 5, accountId: payer.accountId };
    const resolved = expectStatus(200, await resolve(item.id, [part])).json;
    expect(await balanceOf(story, payer.accountId)).toBe(before);
    expect(await books()).toEqual({ clearing: 5, suspense: 0, "own-funds": -5 });
    const credit = await transactionOf(story, resolved.resolution.parts[0].transactionId);
    expect(credit).toMatchObject({
      type: "INCOMING",
      railPaymentId: orderId,
      source: { endToEndId },
    });
  });

  it("leaves a charge with the customer when the rest is resolved as own funds", async () => {
    expectStatus(200, await comesBack(await settledPayout(), 95));
    const item = (await items()).find(({ reason }) => reason === "SHORT_RETURN");
    const twin = {
      kind: "DUPLICATE_OF",
      amount: 5,
      entryId: (await tell("x", "CREDIT", 5)).json.id,
    };
    expect((await resolve(item.id, [twin])).status).toBe(400);
    const part = { kind: "OWN_FUNDS", amount: 5, label: "charge of the bank" };
    expectStatus(200, await resolve(item.id, [part]));
    expect(await books()).toEqual({ clearing: 0, suspense: 5, "own-funds": 0 });
  });

  it("is no return when more came than was sent, or less before it settled", async () => {
    const settled = await settledPayout();
    expect((await comesBack(settled, 101)).status).toBe(400);
    // A text makes no conflict.
    const { id, orderId } = settled;
    expect(await railPayment(orderId)).toMatchObject({ state: "SETTLED", conflict: false });
    expect((await transactionOf(story, id)).status).toBe("COMPLETED");
    const queued = await orderOf(expectStatus(201, await payer.pay(100)).json.id);
    expect((await comesBack(queued, 95)).status).toBe(400);
  });

  it("goes to suspense the second time", async () => {
    const order = await settledPayout();
    const { endToEndId } = order;
    expectStatus(200, await comesBack(order, 100));
    expect((await tell(endToEndId, "CREDIT", 100)).json.bookedAs).toBe("SUSPENSE");
    expect((await items())[0].reason).toBe("ALREADY_BOOKED");
    const marked = await settledPayout();
    await mark(marked.orderId, "RETURNED");
    // The mark said that all came back.
    expect((await tell(marked.endToEndId, "CREDIT", 95)).json.bookedAs).toBe("SUSPENSE");
    expect((await items())[0].reason).toBe("AMOUNT_DIFFERS");
  });

  it("waits in suspense when its customer was deleted, and fails the refund", async () => {
    story = await openStory(server);
    connectionId = await activeConnection(story, manualConnection());
    await routeTo(story, connectionId);
    const { accountId, customerId } = await fundedCustomer(story, 100);
    const paid = await story.call("POST", "/transfer-out", {
      source: { accountId },
      destination: { accountId: await bankAccount(story, { customerId }) },
      amount: 100,
    });
    const order = await orderOf(expectStatus(201, paid).json.id);
    const { id, orderId } = order;
    expectStatus(200, await mark(orderId, "SETTLED"));
    expectStatus(200, await story.call("DELETE", `/customers/${customerId}`));
    expectStatus(200, await comesBack(order, 95));
    expect(await transactionOf(story, id)).toMatchObject({
      status: "FAILED",
      failureReason: "PAYOUT_RETURNED",
      refund: { status: "FAILED" },
    });
    expect((await eventsAbout(story, id)).at(-1)).toBe("OUTGOING_PAYMENT.REFUND_FAILED");
    expect(await books()).toEqual({ clearing: 5, suspense: 100, "own-funds": -5 });
    const waiting = (await items()).filter(({ state }) => state === "OPEN");
    const found = waiting.map(({ reason, amount }) => [reason, amount.amount]);
    expect(found.toSorted()).toEqual([
      ["CUSTOMER_DELETED", 95],
      ["SHORT_RETURN", 5],
    ]);
    const item = (await items()).find(({ reason }) => reason === "CUSTOMER_DELETED");
    const back = { kind: "ACCOUNT", amount: 95, accountId };
    expect((await resolve(item.id, [back])).status).toBe(409);
    const own = await internalAccount(story, { currency: "USD" });
    const elsewhere = { kind: "ACCOUNT", amount: 95, accountId: own };
    expectStatus(200, await resolve(item.id, [elsewhere]));
    expect(await railPayment(orderId)).toMatchObject({ state: "RETURNED", conflict: false });
  });

  it.each([
    ["takes it when there is room to the last unit", 0, "COMPLETED", []],
    ["waits in suspense when one unit has no room", 1, "FAILED", [["ACCOUNT_FULL", 100]]],
  ] as const)("%s", async (_what, beyond, refund, expected) => {
    const { id, orderId } = await settledPayout();
    const balance = await balanceOf(story, payer.accountId);
    const amount = 9_000_000_000_000_000 - balance - 100 + beyond;
    await tell("none", "CREDIT", amount);
    const [gift] = await items();
    const part = { kind: "ACCOUNT", amount, accountId: payer.accountId };
    expectStatus(200, await resolve(gift.id, [part]));
    expectStatus(200, await mark(orderId, "RETURNED"));
    expect((await transactionOf(story, id)).refund.status).toBe(refund);
    const open = (await items()).filter(({ state }) => state === "OPEN");
    expect(open.map(({ reason, amount: { amount: minor } }) => [reason, minor])).toEqual(expected);
    const archived = await story.call("DELETE", `/rails/connections/${connectionId}`);
    expect(archived.json.details.blockers.items).toBe(expected.length === 0 ? undefined : 1);
  });
});

describe("a collection that is taken back", () => {
  it("fails without a posting before it was settled", async () => {
    const { id, orderId, endToEndId } = await collection(300);
    expectStatus(200, await mark(orderId, "RETURNED"));
    expect(await transactionOf(story, id)).toMatchObject({
      status: "FAILED",
      failureReason: "COLLECTION_FAILED",
    });
    expect(await books()).toEqual({});
    // Both lines are told later, and move nothing more.
    expect((await tell(endToEndId, "CREDIT", 300)).json.bookedAs).toBe("PAYMENT");
    expect((await tell(endToEndId, "DEBIT", 300)).json.bookedAs).toBe("RETURN");
    expect(await books()).toEqual({});
  });

  it("takes the money from its account after that", async () => {
    const before = await balanceOf(story, payer.accountId);
    const order = await settledCollection(300);
    const { id, endToEndId } = order;
    expectStatus(200, await comesBack(order, 300, "DEBIT"));
    expect(await transactionOf(story, id)).toMatchObject({
      status: "FAILED",
      failureReason: "COLLECTION_FAILED",
      failure: { stage: "RETURN" },
    });
    expect((await eventsAbout(story, id)).slice(-2)).toEqual([
      "INCOMING_PAYMENT.COMPLETED",
      "INCOMING_PAYMENT.FAILED",
    ]);
    expect(await balanceOf(story, payer.accountId)).toBe(before);
    expect(await books()).toEqual({ clearing: 0, suspense: 0 });
    expect((await story.call("GET", "/rails/receivables")).json.data).toEqual([]);
    // The second one is not this payment's.
    expect((await tell(endToEndId, "DEBIT", 300)).json.bookedAs).toBe("SUSPENSE");
  });

  /** 300 are collected, and only 40 are left of it when it is taken back. */
  async function owed(): Promise<RawAnswer["json"]> {
    const { orderId } = await settledCollection(300);
    const balance = await balanceOf(story, payer.accountId);
    await settledPayout(balance - 40);
    expectStatus(200, await mark(orderId, "RETURNED"));
    const { json } = await story.call("GET", "/rails/receivables?state=OPEN");
    expect(json.data.length).toBe(1);
    return json.data[0];
  }

  it("takes what the account has, and the rest is owed, collected and written off", async () => {
    const receivable = await owed();
    expect(receivable).toMatchObject({
      amount: { amount: 260 },
      open: { amount: 260 },
      internalAccountId: payer.accountId,
      state: "OPEN",
    });
    expect(await balanceOf(story, payer.accountId)).toBe(0);
    expect(await systemBalances(story)).toMatchObject({ receivables: -260 });
    const path = `/rails/receivables/${receivable.id}`;
    const { parties } = (await story.call("GET", `${path}?expand=parties`)).json;
    expect(parties.from).toMatchObject({ kind: "INTERNAL_ACCOUNT", id: payer.accountId });
    const empty = await story.call("POST", `${path}/collect`);
    expect([empty.status, empty.json.code]).toEqual([409, "CONFLICT"]);
    await settledCollection(100);
    expect((await story.call("POST", `${path}/collect`)).json).toMatchObject({
      open: { amount: 160 },
      collected: { amount: 100 },
      state: "OPEN",
    });
    expect(await balanceOf(story, payer.accountId)).toBe(0);
    const control = { approval: "FOUR_EYES" };
    const connection = `/rails/connections/${connectionId}`;
    expectStatus(200, await story.call("PATCH", connection, { control }));
    const asked = await story.call("POST", `${path}/write-off`, { note: "gone" });
    expect(expectStatus(202, asked).json).toMatchObject({
      kind: "WRITE_OFF",
      request: { note: "gone" },
    });
    expect((await story.call("GET", path)).json.state).toBe("OPEN");
    await confirmed(asked);
    const off = await story.call("GET", path);
    expect(off.json).toMatchObject({
      open: { amount: 0 },
      writtenOff: { amount: 160 },
      state: "WRITTEN_OFF",
      note: "gone",
    });
    expect((await books())["own-funds"]).toBe(-160);
    expect(await systemBalances(story)).not.toHaveProperty("receivables");
    for (const [verb, body] of [["collect"], ["write-off", { note: "again" }]] as const) {
      const again = await story.call("POST", `${path}/${verb}`, body);
      expect([again.status, again.json.details.status]).toEqual([409, "WRITTEN_OFF"]);
    }
  });

  it("ends a receivable that was collected in full", async () => {
    const { id } = await owed();
    await settledCollection(1_000);
    const path = `/rails/receivables/${id}`;
    const connection = `/rails/connections/${connectionId}`;
    const control = { approval: "FOUR_EYES" };
    expectStatus(200, await story.call("PATCH", connection, { control }));
    const asked = await story.call("POST", `${path}/collect`);
    expect(expectStatus(202, asked).json).toMatchObject({ kind: "COLLECTION" });
    expect((await story.call("GET", path)).json.state).toBe("OPEN");
    await confirmed(asked);
    const collected = await story.call("GET", path);
    expect(collected.json).toMatchObject({ open: { amount: 0 }, state: "COLLECTED" });
    expect(await balanceOf(story, payer.accountId)).toBe(740);
    const query = `internalAccountId=${payer.accountId}&state=COLLECTED`;
    expect((await story.call("GET", `/rails/receivables?${query}`)).json.totalCount).toBe(1);
  });

  it("waits for a person when some of it was given back to its payer", async () => {
    const order = await settledCollection(300);
    const { id } = order;
    const refund = await story.call("POST", `/transactions/${id}/refund`, { reason: "OTHER" });
    const given = await orderOf(expectStatus(201, refund).json.id);
    expectStatus(200, await mark(given.orderId, "SETTLED"));
    expect((await transactionOf(story, id)).status).toBe("REFUNDED");
    expect((await comesBack(order, 300, "DEBIT")).status).toBe(409);
    expectStatus(200, await mark(order.orderId, "RETURNED"));
    expect(await railPayment(order.orderId)).toMatchObject({ state: "SETTLED", conflict: true });
  });

  it("does not touch another amount", async () => {
    const order = await settledCollection(300);
    expect((await comesBack(order, 299, "DEBIT")).status).toBe(400);
    expect(await railPayment(order.orderId)).toMatchObject({ state: "SETTLED" });
  });
});

describe("a collection that is held for some banking days", () => {
  const DAYS = 5 * 86_400;

  beforeEach(async () => {
    story = await openStory(server);
    const { accountId, customerId } = await fundedCustomer(story, 50);
    const payeeId = await bankAccount(story, { customerId });
    payer = { accountId, payeeId, pay: payer.pay };
    const desk = manualConnection();
    const settings = { ...desk.settings, holdDays: 2 };
    connectionId = await activeConnection(story, { ...desk, settings });
    await routeTo(story, connectionId, { direction: "PULL" });
  });

  const advance = async (seconds: number) => {
    await story.call("POST", "/sandbox/clock/advance", { seconds });
    await story.settle();
  };

  it("is credited after them", async () => {
    const { id, orderId, endToEndId } = await settledCollection(300);
    expect((await transactionOf(story, id)).status).toBe("PENDING");
    expect(await railPayment(orderId)).toMatchObject({ state: "SETTLED" });
    expect(await railPayment(orderId)).toHaveProperty("heldUntil");
    expect(await balanceOf(story, payer.accountId)).toBe(50);
    expect(await systemBalances(story)).toMatchObject({ "paid-in": 300, clearing: -300 });
    expect((await tell(endToEndId, "CREDIT", 300)).json.bookedAs).toBe("PAYMENT");
    // A later setting is not of orders that were accepted before.
    const path = `/rails/connections/${connectionId}`;
    expectStatus(200, await story.call("PATCH", path, { settings: { holdDays: 60 } }));
    await advance(DAYS);
    expect((await transactionOf(story, id)).status).toBe("COMPLETED");
    expect(await balanceOf(story, payer.accountId)).toBe(350);
    expect(await railPayment(orderId)).not.toHaveProperty("heldUntil");
    expect(await systemBalances(story)).not.toHaveProperty("paid-in");
    expectStatus(200, await mark(orderId, "RETURNED"));
    expect(await balanceOf(story, payer.accountId)).toBe(50);
  });

  it("fails when it is taken back within them, and nothing was credited", async () => {
    const order = await settledCollection(300);
    const { id, orderId } = order;
    expectStatus(200, await comesBack(order, 300, "DEBIT"));
    expect(await transactionOf(story, id)).toMatchObject({
      status: "FAILED",
      failureReason: "COLLECTION_FAILED",
      failure: { stage: "COLLECTION" },
    });
    expect(await railPayment(orderId)).toMatchObject({ state: "RETURNED", conflict: false });
    await advance(DAYS);
    expect(await balanceOf(story, payer.accountId)).toBe(50);
    expect(await books()).toEqual({ clearing: 0, suspense: 0 });
    expect((await story.call("GET", "/rails/receivables")).json.data).toEqual([]);
  });

  it("waits in suspense when its account has no room at their end", async () => {
    const { id, orderId } = await settledCollection(300);
    await tell("none", "CREDIT", 9_000_000_000_000_000 - 50);
    const [gift] = await items();
    const amount = 9_000_000_000_000_000 - 50;
    expectStatus(
      200,
      await resolve(gift.id, [{ kind: "ACCOUNT", amount, accountId: payer.accountId }]),
    );
    await advance(DAYS);
    expect((await transactionOf(story, id)).status).toBe("FAILED");
    const open = (await items()).filter(({ state }) => state === "OPEN");
    expect(open).toMatchObject([{ reason: "ACCOUNT_FULL", paymentId: orderId }]);
    expect(await railPayment(orderId)).toMatchObject({ state: "SETTLED" });
  });
});
