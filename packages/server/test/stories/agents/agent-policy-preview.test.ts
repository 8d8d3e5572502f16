/** What a change of a policy would have done to the orders of the last 30 days. It is asked for, and nothing changes. */
import { beforeAll, describe, expect, it } from "vitest";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import {
  connectedAgent,
  decide,
  type Json,
  newAgent,
  OPEN_POLICY,
} from "../../kit/story-agents.ts";
import { advance } from "../../kit/story-money.ts";

const server = await sharedServer();
let story: Story;
beforeAll(async () => {
  story = await openStory(server);
});

const DAY_S = 24 * 60 * 60;
const NONE = { nowRefused: 0, nowAllowed: 0, nowWaits: 0, noLongerWaits: 0 };

const preview = (agentId: string, body: unknown, here = story): Promise<RawAnswer> =>
  here.call("POST", `/agents/${agentId}/policy/preview`, body);
const limits = (more: Json) => ({ spendingLimits: { ...OPEN_POLICY.spendingLimits, ...more } });
const WAITS = { defaultExecutionMode: "APPROVAL_REQUIRED" };

/** Copies of an order that counted nothing. */
async function copyOrder(
  { server: { database }, platformId }: Story,
  { id, times }: { readonly id: string; readonly times: number },
): Promise<void> {
  const text =
    "insert into agent_actions select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid()))).* " +
    "from agent_actions a, generate_series(1, $3::int4) where a.platform_id = $1 and a.id = $2";
  const values = [platformId, id.split(":")[1], times];
  await database.asSuperuser((client) => client.query(text, values));
}

/** The rows of what an act of a platform writes. */
async function rowsOf({ server: { database }, platformId }: Story) {
  const text = ["agents", "agent_actions", "command_log", "audit_entries", "events", "jobs"]
    .map((table) => `select '${table}', count(*)::int4 from ${table} where platform_id = $1`)
    .join(" union all ");
  const read = { text, values: [platformId], rowMode: "array" as const };
  return (await database.asSuperuser((client) => client.query(read))).rows;
}

const fields = (answer: RawAnswer) =>
  answer.json.details.errors.map(({ field }: { field: string }) => field);

describe("the preview of a policy", () => {
  it("answers the policy that the change makes, and judges no order without one", async () => {
    const { agentId } = await newAgent(story);
    const changes = { ...limits({ dailyLimit: 900 }), defaultExecutionMode: "APPROVAL_REQUIRED" };
    const shown = await preview(agentId, changes);
    expect(shown.status).toBe(200);
    expect(shown.json).toMatchObject({
      widens: [],
      ordersJudged: 0,
      isTruncated: false,
      counts: NONE,
      differences: [],
    });
    const changed = await story.call("PATCH", `/agents/${agentId}/policy`, changes);
    expect(shown.json.policy).toEqual(changed.json.policy);
  });

  it("names the order that was allowed and is refused now, with the rule", async () => {
    const agent = await connectedAgent(story);
    await agent.pay(100);
    const paid = (await agent.pay(500)).json;
    const { json } = await preview(agent.agentId, limits({ perTransactionLimit: 400 }));
    expect(json).toMatchObject({ ordersJudged: 2, counts: { ...NONE, nowRefused: 1 }, widens: [] });
    expect(json.differences).toEqual([
      {
        change: "NOW_REFUSED",
        actionId: paid.id,
        type: "TRANSFER_OUT",
        status: "APPROVED",
        amount: 500,
        currency: "USD",
        transactionId: paid.transaction.id,
        createdAt: paid.createdAt,
        before: { verdict: "ALLOWED" },
        after: { verdict: "REFUSED", reason: "PER_TRANSACTION_LIMIT" },
      },
    ]);
  });

  it("names the order that would wait now, and the one that would wait no longer", async () => {
    const agent = await connectedAgent(story);
    await agent.pay(100);
    await agent.pull(500);
    const threshold = { approvalThresholds: { currency: "USD", amount: 400 } };
    const waits = (await preview(agent.agentId, threshold)).json;
    expect(waits.counts).toEqual({ ...NONE, nowWaits: 1 });
    expect(waits.differences[0]).toMatchObject({
      change: "NOW_WAITS",
      type: "TRANSFER_IN",
      amount: 500,
      after: { verdict: "NEEDS_APPROVAL", reason: "THRESHOLD" },
    });
    await story.call("PATCH", `/agents/${agent.agentId}/policy`, {
      defaultExecutionMode: "APPROVAL_REQUIRED",
    });
    const free = (await preview(agent.agentId, { defaultExecutionMode: "AUTO" })).json;
    expect(free.counts).toEqual({ ...NONE, noLongerWaits: 2 });
    expect(free.widens).toEqual(["defaultExecutionMode"]);
    expect(free.differences.map(({ before }: Json) => before)).toEqual([
      { verdict: "NEEDS_APPROVAL", reason: "EXECUTION_MODE" },
      { verdict: "NEEDS_APPROVAL", reason: "EXECUTION_MODE" },
    ]);
  });

  it("names the order that the present policy refuses and the new one allows", async () => {
    const agent = await connectedAgent(story);
    await agent.pay(500);
    await story.call(
      "PATCH",
      `/agents/${agent.agentId}/policy`,
      limits({ perTransactionLimit: 400 }),
    );
    const { json } = await preview(agent.agentId, limits({ perTransactionLimit: 500 }));
    expect(json.counts).toEqual({ ...NONE, nowAllowed: 1 });
    expect(json.differences[0]).toMatchObject({
      change: "NOW_ALLOWED",
      before: { verdict: "REFUSED", reason: "PER_TRANSACTION_LIMIT" },
      after: { verdict: "ALLOWED" },
    });
  });

  it("judges executed quotes by their accounts and their amount", async () => {
    const agent = await connectedAgent(story);
    const quote = (await agent.quote(700)).json;
    expect((await agent.execute(quote.id)).status).toBe(200);
    const listed = { accountRestrictions: { payees: { mode: "LISTED" } } };
    const { json } = await preview(agent.agentId, listed);
    expect(json.differences).toMatchObject([
      {
        type: "EXECUTE_QUOTE",
        quoteId: quote.id,
        after: { verdict: "REFUSED", reason: "PAYEE_NOT_ALLOWED" },
      },
    ]);
  });

  it("looks 30 days back, and shows the newest 20 of all that it counts", async () => {
    const here = await openStory(server);
    const agent = await connectedAgent(here);
    await agent.pay(999);
    await advance(here, 16 * DAY_S);
    await advance(here, 16 * DAY_S);
    for (let amount = 501; amount <= 521; amount += 1) await agent.pay(amount);
    const { json } = await preview(agent.agentId, limits({ perTransactionLimit: 500 }), here);
    expect(json).toMatchObject({ ordersJudged: 21, counts: { ...NONE, nowRefused: 21 } });
    const amounts = json.differences.map(({ amount }: Json) => amount);
    expect(amounts).toEqual(Array.from({ length: 20 }, (_, index) => 521 - index));
  });

  it("judges the newest 1,000, and says that there were more", async () => {
    const here = await openStory(server);
    const agent = await connectedAgent(here, { policy: WAITS });
    const order = (await agent.pay(500)).json;
    await decide(here, order, { word: "reject" });
    await copyOrder(here, { id: order.id, times: 999 });
    const free = { defaultExecutionMode: "AUTO" };
    const all = { ordersJudged: 1_000, counts: { ...NONE, noLongerWaits: 1_000 } };
    expect((await preview(agent.agentId, free, here)).json).toMatchObject({
      ...all,
      isTruncated: false,
    });
    await copyOrder(here, { id: order.id, times: 1 });
    expect((await preview(agent.agentId, free, here)).json).toMatchObject({
      ...all,
      isTruncated: true,
    });
  });

  it("changes nothing, and writes no row", async () => {
    const here = await openStory(server);
    const agent = await connectedAgent(here, { policy: WAITS });
    await agent.pay(500);
    const [before, rows] = [
      (await here.call("GET", `/agents/${agent.agentId}`)).json,
      await rowsOf(here),
    ];
    expect((await preview(agent.agentId, { permissions: [] }, here)).status).toBe(200);
    expect((await here.call("GET", `/agents/${agent.agentId}`)).json).toEqual(before);
    expect(await rowsOf(here)).toEqual(rows);
  });
});

describe("the preview refuses what the change refuses", () => {
  const wrong: readonly (readonly [string, unknown, number, string])[] = [
    ["nothing", {}, 400, "INVALID_INPUT"],
    ["a list", [], 400, "INVALID_INPUT"],
    ["permissions that are no list", { permissions: "all" }, 400, "INVALID_INPUT"],
    ["an unknown permission", { permissions: ["ALL"] }, 400, "INVALID_INPUT"],
    ["an amount below zero", { spendingLimits: { dailyLimit: -1 } }, 400, "INVALID_AMOUNT"],
    ["an amount that is a text", { spendingLimits: { dailyLimit: "1" } }, 400, "INVALID_AMOUNT"],
    ["an unknown currency", { spendingLimits: { currency: "XXX" } }, 400, "INVALID_CURRENCY"],
    ["a threshold without a currency", { approvalThresholds: { amount: 1 } }, 400, "INVALID_INPUT"],
    [
      "a malformed UMA address",
      { accountRestrictions: { payees: { mode: "LISTED", umaAddresses: ["ana"] } } },
      400,
      "INVALID_UMA_ADDRESS",
    ],
    [
      "an account of nobody",
      { accountRestrictions: { allowedAccountIds: ["InternalAccount:1"] } },
      404,
      "REFERENCE_NOT_FOUND",
    ],
  ];
  it.each(wrong)("%s", async (_why, body, status, code) => {
    const { agentId } = await newAgent(story);
    const [shown, saved] = [
      await preview(agentId, body),
      await story.call("PATCH", `/agents/${agentId}/policy`, body),
    ];
    expect([shown.status, shown.json.code]).toEqual([status, code]);
    const { requestId: _one, ...refusal } = shown.json;
    const { requestId: _other, ...refused } = saved.json;
    expect(refusal).toEqual(refused);
  });

  it("a currency without a rate, in production", async () => {
    const here = await openStory(server, { environment: "PRODUCTION", isRegulated: true });
    const { agentId } = await newAgent(here, { funds: 0 });
    const { json } = await preview(agentId, { spendingLimits: { currency: "EUR" } }, here);
    expect(json).toMatchObject({ code: "INVALID_CURRENCY" });
    expect(json.details.field).toBe("spendingLimits.currency");
  });

  it("all wrong fields in one answer", async () => {
    const { agentId } = await newAgent(story);
    const answer = await preview(agentId, {
      permissions: ["ALL"],
      spendingLimits: { currency: "XXX" },
    });
    expect(fields(answer)).toEqual(["permissions.0", "spendingLimits.currency"]);
  });

  it("an account of another customer, and takes one of this customer", async () => {
    const [agent, other] = [await connectedAgent(story), await connectedAgent(story)];
    const payees = (id: string) => ({
      accountRestrictions: { payees: { mode: "LISTED", externalAccountIds: [id] } },
    });
    const allowed = (id: string) => ({ accountRestrictions: { allowedAccountIds: [id] } });
    expect((await preview(agent.agentId, payees(agent.payeeId))).status).toBe(200);
    expect((await preview(agent.agentId, allowed(agent.accountId))).status).toBe(200);
    for (const body of [payees(other.payeeId), allowed(other.accountId)]) {
      const { status, json } = await preview(agent.agentId, body);
      expect([status, json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
    }
  });

  it("an agent of another platform, like one that does not exist", async () => {
    const elsewhere = await openStory(server);
    const { agentId } = await newAgent(elsewhere);
    const body = { permissions: [] };
    const unknown = await preview("Agent:019a4f00-0000-7000-8000-00000000dead", body);
    const foreign = await preview(agentId, body);
    expect([foreign.status, foreign.json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
    expect([unknown.status, unknown.json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
    await elsewhere.call("DELETE", `/agents/${agentId}`);
    expect((await preview(agentId, body, elsewhere)).status).toBe(404);
  });
});

it("a person who may only read sees a preview, and cannot save the change", async () => {
  const { workspaceId } = await server.makePlatform();
  const here = await openStory(server, { workspaceId });
  const viewer = await makePerson(await makeOwner(server, workspaceId), ["VIEWER"]);
  const { agentId } = await newAgent(here);
  const call = viewer.browser.at(here.platformId);
  const changes = { permissions: [] };
  expect((await call("POST", `/agents/${agentId}/policy/preview`, changes)).status).toBe(200);
  expect((await call("GET", `/agents/${agentId}/actions`)).status).toBe(200);
  expect((await call("PATCH", `/agents/${agentId}/policy`, changes)).status).toBe(403);
});

describe("the actions of an agent", () => {
  it("are listed in every state, with why they waited, the newest first", async () => {
    const agent = await connectedAgent(story, {
      policy: { approvalThresholds: { currency: "USD", amount: 400 } },
    });
    const paid = (await agent.pay(100)).json;
    const rejected = (await agent.pay(500)).json;
    expect(rejected.approvalReason).toBe("THRESHOLD");
    await decide(story, rejected, { word: "reject", body: { reason: "no" } });
    const path = `/agents/${agent.agentId}/actions`;
    const { data, totalCount } = (await story.call("GET", path)).json;
    expect(totalCount).toBe(2);
    expect(data).toMatchObject([
      { id: rejected.id, status: "REJECTED", approvalReason: "THRESHOLD", rejectionReason: "no" },
      { id: paid.id, status: "APPROVED" },
    ]);
    expect(data[1]).not.toHaveProperty("approvalReason");
    const failed = await story.call("GET", `${path}?status=FAILED`);
    expect(failed.json.data).toEqual([]);
    expect((await story.call("GET", `${path}?status=SOME`)).json.code).toBe("INVALID_INPUT");
  });

  it("are counted while they wait, and the newest one has its time in the agent", async () => {
    const agent = await connectedAgent(story, { policy: WAITS, funds: 100 });
    const get = async () => (await story.call("GET", `/agents/${agent.agentId}`)).json;
    expect(await get()).toMatchObject({ pendingActions: 0 });
    expect(await get()).not.toHaveProperty("lastActionAt");
    const waiting = (await agent.pay(50)).json;
    expect(await get()).toMatchObject({ pendingActions: 1, lastActionAt: waiting.createdAt });
    await decide(story, waiting, { word: "reject" });
    await story.call("PATCH", `/agents/${agent.agentId}/policy`, { defaultExecutionMode: "AUTO" });
    const failed = (await agent.pay(500)).json;
    expect(failed).toMatchObject({ status: "FAILED", failureReason: "INSUFFICIENT_BALANCE" });
    expect(await get()).toMatchObject({ pendingActions: 0, lastActionAt: failed.createdAt });
    const paid = (await agent.pay(50)).json;
    expect(await get()).toMatchObject({ lastActionAt: paid.createdAt });
  });

  it("of another agent, or of another platform's, are not among them", async () => {
    const [agent, other] = [await connectedAgent(story), await connectedAgent(story)];
    await other.pay(100);
    expect((await story.call("GET", `/agents/${agent.agentId}/actions`)).json.data).toEqual([]);
    const elsewhere = await openStory(server);
    const foreign = await elsewhere.call("GET", `/agents/${other.agentId}/actions`);
    expect([foreign.status, foreign.json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
  });
});
