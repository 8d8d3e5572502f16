/** Who an agent may pay and where it may pull money from: kept in its policy, judged at every step of an order. */
import { beforeAll, describe, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import {
  bankAccount,
  fundedCustomer,
  openStory,
  type RawAnswer,
  type Story,
} from "../../kit/story.ts";
import { connectedAgent, decide, newAgent, type StoryAgent } from "../../kit/story-agents.ts";
import { euroAccount, quoteBody } from "../../kit/story-quotes.ts";

const server = await sharedServer();
let story: Story;
beforeAll(async () => {
  story = await openStory(server);
});

type Restrictions = Readonly<Record<string, unknown>>;

const restrict = (agentId: string, accountRestrictions: Restrictions) =>
  story.call("PATCH", `/agents/${agentId}/policy`, { accountRestrictions });

/** Sets restrictions that must be taken. */
async function restricted(agent: StoryAgent, restrictions: Restrictions): Promise<StoryAgent> {
  expect((await restrict(agent.agentId, restrictions)).status).toBe(200);
  return agent;
}

const ruleOf = ({ status, json }: RawAnswer) => [status, json.details?.rule ?? json.code];
const REFUSED_PAYEE = [403, "PAYEE_NOT_ALLOWED"];
const REFUSED_FUNDING = [403, "FUNDING_ACCOUNT_NOT_ALLOWED"];

const listed = (...externalAccountIds: readonly string[]) => ({
  payees: { mode: "LISTED", externalAccountIds },
});

describe("payees", () => {
  it("that are listed are paid by transfers and quotes, others are not", async () => {
    const agent = await connectedAgent(story);
    const euros = await euroAccount(story, agent.customerId);
    const quoteTo = (to: string) =>
      agent.call("POST", "/quotes", quoteBody({ from: agent.accountId, to, amount: 1_000 }));
    await restricted(agent, listed(agent.payeeId));
    expect((await agent.pay(100)).json.status).toBe("APPROVED");
    expect(ruleOf(await quoteTo(euros))).toEqual(REFUSED_PAYEE);
    await restricted(agent, listed(euros));
    expect(ruleOf(await agent.pay(100))).toEqual(REFUSED_PAYEE);
    expect((await quoteTo(euros)).status).toBe(201);
  });

  it("are unrestricted when the policy allows all, or does not mention them", async () => {
    const agent = await connectedAgent(story);
    expect((await agent.pay(100)).json.status).toBe("APPROVED");
    await restricted(agent, listed());
    expect(ruleOf(await agent.pay(100))).toEqual(REFUSED_PAYEE);
    await restricted(agent, { payees: { mode: "ANY" } });
    expect((await agent.pay(100)).json.status).toBe("APPROVED");
  });

  it("at UMA addresses are known by the very address, however it is spelled", async () => {
    const agent = await connectedAgent(story);
    const config = await story.call("GET", "/config");
    const address = `$success.eur@sandbox.${config.json.umaDomain}`;
    const pay = async () => {
      const path = `/receiver/uma/${encodeURIComponent(address)}?customerId=${agent.customerId}`;
      const { lookupId } = (await story.call("GET", path)).json;
      return agent.call("POST", "/quotes", {
        source: { sourceType: "ACCOUNT", accountId: agent.accountId },
        destination: { destinationType: "UMA_ADDRESS", umaAddress: address },
        lockedCurrencySide: "SENDING",
        lockedCurrencyAmount: 1_000,
        lookupId,
      });
    };
    const umaAddresses = [address.toUpperCase()];
    await restricted(agent, { payees: { mode: "LISTED", umaAddresses } });
    const policy = await story.call("GET", `/agents/${agent.agentId}`);
    expect(policy.json.policy.accountRestrictions.payees.umaAddresses).toEqual([address]);
    expect((await pay()).status).toBe(201);
    await restricted(agent, { payees: { mode: "LISTED", umaAddresses: ["$success.usd@x.test"] } });
    expect(ruleOf(await pay())).toEqual(REFUSED_PAYEE);
  });

  it("are judged again when a quote is executed and when an action is approved", async () => {
    const agent = await connectedAgent(story);
    const quote = await agent.quote(1_000);
    await restricted(agent, listed());
    expect(ruleOf(await agent.execute(quote.json.id))).toEqual(REFUSED_PAYEE);

    const waiting = await connectedAgent(story, {
      policy: { defaultExecutionMode: "APPROVAL_REQUIRED" },
    });
    const { json } = await waiting.pay(100);
    await restricted(waiting, listed());
    const approved = await decide(
      story,
      { agentId: waiting.agentId, id: json.id },
      { word: "approve" },
    );
    expect(approved.json).toMatchObject({ status: "FAILED", failureReason: "PAYEE_NOT_ALLOWED" });
  });

  it("are not extended by an account that the agent adds", async () => {
    const agent = await connectedAgent(story);
    await restricted(agent, listed(agent.payeeId));
    const added = await agent.call("POST", "/external-accounts", {
      currency: "USD",
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber: "990000123",
        routingNumber: "021000021",
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
      },
    });
    expect(added.status).toBe(201);
    const paid = await agent.call("POST", "/transfer-out", {
      source: { accountId: agent.accountId },
      destination: { accountId: added.json.id },
      amount: 100,
    });
    expect(ruleOf(paid)).toEqual(REFUSED_PAYEE);
  });

  it("do not concern what stays with the customer", async () => {
    const agent = await connectedAgent(story);
    await restricted(agent, listed());
    expect((await agent.pull(100)).json.status).toBe("APPROVED");
  });

  it("can be read and sent back after an account of the list was deleted, and it is paid no more", async () => {
    const agent = await connectedAgent(story);
    await restricted(agent, listed(agent.payeeId));
    const gone = await story.call("DELETE", `/customers/external-accounts/${agent.payeeId}`);
    expect(gone.status).toBe(204);
    const read = await story.call("GET", `/agents/${agent.agentId}`);
    const { accountRestrictions } = read.json.policy;
    expect(accountRestrictions.payees.externalAccountIds).toEqual([agent.payeeId]);
    await restricted(agent, accountRestrictions);
    expect((await agent.pay(100)).status).toBe(404);
  });
});

describe("the accounts that money is pulled from", () => {
  it("are those of the list, none when it is empty, and all when it is null", async () => {
    const agent = await connectedAgent(story);
    await restricted(agent, { fundingAccountIds: [] });
    expect(ruleOf(await agent.pull(100))).toEqual(REFUSED_FUNDING);
    await restricted(agent, { fundingAccountIds: [agent.payeeId] });
    expect((await agent.pull(100)).json.status).toBe("APPROVED");
    await restricted(agent, { fundingAccountIds: [await bankAccount(story, agent)] });
    expect(ruleOf(await agent.pull(100))).toEqual(REFUSED_FUNDING);
    await restricted(agent, { fundingAccountIds: null });
    expect((await agent.pull(100)).json.status).toBe("APPROVED");
  });

  it("are judged for quotes that pull money, too", async () => {
    const agent = await connectedAgent(story);
    await restricted(agent, { fundingAccountIds: [] });
    const to = await euroAccount(story, agent.customerId);
    const quote = await agent.call("POST", "/quotes", quoteBody({ from: agent.payeeId, to }));
    expect(ruleOf(quote)).toEqual(REFUSED_FUNDING);
  });

  it("stay usable for an agent with no allowed accounts, unless the policy also closes them", async () => {
    const agent = await connectedAgent(story);
    await restricted(agent, { allowedAccountIds: [], fundingAccountIds: [] });
    expect(ruleOf(await agent.pull(100))).toEqual([403, "ACCOUNT_NOT_ALLOWED"]);
  });
});

describe("a policy with payees", () => {
  it.each([
    ["a mode that there is not", { payees: { mode: "SOME" } }, "INVALID_INPUT"],
    ["no mode", { payees: { externalAccountIds: [] } }, "INVALID_INPUT"],
    [
      "a list beside ANY",
      { payees: { mode: "ANY", umaAddresses: ["$a@b.test"] } },
      "INVALID_INPUT",
    ],
    ["no address", { payees: { mode: "LISTED", umaAddresses: ["ana"] } }, "INVALID_UMA_ADDRESS"],
    [
      "an address twice",
      { payees: { mode: "LISTED", umaAddresses: ["$a@b.test", "$A@b.test"] } },
      "INVALID_INPUT",
    ],
    ["numbers", { payees: { mode: "LISTED", externalAccountIds: [1] } }, "INVALID_INPUT"],
    ["a word for a list", { fundingAccountIds: "all" }, "INVALID_INPUT"],
    [
      "too many accounts",
      { fundingAccountIds: Array.from({ length: 101 }, (_, index) => `ExternalAccount:${index}`) },
      "INVALID_INPUT",
    ],
  ])("is refused with %s, and stays as it was", async (_what, restrictions, code) => {
    const { agentId } = await newAgent(story);
    const before = await story.call("GET", `/agents/${agentId}`);
    const answer = await restrict(agentId, restrictions);
    expect([answer.status, answer.json.code]).toEqual([400, code]);
    expect((await story.call("GET", `/agents/${agentId}`)).text).toBe(before.text);
  });

  it("cannot name an account that was deleted or is of another customer or platform, nor an unknown one: all get the same answer", async () => {
    const { agentId, customerId } = await newAgent(story);
    const deleted = await bankAccount(story, { customerId });
    await story.call("DELETE", `/customers/external-accounts/${deleted}`);
    const stranger = await fundedCustomer(story);
    const other = await openStory(server);
    const ids = [
      deleted,
      await bankAccount(story, stranger),
      await bankAccount(other, await fundedCustomer(other)),
      await bankAccount(story),
      "ExternalAccount:019a4f00-0000-7000-8000-000000000003",
      "InternalAccount:019a4f00-0000-7000-8000-000000000003",
    ];
    for (const id of ids) {
      for (const restrictions of [listed(id), { fundingAccountIds: [id] }]) {
        const answer = await restrict(agentId, restrictions);
        expect([answer.status, answer.json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
        expect(answer.json.message.replace(id, "it")).toBe(
          "The policy names it, which is none of the customer's external accounts.",
        );
      }
    }
  });

  it("can be given with the agent", async () => {
    const owner = await fundedCustomer(story);
    const payee = await bankAccount(story, owner);
    const restrictions = { ...listed(payee), fundingAccountIds: [payee] };
    const agent = await connectedAgent(story, {
      customer: owner,
      policy: { accountRestrictions: restrictions },
    });
    const read = await story.call("GET", `/agents/${agent.agentId}`);
    expect(read.json.policy.accountRestrictions).toEqual(restrictions);
    expect(ruleOf(await agent.pay(100))).toEqual(REFUSED_PAYEE);
  });
});
