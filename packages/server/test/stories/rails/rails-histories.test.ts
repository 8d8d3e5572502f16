/**
 * Random histories of a desk, and of a bank whose connector names orders: orders, marks and entries in any order, entries told one to three times, whole, short
 * and late, named by the rail or quoted by a payer, items resolved. After each history the clearing account is what the entries say, but for
 * orders that were marked and whose entry has not come. A quoted order stays as it is.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { chanceFrom } from "../../kit/chance.ts";
import { openConnector, type TestConnector } from "../../kit/rail-connector.ts";
import { foundAfter } from "../../kit/reconciled.ts";
import { sampleOf } from "../../kit/sample.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { tellEntry } from "../../kit/story-funding.ts";
import {
  activeConnection,
  expectStatus,
  manualConnection,
  type Payer,
  payerOf,
  routeTo,
} from "../../kit/story-rails.ts";
import { bareId, openBank } from "../../kit/story-returns.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const STEPS = 80;

let server: TestServer;
let connector: TestConnector;
beforeAll(async () => {
  connector = await openConnector();
  const settings = { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` };
  server = await startTestServer({ settings });
});
afterAll(async () => {
  await server.close();
  await connector.close();
});

type Line = {
  readonly bankReference: string;
  readonly direction: "CREDIT" | "DEBIT";
  readonly amount: number;
  readonly currency: "USD";
  readonly bookedOn: string;
  readonly reference?: string;
  readonly remittance?: string;
};

interface Desk {
  readonly story: Story;
  readonly payer: Payer;
  readonly connectionId: string;
  readonly chance: (below: number) => number;
  readonly told: Map<string, Line>;
  readonly isBank: boolean;
}

async function openDesk(seed: number): Promise<Desk> {
  const chance = chanceFrom(seed);
  if (seed % 2 === 0) {
    const { story, payer, connectionId } = await openBank(server, connector);
    return { story, payer, connectionId, chance, told: new Map(), isBank: true };
  }
  const story = await openStory(server, { environment: "PRODUCTION" });
  const payer = await payerOf(story, 100_000);
  const connectionId = await activeConnection(story, manualConnection());
  await routeTo(story, connectionId);
  await routeTo(story, connectionId, { direction: "PULL" });
  return { story, payer, connectionId, chance, told: new Map(), isBank: false };
}

type Listed = readonly Readonly<Record<string, unknown>>[];

async function listed({ story, connectionId }: Desk, list: string, more = ""): Promise<Listed> {
  const query = `connectionId=${connectionId}&limit=100${more}`;
  return expectStatus(200, await story.call("GET", `/rails/${list}?${query}`)).json.data;
}

/** Given to the connector before the history goes on, so that no other step moves an order but those below. */
async function order({ story, payer, chance, isBank }: Desk): Promise<void> {
  const amount = 20 + chance(100);
  if (chance(2) === 0) expectStatus(201, await payer.pay(amount));
  else {
    const body = {
      source: { accountId: payer.payeeId },
      destination: { accountId: payer.accountId },
      amount,
    };
    expectStatus(201, await story.call("POST", "/transfer-in", body));
  }
  if (isBank) await story.settle();
}

async function anOrder(desk: Desk): Promise<Listed[number] | undefined> {
  const orders = await listed(desk, "payments");
  return orders[desk.chance(Math.max(1, orders.length))];
}

/** Marks that contradict what was recorded are refused, which is as good. */
async function mark(desk: Desk): Promise<void> {
  const outcome = ["SENT", "SETTLED", "DECLINED", "RETURNED"][desk.chance(4)];
  const marked = await anOrder(desk);
  if (marked === undefined) return;
  const answer = await desk.story.call("POST", `/rails/payments/${marked.id}/mark`, { outcome });
  expect([200, 409]).toContain(answer.status);
}

async function entry(desk: Desk): Promise<void> {
  const { chance, told, isBank } = desk;
  const named = chance(4) === 0 ? undefined : await anOrder(desk);
  const amount = (named?.amount as { readonly amount: number } | undefined)?.amount ?? 7;
  const amounts = [amount, amount, amount, amount + 1, Math.ceil(amount * 0.9), 1];
  const isLate = chance(6) === 0;
  const line: Line = {
    bankReference: `L-${told.size}`,
    direction: chance(2) === 0 ? "CREDIT" : "DEBIT",
    amount: amounts[chance(amounts.length)] ?? amount,
    currency: "USD",
    bookedOn: isLate ? "2999-01-01" : "2026-11-24",
  };
  const name = String(named?.endToEndId);
  const text = chance(3) === 0 ? { remittance: `for ${name}` } : { reference: name };
  const isStated = named !== undefined && isBank && chance(2) === 0;
  told.set(line.bankReference, line);
  await tell(desk, {
    ...line,
    ...(named === undefined || isStated ? {} : text),
    ...(isStated ? { paymentId: bareId(String(named.id)) } : {}),
  });
  if (named === undefined || isStated) return;
  const { json: after } = await desk.story.call("GET", `/rails/payments/${named.id}`);
  const isOurs = line.direction === "DEBIT" && named.direction === "OUT";
  if (!isOurs) expect([after.state, after.conflict]).toEqual([named.state, named.conflict]);
}

/** One to three times. */
async function tell(
  { story, connectionId, chance, isBank }: Desk,
  { paymentId, ...line }: Line & { readonly paymentId?: string },
): Promise<void> {
  const { bankReference: id, amount, bookedOn: bookedAt } = line;
  const entry = { ...line, id, bookedAt, amount: String(amount), ...(paymentId && { paymentId }) };
  const path = `/rails/connections/${connectionId}/entries`;
  const once = () =>
    isBank ? tellEntry(story, connectionId, entry) : story.call("POST", path, line);
  const answers = await Promise.all(Array.from({ length: 1 + chance(3) }, once));
  const again = answers.length - 1;
  const wanted = isBank ? Array(again + 1).fill(204) : [201, ...Array(again).fill(409)];
  expect(answers.map(({ status }) => status).toSorted()).toEqual(wanted);
}

async function resolve(desk: Desk): Promise<void> {
  const { chance, story, payer } = desk;
  const items = await listed(desk, "items", "&state=OPEN");
  const item = items[chance(Math.max(1, items.length))];
  if (item === undefined) return;
  const { amount } = item.amount as { readonly amount: number };
  const { suggestedPaymentId: paymentId } = item;
  if (paymentId !== undefined && chance(2) === 0) {
    const order = (await story.call("GET", `/rails/payments/${paymentId}`)).json;
    const isSettling = (order.direction === "PULL") === (item.direction === "CREDIT");
    const outcome = isSettling ? "SETTLED" : "RETURNED";
    const parts = [{ kind: "PAYMENT", amount, paymentId, outcome }];
    const path = `/rails/items/${item.id}/resolve`;
    const answer = await story.call("POST", path, { parts, note: "known" });
    expect([200, 400, 409]).toContain(answer.status);
    return;
  }
  const isAccount = item.direction === "CREDIT" && chance(2) === 0;
  const part = isAccount
    ? { kind: "ACCOUNT", amount, accountId: payer.accountId }
    : { kind: "OWN_FUNDS", amount, label: "charge" };
  const body = { parts: [part], note: "known" };
  expectStatus(200, await story.call("POST", `/rails/items/${item.id}/resolve`, body));
}

const signed = ({ direction, amount }: { readonly direction: string; readonly amount: number }) =>
  direction === "CREDIT" ? amount : -amount;

const WORD: Readonly<Record<string, string>> = { PAYMENT: "SETTLED", RETURN: "RETURNED" };

/** What orders have moved by reports whose entry has not come: of the settlement, and of the return. */
async function reportedAlone(desk: Desk): Promise<number> {
  const entries = await listed(desk, "entries");
  const items = await listed(desk, "items");
  type Parts = readonly { readonly paymentId?: string; readonly outcome?: string }[];
  const parts = items.flatMap(
    ({ resolution }) => (resolution as { readonly parts: Parts } | undefined)?.parts ?? [],
  );
  const has = (bookedAs: string, id: unknown) =>
    entries.some((each) => each.bookedAs === bookedAs && each.paymentId === id) ||
    parts.some(({ paymentId, outcome }) => paymentId === id && outcome === WORD[bookedAs]);
  let sum = 0;
  for (const order of await listed(desk, "payments")) {
    const { id, state, direction, amount, transactionId, returned } = order;
    const sign = direction === "OUT" ? -1 : 1;
    const out = sign * (amount as { readonly amount: number }).amount;
    const back = (returned as { readonly amount: number } | undefined)?.amount ?? 0;
    const { status } = (await desk.story.call("GET", `/transactions/${transactionId}`)).json;
    const isSettled = state === "RETURNED" || (state === "SETTLED" && status !== "FAILED");
    if (isSettled && !has("PAYMENT", id)) sum += out;
    if (state === "RETURNED" && !has("RETURN", id)) sum -= sign * back;
  }
  return sum;
}

it.each(sampleOf([1, 2, 3, 4, 5, 6]))(
  "leaves nothing unexplained in history %i",
  async (seed) => {
    const desk = await openDesk(seed);
    const steps = [order, order, mark, mark, entry, entry, resolve];
    for (let step = 0; step < STEPS; step++) await steps[desk.chance(steps.length)]?.(desk);
    await desk.story.settle();
    expect(await foundAfter({ server, story: desk.story }, "select 1")).toEqual([]);

    const path = `/ledger/accounts?connectionId=${desk.connectionId}`;
    const { json } = await desk.story.call("GET", path);
    const data = json.data as readonly {
      readonly kind: string;
      readonly balance: { readonly amount: string };
    }[];
    const balanceOf = (kind: string) =>
      Number(data.find((account) => account.kind === kind)?.balance.amount ?? 0);
    const outside = [...desk.told.values()].reduce((sum, line) => sum + signed(line), 0);
    expect(-balanceOf("clearing")).toBe(outside + (await reportedAlone(desk)));
    const open = await listed(desk, "items", "&state=OPEN");
    const waiting = open.map(({ direction, amount }) => ({
      direction: String(direction),
      amount: (amount as { readonly amount: number }).amount,
    }));
    expect(balanceOf("suspense")).toBe(waiting.reduce((sum, item) => sum + signed(item), 0));
    expect(desk.told.size).toBeGreaterThan(10);
  },
  60_000,
);
