/** Callbacks of connectors: one effect for one event, and one answer for everything that is not signed right. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import {
  CALLBACK_SECRET,
  openConnector,
  SIGNING_SECRET,
  signedCallback,
  type TestConnector,
} from "../../kit/rail-connector.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import {
  activeConnection,
  eventsAbout,
  expectStatus,
  httpConnection,
  type Payer,
  payerOf,
  paymentOf,
  routeTo,
  transactionOf,
} from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let connector: TestConnector;
let story: Story;
let payer: Payer;
let connectionId: string;
beforeAll(async () => {
  connector = await openConnector();
  server = await startTestServer({
    settings: { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}`, METRICS_PORT: "0" },
  });
});
beforeEach(async () => {
  connector.report = () => ({ status: "accepted", askAgainSeconds: 86_400 });
  story = await openStory(server, { environment: "PRODUCTION" });
  payer = await payerOf(story, 10_000);
  connectionId = await activeConnection(story, httpConnection(connector));
  await routeTo(story, connectionId);
});
afterAll(async () => {
  await server.close();
  await connector.close();
});

const bare = (wireId: string) => wireId.slice(wireId.indexOf(":") + 1);
const pathOf = (id: string) => `/2025-10-13/rails/callbacks/${bare(id)}`;

interface Sent {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

function send(id: string, { text, headers }: Sent): Promise<RawAnswer> {
  const path = `/rails/callbacks/${bare(id)}`;
  return story.call("POST", path, text, { authorization: null, headers });
}

async function accepted(): Promise<{ readonly id: string; readonly orderId: string }> {
  const id = expectStatus(201, await payer.pay(100)).json.id;
  await story.settle();
  return { id, orderId: (await paymentOf(story, id)).id };
}

it("settles a payment once, however often it comes", async () => {
  const { id, orderId } = await accepted();
  const payment = { id: bare(orderId), status: "settled", providerReference: "P-1" };
  const sign = () => signedCallback(pathOf(connectionId), payment, { eventId: `one-${orderId}` });
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(connectionId, sign())));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(204));
  expect(await paymentOf(story, id)).toMatchObject({
    state: "SETTLED",
    bankReference: "P-1",
    lastReport: { source: "CALLBACK" },
  });
  expect((await transactionOf(story, id)).status).toBe("COMPLETED");
  expect(await eventsAbout(story, id)).toEqual([
    "OUTGOING_PAYMENT.PENDING",
    "OUTGOING_PAYMENT.PROCESSING",
    "OUTGOING_PAYMENT.COMPLETED",
  ]);
  const other = { ...payment, status: "declined" };
  const reused = signedCallback(pathOf(connectionId), other, { eventId: `one-${orderId}` });
  expect((await send(connectionId, reused)).status).toBe(409);
  expect((await transactionOf(story, id)).status).toBe("COMPLETED");
});

it("answers forged, old, replayed, altered and misdirected ones with the same bytes", async () => {
  const { id, orderId } = await accepted();
  const payment = { id: bare(orderId), status: "settled" };
  const sign = (more = {}) => signedCallback(pathOf(connectionId), payment, more);
  const other = await activeConnection(story, httpConnection(connector));
  const used = signedCallback(pathOf(connectionId), { ...payment, status: "accepted" });
  expectStatus(204, await send(connectionId, used));
  const good = sign();
  const altered = { ...good, text: good.text.replace("settled", "returned") };
  const answers = [
    await send(connectionId, sign({ secret: SIGNING_SECRET })),
    await send(connectionId, sign({ atMs: Date.now() - 301_000 })),
    await send(connectionId, sign({ atMs: Date.now() + 302_000 })),
    await send(connectionId, used),
    await send(connectionId, altered),
    await send(connectionId, { ...good, headers: {} }),
    await send(connectionId, { ...good, headers: { "florin-rail-signature": "t=1,n=x,v1=y" } }),
    await send(other, good),
    await send("RailConnection:019a4f00-0000-7000-8000-000000000021", good),
    await send("RailConnection:nothing", good),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect((await transactionOf(story, id)).status).toBe("PROCESSING");
  expectStatus(204, await send(connectionId, good));
  expect((await transactionOf(story, id)).status).toBe("COMPLETED");
});

it("touches no payment of another connection, and keeps quiet about unknown ones", async () => {
  const { id, orderId } = await accepted();
  const other = await activeConnection(story, httpConnection(connector));
  const foreign = signedCallback(pathOf(other), { id: bare(orderId), status: "settled" });
  expect((await send(other, foreign)).status).toBe(204);
  const unknown = { id: "019a4f00-0000-7000-8000-000000000023", status: "settled" };
  expect((await send(other, signedCallback(pathOf(other), unknown))).status).toBe(204);
  expect((await transactionOf(story, id)).status).toBe("PROCESSING");
});

it("keeps and counts reports of payments that the connection does not have", async () => {
  const told = (at: number) => `019a4f00-0000-7000-8000-0000000001${String(at).padStart(2, "0")}`;
  const sign = (at: number, eventId?: string) =>
    signedCallback(
      pathOf(connectionId),
      { id: told(at), status: "settled", providerReference: `P-${at}`, reason: { text: "Ana" } },
      eventId === undefined ? {} : { eventId },
    );
  for (let at = 0; at < 25; at++) expectStatus(204, await send(connectionId, sign(at)));
  const again = sign(25, "told-twice");
  expectStatus(204, await send(connectionId, again));
  expectStatus(204, await send(connectionId, sign(25, "told-twice")));
  const { json } = await story.call("GET", `/rails/connections/${connectionId}`);
  const { count, latest } = json.health.unknownPayments;
  expect([count, latest.length]).toEqual([26, 20]);
  expect(latest[0]).toEqual({
    paymentId: told(25),
    status: "settled",
    reference: "P-25",
    at: expect.any(String),
  });
  expect(latest[19].paymentId).toBe(told(6));
  const other = await activeConnection(story, httpConnection(connector));
  const { json: quiet } = await story.call("GET", `/rails/connections/${other}`);
  expect(quiet.health.unknownPayments).toEqual({ count: 0, latest: [] });
  const metrics = await fetch(`http://127.0.0.1:${server.app.metricsPort}/metrics`);
  expect(await metrics.text()).toContain(
    `florin_rail_unknown_callbacks{connection="${bare(connectionId)}"} 26`,
  );
});

it("takes the secret before this one, as long as it is there", async () => {
  const { orderId } = await accepted();
  const path = `/rails/connections/${connectionId}`;
  const next = "the next callback secret of 32 bytes";
  await story.call("PATCH", path, {
    secrets: { callbackSecret: next, previousCallbackSecret: CALLBACK_SECRET },
  });
  const payment = { id: bare(orderId), status: "accepted" };
  const sign = (secret: string) => signedCallback(pathOf(connectionId), payment, { secret });
  expect((await send(connectionId, sign(next))).status).toBe(204);
  expect((await send(connectionId, sign(CALLBACK_SECRET))).status).toBe(204);
  await story.call("PATCH", path, { secrets: { previousCallbackSecret: null } });
  expect((await send(connectionId, sign(CALLBACK_SECRET))).status).toBe(401);
});

it("says what is wrong with a signed body", async () => {
  const bad = (payment: unknown, eventId?: string) =>
    send(
      connectionId,
      signedCallback(pathOf(connectionId), payment, eventId === undefined ? {} : { eventId }),
    );
  const { orderId } = await accepted();
  const id = bare(orderId);
  for (const [payment, eventId] of [
    [undefined],
    [{ id: "x", status: "settled" }],
    [{ id, status: "done" }],
    [{ id, status: "settled", amount: 100 }],
    [{ id, status: "settled" }, "with a space"],
    [{ id, status: "settled" }, ""],
  ] as const) {
    const { status, json } = await bad(payment, eventId);
    expect([payment, status, json.code]).toEqual([payment, 400, "INVALID_INPUT"]);
  }
  const large = await bad({ id, status: "settled", note: "x".repeat(262_144) });
  expect(large.status).toBe(413);
});

const ENTRY = {
  id: "E-1",
  currency: "USD",
  amount: "100",
  direction: "CREDIT",
  bookedAt: "2026-11-24T09:30:00Z",
};

const tellEntry = (entry: unknown, eventId?: string) =>
  send(
    connectionId,
    signedCallback(pathOf(connectionId), undefined, {
      entry,
      ...(eventId === undefined ? {} : { eventId }),
    }),
  );

it("books an entry once, however many callbacks tell of it", async () => {
  const { id, orderId } = await accepted();
  const debit = { ...ENTRY, id: "E-2", direction: "DEBIT", paymentId: bare(orderId) };
  const told = [ENTRY, debit].flatMap((entry) => Array(10).fill(entry));
  const answers = await Promise.all(told.map((entry) => tellEntry(entry)));
  expect(answers.map(({ status }) => status)).toEqual(told.map(() => 204));
  const { json } = await story.call("GET", `/rails/entries?connectionId=${connectionId}`);
  const summary = json.data.map(({ bankReference, bookedAs, source, bookedOn }: typeof json) => [
    bankReference,
    bookedAs,
    source,
    bookedOn,
  ]);
  expect(summary.toSorted()).toEqual([
    ["E-1", "SUSPENSE", "CALLBACK", "2026-11-24"],
    ["E-2", "PAYMENT", "CALLBACK", "2026-11-24"],
  ]);
  expect((await transactionOf(story, id)).status).toBe("COMPLETED");
});

it("takes an entry in a currency that the connection does not have to an item", async () => {
  expect((await tellEntry({ ...ENTRY, id: "E-eur", currency: "EUR" })).status).toBe(204);
  const { json } = await story.call("GET", `/rails/items?connectionId=${connectionId}`);
  expect(json.data).toMatchObject([
    {
      reason: "CURRENCY",
      state: "OPEN",
      amount: { currency: { code: "EUR" } },
      direction: "CREDIT",
    },
  ]);
});

it("takes no entry that is unsound, in an unknown currency, or told otherwise before", async () => {
  expect((await tellEntry(ENTRY)).status).toBe(204);
  for (const [entry, field] of [
    [undefined, "payment"],
    [7, "entry"],
    [{ ...ENTRY, id: "" }, "entry.id"],
    [{ ...ENTRY, id: "E\u0000" }, "entry.id"],
    [{ ...ENTRY, amount: 100 }, "entry.amount"],
    [{ ...ENTRY, amount: "0" }, "entry.amount"],
    [{ ...ENTRY, amount: "999999999999999999" }, "entry.amount"],
    [{ ...ENTRY, direction: "IN" }, "entry.direction"],
    [{ ...ENTRY, bookedAt: "soon" }, "entry.bookedAt"],
    [{ ...ENTRY, currency: 840 }, "entry.currency"],
    [{ ...ENTRY, id: "E-3", currency: "XXY" }, "currency"],
  ] as const) {
    const { status, json } = await tellEntry(entry);
    expect([entry, status, json.details.field]).toEqual([entry, 400, field]);
  }
  const other = await tellEntry({ ...ENTRY, amount: "101" });
  expect([other.status, other.json.details]).toEqual([409, { field: "entry.id" }]);
  const { json } = await story.call("GET", `/rails/entries?connectionId=${connectionId}`);
  expect(json.totalCount).toBe(1);
});

it("leaves typing entries in to desks", async () => {
  const typed = await story.call("POST", `/rails/connections/${connectionId}/entries`, {
    bankReference: "E-9",
    direction: "CREDIT",
    amount: 100,
    currency: "USD",
    bookedOn: "2026-11-24",
  });
  expect([typed.status, typed.json.details]).toEqual([409, { kind: "HTTP" }]);
});
