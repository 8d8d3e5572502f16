/**
 * Orders above a ceiling that another command made or moved than the one that asked for the payment: a report, a job, another caller. The
 * human who asked releases none of them.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import { bankAccount, openStory, type Story } from "../../kit/story.ts";
import { euroAccount, quoteBody } from "../../kit/story-quotes.ts";
import {
  activeConnection,
  expectStatus,
  fixedEuroRate,
  manualConnection,
  otherToken,
  payerOf,
  paymentOf,
  routeTo,
  tokenMadeBy,
} from "../../kit/story-rails.ts";

const server = await sharedServer();
let story: Story;
let mine: string;
let second: string;

async function open(environment: "PRODUCTION" | "SANDBOX") {
  story = await openStory(server, { environment });
  mine = await tokenMadeBy(story);
  second = await otherToken(story);
}

const confirm = (id: string, authorization: string) =>
  story.call("POST", `/rails/marks/${id}/confirm`, undefined, { authorization });

/** The release of the order that waits; no token of the human who asked gives it. */
async function expectReleasedByAnother(orderId: string) {
  const { json } = await story.call("GET", "/rails/marks?state=WAITING");
  const [mark, ...others] = json.data;
  expect([mark.kind, mark.request.paymentId, others]).toEqual(["RELEASE", orderId, []]);
  for (const authorization of [mine, story.authorization, await tokenMadeBy(story, mine)]) {
    const refused = await confirm(mark.id, authorization);
    expect([refused.status, refused.json.details?.rule]).toEqual([403, "FOUR_EYES"]);
  }
  expectStatus(200, await confirm(mark.id, second));
  expect((await story.call("GET", `/rails/payments/${orderId}`)).json.state).toBe("QUEUED");
}

/** Desks that pay dollars: the first without a ceiling, and another with one of 500. */
async function twoDesks(more: Readonly<Record<string, unknown>> = {}) {
  const first = await activeConnection(story, manualConnection());
  await routeTo(story, first, { priority: 1, ...more });
  const control = { payoutCeiling: 500 };
  const lower = await activeConnection(story, { ...manualConnection(), control });
  await routeTo(story, lower, { priority: 500 });
  return { first, lower };
}

async function paid(): Promise<string> {
  const { accountId, payeeId } = await payerOf(story, 10_000);
  const body = { source: { accountId }, destination: { accountId: payeeId }, amount: 501 };
  const made = await story.call("POST", "/transfer-out", body, { authorization: mine });
  return (await paymentOf(story, expectStatus(201, made).json.id)).id;
}

describe("in a sandbox", () => {
  beforeEach(() => open("SANDBOX"));

  it("an order that a job gives to the next connection", async () => {
    const { first, lower } = await twoDesks({ fallbackAfterSeconds: 60 });
    const orderId = await paid();
    const placeOf = async () => {
      const { json } = await story.call("GET", `/rails/payments/${orderId}`);
      return [json.connectionId, json.state];
    };
    expect(await placeOf()).toEqual([first, "QUEUED"]);
    expectStatus(200, await story.call("POST", `/rails/connections/${first}/pause`));
    await story.call("POST", "/sandbox/clock/advance", { seconds: 61 });
    await story.settle();
    expect(await placeOf()).toEqual([lower, "HELD"]);
    await expectReleasedByAnother(orderId);
  });
});

describe("in production", () => {
  beforeEach(() => open("PRODUCTION"));

  it("an order that another token moves", async () => {
    const { lower } = await twoDesks();
    const orderId = await paid();
    const mover = await otherToken(story);
    const path = `/rails/payments/${orderId}/reroute`;
    const to = { connectionId: lower };
    expectStatus(200, await story.call("POST", path, to, { authorization: mover }));
    await expectReleasedByAnother(orderId);
  });

  it("the payout of a quote whose money was collected", async () => {
    const collecting = await activeConnection(story, manualConnection());
    await routeTo(story, collecting, { direction: "PULL" });
    const control = { payoutCeiling: 500 };
    const paying = await activeConnection(story, {
      ...manualConnection(),
      currencies: ["EUR"],
      settings: { accountTypes: ["EUR_ACCOUNT"], paymentRails: ["SEPA", "SEPA_INSTANT"] },
      control,
    });
    await routeTo(story, paying, { currency: "EUR" });
    await fixedEuroRate(story);
    const wish = { from: await bankAccount(story), to: await euroAccount(story) };
    const quote = expectStatus(
      201,
      await story.call("POST", "/quotes", quoteBody(wish), { authorization: mine }),
    ).json;
    const path = `/quotes/${quote.id}/execute`;
    expectStatus(200, await story.call("POST", path, undefined, { authorization: mine }));
    const pull = await paymentOf(story, quote.transactionId);
    const settled = { outcome: "SETTLED" };
    const mark = `/rails/payments/${pull.id}/mark`;
    expectStatus(200, await story.call("POST", mark, settled, { authorization: second }));
    await story.settle();
    const orders = await story.call("GET", `/rails/payments?transactionId=${quote.transactionId}`);
    const out = orders.json.data.find(({ id }: { readonly id: string }) => id !== pull.id);
    expect([out.connectionId, out.state]).toEqual([paying, "HELD"]);
    await expectReleasedByAnother(out.id);
  });
});
