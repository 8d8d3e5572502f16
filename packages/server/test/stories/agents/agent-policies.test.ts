/** The policy of an agent as it is changed: member by member, into another currency, and refused. */
import { describe, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import { fundedCustomer, openStory, type RawAnswer } from "../../kit/story.ts";
import { connectedAgent, newAgent } from "../../kit/story-agents.ts";

const server = await sharedServer();
const story = await openStory(server);

const patch = (agentId: string, body: unknown) =>
  story.call("PATCH", `/agents/${agentId}/policy`, body);
const fields = (answer: RawAnswer) =>
  answer.json.details.errors.map(({ field }: { field: string }) => field);

describe("a change of policy", () => {
  it("is merged member by member, permissions as a whole", async () => {
    const limits = {
      currency: "USD",
      perTransactionLimit: 500,
      dailyLimit: 900,
      monthlyLimit: 5_000,
    };
    const { agentId, accountId } = await newAgent(story, {
      policy: {
        spendingLimits: { ...limits, dailyTransactionLimit: 3 },
        accountRestrictions: { allowedAccountIds: [] },
        approvalThresholds: { currency: "USD", amount: 50 },
      },
    });
    const changed = await patch(agentId, {
      permissions: ["VIEW_TRANSACTIONS"],
      spendingLimits: { dailyLimit: null, dailyTransactionLimit: null, perTransactionLimit: 0 },
      accountRestrictions: { accountRules: [{ accountId, perTransactionLimit: null }] },
      approvalThresholds: { amount: null },
    });
    expect(changed.status).toBe(200);
    expect(changed.json.policy).toEqual({
      permissions: ["VIEW_TRANSACTIONS"],
      defaultExecutionMode: "AUTO",
      spendingLimits: {
        currency: "USD",
        perTransactionLimit: 0,
        dailyLimit: null,
        dailyTransactionLimit: null,
        monthlyLimit: 5_000,
      },
      accountRestrictions: {
        allowedAccountIds: [],
        accountRules: [{ accountId, perTransactionLimit: null }],
      },
      approvalThresholds: { currency: "USD", amount: null },
    });
  });

  it("into another currency converts the limits, the rules and what was spent", async () => {
    const agent = await connectedAgent(story, {
      policy: {
        spendingLimits: { currency: "USD", perTransactionLimit: 1_001, dailyLimit: 2_500 },
      },
    });
    await patch(agent.agentId, {
      accountRestrictions: {
        accountRules: [{ accountId: agent.accountId, perTransactionLimit: 1_001 }],
      },
    });
    await agent.pay(1_000);
    const { json } = await patch(agent.agentId, {
      spendingLimits: { currency: "EUR", dailyLimit: 2_000 },
    });
    // One dollar is 0.92 euros: limits are rounded down, what was spent is rounded up.
    expect(json.policy.spendingLimits).toEqual({
      currency: "EUR",
      perTransactionLimit: 920,
      dailyLimit: 2_000,
    });
    expect(json.policy.accountRestrictions.accountRules[0].perTransactionLimit).toBe(920);
    expect(json.usage).toMatchObject({ dailySpend: 920, monthlySpend: 920 });
    expect((await agent.pay(1_001)).json.details.rule).toBe("PER_TRANSACTION_LIMIT");
    expect((await agent.pay(1_000)).json.status).toBe("APPROVED");
    expect((await agent.pay(1_000)).json.details.rule).toBe("DAILY_LIMIT");
  });

  it.each([
    ["nothing", {}, "INVALID_INPUT"],
    ["a currency without a rate", { spendingLimits: { currency: "ISK" } }, "INVALID_CURRENCY"],
    ["no such currency", { approvalThresholds: { currency: "nope" } }, "INVALID_CURRENCY"],
    ["a threshold without its currency", { approvalThresholds: { amount: 1 } }, "INVALID_INPUT"],
    [
      "a limit of null where one is needed",
      { spendingLimits: { perTransactionLimit: null } },
      "INVALID_AMOUNT",
    ],
  ])("to %s is refused and changes nothing", async (_what, body, code) => {
    const { agentId } = await newAgent(story);
    const before = await story.call("GET", `/agents/${agentId}`);
    const answer = await patch(agentId, body);
    expect([answer.status, answer.json.code]).toEqual([400, code]);
    expect((await story.call("GET", `/agents/${agentId}`)).text).toBe(before.text);
  });

  it.each([
    ["5000000000000000.4", "dailyLimit"],
    ["1e2", "monthlyLimit"],
    ["100.0", "dailyTransactionLimit"],
  ])("to a limit spelled %s is refused", async (spelling, limit) => {
    const { agentId } = await newAgent(story);
    const answer = await patch(agentId, `{"spendingLimits":{"${limit}":${spelling}}}`);
    expect(answer.status).toBe(400);
    expect(fields(answer)).toEqual([`spendingLimits.${limit}`]);
    const threshold = `{"approvalThresholds":{"currency":"USD","amount":${spelling}}}`;
    expect(fields(await patch(agentId, threshold))).toEqual(["approvalThresholds.amount"]);
  });

  it("with several errors is refused with all of them", async () => {
    const { agentId, accountId } = await newAgent(story);
    const accountRules = [{ accountId }, { accountId }];
    const wrong = {
      spendingLimits: { currency: "ZZZ" },
      approvalThresholds: { currency: "QQQ", amount: 5 },
      accountRestrictions: { accountRules },
    };
    const named = [
      "accountRestrictions.accountRules.1.accountId",
      "spendingLimits.currency",
      "approvalThresholds.currency",
    ];
    expect(fields(await patch(agentId, wrong))).toEqual(named);
    const worse = { ...wrong, spendingLimits: { currency: "ZZZ", dailyLimit: -1 } };
    expect(fields(await patch(agentId, worse))).toEqual(["spendingLimits.dailyLimit", ...named]);
  });

  it("that names another customer's account is refused", async () => {
    const { agentId } = await newAgent(story);
    const stranger = await fundedCustomer(story, 0);
    const allowedAccountIds = [stranger.accountId];
    const answer = await patch(agentId, { accountRestrictions: { allowedAccountIds } });
    expect([answer.status, answer.json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
  });
});
