/** A platform that says it will call: approve, reject and the deadline, and where the money goes afterwards. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { creditUmaPayment } from "../../../src/domain/uma/credit-payment.ts";
import { ANSWER_GRACE_MS } from "../../../src/jobs/uma/approval-calls.ts";
import { systemClock } from "../../../src/std/clock.ts";
import { randomIds } from "../../../src/std/ids.ts";
import { endReceivers } from "../../kit/receivers.ts";
import { createStoppableClock } from "../../kit/stoppable-clock.ts";
import { bankAccount, openStory } from "../../kit/story.ts";
import { advance, fund, holdingsOf, ledgerOf, systemBalances } from "../../kit/story-money.ts";
import {
  AMOUNT,
  announce,
  answered,
  deliveredTypes,
  questionTo,
  transactionOf,
  type UmaStage,
  umaStage,
} from "../../kit/story-uma.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const stoppable = createStoppableClock();
/** Timers of a whole budget, which a test lets run out instead of waiting for them. */
const budgets = new Set<() => void>();
/** The moment that a call waits for the answer: held when a test says so, until it lets go. */
const graces = holdable();
const clock = {
  ...stoppable,
  after(delayMs: number, task: () => void) {
    if (delayMs === ANSWER_GRACE_MS) return graces.after(task);
    if (delayMs !== 5_000) return stoppable.after(delayMs, task);
    budgets.add(task);
    return () => budgets.delete(task);
  },
};
function holdable() {
  const tasks: (() => void)[] = [];
  let isHolding = false;
  let tell: () => void = () => undefined;
  return {
    after(task: () => void) {
      if (!isHolding) return stoppable.after(1, task);
      tasks.push(task);
      tell();
      return () => undefined;
    },
    beginHolding() {
      isHolding = true;
    },
    /** Until somebody waits. */
    async held(): Promise<void> {
      if (tasks.length > 0) return;
      await new Promise<void>((resolve) => {
        tell = resolve;
      });
    },
    release() {
      isHolding = false;
      for (const task of tasks.splice(0)) task();
    },
  };
}

function endBudgets(): void {
  for (const task of [...budgets]) if (budgets.delete(task)) task();
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterEach(async () => {
  clock.go();
  await endReceivers();
});
afterAll(async () => {
  endBudgets();
  await server.close();
});

const LATE = { status: 409, json: { code: "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL" } };
const COMPLETED = [
  "INCOMING_PAYMENT.PENDING",
  "INCOMING_PAYMENT.COMPLETED",
  "INTERNAL_ACCOUNT.BALANCE_UPDATED",
];
const FAILED = ["INCOMING_PAYMENT.PENDING", "INCOMING_PAYMENT.FAILED"];

const approve = ({ story }: UmaStage, id: string, body?: unknown) =>
  story.call("POST", `/transactions/${id}/approve`, body);
const reject = ({ story }: UmaStage, id: string, body?: unknown) =>
  story.call("POST", `/transactions/${id}/reject`, body);

async function expectNothingMoved({ story, accountId }: UmaStage): Promise<void> {
  expect(await holdingsOf(story, accountId)).toEqual({ available: 0, total: 0 });
  expect(await systemBalances(story)).toEqual({});
}

/** A payment that waits for a call, on a clock that stands still. */
async function waiting(status = 202, sender = "success.usd") {
  clock.stop();
  const at = await umaStage(server, status);
  const { id } = (await announce(at, { sender })).json as { readonly id: string };
  await answered(at);
  expect(await transactionOf(at, id)).toMatchObject({ status: "PENDING" });
  return { at, id };
}

describe("a platform that says it will call", () => {
  it.each([202, 409])("takes the payment after a %s, once", async (status) => {
    const { at, id } = await waiting(status);
    const taken = await approve(at, id);
    expect(taken).toMatchObject({ status: 200, json: { id, status: "COMPLETED" } });
    expect(taken.json).toEqual(await transactionOf(at, id));
    expect(await approve(at, id)).toMatchObject(LATE);
    expect(await reject(at, id)).toMatchObject(LATE);
    await advance(at.story, 10);
    expect(await transactionOf(at, id)).toEqual(taken.json);
    expect(await deliveredTypes(at)).toEqual(COMPLETED);
    questionTo(at);
    expect(await ledgerOf(at.story, at.accountId)).toEqual({ available: AMOUNT, held: 0 });
    expect(await systemBalances(at.story)).toEqual({ "uma-clearing": -AMOUNT });
  });

  it("turns the payment away, once", async () => {
    const { at, id } = await waiting();
    const turned = await reject(at, id, { reason: "RESTRICTED_JURISDICTION" });
    expect(turned).toMatchObject({ status: 200, json: { id, status: "REJECTED" } });
    expect(turned.json.failureReason).toBe("PAY_REQUEST_FAILED");
    expect(await reject(at, id)).toMatchObject(LATE);
    expect(await approve(at, id)).toMatchObject(LATE);
    await advance(at.story, 10);
    expect(await deliveredTypes(at)).toEqual(FAILED);
    expect((await at.receiver.events()).at(-1)?.data).toEqual(turned.json);
    await expectNothingMoved(at);
  });

  it("answers what the sender's institution must know, or is refused and may try again", async () => {
    clock.stop();
    const at = await umaStage(server, 202, [
      { name: "NATIONALITY", mandatory: true },
      { name: "TAX_ID", mandatory: true },
      { name: "EMAIL", mandatory: false },
    ]);
    const { id } = (await announce(at)).json;
    await answered(at);
    for (const body of [undefined, {}, { receiverCustomerInfo: { NATIONALITY: "US" } }]) {
      const refused = await approve(at, id, body);
      expect(refused).toMatchObject({ status: 400, json: { code: "MISSING_MANDATORY_USER_INFO" } });
      expect(refused.json.details.missing).toContain("TAX_ID");
    }
    expect(await transactionOf(at, id)).toMatchObject({ status: "PENDING" });
    const receiverCustomerInfo = { NATIONALITY: "US", TAX_ID: "123" };
    const taken = await approve(at, id, { receiverCustomerInfo });
    expect(taken).toMatchObject({ status: 200, json: { status: "COMPLETED" } });
  });

  it("may not call while its answer to the question is still out, and decides by the answer then", async () => {
    clock.stop();
    let letGo = () => {};
    const held = new Promise<number>((resolve) => {
      letGo = () => resolve(403);
    });
    const at = await umaStage(server, () => held);
    const { id } = (await announce(at)).json;
    await at.receiver.received(2);
    const early = await Promise.all([approve(at, id), reject(at, id)]);
    for (const call of early) {
      expect(call).toMatchObject(LATE);
      expect(call.json.details).toMatchObject({ status: "PENDING" });
    }
    letGo();
    await answered(at);
    expect(await transactionOf(at, id)).toMatchObject({ status: "REJECTED" });
    expect(await deliveredTypes(at)).toEqual(FAILED);
  });

  it("may call before its answer arrives", async () => {
    clock.stop();
    let letGo = () => {};
    const held = new Promise<number>((resolve) => {
      letGo = () => resolve(202);
    });
    const at = await umaStage(server, () => held);
    const { id } = (await announce(at)).json;
    await at.receiver.received(2);
    graces.beginHolding();
    const call = approve(at, id);
    await graces.held();
    letGo();
    expect(await call).toMatchObject({ status: 200, json: { status: "COMPLETED" } });
    graces.release();
  });

  it.each([202, 409])(
    "may call when the head of its %i is out and the body is not",
    async (headAlone) => {
      clock.stop();
      const at = await umaStage(server, () => ({ headAlone }));
      const { id } = (await announce(at)).json;
      await at.receiver.received(2);
      graces.beginHolding();
      expect(await approve(at, id)).toMatchObject({ status: 200, json: { status: "COMPLETED" } });
      graces.release();
      endBudgets();
      await answered(at);
      expect(await deliveredTypes(at)).toEqual(COMPLETED);
    },
  );

  it("gets the same answer again under the same key", async () => {
    const { at, id } = await waiting();
    const path = `/transactions/${id}/approve`;
    const [first, again] = [
      await at.story.call("POST", path, {}, { key: "approve-1" }),
      await at.story.call("POST", path, {}, { key: "approve-1" }),
    ];
    expect(first.status).toBe(200);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });
});

describe("the deadline", () => {
  const timedOut = { status: "FAILED", failureReason: "PAYMENT_APPROVAL_TIMED_OUT" };

  it("comes five seconds after the question on the platform's clock", async () => {
    const { at, id } = await waiting();
    await advance(at.story, 4);
    expect(await transactionOf(at, id)).toMatchObject({ status: "PENDING" });
    await advance(at.story, 1);
    expect(await transactionOf(at, id)).toMatchObject(timedOut);
    expect(await approve(at, id)).toMatchObject(LATE);
    expect(await reject(at, id)).toMatchObject(LATE);
    expect(await deliveredTypes(at)).toEqual(FAILED);
    questionTo(at);
    await expectNothingMoved(at);
  });

  it("ends a question that is still out, and a late 200 changes nothing", async () => {
    clock.stop();
    let letGo = () => {};
    const held = new Promise<number>((resolve) => {
      letGo = () => resolve(200);
    });
    const at = await umaStage(server, () => held);
    const { id } = (await announce(at)).json;
    await at.receiver.received(2);
    await advance(at.story, 5);
    expect(await transactionOf(at, id)).toMatchObject(timedOut);
    letGo();
    await answered(at);
    expect(await transactionOf(at, id)).toMatchObject(timedOut);
    expect(await deliveredTypes(at)).toEqual(FAILED);
    await expectNothingMoved(at);
  });

  it("of the exchange passes on the host's clock, for a platform that does not answer", async () => {
    clock.stop();
    const at = await umaStage(server, "silence");
    const { id } = (await announce(at)).json;
    await at.receiver.received(2);
    expect(await transactionOf(at, id)).toMatchObject({ status: "PENDING" });
    endBudgets();
    await answered(at);
    expect(await transactionOf(at, id)).toMatchObject(timedOut);
    expect(await deliveredTypes(at)).toEqual(FAILED);
    await expectNothingMoved(at);
  });
});

describe("a call about something else", () => {
  it("is refused: unknown, not asked about, or already over", async () => {
    const { at, id } = await waiting();
    const other = await openStory(server);
    const unknown = `Transaction:${randomIds().next(systemClock.now())}`;
    for (const verb of ["approve", "reject"]) {
      for (const wrong of [unknown, "Transaction:1", id.replace("Transaction", "Quote")]) {
        const refused = await at.story.call("POST", `/transactions/${wrong}/${verb}`);
        expect([wrong, refused.status]).toEqual([wrong, 404]);
        expect(refused.json.code).toBe("TRANSACTION_NOT_FOUND");
      }
      const foreign = await other.call("POST", `/transactions/${id}/${verb}`);
      expect([foreign.status, foreign.json.code]).toEqual([404, "TRANSACTION_NOT_FOUND"]);
    }
    await fund(at.story, at.accountId, 1_000);
    const external = await bankAccount(at.story, { suffix: "005", customerId: at.customerId });
    const internalEnd = { accountId: at.accountId };
    const out = await at.story.call("POST", "/transfer-out", {
      source: internalEnd,
      destination: { accountId: external },
      amount: 10,
    });
    const into = await at.story.call("POST", "/transfer-in", {
      source: { accountId: external },
      destination: internalEnd,
      amount: 10,
    });
    for (const transfer of [out, into]) {
      expect(transfer.json.status).toBe("PENDING");
      expect(await approve(at, transfer.json.id)).toMatchObject(LATE);
      expect(await reject(at, transfer.json.id)).toMatchObject(LATE);
      expect(await transactionOf(at, transfer.json.id)).toEqual(transfer.json);
    }
  });
});

describe("an approved payment", () => {
  it("from a slow counterparty is credited after six minutes", async () => {
    const { at, id } = await waiting(202, "pending.long.usd");
    expect((await approve(at, id)).json.status).toBe("PROCESSING");
    await advance(at.story, 359);
    expect((await transactionOf(at, id)).status).toBe("PROCESSING");
    await expectNothingMoved(at);
    await advance(at.story, 1);
    expect((await transactionOf(at, id)).status).toBe("COMPLETED");
    expect(await deliveredTypes(at)).toEqual(COMPLETED);
    expect(await holdingsOf(at.story, at.accountId)).toEqual({ available: AMOUNT, total: AMOUNT });
  });

  it("from a counterparty that is not compliant fails", async () => {
    const { at, id } = await waiting(202, "fail.compliance.usd");
    const failed = { status: "FAILED", failureReason: "QUOTE_EXECUTION_FAILED" };
    expect((await approve(at, id)).json).toMatchObject(failed);
    expect(await deliveredTypes(at)).toEqual(FAILED);
    await expectNothingMoved(at);
  });

  it("that the account cannot hold fails and leaves it as it was", async () => {
    clock.stop();
    const at = await umaStage(server, 200);
    const most = 9_000_000_000_000_000;
    const { supportedCurrencies } = (await at.story.call("GET", "/config")).json;
    await at.story.call("PATCH", "/config", {
      supportedCurrencies: supportedCurrencies.map((each: object) => ({
        ...each,
        maxAmount: most,
      })),
    });
    const first = await announce(at, { receivingCurrencyAmount: most });
    await answered(at);
    expect(await transactionOf(at, first.json.id)).toMatchObject({ status: "COMPLETED" });
    const second = await announce(at, { receivingCurrencyAmount: 1 });
    await answered(at);
    expect(await transactionOf(at, second.json.id)).toMatchObject({
      status: "FAILED",
      failureReason: "OFFRAMP_FAILED",
    });
    expect(await holdingsOf(at.story, at.accountId)).toEqual({ available: most, total: most });
  });
});

describe("a customer with a default deposit account", () => {
  async function withDeposit(suffix: string, status = 200) {
    clock.stop();
    const at = await umaStage(server, status);
    const made = await at.story.call("POST", "/customers/external-accounts", {
      customerId: at.customerId,
      currency: "USD",
      defaultUmaDepositAccount: true,
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber: `123456${suffix}`,
        routingNumber: "021000021",
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
      },
    });
    expect(made.json.defaultUmaDepositAccount).toBe(true);
    return { at, depositId: made.json.id as string };
  }

  it("is paid there, and no internal account changes", async () => {
    const { at, depositId } = await withDeposit("789");
    const { id } = (await announce(at)).json;
    await answered(at);
    expect(await transactionOf(at, id)).toMatchObject({ status: "COMPLETED" });
    expect(await deliveredTypes(at)).toEqual(COMPLETED.slice(0, 2));
    expect(await holdingsOf(at.story, at.accountId)).toEqual({ available: 0, total: 0 });
    const books = { "uma-clearing": -AMOUNT, "rail-clearing": AMOUNT };
    expect(await systemBalances(at.story)).toEqual(books);
    const list = await at.story.call("GET", `/transactions?receiverAccountIdentifier=${depositId}`);
    expect(list.json.data).toHaveLength(1);
  });

  it.each(["002", "003", "004"])(
    "whose bank does not take it (%s) gets nothing",
    async (suffix) => {
      const { at } = await withDeposit(suffix);
      const { id } = (await announce(at)).json;
      await answered(at);
      expect(await transactionOf(at, id)).toMatchObject({
        status: "FAILED",
        failureReason: "OFFRAMP_FAILED",
      });
      expect(await deliveredTypes(at)).toEqual(FAILED);
      await expectNothingMoved(at);
    },
  );

  it("whose bank does not answer for a while keeps the money in transit", async () => {
    const { at } = await withDeposit("005");
    const { id } = (await announce(at)).json;
    await answered(at);
    expect(await transactionOf(at, id)).toMatchObject({ status: "PROCESSING" });
    const inTransit = { "uma-clearing": -AMOUNT, "uma-transit": AMOUNT };
    expect(await systemBalances(at.story)).toEqual(inTransit);
    await advance(at.story, 30);
    expect(await transactionOf(at, id)).toMatchObject({ failureReason: "OFFRAMP_FAILED" });
    await expectNothingMoved(at);
  });

  it("gets other currencies on the internal account", async () => {
    const { at } = await withDeposit("789");
    const changed = await at.story.call("PATCH", `/customers/${at.customerId}`, {
      customerType: "INDIVIDUAL",
      currencies: ["USD", "EUR"],
    });
    expect(changed.status).toBe(200);
    const euros = await announce(at, { sender: "success.eur", receivingCurrencyCode: "EUR" });
    await answered(at);
    expect(await transactionOf(at, euros.json.id)).toMatchObject({ status: "COMPLETED" });
    expect(await deliveredTypes(at)).toEqual(COMPLETED);
    expect(await systemBalances(at.story, "EUR")).toEqual({ "uma-clearing": -AMOUNT });
  });

  it("is paid on the internal account again once that one is deleted", async () => {
    const { at, depositId } = await withDeposit("004");
    const gone = await at.story.call("DELETE", `/customers/external-accounts/${depositId}`);
    expect(gone.status).toBe(204);
    const { id } = (await announce(at)).json;
    await answered(at);
    expect(await transactionOf(at, id)).toMatchObject({ status: "COMPLETED" });
    expect(await holdingsOf(at.story, at.accountId)).toEqual({ available: AMOUNT, total: AMOUNT });
  });

  it("that is deleted during the approval is not credited there", async () => {
    const { at, depositId } = await withDeposit("789", 202);
    const { id } = (await announce(at)).json;
    await answered(at);
    const gone = await at.story.call("DELETE", `/customers/external-accounts/${depositId}`);
    expect(gone.status).toBe(204);
    expect((await approve(at, id)).json).toMatchObject({
      status: "FAILED",
      failureReason: "OFFRAMP_FAILED",
    });
    expect(await deliveredTypes(at)).toEqual(FAILED);
    await expectNothingMoved(at);
  });

  it("is sent what takes long once, though the job of it runs twice", async () => {
    const { at } = await withDeposit("005", 202);
    const { id } = (await announce(at, { sender: "pending.long.usd" })).json;
    await answered(at);
    expect((await approve(at, id)).json.status).toBe("PROCESSING");
    const { platformId } = at.story;
    const jobIds = await server.app.store.database.withClient(async (client) => {
      const text = "select id from jobs where platform_id = $1 and kind = 'credit-uma-payment'";
      return (await client.query<{ id: string }>(text, [platformId])).rows.map((job) => job.id);
    });
    await advance(at.story, 360);
    const inTransit = { "uma-clearing": -AMOUNT, "uma-transit": AMOUNT };
    expect(await systemBalances(at.story)).toEqual(inTransit);
    for (const jobId of jobIds) {
      await server.app.engine.submit({
        platformId,
        actor: { kind: "worker", id: "credit-uma-payment" },
        command: creditUmaPayment,
        input: { transactionId: id.replace("Transaction:", ""), jobId },
        toAnswer: ({ status }) => ({ status: 200, body: status }),
      });
    }
    expect(jobIds).toHaveLength(1);
    expect(await systemBalances(at.story)).toEqual(inTransit);
    await advance(at.story, 30);
    await expectNothingMoved(at);
  });
});
