/** An agent's authority on both sides of a payment: quotes of every kind, and what moves money without an order of the agent. */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { endReceivers } from "../../kit/receivers.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { fundedCustomer, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { connectedAgent, decide, type Json, type StoryAgent } from "../../kit/story-agents.ts";
import { holdingsOf, internalAccount, rowCounts } from "../../kit/story-money.ts";
import { euroAccount, quoteBody } from "../../kit/story-quotes.ts";
import { answered, questionTo, umaStage } from "../../kit/story-uma.ts";

const server = await sharedServer();
let story: Story;
beforeAll(async () => {
  story = await openStory(server);
});
afterEach(endReceivers);

const NOBODY = { payees: { mode: "LISTED" } };
const NOWHERE = { fundingAccountIds: [] };

async function restrict(agent: StoryAgent, accountRestrictions: Json): Promise<void> {
  const path = `/agents/${agent.agentId}/policy`;
  const answer = await story.call("PATCH", path, { accountRestrictions });
  expect(answer.status, answer.text).toBe(200);
}

const pays = (lists: Json) => ({ payees: { mode: "LISTED", ...lists } });
const restricted = (accountRestrictions: Json) =>
  connectedAgent(story, { policy: { accountRestrictions } });

const refusal = ({ status, json }: RawAnswer) => [status, json.code, json.details];
const refused = (rule: string) => [403, "FORBIDDEN", { rule }];

const askQuote = (agent: StoryAgent, from: string, to: string) =>
  agent.call("POST", "/quotes", quoteBody({ from, to, amount: 1_000 }));

/** A quote to a UMA address, with the lookup that the platform made for its agent. */
async function quoteTo(agent: StoryAgent, umaAddress: string, more: Json = {}) {
  const { lookedUp = umaAddress, ...body } = more;
  const path = `/receiver/uma/${encodeURIComponent(`${lookedUp}`)}?customerId=${agent.customerId}`;
  const { lookupId } = (await story.call("GET", path)).json;
  return agent.call("POST", "/quotes", {
    source: { sourceType: "ACCOUNT", accountId: agent.accountId },
    destination: { destinationType: "UMA_ADDRESS", umaAddress },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 1_000,
    lookupId,
    ...body,
  });
}

async function sandboxAddress(name: string): Promise<string> {
  const { umaDomain } = (await story.call("GET", "/config")).json;
  return `$${name}@sandbox.${umaDomain}`;
}

describe("an order that a policy's payees or funding accounts refuse", () => {
  it("leaves nothing behind", async () => {
    const agent = await restricted({ ...NOBODY, ...NOWHERE });
    const before = await rowCounts(story);
    expect(refusal(await agent.pay(100))).toEqual(refused("PAYEE_NOT_ALLOWED"));
    expect(refusal(await agent.pull(100))).toEqual(refused("FUNDING_ACCOUNT_NOT_ALLOWED"));
    expect(await rowCounts(story)).toEqual(before);
    expect((await agent.call("GET", "/actions")).json.totalCount).toBe(0);
  });

  it("of a pull FAILS on approval and moves no money", async () => {
    const agent = await connectedAgent(story, {
      policy: { defaultExecutionMode: "APPROVAL_REQUIRED" },
    });
    const { json: action } = await agent.pull(100);
    await restrict(agent, NOWHERE);
    const { json: decided } = await decide(story, action, { word: "approve" });
    const failureReason = "FUNDING_ACCOUNT_NOT_ALLOWED";
    expect(decided).toMatchObject({ status: "FAILED", failureReason });
    expect(decided).not.toHaveProperty("transaction");
    expect((await holdingsOf(story, agent.accountId)).total).toBe(100_000);
  });
});

describe("a quote", () => {
  it("that pulls money is judged by both sides again when it is executed", async () => {
    const agent = await connectedAgent(story);
    const to = await euroAccount(story, agent.customerId);
    const { id } = (await askQuote(agent, agent.payeeId, to)).json;
    await restrict(agent, { ...NOWHERE, ...NOBODY });
    expect(refusal(await agent.execute(id))).toEqual(refused("FUNDING_ACCOUNT_NOT_ALLOWED"));
    await restrict(agent, { fundingAccountIds: [agent.payeeId] });
    expect(refusal(await agent.execute(id))).toEqual(refused("PAYEE_NOT_ALLOWED"));
    await restrict(agent, pays({ externalAccountIds: [to] }));
    expect((await agent.execute(id)).json.status).toBe("APPROVED");
  });

  it("that is paid in is judged by its payee when it is created: the agent does not execute it", async () => {
    const agent = await restricted({ ...NOBODY, ...NOWHERE });
    const to = await euroAccount(story, agent.customerId);
    const body = {
      ...quoteBody({ from: agent.accountId, to, amount: 1_000 }),
      source: { sourceType: "REALTIME_FUNDING", currency: "USD" },
    };
    const ask = () => agent.call("POST", "/quotes", body);
    expect(refusal(await ask())).toEqual(refused("PAYEE_NOT_ALLOWED"));
    await restrict(agent, pays({ externalAccountIds: [to] }));
    expect((await ask()).status).toBe(201);
  });

  it("between internal accounts of the customer is judged by allowedAccountIds alone", async () => {
    const owner = await fundedCustomer(story);
    await story.call("PATCH", `/customers/${owner.customerId}`, {
      customerType: "INDIVIDUAL",
      currencies: ["USD", "EUR"],
    });
    const euros = await internalAccount(story, { ...owner, currency: "EUR" });
    const policy = { accountRestrictions: { ...NOBODY, ...NOWHERE } };
    const agent = await connectedAgent(story, { customer: owner, policy });
    const { id } = (await askQuote(agent, owner.accountId, euros)).json;
    expect((await agent.execute(id)).json.status).toBe("APPROVED");
    await restrict(agent, { allowedAccountIds: [owner.accountId] });
    const again = await askQuote(agent, owner.accountId, euros);
    expect(refusal(again)).toEqual(refused("ACCOUNT_NOT_ALLOWED"));
  });
});

describe("a quote to a UMA address", () => {
  it("is judged again when it is executed, and when its action is approved", async () => {
    const agent = await connectedAgent(story);
    const address = await sandboxAddress("success.usd");
    const now = (await quoteTo(agent, address)).json;
    const later = (await quoteTo(agent, address)).json;
    const path = `/agents/${agent.agentId}/policy`;
    await story.call("PATCH", path, { defaultExecutionMode: "APPROVAL_REQUIRED" });
    const { json: action } = await agent.execute(later.id);
    await restrict(agent, NOBODY);
    expect(refusal(await agent.execute(now.id))).toEqual(refused("PAYEE_NOT_ALLOWED"));
    expect((await decide(story, action, { word: "approve" })).json).toMatchObject({
      status: "FAILED",
      failureReason: "PAYEE_NOT_ALLOWED",
      quote: { status: "PENDING" },
    });
  });

  it("is not made with the lookup of a listed address for another address", async () => {
    const agent = await connectedAgent(story);
    const lookedUp = await sandboxAddress("success.usd");
    await restrict(agent, pays({ umaAddresses: [lookedUp] }));
    const answer = await quoteTo(agent, await sandboxAddress("success.eur"), { lookedUp });
    expect([answer.status, answer.json.code]).toEqual([404, "LOOKUP_REQUEST_NOT_FOUND"]);
  });

  it("is refused at a new address of a receiver whose former address is listed", async () => {
    const agent = await connectedAgent(story);
    const receiver = await fundedCustomer(story, 0);
    const path = `/customers/${receiver.customerId}`;
    const { umaAddress } = (await story.call("GET", path)).json;
    await restrict(agent, pays({ umaAddresses: [umaAddress] }));
    expect((await quoteTo(agent, umaAddress)).status).toBe(201);
    const renamed = umaAddress.replace("$", "$new.");
    const change = { customerType: "INDIVIDUAL", umaAddress: renamed };
    expect((await story.call("PATCH", path, change)).status).toBe(200);
    expect(refusal(await quoteTo(agent, renamed))).toEqual(refused("PAYEE_NOT_ALLOWED"));
  });

  it("names the agent's customer to the receiver, whatever the agent says of the payer", async () => {
    const agent = await connectedAgent(story);
    const wanted = ["FULL_NAME", "NATIONALITY"].map((name) => ({ name, mandatory: false }));
    const to = await umaStage(server, 200, wanted);
    const senderCustomerInfo = { FULL_NAME: "Max Muster", NATIONALITY: "DE" };
    const quote = await quoteTo(agent, to.umaAddress, { senderCustomerInfo });
    expect(quote.status, quote.text).toBe(201);
    expect((await agent.execute(quote.json.id)).json.status).toBe("APPROVED");
    await story.settle();
    await answered(to);
    // The nationality of this customer is not known, so what the agent says of it is passed on.
    const known = { FULL_NAME: "Ana Ruiz", NATIONALITY: "DE" };
    expect(questionTo(to).data.counterpartyInformation).toEqual(known);
  });
});

describe("an external account that an agent adds", () => {
  const add = (agent: StoryAgent, accountNumber: string, more: Json = {}) =>
    agent.call("POST", "/external-accounts", {
      currency: "USD",
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber,
        routingNumber: "021000021",
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Max Muster" },
      },
      ...more,
    });

  it("does not receive incoming UMA payments where payees are listed", async () => {
    const agent = await restricted(NOBODY);
    const before = await rowCounts(story);
    const deposit = { defaultUmaDepositAccount: true };
    const answer = await add(agent, "90000000002", deposit);
    expect(refusal(answer)).toEqual(refused("PAYEE_NOT_ALLOWED"));
    expect(await rowCounts(story)).toEqual(before);
    await restrict(agent, { payees: { mode: "ANY" } });
    const added = await add(agent, "90000000002", deposit);
    expect(added.json.defaultUmaDepositAccount).toBe(true);
  });

  it("is not pulled from where funding accounts are listed", async () => {
    const agent = await restricted(NOWHERE);
    const { id } = (await add(agent, "90000000003")).json;
    const [source, destination] = [{ accountId: id }, { accountId: agent.accountId }];
    const pulled = await agent.call("POST", "/transfer-in", { source, destination, amount: 100 });
    expect(refusal(pulled)).toEqual(refused("FUNDING_ACCOUNT_NOT_ALLOWED"));
  });
});
