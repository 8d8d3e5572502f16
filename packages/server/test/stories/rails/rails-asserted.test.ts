/** No person and no token says alone that money came or went, where another person could: each way to say so, in a workspace with several. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROOF_COUNTS_MS } from "../../../src/http/console/console-entrance.ts";
import { systemClock } from "../../../src/std/clock.ts";
import { stepUp } from "../../kit/console.ts";
import { foundAfter } from "../../kit/reconciled.ts";
import type { RawAnswer } from "../../kit/story.ts";
import { verdictOf } from "../../kit/story-approvals.ts";
import { booksOf, creditLine, itemsOf, referenceOf } from "../../kit/story-funding.ts";
import { type Guarded, openGuarded } from "../../kit/story-guarded.ts";
import { internalAccount } from "../../kit/story-money.ts";
import { euroAccount } from "../../kit/story-quotes.ts";
import { balanceOf, expectStatus, fixedEuroRate, manualConnection } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

/** Time that is moved on alone. */
const beganAt = systemClock.now();
let aheadMs = 0;
const clock = { ...systemClock, now: () => beganAt + aheadMs };

let server: TestServer;
let guarded: Guarded;
let desk: string;
let euros: string;
beforeAll(async () => {
  server = await startTestServer({ clock });
  guarded = await openGuarded(server);
  desk = await newDesk({
    account: {
      holderName: "Acme Payments",
      routingNumber: "021000021",
      accountNumber: "777000",
      bankName: "House Bank",
    },
    funding: { mode: "REFERENCE" },
  });
  await newRoute({ direction: "FUNDING", currency: "USD", connectionId: desk });
  euros = await newDesk({
    currencies: ["EUR"],
    settings: { accountTypes: ["EUR_ACCOUNT"], paymentRails: ["SEPA", "SEPA_INSTANT"] },
  });
  await newRoute({ direction: "OUT", currency: "EUR", connectionId: euros });
  await fixedEuroRate(guarded.story);
});
afterAll(async () => {
  await guarded.story.settle();
  expect(await foundAfter({ server, story: guarded.story }, "select 1")).toEqual([]);
  await server.close();
});

const call = (method: string, path: string, body?: unknown) =>
  guarded.story.call(method, path, body);

async function newDesk(more: Readonly<Record<string, unknown>>): Promise<string> {
  const made = await call("POST", "/rails/connections", { ...manualConnection(), ...more });
  const { id } = expectStatus(201, made).json;
  await guarded.made(await call("POST", `/rails/connections/${id}/activate`));
  return id;
}

async function newRoute(more: object): Promise<void> {
  await guarded.made(await call("POST", "/rails/routes", { name: "route", ...more }));
}

type By = "finance" | "approver" | "otherOwner";
const by = (who: By) => guarded[who].browser.at(guarded.story.platformId);
const typed = (who: By, more: Readonly<Record<string, unknown>>) =>
  by(who)("POST", `/rails/connections/${desk}/entries`, creditLine(more));
const confirm = (who: By, asked: RawAnswer) =>
  by(who)("POST", `/rails/marks/${asked.json.id}/confirm`);

/** Waits as a mark of the kind, is confirmed by no one who asked, and by another person. */
async function agreed(asked: RawAnswer, kind: string, who: By = "approver") {
  expect(expectStatus(202, asked).json).toMatchObject({ kind, state: "WAITING" });
  return expectStatus(200, await confirm(who, asked)).json;
}

const quoteTo = (accountId: string) => ({
  source: { sourceType: "REALTIME_FUNDING", currency: "USD" },
  destination: { destinationType: "ACCOUNT", accountId },
  lockedCurrencySide: "SENDING",
  lockedCurrencyAmount: 1_000,
});
const referenceIn = ({ json }: RawAnswer) =>
  json.paymentInstructions[0].accountOrWalletInfo.reference;
const statusOf = async (id: string) => (await call("GET", `/quotes/${id}`)).json.status;
const today = () => new Date(clock.now()).toISOString().slice(0, 10);

describe("a quote that a payer funds", () => {
  const quoted = async (who: By) => {
    const to = await euroAccount(guarded.story);
    return expectStatus(201, await by(who)("POST", "/quotes", quoteTo(to)));
  };
  const lineFor = (quote: RawAnswer) => ({ remittance: referenceIn(quote), bookedOn: today() });

  it("is not funded by a line that its maker typed in", async () => {
    const quote = await quoted("finance");
    const { result } = await agreed(await typed("finance", lineFor(quote)), "ENTRY");
    const [item] = await itemsOf(guarded.story, result.entryId);
    expect(item).toMatchObject({ reason: "OWN_QUOTE", state: "OPEN" });
    expect(await statusOf(quote.json.id)).toBe("PENDING");
    const parts = [{ kind: "QUOTE", amount: 1_000, quoteId: quote.json.id }];
    const resolve = (who: By) =>
      by(who)("POST", `/rails/items/${item.id}/resolve`, { parts, note: "it is there" });
    expect(verdictOf(await resolve("finance"))).toEqual([403, "FORBIDDEN", "FOUR_EYES"]);
    // Two others may say that the money is there.
    await agreed(await resolve("otherOwner"), "RESOLUTION");
    expect(await statusOf(quote.json.id)).toBe("PROCESSING");
  });

  it("is not funded by a line, nor by a resolution, that its maker confirms", async () => {
    const quote = await quoted("otherOwner");
    const asked = await typed("finance", lineFor(quote));
    const { result } = await agreed(asked, "ENTRY", "otherOwner");
    const [item] = await itemsOf(guarded.story, result.entryId);
    expect(item.reason).toBe("OWN_QUOTE");
    const parts = [{ kind: "QUOTE", amount: 1_000, quoteId: quote.json.id }];
    const resolution = await by("finance")("POST", `/rails/items/${item.id}/resolve`, {
      parts,
      note: "it is there",
    });
    expectStatus(202, resolution);
    expect(verdictOf(await confirm("otherOwner", resolution))).toEqual([
      403,
      "FORBIDDEN",
      "FOUR_EYES",
    ]);
    expectStatus(200, await confirm("approver", resolution));
  });

  it("is funded by a line of two others, and its payout waits above the ceiling", async () => {
    const quote = await quoted("finance");
    await agreed(await typed("otherOwner", lineFor(quote)), "ENTRY");
    expect(await statusOf(quote.json.id)).toBe("PROCESSING");
    const edit =
      "update quotes set maker = json_build_object('by', 'token x', 'people', json_build_array($2::text)) where id = $1::uuid";
    const found = (person: string) =>
      foundAfter({ server, story: guarded.story }, edit, [
        quote.json.id.slice("Quote:".length),
        person,
      ]);
    const bare = ({ id }: { readonly id: string }) => id.slice("Person:".length);
    expect(await found(bare(guarded.finance))).toEqual([]);
    expect(await found(bare(guarded.otherOwner))).toContainEqual(
      expect.stringMatching(/^rail_marks .* which one of its callers had made$/),
    );
    const path = `/rails/payments?transactionId=${quote.json.transactionId}`;
    const [order] = (await call("GET", path)).json.data;
    expect(order).toMatchObject({ state: "HELD", connectionId: euros });
  });
});

describe("money that a person says came", () => {
  it("credits no account before another person agrees, and then once more above the ceiling", async () => {
    const accountId = await internalAccount(guarded.story, { currency: "USD" });
    const remittance = await referenceOf(guarded.story, accountId);
    const asked = await typed("finance", { remittance });
    const alone = await by("finance")("POST", `/rails/marks/${asked.json.id}/confirm`);
    expect([alone.status, alone.json.details.capability]).toEqual([403, "payments.approve"]);
    const { result } = await agreed(asked, "ENTRY");
    const [item] = await itemsOf(guarded.story, result.entryId);
    expect(item).toMatchObject({ reason: "ABOVE_CEILING", state: "HELD" });
    expect(await balanceOf(guarded.story, accountId)).toBe(0);
    const parts = [{ kind: "ACCOUNT", amount: 1_000, accountId }];
    const path = `/rails/items/${item.id}/resolve`;
    await agreed(await by("finance")("POST", path, { parts, note: "hers" }), "RESOLUTION");
    expect(await balanceOf(guarded.story, accountId)).toBe(1_000);
  });

  it("goes back to an account that was typed in when two have agreed to the order, too", async () => {
    const { result } = await agreed(await typed("finance", {}), "ENTRY");
    const [item] = await itemsOf(guarded.story, result.entryId);
    const parts = [{ kind: "RETURN", amount: 1_000 }];
    const asked = await by("finance")("POST", `/rails/items/${item.id}/resolve`, {
      parts,
      note: "not ours",
    });
    await agreed(asked, "RESOLUTION");
    const { resolution } = (await call("GET", `/rails/items/${item.id}`)).json;
    const path = `/rails/payments/${resolution.parts[0].paymentId}`;
    expect((await call("GET", path)).json).toMatchObject({ direction: "BACK", state: "HELD" });
    const { data } = (await call("GET", "/rails/marks?state=WAITING&limit=100")).json;
    const release = data.find(
      ({ request }: RawAnswer["json"]) => request.paymentId === resolution.parts[0].paymentId,
    );
    const again = await by("approver")("POST", `/rails/marks/${release.id}/confirm`);
    expect(verdictOf(again)).toEqual([403, "FORBIDDEN", "FOUR_EYES"]);
    expectStatus(200, await by("otherOwner")("POST", `/rails/marks/${release.id}/confirm`));
    expect((await call("GET", path)).json.state).toBe("QUEUED");
  });

  it("is no opening of the books before another person agrees", async () => {
    const balance = (booked: number, asOf = "2026-11-20") =>
      by("finance")("POST", `/rails/connections/${euros}/balances`, {
        currency: "EUR",
        asOf,
        booked,
      });
    const asked = await balance(5_000);
    expect(asked.json.request).toEqual({ currency: "EUR", asOf: "2026-11-20", booked: 5_000 });
    expect(await booksOf(guarded.story, euros)).toEqual({});
    await agreed(asked, "BALANCE");
    expect(await booksOf(guarded.story, euros)).toMatchObject({ "own-funds": 5_000 });
    // A later balance moves nothing.
    expectStatus(201, await balance(4_000, "2026-11-21"));
    expect(await booksOf(guarded.story, euros)).toMatchObject({ "own-funds": 5_000 });
  });
});

it("is said with a passkey shown lately alone", async () => {
  aheadMs += PROOF_COUNTS_MS;
  const some = "00000000-0000-7000-8000-000000000001";
  for (const [path, body] of [
    [`/rails/connections/${desk}/entries`, creditLine()],
    [`/rails/connections/${desk}/balances`, { currency: "USD", asOf: "2026-11-20", booked: 1 }],
    [`/rails/items/RailItem:${some}/resolve`, { parts: [], note: "x" }],
    [`/rails/payments/RailPayment:${some}/mark`, { outcome: "SETTLED" }],
    [`/rails/payments/RailPayment:${some}/reroute`, {}],
    ["/rails/marks", { marks: [] }],
    [`/rails/receivables/RailReceivable:${some}/write-off`, { note: "x" }],
    [`/rails/receivables/RailReceivable:${some}/collect`, undefined],
    ["/fx/adjustments", { connectionId: desk, legs: [], note: "x" }],
  ] as const) {
    const { status, json } = await by("finance")("POST", path, body);
    expect([path, status, json.details?.reason]).toEqual([path, 403, "STEP_UP_REQUIRED"]);
  }
  expectStatus(200, await stepUp(guarded.finance.browser));
  expectStatus(202, await typed("finance", {}));
});
