/** `expand=parties`: who pays, who is paid and who asked for it, by their names. */
import { beforeAll, describe, expect, it } from "vitest";
import type { ConsoleBrowser } from "../../kit/console.ts";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import {
  bankAccount,
  type Funded,
  fundedCustomer,
  openStory,
  type Story,
} from "../../kit/story.ts";
import { connectedAgent } from "../../kit/story-agents.ts";
import { agree } from "../../kit/story-approvals.ts";
import { fund, internalAccount } from "../../kit/story-money.ts";
import { askQuote, euroAccount } from "../../kit/story-quotes.ts";
import {
  activeConnection,
  expectStatus,
  manualConnection,
  payerOf,
  routeTo,
} from "../../kit/story-rails.ts";

const server = await sharedServer();
let workspaceId: string;
let story: Story;
let ana: Funded;
let payeeId: string;
let owner: ConsoleBrowser;
let viewer: ConsoleBrowser;

beforeAll(async () => {
  ({ workspaceId } = await server.makePlatform());
  story = await openStory(server, { workspaceId, name: "Acme Pay" });
  ana = await fundedCustomer(story, 500_000);
  payeeId = await bankAccount(story, { customerId: ana.customerId });
  owner = await makeOwner(server, workspaceId);
  viewer = (await makePerson(owner, ["VIEWER"])).browser;
});

const pay = async (from: string, to: string) => {
  const body = { source: { accountId: from }, destination: { accountId: to }, amount: 100 };
  return expectStatus(201, await story.call("POST", "/transfer-out", body)).json.id as string;
};
const read = async (path: string) => expectStatus(200, await story.call("GET", path)).json;
const partiesOf = async (path: string) => (await read(`${path}?expand=parties`)).parties;
const holder = () => ({ id: ana.customerId, name: "Ana Ruiz", yourId: ana.platformCustomerId });

describe("the parties of a payment", () => {
  it("are its holder, its beneficiary and the token that asked for it", async () => {
    const id = await pay(ana.accountId, payeeId);
    const parties = await partiesOf(`/transactions/${id}`);
    expect(parties).toEqual({
      from: {
        kind: "INTERNAL_ACCOUNT",
        id: ana.accountId,
        name: "Ana Ruiz",
        detail: "USD · Default",
        holder: holder(),
      },
      to: {
        kind: "EXTERNAL_ACCOUNT",
        id: payeeId,
        name: "Ana Ruiz",
        detail: expect.stringMatching(/^(.+ · )?••\d{4} · US account$/),
        holder: holder(),
      },
      by: {
        kind: "TOKEN",
        id: expect.stringMatching(/^Token:/),
        name: expect.any(String),
        detail: "VIEW, TRANSACT, MANAGE",
      },
    });
    const list = await read("/transactions?expand=parties&limit=1");
    expect(list.data).toEqual([await read(`/transactions/${id}?expand=parties`)]);
  });

  it("are the platform, an address, a payer outside and an agent", async () => {
    const own = await internalAccount(story, { currency: "USD" });
    await fund(story, own, 1_000);
    const [funding] = (await read("/transactions?expand=parties&limit=1")).data;
    expect(funding.parties).toMatchObject({
      from: { kind: "OUTSIDE", name: "Unnamed payer", detail: "" },
      to: { kind: "INTERNAL_ACCOUNT", name: "Acme Pay", detail: "USD · Default" },
      by: { kind: "TOKEN" },
    });
    expect(funding.parties.to).not.toHaveProperty("holder");

    const agent = await connectedAgent(story);
    const paid = expectStatus(201, await agent.pay(100)).json;
    const [byAgent] = (await read("/transactions?expand=parties&limit=1")).data;
    expect(paid.id).toMatch(/^AgentAction:/);
    expect(byAgent.parties.by).toMatchObject({
      kind: "AGENT",
      id: agent.agentId,
      name: "Bill payer",
      detail: "acts for Ana Ruiz",
    });
  });

  it("are those of a quote, before and after it was executed", async () => {
    const quote = expectStatus(
      201,
      await askQuote(story, { from: ana.accountId, to: await euroAccount(story), amount: 1_000 }),
    ).json;
    const parties = await partiesOf(`/quotes/${quote.id}`);
    expect(parties.from).toMatchObject({ kind: "INTERNAL_ACCOUNT", name: "Ana Ruiz" });
    expect(parties.to).toMatchObject({
      kind: "EXTERNAL_ACCOUNT",
      detail: expect.stringMatching(/Germany account$/),
    });
    const list = await read("/quotes?expand=parties&limit=1");
    expect(list.data[0].parties).toEqual(parties);
  });

  it("are absent unless asked for, and another expansion is refused", async () => {
    const id = await pay(ana.accountId, payeeId);
    expect(await read(`/transactions/${id}`)).not.toHaveProperty("parties");
    expect((await read("/transactions?limit=1")).data[0]).not.toHaveProperty("parties");
    for (const path of [`/transactions/${id}`, "/transactions", "/quotes"]) {
      const { status, json } = await story.call("GET", `${path}?expand=people`);
      expect([status, json.code], path).toEqual([400, "INVALID_INPUT"]);
    }
  });

  it("do not bind a cursor", async () => {
    const { nextCursor } = await read("/transactions?limit=1");
    const next = await read(`/transactions?limit=1&expand=parties&cursor=${nextCursor}`);
    expect(next.data[0].parties).toBeDefined();
  });

  it("have the customer's name of the moment, though what an account is was read before", async () => {
    const bea = await fundedCustomer(story, 1_000);
    const id = await pay(bea.accountId, await bankAccount(story, { customerId: bea.customerId }));
    const nameOf = async () => (await partiesOf(`/transactions/${id}`)).from.name;
    expect(await nameOf()).toBe("Ana Ruiz");
    const change = { customerType: "INDIVIDUAL", fullName: "Bea Lund" };
    expectStatus(200, await story.call("PATCH", `/customers/${bea.customerId}`, change));
    expect(await nameOf()).toBe("Bea Lund");
  });

  it("are masked for a person without the right to personal data", async () => {
    const id = await pay(ana.accountId, payeeId);
    const path = `/transactions/${id}?expand=parties`;
    const call = (browser: ConsoleBrowser) => browser.at(story.platformId)("GET", path);
    const { parties } = expectStatus(200, await call(viewer)).json;
    expect([parties.from.name, parties.from.holder.name, parties.to.name]).toEqual([
      "A. R.",
      "A. R.",
      "A. R.",
    ]);
    expect(parties.by.name).not.toMatch(/\./);
    expect(expectStatus(200, await call(owner)).json.parties.to.name).toBe("Ana Ruiz");
  });

  it("name the person who asked, where another one has agreed", async () => {
    const live = await openStory(server, { workspaceId, environment: "PRODUCTION" });
    const payer = await payerOf(live, 1_000_000);
    await routeTo(live, await activeConnection(live, manualConnection()));
    const finance = await makePerson(owner, ["FINANCE"]);
    const approver = await makePerson(owner, ["APPROVER"]);
    const body = {
      source: { accountId: payer.accountId },
      destination: { accountId: payer.payeeId },
      amount: 200,
    };
    const asked = await finance.browser.at(live.platformId)("POST", "/transfer-out", body);
    const { id } = expectStatus(202, asked).json;
    const { resultId } = expectStatus(200, await agree(approver.browser, id)).json;
    const { json } = await live.call("GET", `/transactions/${resultId}?expand=parties`);
    expect(json.parties.by).toMatchObject({
      kind: "PERSON",
      id: finance.id,
      name: expect.stringMatching(/^Person \d+$/),
      detail: expect.stringMatching(/^person-\d+@example\.com$/),
    });
  });
});

describe("the names of objects on a page", () => {
  const namesOf = (browser: ConsoleBrowser, ids: readonly string[]) =>
    browser.at(story.platformId)("GET", `/names?${ids.map((id) => `ids=${id}`).join("&")}`);

  it("are parties, amounts and labels, in one answer", async () => {
    const id = await pay(ana.accountId, payeeId);
    const [event] = (await read("/events?limit=1")).data;
    const ids = [ana.customerId, id, ana.accountId.replace("Internal", "Ledger"), event.id];
    const { data } = expectStatus(200, await namesOf(owner, ids)).json;
    expect(data).toEqual([
      {
        id: ana.customerId,
        party: expect.objectContaining({ kind: "CUSTOMER", name: "Ana Ruiz" }),
      },
      {
        id,
        amount: expect.objectContaining({ amount: 100 }),
        party: expect.objectContaining({ kind: "EXTERNAL_ACCOUNT", id: payeeId }),
      },
      { id: ids[2], party: expect.objectContaining({ id: ana.accountId, name: "Ana Ruiz" }) },
      { id: event.id, label: event.type },
    ]);
    const masked = expectStatus(200, await namesOf(viewer, ids)).json.data;
    expect(masked.map(({ party }: { party?: { name: string } }) => party?.name)).toEqual([
      "A. R.",
      "A. R.",
      "A. R.",
    ]);
  });

  it("are left out for what is unknown, of another platform, or not to be read", async () => {
    const other = await openStory(server, { workspaceId });
    const theirs = await fundedCustomer(other, 1_000);
    const [event] = (await read("/events?limit=1")).data;
    const ids = [theirs.customerId, theirs.accountId, `Customer:${story.platformId}`, event.id];
    expect(expectStatus(200, await namesOf(viewer, ids)).json.data).toEqual([]);
    for (const bad of [[], ["Customer"], ["x".repeat(80)], Array(101).fill(ana.customerId)])
      expect((await namesOf(owner, bad)).status).toBe(400);
  });
});
