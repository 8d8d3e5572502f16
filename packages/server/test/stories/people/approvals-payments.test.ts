/** Payments of people, which wait for others in production, and the policy that says so. */
import { beforeAll, describe, expect, it } from "vitest";
import { type ConsoleBrowser, signIn } from "../../kit/console.ts";
import { type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import {
  bankAccount,
  fundedCustomer,
  ignoreUnknownFields,
  openStory,
  type RawAnswer,
  type Story,
} from "../../kit/story.ts";
import { agree, reject, takeBack, verdictOf } from "../../kit/story-approvals.ts";
import { askQuote, euroAccount, execute, quoteBody } from "../../kit/story-quotes.ts";
import {
  activeConnection,
  balanceOf,
  expectStatus,
  manualConnection,
  type Payer,
  payerOf,
  routeTo,
  transactionOf,
} from "../../kit/story-rails.ts";

const server = await sharedServer();
let workspaceId: string;
let story: Story;
let sandbox: Story;
let owner: ConsoleBrowser;
let finance: InvitedPerson;
let approver: InvitedPerson;
let second: InvitedPerson;
let payer: Payer;
let euros: string;
let sourceId: string;

beforeAll(async () => {
  ({ workspaceId } = await server.makePlatform());
  story = await openStory(server, { workspaceId, environment: "PRODUCTION" });
  await ignoreUnknownFields(story);
  sandbox = await openStory(server, { workspaceId });
  payer = await payerOf(story, 1_000_000);
  await routeTo(story, await activeConnection(story, manualConnection()));
  await routeTo(story, await activeConnection(story, euroDesk()), { currency: "EUR", name: "e" });
  // Connections that are made before there are people who decide have no ceiling of their own.
  owner = await makeOwner(server, workspaceId);
  finance = await makePerson(owner, ["FINANCE"]);
  approver = await makePerson(owner, ["APPROVER"]);
  second = await makePerson(owner, ["APPROVER"]);
  euros = await euroAccount(story);
  const source = await story.call("POST", "/rates/sources", { name: "desk", kind: "FIXED" });
  sourceId = expectStatus(201, source).json.id;
  await setRate("1.0850");
});

function euroDesk() {
  return {
    name: "euros",
    kind: "MANUAL",
    currencies: ["EUR"],
    account: { holderName: "Acme Payments", label: "euros" },
    settings: { accountTypes: ["EUR_ACCOUNT"], paymentRails: ["SEPA", "SEPA_INSTANT"] },
  };
}

const setRate = async (rate: string) => {
  const rates = [{ base: "EUR", quote: "USD", rate }];
  expectStatus(200, await story.call("PUT", `/rates/sources/${sourceId}/rates`, { rates }));
};
const by = ({ browser }: InvitedPerson) => browser.at(story.platformId);
const balance = () => balanceOf(story, payer.accountId);
const transferOf = (amount: number, more: object = {}) => ({
  source: { accountId: payer.accountId },
  destination: { accountId: payer.payeeId },
  amount,
  ...more,
});
const transfer = (amount: number) => by(finance)("POST", "/transfer-out", transferOf(amount));
const waiting = (answer: RawAnswer) => expectStatus(202, answer).json;
const got = async (id: string) => (await story.call("GET", `/approvals/${id}`)).json;
const placeOf = ({ platformId }: Story) => `PlatformConfig:${platformId}`;
const setPolicy = (browser: ConsoleBrowser, rules: object, at: Story | null = story) =>
  browser.call("PUT", "/workspace/policies", { platformId: at && placeOf(at), rules });

describe("a payment of a person", () => {
  it("waits in production, where a token's does not, and is made by the agreement", async () => {
    const before = await balance();
    expect((await payer.pay(100)).status).toBe(201);
    // Members that the call does not know are not shown to who decides.
    const sent = transferOf(200, {
      agreedBy: "the board",
      source: { ...transferOf(1).source, why: "x" },
    });
    const asked = waiting(await by(finance)("POST", "/transfer-out", sent));
    expect(asked.content).toEqual(transferOf(200));
    expect(asked).toMatchObject({
      kind: "PAYMENT",
      operation: "transferOut",
      requestedBy: finance.id,
      summary: `Transfer out of 2.00 USD from ${payer.accountId} to ${payer.payeeId}`,
      content: transferOf(200),
    });
    expect(await balance()).toBe(before - 100);
    expect(verdictOf(await agree(finance.browser, asked.id))).toContain("CAPABILITY");
    const done = expectStatus(200, await agree(approver.browser, asked.id)).json;
    expect(done.state).toBe("DONE");
    expect(await balance()).toBe(before - 300);
    expect(await transactionOf(story, done.resultId)).toMatchObject({ type: "OUTGOING" });
  });

  it("is direct in a sandbox", async () => {
    const { accountId, customerId } = await fundedCustomer(sandbox, 1_000);
    const sides = {
      source: { accountId },
      destination: { accountId: await bankAccount(sandbox, { customerId }) },
    };
    const paid = await finance.browser.at(sandbox.platformId)("POST", "/transfer-out", {
      ...sides,
      amount: 10,
    });
    expect(paid.status).toBe(201);
  });

  it("that is refused now does not wait", async () => {
    const refused = await transfer(10 ** 9);
    expect([refused.status, refused.json.code]).toEqual([400, "INSUFFICIENT_BALANCE"]);
    const unknown = await by(finance)("POST", "/transfer-out", {
      ...transferOf(1),
      destination: { accountId: "ExternalAccount:none" },
    });
    expect(unknown.status).toBe(404);
  });

  it("that no longer fits fails, and nothing moves", async () => {
    const before = await balance();
    const [one, other] = [waiting(await transfer(before)), waiting(await transfer(before))];
    expect((await agree(approver.browser, one.id)).json.state).toBe("DONE");
    expect((await agree(approver.browser, other.id)).json).toMatchObject({
      state: "FAILED",
      failure: { code: "INSUFFICIENT_BALANCE" },
    });
    expect(await balance()).toBe(0);
    const done = (await got(one.id)).resultId;
    const { data } = (await story.call("GET", `/rails/payments?transactionId=${done}`)).json;
    await story.call("POST", `/rails/payments/${data[0].id}/mark`, {
      outcome: "DECLINED",
      reason: { code: "AC04", text: "closed" },
    });
    expect(await balance()).toBe(before);
  });

  it("waits by every way to make one", async () => {
    const ways: readonly (readonly [path: string, body: object])[] = [
      [
        "/transfer-in",
        { source: transferOf(1).destination, destination: transferOf(1).source, amount: 5 },
      ],
    ];
    await routeTo(story, await activeConnection(story, { ...manualConnection(), name: "pulls" }), {
      direction: "PULL",
      name: "p",
    });
    for (const [path, body] of ways) {
      const { id } = waiting(await by(finance)("POST", path, body));
      expect((await agree(approver.browser, id)).json).toMatchObject({ state: "DONE" });
    }
    // Book transfers and refunds, on the sandbox with a policy of its own.
    expectStatus(200, await setPolicy(owner, { PAYMENT: { waits: true } }, sandbox));
    const [from, to] = [await fundedCustomer(sandbox, 1_000), await fundedCustomer(sandbox, 0)];
    const call = finance.browser.at(sandbox.platformId);
    const book = waiting(
      await call("POST", "/transfers", {
        source: { accountId: from.accountId },
        destination: { accountId: to.accountId },
        amount: 100,
      }),
    );
    const paid = (await agree(approver.browser, book.id)).json;
    const { counterpartTransactionId } = await transactionOf(sandbox, paid.resultId);
    const path = `/transactions/${counterpartTransactionId}/refund`;
    const refund = waiting(await call("POST", path, { amount: 40, reason: "OTHER" }));
    expect(refund.content).toEqual({
      transactionId: counterpartTransactionId,
      amount: 40,
      reason: "OTHER",
    });
    expect((await agree(approver.browser, refund.id)).json.state).toBe("DONE");
    expect(await balanceOf(sandbox, to.accountId)).toBe(60);
    expectStatus(200, await setPolicy(owner, { PAYMENT: { waits: false } }, sandbox));
  });
});

describe("the capture of a hold by a person", () => {
  const hold = async (amount: number): Promise<string> => {
    const path = `/internal-accounts/${payer.accountId}/holds`;
    return expectStatus(201, await by(finance)("POST", path, { amount })).json.id;
  };
  const capture = (id: string, amount?: number) =>
    by(finance)("POST", `/holds/${id}/capture`, {
      destination: { accountId: payer.payeeId },
      ...(amount === undefined ? {} : { amount }),
    });
  const heldOf = async (id: string) =>
    (await story.call("GET", `/holds/${id}`)).json.heldAmount.amount;

  it("waits, while its hold and its release do not, and is made by the agreement", async () => {
    const id = await hold(500);
    const asked = waiting(await capture(id, 200));
    expect(asked).toMatchObject({
      operation: "captureHold",
      summary: `Capture of a hold of 2.00 USD from ${payer.accountId} to ${payer.payeeId}`,
      content: { holdId: id, amount: 200, destination: { accountId: payer.payeeId } },
    });
    expect(await heldOf(id)).toBe(500);
    const done = expectStatus(200, await agree(approver.browser, asked.id)).json;
    expect(await transactionOf(story, done.resultId)).toMatchObject({ holdId: id });
    expect(await heldOf(id)).toBe(0);
    const other = await hold(100);
    expectStatus(200, await by(finance)("POST", `/holds/${other}/release`));
  });

  it("of a hold that was released meanwhile fails, and nothing moves", async () => {
    const id = await hold(300);
    const asked = waiting(await capture(id));
    expectStatus(200, await by(finance)("POST", `/holds/${id}/release`));
    const before = await balance();
    expect((await agree(approver.browser, asked.id)).json).toMatchObject({
      state: "FAILED",
      failure: { code: "CONFLICT" },
    });
    expect(await balance()).toBe(before);
  });
});

describe("the execution of a quote by a person", () => {
  const make = async (side: "SENDING" | "RECEIVING" = "SENDING") =>
    expectStatus(
      201,
      await askQuote(story, { from: payer.accountId, to: euros, amount: 10_850, side }),
    ).json;
  const ask = async (id: string) => by(finance)("POST", `/quotes/${id}/execute`);

  it("makes a fresh quote within the bound, and the first one is not paid as well", async () => {
    const before = await balance();
    const quote = await make();
    const asked = waiting(await ask(quote.id));
    expect(asked.content).toMatchObject({
      quoteId: quote.id,
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 10_850,
      minReceived: quote.totalReceivingAmount - Math.floor(quote.totalReceivingAmount / 200),
    });
    const again = await ask(quote.id);
    expect([again.status, again.json.code]).toEqual([409, "CONFLICT"]);
    await setRate("1.0870");
    const done = (await agree(approver.browser, asked.id)).json;
    expect(done.state).toBe("DONE");
    expect(done.resultId).not.toBe(quote.id);
    expect((await story.call("GET", `/quotes/${done.resultId}`)).json.status).toBe("PROCESSING");
    expect((await story.call("GET", `/quotes/${quote.id}`)).json.status).toBe("EXPIRED");
    expect((await execute(story, quote.id)).status).toBe(409);
    expect(await balance()).toBe(before - 10_850);
  });

  it.each(["SENDING", "RECEIVING"] as const)(
    "fails with RATE_MOVED beyond the bound of an order that fixes %s, and moves nothing",
    async (side) => {
      await setRate("1.0850");
      const before = await balance();
      const asked = waiting(await ask((await make(side)).id));
      expect(asked.content).toHaveProperty(side === "SENDING" ? "minReceived" : "maxSent");
      await setRate("1.0960");
      const failed = (await agree(approver.browser, asked.id)).json;
      expect(failed).toMatchObject({ state: "FAILED", failure: { code: "RATE_MOVED" } });
      expect(await balance()).toBe(before);
      await setRate("1.0850");
    },
  );

  it("fails when a token has executed the quote meanwhile", async () => {
    const quote = await make();
    const asked = waiting(await ask(quote.id));
    expectStatus(200, await execute(story, quote.id));
    const before = await balance();
    expect((await agree(approver.browser, asked.id)).json).toMatchObject({
      state: "FAILED",
      failure: { code: "CONFLICT" },
    });
    expect(await balance()).toBe(before);
  });

  it("is not part of a call that makes one", async () => {
    const body = quoteBody({ from: payer.accountId, to: euros, amount: 100 });
    const atOnce = { ...body, immediatelyExecute: true };
    const answer = await by(finance)("POST", "/quotes", atOnce);
    expect([answer.status, answer.json.code, answer.json.details]).toEqual([
      409,
      "CONFLICT",
      { approval: "PAYMENT" },
    ]);
    expect((await by(finance)("POST", "/quotes", body)).status).toBe(201);
  });
});

describe("the policy", () => {
  it("asks for two people above an amount, each of them once", async () => {
    expectStatus(
      200,
      await setPolicy(owner, { PAYMENT: { above: { USD: 100 }, twoAbove: { USD: 1_000 } } }),
    );
    expect((await transfer(100)).status).toBe(201);
    const one = waiting(await transfer(1_000));
    const two = waiting(await transfer(1_001));
    expect([one.approvalsNeeded, two.approvalsNeeded]).toEqual([1, 2]);
    expect((await agree(approver.browser, two.id)).json).toMatchObject({
      state: "PENDING",
      decisions: [{ by: approver.id }],
    });
    await signIn(approver.browser);
    expect(verdictOf(await agree(approver.browser, two.id))).toContain("DECIDED_ALREADY");
    expect(verdictOf(await reject(approver.browser, two.id))).toContain("DECIDED_ALREADY");
    // What was asked for keeps the policy of its time.
    expectStatus(200, await setPolicy(owner, { PAYMENT: { twoAbove: {} } }));
    expect((await got(two.id)).approvalsNeeded).toBe(2);
    expect((await agree(second.browser, two.id)).json.state).toBe("DONE");
    await takeBack(finance.browser, one.id);
    expectStatus(200, await setPolicy(owner, { PAYMENT: { above: {} } }));
  });

  it("is lowered by two owners together, and raised by one", async () => {
    const other = await makePerson(owner, ["OWNER"]);
    const less = waiting(await setPolicy(owner, { PAYMENT: { waits: false } }));
    expect(less).toMatchObject({
      kind: "POLICY",
      summary: "A policy by which less waits: PAYMENT",
      content: { rules: { PAYMENT: { waits: false } } },
    });
    waiting(await transfer(5));
    expect(verdictOf(await agree(owner, less.id))).toContain("REQUESTER");
    expect(verdictOf(await agree(approver.browser, less.id))).toContain("CAPABILITY");
    expect((await agree(other.browser, less.id)).json).toMatchObject({
      state: "DONE",
      resultId: placeOf(story),
    });
    expect((await transfer(5)).status).toBe(201);
    expectStatus(200, await setPolicy(owner, { PAYMENT: { waits: true } }));
    waiting(await transfer(5));
    const listed = (await owner.call("GET", "/workspace/policies")).json.data;
    expect(listed.map((one: { platformId: unknown }) => one.platformId)).toContain(placeOf(story));
    const removal = waiting(await owner.call("DELETE", `/workspace/people/${other.id}`));
    expect((await agree(other.browser, removal.id)).json.state).toBe("DONE");
  });

  it.each([
    ["a fixed kind", { ADJUSTMENT: { waits: false } }, "rules.ADJUSTMENT.waits"],
    ["amounts that a kind lacks", { POLICY: { above: { USD: 1 } } }, "rules.POLICY.above"],
    ["an unknown currency", { PAYMENT: { above: { ZZZ: 1 } } }, "rules.PAYMENT.above.ZZZ"],
  ])("refuses %s", async (_what, rules, field) => {
    const answer = await setPolicy(owner, rules);
    expect([answer.status, answer.json.details?.field]).toEqual([400, field]);
  });

  it("refuses what the people of the workspace cannot satisfy, and other workspaces' platforms", async () => {
    const alone = await server.makePlatform();
    const lonely = await openStory(server, { workspaceId: alone.workspaceId });
    const person = await makeOwner(server, alone.workspaceId);
    const answer = await setPolicy(person, { PAYMENT: { waits: true } }, lonely);
    expect([answer.status, answer.json.details?.field]).toEqual([400, "rules.PAYMENT"]);
    const foreign = await setPolicy(person, { PAYMENT: { waits: true } }, story);
    expect([foreign.status, foreign.json.details?.field]).toEqual([400, "platformId"]);
  });
});
