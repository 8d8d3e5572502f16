/** PostgreSQL commits, the proxy drops the reply and closes the connection. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { eventually } from "./eventually.ts";
import { type History, startLoad } from "./history.ts";
import { CLEAN, changedReplays, inNumbers, judge } from "./judge.ts";
import { type PostgresProxy, startPostgresProxy } from "./postgres-proxy.ts";
import { type Customer, customerWith, type Rig, startRig } from "./rig.ts";
import { figures, limitMs, rounds } from "./rounds.ts";
import { type Sabotage, sabotagedServer } from "./sabotage.ts";
import type { ServerProcess } from "./server-process.ts";

interface Setting {
  readonly rig: Rig;
  readonly proxy: PostgresProxy;
  readonly server: ServerProcess;
  readonly customer: Customer;
}

async function setUp(program?: string): Promise<Setting> {
  let proxy: PostgresProxy | undefined;
  const rig = await startRig({
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
  const server = present(rig.servers[0], "a server");
  const customer = await customerWith(server, 1_000_000);
  return { rig, proxy: present(proxy, "the proxy"), server, customer };
}

async function tearDown({ rig, proxy }: Setting): Promise<void> {
  await rig.close();
  await proxy.close();
}

/** Drops every third reply to a COMMIT under load, `count` times. */
async function runDroppingReplies(
  { proxy, server, customer }: Setting,
  options: { readonly count: number; readonly hasKeys: boolean },
): Promise<History> {
  const until = proxy.droppedReplies() + options.count;
  let commits = 0;
  proxy.dropCommitReplies(() => proxy.droppedReplies() < until && ++commits % 3 === 0);
  const { payment } = customer;
  const load = startLoad({ servers: [server], clients: 8, payment, hasKeys: options.hasKeys });
  await eventually(
    "the dropped replies",
    () => (proxy.droppedReplies() >= until ? true : undefined),
    limitMs(15),
  );
  await load.more(100);
  return load.stop();
}

/** Drops the replies to commits of payments only, `count` times. */
async function runDroppingPaymentReplies(
  { proxy, server, customer }: Setting,
  count: number,
): Promise<History> {
  const until = proxy.droppedReplies() + count;
  proxy.dropCommitReplies(({ isPayment }) => isPayment && proxy.droppedReplies() < until);
  const { payment } = customer;
  const load = startLoad({ servers: [server], clients: 2, payment, hasKeys: false });
  await eventually(
    "so many payments were not confirmed",
    () => (proxy.droppedReplies() >= until ? true : undefined),
    limitMs(10),
  );
  await load.more(5);
  return load.stop();
}

/** A commit is in flight while the server looks it up in the log. */
async function runWithLateCommit(
  { proxy, server, customer }: Setting,
  { clients, onlyAlone }: { readonly clients: number; readonly onlyAlone: boolean },
): Promise<History> {
  const { payment } = customer;
  const load = startLoad({ servers: [server], clients, payment, hasKeys: false });
  await load.more(50);
  await proxy.makeNextCommitLate({ onlyAlone });
  await load.more(20);
  return load.stop();
}

describe("a server whose COMMIT replies are lost", () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await setUp();
  });
  afterAll(() => tearDown(setting));

  it("executes each payment once and gives all its callers the same answer", {
    timeout: limitMs(15),
  }, async () => {
    const { rig, server, customer } = setting;
    const history = await runDroppingReplies(setting, { count: rounds(200), hasKeys: true });
    const verdict = await judge({ history, address: rig.database.address });
    figures("COMMIT replies dropped", {
      droppedReplies: rounds(200),
      ...inNumbers(verdict),
    });
    expect(verdict).toMatchObject(CLEAN);
    const { payment } = customer;
    expect(await changedReplays(history, { server, payment, sample: 300 })).toEqual([]);
  });

  it("determines by itself what was committed when callers send no keys", {
    timeout: limitMs(10),
  }, async () => {
    const history = await runDroppingReplies(setting, { count: rounds(60), hasKeys: false });
    const { address } = setting.rig.database;
    const verdict = await judge({ history, address });
    figures("the same without keys", { droppedReplies: rounds(60), ...inNumbers(verdict) });
    expect(verdict).toMatchObject(CLEAN);
    expect(history.operations.length).toBeGreaterThan(100);
  });

  it.each([
    { clients: 4, onlyAlone: false },
    { clients: 1, onlyAlone: true },
  ])(
    "does not run a payment again whose commit reaches PostgreSQL late: %o",
    {
      timeout: limitMs(10),
    },
    async (how) => {
      const { rig } = setting;
      for (let round = 0; round < rounds(3); round++) {
        const history = await runWithLateCommit(setting, how);
        expect(await judge({ history, address: rig.database.address })).toMatchObject(CLEAN);
      }
    },
  );
});

/** The server treats a lost reply as a failed commit. */
const BLIND: Sabotage = {
  file: "engine/run-batch.js",
  guard: "return results[2]?.rows[0]?.[0] === last.id;",
  instead: "return false;",
};
/** The server looks the commit up without terminating the lost backend. */
const HASTY: Sabotage = {
  file: "engine/run-batch.js",
  guard: 'parameter("int4", backendPid)',
  instead: 'parameter("int4", 0)',
};
const CONTROLS: readonly {
  readonly name: string;
  readonly sabotage: Sabotage;
  readonly run: (setting: Setting) => Promise<History>;
}[] = [
  {
    name: "does not look whether it committed",
    sabotage: BLIND,
    run: (setting) => runDroppingPaymentReplies(setting, 3),
  },
  {
    name: "looks too early",
    sabotage: HASTY,
    run: (setting) => runWithLateCommit(setting, { clients: 1, onlyAlone: true }),
  },
];

describe("the control", () => {
  it.each(CONTROLS)(
    "pays twice, and the judge reports it: a server that $name",
    {
      timeout: limitMs(40),
    },
    async ({ name, sabotage, run }) => {
      const copy = await sabotagedServer([sabotage]);
      const setting = await setUp(copy.program);
      try {
        const history = await run(setting);
        const verdict = await judge({ history, address: setting.rig.database.address });
        figures(`control: ${name}`, inNumbers(verdict));
        expect(verdict.booksProblems).toEqual([]);
        expect(verdict.doubled.length).toBeGreaterThan(0);
      } finally {
        await tearDown(setting);
        await copy.remove();
      }
    },
  );
});
