/** Kills under load: the server, its PostgreSQL; and the server while PostgreSQL is stalled. `short/` kills both at once. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { eventually } from "./eventually.ts";
import { type Load, startLoad } from "./history.ts";
import { inNumbers, judge, type Verdict } from "./judge.ts";
import { type KillRig, startKillRig } from "./kill-rig.ts";
import { type PostgresProxy, startPostgresProxy } from "./postgres-proxy.ts";
import { type Customer, customerWith, type Rig, startRig } from "./rig.ts";
import { figures, limitMs, rounds } from "./rounds.ts";
import { type Sabotaged, sabotagedServer } from "./sabotage.ts";

describe("a server with its own PostgreSQL", () => {
  let rig: KillRig;
  beforeAll(async () => {
    rig = await startKillRig();
  });
  afterAll(() => rig.close());

  it("loses and duplicates nothing when the server is killed", { timeout: limitMs(15) }, () =>
    rig.survives("server killed", rounds(3), async () => {
      await rig.server.kill();
      await rig.server.start();
    }),
  );

  it("recovers by itself when PostgreSQL is killed", { timeout: limitMs(15) }, () =>
    rig.survives("PostgreSQL killed", rounds(2), async () => {
      await rig.untilReplaced(await rig.killPostgres());
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
