/** Kills under load: the server, its PostgreSQL, both; and the server while PostgreSQL is stalled. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { systemClock } from "../../../src/std/clock.ts";
import { eventually } from "../eventually.ts";
import { type Load, startLoad } from "../history.ts";
import { CLEAN, changedReplays, inNumbers, judge, type Verdict } from "../judge.ts";
import { type PostgresProxy, startPostgresProxy } from "../postgres-proxy.ts";
import { type Customer, customerWith, postmasterOf, type Rig, startRig } from "../rig.ts";
import { figures, limitMs, rounds } from "../rounds.ts";
import { type Sabotaged, sabotagedServer } from "../sabotage.ts";
import { bugsIn, type ServerProcess, startServerProcess } from "../server-process.ts";

const RECOVERY_LIMIT_MS = 10_000;

describe("a server with its own PostgreSQL", () => {
  let dataDir: string;
  let server: ServerProcess;
  let customer: Customer;
  let payee: Customer;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "florin-kills-"));
    await chmod(dataDir, 0o711);
    server = await startServerProcess({
      env: { DATA_DIR: dataDir, POSTGRES_SHARED_BUFFERS: "64MB" },
    });
    customer = await customerWith(server, 1_000_000);
    payee = await customerWith(server, 0);
  });
  afterAll(async () => {
    if (!server.isRunning) await server.start();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
    expect(bugsIn(server)).toEqual([]);
  });

  const killPostgres = async () => {
    const { pid } = await postmasterOf(dataDir);
    process.kill(pid, "SIGKILL");
    return pid;
  };

  /** Waits for another postmaster: backends of the killed one may still answer. */
  const untilReplaced = (killed: number) =>
    eventually("another PostgreSQL", async () => {
      const { pid } = await postmasterOf(dataDir).catch(() => ({ pid: killed }));
      return pid === killed ? undefined : pid;
    });

  /** Repeats the fault under load; each time the server must recover, and the final verdict must be clean. */
  async function survives(name: string, count: number, fault: () => Promise<unknown>) {
    const { payment } = customer;
    const recoveriesMs: number[] = [];
    const load = startLoad({ servers: [server], clients: 8, payment });
    const toPayee = { payment: customer.bookPayment(payee.accountId), path: "/transfers" };
    const booked = startLoad({ servers: [server], clients: 4, ...toPayee });
    for (let round = 0; round < count; round++) {
      await Promise.all([load.more(100), booked.more(50)]);
      const since = systemClock.now();
      await fault();
      const over = systemClock.now();
      recoveriesMs.push(over - since + (await load.recoveredSince(over)));
    }
    const [history, bookHistory] = await Promise.all([load.stop(), booked.stop()]);
    const operations = [...history.operations, ...bookHistory.operations];
    const unknownTries = history.unknownTries + bookHistory.unknownTries;
    const { host, port } = await postmasterOf(dataDir);
    const address = { host, port, user: "florin", database: "florin" };
    const all = { ...history, operations, unknownTries };
    const verdict = await judge({ history: all, address });
    figures(name, { faults: count, ...inNumbers(verdict), recoveriesMs });
    expect(verdict).toMatchObject(CLEAN);
    expect(Math.max(...recoveriesMs)).toBeLessThan(RECOVERY_LIMIT_MS);
    expect(await changedReplays(history, { server, payment, sample: 100 })).toEqual([]);
    expect(await changedReplays(bookHistory, { server, ...toPayee, sample: 50 })).toEqual([]);
  }

  it("loses and duplicates nothing when the server is killed", { timeout: limitMs(15) }, () =>
    survives("server killed", rounds(3), async () => {
      await server.kill();
      await server.start();
    }),
  );

  it("recovers by itself when PostgreSQL is killed", { timeout: limitMs(15) }, () =>
    survives("PostgreSQL killed", rounds(2), async () => untilReplaced(await killPostgres())),
  );

  it("loses and duplicates nothing when both are killed", { timeout: limitMs(15) }, () =>
    survives("both killed", rounds(1), async () => {
      await killPostgres();
      await server.kill();
      await server.start();
    }),
  );
});

/**
 * Stops forwarding to PostgreSQL, or in both directions, and kills the server. No caller may have an answer for a request that
 * did not reach PostgreSQL.
 */
async function killDuringStandstill({
  rig,
  begin,
  proxy,
  payment,
}: {
  rig: Rig;
  begin: "deafen" | "stall";
  proxy: PostgresProxy;
  payment: Customer["payment"];
}): Promise<Verdict> {
  const server = present(rig.servers[0], "a server");
  const clients = 8;
  const load: Load = startLoad({ servers: [server], clients, payment, tryLimitMs: 1_000 });
  await load.more(100);
  proxy[begin]();
  const before = load.history.unknownTries;
  // Then at least one client has timed out three times; its first attempt may have started before the standstill.
  await eventually("nobody is answered", () =>
    load.history.unknownTries > before + 2 * clients ? true : undefined,
  );
  await server.kill();
  proxy.refuse();
  const history = { ...load.history, operations: [...load.history.operations] };
  proxy.open();
  await server.start();
  await load.more(20);
  await load.stop();
  return judge({ history, address: rig.database.address });
}

/** The sabotaged server answers payments when their commit is sent; calls of the set-up are answered correctly. */
const EARLY = {
  file: "engine/run-batch.js",
  guard: "platform.acceptsSuccessor = true;",
  instead:
    "platform.acceptsSuccessor = true; for (const [index, { submission, resolve }] of pendings.entries()) " +
    'if (submission.command.name === "transfer-out") resolve(started.decided.decisions[index].answered);',
};

describe("a server that is killed while its PostgreSQL is stalled", () => {
  let copy: Sabotaged | undefined;
  let proxy: PostgresProxy;
  let rig: Rig;
  async function setUp(program?: string): Promise<Customer> {
    rig = await startRig({
      mayComplain: program !== undefined,
      servers: [
        {
          url: async ({ address }) => {
            proxy = await startPostgresProxy(address);
            return proxy.url;
          },
          ...(program === undefined ? {} : { program }),
        },
      ],
    });
    return customerWith(present(rig.servers[0], "a server"), 1_000_000);
  }
  async function tearDown(): Promise<void> {
    await rig.close();
    await proxy.close();
    await copy?.remove();
    copy = undefined;
  }

  it.each(["deafen", "stall"] as const)(
    "has acknowledged only stored payments: %s",
    { timeout: limitMs(10) },
    async (begin) => {
      const { payment } = await setUp();
      try {
        const verdict = await killDuringStandstill({ rig, begin, proxy, payment });
        figures(`killed during a standstill (${begin})`, inNumbers(verdict));
        expect(verdict).toMatchObject({
          lost: [],
          doubled: [],
          unexpected: [],
          inversions: 0,
          booksProblems: [],
        });
      } finally {
        await tearDown();
      }
    },
  );

  it("is the control: one that answers before the commit has acknowledged lost payments", {
    timeout: limitMs(10),
  }, async () => {
    copy = await sabotagedServer([EARLY]);
    const { payment } = await setUp(copy.program);
    try {
      const verdict = await killDuringStandstill({ rig, begin: "deafen", proxy, payment });
      figures("control: answers before the commit", inNumbers(verdict));
      expect(verdict.lost.length).toBeGreaterThan(0);
    } finally {
      await tearDown();
    }
  });
});
