/** Twelve histories of payments: who acted by name, the steps that no event tells, and the deliveries of each event. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { endReceivers } from "../../kit/receivers.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { connectedAgent, decide } from "../../kit/story-agents.ts";
import { agree } from "../../kit/story-approvals.ts";
import { advance } from "../../kit/story-money.ts";
import { askQuote, euroAccount, execute } from "../../kit/story-quotes.ts";
import {
  activeConnection,
  expectStatus,
  manualConnection,
  type Payer,
  payerOf,
  paymentOf,
  routeTo,
} from "../../kit/story-rails.ts";
import { announce, answered, umaStage } from "../../kit/story-uma.ts";
import { listenTo } from "../../kit/story-webhooks.ts";

interface Told {
  readonly entries: readonly {
    readonly kind: string;
    readonly command?: string;
    readonly eventType?: string;
    readonly deliverySummary?: unknown;
    readonly nextAttemptAt?: string;
  }[];
  readonly parties: Readonly<Record<string, { readonly kind: string; readonly name: string }>>;
  readonly actors: readonly {
    readonly actor: string;
    readonly party: { readonly kind: string; readonly name: string };
  }[];
  readonly steps: readonly {
    readonly at: string;
    readonly act: string;
    readonly actor?: string;
    readonly state?: string;
    readonly reason?: string;
    readonly code?: string;
    readonly connection?: string;
  }[];
  readonly alike?: { readonly code: string; readonly count: number; readonly lookedAt: number };
}

const server = await sharedServer();
let workspaceId: string;
let story: Story;
let production: Story;
let payer: Payer;
let finance: InvitedPerson;
let approver: InvitedPerson;
beforeAll(async () => {
  ({ workspaceId } = await server.makePlatform());
  story = await openStory(server, { workspaceId });
  production = await openStory(server, { workspaceId, environment: "PRODUCTION" });
  // Before there are people who decide, whose agreement these would need.
  payer = await payerOf(production, 100_000);
  await routeTo(production, await activeConnection(production, manualConnection()));
  const owner = await makeOwner(server, workspaceId);
  finance = await makePerson(owner, ["FINANCE"]);
  approver = await makePerson(owner, ["APPROVER"]);
});
afterAll(async () => {
  await endReceivers();
});

async function toldOf(id: string, at: Story = story): Promise<Told> {
  const { status, json } = await at.call("GET", `/transactions/${id}/timeline?expand=parties`);
  expect(status).toBe(200);
  return json;
}

/** The steps with the names of their actors. */
function stepsIn({ steps, actors }: Told): readonly string[] {
  const names = new Map(actors.map(({ actor, party }) => [actor, party.name]));
  return steps.map(({ act, actor = "", state, reason, code, connection }) =>
    [act, names.get(actor), state, reason, code, connection?.replace(/ \d+$/, "")]
      .filter((part) => part !== undefined)
      .join(" "),
  );
}

const namesIn = ({ actors }: Told) => actors.map(({ party }) => party.name);

async function paid(suffix: string, amount = 1_500) {
  const { customerId, accountId } = await fundedCustomer(story, 10_000);
  const payeeId = await bankAccount(story, { customerId, suffix });
  const body = { source: { accountId }, destination: { accountId: payeeId }, amount };
  const { json } = await story.call("POST", "/transfer-out", body);
  await story.settle();
  return { id: json.id as string, body };
}

it("declined: counts the failures of the payee that are alike", async () => {
  const { id, body } = await paid("004");
  expect((await toldOf(id)).alike).toEqual({ code: "REJECTED_BY_BANK", count: 1, lookedAt: 1 });
  await story.call("POST", "/transfer-out", body);
  await story.settle();
  const told = await toldOf(id);
  expect(told.alike).toEqual({ code: "REJECTED_BY_BANK", count: 2, lookedAt: 2 });
  expect(told.parties).toMatchObject({
    from: { kind: "INTERNAL_ACCOUNT" },
    to: { kind: "EXTERNAL_ACCOUNT" },
    by: { kind: "TOKEN" },
  });
  expect(namesIn(told)).toEqual([told.parties.by?.name, "Florin"]);
});

it("returned, and a quote with a refund: have no step beside their entries", async () => {
  for (const suffix of ["005", "002"]) {
    const { customerId, accountId } = await fundedCustomer(story, 10_000);
    const to = await euroAccount(story, customerId, suffix);
    const quote = await askQuote(story, { from: accountId, to, amount: 1_500 });
    const { json } = expectStatus(200, await execute(story, quote.json.id));
    await story.settle();
    expectStatus(200, await advance(story, 60));
    await story.settle();
    const told = await toldOf(json.transactionId);
    expect(told.steps).toEqual([]);
    expect(told.entries.at(-1)?.kind).toBe("REFUND");
  }
});

it("held and approved: names who asked and who agreed", async () => {
  const asked = await finance.browser.at(production.platformId)("POST", "/transfer-out", {
    source: { accountId: payer.accountId },
    destination: { accountId: payer.payeeId },
    amount: 200,
  });
  const done = await agree(approver.browser, expectStatus(202, asked).json.id);
  const told = await toldOf(done.json.resultId, production);
  const [asks, agrees] = told.steps;
  expect(told.steps.map(({ act }) => act)).toEqual(["ASKED", "APPROVED", "RAIL"]);
  expect([asks?.actor, agrees?.actor]).toEqual(
    [finance.id, approver.id].map((id) => id.replace("Person:", "person:")),
  );
  expect(told.actors.map(({ party }) => party.kind)).toEqual(["PERSON", "PERSON"]);
  expect(told.parties.by?.kind).toBe("PERSON");
});

it("agent: shows its order, why it waited, and who let it pay", async () => {
  const agent = await connectedAgent(story, {
    policy: { defaultExecutionMode: "APPROVAL_REQUIRED" },
  });
  const { id } = (await agent.pay(500)).json;
  const { json } = expectStatus(200, await decide(story, { ...agent, id }, { word: "approve" }));
  await story.settle();
  const told = await toldOf(json.transaction.id);
  expect(stepsIn(told)).toEqual(["ASKED Bill payer EXECUTION_MODE"]);
  expect(told.parties.by).toMatchObject({ kind: "AGENT", name: "Bill payer" });
  const direct = await connectedAgent(story);
  const paidAtOnce = await direct.pay(500);
  await story.settle();
  expect((await toldOf(paidAtOnce.json.transaction.id)).steps).toEqual([]);
});

/** Payments by wire go to a desk; all others stay with the simulated rail. */
async function desked() {
  const connection = await activeConnection(story, manualConnection());
  const route = await routeTo(story, connection, { paymentRails: ["WIRE"], priority: 5 });
  const { customerId, accountId } = await fundedCustomer(story, 10_000);
  const destination = {
    accountId: await bankAccount(story, { customerId }),
    paymentRail: "WIRE",
  };
  const body = { source: { accountId }, destination, amount: 700 };
  const { json } = expectStatus(201, await story.call("POST", "/transfer-out", body));
  const order = await paymentOf(story, json.id);
  const person = finance.browser.at(story.platformId);
  const act = (word: string, more: object) =>
    person("POST", `/rails/payments/${order.id}/${word}`, more);
  return {
    id: json.id as string,
    act,
    leave: () => story.call("DELETE", `/rails/routes/${route}`),
  };
}

it("marked by hand: names the person at the desk", async () => {
  const { id, act, leave } = await desked();
  expectStatus(200, await act("mark", { outcome: "SENT" }));
  const reason = { code: "AC04", text: "Account closed" };
  expectStatus(200, await act("mark", { outcome: "DECLINED", reason }));
  await leave();
  const told = await toldOf(id);
  const token = present(told.parties.by?.name, "who paid");
  const person = present(told.actors.find(({ party }) => party.kind === "PERSON")?.party.name, "");
  expect(stepsIn(told)).toEqual([
    `RAIL ${token} QUEUED desk`,
    `RAIL ${person} SENT desk`,
    `RAIL ${person} DECLINED AC04 desk`,
  ]);
});

it("recalled: names who called it back, and what the bank said", async () => {
  const { id, act, leave } = await desked();
  expectStatus(200, await act("mark", { outcome: "SENT" }));
  expectStatus(200, await act("recall", { reason: "DUPLICATE" }));
  expectStatus(200, await act("mark", { outcome: "RECALL_REFUSED" }));
  await leave();
  const told = await toldOf(id);
  const recall = told.steps.find(({ act: what }) => what === "RECALLED");
  expect(recall).toMatchObject({ state: "REFUSED", reason: "DUPLICATE" });
  expect(recall?.actor).toBe(finance.id.replace("Person:", "person:"));
});

it("rail retry: shows both banks that had the order", async () => {
  const { id, act, leave } = await desked();
  const other = await activeConnection(story, manualConnection());
  const route = await routeTo(story, other, { paymentRails: ["WIRE"], priority: 9, name: "two" });
  expectStatus(200, await act("reroute", {}));
  await leave();
  await story.call("DELETE", `/rails/routes/${route}`);
  const { steps } = await toldOf(id);
  expect(steps.map(({ act: what, state, reason }) => [what, state, reason])).toEqual([
    ["RAIL", "QUEUED", undefined],
    ["RAIL", "QUEUED", "REROUTED"],
  ]);
  expect(steps.map(({ connection }) => connection === undefined)).toEqual([true, false]);
});

it("a refund by a person: is named in the payment that was given back", async () => {
  const { customerId, accountId } = await fundedCustomer(story, 0);
  const from = await bankAccount(story, { customerId });
  const pulled = await story.call("POST", "/transfer-in", {
    source: { accountId: from },
    destination: { accountId },
    amount: 1_500,
  });
  await story.settle();
  const at = finance.browser.at(story.platformId);
  const path = `/transactions/${pulled.json.id}/refund`;
  expectStatus(201, await at("POST", path, { amount: 500, reason: "DUPLICATE" }));
  await story.settle();
  const told = await toldOf(pulled.json.id);
  expect(new Set(told.actors.map(({ party }) => party.kind))).toEqual(
    new Set(["TOKEN", "SYSTEM", "PERSON"]),
  );
});

it("incoming UMA: the platform's answer stays an entry", async () => {
  const stage = await umaStage(server, 200);
  const { json } = await announce(stage);
  await answered(stage);
  const told = await toldOf(json.id, stage.story);
  expect(told.entries.filter(({ kind }) => kind === "APPROVAL")).toHaveLength(2);
  expect(told.parties.from).toMatchObject({ kind: "UMA" });
});

it("failing endpoint: counts the deliveries of each event, and says when it is tried again", async () => {
  const own = await openStory(server);
  await listenTo(own, () => 500);
  const { accountId } = await fundedCustomer(own, 10_000);
  const payeeId = await bankAccount(own);
  const body = { source: { accountId }, destination: { accountId: payeeId }, amount: 100 };
  const { json } = await own.call("POST", "/transfer-out", body);
  await own.settle();
  await server.app.deliveries.settled(own.platformId);
  await server.app.attemptLog.flush();
  const { entries } = await toldOf(json.id, own);
  const events = entries.filter(({ kind }) => kind === "EVENT");
  expect(events.map(({ deliverySummary }) => deliverySummary)).toEqual(
    events.map(() => ({ endpoints: 1, delivered: 0, waiting: 1, failed: 0 })),
  );
  const tried = entries.filter(({ kind }) => kind === "DELIVERY");
  expect(tried[0]?.nextAttemptAt).toMatch(/^20/);
});

it("without expand: is as it was", async () => {
  const { id } = await paid("789");
  const { json } = await story.call("GET", `/transactions/${id}/timeline`);
  expect(Object.keys(json)).toEqual(["entries", "isComplete"]);
  const wrong = await story.call("GET", `/transactions/${id}/timeline?expand=all`);
  expect(wrong.status).toBe(400);
});
