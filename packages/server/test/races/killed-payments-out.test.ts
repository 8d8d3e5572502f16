/** Payments to another institution amid kills: a key has one answer, an invoice is paid once, and the payer pays for what was paid. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bugsIn, type ServerProcess, startServerProcess } from "../faults/server-process.ts";
import { chanceFrom } from "../kit/chance.ts";
import { balanceOf, transactionOf } from "../kit/story-rails.ts";
import { BOB, openPays, type PaysStory } from "../kit/story-uma-pays.ts";
import { TEST_MASTER_KEY } from "../kit/test-server.ts";
import { hookUrlOf } from "../kit/uma-payee.ts";

type Moment = "an answer" | "an order" | "a message" | "a while";

/** When the server is killed amid the quotes of a round, and amid their executions. */
const ROUNDS: readonly (readonly [Moment, Moment])[] = [
  ["a while", "an answer"],
  ["an answer", "an order"],
  ["an order", "a while"],
  ["a while", "a message"],
];
const QUOTES = 6;
const chance = chanceFrom(11);
let at: PaysStory;
let killed: ServerProcess;
beforeAll(async () => {
  at = await openPays();
  const { payee } = at;
  payee.editPay = ({ pr, payeeData }) => {
    payeeData.compliance.utxoCallback = hookUrlOf("vasp.test", pr);
  };
  const { clientId, clientSecret } = at.bank;
  // The credentials of a first start must be those of a token that is there.
  const token = { BOOTSTRAP_CLIENT_ID: clientId, BOOTSTRAP_CLIENT_SECRET: clientSecret };
  const place = { DATABASE_URL: at.server.database.url, MASTER_KEY: TEST_MASTER_KEY };
  killed = await startServerProcess({ env: { ...place, ...at.settings, ...token } });
});
afterAll(async () => {
  await killed.stop();
  await at.close();
});

/** What left outside for an invoice, by the orders that paid it. */
type OutsideBook = Map<string, { readonly order: string; readonly amount: string }[]>;

/** The connector's book. It answers an order as chance has it, and to an inquiry how it ended. */
function keepBook(): OutsideBook {
  const book: OutsideBook = new Map();
  const ends = new Map<string, string>();
  at.connector.report = (id) => {
    const known = ends.get(id);
    if (known !== undefined) return { status: known };
    const end = chance(3) === 0 ? "declined" : "settled";
    ends.set(id, end);
    const { settlement, amount } = at.connector.orders.get(id);
    const { invoice } = settlement;
    if (end === "settled") book.set(invoice, [...(book.get(invoice) ?? []), { order: id, amount }]);
    return { status: chance(2) === 0 ? "accepted" : end };
  };
  return book;
}

interface Call {
  readonly path: string;
  readonly body?: unknown;
  readonly key: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function send({ path, body, key }: Call, baseUrl: string): Promise<Answer> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method: "POST",
    headers: {
      authorization: at.bank.authorization,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

/** An order reaches the connector, or is lost on the way, and nobody gets an answer. */
function anOrder(): Promise<void> {
  const { connector } = at;
  const usual = connector.reply;
  return new Promise((resolve) => {
    connector.reply = (call) => {
      const [, id] = /^\/payments\/([0-9a-f-]{36})$/.exec(call.path) ?? [];
      if (id === undefined || call.method !== "PUT") return usual(call);
      connector.reply = usual;
      if (chance(2) === 0) {
        connector.orders.set(id, call.body);
        connector.report(id);
      }
      resolve();
      return "hang";
    };
  });
}

/** The institution is told of a payment, and the server gets no answer. */
function aMessage(): Promise<void> {
  const { payee } = at;
  return new Promise((resolve) => {
    payee.hook = () => {
      payee.hook = undefined;
      resolve();
    };
  });
}

/** The answers to calls amid which their server was killed: one for each key. */
async function amidKill(calls: readonly Call[], moment: Moment): Promise<readonly Answer[]> {
  const reached = moment === "an order" ? anOrder() : undefined;
  const told = moment === "a message" ? Promise.race([aMessage(), soon(3_000)]) : undefined;
  const sent = calls.map((call) => send(call, killed.baseUrl).catch(() => undefined));
  if (moment === "an answer") await Promise.race(sent);
  else await (reached ?? told ?? soon(20 + chance(400)));
  await killed.kill();
  const before = await Promise.all(sent);
  await killed.start();
  const answers: Answer[] = [];
  for (const [index, call] of calls.entries()) {
    const first = before[index];
    // The two servers take turns, so each of them is the first to be asked again.
    const bases = [killed.baseUrl, at.server.baseUrl];
    const again = index % 2 === 0 ? bases : bases.toReversed();
    const given = first === undefined ? [] : [first];
    for (const base of again) given.push(await send(call, base));
    expect(new Set(given.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    answers.push(given[0] as Answer);
  }
  return answers;
}

async function quoteCall(isAtOnce: boolean): Promise<Call> {
  const side = chance(2) === 0 ? "SENDING" : "RECEIVING";
  const body = {
    source: { sourceType: "ACCOUNT", accountId: at.accountId },
    destination: { destinationType: "UMA_ADDRESS", umaAddress: BOB },
    lookupId: await at.look(),
    lockedCurrencySide: side,
    lockedCurrencyAmount: 500 + chance(2_000),
    ...(isAtOnce ? { immediatelyExecute: true } : {}),
  };
  return { path: "/quotes", body, key: randomUUID() };
}

interface Quote {
  readonly id: string;
  readonly transactionId: string;
  readonly totalSendingAmount: number;
  readonly isExecuted: boolean;
}

/** Of the quotes of a round, the first two begin at once, and the last is never executed. */
async function round([first, second]: readonly [Moment, Moment]): Promise<readonly Quote[]> {
  const calls: Call[] = [];
  for (let index = 0; index < QUOTES; index += 1) calls.push(await quoteCall(index < 2));
  const quotes = (await amidKill(calls, first)).map(({ status, text }, index) => {
    expect([status, text]).toEqual([201, text]);
    return { ...JSON.parse(text), isExecuted: index < QUOTES - 1 };
  });
  const orders = quotes.slice(2, -1).map(({ id }) => ({
    path: `/quotes/${id}/execute`,
    key: randomUUID(),
  }));
  for (const { status, text } of await amidKill(orders, second))
    expect([status, text]).toEqual([200, text]);
  return quotes;
}

interface Ended {
  readonly id: string;
  readonly invoice: string;
  readonly amount: string;
  readonly quoteStatus: string;
  readonly isExecuted: boolean;
  readonly status: string;
  readonly isRefunded: boolean;
  readonly hook: { readonly state: string };
}

async function endOf({ id, transactionId, isExecuted }: Quote): Promise<Ended> {
  const { status, refund } = await transactionOf(at.bank, transactionId);
  const quote = (await at.bank.call("GET", `/quotes/${id}`)).json;
  const payment = (await at.bank.call("GET", `/uma/payments/${transactionId}`)).json;
  const invoice = await at.server.database.asSuperuser(async (client) => {
    const text = "select settlement ->> 'invoice' as invoice from quotes where id = $1";
    return (await client.query(text, [id.replace("Quote:", "")])).rows[0].invoice;
  });
  return {
    id,
    invoice,
    amount: String(payment.settlementAmount.amount),
    quoteStatus: quote.status,
    isExecuted,
    status,
    isRefunded: refund?.status === "COMPLETED",
    hook: payment.hook,
  };
}

/** Where the outside book and the payments disagree. */
function faultsOf(ends: readonly Ended[], book: OutsideBook): readonly string[] {
  const faults: string[] = [];
  const known = new Set(ends.map(({ invoice }) => invoice));
  if (known.size !== ends.length) faults.push("an invoice is in two quotes");
  for (const [invoice, payments] of book) {
    if (payments.length !== 1) faults.push(`paid more than once: ${invoice}`);
    if (!known.has(invoice)) faults.push(`paid without a quote: ${invoice}`);
  }
  for (const { id, invoice, amount, quoteStatus, isExecuted, status, isRefunded } of ends) {
    const paid = book.get(invoice)?.[0]?.amount;
    const end = isExecuted ? `${quoteStatus} ${status} ${isRefunded}` : quoteStatus;
    const isPaid = end === "COMPLETED COMPLETED false";
    if (!isPaid && end !== "FAILED FAILED true" && end !== "EXPIRED")
      faults.push(`${id} has not ended: ${end}`);
    if (isExecuted === (end === "EXPIRED")) faults.push(`${id} expired or not: ${end}`);
    if (paid !== (isPaid ? amount : undefined))
      faults.push(`${id} is ${end}, and ${paid} of ${amount} were paid`);
  }
  return faults;
}

async function outgoing(): Promise<readonly string[]> {
  const { json } = await at.bank.call("GET", "/transactions?limit=100&type=OUTGOING");
  return json.data.map(({ id }: { readonly id: string }) => id);
}

let ends: readonly Ended[] = [];
let book: OutsideBook = new Map();

it("are paid once each, or refunded, or expire", async () => {
  book = keepBook();
  const had = await balanceOf(at.bank, at.accountId);
  const others = await outgoing();
  const quotes: Quote[] = [];
  for (const moments of ROUNDS) quotes.push(...(await round(moments)));
  expect(bugsIn(killed)).toEqual([]);
  await killed.stop();
  for (const ms of [400_000, 400_000]) {
    at.pass(ms);
    await at.bank.settle();
  }
  ends = await Promise.all(quotes.map(endOf));
  expect(faultsOf(ends, book)).toEqual([]);
  // A message whose server was killed is sent again; one of a payment that was not made is never sent.
  const told = new Set(at.payee.hooks.map(({ name }) => name));
  const completed = ends.filter(({ status }) => status === "COMPLETED");
  expect([...told].toSorted()).toEqual(completed.map(({ invoice }) => invoice).toSorted());
  expect(completed.map(({ hook }) => hook.state)).toEqual(completed.map(() => "SENT"));
  const made = quotes.map(({ transactionId }) => transactionId);
  expect((await outgoing()).toSorted()).toEqual([...others, ...made].toSorted());
  const spent = quotes
    .filter((_, index) => ends[index]?.status === "COMPLETED")
    .reduce((sum, { totalSendingAmount }) => sum + totalSendingAmount, 0);
  expect(had - (await balanceOf(at.bank, at.accountId))).toBe(spent);
  const occurred = new Set(ends.map(({ status }) => status));
  expect(occurred).toEqual(new Set(["COMPLETED", "FAILED", "EXPIRED"]));
}, 180_000);

it("are found out where the outside book has paid twice, too little, or nothing", () => {
  const [invoice = "", payments = []] = [...book][0] ?? [];
  const paidAs = (amounts: readonly string[]) =>
    faultsOf(ends, new Map([...book, [invoice, amounts.map((amount) => ({ order: "", amount }))]]));
  const [{ amount } = { amount: "" }] = payments;
  expect(paidAs([amount])).toEqual([]);
  expect(paidAs([amount, amount])).toEqual([`paid more than once: ${invoice}`]);
  expect(paidAs([`${amount}0`])).toHaveLength(1);
  expect(faultsOf(ends, new Map([...book].slice(1)))).toHaveLength(1);
  expect(faultsOf(ends, new Map([...book, ["other", payments]]))).toHaveLength(1);
});
