/** Dry runs over the API: what they tell, and that they use nothing up. */
import { beforeAll, describe, expect, it } from "vitest";
import { type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { connectedAgent } from "../../kit/story-agents.ts";
import { rowCounts } from "../../kit/story-money.ts";
import {
  activeConnection,
  balanceOf,
  manualConnection,
  type Payer,
  payerOf,
  routeTo,
} from "../../kit/story-rails.ts";

const server = await sharedServer();
const DRY = "?dryRun=true";

const transferOf = (
  { accountId, payeeId }: Pick<Payer, "accountId" | "payeeId">,
  amount = 500,
) => ({
  source: { accountId },
  destination: { accountId: payeeId },
  amount,
});

describe("a dry run", () => {
  it("shows the payment without ids, its balances and its events", async () => {
    const story = await openStory(server);
    const { accountId, customerId } = await fundedCustomer(story, 2_000);
    const payeeId = await bankAccount(story, { customerId });
    const dry = await story.call("POST", `/transfer-out${DRY}`, transferOf({ accountId, payeeId }));
    const dollars = expect.objectContaining({ code: "USD" });
    expect(dry.json).toEqual({
      dryRun: true,
      result: expect.objectContaining({ status: "PENDING", type: "OUTGOING", paymentRail: "ACH" }),
      effects: {
        balances: [
          {
            accountId,
            before: { amount: 2_000, currency: dollars },
            after: { amount: 1_500, currency: dollars },
          },
        ],
        events: ["OUTGOING_PAYMENT.PENDING", "INTERNAL_ACCOUNT.BALANCE_UPDATED"],
        route: null,
        approval: null,
      },
    });
    for (const name of ["id", "reference", "reconciliationInstructions"])
      expect(dry.json.result).not.toHaveProperty(name);
    expect(await balanceOf(story, accountId)).toBe(2_000);
  });

  it("takes no key, and another value of the parameter is refused", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story, 2_000);
    const before = await rowCounts(story);
    const body = transferOf({ accountId, payeeId: accountId });
    const keyed = await story.call("POST", `/transfers${DRY}`, body, { key: "k" });
    expect([keyed.status, keyed.json.details.field]).toEqual([400, "Idempotency-Key"]);
    expect(keyed.json.message).toContain("must not be sent with dryRun=true");
    const odd = await story.call("POST", "/transfers?dryRun=yes", body);
    expect([odd.status, odd.json.details.field]).toEqual([400, "dryRun"]);
    const twice = await story.call("POST", `/transfers${DRY}&dryRun=true`, body);
    expect(twice.status).toBe(400);
    expect(await rowCounts(story)).toEqual(before);
  });

  it("is none with dryRun=false, and other calls do not take the parameter", async () => {
    const story = await openStory(server);
    const [payer, payee] = [await fundedCustomer(story, 900), await fundedCustomer(story, 0)];
    const body = transferOf({ accountId: payer.accountId, payeeId: payee.accountId }, 400);
    const real = await story.call("POST", "/transfers?dryRun=false", body, { key: "k" });
    expect([real.status, await balanceOf(story, payee.accountId)]).toEqual([201, 400]);
    const other = await story.call("POST", `/customers${DRY}`, {});
    expect(other.json.message).toContain("dryRun: is no parameter of this call");
  });

  it("uses no limit of an agent, and tells what an order that waits would do", async () => {
    const story = await openStory(server);
    const agent = await connectedAgent(story, {
      funds: 5_000,
      policy: {
        spendingLimits: { currency: "USD", perTransactionLimit: 1_000, dailyLimit: 1_000 },
        approvalThresholds: { currency: "USD", amount: 600 },
      },
    });
    const pay = (amount: number) =>
      agent.call("POST", `/transfer-out${DRY}`, transferOf(agent, amount));
    for (const _ of [1, 2, 3]) expect((await pay(500)).json.effects.approval).toBeNull();
    const { result, effects } = (await pay(900)).json;
    expect([result.status, result.approvalReason]).toEqual(["PENDING_APPROVAL", "THRESHOLD"]);
    expect(effects.approval).toEqual({ needed: 1, kind: "AGENT_ACTION" });
    expect(effects.balances[0].after.amount).toBe(4_100);
    expect(effects.events).toEqual([
      "AGENT_ACTION.PENDING_APPROVAL",
      "OUTGOING_PAYMENT.PENDING",
      "INTERNAL_ACCOUNT.BALANCE_UPDATED",
    ]);
    const refused = await pay(1_001);
    expect([refused.status, refused.json.details.rule]).toEqual([403, "PER_TRANSACTION_LIMIT"]);
    expect((await agent.call("GET", "")).json.usage).toMatchObject({ dailyTransactionCount: 0 });
  });
});

describe("in production", () => {
  let story: Story;
  let finance: InvitedPerson;
  let payer: Payer;
  let connectionId: string;

  beforeAll(async () => {
    const { workspaceId } = await server.makePlatform();
    story = await openStory(server, { workspaceId, environment: "PRODUCTION" });
    payer = await payerOf(story, 100_000);
    connectionId = await activeConnection(story, manualConnection());
    await routeTo(story, connectionId);
    const owner = await makeOwner(server, workspaceId);
    finance = await makePerson(owner, ["FINANCE"]);
    await makePerson(owner, ["APPROVER"]);
  }, 120_000);

  it("tells the route that a connection would carry", async () => {
    const { json } = await story.call("POST", `/transfer-out${DRY}`, transferOf(payer));
    expect(json.effects.route).toEqual({ connectionId, paymentRail: "ACH" });
    expect(json.effects.approval).toBeNull();
    expect(json.result).not.toHaveProperty("reconciliationInstructions");
  });

  it("tells that a person's payment would wait, and what it does when others have agreed", async () => {
    const before = await rowCounts(story);
    const call = finance.browser.at(story.platformId);
    const dry = await call("POST", `/transfer-out${DRY}`, transferOf(payer));
    expect([dry.status, dry.json.effects.approval]).toEqual([200, { needed: 1, kind: "PAYMENT" }]);
    expect(dry.json.effects.balances).toMatchObject([
      { accountId: payer.accountId, after: { amount: 99_500 } },
    ]);
    expect(dry.json.effects.route).toMatchObject({ connectionId });
    const asked = { reasonCode: "GOODWILL", note: "The payout was late", currency: "USD" };
    const adjusted = await call("POST", `/adjustments${DRY}`, {
      ...asked,
      accountId: payer.accountId,
      direction: "CREDIT",
      amount: 700,
    });
    expect(adjusted.json.effects).toMatchObject({
      approval: { needed: 1, kind: "ADJUSTMENT" },
      balances: [{ before: { amount: 100_000 }, after: { amount: 100_700 } }],
    });
    expect((await call("GET", "/approvals")).json.data).toEqual([]);
    expect(await rowCounts(story)).toEqual(before);
  });
});
