/** Positions, against postings and arithmetic of the test's own: quotes that are executed, settle, fail, come back or stay under way. */
import { beforeEach, expect, it } from "vitest";
import { chanceFrom } from "../../kit/chance.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { askQuote, euroAccount, execute } from "../../kit/story-quotes.ts";
import {
  euroDesk,
  expectStatus,
  fixedEuroRate,
  payerOf,
  paymentOf,
} from "../../kit/story-rails.ts";

const QUOTES = 25;

const server = await sharedServer();
let story: Story;
let from: string;
let to: string;
beforeEach(async () => {
  story = await openStory(server, { environment: "PRODUCTION" });
  ({ accountId: from } = await payerOf(story, 10_000_000));
  to = await euroAccount(story);
  await euroDesk(story);
  await fixedEuroRate(story);
  const rules = [{ from: "USD", to: "*", fixedMinor: 7, bps: 30 }];
  expectStatus(200, await story.call("PUT", "/fees", { rules }));
});

/** The sum of the entries of the account `fx` in a currency, read page by page. */
async function fxPostings(currency: string): Promise<number> {
  const { json } = await story.call("GET", `/ledger/accounts?currency=${currency}&limit=100`);
  const account = json.data.find(({ kind }: RawAnswer["json"]) => kind === "fx");
  let sum = 0;
  for (let query = "limit=100", hasMore = account !== undefined; hasMore; ) {
    const page = await story.call("GET", `/ledger/accounts/${account.id}/entries?${query}`);
    const { data, nextCursor } = expectStatus(200, page).json;
    for (const { amount } of data) sum += Number(amount.amount);
    hasMore = page.json.hasMore;
    query = `limit=100&cursor=${nextCursor}`;
  }
  return sum;
}

it.each([1, 2])("are postings, and what executed quotes will add (history %i)", async (seed) => {
  const chance = chanceFrom(seed);
  const balance = { USD: 0, EUR: 0 };
  const committed = { USD: 0, EUR: 0 };
  for (let count = 0; count < QUOTES; count++) {
    const amount = 100 + chance(90_000);
    const quote = expectStatus(201, await askQuote(story, { from, to, amount })).json;
    if (chance(5) === 0) continue;
    const executed = expectStatus(200, await execute(story, quote.id)).json;
    const euros = quote.totalReceivingAmount;
    // What is exchanged is whole cents; the fee is apart, and what is left over is rounding.
    const dollars = Math.floor((euros * 5) / 4);
    const rest = quote.totalSendingAmount - quote.feesIncluded - dollars;
    expect(rest).toBeGreaterThanOrEqual(0);
    expect(rest).toBeLessThan(2);
    const add = (to: typeof balance) => {
      to.USD += dollars;
      to.EUR -= euros;
    };
    const outcome = ["OPEN", "SENT", "DECLINED", "SETTLED", "RETURNED"][chance(5)] ?? "OPEN";
    const { id } = await paymentOf(story, executed.transactionId);
    const mark = (word: string) =>
      story.call("POST", `/rails/payments/${id}/mark`, { outcome: word });
    if (outcome === "RETURNED") expectStatus(200, await mark("SETTLED"));
    if (outcome !== "OPEN") expectStatus(200, await mark(outcome));
    if (outcome === "OPEN" || outcome === "SENT") add(committed);
    if (outcome === "SETTLED") add(balance);
  }
  await story.settle();
  const { json } = await story.call("GET", "/fx/positions");
  for (const currency of ["USD", "EUR"] as const) {
    const row = json.data.find((each: RawAnswer["json"]) => each.currency === currency);
    expect(row).toMatchObject({
      balance: String(balance[currency]),
      committed: String(committed[currency]),
      net: String(balance[currency] + committed[currency]),
    });
    expect(await fxPostings(currency)).toBe(balance[currency]);
  }
});
