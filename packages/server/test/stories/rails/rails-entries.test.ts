/** Entries of the accounts outside: each is booked once, by its order or into suspense, and a person resolves what is there. */
import { beforeEach, describe, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import {
  activeConnection,
  balanceOf,
  eventsAbout,
  expectStatus,
  manualConnection,
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
});

let lines = 0;
const line = (more: Readonly<Record<string, unknown>> = {}) => ({
  bankReference: `L-${++lines}`,
  direction: "CREDIT",
  amount: 100,
  currency: "USD",
  bookedOn: "2026-11-24",
  ...more,
});
const tell = (more: Readonly<Record<string, unknown>> = {}, to = connectionId) =>
  story.call("POST", `/rails/connections/${to}/entries`, line(more));
const booked = async (more: Readonly<Record<string, unknown>> = {}) =>
  expectStatus(201, await tell(more)).json;

async function payout(amount = 100) {
  const { id } = expectStatus(201, await payer.pay(amount)).json;
  const order = await paymentOf(story, id);
  return { id: String(id), orderId: String(order.id), endToEndId: String(order.endToEndId) };
}

async function collection(amount: number) {
  const route = await routeTo(story, connectionId, { direction: "PULL" });
  const pulled = await story.call("POST", "/transfer-in", {
    source: { accountId: payer.payeeId },
    destination: { accountId: payer.accountId },
    amount,
  });
  const { id } = expectStatus(201, pulled).json;
  await story.call("DELETE", `/rails/routes/${route}`);
  const order = await paymentOf(story, id);
  return { id: String(id), orderId: String(order.id), endToEndId: String(order.endToEndId) };
}

const mark = (orderId: string, outcome: string) =>
  story.call("POST", `/rails/payments/${orderId}/mark`, { outcome });
const orderOf = async (orderId: string) =>
  (await story.call("GET", `/rails/payments/${orderId}`)).json;

async function itemOf(entryId: string): Promise<RawAnswer["json"]> {
  const { json } = await story.call("GET", `/rails/items?connectionId=${connectionId}&limit=100`);
  return json.data.find((item: { readonly entryId: string }) => item.entryId === entryId);
}

async function books(): Promise<Readonly<Record<string, number>>> {
  const { json } = await story.call("GET", `/ledger/accounts?connectionId=${connectionId}`);
  const data = json.data as readonly {
    readonly kind: string;
    readonly balance: { readonly amount: string };
  }[];
  return Object.fromEntries(data.map(({ kind, balance }) => [kind, Number(balance.amount)]));
}

const resolve = (itemId: string, parts: readonly unknown[], note = "known") =>
  story.call("POST", `/rails/items/${itemId}/resolve`, { parts, note });

describe("an entry that names an order", () => {
  it("settles a payout, and is tied to one that was settled before", async () => {
    const one = await payout();
    const entry = await booked({ direction: "DEBIT", reference: one.endToEndId });
    expect(entry).toMatchObject({ bookedAs: "PAYMENT", paymentId: one.orderId, source: "MANUAL" });
    expect(await transactionOf(story, one.id)).toMatchObject({ status: "COMPLETED" });
    expect(await orderOf(one.orderId)).toMatchObject({
      state: "SETTLED",
      settledOn: "2026-11-24",
      bankReference: entry.bankReference,
      lastReport: { source: "ENTRY", scheme: "MANUAL" },
    });
    const other = await payout(40);
    await mark(other.orderId, "SETTLED");
    expect(
      await booked({ direction: "DEBIT", reference: other.endToEndId, amount: 40 }),
    ).toMatchObject({ bookedAs: "PAYMENT" });
    expect(await books()).toEqual({ clearing: 140 });
  });

  it("settles a collection when a person says so, and is tied to one that was settled before", async () => {
    const before = await balanceOf(story, payer.accountId);
    const { id, orderId, endToEndId } = await collection(300);
    const entry = await booked({ reference: endToEndId, amount: 300 });
    expect(entry).toMatchObject({ bookedAs: "SUSPENSE" });
    expect(entry).not.toHaveProperty("paymentId");
    expect((await transactionOf(story, id)).status).toBe("PENDING");
    const item = await itemOf(entry.id);
    expect(item).toMatchObject({ reason: "UNREFERENCED", suggestedPaymentId: orderId });
    const part = { kind: "PAYMENT", amount: 300, paymentId: orderId, outcome: "SETTLED" };
    expectStatus(200, await resolve(item.id, [part]));
    expect(await transactionOf(story, id)).toMatchObject({ status: "COMPLETED" });
    expect(await balanceOf(story, payer.accountId)).toBe(before + 300);
    expect(await books()).toEqual({ clearing: -300, suspense: 0 });
    const marked = await collection(40);
    await mark(marked.orderId, "SETTLED");
    const told = { reference: marked.endToEndId, amount: 40 };
    expect((await booked(told)).bookedAs).toBe("PAYMENT");
  });

  it("gives a payout back, whether or not its settlement was told", async () => {
    const before = await balanceOf(story, payer.accountId);
    const { id, orderId, endToEndId } = await payout();
    const back = await itemOf((await booked({ reference: endToEndId })).id);
    const part = { kind: "PAYMENT", amount: 100, paymentId: orderId, outcome: "RETURNED" };
    expectStatus(200, await resolve(back.id, [part]));
    expect(await transactionOf(story, id)).toMatchObject({
      status: "FAILED",
      failureReason: "PAYOUT_RETURNED",
      refund: { status: "COMPLETED" },
    });
    expect(await balanceOf(story, payer.accountId)).toBe(before);
    // The debit is told after the credit.
    expect(await booked({ direction: "DEBIT", reference: endToEndId })).toMatchObject({
      bookedAs: "PAYMENT",
    });
    expect((await orderOf(orderId)).state).toBe("RETURNED");
    expect(await books()).toEqual({ clearing: 0, suspense: 0 });
  });

  it("goes to suspense when it has another amount", async () => {
    const { id, orderId, endToEndId } = await payout();
    const entry = await booked({ direction: "DEBIT", amount: 99, reference: endToEndId });
    expect(entry).toMatchObject({ bookedAs: "SUSPENSE", paymentId: orderId });
    const item = await itemOf(entry.id);
    expect(item).toMatchObject({ reason: "AMOUNT_DIFFERS", suggestedPaymentId: orderId });
    expect(await orderOf(orderId)).toMatchObject({ state: "QUEUED", conflict: true });
    expect((await transactionOf(story, id)).status).toBe("PENDING");
    expect(await books()).toEqual({ clearing: 99, suspense: -99 });
  });

  it.each([
    ["as its reference", (id: string) => ({ reference: id })],
    ["in small letters", (id: string) => ({ reference: id.toLowerCase() })],
    ["in its text", (id: string) => ({ remittance: `return of ${id}, wrong account` })],
    ["with hyphens", (id: string) => ({ remittance: id.replace(/^(.{8})(.{4})/, "$1-$2-") })],
  ])("is a suggestion when a payer quotes it %s, and changes no order", async (_how, more) => {
    const { id, orderId, endToEndId } = await payout();
    await mark(orderId, "SETTLED");
    const entry = await booked({ ...more(endToEndId), amount: 1 });
    expect(entry).toMatchObject({ bookedAs: "SUSPENSE" });
    expect(entry).not.toHaveProperty("paymentId");
    const item = await itemOf(entry.id);
    expect(item).toMatchObject({ reason: "UNREFERENCED", suggestedPaymentId: orderId });
    expect(await orderOf(orderId)).toMatchObject({ state: "SETTLED", conflict: false });
    expect((await transactionOf(story, id)).status).toBe("COMPLETED");
  });

  it("suggests nothing for the id of another platform, or of nothing", async () => {
    for (const reference of ["019A4F00000070008000000000000023", "0".repeat(31), "0".repeat(33)]) {
      const { id } = await booked({ reference });
      expect(await itemOf(id)).not.toHaveProperty("suggestedPaymentId");
    }
  });

  it("goes to suspense when an order that was marked has another amount", async () => {
    const { orderId, endToEndId } = await payout();
    await mark(orderId, "SETTLED");
    const entry = await booked({ direction: "DEBIT", reference: endToEndId, amount: 101 });
    expect((await itemOf(entry.id)).reason).toBe("AMOUNT_DIFFERS");
    expect(await books()).toEqual({ clearing: 201, suspense: -101 });
    const right = await booked({ direction: "DEBIT", reference: endToEndId });
    expect(right.bookedAs).toBe("PAYMENT");
  });

  it("goes to suspense when the order was booked before, or is over otherwise", async () => {
    const { endToEndId } = await payout();
    await booked({ direction: "DEBIT", reference: endToEndId });
    const again = await booked({ direction: "DEBIT", reference: endToEndId });
    expect((await itemOf(again.id)).reason).toBe("ALREADY_BOOKED");
    const declined = await payout();
    await mark(declined.orderId, "DECLINED");
    const paid = await booked({ direction: "DEBIT", reference: declined.endToEndId });
    expect((await itemOf(paid.id)).reason).toBe("CONTRADICTS_ORDER");
    expect(await orderOf(declined.orderId)).toMatchObject({ state: "DECLINED", conflict: true });
    expect(await books()).toEqual({ clearing: 300, suspense: -200 });
  });

  it("does nothing to an order of another connection", async () => {
    const { orderId, endToEndId } = await payout();
    const other = await activeConnection(story, manualConnection());
    const told = await tell({ direction: "DEBIT", reference: endToEndId }, other);
    expect(told.json).toMatchObject({ bookedAs: "SUSPENSE" });
    expect((await orderOf(orderId)).state).toBe("QUEUED");
  });
});

it("is booked once under its bank reference, and refused by name", async () => {
  const entry = await booked();
  const again = await tell({ bankReference: entry.bankReference });
  expect([again.status, again.json.code, again.json.details]).toEqual([
    409,
    "DUPLICATE_ENTRY",
    { field: "bankReference", entryId: entry.id },
  ]);
  expect(await books()).toEqual({ clearing: -100, suspense: 100 });
  const other = await activeConnection(story, manualConnection());
  expect((await tell({ bankReference: entry.bankReference }, other)).status).toBe(201);
  const euro = await tell({ currency: "EUR" });
  expect([euro.status, euro.json.details.field]).toEqual([400, "currency"]);
  for (const amount of [0, -1, 1.5, "100"]) expect((await tell({ amount })).status).toBe(400);
  for (const bookedOn of ["2026-02-30", "today", 7]) {
    expect((await tell({ bookedOn })).status, String(bookedOn)).toBe(400);
  }
  const nowhere = "RailConnection:019a4f00-0000-7000-8000-000000000023";
  expect((await tell({}, nowhere)).status).toBe(404);
  const stranger = await openStory(server, { environment: "PRODUCTION" });
  const path = `/rails/connections/${connectionId}/entries`;
  expect((await stranger.call("POST", path, line())).status).toBe(404);
});

it("is listed and read, with the payer's account masked", async () => {
  const told = { payer: { name: "Ana Ruiz", account: "123456789" }, remittance: "Invoice 17" };
  const entry = await booked(told);
  const debit = await booked({ direction: "DEBIT" });
  const read = await story.call("GET", `/rails/entries/${entry.id}`);
  expect(read.json).toEqual(entry);
  expect(read.json.payer).toEqual({ name: "Ana Ruiz", accountMasked: "…6789" });
  const idsOf = async (query: string) => {
    const { json } = await story.call("GET", `/rails/entries?${query}`);
    return json.data.map(({ id }: { readonly id: string }) => id);
  };
  expect(await idsOf("")).toEqual([debit.id, entry.id]);
  expect(await idsOf(`connectionId=${connectionId}&direction=DEBIT`)).toEqual([debit.id]);
  expect(await idsOf(`bankReference=${entry.bankReference}`)).toEqual([entry.id]);
});

describe("an item", () => {
  it("is credited to accounts and taken as own funds, in parts, once", async () => {
    const before = await balanceOf(story, payer.accountId);
    const entry = await booked({ payer: { name: "Bo Lind", account: "99887766" }, amount: 500 });
    const item = await itemOf(entry.id);
    expect(item).toMatchObject({ reason: "UNREFERENCED", amount: { amount: 500 }, agedDays: 0 });
    const parts = [
      { kind: "ACCOUNT", amount: 450, accountId: payer.accountId },
      { kind: "OWN_FUNDS", amount: 50, label: "charge" },
    ];
    const resolved = expectStatus(200, await resolve(item.id, parts)).json;
    const { transactionId } = resolved.resolution.parts[0];
    expect(await transactionOf(story, transactionId)).toMatchObject({
      type: "INCOMING",
      status: "COMPLETED",
      receivedAmount: { amount: 450 },
      railEntryId: entry.id,
      source: {
        sourceType: "REALTIME_FUNDING",
        accountHolderName: "Bo Lind",
        accountIdentifier: "…7766",
      },
    });
    expect(await balanceOf(story, payer.accountId)).toBe(before + 450);
    expect(await books()).toEqual({ clearing: -500, suspense: 0, "own-funds": 50 });
    expect(await eventsAbout(story, item.id)).toEqual(["RAIL_ITEM.OPEN"]);
    expect(await eventsAbout(story, transactionId)).toEqual(["INCOMING_PAYMENT.COMPLETED"]);
    const again = await resolve(item.id, parts);
    expect([again.status, again.json.details]).toEqual([409, { status: "RESOLVED" }]);
    const refund = await story.call("POST", `/transactions/${transactionId}/refund`, {
      reason: "OTHER",
    });
    expect(refund.status).toBe(501);
  });

  it("of money that went out is the platform's own, and no account's", async () => {
    const entry = await booked({ direction: "DEBIT" });
    const { id } = await itemOf(entry.id);
    const account = { kind: "ACCOUNT", amount: 100, accountId: payer.accountId };
    const refused = await resolve(id, [account]);
    expect([refused.status, refused.json.details.field]).toEqual([400, "parts[0].accountId"]);
    await resolve(id, [{ kind: "OWN_FUNDS", amount: 100, label: "fee of the bank" }]);
    expect(await books()).toEqual({ clearing: 100, suspense: 0, "own-funds": -100 });
  });

  it("is undone as the duplicate of another line, and two lines do not undo each other", async () => {
    const [one, two] = [await booked(), await booked()];
    const [first, second] = [await itemOf(one.id), await itemOf(two.id)];
    const duplicate = (entryId: string, amount = 100) => [
      { kind: "DUPLICATE_OF", amount, entryId },
    ];
    expect((await resolve(first.id, duplicate(one.id))).status).toBe(400);
    expectStatus(200, await resolve(second.id, duplicate(one.id)));
    expect(await books()).toEqual({ clearing: -100, suspense: 100 });
    const back = await resolve(first.id, duplicate(two.id));
    expect([back.status, back.json.details.field]).toEqual([400, "parts[0].entryId"]);
    const larger = await booked({ amount: 200 });
    const foreign = await resolve(first.id, duplicate(larger.id));
    expect(foreign.status).toBe(400);
    const unknown = "RailEntry:019a4f00-0000-7000-8000-000000000024";
    expect((await resolve(first.id, duplicate(unknown))).status).toBe(404);
  });

  it("keeps its money when its parts are at fault", async () => {
    const { id } = await itemOf((await booked()).id);
    const to = (accountId: string, amount = 100) => [{ kind: "ACCOUNT", amount, accountId }];
    const sums = await resolve(id, to(payer.accountId, 99));
    expect([sums.status, sums.json.details.field]).toEqual([400, "parts"]);
    const unknown = "InternalAccount:019a4f00-0000-7000-8000-000000000024";
    expect((await resolve(id, to(unknown))).status).toBe(404);
    expect((await resolve(id, to(payer.payeeId))).status).toBe(404);
    expect((await resolve(id, [])).status).toBe(400);
    expect((await resolve(id, [{ kind: "OWN_FUNDS", amount: 100 }])).status).toBe(400);
    const mixed = [{ kind: "OWN_FUNDS", amount: 100, label: "x", accountId: payer.accountId }];
    expect((await resolve(id, mixed)).status).toBe(400);
    await story.call("POST", `/internal-accounts/${payer.accountId}/freeze`, {
      scope: "ALL",
      reason: "COMPLIANCE",
    });
    const frozen = await resolve(id, to(payer.accountId));
    expect([frozen.status, frozen.json.code]).toEqual([409, "CONFLICT"]);
    expect((await story.call("GET", `/rails/items/${id}`)).json.state).toBe("OPEN");
    expect(await books()).toEqual({ clearing: -100, suspense: 100 });
  });

  it("keeps its connection from being archived", async () => {
    const desk = await activeConnection(story, manualConnection());
    const entry = expectStatus(201, await tell({}, desk)).json;
    const refused = await story.call("DELETE", `/rails/connections/${desk}`);
    expect([refused.status, refused.json.details]).toEqual([409, { blockers: { items: 1 } }]);
    const { json } = await story.call("GET", `/rails/connections/${desk}`);
    expect(json.health.openItems).toBe(1);
    const { json: items } = await story.call("GET", `/rails/items?connectionId=${desk}&state=OPEN`);
    expect(items.data[0].entryId).toBe(entry.id);
    await resolve(items.data[0].id, [{ kind: "OWN_FUNDS", amount: 100, label: "top-up" }]);
    expect((await story.call("DELETE", `/rails/connections/${desk}`)).status).toBe(204);
    expect((await tell({}, desk)).status).toBe(409);
  });

  it("tells its age after one, five and twenty working days, and no more when it is resolved", async () => {
    const sandbox = await openStory(server);
    const desk = await activeConnection(sandbox, manualConnection());
    const open = async () => {
      const path = `/rails/connections/${desk}/entries`;
      const { id } = expectStatus(201, await sandbox.call("POST", path, line())).json;
      const { json } = await sandbox.call("GET", `/rails/items?connectionId=${desk}&limit=100`);
      return json.data.find((item: { readonly entryId: string }) => item.entryId === id).id;
    };
    const item = await open();
    const advance = async (days: number) => {
      await sandbox.call("POST", "/sandbox/clock/advance", { seconds: days * 86_400 });
      await sandbox.settle();
    };
    await advance(3);
    await advance(4);
    const aged = async () => (await sandbox.call("GET", `/rails/items/${item}`)).json.agedDays;
    expect(await aged()).toBe(5);
    const resolved = await open();
    const path = `/rails/items/${resolved}/resolve`;
    const parts = [{ kind: "OWN_FUNDS", amount: 100, label: "interest" }];
    expectStatus(200, await sandbox.call("POST", path, { parts, note: "known" }));
    await advance(28);
    expect(await aged()).toBe(20);
    const types = await eventsAbout(sandbox, item);
    expect(types.filter((type) => type === "RAIL_ITEM.AGED").length).toBe(3);
    expect(await eventsAbout(sandbox, resolved)).toEqual(["RAIL_ITEM.OPEN"]);
  });
});
