/** Production quotes whose money comes from outside: by a reference that the payer quotes, or collected from an external account. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createManualClock, type ManualClock } from "../../kit/manual-clock.ts";
import { foundAfter } from "../../kit/reconciled.ts";
import { bankAccount, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import {
  booksOf,
  credit,
  fundedDesk,
  itemsOf,
  releaseOrder,
  resolveItem,
} from "../../kit/story-funding.ts";
import { internalAccount, systemBalances } from "../../kit/story-money.ts";
import { euroAccount } from "../../kit/story-quotes.ts";
import {
  activeConnection,
  euroDesk,
  eventsAbout,
  expectStatus,
  fixedEuroRate,
  manualConnection,
  routeTo,
  transactionOf,
} from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const START = Date.UTC(2026, 10, 24, 9);
const MINUTE_MS = 60_000;

let clock: ManualClock;
let server: TestServer;
let story: Story;
let desk: string;
let payout: string;
let to: string;
beforeAll(async () => {
  clock = createManualClock(START);
  server = await startTestServer({ clock });
});
beforeEach(async () => {
  story = await openStory(server, { environment: "PRODUCTION" });
  to = await euroAccount(story);
  payout = await euroDesk(story);
  await fixedEuroRate(story);
});
afterEach(async () => {
  await story.settle();
  expect(await foundAfter({ server, story }, "select 1")).toEqual([]);
});
afterAll(async () => {
  const closed = server.close();
  await clock.advance(1_000);
  await closed;
});

const ask = (more: Readonly<Record<string, unknown>> = {}) =>
  story.call("POST", "/quotes", {
    source: { sourceType: "REALTIME_FUNDING", currency: "USD" },
    destination: { destinationType: "ACCOUNT", accountId: to },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 1_000,
    ...more,
  });
const fund = (funding: object) =>
  story
    .call("PATCH", `/rails/connections/${desk}`, { funding })
    .then((answer) => expectStatus(200, answer));

interface Made {
  readonly id: string;
  readonly transactionId: string;
  readonly reference: string;
  readonly expiresAt: string;
}

async function quoted(): Promise<Made> {
  const { json } = expectStatus(201, await ask());
  const [told] = json.paymentInstructions;
  const { id, transactionId, expiresAt } = json;
  return { id, transactionId, expiresAt, reference: told.accountOrWalletInfo.reference };
}

const pay = ({ reference }: Made, amount = 1_000, more: object = {}) =>
  credit(story, desk, { remittance: reference, amount, bookedOn: today(), ...more });
const today = () => new Date(clock.now()).toISOString().slice(0, 10);
const statusOf = async ({ id }: Made) => (await story.call("GET", `/quotes/${id}`)).json.status;
const ordersOf = async (
  { transactionId }: Made,
  direction: string,
): Promise<RawAnswer["json"][]> => {
  const { json } = await story.call(
    "GET",
    `/rails/payments?transactionId=${transactionId}&direction=${direction}`,
  );
  return json.data;
};
const mark = async (order: RawAnswer["json"] | undefined, outcome: string) => {
  // The payer's account was typed in by one token: another one lets the money go there.
  if (order?.direction === "BACK") await releaseOrder(story, order.id);
  return expectStatus(
    200,
    await story.call("POST", `/rails/payments/${order?.id}/mark`, { outcome }),
  );
};
const positions = async () => {
  const { json } = await story.call("GET", "/fx/positions");
  return Object.fromEntries(
    json.data.map((row: RawAnswer["json"]) => [row.currency, Number(row.committed)]),
  );
};

describe("a quote that a payer funds", () => {
  beforeEach(async () => {
    desk = await fundedDesk(story);
  });

  it("tells the payer where to pay to, and how long", async () => {
    const { json } = expectStatus(201, await ask());
    expect(json.paymentInstructions).toMatchObject([
      {
        accountOrWalletInfo: {
          accountType: "USD_ACCOUNT",
          accountNumber: "777000",
          reference: expect.stringMatching(/^FL.{14}$/),
        },
      },
    ]);
    expect(Date.parse(json.expiresAt) - Date.parse(json.createdAt)).toBe(1_440 * MINUTE_MS);
    await fund({ windowMinutes: 20 });
    const shorter = expectStatus(201, await ask()).json;
    expect(Date.parse(shorter.expiresAt) - Date.parse(shorter.createdAt)).toBe(20 * MINUTE_MS);
    expect(await positions()).toEqual({ EUR: -1_600, USD: 2_000 });
    // A position is committed while the quote waits, so limits are judged when it is made.
    expectStatus(
      200,
      await story.call("PUT", "/fx/limits", { limits: [{ currency: "EUR", maxShort: 2_000 }] }),
    );
    expect((await ask()).json.code).toBe("FX_LIMIT");
  });

  it("is refused while the connection is paused", async () => {
    const path = `/rails/connections/${desk}`;
    expectStatus(200, await story.call("POST", `${path}/pause`));
    expect((await ask()).json.code).toBe("RAIL_PAUSED");
    expectStatus(200, await story.call("POST", `${path}/resume`));
    expectStatus(201, await ask());
  });

  it("is paid out when the exact amount comes", async () => {
    const quote = await quoted();
    const entry = await pay(quote);
    expect(entry).toMatchObject({ bookedAs: "FUNDING", transactionId: quote.transactionId });
    expect(await statusOf(quote)).toBe("PROCESSING");
    expect(await booksOf(story, desk)).toEqual({ clearing: -1_000 });
    const [order] = await ordersOf(quote, "OUT");
    expect(order).toMatchObject({ state: "QUEUED", amount: { amount: 800 } });
    await mark(order, "SETTLED");
    expect(await transactionOf(story, quote.transactionId)).toMatchObject({ status: "COMPLETED" });
    expect(await booksOf(story, payout)).toEqual({ clearing: 800 });
    expect(await eventsAbout(story, quote.transactionId)).toEqual([
      "OUTGOING_PAYMENT.PENDING",
      "OUTGOING_PAYMENT.PROCESSING",
      "OUTGOING_PAYMENT.COMPLETED",
    ]);
    expect(await positions()).toEqual({ EUR: 0, USD: 0 });
    const again = await pay(quote);
    expect(await itemsOf(story, again.id)).toMatchObject([{ reason: "ALREADY_FUNDED" }]);
  });

  it.each([[999], [1_001]])(
    "fails when %i come for 1000, and the money goes back",
    async (amount) => {
      const quote = await quoted();
      const entry = await pay(quote, amount);
      expect(entry.bookedAs).toBe("FUNDING");
      expect(await transactionOf(story, quote.transactionId)).toMatchObject({
        status: "FAILED",
        failureReason: "FUNDING_AMOUNT_MISMATCH",
        refund: { status: "PENDING" },
      });
      const [back] = await ordersOf(quote, "BACK");
      expect(back).toMatchObject({
        state: "HELD",
        amount: { amount },
        counterparty: { name: "Ana Ruiz", identifierMasked: "…6789" },
        connectionId: desk,
      });
      expect(await booksOf(story, desk)).toEqual({ clearing: -amount, suspense: amount });
      expect(await foundAfter({ server, story }, "select 1")).toEqual([]);
      await mark(back, "SETTLED");
      await mark(back, "SETTLED");
      expect((await transactionOf(story, quote.transactionId)).refund.status).toBe("COMPLETED");
      expect(await booksOf(story, desk)).toEqual({ clearing: 0, suspense: 0 });
      expect(await eventsAbout(story, quote.transactionId)).toEqual([
        "OUTGOING_PAYMENT.PENDING",
        "OUTGOING_PAYMENT.FAILED",
        "OUTGOING_PAYMENT.REFUND_PENDING",
        "OUTGOING_PAYMENT.REFUND_COMPLETED",
      ]);
      expect(await positions()).toEqual({ EUR: 0, USD: 0 });
    },
  );

  it("leaves the money in suspense when the payer is not known, or the order back is declined", async () => {
    const unknown = await quoted();
    const entry = await pay(unknown, 999, { payer: { name: "Ana Ruiz" } });
    const [item] = await itemsOf(story, entry.id);
    expect(item).toMatchObject({
      reason: "QUOTE_ENDED",
      state: "OPEN",
      transactionId: unknown.transactionId,
    });
    expect((await transactionOf(story, unknown.transactionId)).refund.status).toBe("PENDING");
    expect((await resolveItem(story, item.id, { kind: "RETURN", amount: 999 })).status).toBe(409);
    const house = await internalAccount(story, { currency: "USD" });
    expectStatus(
      200,
      await resolveItem(story, item.id, { kind: "ACCOUNT", amount: 999, accountId: house }),
    );
    expect((await transactionOf(story, unknown.transactionId)).refund.status).toBe("COMPLETED");

    const declined = await quoted();
    const other = await pay(declined, 999);
    const [back] = await ordersOf(declined, "BACK");
    await mark(back, "DECLINED");
    expect((await transactionOf(story, declined.transactionId)).refund.status).toBe("FAILED");
    expect(await itemsOf(story, other.id)).toMatchObject([
      { reason: "QUOTE_ENDED", state: "RESOLVED" },
      { reason: "RETURN_DECLINED", state: "OPEN", paymentId: back.id, amount: { amount: 999 } },
    ]);
    expect(await booksOf(story, desk)).toEqual({ clearing: -1_998, suspense: 999 });
  });

  it("takes parts where its connection collects them", async () => {
    const strict = await quoted();
    await pay(strict, 400);
    expect(await statusOf(strict)).toBe("FAILED");
    const second = await pay(strict, 600);
    expect(await itemsOf(story, second.id)).toMatchObject([{ reason: "ALREADY_FUNDED" }]);

    await fund({ collectParts: true });
    const quote = await quoted();
    await pay(quote, 400);
    expect(await statusOf(quote)).toBe("PENDING");
    expect(await foundAfter({ server, story }, "select 1")).toEqual([]);
    await pay(quote, 600);
    expect(await statusOf(quote)).toBe("PROCESSING");

    const over = await quoted();
    await pay(over, 400);
    await pay(over, 601);
    expect(await statusOf(over)).toBe("FAILED");
    const backs = await ordersOf(over, "BACK");
    expect(backs.map(({ amount }) => amount.amount).toSorted()).toEqual([400, 601]);
    await mark(backs[0], "SETTLED");
    expect((await transactionOf(story, over.transactionId)).refund.status).toBe("PENDING");
    await mark(backs[1], "SETTLED");
    expect((await transactionOf(story, over.transactionId)).refund.status).toBe("COMPLETED");
  });

  it("gives its parts back when its time is over", async () => {
    await fund({ collectParts: true, windowMinutes: 10, graceMinutes: 5 });
    const quote = await quoted();
    await pay(quote, 400);
    await clock.advance(14 * MINUTE_MS);
    await story.settle();
    expect(await statusOf(quote)).toBe("PENDING");
    await clock.advance(MINUTE_MS + 1_000);
    await story.settle();
    expect(await statusOf(quote)).toBe("EXPIRED");
    expect(await transactionOf(story, quote.transactionId)).toMatchObject({
      status: "EXPIRED",
      refund: { status: "PENDING" },
    });
    const [back] = await ordersOf(quote, "BACK");
    await mark(back, "SETTLED");
    expect((await transactionOf(story, quote.transactionId)).refund.status).toBe("COMPLETED");
    expect(await positions()).toEqual({ EUR: 0, USD: 0 });
  });

  it("judges a day by the day, and late money by what its connection says", async () => {
    await fund({ windowMinutes: 10, graceMinutes: 2_880 });
    const onTheDay = await quoted();
    await clock.advance(11 * MINUTE_MS);
    await pay(onTheDay);
    expect(await statusOf(onTheDay)).toBe("PROCESSING");
    const late = await quoted();
    const tomorrow = new Date(clock.now() + 86_400_000).toISOString().slice(0, 10);
    const entry = await pay(late, 1_000, { bookedOn: tomorrow });
    expect(await itemsOf(story, entry.id)).toMatchObject([{ reason: "LATE", state: "OPEN" }]);
    expect(await statusOf(late)).toBe("PENDING");
    await fund({ onLate: "RETURN" });
    const returned = await pay(late, 1_000, { bookedOn: tomorrow });
    const [item] = await itemsOf(story, returned.id);
    expect(item).toMatchObject({
      reason: "LATE",
      state: "RESOLVED",
      resolution: { parts: [{ kind: "RETURN" }] },
    });
    // In time after all: another entry, of today.
    await pay(late);
    expect(await statusOf(late)).toBe("PROCESSING");
  });

  it("fails when its payout has no route any more, and gives the money back", async () => {
    const quote = await quoted();
    const { json } = await story.call("GET", "/rails/routes?limit=100");
    const route = json.data.find((each: RawAnswer["json"]) => each.direction === "OUT");
    await story.call("DELETE", `/rails/routes/${route.id}`);
    await pay(quote);
    expect(await transactionOf(story, quote.transactionId)).toMatchObject({
      status: "FAILED",
      failureReason: "QUOTE_EXECUTION_FAILED",
      refund: { status: "PENDING" },
    });
    expect(await ordersOf(quote, "BACK")).toHaveLength(1);
    expect((await ask()).status).toBe(501);
  });

  it("gives the money back when its payout is declined, or comes back", async () => {
    const declined = await quoted();
    await pay(declined);
    await mark((await ordersOf(declined, "OUT"))[0], "DECLINED");
    expect(await statusOf(declined)).toBe("FAILED");
    await mark((await ordersOf(declined, "BACK"))[0], "SETTLED");
    expect((await transactionOf(story, declined.transactionId)).refund.status).toBe("COMPLETED");
    const returned = await quoted();
    await pay(returned);
    const [order] = await ordersOf(returned, "OUT");
    await mark(order, "SETTLED");
    await mark(order, "RETURNED");
    expect(await statusOf(returned)).toBe("COMPLETED");
    await mark((await ordersOf(returned, "BACK"))[0], "SETTLED");
    expect(await transactionOf(story, returned.transactionId)).toMatchObject({
      status: "FAILED",
      failureReason: "PAYOUT_RETURNED",
      refund: { status: "COMPLETED" },
    });
    // Nothing is left with the quotes.
    expect((await systemBalances(story))["paid-in"] ?? 0).toBe(0);
  });

  it("is funded by an item that a person resolves, in full and once", async () => {
    const quote = await quoted();
    const lost = await credit(story, desk, { amount: 1_500 });
    const [item] = await itemsOf(story, lost.id);
    const part = (amount: number) => ({ kind: "QUOTE", amount, quoteId: quote.id });
    const rest = { kind: "OWN_FUNDS", amount: 500, label: "rest" };
    expect((await resolveItem(story, item.id, part(1_500))).status).toBe(400);
    expect((await resolveItem(story, item.id, part(750), part(750))).status).toBe(400);
    expect(
      (
        await resolveItem(
          story,
          item.id,
          { ...part(1_000), quoteId: `Quote:${quote.id.slice(6).replace(/^.{8}/, "00000000")}` },
          rest,
        )
      ).status,
    ).toBe(404);
    expectStatus(200, await resolveItem(story, item.id, part(1_000), rest));
    expect(await statusOf(quote)).toBe("PROCESSING");
    const more = await credit(story, desk, { amount: 1_000 });
    const [second] = await itemsOf(story, more.id);
    expect((await resolveItem(story, second.id, part(1_000))).status).toBe(409);
    await mark((await ordersOf(quote, "OUT"))[0], "DECLINED");
    expect(await itemsOf(story, lost.id)).toMatchObject([
      { reason: "UNREFERENCED", state: "RESOLVED" },
      { reason: "QUOTE_ENDED", state: "RESOLVED", transactionId: quote.transactionId },
    ]);
  });

  it("pays an internal account in its own currency", async () => {
    const house = await internalAccount(story, { currency: "USD" });
    to = house;
    const quote = await quoted();
    await pay(quote);
    await story.settle();
    expect(await statusOf(quote)).toBe("COMPLETED");
    expect(await booksOf(story, desk)).toEqual({ clearing: -1_000 });
  });
});

it("is refused while no connection takes money from payers", async () => {
  const { status, json } = await ask();
  expect([status, json.code]).toEqual([501, "NOT_IMPLEMENTED"]);
  expect([json.details]).toMatchObject([
    {
      rail: "ACH",
      direction: "FUNDING",
      currency: "USD",
      missing: "FUNDING",
      attach: ["HTTP", "MANUAL"],
    },
  ]);
  expect(json.message).toContain("POST /rails/connections");
});

describe("a quote whose money is collected", () => {
  let from: string;
  let pulls: string;
  beforeEach(async () => {
    from = await bankAccount(story);
    pulls = await activeConnection(story, manualConnection());
    desk = pulls;
  });
  const askPull = () => ask({ source: { sourceType: "ACCOUNT", accountId: from } });
  async function executed(): Promise<Made> {
    const { json } = expectStatus(201, await askPull());
    expectStatus(200, await story.call("POST", `/quotes/${json.id}/execute`));
    return { ...json, reference: "" };
  }

  it("needs a route for it", async () => {
    expect((await askPull()).json.details).toMatchObject({ direction: "PULL", missing: "ROUTE" });
    const route = await routeTo(story, pulls, { direction: "PULL" });
    const { json } = expectStatus(201, await askPull());
    await story.call("DELETE", `/rails/routes/${route}`);
    expect((await story.call("POST", `/quotes/${json.id}/execute`)).status).toBe(501);
  });

  it("is paid out once its money has come, and fails without it", async () => {
    await routeTo(story, pulls, { direction: "PULL" });
    const quote = await executed();
    expect(await statusOf(quote)).toBe("PROCESSING");
    expect(await ordersOf(quote, "OUT")).toEqual([]);
    const [pull] = await ordersOf(quote, "PULL");
    await mark(pull, "SETTLED");
    const entry = await credit(story, pulls, { reference: pull.endToEndId });
    expect(entry).toMatchObject({ bookedAs: "PAYMENT", paymentId: pull.id });
    expect(await booksOf(story, pulls)).toEqual({ clearing: -1_000 });
    await mark((await ordersOf(quote, "OUT"))[0], "SETTLED");
    expect(await statusOf(quote)).toBe("COMPLETED");
    const declined = await executed();
    await mark((await ordersOf(declined, "PULL"))[0], "DECLINED");
    const failed = await transactionOf(story, declined.transactionId);
    expect(failed).toMatchObject({ status: "FAILED", failureReason: "COLLECTION_FAILED" });
    expect(failed.refund).toBeUndefined();
  });

  it.each([
    ["SETTLED", "COMPLETED"],
    ["DECLINED", "FAILED"],
  ])("gives the money back by an order that is %s: its refund is %s", async (outcome, refund) => {
    await routeTo(story, pulls, { direction: "PULL" });
    const quote = await executed();
    await mark((await ordersOf(quote, "PULL"))[0], "SETTLED");
    await mark((await ordersOf(quote, "OUT"))[0], "DECLINED");
    const [back] = await ordersOf(quote, "BACK");
    expect(back).toMatchObject({
      amount: { amount: 1_000 },
      counterparty: { accountType: "USD_ACCOUNT" },
    });
    await mark(back, outcome);
    expect((await transactionOf(story, quote.transactionId)).refund.status).toBe(refund);
  });
});
