/** The feed of a connector: pages of entries, read on from a cursor, each entry booked once. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openConnector, type TestConnector } from "../../kit/rail-connector.ts";
import { openStory, type Story } from "../../kit/story.ts";
import {
  activeConnection,
  expectStatus,
  httpConnection,
  type Payer,
  payerOf,
  paymentOf,
  routeTo,
} from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

type Line = Readonly<Record<string, unknown>>;

let server: TestServer;
let connector: TestConnector;
let story: Story;
let payer: Payer;
let connectionId: string;
/** What the bank has booked, in the order in which it recorded it. */
let feed: Line[];
/** What the bank answers when it is asked for its balances; undefined: 404. */
/** Whether the feed says after every page that there is more. */
let endless = false;
let balances: (() => unknown) | undefined;
beforeAll(async () => {
  connector = await openConnector();
  connector.environment = "SANDBOX";
  connector.report = () => ({ status: "accepted", askAgainSeconds: 86_400 });
  connector.reply = ({ path }) => {
    if (path.startsWith("/entries") && endless) {
      return { status: 200, body: { entries: feed, nextCursor: `c-${asked()}`, hasMore: true } };
    }
    if (path === "/balances" && balances !== undefined) {
      return { status: 200, body: { balances: balances() } };
    }
    if (!path.startsWith("/entries")) return undefined;
    const { searchParams } = new URL(path, "http://connector.test");
    const after = Number(searchParams.get("after") ?? 0);
    const entries = feed.slice(after, after + Number(searchParams.get("limit")));
    const next = after + entries.length;
    return {
      status: 200,
      body: { entries, nextCursor: String(next), hasMore: next < feed.length },
    };
  };
  server = await startTestServer({
    settings: { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` },
  });
});
beforeEach(async () => {
  feed = [];
  endless = false;
  balances = undefined;
  connector.calls.length = 0;
  story = await openStory(server);
  payer = await payerOf(story, 10_000);
  const body = httpConnection(connector);
  connectionId = await activeConnection(story, {
    ...body,
    settings: { ...body.settings, feed: true, pollSeconds: 10 },
  });
  await routeTo(story, connectionId);
});
afterAll(async () => {
  await server.close();
  await connector.close();
});

const line = (id: string, more: Line = {}): Line => ({
  id,
  currency: "USD",
  amount: "100",
  direction: "CREDIT",
  bookedAt: "2026-11-24T09:30:00Z",
  ...more,
});

async function poll(): Promise<void> {
  await story.call("POST", "/sandbox/clock/advance", { seconds: 11 });
  await story.settle();
}

async function entries(): Promise<readonly Line[]> {
  const { json } = await story.call("GET", `/rails/entries?connectionId=${connectionId}&limit=100`);
  return json.data;
}

const asked = () => connector.calls.filter(({ path }) => path.startsWith("/entries")).length;
const connection = async () => (await story.call("GET", `/rails/connections/${connectionId}`)).json;
const change = (body: unknown) => story.call("PATCH", `/rails/connections/${connectionId}`, body);

it("is read page by page, and settles what lost callbacks did not", async () => {
  const { id } = expectStatus(201, await payer.pay(700)).json;
  await story.settle();
  const order = await paymentOf(story, id);
  const paymentId = order.id.slice("RailPayment:".length);
  feed = Array.from({ length: 249 }, (_, index) => line(`E-${index}`));
  feed.push(line("E-paid", { direction: "DEBIT", amount: "700", paymentId }));
  await poll();
  await expect.poll(async () => (await paymentOf(story, id)).state).toBe("SETTLED");
  const { json } = await story.call("GET", `/rails/entries?connectionId=${connectionId}&limit=1`);
  expect(json.totalCount).toBe(250);
  expect(json.data[0]).toMatchObject({ bankReference: "E-paid", source: "FEED" });
  const { json: accounts } = await story.call(
    "GET",
    `/ledger/accounts?connectionId=${connectionId}`,
  );
  const balances = accounts.data.map(
    ({ kind, balance }: { kind: string; balance: { amount: string } }) => [kind, balance.amount],
  );
  expect(Object.fromEntries(balances)).toEqual({ clearing: "-24200", suspense: "24900" });
  await poll();
  const { json: after } = await story.call(
    "GET",
    `/rails/entries?connectionId=${connectionId}&limit=1`,
  );
  expect(after.totalCount).toBe(250);
});

it("gives back an order by the entry that it names", async () => {
  const { id } = expectStatus(201, await payer.pay(700)).json;
  await story.settle();
  const order = await paymentOf(story, id);
  const paymentId = order.id.slice("RailPayment:".length);
  feed = [
    line("E-paid", { direction: "DEBIT", amount: "700", paymentId }),
    line("E-back", { amount: "700", returnOf: "E-paid" }),
    line("E-odd", { amount: "700", returnOf: "E-never" }),
  ];
  await poll();
  await expect.poll(async () => (await entries()).length).toBe(3);
  const told = (await entries()).map(({ bankReference, bookedAs }) => [bankReference, bookedAs]);
  expect(Object.fromEntries(told)).toEqual({
    "E-paid": "PAYMENT",
    "E-back": "RETURN",
    "E-odd": "SUSPENSE",
  });
  expect((await paymentOf(story, id)).state).toBe("RETURNED");
});

/** Lines that no book can take, with the message that tells why. */
const UNSOUND: readonly (readonly [what: string, line: unknown, message: RegExp])[] = [
  ["that is no object", 7, /^it is missing/],
  ["null", null, /^it is missing/],
  ["without an id", line("", {}), /^id is/],
  ["with a long id", line("x".repeat(141)), /^id is/],
  ["with a control character in its id", line("E\u0007"), /^id is/],
  ["with an amount that is no text", line("bad", { amount: 100 }), /^amount is/],
  ["with a fraction", line("bad", { amount: "1.5" }), /^amount is/],
  ["with a negative amount", line("bad", { amount: "-1" }), /^amount is/],
  ["of nothing", line("bad", { amount: "0" }), /^amount is/],
  ["with an amount above all", line("bad", { amount: "9".repeat(18) }), /^amount is/],
  ["with an unknown direction", line("bad", { direction: "IN" }), /^direction is/],
  ["without a day", line("bad", { bookedAt: undefined }), /^bookedAt is/],
  ["with a day that is none", line("bad", { bookedAt: "2026-13-45" }), /^bookedAt is/],
  ["in a currency that is no text", line("bad", { currency: 840 }), /^currency is/],
  ["in an unknown currency", line("bad", { currency: "XXY" }), /^currency is unknown/],
  ["that was told otherwise before", line("E-first", { amount: "7" }), /^it was told before with/],
];

/** Lines that are odd, and money all the same. */
const ODD: readonly (readonly [what: string, more: Line])[] = [
  ["in a currency of others", { currency: "EUR" }],
  ["in a currency of others, out", { currency: "JPY", direction: "DEBIT" }],
  ["with long texts", { reference: "r".repeat(5_000), remittance: "t".repeat(50_000) }],
  ["with texts of other types", { reference: 7, remittance: {}, payer: "x", virtualAccount: [] }],
  ["with broken characters", { remittance: "a\ud800\u0000b", payer: { name: "\u0007" } }],
  ["that gives back what is unknown", { returnOf: "E-never", paymentId: "x" }],
  ["of the last day of all", { bookedAt: "9999-12-31T23:59:59Z", valueDate: "soon" }],
];

it("goes on after each entry that cannot be taken, and shows what it left out", async () => {
  feed = [line("E-first")];
  await poll();
  await expect.poll(async () => (await entries()).length).toBe(1);
  feed.push(
    ...UNSOUND.flatMap(([, bad], index) => [bad as Line, line(`E-good-${index}`)]),
    ...ODD.flatMap(([, more], index) => [line(`E-odd-${index}`, more), line(`E-fine-${index}`)]),
  );
  const good = [...UNSOUND.map((_, index) => `E-good-${index}`)];
  const odd = ODD.flatMap((_, index) => [`E-odd-${index}`, `E-fine-${index}`]);
  await poll();
  const references = async () =>
    (await entries()).map(({ bankReference }) => bankReference).toSorted();
  await expect.poll(references).toEqual(["E-first", ...good, ...odd].toSorted());
  const { status, health } = await connection();
  expect(status).toBe("ACTIVE");
  const { count, latest } = health.refusedEntries;
  expect([count, latest.length]).toEqual([UNSOUND.length, UNSOUND.length]);
  // Those that cannot be read are found first.
  for (const [what, , message] of UNSOUND) {
    const told = latest.map((each: { readonly message: string }) => each.message);
    expect([what, told.some((each: string) => message.test(each))]).toEqual([what, true]);
  }
  expect(health.lastError).toMatchObject({ code: "FEED" });
  expect((await payer.pay(100)).status).toBe(201);
  feed.push(line("E-later"));
  await poll();
  await expect.poll(references).toContain("E-later");
  expect((await connection()).health.refusedEntries.count).toBe(UNSOUND.length);
});

it("takes money in a currency that the connection does not have to an item, and tells of it", async () => {
  feed = [line("E-eur", { currency: "EUR", amount: "500" }), line("E-usd")];
  await poll();
  await expect.poll(async () => (await entries()).length).toBe(2);
  const { json } = await story.call("GET", `/rails/items?connectionId=${connectionId}&limit=10`);
  const item = json.data.find((each: { reason: string }) => each.reason === "CURRENCY");
  expect(item).toMatchObject({
    reason: "CURRENCY",
    state: "OPEN",
    amount: { amount: 500, currency: { code: "EUR" } },
  });
  const { json: events } = await story.call("GET", `/events?resourceId=${item.id}`);
  expect(events.data).toMatchObject([{ type: "RAIL_ITEM.OPEN" }]);
  expectStatus(200, await change({ currencies: ["USD", "EUR"] }));
  feed.push(line("E-more", { currency: "EUR", amount: "20" }));
  balances = () =>
    ["EUR", "USD"].map((currency) => ({ currency, booked: currency === "EUR" ? "520" : "100" }));
  await poll();
  const path = `/rails/connections/${connectionId}/reconciliation?currency=EUR`;
  await expect
    .poll(async () => (await story.call("GET", path)).json.statement?.closing.amount)
    .toBe("520");
  expect((await story.call("GET", path)).json).toMatchObject({
    ours: { amount: "520" },
    unexplained: { amount: "0" },
  });
  const parts = [{ kind: "OWN_FUNDS", amount: 500, label: "sold" }];
  const resolved = await story.call("POST", `/rails/items/${item.id}/resolve`, {
    parts,
    note: "euros",
  });
  expect([resolved.status, resolved.json.state]).toEqual([200, "RESOLVED"]);
});

it("asks again for a page that is unsound as a whole, and goes on when it is mended", async () => {
  feed = Array.from({ length: 3 }, () => line("E-1"));
  const { reply } = connector;
  connector.reply = (call) =>
    call.path.startsWith("/entries") ? { status: 200, body: { entries: 7 } } : reply(call);
  try {
    await poll();
    await expect
      .poll(async () => (await connection()).health.lastError?.message)
      .toMatch(/must have a list/);
  } finally {
    connector.reply = reply;
  }
  await poll();
  await expect.poll(async () => (await entries()).length).toBe(1);
  expect((await connection()).health).not.toHaveProperty("refusedEntries");
});

it("is known again from its beginning at another address, and books nothing twice", async () => {
  feed = [line("E-1"), line("E-2")];
  await poll();
  await expect.poll(async () => (await entries()).length).toBe(2);
  const { baseUrl } = (await connection()).settings;
  expectStatus(200, await change({ settings: { baseUrl: `${baseUrl}/` } }));
  feed.push(line("E-3"));
  await poll();
  await expect.poll(async () => (await entries()).length).toBe(3);
  const paths = connector.calls.map(({ path }) => path);
  expect(paths.filter((path) => path === "/entries?limit=100").length).toBeGreaterThan(1);
});

it("is read while the connection is paused, and not when the setting is off", async () => {
  await story.call("POST", `/rails/connections/${connectionId}/pause`);
  feed = [line("E-1")];
  await poll();
  await expect.poll(async () => (await entries()).length).toBe(1);
  expectStatus(200, await change({ settings: { feed: false } }));
  await story.settle();
  const before = asked();
  feed.push(line("E-2"));
  await poll();
  expect(asked()).toBe(before);
  expectStatus(200, await change({ settings: { feed: true } }));
  await story.settle();
  await expect.poll(async () => (await entries()).length).toBe(2);
  const desk = await story.call("PATCH", `/rails/connections/${connectionId}`, {
    settings: { pollSeconds: 9 },
  });
  expect(desk.status).toBe(400);
});

it("gets a pause after each page when it has no end", async () => {
  feed = [line("E-1")];
  endless = true;
  const before = asked();
  await poll();
  await expect.poll(async () => (await entries()).length).toBe(1);
  // Every job of a story runs twice.
  expect(asked() - before).toBeLessThan(12);
  expect((await payer.pay(100)).status).toBe(201);
  endless = false;
});

describe("the balances of a connector", () => {
  const INITIAL = 5_000n;
  const booked = () =>
    feed.reduce((sum, { direction, amount }) => {
      const minor = BigInt(String(amount));
      return direction === "CREDIT" ? sum + minor : sum - minor;
    }, INITIAL);
  const told = () => [{ currency: "USD", booked: String(booked()), asOf: "2026-11-24T09:30:00Z" }];
  const reconciled = async () =>
    (await story.call("GET", `/rails/connections/${connectionId}/reconciliation`)).json;
  const differences = async () => {
    const query = "type=RAIL_RECONCILIATION.DIFFERENCE&limit=100";
    return (await story.call("GET", `/events?${query}`)).json.data.length;
  };

  it("are read at the end of the feed; the first one is the opening", async () => {
    feed = Array.from({ length: 120 }, (_, index) => line(`E-${index}`));
    balances = told;
    await poll();
    await expect.poll(async () => (await reconciled()).statement?.closing.amount).toBe("17000");
    expect(await reconciled()).toMatchObject({
      ours: { amount: "17000" },
      explained: { notOnStatement: { count: 0 } },
      unexplained: { amount: "0" },
    });
    feed.push(line("E-out", { direction: "DEBIT", amount: "3000" }));
    await poll();
    await expect.poll(async () => (await reconciled()).statement?.closing.amount).toBe("14000");
    expect((await reconciled()).unexplained.amount).toBe("0");
    const { json } = await story.call("GET", `/ledger/accounts?connectionId=${connectionId}`);
    const ownFunds = json.data.find(({ kind }: { readonly kind: string }) => kind === "own-funds");
    expect(ownFunds.balance.amount).toBe("5000");
  });

  it("are not taken when the feed goes on meanwhile, and entries behind them are explained", async () => {
    feed = [line("E-1")];
    balances = () => {
      const balance = told();
      // The bank books another line after it has told its balance.
      if (feed.length < 6) feed.push(line(`E-${feed.length + 1}`));
      return balance;
    };
    for (let times = 0; times < 6; times++) {
      await poll();
      expect((await reconciled()).unexplained?.amount ?? "0").toBe("0");
    }
    await expect.poll(async () => (await reconciled()).statement?.closing.amount).toBe("5600");
    balances = () => "gone";
    feed.push(line("E-later", { amount: "7" }));
    await poll();
    await expect.poll(async () => (await entries()).length).toBe(7);
    expect(await reconciled()).toMatchObject({
      statement: { closing: { amount: "5600" } },
      ours: { amount: "5607" },
      explained: { notOnStatement: { count: 1, sum: { amount: "7" } } },
      unexplained: { amount: "0" },
    });
    expect((await connection()).status).toBe("ACTIVE");
  });

  it("are told once when they differ, and until the line that was missing is there", async () => {
    balances = told;
    await poll();
    await expect.poll(async () => (await reconciled()).statement?.closing.amount).toBe("5000");
    balances = () => [{ currency: "USD", booked: "4990" }];
    for (let times = 0; times < 3; times++) await poll();
    await expect.poll(async () => (await reconciled()).unexplained.amount).toBe("-10");
    expect(await differences()).toBe(1);
    feed.push(line("E-charge", { direction: "DEBIT", amount: "10" }));
    balances = told;
    await poll();
    await expect.poll(async () => (await reconciled()).statement?.closing.amount).toBe("4990");
    expect((await reconciled()).unexplained.amount).toBe("0");
    expect(await differences()).toBe(1);
  });

  // Every unsound answer: src/outside/rails/connector/connector-reports.test.ts.
  it.each([
    ["an amount that is no text", [{ currency: "USD", booked: 1 }]],
    ["another currency", [{ currency: "EUR", booked: "1" }]],
  ])("are not taken with %s", async (_what, answer) => {
    balances = () => answer;
    feed = [line("E-1")];
    await poll();
    await expect.poll(async () => (await entries()).length).toBe(1);
    expect((await reconciled()).statement).toBeUndefined();
    expect((await connection()).status).toBe("ACTIVE");
  });
});

it("does not keep its connection from being archived while it is read", async () => {
  const { json } = await story.call("GET", `/rails/routes?connectionId=${connectionId}`);
  for (const { id } of json.data)
    expectStatus(204, await story.call("DELETE", `/rails/routes/${id}`));
  endless = true;
  const before = asked();
  const reading = poll();
  await expect.poll(asked).toBeGreaterThan(before + 2);
  const archived = await story.call("DELETE", `/rails/connections/${connectionId}`);
  endless = false;
  expect([archived.status, archived.text]).toEqual([204, ""]);
  await reading;
  expect((await connection()).status).toBe("ARCHIVED");
});
