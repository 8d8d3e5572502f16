/** Transfers of several legs: all or nothing, found by their group, decided by people as one order. */
import { beforeAll, describe, expect, it } from "vitest";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { eventsOf } from "../../kit/platform-rows.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { agree } from "../../kit/story-approvals.ts";
import { fund, internalAccount } from "../../kit/story-money.ts";
import { balanceOf, expectStatus } from "../../kit/story-rails.ts";

const server = await sharedServer();
let story: Story;
let buyer: string;
let seller: string;
let fees: string;
beforeAll(async () => {
  story = await openStory(server);
  buyer = (await fundedCustomer(story, 10_000)).accountId;
  seller = (await fundedCustomer(story, 0)).accountId;
  fees = await internalAccount(story, { currency: "USD" });
});

const leg = (from: string, to: string, amount: number, more: object = {}) => ({
  source: { accountId: from },
  destination: { accountId: to },
  amount,
  ...more,
});

const send = (legs: readonly unknown[], on = story, key?: string) =>
  on.call("POST", "/transfers", { legs }, key === undefined ? {} : { key });

describe("a transfer of several legs", () => {
  it("splits a payment: all legs in one commit, found by their group", async () => {
    const legs = [
      leg(buyer, seller, 900, { description: "Order 7", metadata: { order: "7" } }),
      leg(buyer, fees, 100),
      leg(seller, fees, 25),
    ];
    const { json } = expectStatus(201, await send(legs, story, "once"));
    expect((await send(legs, story, "once")).json).toEqual(json);
    expect(json.legs).toHaveLength(3);
    const { legs: shown, ...first } = json;
    expect(shown[0]).toEqual(first);
    expect(first).toMatchObject({
      ...{ type: "OUTGOING", status: "COMPLETED", description: "Order 7" },
      ...{ metadata: { order: "7" }, groupId: expect.stringMatching(/^TransferGroup:/) },
    });
    const balances = await Promise.all([buyer, seller, fees].map((id) => balanceOf(story, id)));
    expect(balances).toEqual([9_000, 875, 125]);
    const path = `/transactions?groupId=${json.groupId}&limit=4`;
    const page = (await story.call("GET", path)).json;
    expect([page.totalCount, page.data.length, page.hasMore]).toEqual([6, 4, true]);
    const rest = (await story.call("GET", `${path}&cursor=${page.nextCursor}`)).json;
    const all = [...page.data, ...rest.data];
    expect(new Set(all.map(({ groupId }) => groupId))).toEqual(new Set([json.groupId]));
    const outgoing = (await story.call("GET", `${path}&type=OUTGOING`)).json.data;
    expect(outgoing.toReversed()).toEqual(shown);
    await story.settle();
    const told = (await eventsOf(story)).filter(({ body }) => body.data.groupId !== undefined);
    expect(told).toHaveLength(6);
  });

  it("can be tried out: the balances after all legs, no ids, and nothing is left", async () => {
    const before = await Promise.all([buyer, fees].map((id) => balanceOf(story, id)));
    const legs = [leg(buyer, fees, 30), leg(fees, buyer, 10)];
    const { status, json } = await story.call("POST", "/transfers?dryRun=true", { legs });
    expect(status).toBe(200);
    const changes = json.effects.balances.map(
      ({ before: from, after }: { before: { amount: number }; after: { amount: number } }) =>
        after.amount - from.amount,
    );
    expect(changes.toSorted()).toEqual([-20, 20]);
    expect(json.result.legs).toHaveLength(2);
    expect(JSON.stringify(json.result)).not.toMatch(/Transaction:|TransferGroup:/);
    const refused = await story.call("POST", "/transfers?dryRun=true", {
      legs: [leg(buyer, fees, 1), leg(buyer, fees, 900_000)],
    });
    expect(refused.json).toMatchObject({ code: "INSUFFICIENT_BALANCE", details: { leg: 1 } });
    const after = await Promise.all([buyer, fees].map((id) => balanceOf(story, id)));
    expect(after).toEqual(before);
  });

  it("finds no transactions of another group or platform", async () => {
    const { groupId } = expectStatus(
      201,
      await send([leg(buyer, fees, 1), leg(fees, buyer, 1)]),
    ).json;
    const other = await openStory(server);
    const none = await other.call("GET", `/transactions?groupId=${groupId}`);
    expect(none.json).toMatchObject({ data: [], totalCount: 0 });
    const unknown = `${groupId.slice(0, -4)}0000`;
    expect((await story.call("GET", `/transactions?groupId=${unknown}`)).json.totalCount).toBe(0);
    expect((await story.call("GET", "/transactions?groupId=Transaction:1")).status).toBe(400);
  });

  it("is refused as a whole by one leg, which the refusal names as a single transfer would be", async () => {
    const before = await balanceOf(story, buyer);
    const events = (await eventsOf(story)).length;
    const alone = await story.call("POST", "/transfers", leg(seller, fees, 900_000));
    const legs = [leg(buyer, seller, 10), leg(buyer, fees, 10), leg(seller, fees, 900_000)];
    const refused = await send(legs);
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({ code: "INSUFFICIENT_BALANCE", details: { leg: 2 } });
    expect(refused.json.details.needed).toBe(alone.json.details.needed);
    expect(await balanceOf(story, buyer)).toBe(before);
    expect(await eventsOf(story)).toHaveLength(events);
    const foreign = await fundedCustomer(await openStory(server), 100);
    for (const id of [
      foreign.accountId,
      "InternalAccount:nobody",
      buyer.replace("Internal", "External"),
    ]) {
      const answer = await send([leg(buyer, fees, 1), leg(buyer, id, 1)]);
      expect(answer.json).toMatchObject({
        code: "REFERENCE_NOT_FOUND",
        details: { leg: 1, field: "destination.accountId" },
      });
    }
  });

  it.each<readonly [what: string, body: object, fields: readonly string[]]>([
    ["nothing", {}, ["source", "destination", "amount"]],
    ["one leg", { legs: [leg("a", "b", 1)] }, ["legs"]],
    ["101 legs", { legs: Array.from({ length: 101 }, () => leg("a", "b", 1)) }, ["legs"]],
    ["legs and an amount", { legs: [leg("a", "b", 1), leg("b", "a", 1)], amount: 1 }, ["amount"]],
    [
      "a leg without an amount",
      { legs: [leg("a", "b", 1), { source: { accountId: "a" } }] },
      ["legs.1.destination", "legs.1.amount"],
    ],
  ])("is refused with %s", async (_what, body, fields) => {
    const { status, json } = await story.call("POST", "/transfers", body);
    expect(status).toBe(400);
    expect(json.details.errors.map(({ field }: { field: string }) => field).sort()).toEqual(
      [...fields].sort(),
    );
  });
});

describe("a transfer of several legs of a person", () => {
  it("shows each leg in the currency of its account", async () => {
    const { workspaceId } = await server.makePlatform();
    const at = await openStory(server, { workspaceId });
    const owner = await makeOwner(server, workspaceId);
    const finance = await makePerson(owner, ["FINANCE"]);
    const approver = await makePerson(owner, ["APPROVER"]);
    const rules = { PAYMENT: { waits: true } };
    const platformId = `PlatformConfig:${at.platformId}`;
    expectStatus(200, await owner.call("PUT", "/workspace/policies", { platformId, rules }));
    const payer = (await fundedCustomer(at, 10_000)).accountId;
    const payee = (await fundedCustomer(at, 0)).accountId;
    const euros = await internalAccount(at, { currency: "EUR" });
    await fund(at, euros, 5_000);
    const wish = { name: "Second", currency: "EUR" };
    const other = expectStatus(201, await at.call("POST", "/internal-accounts", wish)).json.id;
    const legs = [leg(payer, payee, 500), leg(euros, other, 700)];
    const call = finance.browser.at(at.platformId);
    const { id } = expectStatus(202, await call("POST", "/transfers", { legs })).json;
    const { json } = await approver.browser.call("GET", `/workspace/approvals/${id}`);
    const facts = json.shown.facts as readonly Readonly<Record<string, string>>[];
    expect(facts.filter(({ label }) => /^Leg \d$/.test(label ?? ""))).toMatchObject([
      { value: "5.00 USD" },
      { value: "7.00 EUR" },
    ]);
  });

  it("waits as one order for what its legs move together, and shows them all", async () => {
    const { workspaceId } = await server.makePlatform();
    const at = await openStory(server, { workspaceId });
    const owner = await makeOwner(server, workspaceId);
    const finance = await makePerson(owner, ["FINANCE"]);
    const approver = await makePerson(owner, ["APPROVER"]);
    const rules = { PAYMENT: { waits: true, above: { USD: 1_000 } } };
    const platformId = `PlatformConfig:${at.platformId}`;
    expectStatus(200, await owner.call("PUT", "/workspace/policies", { platformId, rules }));
    const payer = (await fundedCustomer(at, 10_000)).accountId;
    const payee = (await fundedCustomer(at, 0)).accountId;
    const order = (amount: number) => {
      const legs = [leg(payer, payee, amount, { description: "Part one" }), leg(payer, payee, 600)];
      return finance.browser.at(at.platformId)("POST", "/transfers", { legs });
    };
    // Each leg is below the amount of the rule, the second order as a whole is not.
    expectStatus(201, await order(400));
    const { id, summary } = expectStatus(202, await order(500)).json;
    expect(summary).toBe("Book transfer of 11.00 USD in 2 legs");
    const { shown } = expectStatus(
      200,
      await approver.browser.call("GET", `/workspace/approvals/${id}`),
    ).json;
    const facts = shown.facts as readonly Readonly<Record<string, string>>[];
    const told = facts.map(({ label, value, personal }) => [label, value ?? personal]);
    expect(told).toEqual(
      expect.arrayContaining([
        ["Amount", "11.00 USD"],
        ["Leg 1", "5.00 USD"],
        ["Leg 1 from", "Ana Ruiz, USD"],
        ["Leg 1 to", "Ana Ruiz, USD"],
        ["Leg 1 description", "Part one"],
        ["Leg 2", "6.00 USD"],
      ]),
    );
    const done = expectStatus(200, await agree(approver.browser, id)).json;
    expect(done).toMatchObject({ state: "DONE", resultId: expect.stringMatching(/^Transaction:/) });
    expect(await balanceOf(at, payee)).toBe(2_100);
    const { json } = await at.call("GET", `/transactions/${done.resultId}`);
    expect((await at.call("GET", `/transactions?groupId=${json.groupId}`)).json.totalCount).toBe(4);
  });
});
