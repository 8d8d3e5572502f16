import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import {
  ask,
  deposit,
  openAccount,
  openSmallPlatform,
  smallEngine,
} from "../../test/kit/small-commands.ts";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { Fault } from "../std/errors.ts";
import { silentLog } from "../std/log.ts";
import type { Engine } from "./engine.ts";

let place: TestDatabase;
let database: Database;
let engine: Engine;
let lines: string[];

beforeAll(async () => {
  place = await createTestDatabase();
});
beforeEach(() => {
  lines = [];
  database = openDatabase({ address: place.address, log: silentLog });
  const error = (_fields: object, message: string) => void lines.push(message);
  engine = smallEngine({ database, log: { ...silentLog, error } });
});
afterEach(async () => {
  await engine.close();
  await database.close();
});
afterAll(() => place.drop());

async function openBank() {
  const platformId = await openSmallPlatform(engine);
  const opened = await engine.submit(ask(platformId, { command: openAccount, input: null }));
  const pay = (to: Engine = engine) =>
    to.submit(ask(platformId, { command: deposit, input: { accountId: opened.body, minor: 1n } }));
  return { platformId, pay };
}

/** What a standby that was promoted has in place of the last commit; its head fits. */
async function changeHistory(platformId: string, change: string): Promise<void> {
  await place.asSuperuser(async (client) => {
    await client.query("set session_replication_role = replica");
    const { rows } = await client.query<{ seq: string }>(
      "select seq from platform_heads where platform_id = $1",
      [platformId],
    );
    await client.query(`${change} where platform_id = $1 and seq = $2`, [platformId, rows[0]?.seq]);
    await client.query(
      "update platform_heads set chain_hash = sha256('another') where platform_id = $1",
      [platformId],
    );
  });
}

it.each([
  ["is missing", "delete from command_log"],
  ["has another command in its place", "update command_log set id = gen_random_uuid()"],
])(
  "a commit that was acknowledged and %s stops every platform, and a restart takes the database as it is",
  async (_what, change) => {
    const bank = await openBank();
    const other = await openBank();
    await bank.pay();
    await other.pay();
    engine.refuseLostCommits();
    await changeHistory(bank.platformId, change);
    await expect(bank.pay()).rejects.toThrow(Fault);
    await expect(other.pay()).rejects.toThrow("the database lacks a commit that was acknowledged");
    expect(() => engine.refuseLostCommits()).toThrow(Fault);
    expect(lines.filter((line) => line.includes("has acknowledged"))).toHaveLength(1);

    const restarted = smallEngine({ database });
    expect((await other.pay(restarted)).status).toBe(200);
    restarted.refuseLostCommits();
    await restarted.close();
  },
);

it("an acknowledged commit that is there, after which another server wrote, stops nothing", async () => {
  const { pay } = await openBank();
  await pay();
  const other = smallEngine({ database });
  await pay(other);
  expect((await pay()).status).toBe(200);
  engine.refuseLostCommits();
  await other.close();
});
