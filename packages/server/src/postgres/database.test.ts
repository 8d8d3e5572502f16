import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { proxyTo } from "../../test/kit/database-proxy.ts";
import { createManualClock } from "../../test/kit/manual-clock.ts";
import { soon } from "../../test/kit/soon.ts";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { Fault } from "../std/errors.ts";
import { silentLog } from "../std/log.ts";
import {
  constraintOf,
  type Database,
  databaseLimits,
  isLost,
  openDatabase,
  sqlStateOf,
} from "./database.ts";
import type { Step } from "./pipeline.ts";

let place: TestDatabase;
let database: Database;

beforeEach(async () => {
  place = await createTestDatabase();
  database = openDatabase({ address: place.address, log: silentLog });
});

afterEach(async () => {
  await database.close();
  await place.drop();
});

const step = (text: string): Step => ({ statement: { name: text, text }, parameters: [] });

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("the connection for migrations and checks", () => {
  it("has no timeouts, also when the role has some", async () => {
    await place.asSuperuser((client) =>
      client.query(
        `alter database ${place.name} set statement_timeout = '10ms'; ` +
          `alter database ${place.name} set lock_timeout = '10ms'`,
      ),
    );
    const limits = await database.withClient(async (client) => [
      (await client.query("show statement_timeout")).rows,
      (await client.query("show lock_timeout")).rows,
    ]);
    expect(limits).toEqual([[{ statement_timeout: "0" }], [{ lock_timeout: "0" }]]);
  });
});

describe("a lane", () => {
  it("has timeouts and synchronous commits", async () => {
    const lane = await database.openLane("test");
    const names = [
      "synchronous_commit",
      "lock_timeout",
      "statement_timeout",
      "idle_in_transaction_session_timeout",
    ];
    const results = await lane.run(names.map((name) => step(`show ${name}`)));
    expect(results.map(({ rows }) => rows[0]?.[0])).toEqual(["on", "3s", "10s", "3s"]);
  });

  it("has synchronous commits also when the database's default is off", async () => {
    await place.asSuperuser((client) =>
      client.query(`alter database ${place.name} set synchronous_commit = off`),
    );
    const lane = await database.openLane("test");
    const [shown] = await lane.run([step("show synchronous_commit")]);
    expect(shown?.rows).toEqual([["on"]]);
  });

  it("knows that its connection has ended", async () => {
    const lane = await database.openLane("test");
    expect(lane.broken()).toBe(false);
    const error = await failureOf(
      lane.run([step("select pg_terminate_backend(pg_backend_pid())")]),
    );
    expect(isLost(error)).toBe(true);
    expect(await failureOf(lane.run([step("select 1")]))).toBeDefined();
    expect(lane.broken()).toBe(true);
  });

  it("is lost when the role's transaction_timeout ends it", async () => {
    const lane = await database.openLane("test");
    await lane.run([step("set transaction_timeout = 1")]);
    expect(isLost(await failureOf(lane.run([step("select pg_sleep(60)")])))).toBe(true);
    expect(await failureOf(lane.run([step("select 1")]))).toBeDefined();
    expect(lane.broken()).toBe(true);
  });

  it("fails in time when its connection does not answer, at opening and at closing", async () => {
    const proxy = await proxyTo(place.address);
    const clock = createManualClock(Date.UTC(2026, 0, 2));
    const beyond = openDatabase({ address: proxy.address, log: silentLog, clock });
    const isMute = proxy.muteAt("enable_seqscan");
    const opened = failureOf(beyond.openLane("test"));
    await isMute;
    await clock.advance(databaseLimits.laneSilenceMs);
    expect(isLost(await opened)).toBe(true);

    const lane = await beyond.openLane("test");
    proxy.mute();
    const closed = lane.close();
    await clock.advance(databaseLimits.laneSilenceMs);
    await closed;
    expect(clock.pendingTimers).toBe(0);
    await beyond.close();
    proxy.cut();
  });

  it("does not block a platform: PostgreSQL ends an idle transaction", async () => {
    const hasty = openDatabase({
      address: place.address,
      log: silentLog,
      limits: { idleInTransactionTimeoutMs: 20 },
    });
    const lane = await hasty.openLane("frozen");
    await lane.run([step("begin"), step("lock table platform_heads")]);
    const waiting = await database.openLane("test");
    await waiting.run([step("begin"), step("lock table platform_heads"), step("rollback")]);
    expect(await failureOf(lane.run([step("commit")]))).toBeDefined();
    await hasty.close();
  });

  it("stops waiting for a lock after lock_timeout", async () => {
    const hasty = openDatabase({
      address: place.address,
      log: silentLog,
      limits: { lockTimeoutMs: 20 },
    });
    const holder = await database.openLane("test");
    await holder.run([step("begin"), step("lock table platform_heads")]);
    const lane = await hasty.openLane("waiting");
    const error = await failureOf(lane.run([step("begin"), step("lock table platform_heads")]));
    expect([sqlStateOf(error), isLost(error)]).toEqual(["55P03", false]);
    await hasty.close();
  });
});

describe("the constraint of an error", () => {
  const known = (name: string) => name === "directory_pkey" || name === "ledger_accounts_guarded";
  const failure = (code: string, message: string, constraint?: string) => {
    const error = new pg.DatabaseError(message, 0, "error");
    return Object.assign(error, { code, constraint });
  };

  it.each([
    ["23505", "anything", "directory_pkey", "directory_pkey"],
    ["23505", "anything", "directory_pkey_102008", "directory_pkey"],
    ["23505", 'violates unique constraint "directory_pkey_102008"', undefined, "directory_pkey"],
    ["XX000", "verletzt Unique-Constraint »directory_pkey_102008«", undefined, "directory_pkey"],
    [
      "XX000",
      'new row for relation "ledger_accounts_102178" violates check constraint "ledger_accounts_guarded"',
      undefined,
      "ledger_accounts_guarded",
    ],
    ["23505", 'violates unique constraint "tokens_pkey_102009"', undefined, undefined],
    ["23505", "anything", "tokens_pkey", undefined],
    ["22000", "directory_pkey", undefined, undefined],
    ["XX000", "could not commit transaction for shard 102008", undefined, undefined],
  ] as const)("with %s and %s is known by its name", (code, message, field, found) => {
    expect(constraintOf(failure(code, message, field), known)).toBe(found);
  });

  it("is found in the error of the server", async () => {
    const lane = await database.openLane("test");
    const add = step("insert into directory values ('one', gen_random_uuid())");
    const error = await failureOf(lane.run([add, add]));
    expect(constraintOf(error, known)).toBe("directory_pkey");
    expect(constraintOf(new Error("directory_pkey"), known)).toBeUndefined();
  });
});

describe("reads", () => {
  it("take values of each type", async () => {
    const text =
      "select $1::text, $2::int8, $3::bool, $4::text, array_to_string($5::text[], '+'), $6::int4";
    const values = ["ü", 9_007_199_254_740_993n, true, null, ["a", 'b"c'], 7];
    expect(await database.reads.cells({ name: "kinds", text }, values)).toEqual([
      ["ü", "9007199254740993", "t", null, 'a+b"c', "7"],
    ]);
  });

  it("fail with a fault when a table stays locked", async () => {
    const limits = { lockTimeoutMs: 20 };
    const hasty = openDatabase({ address: place.address, log: silentLog, limits });
    const holder = await database.openLane("test");
    await holder.run([step("begin"), step("lock table customers in access exclusive mode")]);
    const held = { name: "held", text: "select count(*)::text from customers" };
    expect(await failureOf(hasty.reads.cells(held, []))).toBeInstanceOf(Fault);
    await holder.close();
    await hasty.close();
  });

  it("fail with a fault when their connection is lost, and continue on another one", async () => {
    const proxy = await proxyTo(place.address);
    const far = openDatabase({ address: proxy.address, log: silentLog });
    const sleep = far.reads.cells({ name: "sleep", text: "select pg_sleep(20)::text" }, []);
    const error = failureOf(sleep);
    await place.asSuperuser(async (client) => {
      const sleeping =
        "select 1 from pg_stat_activity where datname = current_database() and query like 'select pg_sleep%'";
      for (let found = 0; found === 0; ) found = (await client.query(sleeping)).rowCount ?? 0;
    });
    proxy.drop();
    expect(await error).toBeInstanceOf(Fault);
    expect(await far.reads.cells({ name: "one", text: "select 1" }, [])).toEqual([["1"]]);
    proxy.cut();
    expect(await failureOf(far.reads.cells({ name: "one", text: "select 1" }, []))).toBeInstanceOf(
      Fault,
    );
    await far.close();
  });

  it("do not start after half of their timeout", async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 1));
    const narrow = openDatabase({
      address: place.address,
      log: silentLog,
      limits: { readConnections: 1, readTimeoutMs: 20_000 },
      clock,
    });
    const one = { name: "one", text: "select 1" };
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const slow = narrow.reads.withPermit("a", async (cells) => {
      await held;
      return cells(one, []);
    });
    await clock.advance(5_000);
    const waiting = failureOf(narrow.reads.cells(one, ["b"]));
    await clock.advance(10_000);
    expect(await waiting).toBeInstanceOf(Fault);
    goOn();
    expect(await slow).toEqual([["1"]]);
    await narrow.close();
  });

  it("send no further statement after their timeout", async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 1));
    const own = openDatabase({ address: place.address, log: silentLog, clock });
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let second: Promise<unknown> = Promise.resolve();
    const slow = own.reads.withPermit("a", async (cells) => {
      await held;
      second = failureOf(cells({ name: "one", text: "select 1" }, []));
      return second;
    });
    const reported = failureOf(slow);
    await clock.advance(4_500);
    expect(await reported).toBeInstanceOf(Fault);
    goOn();
    await soon(async () => expect(await second).toBeInstanceOf(Fault));
    await own.close();
  });

  it("that timed out end in PostgreSQL, too", async () => {
    const hasty = openDatabase({
      address: place.address,
      log: silentLog,
      limits: { readTimeoutMs: 100, statementTimeoutMs: 60_000 },
    });
    for (const reads of [hasty.reads, hasty.gateReads]) {
      const sleep = reads.cells({ name: "sleep", text: "select pg_sleep(50)::text" }, []);
      expect(await failureOf(sleep)).toBeInstanceOf(Fault);
    }
    await place.asSuperuser((client) =>
      soon(async () => {
        const { rows } = await client.query(
          "select query from pg_stat_activity where datname = current_database() and state = 'active' and query like 'select pg_sleep%'",
        );
        expect(rows).toEqual([]);
      }),
    );
    await hasty.close();
  });

  it("throw an error of the statement unchanged", async () => {
    const error = await failureOf(database.reads.cells({ name: "bad", text: "select 1 / 0" }, []));
    expect(sqlStateOf(error)).toBe("22012");
  });
});
