/** The health of a connection: what lies in suspense, and when the account outside was last heard of. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openConnector, type TestConnector } from "../../kit/rail-connector.ts";
import { openStory, type Story } from "../../kit/story.ts";
import {
  activeConnection,
  expectStatus,
  httpConnection,
  manualConnection,
} from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let connector: TestConnector;
let story: Story;
beforeAll(async () => {
  connector = await openConnector();
  connector.environment = "SANDBOX";
  connector.reply = ({ path }) =>
    path.startsWith("/entries")
      ? { status: 200, body: { entries: [], nextCursor: "0", hasMore: false } }
      : undefined;
  server = await startTestServer({
    settings: { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` },
  });
});
beforeEach(async () => {
  story = await openStory(server);
});
afterAll(async () => {
  await server.close();
  await connector.close();
});

const health = async (id: string) => {
  const { json } = await story.call("GET", `/rails/connections/${id}`);
  const { json: list } = await story.call("GET", "/rails/connections");
  const listed = list.data.find((each: { readonly id: string }) => each.id === id);
  expect(listed.health).toEqual(json.health);
  return json.health;
};
const pass = (seconds: number) => story.call("POST", "/sandbox/clock/advance", { seconds });

let lines = 0;
const type = (id: string, more: Readonly<Record<string, unknown>> = {}) =>
  story.call("POST", `/rails/connections/${id}/entries`, {
    bankReference: `H-${++lines}`,
    direction: "CREDIT",
    amount: 300,
    currency: "USD",
    bookedOn: "2026-11-24",
    ...more,
  });

describe("suspense", () => {
  it("has the open items and what they come to", async () => {
    const desk = await activeConnection(story, manualConnection());
    expect((await health(desk)).suspense).toEqual({ count: 0, minor: 0, balances: [] });
    expectStatus(201, await type(desk));
    expectStatus(201, await type(desk, { direction: "DEBIT", amount: 1_000 }));
    expect((await health(desk)).suspense).toEqual({
      count: 2,
      minor: -700,
      balances: [{ amount: "-700", currency: "USD" }],
    });
    const { json } = await story.call("GET", `/rails/items?connectionId=${desk}&state=OPEN`);
    for (const { id, amount } of json.data) {
      const parts = [{ kind: "OWN_FUNDS", amount: amount.amount, label: "charge" }];
      const path = `/rails/items/${id}/resolve`;
      expectStatus(200, await story.call("POST", path, { parts, note: "known" }));
    }
    expect((await health(desk)).suspense).toMatchObject({ count: 0, minor: 0 });
  });

  it("is told by currency where the connection has several", async () => {
    const body = { ...manualConnection(), currencies: ["USD", "EUR"] };
    const desk = await activeConnection(story, body);
    expectStatus(201, await type(desk));
    expectStatus(201, await type(desk, { currency: "EUR", amount: 40 }));
    expect((await health(desk)).suspense).toEqual({
      count: 2,
      balances: [
        { amount: "40", currency: "EUR" },
        { amount: "300", currency: "USD" },
      ],
    });
  });
});

describe("lastImportAt", () => {
  it("is when an entry or a balance was typed in last", async () => {
    const desk = await activeConnection(story, manualConnection());
    expect(await health(desk)).not.toHaveProperty("lastImportAt");
    const { json: entry } = expectStatus(201, await type(desk));
    expect((await health(desk)).lastImportAt).toBe(entry.createdAt);
    await pass(3_600);
    const balance = { currency: "USD", asOf: "2026-11-24", booked: 300 };
    const told = await story.call("POST", `/rails/connections/${desk}/balances`, balance);
    expect((await health(desk)).lastImportAt).toBe(expectStatus(201, told).json.createdAt);
  });

  it("is when a page of the feed was read, also one without entries", async () => {
    const body = httpConnection(connector);
    const settings = { ...body.settings, feed: true, pollSeconds: 10 };
    const id = await activeConnection(story, { ...body, settings });
    await story.settle();
    await expect.poll(async () => (await health(id)).lastImportAt).toBeDefined();
    const first = (await health(id)).lastImportAt;
    await pass(60);
    await story.settle();
    await expect.poll(async () => (await health(id)).lastImportAt > first).toBe(true);
  });
});
