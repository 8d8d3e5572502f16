/**
 * `npm run bench:rail-books [-- ENTRIES]`: compares a server whose connection has 10,000 lines and open orders with one that has
 * ENTRIES of each (1,000,000). Measures on both, in alternating order, the time of lines that settle orders or go to suspense; on the
 * larger one also the reconciliation and each filter of the lists. SQL writes the rows. Fails when a bound is missed.
 */
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BenchApi, type Json, openApi } from "./bench-api.ts";
import { median } from "./goals.ts";
import { Place } from "./place.ts";
import { addConnectorStatement, DAYS, fillRailBooks } from "./rail-books-fill.ts";

const RULES = { measureMs: 2_000, warmupMs: 500, coldMs: 2_000 };
const FEW = 10_000;
const REPORT_MS = 2_000;
/** The highest allowed ratio of a line's time with many open orders to that with few. */
const MOST_RATIO = 1.3;
const CALLERS = 8;
const LINES = 400;
const ROUNDS = 5;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const say = (text: string) => console.error(text);

async function activeDesk(api: BenchApi): Promise<string> {
  const { id } = await api.post("/rails/connections", {
    name: "desk",
    kind: "MANUAL",
    currencies: ["USD"],
    account: { holderName: "Bench", label: "operating" },
    settings: { accountTypes: ["USD_ACCOUNT"], paymentRails: ["ACH", "WIRE"] },
  });
  const connectionId = String(id);
  await api.post(`/rails/connections/${connectionId}/activate`, {});
  const route = { name: "desk", direction: "OUT", currency: "USD", connectionId };
  await api.post("/rails/routes", route);
  return connectionId;
}

async function accountAndPayee(api: BenchApi): Promise<{ accountId: string; payeeId: string }> {
  const { id: customerId } = await api.post("/customers", {
    customerType: "INDIVIDUAL",
    fullName: "Ana Ruiz",
    currencies: ["USD"],
  });
  const found = await api.get(`/customers/internal-accounts?customerId=${customerId}&currency=USD`);
  const [account] = found.data as readonly { readonly id: string }[];
  const accountId = account?.id ?? "";
  await api.post(`/sandbox/internal-accounts/${accountId}/fund`, { amount: 1_000_000_000 });
  const { id } = await api.post("/customers/external-accounts", {
    customerId,
    currency: "USD",
    accountInfo: {
      accountType: "USD_ACCOUNT",
      accountNumber: "12345678901",
      routingNumber: "021000021",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
    },
  });
  return { accountId, payeeId: String(id) };
}

/** Calls `send` once for each item with `CALLERS` concurrent calls. Returns the milliseconds. */
async function timed<T>(items: readonly T[], send: (item: T) => Promise<unknown>): Promise<number> {
  const queue = items.values();
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      for (const item of queue) await send(item);
    }),
  );
  return performance.now() - startedAt;
}

interface Desk {
  readonly api: BenchApi;
  readonly connectionId: string;
  readonly accountId: string;
  readonly payeeId: string;
}

let lines = 0;

function line(more: Json): Json {
  const bankReference = `LINE-${++lines}`;
  const bookedOn = new Date().toISOString().slice(0, 10);
  return { currency: "USD", amount: 100, bookedOn, bankReference, ...more };
}

/** Milliseconds per line, for lines that settle orders and for lines that go to suspense. */
async function matching({ api, connectionId, accountId, payeeId }: Desk): Promise<number> {
  const body = { source: { accountId }, destination: { accountId: payeeId }, amount: 100 };
  await timed(Array.from({ length: LINES / 2 }), () => api.post("/transfer-out", body));
  const references: string[] = [];
  for (let cursor = ""; references.length < LINES / 2; ) {
    const page = await api.get(`/rails/payments?state=QUEUED&limit=100${cursor}`);
    const found = page.data as readonly { readonly endToEndId: string }[];
    references.push(...found.map(({ endToEndId }) => endToEndId));
    cursor = `&cursor=${page.nextCursor}`;
    if (found.length === 0) throw new Error("some orders are missing");
  }
  const told = references.flatMap((reference) => [
    line({ direction: "DEBIT", reference }),
    line({ direction: "CREDIT", remittance: "rent" }),
  ]);
  const path = `/rails/connections/${connectionId}/entries`;
  return (await timed(told, (each) => api.post(path, each))) / told.length;
}

/** Returns the median of the ratios. Runs alternate, because the machine's speed changes. */
async function matchingRatio(few: Desk, many: Desk): Promise<number> {
  await matching(few);
  await matching(many);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const early = round % 2 === 0 ? await matching(few) : undefined;
    const ofMany = await matching(many);
    const ofFew = early ?? (await matching(few));
    console.log(`${ofFew.toFixed(2)} ms a line with few, ${ofMany.toFixed(2)} ms with many`);
    ratios.push(ofMany / ofFew);
  }
  return median(ratios);
}

async function readMs(api: BenchApi, path: string): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await api.get(path);
    rounds.push(performance.now() - startedAt);
  }
  const [first = 0] = rounds;
  console.log(`${path}: ${median(rounds).toFixed(0)} ms, the first ${first.toFixed(0)} ms`);
  return median(rounds);
}

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

/** Times reconciliations: without a statement, with ones from before the first line, and with one of yesterday. Returns the slowest. */
async function reports({ api, connectionId }: Desk): Promise<number> {
  const path = `/rails/connections/${connectionId}`;
  const times = [await readMs(api, `${path}/reconciliation?asOf=${day(DAYS + 20)}`)];
  for (const asOf of [day(DAYS + 10), day(1)]) {
    const startedAt = performance.now();
    await api.post(`${path}/balances`, { currency: "USD", asOf, booked: 0 });
    console.log(`POST balances of ${asOf}: ${(performance.now() - startedAt).toFixed(0)} ms`);
    times.push(await readMs(api, `${path}/reconciliation?asOf=${asOf}`));
  }
  times.push(await readMs(api, `${path}/reconciliation?asOf=${day(DAYS + 4)}`));
  return Math.max(...times);
}

async function lists({ api, connectionId }: Desk): Promise<void> {
  const of = `connectionId=${connectionId}`;
  const times = `from=${day(60)}T10:00:00Z&to=${day(30)}T10:00:00Z`;
  const entryFilters = [
    ...["", of, "direction=CREDIT", "bankReference=BANK-5000", times],
    ...[`${of}&direction=DEBIT`, `${of}&${times}`, `${of}&bankReference=BANK-5000`],
    ...[`direction=DEBIT&${times}`, `${of}&direction=DEBIT&${times}`],
  ];
  for (const filter of entryFilters) await readMs(api, `/rails/entries?limit=100&${filter}`);
  const itemFilters = ["", of, "state=OPEN", "state=RESOLVED", `${of}&state=OPEN`];
  for (const filter of itemFilters) await readMs(api, `/rails/items?limit=100&${filter}`);
  await readMs(api, `/rails/items?limit=100&${of}&state=RESOLVED`);
}

async function openDesk(api: BenchApi, dataDir: string, to: number) {
  const connectionId = await activeDesk(api);
  const desk = { api, connectionId, ...(await accountAndPayee(api)) };
  const filled = { dataDir, connectionId: connectionId.slice("RailConnection:".length) };
  say(`writing ${to} lines`);
  await fillRailBooks(filled, { from: 0, to });
  return { desk, filled };
}

/** A server with its own database. */
async function openPlace(stop: AbortSignal, count: number) {
  const dataDir = await mkdtemp(join(tmpdir(), "florin-bench-"));
  // Under root, PostgreSQL runs as another account, which must be able to enter this directory.
  await chmod(dataDir, 0o711);
  const credentials = { clientId: "bench", clientSecret: randomBytes(32).toString("hex") };
  const server = { main: here("../dist/main.js"), dataDir, credentials };
  const place = new Place({ name: `${count} lines`, server }, { ...RULES, stop, say });
  const close = async () => {
    await place.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const api = openApi(await place.start(), credentials);
    return { ...(await openDesk(api, dataDir, count)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function main(count: number): Promise<void> {
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Error("interrupted")));
  const few = await openPlace(stop.signal, FEW);
  const many = await openPlace(stop.signal, count);
  try {
    const ratio = await matchingRatio(few.desk, many.desk);
    console.log(
      `a line with ${count} open orders and lines, divided by one with ${FEW}: ${ratio.toFixed(2)}`,
    );
    await few.close();
    await addConnectorStatement(many.filled, DAYS + 5);
    await lists(many.desk);
    const slowest = await reports(many.desk);
    if (slowest > REPORT_MS) throw new Error(`a report took ${slowest.toFixed(0)} ms`);
    if (ratio > MOST_RATIO) throw new Error("a line costs more with many open orders");
  } finally {
    await few.close();
    await many.close();
  }
}

await main(Number(process.argv[2] ?? 1_000_000));
