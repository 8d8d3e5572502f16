/** What an agent has used comes back with the money, and not before. */
import { beforeAll, describe, expect, it } from "vitest";
import { foundAfter } from "../../kit/reconciled.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { connectedAgent, decide, type StoryAgent } from "../../kit/story-agents.ts";
import { holdingsOf } from "../../kit/story-money.ts";

const server = await sharedServer();
let story: Story;
beforeAll(async () => {
  story = await openStory(server);
});

const LIMITS = { currency: "USD", perTransactionLimit: 10_000, dailyLimit: 10_000 };
const ONE_A_DAY = { spendingLimits: { ...LIMITS, dailyTransactionLimit: 1 } };

/** Executes a quote of so much, and lets its payment come to its end. */
async function payQuote(agent: StoryAgent, amount: number) {
  const quote = await agent.quote(amount);
  const executed = await agent.execute(quote.json.id);
  await story.settle();
  return executed;
}

describe("a payment whose refund failed", () => {
  it("keeps its usage: the money is not returned, and the next payment exceeds the limit", async () => {
    const agent = await connectedAgent(story, { policy: ONE_A_DAY, suffix: "007" });
    const paid = await payQuote(agent, 10_000);
    expect(paid.json.status).toBe("APPROVED");

    const action = await agent.call("GET", `/actions/${paid.json.id}`);
    expect(action.json.status).toBe("FAILED");
    expect(action.json.transaction.refund.status).toBe("FAILED");
    const again = await payQuote(agent, 100);
    expect([again.status, again.json.details.rule]).toEqual([403, "DAILY_TRANSACTION_LIMIT"]);
    expect((await holdingsOf(story, agent.accountId)).available).toBe(90_000);
  });

  it("counts when a waiting action is approved", async () => {
    const policy = { ...ONE_A_DAY, defaultExecutionMode: "APPROVAL_REQUIRED" };
    const agent = await connectedAgent(story, { policy, suffix: "007" });
    const first = await payQuote(agent, 10_000);
    await decide(story, { agentId: agent.agentId, id: first.json.id }, { word: "approve" });
    await story.settle();
    const second = await payQuote(agent, 100);
    expect([second.status, second.json.details.rule]).toEqual([403, "DAILY_TRANSACTION_LIMIT"]);
  });
});

describe("a payment whose refund completed", () => {
  it.each([
    ["was declined", "004"],
    ["was called off", "006"],
  ])("makes room for another one when it %s", async (_, suffix) => {
    const agent = await connectedAgent(story, { policy: ONE_A_DAY, suffix });
    const first = await payQuote(agent, 10_000);
    expect(first.json.status).toBe("APPROVED");
    const action = await agent.call("GET", `/actions/${first.json.id}`);
    expect(action.json.transaction.refund.status).toBe("COMPLETED");
    expect((await payQuote(agent, 10_000)).json.status).toBe("APPROVED");
    expect((await holdingsOf(story, agent.accountId)).available).toBe(100_000);
  });

  it("makes room after a transfer that the bank rejected", async () => {
    const agent = await connectedAgent(story, { policy: ONE_A_DAY, suffix: "004" });
    expect((await agent.pay(10_000)).json.status).toBe("APPROVED");
    await story.settle();
    expect((await agent.pay(10_000)).json.status).toBe("APPROVED");
  });
});

describe("the figures of an agent", () => {
  it("cover what its payments hold and what waits, or verify names the agent", async () => {
    const policy = { approvalThresholds: { amount: 5_000, currency: "USD" } };
    const agent = await connectedAgent(story, { policy, suffix: "007" });
    await payQuote(agent, 1_000);
    await payQuote(agent, 6_000);
    const id = agent.agentId.slice(agent.agentId.indexOf(":") + 1);
    const edited = (change: string) =>
      foundAfter({ server, story }, `update agents set ${change} where id = $1`, [id]);

    expect(await edited("updated_at = updated_at")).toEqual([]);
    const used = (figures: string) =>
      `agents | agent ${id} | it has used ${figures}; its payments hold 1 and 1000, 1000`;
    expect(await edited("usage_day_count = 0")).toEqual([
      used("0 payments and 1000 of the day, 1000 of the month"),
    ]);
    expect(await edited("usage_day_minor = 999")).toEqual([
      used("1 payments and 999 of the day, 1000 of the month"),
    ]);
    expect(await edited("usage_month_minor = 999")).toEqual([
      used("1 payments and 1000 of the day, 999 of the month"),
    ]);
    expect(await edited("reserved_minor = 5999")).toEqual([
      `agents | agent ${id} | it has reserved 1 and 5999, its waiting actions come to 1 and 6000`,
    ]);
    expect(await edited("usage_day_minor = usage_day_minor + 1")).toEqual([]);
  });
});
