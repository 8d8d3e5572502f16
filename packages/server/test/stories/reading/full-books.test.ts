/**
 * System accounts that have counted as far as they can. Their rows are edited, since no test makes a thousand of the largest
 * payments; a second server writes once after each edit, so that the first one reads the rows anew.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Log, LogFields } from "../../../src/std/log.ts";
import { silentLog } from "../../../src/std/log.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { advance, fund, holdingsOf, rowCounts } from "../../kit/story-money.ts";
import { askQuote, euroAccount, execute, quoteBody } from "../../kit/story-quotes.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const INT8_MAX = 9_223_372_036_854_775_807n;
const SIX_MINUTES_S = 360;

const errors: (readonly [LogFields, string])[] = [];
const log: Log = { ...silentLog, error: (fields, message) => errors.push([fields, message]) };

let server: TestServer;
let other: TestServer;
let story: Story;
let accountId: string;
let customerId: string;
beforeAll(async () => {
  server = await startTestServer({ log });
  other = await startTestServer({ beside: server, log });
  story = await openStory(server);
  ({ accountId, customerId } = await fundedCustomer(story, 100_000));
});
afterAll(async () => {
  await other.close();
  await server.close();
});

/** Moves the balance of `rail-clearing` by so much, outside of the books; answers how to move it back. */
async function shifted(currency: string, minor: bigint): Promise<() => Promise<void>> {
  const move = async (by: bigint) => {
    await server.database.asSuperuser(async (client) => {
      const where = "platform_id = $2 and kind = 'rail-clearing' and currency = $3";
      const edit = `update ledger_accounts set balance_minor = balance_minor + $1 where ${where}`;
      const { rowCount } = await client.query(edit, [by, story.platformId, currency]);
      expect(rowCount).toBe(1);
    });
    await writeElsewhere();
  };
  await move(minor);
  return () => move(-minor);
}

/** One cent by way of the other server. */
async function writeElsewhere(): Promise<void> {
  const answer = await fetch(`${other.baseUrl}/sandbox/internal-accounts/${accountId}/fund`, {
    method: "POST",
    headers: { authorization: story.authorization, "content-type": "application/json" },
    body: JSON.stringify({ amount: 1 }),
  });
  expect(answer.status).toBe(200);
}

async function payOut(amount: number) {
  const destination = { accountId: await bankAccount(story, { customerId, suffix: "789" }) };
  return story.call("POST", "/transfer-out", { source: { accountId }, destination, amount });
}

describe("a payment that the books have no room for", () => {
  it("is refused at its request, and stores nothing", async () => {
    expect((await payOut(100)).status).toBe(201);
    await story.settle();
    const restore = await shifted("USD", INT8_MAX / 2n);
    const payee = await bankAccount(story, { customerId, suffix: "789" });
    const before = await rowCounts(story);
    const refused = await story.call("POST", "/transfer-out", {
      source: { accountId },
      destination: { accountId: payee },
      amount: 100,
    });
    expect([refused.status, refused.json.code]).toEqual([400, "AMOUNT_OUT_OF_RANGE"]);
    expect(refused.json.message).toContain("in USD");
    expect(await rowCounts(story)).toEqual(before);
    await restore();
    expect((await payOut(100)).status).toBe(201);
  });

  it("fails with a refund when the room has gone before it settles, and is logged", async () => {
    const to = await euroAccount(story, customerId);
    const first = await askQuote(story, { from: accountId, to, amount: 10_000 });
    await execute(story, first.json.id);
    await story.settle();
    await fund(story, accountId, 100_000);
    const slow = await euroAccount(story, customerId, "003");
    const quote = await story.call(
      "POST",
      "/quotes",
      quoteBody({ from: accountId, to: slow, amount: 10_000 }),
    );
    expect((await execute(story, quote.json.id)).json.status).toBe("PROCESSING");
    const held = await holdingsOf(story, accountId);

    const restore = await shifted("EUR", INT8_MAX - 10_000n);
    await advance(story, SIX_MINUTES_S);
    const ended = await story.call("GET", `/transactions/${quote.json.transactionId}`);
    expect(ended.json).toMatchObject({ status: "FAILED", refund: { status: "COMPLETED" } });
    const { available } = await holdingsOf(story, accountId);
    expect(available).toBe(held.available + 10_000 + 1);
    expect(errors.map(([{ kind, code }, message]) => [message, kind, code])).toEqual([
      ["a job was refused", "pay-quote", "AMOUNT_OUT_OF_RANGE"],
    ]);
    await restore();
  });
});
