/** Quotes of agents: asked for, executed at once or after approval, and never past the policy or the owner of a wallet. */
import { describe, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import { fundedCustomer, openStory } from "../../kit/story.ts";
import { connectedAgent, decide, newAgent, redeem } from "../../kit/story-agents.ts";
import { advance, fund, holdingsOf, internalAccount } from "../../kit/story-money.ts";
import { euroAccount, execute, quoteBody } from "../../kit/story-quotes.ts";
import { startTestServer } from "../../kit/test-server.ts";

const server = await sharedServer();
const story = await openStory(server);

const WAITS = { policy: { defaultExecutionMode: "APPROVAL_REQUIRED" } };

describe("an agent's quote", () => {
  it("is a quote like any other, that the agent and the platform can read", async () => {
    const agent = await connectedAgent(story);
    const quote = await agent.quote(1_000);
    expect(quote.status).toBe(201);
    expect(quote.json).toMatchObject({ status: "PENDING", totalSendingAmount: 1_000 });
    expect((await agent.call("GET", `/quotes/${quote.json.id}`)).json).toEqual(quote.json);
    expect((await story.call("GET", `/quotes/${quote.json.id}`)).json).toEqual(quote.json);
    const path = `/transactions/${quote.json.transactionId}`;
    expect((await story.call("GET", path)).json.agentId).toBe(agent.agentId);
  });

  it("belongs to one agent: neither another agent of the customer nor the platform can use it as the agent", async () => {
    const one = await connectedAgent(story);
    const two = await connectedAgent(story, { customer: one });
    const { id } = (await one.quote(1_000)).json;
    const to = await euroAccount(story, one.customerId);
    const own = await story.call("POST", "/quotes", quoteBody({ from: one.accountId, to }));
    for (const [agent, quoteId] of [
      [two, id],
      [one, own.json.id],
    ] as const) {
      const answers = [await agent.call("GET", `/quotes/${quoteId}`), await agent.execute(quoteId)];
      for (const answer of answers) {
        expect([answer.status, answer.json.code]).toEqual([404, "QUOTE_NOT_FOUND"]);
      }
    }
    expect((await two.call("GET", "/actions")).json.totalCount).toBe(0);
  });

  it("is not executed by its creation", async () => {
    const agent = await connectedAgent(story);
    const to = await euroAccount(story, agent.customerId);
    const more = { immediatelyExecute: true };
    const body = quoteBody({ from: agent.accountId, to, amount: 1_000, more });
    const answer = await agent.call("POST", "/quotes", body);
    expect([answer.status, answer.json.details.errors[0].field]).toEqual([
      400,
      "immediatelyExecute",
    ]);
  });

  it("names both accounts that are not the customer's, and what else is wrong", async () => {
    const agent = await connectedAgent(story);
    const stranger = await connectedAgent(story);
    const body = quoteBody({
      from: stranger.accountId,
      to: await euroAccount(story, stranger.customerId),
      more: { immediatelyExecute: true },
    });
    const answer = await agent.call("POST", "/quotes", body);
    expect([answer.status, answer.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(answer.json.details.errors.map((one: { field: string }) => one.field)).toEqual([
      "immediatelyExecute",
      "source.accountId",
      "destination.accountId",
    ]);
  });

  it("accepts no rail to an internal account", async () => {
    const agent = await connectedAgent(story);
    const answer = await agent.call("POST", "/quotes", {
      source: { sourceType: "REALTIME_FUNDING", currency: "EUR" },
      destination: {
        destinationType: "ACCOUNT",
        accountId: agent.accountId,
        paymentRail: "ACH",
      },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 1_000,
    });
    expect([answer.status, answer.json.details.field]).toEqual([400, "destination.paymentRail"]);
  });

  it("reports `execution` together with the errors of the body, and after the conflicts of the agent", async () => {
    const agent = await connectedAgent(story);
    const to = await euroAccount(story, agent.customerId);
    const more = { immediatelyExecute: true };
    const body = quoteBody({ from: agent.accountId, to, more });
    const wrong = { ...body, lockedCurrencySide: "x", lockedCurrencyAmount: 0 };
    const answer = await agent.call("POST", "/quotes", wrong);
    expect([answer.status, answer.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(answer.json.details.errors.map((one: { field: string }) => one.field)).toEqual([
      "lockedCurrencySide",
      "lockedCurrencyAmount",
      "immediatelyExecute",
    ]);
    await story.call("PATCH", `/agents/${agent.agentId}`, { isPaused: true });
    expect((await agent.call("POST", "/quotes", body)).json.details.rule).toBe("PAUSED");
  });

  it("is refused from an account that the policy does not allow, and while the agent is paused", async () => {
    const agent = await connectedAgent(story, {
      policy: { accountRestrictions: { allowedAccountIds: [] } },
    });
    const refused = await agent.quote(1_000);
    expect([refused.status, refused.json.details.rule]).toEqual([403, "ACCOUNT_NOT_ALLOWED"]);
    await story.call("PATCH", `/agents/${agent.agentId}`, { isPaused: true });
    expect((await agent.quote(1_000)).json.details.rule).toBe("PAUSED");
  });

  it("for money that is paid in is made for the agent's customer", async () => {
    const agent = await connectedAgent(story);
    const body = {
      ...quoteBody({ from: agent.accountId, to: agent.accountId, amount: 1_000 }),
      source: { sourceType: "REALTIME_FUNDING", currency: "EUR" },
    };
    const quote = await agent.call("POST", "/quotes", body);
    expect(quote.status).toBe(201);
    expect(quote.json.source.customerId).toBe(agent.customerId);
    const answer = await agent.execute(quote.json.id);
    expect([answer.status, answer.json.code]).toEqual([409, "CONFLICT"]);
  });
});

describe("executing a quote", () => {
  it("within the policy is done at once", async () => {
    const agent = await connectedAgent(story);
    const { id, transactionId } = (await agent.quote(1_000)).json;
    const answer = await agent.execute(id, { key: `run-${id}` });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      type: "EXECUTE_QUOTE",
      status: "APPROVED",
      quote: { id, status: "PROCESSING" },
      transaction: { id: transactionId, status: "PROCESSING", agentId: agent.agentId },
    });
    expect(answer.json).not.toHaveProperty("transferDetails");
    await story.settle();
    const action = (await agent.call("GET", `/actions/${answer.json.id}`)).json;
    expect(action).toMatchObject({
      status: "APPROVED",
      quote: { status: "COMPLETED" },
      transaction: { status: "COMPLETED" },
    });
    expect((await agent.execute(id, { key: `run-${id}` })).text).toBe(answer.text);
    expect((await agent.execute(id)).json.code).toBe("CONFLICT");
    const { usage } = (await agent.call("GET", "")).json;
    expect([usage.dailyTransactionCount, usage.dailySpend]).toEqual([1, 1_000]);
    expect((await holdingsOf(story, agent.accountId)).total).toBe(99_000);
  });

  it("is judged by the accounts that are allowed by then, where the money comes from and where it goes", async () => {
    const { customerId, accountId } = await fundedCustomer(story);
    await story.call("PATCH", `/customers/${customerId}`, {
      customerType: "INDIVIDUAL",
      currencies: ["USD", "EUR"],
    });
    const euros = await internalAccount(story, { customerId, currency: "EUR" });
    const agent = await connectedAgent(story, { customer: { customerId, accountId } });
    const body = quoteBody({ from: accountId, to: euros, amount: 1_000 });
    const { id } = (await agent.call("POST", "/quotes", body)).json;
    const allow = (...allowedAccountIds: readonly string[]) =>
      story.call("PATCH", `/agents/${agent.agentId}/policy`, {
        accountRestrictions: { allowedAccountIds },
      });
    for (const only of [accountId, euros]) {
      await allow(only);
      const refused = await agent.execute(id);
      expect([refused.status, refused.json.details?.rule]).toEqual([403, "ACCOUNT_NOT_ALLOWED"]);
    }
    await allow(accountId, euros);
    expect((await agent.execute(id)).json.status).toBe("APPROVED");
  });

  it("counts the whole sending amount against the limits", async () => {
    const agent = await connectedAgent(story, {
      policy: { spendingLimits: { currency: "EUR", perTransactionLimit: 919 } },
    });
    const answer = await agent.execute((await agent.quote(1_000)).json.id);
    expect([answer.status, answer.json.details.rule]).toEqual([403, "PER_TRANSACTION_LIMIT"]);
    expect((await agent.execute((await agent.quote(998)).json.id)).json.status).toBe("APPROVED");
  });

  it("has FAILED when there is too little money, and the quote stays open", async () => {
    const agent = await connectedAgent(story, { funds: 100 });
    const { id } = (await agent.quote(1_000)).json;
    const answer = await agent.execute(id);
    expect(answer.json).toMatchObject({
      status: "FAILED",
      failureReason: "INSUFFICIENT_BALANCE",
      quote: { status: "PENDING" },
    });
    expect(answer.json).not.toHaveProperty("transaction");
    await fund(story, agent.accountId, 1_000);
    expect((await agent.execute(id)).json.status).toBe("APPROVED");
  });

  it.each(["002", "004", "005"])("fails with its payment: suffix %s", async (suffix) => {
    const agent = await connectedAgent(story, { suffix });
    const answer = await agent.execute((await agent.quote(1_000)).json.id);
    expect(answer.json.status).toBe("APPROVED");
    await story.settle();
    await advance(story, 600);
    const action = (await agent.call("GET", `/actions/${answer.json.id}`)).json;
    expect(action).toMatchObject({ status: "FAILED", transaction: { status: "FAILED" } });
    expect(action.failureReason).toBe(action.transaction.failureReason);
    const { usage } = (await agent.call("GET", "")).json;
    expect([usage.dailyTransactionCount, usage.dailySpend]).toEqual([0, 0]);
  });

  it("after its time is refused", async () => {
    const agent = await connectedAgent(story);
    const { id } = (await agent.quote(1_000)).json;
    await advance(story, 301);
    const answer = await agent.execute(id);
    expect([answer.status, answer.json.code]).toEqual([409, "QUOTE_EXPIRED"]);
    expect((await agent.call("GET", "/actions")).json.totalCount).toBe(0);
  });
});

describe("a quote that waits for approval", () => {
  it("is shown whole, waits once, and is executed when it is approved", async () => {
    const agent = await connectedAgent(story, WAITS);
    const quote = (await agent.quote(1_000)).json;
    const submitted = await agent.execute(quote.id);
    expect(submitted.status).toBe(200);
    expect(submitted.json).toMatchObject({ status: "PENDING_APPROVAL", quote });
    expect(submitted.json).not.toHaveProperty("transaction");
    const again = await agent.execute(quote.id);
    expect([again.status, again.json.code]).toEqual([409, "CONFLICT"]);
    const list = await story.call("GET", `/agents/approvals?agentId=${agent.agentId}`);
    expect(list.json.data).toEqual([submitted.json]);
    const approved = await decide(story, submitted.json, { word: "approve" });
    expect(approved.json).toMatchObject({
      status: "APPROVED",
      quote: { status: "PROCESSING" },
      transaction: { id: quote.transactionId },
    });
  });

  it("can be submitted again once it was rejected", async () => {
    const agent = await connectedAgent(story, WAITS);
    const { id } = (await agent.quote(1_000)).json;
    const first = (await agent.execute(id)).json;
    expect((await decide(story, first, { word: "reject" })).json).toMatchObject({
      status: "REJECTED",
      quote: { id, status: "PENDING" },
    });
    expect((await agent.execute(id)).json.status).toBe("PENDING_APPROVAL");
  });

  it("is FAILED when the quote has expired or was executed otherwise", async () => {
    const agent = await connectedAgent(story, WAITS);
    const late = (await agent.execute((await agent.quote(1_000)).json.id)).json;
    await advance(story, 301);
    expect((await decide(story, late, { word: "approve" })).json).toMatchObject({
      status: "FAILED",
      failureReason: "QUOTE_EXPIRED",
      quote: { status: "EXPIRED" },
    });
    const { id } = (await agent.quote(1_000)).json;
    const taken = (await agent.execute(id)).json;
    expect((await execute(story, id)).status).toBe(200);
    const answer = (await decide(story, taken, { word: "approve" })).json;
    expect(answer).toMatchObject({ status: "FAILED", failureReason: "CONFLICT" });
    expect(answer).not.toHaveProperty("transaction");
    expect((await holdingsOf(story, agent.accountId)).available).toBe(99_000);
  });
});

describe("an embedded wallet", () => {
  async function walletAgent(policy: object) {
    const customer = await story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Ana Ruiz",
    });
    const customerId = customer.json.id as string;
    const wish = { customerId, currency: "USDB", type: "EMBEDDED_WALLET" };
    const accountId = await internalAccount(story, wish);
    await fund(story, accountId, 50_000_000);
    const made = await newAgent(story, {
      customer: { customerId, accountId },
      policy: { spendingLimits: { currency: "USD", perTransactionLimit: 100_000 }, ...policy },
    });
    const bearer = await redeem(story, made.code);
    const to = await euroAccount(story, customerId);
    const options = (signature?: string, key?: string) => ({
      authorization: bearer,
      ...(key === undefined ? {} : { key }),
      headers: signature === undefined ? {} : { "service-wallet-signature": signature },
    });
    const body = quoteBody({ from: accountId, to, amount: 10_000_000 });
    const quote = await story.call("POST", "/agents/me/quotes", body, options());
    expect(quote.status).toBe(201);
    const run = (signature?: string, key?: string) =>
      story.call(
        "POST",
        `/agents/me/quotes/${quote.json.id}/execute`,
        undefined,
        options(signature, key),
      );
    return { run, accountId };
  }

  it("pays with its owner's signature alone, whatever the policy says", async () => {
    const { run } = await walletAgent({});
    for (const signature of [undefined, "nonsense"]) {
      const answer = await run(signature);
      expect([answer.status, answer.json.code]).toEqual([401, "UNAUTHORIZED"]);
      expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="florin"');
    }
    expect((await run("sandbox-valid-signature")).json.status).toBe("APPROVED");
  });

  it("gives the answer under an idempotency key to the stamp that it was given to, and to no other", async () => {
    const { run } = await walletAgent({});
    expect((await run(undefined, "pay")).status).toBe(401);
    const first = await run("sandbox-valid-signature", "pay");
    expect([first.status, first.json.status]).toEqual([200, "APPROVED"]);
    expect((await run("wrong", "pay")).status).toBe(422);
    expect((await run(undefined, "pay")).status).toBe(409);
    expect((await run("sandbox-valid-signature", "pay")).text).toBe(first.text);
  });

  it("is held to a signature that was given before the approval", async () => {
    const { run, accountId } = await walletAgent(WAITS.policy);
    expect((await run()).status).toBe(401);
    const action = (await run("sandbox-valid-signature")).json;
    expect(action.status).toBe("PENDING_APPROVAL");
    expect((await decide(story, action, { word: "approve" })).json.status).toBe("APPROVED");
    expect((await holdingsOf(story, accountId)).available).toBe(40_000_000);
  });

  it("is debited by an approval that is the first command of its platform on a server", async () => {
    const { run } = await walletAgent(WAITS.policy);
    const { agentId, id } = (await run("sandbox-valid-signature")).json;
    const fresh = await startTestServer({ beside: server });
    try {
      const approved = await fetch(`${fresh.baseUrl}/agents/${agentId}/actions/${id}/approve`, {
        method: "POST",
        headers: { authorization: story.authorization },
      });
      expect([approved.status, (await approved.json()).status]).toEqual([200, "APPROVED"]);
    } finally {
      await fresh.close();
    }
  });
});
