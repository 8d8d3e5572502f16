/** Actions that wait for the platform: what it says to them, and what becomes of them. */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { endReceivers } from "../../kit/receivers.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { ignoreUnknownFields, openStory, type Story } from "../../kit/story.ts";
import {
  connectedAgent,
  decide,
  type Json,
  pendingAction,
  type StoryAgent,
} from "../../kit/story-agents.ts";
import { advance, holdingsOf, ledgerOf } from "../../kit/story-money.ts";
import { listenTo } from "../../kit/story-webhooks.ts";

const server = await sharedServer();
let story: Story;
beforeAll(async () => {
  story = await openStory(server);
  await ignoreUnknownFields(story);
});
afterEach(() => endReceivers());

const WAITS = { defaultExecutionMode: "APPROVAL_REQUIRED" };
const limits = (more: Json) => ({
  spendingLimits: { currency: "USD", perTransactionLimit: 100_000, ...more },
});

async function usageOf({ agentId }: StoryAgent) {
  const { usage } = (await story.call("GET", `/agents/${agentId}`)).json;
  return [usage.dailyTransactionCount, usage.dailySpend, usage.monthlySpend];
}

async function actionOf(agent: StoryAgent, id: string) {
  return (await agent.call("GET", `/actions/${id}`)).json;
}

describe("an action that waits", () => {
  it("has no transaction, moves no money, and is sent to the platform in full", async () => {
    const here = await openStory(server);
    const receiver = await listenTo(here);
    const agent = await connectedAgent(here, {
      policy: { approvalThresholds: { currency: "USD", amount: 99 } },
    });
    const submitted = await agent.pay(100);
    expect(submitted.status).toBe(201);
    expect(submitted.json.status).toBe("PENDING_APPROVAL");
    expect(submitted.json).not.toHaveProperty("transaction");
    expect(await ledgerOf(here, agent.accountId)).toEqual({ available: 100_000, held: 0 });
    const delivered = await receiver.events();
    const [event, ...more] = delivered.filter(({ type }) => type.startsWith("AGENT_ACTION"));
    expect(event?.type).toBe("AGENT_ACTION.PENDING_APPROVAL");
    expect(event?.data).toEqual(submitted.json);
    expect(more).toEqual([]);
    const list = await here.call("GET", "/agents/approvals");
    expect(list.json).toMatchObject({ data: [submitted.json], totalCount: 1 });
    expect((await agent.pay(99)).json.status).toBe("APPROVED");
  });

  it("keeps the rail that it named until it is carried out", async () => {
    const agent = await connectedAgent(story, { policy: WAITS });
    const submitted = await agent.call("POST", "/transfer-out", {
      source: { accountId: agent.accountId },
      destination: { accountId: agent.payeeId, paymentRail: "WIRE" },
      amount: 100,
    });
    const approved = await decide(story, submitted.json, { word: "approve" });
    expect(approved.json).toMatchObject({
      status: "APPROVED",
      transaction: { paymentRail: "WIRE" },
    });
  });

  it("uses none of the limits when its transaction fails at the approval", async () => {
    const agent = await connectedAgent(story, { policy: WAITS, suffix: "002" });
    const submitted = await agent.pay(100);
    expect(submitted.json.status).toBe("PENDING_APPROVAL");
    const approved = await decide(story, submitted.json, { word: "approve" });
    expect(approved.json).toMatchObject({ status: "FAILED", transaction: { status: "FAILED" } });
    expect(await usageOf(agent)).toEqual([0, 0, 0]);
  });

  it("does not approve itself by what its request says", async () => {
    const agent = await connectedAgent(story, { policy: WAITS });
    const submitted = await agent.call("POST", "/transfer-out", {
      source: { accountId: agent.accountId },
      destination: { accountId: agent.payeeId },
      amount: 100,
      status: "APPROVED",
      transaction: { status: "COMPLETED" },
      agentId: "Agent:somebody",
      customerId: "Customer:somebody",
    });
    expect(submitted.json).toMatchObject({
      status: "PENDING_APPROVAL",
      agentId: agent.agentId,
      customerId: agent.customerId,
    });
  });

  it("is carried out when it is approved, once", async () => {
    const { agent, actionId } = await pendingAction(story);
    const action = { agentId: agent.agentId, id: actionId };
    const approved = await decide(story, action, { word: "approve" });
    expect(approved.status).toBe(200);
    expect(approved.json).toMatchObject({
      id: actionId,
      status: "APPROVED",
      transaction: { status: "PENDING", agentId: agent.agentId },
    });
    for (const word of ["approve", "reject"] as const) {
      const again = await decide(story, action, { word });
      expect([again.status, again.json.code]).toEqual([409, "CONFLICT"]);
      expect(again.json.details).toEqual({ status: "APPROVED" });
    }
    await story.settle();
    expect((await holdingsOf(story, agent.accountId)).available).toBe(99_900);
    expect(await usageOf(agent)).toEqual([1, 100, 100]);
  });

  it("is not carried out when it is rejected, and the agent reads why", async () => {
    const { agent, actionId } = await pendingAction(story);
    const action = { agentId: agent.agentId, id: actionId };
    const rejected = await decide(story, action, { word: "reject", body: { reason: "No." } });
    expect(rejected.status).toBe(200);
    expect(rejected.json).toMatchObject({ status: "REJECTED", rejectionReason: "No." });
    expect(rejected.json).not.toHaveProperty("transaction");
    expect(await actionOf(agent, actionId)).toEqual(rejected.json);
    expect((await decide(story, action, { word: "approve" })).status).toBe(409);
    expect((await holdingsOf(story, agent.accountId)).available).toBe(100_000);
    const plain = await pendingAction(story);
    const silent = { agentId: plain.agent.agentId, id: plain.actionId };
    const answer = await decide(story, silent, { word: "reject" });
    expect(answer.json.status).toBe("REJECTED");
    expect(answer.json).not.toHaveProperty("rejectionReason");
  });

  it("fails without a decision within a day, and releases its reservation", async () => {
    const here = await openStory(server);
    const agent = await connectedAgent(here, {
      policy: { ...limits({ dailyLimit: 300 }), ...WAITS },
    });
    const { json: first } = await agent.pay(300);
    await advance(here, 86_400 - 2);
    expect((await actionOf(agent, first.id)).status).toBe("PENDING_APPROVAL");
    expect((await agent.pay(1)).json.details.rule).toBe("DAILY_LIMIT");
    await advance(here, 3);
    expect((await actionOf(agent, first.id)).status).toBe("FAILED");
    const late = await decide(here, first, { word: "approve" });
    expect([late.status, late.json.details]).toEqual([409, { status: "FAILED" }]);
    expect((await agent.pay(300)).status).toBe(201);
    expect((await here.call("GET", "/agents/approvals")).json.totalCount).toBe(1);
  });

  it("reserves its amount until it is decided", async () => {
    const agent = await connectedAgent(story, {
      policy: { ...limits({ dailyLimit: 300, dailyTransactionLimit: 3 }), ...WAITS },
    });
    const first = await agent.pay(200);
    expect((await agent.pay(101)).json.details.rule).toBe("DAILY_LIMIT");
    expect(await usageOf(agent)).toEqual([0, 0, 0]);
    await decide(story, first.json, { word: "reject" });
    const second = await agent.pay(300);
    expect(second.status).toBe(201);
    expect((await decide(story, second.json, { word: "approve" })).json.status).toBe("APPROVED");
    expect((await agent.pay(1)).json.details.rule).toBe("DAILY_LIMIT");
    expect(await usageOf(agent)).toEqual([1, 300, 300]);
  });

  it.each([
    ["PAUSED", { isPaused: true }, undefined],
    ["PERMISSION", undefined, { permissions: [] }],
    ["PER_TRANSACTION_LIMIT", undefined, { spendingLimits: { perTransactionLimit: 99 } }],
    ["DAILY_LIMIT", undefined, { spendingLimits: { dailyLimit: 99 } }],
    ["DAILY_TRANSACTION_LIMIT", undefined, { spendingLimits: { dailyTransactionLimit: 0 } }],
    ["MONTHLY_LIMIT", undefined, { spendingLimits: { monthlyLimit: 99 } }],
    ["ACCOUNT_NOT_ALLOWED", undefined, { accountRestrictions: { allowedAccountIds: [] } }],
  ])(
    "FAILS on approval when %s stands in the way by then",
    async (rule, agentChange, policyChange) => {
      const { agent, actionId } = await pendingAction(story);
      const path = `/agents/${agent.agentId}`;
      if (agentChange !== undefined) await story.call("PATCH", path, agentChange);
      if (policyChange !== undefined) await story.call("PATCH", `${path}/policy`, policyChange);
      const answer = await decide(
        story,
        { agentId: agent.agentId, id: actionId },
        { word: "approve" },
      );
      expect(answer.status).toBe(200);
      expect(answer.json).toMatchObject({ status: "FAILED", failureReason: rule });
      expect(answer.json).not.toHaveProperty("transaction");
      expect((await holdingsOf(story, agent.accountId)).total).toBe(100_000);
      expect(await usageOf(agent)).toEqual([0, 0, 0]);
    },
  );

  it("FAILS on approval when the money or the payee is gone", async () => {
    const poor = await connectedAgent(story, { funds: 100, policy: WAITS });
    const [first, second] = [await poor.pay(80), await poor.pay(80)];
    expect((await decide(story, first.json, { word: "approve" })).json.status).toBe("APPROVED");
    const failed = await decide(story, second.json, { word: "approve" });
    expect(failed.json).toMatchObject({ status: "FAILED", failureReason: "INSUFFICIENT_BALANCE" });
    const { agent, actionId } = await pendingAction(story);
    await story.call("DELETE", `/customers/external-accounts/${agent.payeeId}`);
    const gone = await decide(story, { agentId: agent.agentId, id: actionId }, { word: "approve" });
    expect(gone.json).toMatchObject({ status: "FAILED", failureReason: "REFERENCE_NOT_FOUND" });
  });

  it("is measured in the currency that the policy counts in when it is approved", async () => {
    const { agent, actionId } = await pendingAction(story, 1_000);
    const path = `/agents/${agent.agentId}/policy`;
    await story.call("PATCH", path, { spendingLimits: { currency: "EUR", dailyLimit: 1_000 } });
    expect((await agent.pay(100)).json.details.rule).toBe("DAILY_LIMIT");
    await decide(story, { agentId: agent.agentId, id: actionId }, { word: "approve" });
    expect(await usageOf(agent)).toEqual([1, 920, 920]);
  });

  it("is rejected when its agent is deleted", async () => {
    const { agent, actionId } = await pendingAction(story);
    await story.call("DELETE", `/agents/${agent.agentId}`);
    const answer = await decide(
      story,
      { agentId: agent.agentId, id: actionId },
      { word: "approve" },
    );
    expect(answer.status).toBe(404);
    const stored = await server.database.asSuperuser((client) =>
      client.query("select status, rejection_reason from agent_actions where id = $1", [
        actionId.split(":")[1],
      ]),
    );
    expect(stored.rows).toEqual([
      { status: "REJECTED", rejection_reason: "The agent was deleted." },
    ]);
    expect(
      (await story.call("GET", `/agents/approvals?agentId=${agent.agentId}`)).json.data,
    ).toEqual([]);
  });

  it("is decided under its own agent's path alone", async () => {
    const { agent, actionId } = await pendingAction(story);
    const other = await connectedAgent(story);
    for (const word of ["approve", "reject"] as const) {
      const answers = [
        await decide(story, { agentId: other.agentId, id: actionId }, { word }),
        await decide(story, { agentId: agent.agentId, id: "AgentAction:x" }, { word }),
        await decide(story, { agentId: "Agent:x", id: actionId }, { word }),
      ];
      for (const answer of answers) {
        expect([answer.status, answer.json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
      }
    }
    expect((await actionOf(agent, actionId)).status).toBe("PENDING_APPROVAL");
  });
});

describe("the list of approvals", () => {
  it("is narrowed and ordered", async () => {
    const here = await openStory(server);
    const [one, two] = [await pendingAction(here), await pendingAction(here)];
    const list = async (query: string) =>
      (await here.call("GET", `/agents/approvals?${query}`)).json.data.map(
        (action: Json) => action.id,
      );
    expect(await list("")).toEqual([two.actionId, one.actionId]);
    expect(await list("sortOrder=asc")).toEqual([one.actionId, two.actionId]);
    expect(await list(`agentId=${one.agent.agentId}`)).toEqual([one.actionId]);
    expect(await list(`customerId=${two.agent.customerId}`)).toEqual([two.actionId]);
    expect(await list("startDate=2100-01-01T00:00:00Z")).toEqual([]);
    expect(await list("endDate=2100-01-01T00:00:00Z")).toHaveLength(2);
    await decide(here, { agentId: one.agent.agentId, id: one.actionId }, { word: "approve" });
    expect(await list("")).toEqual([two.actionId]);
  });
});

describe("the actions that wait", () => {
  it("are all rejected with their agent", async () => {
    const here = await openStory(server);
    const agent = await connectedAgent(here, { policy: WAITS });
    for (const amount of [1, 2]) expect((await agent.pay(amount)).status).toBe(201);
    expect((await here.call("DELETE", `/agents/${agent.agentId}`)).status).toBe(204);
    expect((await here.call("GET", "/agents/approvals")).json.totalCount).toBe(0);
  });
});
