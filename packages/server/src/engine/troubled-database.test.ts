import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { holdHead } from "../../test/kit/hold-head.ts";
import { createManualClock, type ManualClock } from "../../test/kit/manual-clock.ts";
import { onOne } from "../../test/kit/on-one.ts";
import {
  ask,
  claimName,
  deposit,
  openAccount,
  openSmallPlatform,
  smallEngine,
} from "../../test/kit/small-commands.ts";
import { soon } from "../../test/kit/soon.ts";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { type WatchedDatabase, watchDatabase } from "../../test/kit/watched-database.ts";
import { verifyPlatforms } from "../audit/verify-platform.ts";
import { openDatabase } from "../postgres/database.ts";
import { Fault } from "../std/errors.ts";
import { silentLog } from "../std/log.ts";
import type { Engine } from "./engine.ts";

let place: TestDatabase;
let database: WatchedDatabase;
let engine: Engine;
let platformId: string;
let accountId: string;

beforeAll(async () => {
  place = await createTestDatabase();
});

beforeEach(async () => {
  database = watchDatabase(openDatabase({ address: place.address, log: silentLog }));
  engine = smallEngine({ database });
  platformId = await openSmallPlatform(engine);
  accountId = (await engine.submit(ask(platformId, { command: openAccount, input: null }))).body;
});

afterEach(async () => {
  await engine.close();
  await database.close();
});

afterAll(async () => {
  const check = openDatabase({ address: place.address, log: silentLog });
  const report = await check.withClient((client) => verifyPlatforms({ client }));
  await check.close();
  await place.drop();
  expect(report.problems).toEqual([]);
});

async function pay(): Promise<string> {
  const input = { accountId, minor: 1n };
  return (await engine.submit(ask(platformId, { command: deposit, input }))).body;
}

const END_THE_OTHERS =
  "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";

/** Applies to new connections; existing ones are ended. */
async function makeReadOnly(isReadOnly: boolean): Promise<void> {
  await place.asSuperuser(async (client) => {
    await client.query("set default_transaction_read_only = off");
    const value = isReadOnly ? "on" : "off";
    await client.query(`alter database ${place.name} set default_transaction_read_only = ${value}`);
    if (!isReadOnly) return;
    await client.query(END_THE_OTHERS);
  });
}

describe("a database that is read-only for a while", () => {
  it("leads to retries on new connections, and does not fail the commands", async () => {
    expect(await pay()).toBe("1");
    await makeReadOnly(true);
    await expect(pay()).rejects.toThrow(Fault);
    await makeReadOnly(false);
    expect(await pay()).toBe("2");
  });
});

/** As after a change of the password: new connections are refused. */
async function letIn(isLetIn: boolean): Promise<void> {
  const verb = isLetIn ? "grant connect on" : "revoke connect on";
  await place.asSuperuser(async (client) => {
    await client.query(
      `${verb} database ${place.name} ${isLetIn ? "to florin" : "from public, florin"}`,
    );
    await client.query(END_THE_OTHERS);
  });
}

describe("a database that refuses connections for a while", () => {
  it("is a fault, and does not fail the commands", async () => {
    const one = { name: "one", text: "select 1" };
    expect(await pay()).toBe("1");
    await letIn(false);
    await expect(pay()).rejects.toThrow(Fault);
    await expect(database.reads.cells(one, [])).rejects.toThrow(Fault);
    await letIn(true);
    expect(await pay()).toBe("2");
    expect(await database.reads.cells(one, [])).toEqual([["1"]]);
  });
});

describe("a table that is missing for a while, as during a restore", () => {
  it.each(["alter table ledger_entries rename to", "alter function step_platform_head rename to"])(
    "is a fault of the database (%s)",
    async (rename) => {
      const away = `${rename} taken_away`;
      const back = away.replace(/(table|function) (\S+) rename to (\S+)/, "$1 $3 rename to $2");
      const listed = { name: "entries", text: "select count(*)::text from ledger_entries" };
      expect(await pay()).toBe("1");
      await place.asSuperuser((client) => client.query(away));
      await place.asSuperuser((client) => client.query(END_THE_OTHERS));
      await expect(pay()).rejects.toThrow(Fault);
      if (rename.includes("table")) {
        await expect(database.reads.cells(listed, [])).rejects.toThrow(Fault);
      }
      await place.asSuperuser((client) => client.query(back));
      expect(await pay()).toBe("2");
      expect(await database.reads.cells(listed, [])).toHaveLength(1);
    },
  );
});

describe("a database that answers too late", () => {
  it("leaves no place of the queue to the commands that expired in it", async () => {
    const narrow = smallEngine({ database, batchMax: 1, queueMax: 8, patienceMs: 60 });
    const payLate = () =>
      narrow.submit(ask(platformId, { command: deposit, input: { accountId, minor: 1n } }));
    const letGo = await holdHead(place, platformId);
    const late = await Promise.allSettled(Array.from({ length: 8 }, payLate));
    expect(new Set(late.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    await letGo();
    await soon(() => expect(narrow.gauges.queued()).toBe(0));
    await narrow.close();
  });
});

describe("a node of a distributed database that is down", () => {
  const START_MS = Date.UTC(2025, 9, 13);
  let clock: ManualClock;
  let distributed: Engine;
  let onIt: readonly string[];

  beforeEach(async () => {
    clock = createManualClock(START_MS);
    distributed = smallEngine({ database, clock, laneCount: 2 });
    onIt = await Promise.all([1, 2, 3].map(() => openSmallPlatform(distributed)));
  });
  afterEach(async () => {
    const closed = distributed.close();
    while (distributed.gauges.queued() > 0) await clock.advance(250);
    await closed;
  });

  const open = (platform: string) =>
    distributed.submit(ask(platform, { command: openAccount, input: null }));

  onOne("does not stop the platforms of the others when it refuses connections", async () => {
    const dead = onIt.map((id) => `'${id}'`).join();
    await place.asSuperuser(async (client) => {
      await client.query(
        "create or replace function out_of_reach() returns trigger language plpgsql as " +
          "'begin raise exception using errcode = ''08006'', message = ''connection to the remote node failed''; end'",
      );
      await client.query(
        `create trigger out_of_reach before update on platform_heads for each row when (new.platform_id in (${dead})) ` +
          "execute function out_of_reach()",
      );
    });
    // Each fails at once and pauses until the clock moves.
    const waiting = onIt.map(open);
    await soon(() => expect(distributed.gauges.retries()).toBe(3));
    expect((await open(platformId)).status).toBe(200);
    await place.asSuperuser((client) =>
      client.query("drop trigger out_of_reach on platform_heads"),
    );
    // On a busy machine a retry may begin its pause after the clock has moved.
    const answers = Promise.all(waiting);
    await expect
      .poll(async () => {
        await clock.advance(20);
        return distributed.gauges.queued();
      })
      .toBe(0);
    expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("does not stop the platforms of the others when it does not answer", async () => {
    const letGo = await Promise.all(onIt.map((id) => holdHead(place, id)));
    const waiting = onIt.map(open);
    const healthy = open(platformId);
    await clock.advance(1_500);
    expect((await healthy).status).toBe(200);
    for (const go of letGo) await go();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

const LOOKUP = ["begin", "head/lock", "command_log/find", "commit"];

describe("a reply that cannot be parsed", () => {
  it("leads to a lookup in the log when it may belong to a commit: the command ran once and is answered", async () => {
    await pay();
    const fits = (names: readonly string[]) => names.includes("commit");
    database.meet({ kind: "garbled-reply", fits });
    expect(await pay()).toBe("2");
    expect(await pay()).toBe("3");
    expect(database.runs).toContainEqual(LOOKUP);
  });

  it("fails the commands when nothing was committed", async () => {
    await engine.close();
    engine = smallEngine({ database });
    const fits = (names: readonly string[]) => names.includes("head/lock");
    database.meet({ kind: "garbled-reply", fits });
    await expect(pay()).rejects.toThrow("too few answers");
    expect(await pay()).toBe("1");
  });
});

/** A trigger that fails like a distributed database, which reports what its nodes refuse as an internal error. */
async function failInternally(
  table: string,
  { message, atCommit }: { readonly message: string; readonly atCommit: boolean },
): Promise<() => Promise<void>> {
  const kind = atCommit ? "constraint trigger" : "trigger";
  const deferred = atCommit ? "deferrable initially deferred" : "";
  const run = (sql: string) => place.asSuperuser((client) => client.query(sql));
  await run(
    `create function fail_internally() returns trigger language plpgsql as $$ begin
       raise exception '${message}' using errcode = 'XX000'; end $$;
     create ${kind} fail_internally after insert on ${table} ${deferred}
       for each row execute function fail_internally()`,
  );
  return async () => {
    await run(`drop trigger fail_internally on ${table}; drop function fail_internally()`);
  };
}

describe("an internal error of the database", () => {
  it.each(["XX000", "57014"])(
    "at a commit (%s) leads to a lookup in the log: the command ran once and is answered",
    async (state) => {
      await pay();
      const fits = (names: readonly string[]) => names.includes("commit");
      database.meet({ kind: "unconfirmed", state, fits });
      expect(await pay()).toBe("2");
      expect(await pay()).toBe("3");
      expect(database.runs).toContainEqual(LOOKUP);
    },
  );

  onOne(
    "at a commit that did not happen is a fault, and the command can be sent again",
    async () => {
      expect(await pay()).toBe("1");
      const mend = await failInternally("events", {
        message: "could not commit transaction",
        atCommit: true,
      });
      await expect(pay()).rejects.toThrow(Fault);
      await mend();
      expect(database.runs).toContainEqual(LOOKUP);
      expect(await pay()).toBe("2");
    },
  );

  onOne("of one command does not fail the others of its batch", async () => {
    const mend = await failInternally("directory", {
      message: "the node refused the row",
      atCommit: false,
    });
    const claimed = engine.submit(
      ask(platformId, { command: claimName, input: { handle: "refused" } }),
    );
    const outcomes = await Promise.allSettled([pay(), claimed, pay()]);
    await mend();
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(outcomes[1]).toMatchObject({ reason: expect.any(Fault) });
  });

  onOne("that names the constraint of a shard is the refusal of that constraint", async () => {
    const mend = await failInternally("directory", {
      message: 'duplicate key value violates unique constraint "directory_pkey_102008"',
      atCommit: false,
    });
    const asked = ask(platformId, { command: claimName, input: { handle: "taken" } });
    expect((await engine.submit(asked)).status).toBe(409);
    await mend();
    expect(database.runs).not.toContainEqual(LOOKUP);
  });
});

describe("a commit whose wait for a standby was interrupted", () => {
  // PostgreSQL shows it as committed; a later commit on the same connection waits until the standby has both.
  it("is confirmed by a lookup whose commit waits for the standby", async () => {
    await pay();
    const fits = (names: readonly string[]) => names.includes("commit");
    database.meet({ kind: "lost-reply", fits });
    expect(await pay()).toBe("2");
    expect(database.runs).toContainEqual(LOOKUP);
  });

  it("is confirmed by a replay whose commit waits for the standby", async () => {
    const again = ask(platformId, {
      command: deposit,
      input: { accountId, minor: 1n },
      key: "one",
    });
    const first = await engine.submit(again);
    const other = smallEngine({ database });
    expect((await other.submit(again)).body).toBe(first.body);
    expect(database.runs.at(-1)).toEqual(["commit"]);
    await other.close();
  });
});

describe("the cache of all platforms", () => {
  it("is bounded for any number of platforms", async () => {
    const small = smallEngine({ database, rowCapacity: 100 });
    for (let count = 0; count < 130; count++) {
      const id = await openSmallPlatform(small);
      const open = () => small.submit(ask(id, { command: openAccount, input: null }));
      await Promise.all(Array.from({ length: 20 }, open));
    }
    expect(small.gauges.cachedRows()).toBeGreaterThan(100);
    // Up to 64 batches of 20 rows and more run between two checks of the bound.
    expect(small.gauges.cachedRows()).toBeLessThan(300 + 64 * 40);
    await small.close();
  });
});
