import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newGate } from "../../../test/kit/gate.ts";
import { holdHead } from "../../../test/kit/hold-head.ts";
import {
  ask,
  claimName,
  deposit,
  openAccount,
  openSmallPlatform,
  smallEngine,
} from "../../../test/kit/small-commands.ts";
import { soon } from "../../../test/kit/soon.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/kit/test-database.ts";
import { type WatchedDatabase, watchDatabase } from "../../../test/kit/watched-database.ts";
import { verifyPlatforms } from "../../audit/verify-platform.ts";
import { type Database, openDatabase } from "../../postgres/database.ts";
import { silentLog } from "../../std/log.ts";
import type { Engine, EngineOptions } from "../engine.ts";

let place: TestDatabase;
let platformId: string;
let accounts: readonly string[];
const servers: { readonly engine: Engine; readonly database: Database }[] = [];

beforeAll(async () => {
  place = await createTestDatabase();
});

beforeEach(async () => {
  const { engine } = server();
  platformId = await openSmallPlatform(engine);
  const opened = [1, 2, 3].map(() =>
    engine.submit(ask(platformId, { command: openAccount, input: null })),
  );
  accounts = (await Promise.all(opened)).map(({ body }) => body);
  for (let n = 0; n < accounts.length; n++) await pay(engine, n, 1_000n);
  await close();
});

afterEach(() => close());

afterAll(async () => {
  const check = openDatabase({ address: place.address, log: silentLog });
  const report = await check.withClient((client) => verifyPlatforms({ client }));
  await check.close();
  await place.drop();
  expect(report.problems).toEqual([]);
});

function server(options: Partial<EngineOptions> = {}): {
  readonly engine: Engine;
  readonly database: WatchedDatabase;
} {
  const database = watchDatabase(openDatabase({ address: place.address, log: silentLog }));
  const made = { engine: smallEngine({ ...options, database }), database };
  servers.push(made);
  return made;
}

async function close(): Promise<void> {
  for (const { engine, database } of servers.splice(0)) {
    await engine.close();
    await database.close();
  }
}

async function pay(engine: Engine, account: number, minor: bigint): Promise<string> {
  const input = { accountId: accounts[account] ?? "", minor };
  return (await engine.submit(ask(platformId, { command: deposit, input }))).body;
}

async function claim(engine: Engine): Promise<string> {
  const input = { handle: `a name of ${platformId}` };
  return (await engine.submit(ask(platformId, { command: claimName, input }))).body;
}

const isFetch = (names: readonly string[]) => names.every((name) => name.endsWith("/by-ids"));
const isLocked = (names: readonly string[]) => names.includes("head/lock");
const advances = (names: readonly string[]) => names.includes("head/advance");

describe("a row that is not cached", () => {
  it("is prefetched without the head's lock, together with the rows of other commands", async () => {
    const { engine, database } = server();
    await pay(engine, 0, 1n);
    const before = database.runs.length;
    const reported = await Promise.all([
      pay(engine, 1, 1n),
      pay(engine, 2, 1n),
      pay(engine, 1, 1n),
    ]);
    expect(reported).toEqual(["1001", "1001", "1002"]);
    const runs = database.runs.slice(before);
    expect(runs.filter(isFetch)).toEqual([["ledger_accounts/by-ids"]]);
    expect(runs.filter(isLocked)).toEqual([]);
    expect(runs.filter(advances)).toHaveLength(1);
  });

  it("does not delay other commands", async () => {
    const { engine, database } = server();
    await pay(engine, 0, 1n);
    const { passed, open } = newGate();
    database.meet({ fits: isFetch, kind: "held", until: passed });
    const order: string[] = [];
    const first = pay(engine, 1, 1n).then(() => order.push("missing"));
    await soon(() => expect(database.runs.some(isFetch)).toBe(true));
    await claim(engine).then(() => order.push("behind"));
    expect(order).toEqual(["behind"]);
    open();
    await first;
    expect(order).toEqual(["behind", "missing"]);
  });

  it("is loaded under the lock when it cannot be prefetched", async () => {
    const { engine, database } = server();
    await pay(engine, 0, 1n);
    const before = database.runs.length;
    const locked = () => database.runs.slice(before).filter(isLocked).length;
    database.meet({ fits: isFetch, kind: "lost-request" });
    expect(await pay(engine, 1, 1n)).toBe("1001");
    expect(locked()).toBe(1);
    expect(await pay(engine, 2, 1n)).toBe("1001");
    expect(locked()).toBe(1);
  });

  it("is known to be absent after one fetch", async () => {
    const { engine, database } = server();
    await pay(engine, 0, 1n);
    accounts = ["01900000-0000-7000-8000-000000000000"];
    const before = database.runs.length;
    for (let n = 0; n < 2; n++) expect(await pay(engine, 0, 1n)).toContain("REFERENCE_NOT_FOUND");
    const runs = database.runs.slice(before);
    expect([runs.filter(isFetch).length, runs.filter(isLocked).length]).toEqual([1, 0]);
  });

  it("is not cached from the database while a batch that wrote it is in flight", async () => {
    const { engine, database } = server({ rowCapacity: 1 });
    await pay(engine, 0, 1n);
    await pay(engine, 1, 1n);
    await pay(engine, 0, 1n);
    const letGo = await holdHead(place, platformId);
    const count = database.runs.filter(advances).length;
    const paid = [pay(engine, 0, 1n)];
    await soon(() => expect(database.runs.filter(advances)).toHaveLength(count + 1));
    // Evicts the row from the cache, behind the batch that wrote it.
    paid.push(pay(engine, 1, 1n));
    await soon(() => expect(database.runs.filter(advances)).toHaveLength(count + 2));
    paid.push(pay(engine, 0, 1n));
    // Time enough for a fetch.
    for (let n = 0; n < 50; n++) await database.reads.cells({ name: "one", text: "select 1" }, []);
    await letGo();
    expect(await Promise.all(paid)).toEqual(["1003", "1002", "1004"]);
  });

  it("is not cached when another server has written since", async () => {
    const one = server();
    const two = server();
    await pay(one.engine, 0, 1n);
    const { passed, open } = newGate();
    one.database.meet({ fits: advances, kind: "held", until: passed });
    const fetched = pay(one.engine, 1, 1n);
    await soon(() => expect(one.database.runs.filter(isFetch)).toHaveLength(1));
    expect(await pay(two.engine, 1, 5n)).toBe("1005");
    open();
    expect(await fetched).toBe("1006");
  });
});
