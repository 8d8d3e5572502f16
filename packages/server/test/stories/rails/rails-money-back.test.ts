/** Money that goes back to its payer: ordered by a person, carried by the connection that it came by, reported on like any order. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openConnector, type TestConnector } from "../../kit/rail-connector.ts";
import { foundAfter } from "../../kit/reconciled.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import {
  booksOf,
  credit,
  fundedDesk,
  itemsOf,
  releaseOrder,
  resolveItem,
  tellEntry,
} from "../../kit/story-funding.ts";
import { internalAccount } from "../../kit/story-money.ts";
import {
  activeConnection,
  balanceOf,
  expectStatus,
  httpConnection,
  otherToken,
} from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let connector: TestConnector;
let story: Story;
let desk: string;
beforeAll(async () => {
  connector = await openConnector();
  server = await startTestServer({
    settings: { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` },
  });
});
beforeEach(async () => {
  story = await openStory(server, { environment: "PRODUCTION" });
  desk = await fundedDesk(story);
});
afterEach(async () => {
  expect(await foundAfter({ server, story }, "select 1")).toEqual([]);
});
afterAll(async () => {
  await server.close();
  await connector.close();
});

const orderOf = async (item: RawAnswer["json"]): Promise<RawAnswer["json"]> => {
  const part = item.resolution.parts.find(({ kind }: { kind: string }) => kind === "RETURN");
  return (await story.call("GET", `/rails/payments/${part.paymentId}`)).json;
};
/** The payer's account was typed in by one token: another one lets the money go there. */
const releasedOf = async (item: RawAnswer["json"]) => releaseOrder(story, (await orderOf(item)).id);
const mark = (order: RawAnswer["json"], outcome: string) =>
  story.call("POST", `/rails/payments/${order.id}/mark`, { outcome });

async function returned(amount = 1_000, more: object = {}) {
  const entry = await credit(story, desk, { amount, ...more });
  const [item] = await itemsOf(story, entry.id);
  const { json } = expectStatus(200, await resolveItem(story, item.id, { kind: "RETURN", amount }));
  expect((await orderOf(json)).state).toBe("HELD");
  return { entry, item: json, order: await releasedOf(json) };
}

describe("an item that is given back", () => {
  it("is an order of its own, and leaves suspense when that has settled", async () => {
    const { item, order } = await returned();
    expect(order).toMatchObject({
      direction: "BACK",
      itemId: item.id,
      state: "QUEUED",
      amount: { amount: 1_000 },
      counterparty: { name: "Ana Ruiz", identifierMasked: "…6789" },
    });
    expect(order).not.toHaveProperty("transactionId");
    expect(await booksOf(story, desk)).toEqual({ clearing: -1_000, suspense: 1_000 });
    const path = `/rails/payments/${order.id}/reroute`;
    expect((await story.call("POST", path)).status).toBe(409);
    const archived = await story.call("DELETE", `/rails/connections/${desk}`);
    expect(archived.json.details.blockers).toMatchObject({ payments: 1 });
    expectStatus(200, await mark(order, "SENT"));
    expectStatus(200, await mark(order, "SETTLED"));
    expect(await booksOf(story, desk)).toEqual({ clearing: 0, suspense: 0 });
    const told = await credit(story, desk, { direction: "DEBIT", reference: order.endToEndId });
    expect(told).toMatchObject({ bookedAs: "PAYMENT", paymentId: order.id });
    expect(await booksOf(story, desk)).toEqual({ clearing: 0, suspense: 0 });
  });

  it("is settled by its entry, and comes back by another one", async () => {
    const { order } = await returned();
    await credit(story, desk, { direction: "DEBIT", reference: order.endToEndId });
    expect(await booksOf(story, desk)).toEqual({ clearing: 0, suspense: 0 });
    const quoted = await credit(story, desk, { reference: order.endToEndId, amount: 1_000 });
    expect(await itemsOf(story, quoted.id)).toMatchObject([
      { reason: "UNREFERENCED", suggestedPaymentId: order.id },
    ]);
    expect((await story.call("GET", `/rails/payments/${order.id}`)).json.state).toBe("SETTLED");
    const own = { kind: "OWN_FUNDS", amount: 1_000, label: "a gift" };
    expectStatus(200, await resolveItem(story, (await itemsOf(story, quoted.id))[0].id, own));
    expectStatus(200, await mark(order, "RETURNED"));
    const again = await credit(story, desk, { reference: order.endToEndId });
    expect(again).toMatchObject({ bookedAs: "SUSPENSE", paymentId: order.id });
    expect(await itemsOf(story, again.id)).toMatchObject([
      { reason: "RETURN_CAME_BACK", paymentId: order.id },
    ]);
    expect(await booksOf(story, desk)).toEqual({
      clearing: -2_000,
      suspense: 1_000,
      "own-funds": 1_000,
    });
    expect((await story.call("GET", `/rails/payments/${order.id}`)).json.state).toBe("RETURNED");
  });

  it.each(["DECLINED", "CANCELLED"])("is an item again when the order is %s", async (outcome) => {
    const { entry, order } = await returned();
    const path = `/rails/payments/${order.id}/recall`;
    const ended =
      outcome === "DECLINED"
        ? await mark(order, outcome)
        : await story.call("POST", path, { reason: "OTHER" });
    expectStatus(200, ended);
    const [, again] = await itemsOf(story, entry.id);
    expect(again).toMatchObject({ reason: "RETURN_DECLINED", state: "OPEN", paymentId: order.id });
    const { json } = expectStatus(
      200,
      await resolveItem(story, again.id, { kind: "RETURN", amount: 1_000 }),
    );
    expectStatus(200, await mark(await releasedOf(json), "SETTLED"));
    expect(await booksOf(story, desk)).toEqual({ clearing: 0, suspense: 0 });
  });

  it("is a part of the item beside others", async () => {
    const house = await internalAccount(story, { currency: "USD" });
    const entry = await credit(story, desk);
    const [item] = await itemsOf(story, entry.id);
    const parts = [
      { kind: "RETURN", amount: 600 },
      { kind: "ACCOUNT", amount: 300, accountId: house },
      { kind: "OWN_FUNDS", amount: 100, label: "charge" },
    ];
    const { json } = expectStatus(200, await resolveItem(story, item.id, ...parts));
    expect(await balanceOf(story, house)).toBe(300);
    expect(await foundAfter({ server, story }, "select 1")).toEqual([]);
    expectStatus(200, await mark(await releasedOf(json), "DECLINED"));
    const [, again] = await itemsOf(story, entry.id);
    expect(again.amount.amount).toBe(600);
  });

  it("goes to the account that a person has found out, once another token agrees", async () => {
    const nameless = await credit(story, desk, { payer: { name: "Ana Ruiz" } });
    const [item] = await itemsOf(story, nameless.id);
    const part = { kind: "RETURN", amount: 1_000, details: { name: "Bea", account: "44445555" } };
    const asked = expectStatus(202, await resolveItem(story, item.id, part)).json;
    expect(asked.request.parts).toEqual([
      { kind: "RETURN", amount: 1_000, details: { name: "Bea", accountMasked: "…5555" } },
    ]);
    const confirm = `/rails/marks/${asked.id}/confirm`;
    const alone = await story.call("POST", confirm);
    expect([alone.status, alone.json.details.rule]).toEqual([403, "FOUR_EYES"]);
    expect(await itemsOf(story, nameless.id)).toMatchObject([{ state: "OPEN" }]);
    const authorization = await otherToken(story);
    expectStatus(200, await story.call("POST", confirm, undefined, { authorization }));
    const [resolved] = await itemsOf(story, nameless.id);
    const order = await orderOf(resolved);
    // What the entry told of the payer stands.
    expect(order.counterparty).toEqual({
      name: "Ana Ruiz",
      accountType: "PAYER_ACCOUNT",
      identifierMasked: "…5555",
    });
    expect(JSON.stringify([asked, resolved, order])).not.toContain("44445555");
    expectStatus(200, await mark(order, "SETTLED"));
    expect(await booksOf(story, desk)).toEqual({ clearing: 0, suspense: 0 });
  });

  it("goes to no other account than the entry tells, and details are of no other part", async () => {
    const entry = await credit(story, desk);
    const [item] = await itemsOf(story, entry.id);
    const details = { account: "44445555" };
    const other = await resolveItem(story, item.id, { kind: "RETURN", amount: 1_000, details });
    expect([other.status, other.json.details.field]).toEqual([400, "parts[0].details"]);
    const wrong = { kind: "OWN_FUNDS", amount: 1_000, label: "charge", details };
    const foreign = await resolveItem(story, item.id, wrong);
    expect([foreign.status, foreign.json.details.field]).toEqual([400, "parts[0].details"]);
    for (const bad of [{}, { account: "" }, { account: 7 }, "44445555"]) {
      const part = { kind: "RETURN", amount: 1_000, details: bad };
      expect((await resolveItem(story, item.id, part)).status).toBe(400);
    }
  });

  it("is refused without the payer's account, and of money that went out", async () => {
    const nameless = await credit(story, desk, { payer: { name: "Ana Ruiz" } });
    const gone = await credit(story, desk, { direction: "DEBIT" });
    for (const [id, words] of [
      [nameless.id, "without the account"],
      [gone.id, "went out"],
    ] as const) {
      const [item] = await itemsOf(story, id);
      const { status, json } = await resolveItem(story, item.id, { kind: "RETURN", amount: 1_000 });
      expect([status, json.code]).toEqual([409, "CONFLICT"]);
      expect(json.message).toContain(words);
    }
  });
});

it("is ordered from a connector under an id of its own, with the entry that it gives back", async () => {
  const bank = await activeConnection(story, httpConnection(connector));
  const entry = {
    id: "B-1",
    currency: "USD",
    amount: "700",
    direction: "CREDIT",
    bookedAt: "2026-11-24T10:00:00Z",
    payer: { name: "Ana", account: "99887766" },
  };
  expectStatus(204, await tellEntry(story, bank, entry));
  const { json } = await story.call("GET", `/rails/items?connectionId=${bank}`);
  connector.report = () => ({ status: "settled" });
  const resolved = expectStatus(
    200,
    await resolveItem(story, json.data[0].id, { kind: "RETURN", amount: 700 }),
  ).json;
  await story.settle();
  const order = await orderOf(resolved);
  expect(order.state).toBe("SETTLED");
  expect(connector.orders.get(order.id.slice("RailPayment:".length))).toMatchObject({
    direction: "BACK",
    amount: "700",
    original: { entryId: "B-1" },
    counterparty: { name: "Ana", accountInfo: { account: "99887766" } },
  });
  expect(await booksOf(story, bank)).toEqual({ clearing: 0, suspense: 0 });
});
