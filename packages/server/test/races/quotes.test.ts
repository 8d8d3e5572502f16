/** Two servers on one database, and concurrent orders for the same quote or the same account. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { type Call, type Reply, send } from "../faults/history.ts";
import { CLEAN, judge } from "../faults/judge.ts";
import {
  balanceOf,
  type Customer,
  customerWith,
  expectReply,
  type Rig,
  startRig,
} from "../faults/rig.ts";
import { limitMs, rounds } from "../faults/rounds.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ servers: [{}, {}] });
});
afterAll(() => rig.close());

const serverOf = (index: number) => present(rig.servers[index % rig.servers.length], "a server");

/** Lets pending quotes expire, and verifies the books. */
afterEach(async () => {
  await expectReply(serverOf(0), 200, past(300));
  await settle();
});

async function settle(): Promise<void> {
  const history = { operations: [], unknownTries: 0, abandoned: [], slowestRefusalMs: 0 };
  expect(await judge({ history, address: rig.database.address })).toMatchObject(CLEAN);
}

/** Sends all calls concurrently, alternating between the servers. */
function atOnce(calls: readonly Call[], first = 0): Promise<readonly Reply[]> {
  return Promise.all(
    calls.map((call, index) => send(serverOf(first + index), { limitMs: 60_000, ...call })),
  );
}

const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const past = (seconds: number): Call => ({
  method: "POST",
  path: "/sandbox/clock/advance",
  body: { seconds },
});

const SENT = 1_000;

interface Quote {
  readonly id: string;
  readonly transactionId: string;
}

const executionOf = ({ id }: Quote): Call => ({ method: "POST", path: `/quotes/${id}/execute` });

const fundingOf = ({ id }: Quote, currencyAmount = SENT): Call => ({
  method: "POST",
  path: "/sandbox/send",
  body: { quoteId: id, currencyCode: "USD", currencyAmount },
});

let ibans = 0;

async function euroAccount({ customerId }: Customer): Promise<string> {
  const made = await expectReply(serverOf(0), 201, {
    method: "POST",
    path: "/customers/external-accounts",
    body: {
      customerId,
      currency: "EUR",
      accountInfo: {
        accountType: "EUR_ACCOUNT",
        iban: `DE89${String(++ibans).padStart(15, "1")}789`,
        beneficiary: {
          beneficiaryType: "INDIVIDUAL",
          fullName: "Maya Lindqvist",
          birthDate: "1990-04-05",
          countryOfResidence: "DE",
        },
      },
    },
  });
  return String(made.id);
}

function quoteBody(source: object, to: string, more: object = {}): object {
  return {
    source,
    destination: { destinationType: "ACCOUNT", accountId: to },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: SENT,
    ...more,
  };
}

const fromAccount = ({ accountId }: Customer) => ({ sourceType: "ACCOUNT", accountId });

async function quoteOf(source: object, to: string): Promise<Quote> {
  const call: Call = { method: "POST", path: "/quotes", body: quoteBody(source, to) };
  const { id, transactionId } = await expectReply(serverOf(1), 201, call);
  return { id: String(id), transactionId: String(transactionId) };
}

/** Quotes of a thousand cents that wait for their funding, or for execution. */
async function quotesOf(
  customer: Customer,
  { count, isPushed = false }: { readonly count: number; readonly isPushed?: boolean },
): Promise<readonly Quote[]> {
  const { customerId } = customer;
  const to = await euroAccount(customer);
  const source = isPushed
    ? { sourceType: "REALTIME_FUNDING", currency: "USD", customerId }
    : fromAccount(customer);
  return Promise.all(times(count, () => quoteOf(source, to)));
}

function answersOf(replies: readonly Reply[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status, text } of replies) {
    const { code = "" } = text === "" ? {} : (JSON.parse(text) as { readonly code?: string });
    const answer = `${status} ${code}`.trim();
    counts[answer] = (counts[answer] ?? 0) + 1;
  }
  return counts;
}

async function storyOf({ transactionId }: Quote): Promise<string> {
  const { rows } = await rig.database.asSuperuser((client) =>
    client.query<{ type: string }>("select type from events where subject = $1 order by seq", [
      transactionId,
    ]),
  );
  return rows.map(({ type }) => type.replace("OUTGOING_PAYMENT.", "")).join(" ");
}

async function moved(reason: string, accountId?: string): Promise<readonly number[]> {
  const id = accountId?.slice(accountId.indexOf(":") + 1) ?? null;
  const { rows } = await rig.database.asSuperuser((client) =>
    client.query<{ minor: string }>(
      "select amount_minor as minor from ledger_entries " +
        "where reason = $1 and amount_minor < 0 and ($2::uuid is null or account_id = $2) order by command_seq",
      [reason, id],
    ),
  );
  return rows.map(({ minor }) => -Number(minor));
}

const PAID = "PENDING PROCESSING COMPLETED";
const EXPIRED = "PENDING EXPIRED";

describe("a quote with concurrent executions", () => {
  it("is executed once", { timeout: limitMs(15) }, async () => {
    for (let round = 0; round < rounds(2); round++) {
      const customer = await customerWith(serverOf(round), 100 * SENT);
      const [quote] = await quotesOf(customer, { count: 1 });
      const it = present(quote, "a quote");
      const replies = await atOnce(times(50, () => executionOf(it)));
      expect(answersOf(replies)).toEqual({ 200: 1, "409 CONFLICT": 49 });
      await settle();
      expect(await moved("quote.hold", customer.accountId)).toEqual([SENT]);
      expect(await balanceOf(serverOf(round), customer)).toBe(99 * SENT);
      expect(await storyOf(it)).toBe(PAID);
    }
  });

  it("gives all callers under one key the same answer", { timeout: limitMs(15) }, async () => {
    const customer = await customerWith(serverOf(0), 100 * SENT);
    const quotes = await quotesOf(customer, { count: rounds(2) });
    for (const quote of quotes) {
      const replies = await atOnce(
        times(50, () => ({ ...executionOf(quote), key: `execute-${quote.id}` })),
      );
      expect(answersOf(replies)).toEqual({ 200: 50 });
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    }
    await settle();
    expect(await moved("quote.hold", customer.accountId)).toEqual(quotes.map(() => SENT));
    expect(await Promise.all(quotes.map(storyOf))).toEqual(quotes.map(() => PAID));
  });
});

describe("quotes that expire during their execution", () => {
  it("are executed or expire, never both", { timeout: limitMs(20) }, async () => {
    for (let round = 0; round < rounds(2); round++) {
      const customer = await customerWith(serverOf(round), 100 * SENT);
      const quotes = await quotesOf(customer, { count: 24 });
      const replies = await aroundTheEnd(quotes.map(executionOf));
      const executed = await expectOneStoryEach(quotes, replies);
      expect(await moved("quote.hold", customer.accountId)).toEqual(times(executed, () => SENT));
      expect(await balanceOf(serverOf(0), customer)).toBe((100 - executed) * SENT);
    }
  });

  it("are funded or expire, never both", { timeout: limitMs(20) }, async () => {
    const before = (await moved("quote.fund")).length;
    let paid = 0;
    for (let round = 0; round < rounds(2); round++) {
      const customer = await customerWith(serverOf(round), 0);
      const quotes = await quotesOf(customer, { count: 24, isPushed: true });
      const calls = quotes.map((quote) => fundingOf(quote));
      const replies = await aroundTheEnd(calls);
      paid += await expectOneStoryEach(quotes, replies);
    }
    expect(await moved("quote.fund")).toHaveLength(before + paid);
  });

  /** Sends a third of the calls, then advances the clock concurrently with the second third; the last third is late. */
  async function aroundTheEnd(calls: readonly Call[]): Promise<readonly Reply[]> {
    const third = calls.length / 3;
    const early = calls.slice(0, third).map((call, index) => atOnce([call], index));
    await Promise.race(early);
    const [, ...beside] = await atOnce([past(300), ...calls.slice(third, 2 * third)]);
    const late = await atOnce(calls.slice(2 * third));
    return [...(await Promise.all(early)).flat(), ...beside, ...late];
  }

  /** Expects that each was executed in time or expired; returns the number of executed ones. */
  async function expectOneStoryEach(
    quotes: readonly Quote[],
    replies: readonly Reply[],
  ): Promise<number> {
    const answers = answersOf(replies);
    const { 200: inTime = 0, "409 QUOTE_EXPIRED": late = 0 } = answers;
    expect(inTime + late, JSON.stringify(answers)).toBe(quotes.length);
    expect(Math.min(inTime, late)).toBeGreaterThan(0);
    await settle();
    const stories = await Promise.all(quotes.map(storyOf));
    expect(stories).toEqual(replies.map(({ status }) => (status === 200 ? PAID : EXPIRED)));
    return inTime;
  }
});

describe("a quote with concurrent fundings", () => {
  it("accepts one payment", { timeout: limitMs(15) }, async () => {
    const customer = await customerWith(serverOf(0), 0);
    for (let round = 0; round < rounds(2); round++) {
      const before = (await moved("quote.fund")).length;
      const [quote] = await quotesOf(customer, { count: 1, isPushed: true });
      const it = present(quote, "a quote");
      const replies = await atOnce(times(50, () => fundingOf(it)));
      expect(answersOf(replies)).toEqual({ 200: 1, "409 CONFLICT": 49 });
      await settle();
      expect((await moved("quote.fund")).slice(before)).toEqual([SENT]);
      expect(await storyOf(it)).toBe(PAID);
    }
  });

  it("accepts the right amount or a wrong one, never both", { timeout: limitMs(20) }, async () => {
    const customer = await customerWith(serverOf(0), 0);
    const quotes = await quotesOf(customer, { count: rounds(6), isPushed: true });
    const expected: string[] = [];
    for (const [round, quote] of quotes.entries()) {
      const isRight = (index: number) => (index + round) % 4 < 2;
      const replies = await atOnce(
        times(12, (index) => fundingOf(quote, isRight(index) ? SENT : SENT - 1)),
      );
      expect(answersOf(replies)).toEqual({ 200: 1, "409 CONFLICT": 11 });
      const winner = replies.findIndex(({ status }) => status === 200);
      expected.push(isRight(winner) ? PAID : "PENDING FAILED REFUND_PENDING REFUND_COMPLETED");
    }
    await settle();
    expect(await Promise.all(quotes.map(storyOf))).toEqual(expected);
  });
});

describe("quotes and concurrent changes of their accounts", () => {
  it("are executed, or their destination was deleted before", {
    timeout: limitMs(20),
  }, async () => {
    const count = rounds(16);
    const customer = await customerWith(serverOf(0), count * SENT);
    const targets = await Promise.all(times(count, () => euroAccount(customer)));
    const quotes = await Promise.all(targets.map((to) => quoteOf(fromAccount(customer), to)));
    const calls = quotes.flatMap((quote, index): readonly Call[] => {
      const path = `/customers/external-accounts/${targets[index]}`;
      const both: readonly Call[] = [{ method: "DELETE", path }, executionOf(quote)];
      return index % 2 === 0 ? both : both.toReversed();
    });
    const replies = await atOnce(calls);
    const { 204: gone, 200: executed = 0, "409 CONFLICT": late = 0 } = answersOf(replies);
    expect([gone, executed + late]).toEqual([count, count]);
    await expectReply(serverOf(0), 200, past(300));
    await settle();
    const isExecuted = quotes.map((_, index) =>
      replies.slice(2 * index, 2 * index + 2).some(({ status }) => status === 200),
    );
    const stories = await Promise.all(quotes.map(storyOf));
    expect(stories).toEqual(isExecuted.map((was) => (was ? PAID : EXPIRED)));
    expect(await balanceOf(serverOf(1), customer)).toBe((count - executed) * SENT);
  });

  it("spend the balance, and no more", { timeout: limitMs(20) }, async () => {
    for (let round = 0; round < rounds(2); round++) {
      const customer = await customerWith(serverOf(round), 16 * SENT - 1);
      const to = await euroAccount(customer);
      const quotes = await quotesOf(customer, { count: 20 });
      const immediate: Call = {
        method: "POST",
        path: "/quotes",
        body: quoteBody(fromAccount(customer), to, { immediatelyExecute: true }),
      };
      const replies = await atOnce(quotes.flatMap((quote) => [executionOf(quote), immediate]));
      const answers = answersOf(replies);
      const { 200: executed = 0, 201: made = 0, "400 INSUFFICIENT_BALANCE": short } = answers;
      expect([executed + made, short], JSON.stringify(answers)).toEqual([15, 25]);
      await expectReply(serverOf(0), 200, past(300));
      await settle();
      expect(await moved("quote.hold", customer.accountId)).toEqual(times(15, () => SENT));
      expect(await balanceOf(serverOf(round), customer)).toBe(SENT - 1);
    }
  });
});
