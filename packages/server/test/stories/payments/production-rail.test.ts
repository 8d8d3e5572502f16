/** A production platform whose transfers a rail carries: what steers outcomes in a sandbox means nothing there. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type {
  PaymentRail,
  RailInstruction,
  RailRules,
} from "../../../src/domain/payments/transfers/payment-rail.port.ts";
import { bankAccount, openStory, type Story } from "../../kit/story.ts";
import { holdingsOf, internalAccount } from "../../kit/story-money.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

/** By key: every job of a story runs twice, and the rail knows a key that it got. */
const instructions = new Map<string, RailInstruction>();

/** Settles whatever it gets. */
const bank: PaymentRail & RailRules = {
  name: "bank",
  failureAtOnce: () => undefined,
  async send(instruction) {
    instructions.set(instruction.key, instruction);
    return { kind: "settled" };
  },
  inquire: async () => ({ kind: "settled" }),
};

let server: TestServer;
let story: Story;
let accountId: string;
beforeAll(async () => {
  server = await startTestServer({ productionRail: bank });
  story = await openStory(server, { environment: "PRODUCTION" });
  accountId = await internalAccount(story, { currency: "USD" });
  const source = { accountId: await bankAccount(story) };
  const destination = { accountId };
  await story.call("POST", "/transfer-in", { source, destination, amount: 100_000 });
  await story.settle();
});
afterAll(() => server.close());

it.each(["002", "003", "004", "005", "007", "105"])(
  "pays out to, and pulls from, an account that ends in %s like any other",
  async (suffix) => {
    const outside = await bankAccount(story, { suffix });
    const before = await holdingsOf(story, accountId);
    instructions.clear();

    const out = await story.call("POST", "/transfer-out", {
      source: { accountId },
      destination: { accountId: outside },
      amount: 300,
    });
    const pulled = await story.call("POST", "/transfer-in", {
      source: { accountId: outside },
      destination: { accountId },
      amount: 100,
    });
    expect([out.json.status, pulled.json.status]).toEqual(["PENDING", "PENDING"]);
    await story.settle();

    const orders = [...instructions.values()].map(({ direction, minor }) => [direction, minor]);
    expect(orders.toSorted()).toEqual([
      ["in", 100n],
      ["out", 300n],
    ]);
    for (const { json } of [out, pulled]) {
      const ended = await story.call("GET", `/transactions/${json.id}`);
      expect(ended.json).toMatchObject({ status: "COMPLETED" });
    }
    const after = await holdingsOf(story, accountId);
    expect(after.available).toBe(before.available - 200);
  },
);
