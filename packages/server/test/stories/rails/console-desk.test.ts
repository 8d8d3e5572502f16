/** The desk of operations in the console: taking orders, bank details with an audit entry, and marks of many orders at once. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ConsoleBrowser } from "../../kit/console.ts";
import { type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import {
  activeConnection,
  expectStatus,
  manualConnection,
  type Payer,
  payerOf,
  paymentOf,
  routeTo,
  transactionOf,
} from "../../kit/story-rails.ts";

const UNKNOWN = "RailPayment:019a4f00-0000-7000-8000-000000000023";

const server = await sharedServer();
let workspaceId: string;
let owner: ConsoleBrowser;
let ada: InvitedPerson;
let ben: InvitedPerson;
let support: InvitedPerson;
beforeAll(async () => {
  ({ workspaceId } = await server.makePlatform());
  owner = await makeOwner(server, workspaceId);
  ada = await makePerson(owner, ["FINANCE"]);
  ben = await makePerson(owner, ["OWNER"]);
  support = await makePerson(owner, ["SUPPORT"]);
});

let story: Story;
let payer: Payer;
let connectionId: string;
beforeEach(async () => {
  story = await openStory(server, { workspaceId });
  payer = await payerOf(story, 100_000);
  connectionId = await activeConnection(story, manualConnection());
  await routeTo(story, connectionId);
  // A session is read once a second; a change of the person ends that, so that the new platform is known.
  for (const { browser } of [ada, ben, support]) await browser.call("PATCH", "/me", {});
});

async function queued(amount = 100) {
  const id = expectStatus(201, await payer.pay(amount)).json.id as string;
  return { id, orderId: (await paymentOf(story, id)).id as string };
}

const by =
  ({ browser }: InvitedPerson) =>
  (method: string, path: string, body?: unknown) =>
    browser.at(story.platformId)(method, `/rails/desk${path}`, body);
const resultsOf = ({ json }: RawAnswer) =>
  json.data.map(({ result }: { readonly result: string }) => result);

describe("marks of many orders", () => {
  it("pay fifty orders in one call, with one note in the history of each", async () => {
    const orders: Awaited<ReturnType<typeof queued>>[] = [];
    for (let index = 0; index < 50; index++) orders.push(await queued(10 + index));
    const paymentIds = orders.map(({ orderId }) => orderId);
    const marked = await by(ada)("POST", "/marks", {
      paymentIds,
      outcome: "SETTLED",
      note: "paid in the portal",
    });
    expectStatus(200, marked);
    expect(resultsOf(marked)).toEqual(Array(50).fill("MARKED"));
    expect(marked.json.data.map((one: RawAnswer["json"]) => one.paymentId)).toEqual(paymentIds);
    const [first] = orders;
    const order = (await story.call("GET", `/rails/payments/${first?.orderId}`)).json;
    expect(order.history.at(-1)).toMatchObject({
      state: "SETTLED",
      note: "paid in the portal",
      by: expect.stringMatching(/^person /),
    });
    expect((await transactionOf(story, first?.id ?? "")).status).toBe("COMPLETED");
    expect((await by(ada)("GET", "")).json.connections).toMatchObject([
      { id: connectionId, queued: 0 },
    ]);
  });

  it("give each order its own result", async () => {
    const [open, settled] = [await queued(), await queued()];
    await story.call("POST", `/rails/payments/${settled.orderId}/mark`, { outcome: "SETTLED" });
    const marked = await by(ada)("POST", "/marks", {
      paymentIds: [settled.orderId, UNKNOWN, open.orderId],
      outcome: "DECLINED",
      reason: { code: "AC04" },
    });
    expect(resultsOf(marked)).toEqual(["REFUSED", "REFUSED", "MARKED"]);
    expect(marked.json.data[0]).toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("is SETTLED"),
    });
    expect(marked.json.data[1]).toMatchObject({ code: "REFERENCE_NOT_FOUND" });
    expect((await transactionOf(story, open.id)).failureReason).toBe("ACCOUNT_INVALID");
  });

  it("of a connection with four eyes wait together, and another person confirms them", async () => {
    const control = { approval: "FOUR_EYES" };
    await story.call("PATCH", `/rails/connections/${connectionId}`, { control });
    const [one, other] = [await queued(), await queued()];
    const body = { paymentIds: [one.orderId, other.orderId], outcome: "SETTLED", note: "paid" };
    const asked = await by(ada)("POST", "/marks", body);
    expect(resultsOf(asked)).toEqual(["WAITING", "WAITING"]);
    const [{ markId }, second] = asked.json.data;
    expect(second.markId).toBe(markId);
    expect((await transactionOf(story, one.id)).status).toBe("PENDING");
    const confirm = ({ browser }: InvitedPerson) =>
      browser.at(story.platformId)("POST", `/rails/marks/${markId}/confirm`);
    expect((await confirm(ada)).status).toBe(403);
    expectStatus(200, await confirm(ben));
    expect((await transactionOf(story, other.id)).status).toBe("COMPLETED");
    const order = (await story.call("GET", `/rails/payments/${one.orderId}`)).json;
    expect(order.history.at(-1)).toMatchObject({ note: "paid" });
  });

  it("are refused for a person who may not mark, for ids twice, and beyond five hundred", async () => {
    const { orderId } = await queued();
    const mark = { outcome: "SETTLED" };
    const refused = await by(support)("POST", "/marks", { paymentIds: [orderId], ...mark });
    expect(refused.status).toBe(403);
    for (const paymentIds of [[], [orderId, orderId], Array(501).fill(UNKNOWN), ["x"]]) {
      expect((await by(ada)("POST", "/marks", { paymentIds, ...mark })).status).toBe(400);
    }
    const others = await openStory(server, { workspaceId });
    await ada.browser.call("PATCH", "/me", {});
    const foreign = await ada.browser.at(others.platformId)("POST", "/rails/desk/marks", {
      paymentIds: [orderId],
      ...mark,
    });
    expect(resultsOf(foreign)).toEqual(["REFUSED"]);
    expect((await paymentOf(story, (await queued()).id)).state).toBe("QUEUED");
  });
});

describe("the lease of an order", () => {
  it("shows the others who makes it, for ten minutes, and is given back", async () => {
    const { orderId } = await queued();
    const take = (person: InvitedPerson, more = {}) =>
      by(person)("POST", "/leases", { paymentIds: [orderId], ...more });
    const taken = expectStatus(200, await take(ada)).json.data;
    expect(taken).toMatchObject([{ paymentId: orderId, workedBy: { id: ada.id } }]);
    expect((await take(ben)).json.data).toMatchObject([{ workedBy: { id: ada.id } }]);
    expect((await by(ben)("GET", "")).json.leases).toMatchObject([
      { paymentId: orderId, workedBy: { id: ada.id } },
    ]);
    expect((await take(ben, { isRelease: true })).json.data[0].workedBy.id).toBe(ada.id);
    expect((await take(ada, { isRelease: true })).json.data).toEqual([{ paymentId: orderId }]);
    expect((await take(ben)).json.data).toMatchObject([{ workedBy: { id: ben.id } }]);
    await story.call("POST", "/sandbox/clock/advance", { seconds: 601 });
    expect((await by(ada)("GET", "")).json.leases).toEqual([]);
    expect((await take(ada)).json.data).toMatchObject([{ workedBy: { id: ada.id } }]);
  });

  it("is not given for an unknown order, nor for one that is over", async () => {
    const { orderId } = await queued();
    const unknown = await by(ada)("POST", "/leases", { paymentIds: [orderId, UNKNOWN] });
    expect(unknown.status).toBe(404);
    expect((await by(ada)("GET", "")).json.leases).toEqual([]);
    await story.call("POST", `/rails/payments/${orderId}/mark`, { outcome: "SETTLED" });
    const over = await by(ada)("POST", "/leases", { paymentIds: [orderId] });
    expect(over.json.data).toEqual([{ paymentId: orderId }]);
  });
});

describe("the bank details of an order", () => {
  it("have the full number in the order of the bank, with an audit entry", async () => {
    const { orderId } = await queued(1_234);
    const path = `/orders/${orderId}/bank-details`;
    const { lines } = expectStatus(200, await by(ada)("GET", path)).json;
    expect(lines.map(({ field }: { readonly field: string }) => field)).toEqual([
      "name",
      "accountNumber",
      "routingNumber",
      "amount",
      "reference",
    ]);
    expect(lines[1].value).toMatch(/^\d{9,}$/);
    expect(lines[3].value).toBe("12.34 USD");
    const { json } = await story.call("GET", `/audit-entries?targetId=${orderId}`);
    expect(json.data[0]).toMatchObject({ act: "revealDeskOrder", actor: { id: ada.id } });
    expect((await by(support)("GET", path)).status).toBe(403);
    expect((await by(ada)("GET", `/orders/${UNKNOWN}/bank-details`)).status).toBe(404);
  });
});

it("tells the next cut-off and the last one, which the oldest order has missed a day later", async () => {
  const calendar = { timeZone: "Europe/Berlin", holidays: "NONE", cutOffs: ["15:30", "11:00"] };
  const path = `/rails/connections/${connectionId}`;
  const changed = expectStatus(200, await story.call("PATCH", path, { calendar }));
  expect(changed.json.calendar.cutOffs).toEqual(["11:00", "15:30"]);
  await queued();
  const before = (await by(ada)("GET", "")).json.connections[0];
  expect(before).toMatchObject({ queued: 1 });
  expect(Date.parse(before.cutOffAt)).toBeGreaterThan(Date.parse(before.oldestQueuedAt));
  expect(Date.parse(before.lastCutOffAt)).toBeLessThan(Date.parse(before.oldestQueuedAt));
  await story.call("POST", "/sandbox/clock/advance", { seconds: 86_400 });
  const after = (await by(ada)("GET", "")).json.connections[0];
  expect(Date.parse(after.lastCutOffAt)).toBeGreaterThan(Date.parse(before.oldestQueuedAt));
  const wrong = { ...calendar, cutOffs: ["24:00"] };
  expect((await story.call("PATCH", path, { calendar: wrong })).status).toBe(400);
});
