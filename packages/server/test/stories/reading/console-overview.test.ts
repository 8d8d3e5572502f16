/** The overview of a platform: balances, sums of payments behind the events, and what waits for a person. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../../src/std/clock.ts";
import { type ConsoleBrowser, openBrowser } from "../../kit/console.ts";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import {
  bankAccount,
  type Funded,
  fundedCustomer,
  openStory,
  type Story,
} from "../../kit/story.ts";
import { pendingAction } from "../../kit/story-agents.ts";
import { reject } from "../../kit/story-approvals.ts";
import { ledgerOf } from "../../kit/story-money.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";
import { adjustmentOf } from "../../kit/valid-approval-calls.ts";

let aheadMs = 0;
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };

let server: TestServer;
let story: Story;
let owner: ConsoleBrowser;
let viewer: ConsoleBrowser;
let funded: Funded;

beforeAll(async () => {
  server = await startTestServer({ clock });
  const { workspaceId } = await server.makePlatform();
  story = await openStory(server, { workspaceId });
  owner = await makeOwner(server, workspaceId);
  viewer = (await makePerson(owner, ["VIEWER"])).browser;
  funded = await fundedCustomer(story, 500_000);
});
afterAll(() => server.close());

async function overview(query = "", browser = owner) {
  aheadMs += 20_000;
  await server.app.rollups.runOnce();
  const answer = await browser.at(story.platformId)("GET", `/overview${query}`);
  expect(answer.status).toBe(200);
  return answer.json;
}

async function pay(suffix: string, amount: number): Promise<void> {
  const destination = await bankAccount(story, { customerId: funded.customerId, suffix });
  await story.call("POST", "/transfer-out", {
    source: { accountId: funded.accountId },
    destination: { accountId: destination },
    amount,
  });
}

const count = (bars: readonly { readonly outgoing: { readonly payments: number } }[]) =>
  bars.reduce((sum, { outgoing }) => sum + outgoing.payments, 0);

it("counts what has completed and failed, up to the last event", async () => {
  await pay("789", 1_250);
  await pay("789", 750);
  await pay("004", 400);
  await story.settle();
  const { volume, success, asOfSequence, lastSequence } = await overview();
  const last = (await story.call("GET", "/events?limit=1")).json.data[0].sequence;
  expect([asOfSequence, lastSequence]).toEqual([last, last]);
  expect(volume).toMatchObject({ currency: "USD", currencies: ["USD"] });
  expect(volume.bars).toHaveLength(24);
  expect(volume.bars.at(-1)).toMatchObject({
    incoming: { payments: 1, amount: "500000" },
    outgoing: { payments: 2, amount: "2000" },
  });
  expect(volume.before.outgoing).toEqual({ payments: 0, amount: "0" });
  expect(success).toMatchObject({
    completed: 3,
    failed: 1,
    reasons: [{ payments: 1 }],
  });
  const { data } = (await story.call("GET", "/transactions?status=FAILED")).json;
  expect(success.reasons[0].code).toBe(data[0].failure.code);
});

it("shows each period by the hour or by the day, and the one before", async () => {
  await story.call("POST", "/sandbox/clock/advance", { seconds: 86_400 });
  await pay("789", 100);
  await story.settle();
  const day = await overview("?period=24h");
  expect(count(day.volume.bars)).toBe(1);
  expect(day.volume.before.outgoing).toEqual({ payments: 2, amount: "2000" });
  for (const [period, bars] of [
    ["7d", 7],
    ["30d", 30],
    ["90d", 90],
  ] as const) {
    const { volume } = await overview(`?period=${period}`);
    expect([period, volume.bars.length, count(volume.bars)]).toEqual([period, bars, 3]);
    expect(volume.bars.at(-1).startsAt).toMatch(/T00:00:00.000Z$/);
  }
});

it("answers for the currency that is asked for, also without a payment in it", async () => {
  const { volume } = await overview("?currency=EUR");
  expect([volume.currency, count(volume.bars)]).toEqual(["EUR", 0]);
  const empty = await openStory(server, { workspaceId: await workspaceOf() });
  // The platforms of a session are read once a second.
  aheadMs += 2_000;
  const answer = await owner.at(empty.platformId)("GET", "/overview");
  expect(answer.json).toMatchObject({
    asOfSequence: 0,
    lastSequence: 0,
    success: { completed: 0, failed: 0, groups: [], reasons: [] },
    waiting: [],
  });
  expect(answer.json.volume.currency).toBeUndefined();
});

async function workspaceOf(): Promise<string> {
  return (await owner.call("GET", "/session")).json.workspace.id.split(":")[1];
}

it("adds up balances of customers and of the platform, available and held", async () => {
  const list = (await story.call("GET", "/platform/internal-accounts")).json.data;
  const own = list.find((one: { balance: { currency: { code: string } } }) => {
    return one.balance.currency.code === "USD";
  });
  await story.call("POST", `/sandbox/internal-accounts/${own.id}/fund`, { amount: 7_000 });
  await pay("005", 5_000);
  const line = await ledgerOf(story, funded.accountId);
  expect(line.held).toBe(5_000);
  const { balances } = await overview();
  expect(balances.find(({ currency }: { currency: string }) => currency === "USD")).toEqual({
    currency: "USD",
    customers: { available: String(line.available), held: "5000" },
    platform: { available: "7000", held: "0" },
  });
});

it("names what waits, for those who can see to it", async () => {
  await pendingAction(story);
  const until = new Date(clock.now() + 5 * 86_400_000).toISOString();
  await story.call("POST", "/tokens", { name: "t", permissions: ["VIEW"], expiresAt: until });
  await story.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName: "Max Muster 003",
    currencies: ["USD"],
  });
  const { waiting } = await overview();
  const kinds = waiting.map(({ kind }: { kind: string }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(["AGENT_ORDERS", "EXPIRING_KEYS"]));
  const orders = waiting.find(({ kind }: { kind: string }) => kind === "AGENT_ORDERS");
  expect([orders.count, typeof orders.oldestAt]).toEqual([1, "string"]);
  expect((await overview("", viewer)).waiting).toEqual([]);
});

it("names the approvals that a person may decide, and not those that the person asked for", async () => {
  const order = await owner.at(story.platformId)(
    "POST",
    "/adjustments",
    adjustmentOf(funded.accountId),
  );
  expect(order.status).toBe(202);
  const approver = (await makePerson(owner, ["APPROVER"])).browser;
  const approvals = async (browser: ConsoleBrowser) =>
    (await overview("", browser)).waiting.filter(
      ({ kind }: { kind: string }) => kind === "APPROVALS",
    );
  const { requestedAt, expiresAt, id } = order.json;
  expect(await approvals(approver)).toEqual([
    { kind: "APPROVALS", count: 1, oldestAt: requestedAt, endsAt: expiresAt },
  ]);
  expect(await approvals(owner)).toEqual([]);
  expect(await approvals(viewer)).toEqual([]);
  expect((await reject(approver, id)).status).toBe(200);
  expect(await approvals(approver)).toEqual([]);
});

it("says no more to a person without pii.read than numbers", async () => {
  // What is under way ends first, so that both read the same.
  aheadMs += 120_000;
  await story.settle();
  const shown = await overview("", viewer);
  const all = await overview();
  expect({ ...shown, waiting: [] }).toEqual({ ...all, waiting: [] });
});

it.each(["?period=1y", "?currency=usd", "?currency=US", "?since=2026", "?period=7d&period=24h"])(
  "refuses %s",
  async (query) => {
    const answer = await owner.at(story.platformId)("GET", `/overview${query}`);
    expect([answer.status, answer.json.code]).toEqual([400, "INVALID_INPUT"]);
  },
);

it("is refused without a session, at another workspace's platform, and to tokens", async () => {
  expect((await openBrowser(server).at(story.platformId)("GET", "/overview")).status).toBe(401);
  const elsewhere = await openStory(server);
  const foreign = await owner.at(elsewhere.platformId)("GET", "/overview");
  const unknown = await owner.at("019a4f00-0000-7000-8000-000000000099")("GET", "/overview");
  expect([foreign.status, foreign.json]).toEqual([404, unknown.json]);
  expect((await story.call("GET", "/overview")).status).toBe(404);
});
