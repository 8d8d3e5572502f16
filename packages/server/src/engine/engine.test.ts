import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { holdHead } from "../../test/kit/hold-head.ts";
import {
  type Ask,
  ask,
  claimName,
  type DepositInput,
  deposit,
  openAccount,
  openSmallPlatform,
  smallEngine,
  throwInDecide,
  throwInNeeds,
} from "../../test/kit/small-commands.ts";
import { soon } from "../../test/kit/soon.ts";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { type WatchedDatabase, watchDatabase } from "../../test/kit/watched-database.ts";
import { verifyPlatforms } from "../audit/verify-platform.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { Fault } from "../std/errors.ts";
import { silentLog } from "../std/log.ts";
import type { Answered } from "./command.ts";
import type { Engine } from "./engine.ts";

let place: TestDatabase;
let database: WatchedDatabase;
let engine: Engine;
let platformId: string;
let accountId: string;
const others: { readonly engine: Engine; readonly database: Database }[] = [];

beforeAll(async () => {
  place = await createTestDatabase();
});

beforeEach(async () => {
  database = watchDatabase(openDatabase({ address: place.address, log: silentLog }));
  engine = smallEngine({ database });
  platformId = await openSmallPlatform(engine);
  accountId = (await engine.submit(ask(platformId, { command: openAccount, input: null }))).body;
  await pay(1_000n);
});

afterEach(async () => {
  await engine.close();
  await database.close();
  for (const other of others.splice(0)) {
    await other.engine.close();
    await other.database.close();
  }
});

afterAll(async () => {
  const check = openDatabase({ address: place.address, log: silentLog });
  const report = await check.withClient((client) => verifyPlatforms({ client }));
  await check.close();
  await place.drop();
  expect(report.problems).toEqual([]);
});

function pay(minor: bigint, options: { key?: string; body?: string } = {}): Promise<Answered> {
  return payOn(engine, minor, options);
}

function payOn(on: Engine, minor: bigint, options: { key?: string; body?: string } = {}) {
  return on.submit(ask(platformId, { command: deposit, input: { accountId, minor }, ...options }));
}

function claim(handle: string, key?: string): Promise<Answered> {
  return engine.submit(
    ask(platformId, {
      command: claimName,
      input: { handle },
      ...(key === undefined ? {} : { key }),
    }),
  );
}

/** Another server on the same database. */
function anotherServer(): { readonly engine: Engine; readonly database: WatchedDatabase } {
  const itsDatabase = watchDatabase(openDatabase({ address: place.address, log: silentLog }));
  const other = { engine: smallEngine({ database: itsDatabase }), database: itsDatabase };
  others.push(other);
  return other;
}

async function balance(): Promise<bigint> {
  const rows = await database.reads.cells(
    {
      name: "balance",
      text: "select balance_minor from ledger_accounts where platform_id = $1::uuid and id = $2::uuid",
    },
    [platformId, accountId],
  );
  return BigInt(rows[0]?.[0] ?? -1);
}

const advances = (names: readonly string[]) => names.includes("head/advance");
const pipelines = () => database.runs.filter(advances).length;

describe("batches", () => {
  it("collect the commands that arrive while another batch commits, in order of arrival", async () => {
    const before = engine.gauges.batches();
    const answers = await Promise.all(Array.from({ length: 150 }, () => pay(1n)));
    expect(answers.map(({ body }) => body)).toEqual(
      Array.from({ length: 150 }, (_, index) => String(1_001 + index)),
    );
    // Half of the waiting commands each, when each batch commits before the next is sent: 64, 43, 22, 16, 5.
    expect(engine.gauges.batches() - before).toBeLessThanOrEqual(5);
    await soon(() => expect(engine.gauges.queued()).toBe(0));
  });

  it("do not exceed their maximum size", async () => {
    const small = smallEngine({ database, batchMax: 10 });
    const answers = await Promise.all(Array.from({ length: 95 }, () => payOn(small, 1n)));
    expect(answers.at(-1)?.body).toBe("1095");
    expect(small.gauges.batches()).toBeGreaterThanOrEqual(10);
    expect(small.gauges.commands()).toBe(95);
    await small.close();
  });

  it("do not delay a caller by a queue of worker commands", async () => {
    const small = smallEngine({ database, batchMax: 10 });
    const order: string[] = [];
    const actor = { kind: "worker", id: "w" } as const;
    const outcome = {
      ...ask(platformId, { command: deposit, input: { accountId, minor: 1n } }),
      actor,
    };
    const outcomes = Array.from({ length: 100 }, () =>
      small.submit(outcome).then(() => order.push("worker")),
    );
    await payOn(small, 1n).then(() => order.push("caller"));
    await Promise.all(outcomes);
    expect(order.indexOf("caller")).toBeLessThan(20);
    expect(order).toHaveLength(101);
    await small.close();
  });

  it("are sent as one pipeline while this process is the only writer", async () => {
    await pay(1n);
    const before = database.runs.length;
    await pay(1n);
    const [only, ...more] = database.runs.slice(before);
    expect(more).toEqual([]);
    expect(only?.at(0)).toBe("begin");
    expect(only?.at(1)).toBe("head/advance");
    expect(only?.at(-1)).toBe("commit");
  });

  it("lock and load first when rows are not cached", async () => {
    const { engine: other, database: itsDatabase } = anotherServer();
    expect((await payOn(other, 5n)).body).toBe("1005");
    expect(itsDatabase.runs[0]).toEqual(["begin", "head/lock", "command_log/find"]);
    expect(itsDatabase.runs[1]).toEqual(["ledger_accounts/by-ids"]);
    expect(itsDatabase.runs).toHaveLength(3);
  });
});

describe("two servers on one platform", () => {
  it("see each other's writes", async () => {
    const { engine: other } = anotherServer();
    let expected = 1_000;
    for (let round = 1; round <= 12; round++) {
      expected += round;
      const on = round % 3 === 0 ? other : engine;
      expect((await payOn(on, BigInt(round))).body).toBe(String(expected));
    }
    expect(await balance()).toBe(BigInt(expected));
  });

  it("lose and duplicate nothing when both write concurrently", async () => {
    const { engine: other } = anotherServer();
    const answers = await Promise.all(
      Array.from({ length: 120 }, async (_, index) => {
        if (index % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
        return payOn(index % 2 === 0 ? engine : other, 1n);
      }),
    );
    const balances = answers.map(({ body }) => Number(body)).sort((left, right) => left - right);
    expect(balances).toEqual(Array.from({ length: 120 }, (_, index) => 1_001 + index));
  });

  it("lock first for a while after a conflict", async () => {
    await payOn(anotherServer().engine, 1n);
    await pay(1n);
    expect(engine.gauges.retries()).toBe(1);
    const before = database.runs.length;
    await pay(1n);
    expect(database.runs[before]).toEqual(["begin", "head/lock", "command_log/find"]);
    expect(engine.gauges.retries()).toBe(1);
  });

  it("give one answer per key, concurrently and in sequence", async () => {
    const { engine: other } = anotherServer();
    const both = await Promise.all([pay(7n, { key: "k" }), payOn(other, 7n, { key: "k" })]);
    expect(both.map(({ body }) => body)).toEqual(["1007", "1007"]);
    expect(both.map(({ replayed }) => replayed).sort()).toEqual([false, true]);
    expect((await payOn(other, 7n, { key: "k" })).replayed).toBe(true);
    expect(await balance()).toBe(1_007n);
  });
});

describe("idempotency keys", () => {
  it("replay the bytes of the first answer, after a restart too", async () => {
    const first = await pay(5n, { key: "a" });
    await pay(5n);
    expect(await pay(5n, { key: "a" })).toEqual({ ...first, replayed: true });
    const { engine: restarted } = anotherServer();
    await payOn(restarted, 1n);
    expect(await payOn(restarted, 5n, { key: "a" })).toEqual({ ...first, replayed: true });
    expect(await balance()).toBe(1_011n);
  });

  it("are found by the unique index when this process has not seen them", async () => {
    const { engine: restarted } = anotherServer();
    await payOn(restarted, 1n, { key: "old" });
    const third = anotherServer().engine;
    await payOn(third, 1n);
    await payOn(third, 1n);
    // Decided from the cache, rejected by the unique index, replayed under the lock.
    expect(await payOn(third, 1n, { key: "old" })).toMatchObject({ body: "1001", replayed: true });
    expect(await balance()).toBe(1_003n);
  });

  it.each<[string, Pick<Ask<DepositInput>, "command" | "toAnswer">]>([
    ["a no to the caller", { command: deposit, toAnswer: () => ({ status: 401, body: "no" }) }],
    [
      "an intermediate answer",
      { command: deposit, toAnswer: () => ({ status: 202, body: "sign", isFinal: false }) },
    ],
    ["a failure", { command: throwInDecide }],
  ])(
    "are looked up before %s is answered, because no index would detect the reuse",
    async (_what, asked) => {
      const first = await pay(5n, { key: "kept" });
      const { engine: restarted } = anotherServer();
      await payOn(restarted, 1n);
      const again = ask(platformId, { ...asked, input: { accountId, minor: 5n }, key: "kept" });
      expect(await restarted.submit(again)).toEqual({ ...first, replayed: true });
      expect(await balance()).toBe(1_006n);
    },
  );

  it("that must be looked up do not invalidate the cache", async () => {
    await pay(1n, { key: "met" });
    const before = database.runs.length;
    const toSign = {
      command: deposit,
      toAnswer: () => ({ status: 202, body: "sign", isFinal: false }),
    };
    const asked = ask(platformId, { ...toSign, input: { accountId, minor: 5n }, key: "open" });
    expect(await engine.submit(asked)).toMatchObject({ status: 202, replayed: false });
    await pay(1n);
    const runs = database.runs.slice(before);
    expect(runs.filter((names) => names.includes("head/lock"))).toHaveLength(1);
    expect(runs.filter((names) => names.includes("ledger_accounts/by-ids"))).toEqual([]);
    expect(await balance()).toBe(1_007n);
  });

  it("store a refusal, and refuse another body", async () => {
    expect(await pay(-5_000n, { key: "r" })).toMatchObject({ status: 400, replayed: false });
    await pay(9_000n);
    expect(await pay(-5_000n, { key: "r" })).toMatchObject({ status: 400, replayed: true });
    expect((await pay(-5_000n, { key: "r", body: "other" })).status).toBe(422);
    expect(await balance()).toBe(10_000n);
  });

  it("store a secret sealed, and replay it", async () => {
    const asked = ask(platformId, {
      command: claimName,
      input: { handle: `canary-${platformId}` },
      key: "secret",
      secret: true,
    });
    const first = await engine.submit(asked);
    expect(await engine.submit(asked)).toEqual({ ...first, replayed: true });
    const stored = await database.reads.cells(
      {
        name: "sealed",
        text: "select answer from command_log where platform_id = $1::uuid and answer_sealed",
      },
      [platformId],
    );
    expect(stored).toHaveLength(1);
    expect(stored[0]?.[0]).not.toContain("canary");
  });
});

describe("a failing command", () => {
  it("fails alone when it throws, and leaves nothing behind", async () => {
    const bug = engine.submit(
      ask(platformId, { command: throwInDecide, input: { accountId, minor: 50n } }),
    );
    const answers = await Promise.allSettled([pay(1n), bug, pay(1n)]);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await balance()).toBe(1_002n);
  });

  it("fails alone when its needs throw, behind another batch too", async () => {
    const asked = ask(platformId, { command: throwInNeeds, input: null });
    const letGo = await holdHead(place, platformId);
    const before = pipelines();
    const one = pay(1n);
    await soon(() => expect(pipelines()).toBe(before + 1));
    const behind = Promise.allSettled([pay(1n), engine.submit(asked), pay(1n)]);
    await letGo();
    expect((await one).body).toBe("1001");
    expect((await behind).map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(await balance()).toBe(1_003n);
    await engine.close();
    expect(engine.gauges.queued()).toBe(0);
  });

  it("is refused alone when its row violates a constraint, and the refusal is stored under its key", async () => {
    const taken = `taken-${platformId}`;
    await claim(taken);
    const [first, refused, last] = await Promise.all([pay(1n), claim(taken, "c"), pay(1n)]);
    expect([first?.body, last?.body]).toEqual(["1001", "1002"]);
    expect(refused).toMatchObject({ status: 409, body: '{"code":"UMA_ADDRESS_EXISTS"}' });
    expect(await claim(taken, "c")).toMatchObject({ status: 409, replayed: true });
  });

  it("fails with the database's error when it violates an unmapped constraint", async () => {
    const plain = smallEngine({ database, constraintRefusals: {} });
    const taken = `unnamed-${platformId}`;
    await claim(taken);
    const asked = ask(platformId, { command: claimName, input: { handle: taken } });
    const [bad, good] = await Promise.allSettled([plain.submit(asked), payOn(plain, 1n)]);
    expect(bad.status).toBe("rejected");
    expect(good.status).toBe("fulfilled");
    await plain.close();
  });
});

describe("two batches in flight", () => {
  /** The first waits for the lock of the head in PostgreSQL; the second is pipelined behind it. */
  async function twoInFlight<First>(first: () => Promise<First>, second: () => Promise<Answered>) {
    const letGo = await holdHead(place, platformId);
    const before = pipelines();
    const one = first();
    await soon(() => expect(pipelines()).toBe(before + 1));
    const two = second();
    await soon(() => expect(pipelines()).toBe(before + 2));
    await letGo();
    return Promise.allSettled([one, two] as const);
  }

  it("decide the second on top of the first", async () => {
    const [one, two] = await twoInFlight(
      () => pay(10n),
      () => pay(-1_005n),
    );
    expect(one).toMatchObject({ value: { body: "1010" } });
    expect(two).toMatchObject({ value: { body: "5" } });
    expect(engine.gauges.retries()).toBe(0);
  });

  it("both succeed on retry when the database rejects the first", async () => {
    const taken = `first-${platformId}`;
    await claim(taken);
    const [one, two] = await twoInFlight(
      () => claim(taken),
      () => pay(3n),
    );
    expect(one).toMatchObject({ value: { status: 409 } });
    expect(two).toMatchObject({ value: { status: 200, body: "1003" } });
    expect(await balance()).toBe(1_003n);
  });

  it("both succeed on retry when another server writes in between", async () => {
    await pay(1n);
    const other = anotherServer();
    let letGo: () => void = () => undefined;
    const until = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    // The other server has the head's lock and is about to commit.
    other.database.meet({ kind: "held", until, fits: advances });
    const theirs = payOn(other.engine, 100n);
    await soon(() => expect(other.database.runs.some(advances)).toBe(true));
    const before = pipelines();
    const one = pay(1n, { key: "one" });
    await soon(() => expect(pipelines()).toBe(before + 1));
    const two = pay(1n, { key: "two" });
    await soon(() => expect(pipelines()).toBe(before + 2));
    letGo();
    const settled = await Promise.allSettled([theirs, one, two]);
    expect(
      settled.map((each) => (each.status === "fulfilled" ? each.value.body : each.reason)),
    ).toEqual(["1101", "1102", "1103"]);
  });

  it.each(["lost-reply", "lost-request"] as const)(
    "run once when the first has a %s",
    async (kind) => {
      const before = pipelines();
      database.meet({ kind, fits: advances });
      const one = pay(1n);
      await soon(() => expect(pipelines()).toBeGreaterThan(before));
      const two = pay(1n);
      const bodies = (await Promise.all([one, two])).map(({ body }) => body);
      expect(bodies).toEqual(["1001", "1002"]);
      expect(await balance()).toBe(1_002n);
    },
  );
});

describe("a lost connection", () => {
  it("during the commit leads to a lookup in the log: the command ran once and is answered", async () => {
    database.meet({ kind: "lost-reply", fits: advances });
    expect(await pay(25n)).toMatchObject({ status: 200, body: "1025", replayed: false });
    expect(await balance()).toBe(1_025n);
    expect(database.runs.flat()).toContain("command_log/find");
  });

  it("before the commit leads to a retry", async () => {
    database.meet({ kind: "lost-request", fits: advances });
    expect((await pay(25n)).body).toBe("1025");
    expect(await balance()).toBe(1_025n);
  });

  it("that PostgreSQL ended leads to a retry and to an answer", async () => {
    await place.asSuperuser((client) =>
      client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      ),
    );
    expect((await pay(1n)).body).toBe("1001");
  });
});

describe("bounds", () => {
  it("refuse a command when too many wait, and leave room for other platforms", async () => {
    const narrow = smallEngine({ database, queueMax: 6 });
    const other = await openSmallPlatform(narrow);
    const open = () => narrow.submit(ask(other, { command: openAccount, input: null }));
    const [answers, others] = await Promise.all([
      Promise.allSettled(Array.from({ length: 5 }, () => payOn(narrow, 1n))),
      Promise.allSettled(Array.from({ length: 3 }, open)),
    ]);
    expect(others.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    expect(answers.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    expect(answers[4]).toMatchObject({ reason: expect.any(Fault) });
    await narrow.close();
  });

  it("end the wait for a database that does not answer", async () => {
    const nowhere = openDatabase({
      address: { ...place.address, port: 1 },
      log: silentLog,
    });
    const lost = smallEngine({ database: nowhere, patienceMs: 60 });
    await expect(payOn(lost, 1n)).rejects.toBeInstanceOf(Fault);
    await lost.close();
    await nowhere.close();
  });

  it("accept no command after close, and finish the accepted ones", async () => {
    const accepted = Array.from({ length: 50 }, () => pay(1n));
    const closed = engine.close();
    await expect(pay(1n)).rejects.toBeInstanceOf(Fault);
    await closed;
    expect((await Promise.all(accepted)).at(-1)?.body).toBe("1050");
  });

  it("serve more platforms than there are lanes", async () => {
    const many = smallEngine({ database, laneCount: 1 });
    const made = await Promise.all(Array.from({ length: 8 }, () => openSmallPlatform(many)));
    const opened = await Promise.all(
      made.map((id) => many.submit(ask(id, { command: openAccount, input: null }))),
    );
    expect(opened.every(({ status }) => status === 200)).toBe(true);
    await many.close();
  });

  it("report a platform without a head by its id", async () => {
    const asked = ask("018f0000-0000-7000-8000-0000000000ff", {
      command: openAccount,
      input: null,
    });
    await expect(engine.submit(asked)).rejects.toThrow("has no head");
  });
});
