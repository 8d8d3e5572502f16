import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type BenchApi, openApi } from "./bench-api.ts";
import { type BenchServer, startBenchServer } from "./bench-server.ts";
import { measureAccepted } from "./load-phase.ts";
import { NOBODY, populate } from "./seed.ts";

/**
 * `npm run bench:batches`: the time of 10,000 book transfers as one batch, as a part of the time of 10,000 single calls at 64 connections,
 * and what other callers of the same platform wait meanwhile. Single calls and batches take turns, because the speed of a machine changes.
 */

const ITEMS = 10_000;
const ROUNDS = 3;
const ACCOUNTS = 200;
const CONNECTIONS = 64;
/** The other callers. */
const BESIDE = 8;
const SINGLE_MS = 5_000;

const credentials = { clientId: "bench", clientSecret: randomBytes(32).toString("hex") };

function bodyOf(accounts: readonly string[], name: string) {
  const items = Array.from({ length: ITEMS }, (_, at) => ({
    reference: `item-${at}`,
    kind: "BOOK",
    source: { accountId: accounts[at % ACCOUNTS] },
    destination: { accountId: accounts[(at + 1) % ACCOUNTS] },
    amount: 1,
  }));
  return { name, mode: "INDEPENDENT", items };
}

/** The seconds from the call to the last item, and those to the answer. */
async function runBatch(api: BenchApi, accounts: readonly string[], name: string) {
  const body = bodyOf(accounts, name);
  const startedAt = performance.now();
  const { id } = await api.post("/payment-batches", body);
  const acceptedAt = performance.now();
  for (;;) {
    const { counts } = await api.get(`/payment-batches/${id}`);
    const { waiting, accepted } = counts as { readonly waiting: number; readonly accepted: number };
    if (waiting === 0) {
      if (accepted !== ITEMS) throw new Error(`the batch made ${accepted} payments`);
      const seconds = (performance.now() - startedAt) / 1000;
      return { seconds, answerSeconds: (acceptedAt - startedAt) / 1000 };
    }
    await pause(20);
  }
}

const middle = (values: readonly number[]) =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
const rounded = (value: number) => Math.round(value * 100) / 100;

async function measure(server: BenchServer): Promise<void> {
  const api = openApi(server, credentials);
  const { accounts } = await populate(
    { port: server.port, api },
    { count: ACCOUNTS, known: NOBODY },
  );
  const singles = (connections: number, durationMs: number) =>
    measureAccepted({
      port: server.port,
      api,
      connections,
      warmupMs: 500,
      durationMs,
      sources: accounts,
      destinations: accounts.toReversed(),
      path: "/transfers",
    });
  await singles(CONNECTIONS, SINGLE_MS);
  await runBatch(api, accounts, "warm");
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const single = await singles(CONNECTIONS, SINGLE_MS);
    const batch = await runBatch(api, accounts, `round-${round}`);
    const alone = await singles(BESIDE, SINGLE_MS);
    const state = { isOver: false };
    const batches = (async () => {
      for (let one = 0; !state.isOver; one += 1) {
        await runBatch(api, accounts, `beside-${round}-${one}`);
      }
    })();
    const beside = await singles(BESIDE, SINGLE_MS);
    state.isOver = true;
    await batches;
    const singleSeconds = ITEMS / single.perSecond;
    rounds.push({
      singleSeconds: rounded(singleSeconds),
      batchSeconds: rounded(batch.seconds),
      answerSeconds: rounded(batch.answerSeconds),
      part: rounded(batch.seconds / singleSeconds),
      p99AloneMs: rounded(alone.p99Ms),
      p99BesideMs: rounded(beside.p99Ms),
      p99Times: rounded(beside.p99Ms / alone.p99Ms),
    });
  }
  const part = middle(rounds.map((round) => round.part));
  const p99Times = middle(rounds.map((round) => round.p99Times));
  console.log(JSON.stringify({ items: ITEMS, rounds, part, p99Times }, null, 2));
}

const dataDir = await mkdtemp(join(tmpdir(), "florin-batches-"));
// Under root, PostgreSQL runs as another account, which must be able to enter this directory.
await chmod(dataDir, 0o711);
try {
  const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
  const server = await startBenchServer({ main, dataDir, credentials });
  try {
    await measure(server);
  } finally {
    await server.stop();
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
