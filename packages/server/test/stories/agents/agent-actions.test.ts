/** What agents do: what is carried out at once, what is refused, what they can see, and what their keys give again. */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { endReceivers } from "../../kit/receivers.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import {
  connectedAgent,
  decide,
  type Json,
  OPEN_POLICY,
  pendingAction,
  type StoryAgent,
} from "../../kit/story-agents.ts";
import { advance, holdingsOf, rowCounts } from "../../kit/story-money.ts";

const server = await sharedServer();
let story: Story;
beforeAll(async () => {
  story = await openStory(server);
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

describe("an action within the policy", () => {
  it("is carried out at once, in the agent's name", async () => {
    const agent = await connectedAgent(story);
    const { status, json } = await agent.pay(1_200);
    expect(status).toBe(201);
    expect(json).toMatchObject({
      id: expect.stringMatching(/^AgentAction:/),
      agentId: agent.agentId,
      customerId: agent.customerId,
      platformCustomerId: expect.any(String),
      status: "APPROVED",
      type: "TRANSFER_OUT",
      transferDetails: {
        amount: 1_200,
        currency: "USD",
        sourceAccountId: agent.accountId,
        destinationAccountId: agent.payeeId,
      },
      transaction: { status: "PENDING", type: "OUTGOING", agentId: agent.agentId },
    });
    expect(json).not.toHaveProperty("quote");
    expect(json).not.toHaveProperty("rejectionReason");
    await story.settle();
    const action = await actionOf(agent, json.id);
    expect(action).toMatchObject({ status: "APPROVED", transaction: { status: "COMPLETED" } });
    const transaction = await story.call("GET", `/transactions/${action.transaction.id}`);
    expect(transaction.json).toEqual(action.transaction);
    expect(await usageOf(agent)).toEqual([1, 1_200, 1_200]);
    expect(await holdingsOf(story, agent.accountId)).toEqual({ available: 98_800, total: 98_800 });
  });

  it("is logged as the agent's, and its approval as the token's", async () => {
    const agent = await connectedAgent(story);
    await agent.pay(1_200);
    await story.call("PATCH", `/agents/${agent.agentId}`, { isPaused: true });
    const { rows } = await server.database.asSuperuser((client) =>
      client.query(
        "select distinct on (name) name, actor from command_log " +
          "where platform_id = $1 and name in ('submit-agent-action', 'update-agent') " +
          "order by name, seq desc",
        [story.platformId],
      ),
    );
    const [token] = (await story.call("GET", "/tokens")).json.data;
    const bare = (id: string) => id.replace(/^.*:/, "");
    expect(rows).toEqual([
      { name: "submit-agent-action", actor: `agent:${bare(agent.agentId)}` },
      { name: "update-agent", actor: `token:${bare(token.id)}` },
    ]);
  });

  it("pulls money in, and that counts too", async () => {
    const agent = await connectedAgent(story);
    const { status, json } = await agent.pull(700);
    expect(status).toBe(201);
    expect(json).toMatchObject({
      status: "APPROVED",
      type: "TRANSFER_IN",
      transferDetails: { sourceAccountId: agent.payeeId, destinationAccountId: agent.accountId },
      transaction: { type: "INCOMING", agentId: agent.agentId },
    });
    await story.settle();
    expect((await holdingsOf(story, agent.accountId)).available).toBe(100_700);
    expect(await usageOf(agent)).toEqual([1, 700, 700]);
  });

  it("is FAILED when there is too little money, and uses none of the limits", async () => {
    const agent = await connectedAgent(story, { funds: 100 });
    const { status, json } = await agent.pay(101);
    expect(status).toBe(201);
    expect(json).toMatchObject({ status: "FAILED", failureReason: "INSUFFICIENT_BALANCE" });
    expect(json).not.toHaveProperty("transaction");
    expect(await usageOf(agent)).toEqual([0, 0, 0]);
    expect((await agent.pay(100)).json.status).toBe("APPROVED");
  });

  it("has FAILED when its transaction fails at once", async () => {
    const agent = await connectedAgent(story, { suffix: "002" });
    const { json } = await agent.pay(500);
    expect(json).toMatchObject({ status: "FAILED", transaction: { status: "FAILED" } });
    expect(json.failureReason).toBe(json.transaction.failureReason);
    expect(await usageOf(agent)).toEqual([0, 0, 0]);
  });

  it.each(["pay", "pull"] as const)("fails with its transaction later: %s", async (move) => {
    const agent = await connectedAgent(story, { suffix: "005" });
    const { json } = await agent[move](500);
    expect(json.status).toBe("APPROVED");
    expect(await usageOf(agent)).toEqual([1, 500, 500]);
    await advance(story, 60);
    const action = await actionOf(agent, json.id);
    expect(action).toMatchObject({ status: "FAILED", transaction: { status: "FAILED" } });
    expect(action.failureReason).toBe(action.transaction.failureReason);
    expect(await usageOf(agent)).toEqual([0, 0, 0]);
    expect((await holdingsOf(story, agent.accountId)).available).toBe(100_000);
  });
});

describe("an action outside the policy", () => {
  it.each([
    ["PER_TRANSACTION_LIMIT", limits({ perTransactionLimit: 99 })],
    ["DAILY_LIMIT", limits({ dailyLimit: 99 })],
    ["DAILY_TRANSACTION_LIMIT", limits({ dailyTransactionLimit: 0 })],
    ["MONTHLY_LIMIT", limits({ monthlyLimit: 99 })],
    ["ACCOUNT_NOT_ALLOWED", { accountRestrictions: { allowedAccountIds: [] } }],
  ])("is refused by %s and leaves nothing behind", async (rule, policy) => {
    const agent = await connectedAgent(story, { policy });
    const before = await rowCounts(story);
    for (const answer of [await agent.pay(100), await agent.pull(100)]) {
      expect([answer.status, answer.json.code]).toEqual([403, "FORBIDDEN"]);
      expect(answer.json.details).toEqual({ rule });
    }
    expect(await rowCounts(story)).toEqual(before);
    expect((await agent.call("GET", "/actions")).json.totalCount).toBe(0);
  });

  it("counts a day by the platform's clock", async () => {
    const here = await openStory(server);
    const agent = await connectedAgent(here, { policy: limits({ dailyLimit: 150 }) });
    expect((await agent.pay(100)).status).toBe(201);
    expect((await agent.pay(100)).json.details.rule).toBe("DAILY_LIMIT");
    await advance(here, 86_400);
    expect((await agent.pay(100)).status).toBe(201);
    const { usage } = (await agent.call("GET", "")).json;
    expect([usage.dailyTransactionCount, usage.dailySpend]).toEqual([1, 100]);
  });

  it.each([
    ["an amount of nothing", { amount: 0 }, 400, "INVALID_AMOUNT"],
    ["no amount", { amount: undefined }, 400, "INVALID_INPUT"],
    ["no source", { source: undefined }, 400, "INVALID_INPUT"],
    ["an unknown rail", { destination: { paymentRail: "CARRIER_PIGEON" } }, 400, "INVALID_INPUT"],
  ])("is refused with %s", async (_what, part, status, code) => {
    const agent = await connectedAgent(story);
    const { destination, ...rest } = part as { destination?: object };
    const answer = await agent.call("POST", "/transfer-out", {
      source: { accountId: agent.accountId },
      amount: 100,
      ...rest,
      destination: { accountId: agent.payeeId, ...destination },
    });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  it("of the platform's limits is refused as the platform would be", async () => {
    const agent = await connectedAgent(story, {
      policy: limits({ perTransactionLimit: 9_000_000_000_000_000 }),
    });
    const answer = await agent.pay(9_000_000_000_000_000);
    expect([answer.status, answer.json.code]).toEqual([400, "AMOUNT_OUT_OF_RANGE"]);
  });
});

describe("the refusals of an action", () => {
  it("come in one order, each as soon as the one before is out of the way", async () => {
    const agent = await connectedAgent(story, {
      funds: 0,
      policy: {
        permissions: [],
        accountRestrictions: { allowedAccountIds: [] },
        ...limits({
          perTransactionLimit: 1,
          dailyTransactionLimit: 0,
          dailyLimit: 1,
          monthlyLimit: 1,
        }),
      },
    });
    const path = `/agents/${agent.agentId}`;
    await story.call("PATCH", path, { isPaused: true });
    const policy = (change: Json) => () => story.call("PATCH", `${path}/policy`, change);
    const limit = (change: Json) => policy({ spendingLimits: change });
    let source = (await fundedCustomer(story, 0)).accountId;
    let amount = 9_000_000_000_000_000;
    const repairs: readonly (() => unknown)[] = [
      policy({ permissions: OPEN_POLICY.permissions }),
      () => story.call("PATCH", path, { isPaused: false }),
      () => {
        source = agent.accountId;
      },
      policy({ accountRestrictions: { allowedAccountIds: null } }),
      limit({ perTransactionLimit: 9_000_000_000_000_000 }),
      limit({ dailyTransactionLimit: null }),
      limit({ dailyLimit: null }),
      limit({ monthlyLimit: null }),
      () => {
        amount = 100;
      },
    ];
    const found: string[] = [];
    for (const repair of [() => undefined, ...repairs]) {
      await repair();
      const { json } = await agent.call("POST", "/transfer-out", {
        source: { accountId: source },
        destination: { accountId: agent.payeeId },
        amount,
      });
      found.push(json.details?.rule ?? json.code ?? json.failureReason);
    }
    expect(found).toEqual([
      "PERMISSION",
      "PAUSED",
      "REFERENCE_NOT_FOUND",
      "ACCOUNT_NOT_ALLOWED",
      "PER_TRANSACTION_LIMIT",
      "DAILY_TRANSACTION_LIMIT",
      "DAILY_LIMIT",
      "MONTHLY_LIMIT",
      "AMOUNT_OUT_OF_RANGE",
      "INSUFFICIENT_BALANCE",
    ]);
  });
});

describe("what is not the customer's own", () => {
  it("is not found, and no action is made", async () => {
    const agent = await connectedAgent(story);
    const stranger = await fundedCustomer(story);
    const other = await openStory(server);
    const foreign = await fundedCustomer(other);
    const accounts = [
      [stranger.accountId, agent.payeeId],
      [foreign.accountId, agent.payeeId],
      ["InternalAccount:x", agent.payeeId],
      [agent.accountId, await bankAccount(story, { customerId: stranger.customerId })],
      [agent.accountId, await bankAccount(other, { customerId: foreign.customerId })],
      [agent.accountId, await bankAccount(story)],
      [agent.accountId, agent.accountId],
    ];
    for (const [source, destination] of accounts) {
      const sides = [{ accountId: source }, { accountId: destination }];
      const out = await agent.call("POST", "/transfer-out", {
        source: sides[0],
        destination: sides[1],
        amount: 1,
      });
      const back = await agent.call("POST", "/transfer-in", {
        source: sides[1],
        destination: sides[0],
        amount: 1,
      });
      const isInternal = source !== agent.accountId;
      const complaint =
        destination === agent.accountId
          ? "is an internal account; this field takes an external one"
          : "names no external account";
      const [message, mirrored] = isInternal
        ? [
            "source.accountId: names no internal account",
            "destination.accountId: names no internal account",
          ]
        : [`destination.accountId: ${complaint}`, `source.accountId: ${complaint}`];
      expect([out.status, out.json.code, out.json.message]).toEqual([
        404,
        "REFERENCE_NOT_FOUND",
        message,
      ]);
      expect([back.status, back.json.code, back.json.message]).toEqual([
        404,
        "REFERENCE_NOT_FOUND",
        mirrored,
      ]);
    }
    expect((await agent.call("GET", "/actions")).json.totalCount).toBe(0);
  });

  it("is not shown: actions, transactions and accounts of others", async () => {
    const [agent, stranger] = [await connectedAgent(story), await connectedAgent(story)];
    const { json } = await stranger.pay(100);
    const paths = [
      `/actions/${json.id}`,
      `/transactions/${json.transaction.id}`,
      `/external-accounts/${stranger.payeeId}`,
      `/external-accounts/${await bankAccount(story)}`,
    ];
    for (const path of paths) expect((await agent.call("GET", path)).status).toBe(404);
    const removed = await agent.call("DELETE", `/external-accounts/${stranger.payeeId}`);
    expect(removed.status).toBe(404);
    const lists = ["/actions", "/transactions"];
    for (const path of lists) {
      const { data } = (await agent.call("GET", path)).json;
      expect(data.filter((one: { agentId?: string }) => one.agentId === stranger.agentId)).toEqual(
        [],
      );
    }
    const accounts = (await agent.call("GET", "/internal-accounts")).json.data;
    expect(new Set(accounts.map((one: Json) => one.customerId))).toEqual(
      new Set([agent.customerId]),
    );
    const payees = (await agent.call("GET", "/external-accounts")).json.data;
    expect(payees.map((one: Json) => one.id)).toEqual([agent.payeeId]);
  });

  it("is not to be reached by another agent's cursor", async () => {
    const agent = await connectedAgent(story);
    const stranger = await connectedAgent(story);
    await agent.pay(1);
    await agent.pay(2);
    const page = await agent.call("GET", "/actions?limit=1");
    const next = `/actions?limit=1&cursor=${encodeURIComponent(page.json.nextCursor)}`;
    expect((await agent.call("GET", next)).json.data).toHaveLength(1);
    expect((await stranger.call("GET", next)).status).toBe(400);
  });
});

describe("an agent's reading", () => {
  it("covers the whole customer, and the accounts that its policy allows", async () => {
    const customer = await fundedCustomer(story);
    const agent = await connectedAgent(story, { customer });
    const body = {
      source: { accountId: agent.accountId },
      destination: { accountId: agent.payeeId },
      amount: 5,
    };
    const own = await story.call("POST", "/transfer-out", body);
    expect((await agent.call("GET", `/transactions/${own.json.id}`)).json.id).toBe(own.json.id);
    expect(own.json).not.toHaveProperty("agentId");
    const second = await story.call("POST", "/transfer-out", body);
    const ids = async (order: string) => {
      const list = await agent.call("GET", `/transactions?type=OUTGOING&sortOrder=${order}`);
      return list.json.data.map((one: Json) => one.id);
    };
    expect(await ids("asc")).toEqual([own.json.id, second.json.id]);
    expect(await ids("desc")).toEqual([second.json.id, own.json.id]);
    const accounts = await agent.call("GET", "/internal-accounts");
    expect(accounts.json.totalCount).toBeGreaterThan(0);
    const none = { accountRestrictions: { allowedAccountIds: [] } };
    await story.call("PATCH", `/agents/${agent.agentId}/policy`, none);
    expect((await agent.call("GET", "/internal-accounts")).json.totalCount).toBe(0);
    const some = { accountRestrictions: { allowedAccountIds: [agent.accountId] } };
    await story.call("PATCH", `/agents/${agent.agentId}/policy`, some);
    const shown = await agent.call("GET", "/internal-accounts?currency=USD&type=INTERNAL_FIAT");
    expect(shown.json.data.map((one: Json) => one.id)).toEqual([agent.accountId]);
    for (const query of ["currency=EUR", "type=INTERNAL_CRYPTO"]) {
      const others = await agent.call("GET", `/internal-accounts?${query}`);
      expect([query, others.json.totalCount]).toEqual([query, 0]);
    }
  });

  it("lists its actions by status", async () => {
    const { agent, actionId } = await pendingAction(story);
    const list = async (status: string) =>
      (await agent.call("GET", `/actions?status=${status}`)).json.data.map((one: Json) => one.id);
    expect(await list("PENDING_APPROVAL")).toEqual([actionId]);
    expect(await list("APPROVED")).toEqual([]);
    expect((await agent.call("GET", "/actions?status=NO")).status).toBe(400);
  });
});

describe("an agent's external accounts", () => {
  it("are made for its customer, read, and deleted", async () => {
    const agent = await connectedAgent(story);
    const body = {
      currency: "USD",
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber: "555000111789",
        routingNumber: "021000021",
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
      },
    };
    const made = await agent.call("POST", "/external-accounts", body);
    expect(made.status).toBe(201);
    expect(made.json.customerId).toBe(agent.customerId);
    const again = await agent.call("POST", "/external-accounts", body);
    expect([again.status, again.json.code]).toEqual([409, "CONFLICT"]);
    const stranger = await fundedCustomer(story, 0);
    const foreign = { ...body, customerId: stranger.customerId };
    const refused = await agent.call("POST", "/external-accounts", foreign);
    expect([refused.status, refused.json.code]).toEqual([404, "USER_NOT_FOUND"]);
    const path = `/external-accounts/${made.json.id}`;
    expect((await agent.call("GET", path)).json).toEqual(made.json);
    expect((await agent.call("DELETE", path)).status).toBe(204);
    expect((await agent.call("GET", path)).status).toBe(404);
  });
});

describe("an agent's keys", () => {
  it("give the first answer again, even when the action has moved on", async () => {
    const agent = await connectedAgent(story, { policy: WAITS });
    const first = await agent.pay(100, { key: "bill-1" });
    await decide(story, first.json, { word: "approve" });
    const again = await agent.pay(100, { key: "bill-1" });
    expect(again.text).toBe(first.text);
    expect(again.json.status).toBe("PENDING_APPROVAL");
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const other = await agent.pay(101, { key: "bill-1" });
    expect([other.status, other.json.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    expect((await agent.call("GET", "/actions")).json.totalCount).toBe(1);
  });

  it("are each agent's own", async () => {
    const customer = await fundedCustomer(story);
    const one = await connectedAgent(story, { customer, policy: OPEN_POLICY });
    const two = await connectedAgent(story, { customer, policy: OPEN_POLICY });
    const [first, second] = [
      await one.pay(100, { key: "same" }),
      await two.pay(100, { key: "same" }),
    ];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.json.agentId).toBe(two.agentId);
    expect(second.json.id).not.toBe(first.json.id);
  });

  it("repeat an approval too", async () => {
    const { agent, actionId } = await pendingAction(story);
    const path = `/agents/${agent.agentId}/actions/${actionId}/approve`;
    const first = await story.call("POST", path, undefined, { key: `ok-${actionId}` });
    const again = await story.call("POST", path, undefined, { key: `ok-${actionId}` });
    expect([again.status, again.text]).toEqual([200, first.text]);
  });
});
