/** A server process with its own PostgreSQL, which a fault test kills under load. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { expect } from "vitest";
import { type DatabaseAddress, openDatabase } from "../../src/postgres/database.ts";
import { systemClock } from "../../src/std/clock.ts";
import { silentLog } from "../../src/std/log.ts";
import { startBulkLoad, storedBulk } from "./bulk-load.ts";
import { eventually } from "./eventually.ts";
import { startLoad } from "./history.ts";
import { CLEAN, changedReplays, inNumbers, judge } from "./judge.ts";
import { type Customer, customerWith, postmasterOf } from "./rig.ts";
import { figures } from "./rounds.ts";
import { bugsIn, type ServerProcess, startServerProcess } from "./server-process.ts";

const RECOVERY_LIMIT_MS = 10_000;

export interface KillRig {
  readonly server: ServerProcess;
  /** The process id of the killed postmaster. */
  killPostgres(): Promise<number>;
  /** Waits for another postmaster: backends of the killed one may still answer. */
  untilReplaced(killed: number): Promise<number>;
  /** Repeats the fault under load; each time the server must recover, and the final verdict must be clean. */
  survives(name: string, count: number, fault: () => Promise<void>): Promise<void>;
  /** Stops the server, deletes its data, and fails when it logged a bug. */
  close(): Promise<void>;
}

interface Parts {
  readonly dataDir: string;
  readonly server: ServerProcess;
  readonly customer: Customer;
  readonly payee: Customer;
}

export async function startKillRig(): Promise<KillRig> {
  const dataDir = await mkdtemp(join(tmpdir(), "florin-kills-"));
  await chmod(dataDir, 0o711);
  const server = await startServerProcess({
    env: { DATA_DIR: dataDir, POSTGRES_SHARED_BUFFERS: "64MB" },
  });
  const customer = await customerWith(server, 1_000_000);
  const payee = await customerWith(server, 0);
  const parts = { dataDir, server, customer, payee };
  return {
    server,
    async killPostgres() {
      const { pid } = await postmasterOf(dataDir);
      process.kill(pid, "SIGKILL");
      return pid;
    },
    untilReplaced: (killed) =>
      eventually("another PostgreSQL", async () => {
        const { pid } = await postmasterOf(dataDir).catch(() => ({ pid: killed }));
        return pid === killed ? undefined : pid;
      }),
    survives: (name, count, fault) => survives(parts, { name, count, fault }),
    async close() {
      if (!server.isRunning) await server.start();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
      expect(bugsIn(server)).toEqual([]);
    },
  };
}

async function survives(
  { dataDir, server, customer, payee }: Parts,
  {
    name,
    count,
    fault,
  }: { readonly name: string; readonly count: number; readonly fault: () => Promise<void> },
): Promise<void> {
  const { payment } = customer;
  const recoveriesMs: number[] = [];
  const before = await read(await addressIn(dataDir), storedBulk);
  const load = startLoad({ servers: [server], clients: 8, payment });
  const toPayee = { payment: customer.bookPayment(payee.accountId), path: "/transfers" };
  const booked = startLoad({ servers: [server], clients: 4, ...toPayee });
  const bulk = startBulkLoad([server], { customer, payee });
  for (let round = 0; round < count; round++) {
    await Promise.all([load.more(100), booked.more(50), bulk.more(3)]);
    const since = systemClock.now();
    await fault();
    const over = systemClock.now();
    recoveriesMs.push(over - since + (await load.recoveredSince(over)));
  }
  const [history, bookHistory, bulkHistory] = await Promise.all([
    load.stop(),
    booked.stop(),
    bulk.stop(),
  ]);
  const operations = [...history.operations, ...bookHistory.operations];
  const unknownTries = history.unknownTries + bookHistory.unknownTries;
  const address = await addressIn(dataDir);
  const verdict = await judge({ history: { ...history, operations, unknownTries }, address });
  const { answered } = bulkHistory;
  figures(name, { faults: count, ...inNumbers(verdict), bulk: answered, recoveriesMs });
  expect(verdict).toMatchObject(CLEAN);
  expect(await read(address, (client) => bulkHistory.problems(client, before))).toEqual([]);
  expect(Math.max(...recoveriesMs)).toBeLessThan(RECOVERY_LIMIT_MS);
  expect(await changedReplays(history, { server, payment, sample: 100 })).toEqual([]);
  expect(await changedReplays(bookHistory, { server, ...toPayee, sample: 50 })).toEqual([]);
  expect(await bulkHistory.changed(server)).toEqual([]);
}

async function addressIn(dataDir: string): Promise<DatabaseAddress> {
  const { host, port } = await postmasterOf(dataDir);
  return { host, port, user: "florin", database: "florin" };
}

async function read<T>(
  address: DatabaseAddress,
  from: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const database = openDatabase({ address, log: silentLog });
  const found = await database.withClient(from);
  await database.close();
  return found;
}
