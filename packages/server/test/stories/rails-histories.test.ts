/**
 * Random histories of a desk: orders, marks and entries in any order, entries told one to three times, items resolved. After each history
 * the clearing account is what the entries say, but for orders that were marked and whose entry has not come.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { chanceFrom } from "../kit/chance.ts";
import { openStory, type Story } from "../kit/story.ts";
import {
  activeConnection,
  expectStatus,
  manualConnection,
  type Payer,
  payerOf,
  routeTo,
} from "../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";

const STEPS = 80;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

type Line = {
  readonly bankReference: string;
  readonly direction: "CREDIT" | "DEBIT";
  readonly amount: number;
  readonly currency: "USD";
  readonly bookedOn: "2026-11-24";
  readonly reference?: string;
};

interface Desk {
  readonly story: Story;
  readonly payer: Payer;
  readonly connectionId: string;
  readonly chance: (below: number) => number;
  readonly told: Map<string, Line>;
}

async function openDesk(seed: number): Promise<Desk> {
  const story = await openStory(server, { environment: "PRODUCTION" });
  const payer = await payerOf(story, 100_000);
  const connectionId = await activeConnection(story, manualConnection());
  await routeTo(story, connectionId);
  await routeTo(story, connectionId, { direction: "PULL" });
  return { story, payer, connectionId, chance: chanceFrom(seed), told: new Map() };
}

type Listed = readonly Readonly<Record<string, unknown>>[];

async function listed({ story, connectionId }: Desk, list: string, more = ""): Promise<Listed> {
  const query = `connectionId=${connectionId}&limit=100${more}`;
  return expectStatus(200, await story.call("GET", `/rails/${list}?${query}`)).json.data;
}

async function order({ story, payer, chance }: Desk): Promise<void> {
  const amount = 1 + chance(50);
  if (chance(2) === 0) expectStatus(201, await payer.pay(amount));
  else {
    const body = {
      source: { accountId: payer.payeeId },
      destination: { accountId: payer.accountId },
      amount,
    };
    expectStatus(201, await story.call("POST", "/transfer-in", body));
  }
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
  const { chance, told, story, connectionId } = desk;
  const named = chance(4) === 0 ? undefined : await anOrder(desk);
  const amount = (named?.amount as { readonly amount: number } | undefined)?.amount ?? 7;
  const line: Line = {
    bankReference: `L-${told.size}`,
    direction: chance(2) === 0 ? "CREDIT" : "DEBIT",
    amount: chance(3) === 0 ? amount + 1 : amount,
    currency: "USD",
    bookedOn: "2026-11-24",
    ...(named === undefined ? {} : { reference: String(named.endToEndId) }),
  };
  told.set(line.bankReference, line);
  const path = `/rails/connections/${connectionId}/entries`;
  const times = Array.from({ length: 1 + chance(3) }, () => story.call("POST", path, line));
  const statuses = (await Promise.all(times)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([201, ...Array(times.length - 1).fill(409)]);
}

async function resolve(desk: Desk): Promise<void> {
  const { chance, story, payer } = desk;
  const items = await listed(desk, "items", "&state=OPEN");
  const item = items[chance(Math.max(1, items.length))];
  if (item === undefined) return;
  const { amount } = item.amount as { readonly amount: number };
  const isAccount = item.direction === "CREDIT" && chance(2) === 0;
  const part = isAccount
    ? { kind: "ACCOUNT", amount, accountId: payer.accountId }
    : { kind: "OWN_FUNDS", amount, label: "charge" };
  const body = { parts: [part], note: "known" };
  expectStatus(200, await story.call("POST", `/rails/items/${item.id}/resolve`, body));
}

const signed = ({ direction, amount }: { readonly direction: string; readonly amount: number }) =>
  direction === "CREDIT" ? amount : -amount;

/** What orders have moved by reports whose entry has not come: of the settlement, and of the return. */
async function reportedAlone(desk: Desk): Promise<number> {
  const entries = await listed(desk, "entries");
  const has = (bookedAs: string, id: unknown) =>
    entries.some((each) => each.bookedAs === bookedAs && each.paymentId === id);
  let sum = 0;
  for (const { id, state, direction, amount, transactionId } of await listed(desk, "payments")) {
    const minor = (amount as { readonly amount: number }).amount;
    const out = direction === "OUT" ? -minor : minor;
    const { status } = (await desk.story.call("GET", `/transactions/${transactionId}`)).json;
    const isSettled = state === "RETURNED" || (state === "SETTLED" && status !== "FAILED");
    if (isSettled && !has("PAYMENT", id)) sum += out;
    if (state === "RETURNED" && !has("RETURN", id)) sum -= out;
  }
  return sum;
}

it.each([1, 2, 3, 4])(
  "leaves nothing unexplained in history %i",
  async (seed) => {
    const desk = await openDesk(seed);
    const steps = [order, order, mark, mark, entry, entry, resolve];
    for (let step = 0; step < STEPS; step++) await steps[desk.chance(steps.length)]?.(desk);

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
