/**
 * Payments over a connector while servers and the connector are killed and frozen. The judge is the pretend bank's own books: each order
 * reached it once at most, and what it has paid is what the platform's books have paid. Then money that comes in and is given back.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { pause, systemClock } from "../../src/std/clock.ts";
import { chanceFrom } from "../kit/chance.ts";
import { freePort } from "../kit/free-port.ts";
import { CALLBACK_SECRET, SIGNING_SECRET } from "../kit/rail-connector.ts";
import { eventually } from "./eventually.ts";
import { send } from "./history.ts";
import { verified } from "./judge.ts";
import { type Customer, customerWith, expectReply, type Rig, startRig } from "./rig.ts";
import { figures, limitMs, rounds, seedOf } from "./rounds.ts";
import type { ServerProcess } from "./server-process.ts";

const CONNECTOR = fileURLToPath(
  new URL("../../../../examples/rail-connector/connector.mjs", import.meta.url),
);
/** Beside each trouble. The long run makes 40 rounds of the six: 320 kills over 20,160 payments. */
const PAYMENTS = process.env.CHAOS === "long" ? 84 : 24;
/** Longer than a lease. */
const FROZEN_MS = 6_500;
/** Of one order: longer than every retry and lease together. */
const LONG_FROZEN_MS = 30_000;

let place: string;
let rig: Rig;
let servers: readonly ServerProcess[];
let connectorPort: number;
let connector: ChildProcess | undefined;
let callbackUrl: string | undefined;
let customer: Customer;
let connectionId: string;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "florin-rails-"));
  await writeFile(join(place, "signing"), SIGNING_SECRET);
  await writeFile(join(place, "callback"), CALLBACK_SECRET);
  connectorPort = await freePort();
  const port = await freePort();
  const env = { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connectorPort}` };
  rig = await startRig({
    servers: [{ settings: { ...env, PORT: String(port) } }, { settings: env }],
  });
  servers = rig.servers;
  await startConnector();
  connectionId = await connect();
  const uuid = connectionId.slice(connectionId.indexOf(":") + 1);
  callbackUrl = `http://127.0.0.1:${port}/2025-10-13/rails/callbacks/${uuid}`;
  await killConnector();
  await startConnector();
  customer = await customerWith(first(), 100_000);
}, 120_000);
afterAll(async () => {
  connector?.kill("SIGKILL");
  await rig.close();
  await rm(place, { recursive: true });
});

const first = () => present(servers[0], "a server");
const second = () => present(servers[1], "another server");

async function startConnector(): Promise<void> {
  const started = spawn(process.execPath, [
    CONNECTOR,
    ...["--data", join(place, "bank"), "--port", String(connectorPort), "--settle-ms", "80"],
    "--pay-in",
    ...["--signing-secret-file", join(place, "signing"), "--slow", "40"],
    ...["--callback-secret-file", join(place, "callback")],
    ...(callbackUrl === undefined ? [] : ["--callback-url", callbackUrl]),
  ]);
  connector = started;
  await new Promise((resolve) => started.stdout.once("data", resolve));
}

async function killConnector(): Promise<void> {
  const dying = present(connector, "a connector");
  const ended = new Promise((resolve) => dying.once("exit", resolve));
  dying.kill("SIGKILL");
  await ended;
}

async function connect(): Promise<string> {
  const server = first();
  const post = (path: string, status: number, body?: unknown) =>
    expectReply(server, status, { method: "POST", path, body });
  const made = await post("/rails/connections", 201, {
    name: "bank",
    kind: "HTTP",
    currencies: ["USD"],
    account: { holderName: "Acme Payments", label: "operating" },
    settings: {
      baseUrl: `http://127.0.0.1:${connectorPort}`,
      timeoutMs: 1_000,
      concurrency: 4,
      feed: true,
      pollSeconds: 10,
    },
    secrets: { signingSecret: SIGNING_SECRET, callbackSecret: CALLBACK_SECRET },
  });
  const connectionId = String(made.id);
  await post(`/rails/connections/${connectionId}/activate`, 200);
  await post("/rails/routes", 201, {
    name: "dollars",
    direction: "OUT",
    currency: "USD",
    connectionId,
  });
  return connectionId;
}

/** Sends under one key until it is answered, by whichever server lives. */
async function pay(reference: string): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const server = present(servers[attempt % servers.length], "a server");
    const call = {
      method: "POST",
      path: "/transfer-out",
      key: reference,
      body: customer.payment(reference),
    } as const;
    const reply = await send(server, call).catch(() => undefined);
    if (reply?.status === 201) return JSON.parse(reply.text).id;
    if (reply !== undefined && reply.status !== 503) throw new Error(reply.text);
    await pause(systemClock, 30);
  }
}

/** What may happen beside the payments of a round. */
const TROUBLES: Readonly<Record<string, (waitMs: number) => Promise<void>>> = {
  async "a server is killed"(waitMs) {
    await pause(systemClock, waitMs);
    await first().kill();
    await first().start();
  },
  async "both servers are killed"(waitMs) {
    await pause(systemClock, waitMs);
    await Promise.all([first().kill(), second().kill()]);
    await first().start();
    await second().start();
  },
  async "the connector is killed"(waitMs) {
    await pause(systemClock, waitMs);
    await killConnector();
    await pause(systemClock, waitMs);
    await startConnector();
  },
  async "a server and the connector are killed"(waitMs) {
    await pause(systemClock, waitMs);
    await Promise.all([second().kill(), killConnector()]);
    await startConnector();
    await second().start();
  },
  async "a server is killed soon after its start"(waitMs) {
    await first().kill();
    await first().start();
    await pause(systemClock, waitMs);
    await first().kill();
    await first().start();
  },
  async "a server is frozen"(waitMs) {
    await pause(systemClock, waitMs);
    first().signal("SIGSTOP");
    await pause(systemClock, FROZEN_MS);
    first().signal("SIGCONT");
  },
};

interface BankBooks {
  readonly orders: readonly string[];
  /** By the id of the order, how much was paid, and how often. */
  readonly paid: ReadonlyMap<string, readonly bigint[]>;
  /** The ids of credits by payers. */
  readonly credits: readonly string[];
  /** The orders that give such a credit back, by the id of the credit. */
  readonly backs: ReadonlyMap<string, readonly string[]>;
}

async function bankBooks(): Promise<BankBooks> {
  const text = await readFile(join(place, "bank/books.jsonl"), "utf8");
  const lines = text.trimEnd().split("\n");
  const orders: string[] = [];
  const paid = new Map<string, bigint[]>();
  const credits: string[] = [];
  const backs = new Map<string, string[]>();
  for (const { order, entry } of lines.map((line) => JSON.parse(line))) {
    if (order !== undefined) orders.push(order.id);
    const given = order?.body.original?.entryId;
    if (given !== undefined) backs.set(given, [...(backs.get(given) ?? []), order.id]);
    if (entry !== undefined && entry.paymentId === undefined) credits.push(entry.id);
    if (entry?.paymentId === undefined) continue;
    paid.set(entry.paymentId, [...(paid.get(entry.paymentId) ?? []), BigInt(entry.amount)]);
  }
  return { orders, paid, credits, backs };
}

async function listed(state: string): Promise<readonly Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for (let cursor: string | undefined; ; ) {
    const more = cursor === undefined ? "" : `&cursor=${cursor}`;
    const path = `/rails/payments?limit=100&state=${state}${more}`;
    const page = await expectReply(second(), 200, { method: "GET", path });
    rows.push(...(page.data as readonly Record<string, unknown>[]));
    if (page.hasMore !== true) return rows;
    cursor = String(page.nextCursor);
  }
}

/** A degraded connection is probed by the platform's clock, which is moved on. */
async function advance(): Promise<void> {
  const call = { method: "POST", path: "/sandbox/clock/advance", body: { seconds: 61 } } as const;
  await send(second(), call).catch(() => undefined);
}

async function settleAll(): Promise<void> {
  await eventually(
    "the end of every payment",
    async () => {
      await advance();
      for (const state of ["QUEUED", "SENDING", "UNKNOWN", "SENT", "ACCEPTED"]) {
        if ((await listed(state)).length > 0) return undefined;
      }
      return true;
    },
    120_000,
  );
}

/** Every entry of the bank was read from the feed once, and is the settlement of its order. */
async function expectEntries(count: number): Promise<void> {
  const read = async (more: string) => {
    const path = `/rails/entries?connectionId=${connectionId}&limit=1${more}`;
    return expectReply(second(), 200, { method: "GET", path });
  };
  await eventually(
    "every entry of the feed",
    async () => {
      await advance();
      return (await read("")).totalCount === count ? true : undefined;
    },
    60_000,
  );
  const items = await expectReply(second(), 200, { method: "GET", path: "/rails/items" });
  expect(items.data).toEqual([]);
}

it("reach the bank once at most, and both books agree, across kills and freezes", {
  timeout: limitMs(150),
}, async () => {
  const chance = chanceFrom(seedOf(20_261_125));
  const transactions: string[] = [];
  for (let round = 0; round < rounds(2); round++) {
    for (const [what, trouble] of Object.entries(TROUBLES)) {
      const payments = Array.from({ length: PAYMENTS }, (_, index) =>
        pay(`${round}-${what.replaceAll(" ", "-")}-${index}`),
      );
      await trouble(chance(400));
      transactions.push(...(await Promise.all(payments)));
      await advance();
    }
  }
  await settleAll();

  const { orders, paid } = await bankBooks();
  const settled = await listed("SETTLED");
  figures("killed rails", { payments: transactions.length, orders: orders.length });
  expect(new Set(transactions).size).toBe(transactions.length);
  expect(new Set(orders).size).toBe(orders.length);
  expect(settled).toHaveLength(transactions.length);
  const bare = settled.map(({ id }) => String(id).slice("RailPayment:".length));
  expect(bare.toSorted()).toEqual(orders.toSorted());
  expect([...paid.values()].filter((amounts) => amounts.length !== 1)).toEqual([]);
  const sum = [...paid.values()].flat().reduce((total, amount) => total + amount, 0n);
  const balances = await expectReply(second(), 200, {
    method: "GET",
    path: `/ledger/accounts?kind=clearing&currency=USD&connectionId=${connectionId}`,
  });
  const [clearing] = balances.data as readonly { readonly balance: { readonly amount: number } }[];
  expect(BigInt(present(clearing, "the clearing account").balance.amount)).toBe(sum);
  await expectEntries(orders.length);
  expect(await verified(rig.database.address)).toEqual([]);
});

/** A payer sends money; one whose answer was lost may have sent it. */
async function payIn(): Promise<void> {
  const url = `http://127.0.0.1:${connectorPort}/pay-in`;
  const payer = { name: "Ana Ruiz", account: "123456789" };
  const body = JSON.stringify({ currency: "USD", amount: "700", remittance: "rent", payer });
  for (;;) {
    const answer = await fetch(url, { method: "POST", body }).catch(() => undefined);
    if (answer?.status === 200) return;
    await pause(systemClock, 30);
  }
}

/** Gives every open item back, under a key of its own, by whichever server lives. Answers whether there was one. */
async function giveItemsBack(): Promise<boolean> {
  const list = { method: "GET", path: "/rails/items?state=OPEN&limit=100" } as const;
  let found = false;
  for (const server of servers) {
    const page = await send(server, list).catch(() => undefined);
    if (page?.status !== 200) continue;
    const items = JSON.parse(page.text).data as readonly { readonly id: string }[];
    for (const { id } of items) {
      found = true;
      const parts = [{ kind: "RETURN", amount: 700 }];
      const body = { parts, note: "not ours" };
      const call = { method: "POST", path: `/rails/items/${id}/resolve`, key: `back-${id}`, body };
      await send(server, call as Parameters<typeof send>[1]).catch(() => undefined);
    }
  }
  return found;
}

it("give every credit back once, across kills and freezes", {
  timeout: limitMs(150),
}, async () => {
  const chance = chanceFrom(seedOf(20_261_126));
  for (const trouble of Object.values(TROUBLES)) {
    const payments = Array.from({ length: 8 }, payIn);
    let isOver = false;
    const giving = (async () => {
      while (!isOver) {
        await giveItemsBack();
        await pause(systemClock, 50);
      }
    })();
    await trouble(chance(400));
    await Promise.all(payments);
    isOver = true;
    await giving;
  }
  await eventually(
    "every credit as an item that was given back",
    async () => {
      await advance();
      const { credits } = await bankBooks();
      const path = "/rails/items?limit=1&state=RESOLVED";
      const resolved = await expectReply(second(), 200, { method: "GET", path });
      return !(await giveItemsBack()) && resolved.totalCount === credits.length ? true : undefined;
    },
    60_000,
  );
  await settleAll();
  const { credits, backs, orders } = await bankBooks();
  figures("killed rails, money back", { credits: credits.length });
  expect(credits.length).toBeGreaterThanOrEqual(32);
  expect(new Set(orders).size).toBe(orders.length);
  expect([...backs.keys()].toSorted()).toEqual(credits.toSorted());
  expect([...backs.values()].filter((ids) => ids.length !== 1)).toEqual([]);
  expect(await verified(rig.database.address)).toEqual([]);
});

it("reach the bank once when their server is frozen for 30 s amid the sending, and are not lost", {
  timeout: limitMs(120),
}, async () => {
  const before = new Set((await bankBooks()).orders);
  const sending = Array.from({ length: 12 }, (_, index) => pay(`amid-${index}`));
  // The bank has an order and answers late: the exchange is under way.
  await eventually("an order at the bank", async () => {
    const { orders } = await bankBooks();
    return orders.some((id) => !before.has(id)) ? true : undefined;
  });
  first().signal("SIGSTOP");
  const frozenAt = systemClock.now();
  const transactions = await Promise.all(sending);
  await pause(systemClock, LONG_FROZEN_MS - (systemClock.now() - frozenAt));
  first().signal("SIGCONT");
  await settleAll();

  const { orders, paid } = await bankBooks();
  const sent = orders.filter((id) => !before.has(id));
  expect(new Set(orders).size).toBe(orders.length);
  expect(sent).toHaveLength(transactions.length);
  expect(sent.filter((id) => paid.get(id)?.length !== 1)).toEqual([]);
  for (const id of transactions) {
    const path = `/transactions/${id}`;
    expect((await expectReply(second(), 200, { method: "GET", path })).status).toBe("COMPLETED");
  }
  expect(await verified(rig.database.address)).toEqual([]);
});
