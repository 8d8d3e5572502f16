/** A database that is taken back to a backup, while orders that it does not know have left: nothing is paid or booked twice. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { pauseRestoredRailsFromShell } from "../../../src/commands/rails/pause-restored-rails.ts";
import { readConfig } from "../../../src/config.ts";
import { openConnector, type TestConnector } from "../../kit/rail-connector.ts";
import { bankAccount, fundedCustomer, type RawAnswer, storyAt } from "../../kit/story.ts";
import { booksOf } from "../../kit/story-funding.ts";
import { activeConnection, expectStatus, httpConnection, routeTo } from "../../kit/story-rails.ts";
import { createTestDatabase, type TestDatabase } from "../../kit/test-database.ts";
import { startTestServer, TEST_MASTER_KEY, type TestServer } from "../../kit/test-server.ts";

let connector: TestConnector;
let database: TestDatabase;
beforeAll(async () => {
  connector = await openConnector();
  connector.environment = "SANDBOX";
  database = await createTestDatabase();
});
afterAll(async () => {
  await connector.close();
  await database.drop();
});

const settings = () => ({ RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` });
const serverOn = (place: TestDatabase) =>
  startTestServer({ settings: settings(), beside: { database: place } as TestServer });

/** The bank's lines, which outlive the database. */
const entries: Record<string, unknown>[] = [];
function book(order: { readonly id: string; readonly amount: string }): void {
  entries.push({
    id: `E-${entries.length + 1}`,
    currency: "USD",
    amount: order.amount,
    direction: "DEBIT",
    bookedAt: "2026-11-24T10:00:00.000Z",
    paymentId: order.id,
  });
}

function feed(path: string) {
  if (!path.startsWith("/entries")) return undefined;
  const after = Number(new URLSearchParams(path.split("?")[1]).get("after") ?? 0);
  const body = {
    entries: entries.slice(after),
    nextCursor: String(entries.length),
    hasMore: false,
  };
  return { status: 200, body };
}

it("pauses its connections, learns what was sent since, and pays nothing twice", async () => {
  connector.reply = ({ path }) => feed(path);
  const before = await serverOn(database);
  const made = await before.makePlatform();
  const first = await storyAt(before, made);
  const { accountId, customerId } = await fundedCustomer(first, 10_000);
  const payeeId = await bankAccount(first, { customerId });
  const connection = httpConnection(connector);
  const connectionId = await activeConnection(first, {
    ...connection,
    settings: { ...connection.settings, feed: true, pollSeconds: 10 },
  });
  await routeTo(first, connectionId);
  const pay = async (story: typeof first, amount: number): Promise<string> => {
    const body = { source: { accountId }, destination: { accountId: payeeId }, amount };
    const { id } = expectStatus(201, await story.call("POST", "/transfer-out", body)).json;
    await story.settle();
    return id;
  };
  const sent = await pay(first, 100);
  connector.reply = ({ path }) => feed(path) ?? { status: 401, body: {} };
  const failed = await pay(first, 200);
  const queued = await pay(first, 300);
  await before.app.close();
  const backup = await createTestDatabase(database.name);

  // After the backup everything is paid, and one more payment, which the backup does not have.
  connector.reply = ({ path }) => feed(path);
  const lost = await serverOn(database);
  const second = await storyAt(lost, made);
  const pass = async (story: typeof first, seconds: number) => {
    const call = await story.call("POST", "/sandbox/clock/advance", { seconds });
    expectStatus(200, call);
    await story.settle();
  };
  await pass(second, 61);
  await pass(second, 61);
  await pay(second, 400);
  await lost.app.close();
  expect(connector.orders.size).toBe(4);
  for (const order of connector.orders.values()) book(order);
  const puts = () => connector.calls.filter(({ method }) => method === "PUT").length;
  const given = puts();

  const printed = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    const config = readConfig({ DATABASE_URL: backup.url, MASTER_KEY: TEST_MASTER_KEY });
    await pauseRestoredRailsFromShell(config, { platform: made.platformId });
    expect(printed.mock.calls.map(String).join("")).toContain(`paused  ${connectionId}`);
  } finally {
    printed.mockRestore();
  }
  const restored = await serverOn(backup);
  try {
    const story = await storyAt(restored, made);
    const paused = await story.call("GET", `/rails/connections/${connectionId}`);
    expect(paused.json.status).toBe("PAUSED");
    for (let round = 0; round < 3; round++) await pass(story, 61);
    expect(puts()).toBe(given);
    for (const id of [sent, failed, queued]) {
      expect((await story.call("GET", `/transactions/${id}`)).json.status).toBe("COMPLETED");
    }
    const items: RawAnswer["json"][] = (await story.call("GET", "/rails/items")).json.data;
    expect(items.map(({ reason, amount }) => [reason, amount.amount])).toEqual([
      ["UNREFERENCED", 400],
    ]);
    expectStatus(200, await story.call("POST", `/rails/connections/${connectionId}/resume`));
    for (let round = 0; round < 3; round++) await pass(story, 61);
    expect(puts()).toBe(given);
    expect(await booksOf(story, connectionId)).toMatchObject({ clearing: 1_000, suspense: -400 });
    await restored.checkBooks();
  } finally {
    await restored.app.close();
    await backup.drop();
  }
});
