/**
 * A server is killed three times while older objects are added to the index of metadata and payments go on: it, or the other server, continues, and
 * in the end the index has every object by each of its values, and nothing else.
 */
import { expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import type { TestDatabase } from "../kit/test-database.ts";
import { eventually } from "./eventually.ts";
import { startLoad } from "./history.ts";
import { customerWith, expectReply, startRig } from "./rig.ts";
import { figures, limitMs } from "./rounds.ts";
import type { ServerProcess } from "./server-process.ts";

/** Thirty pages of the job. */
const OLDER = 60_000;
/** Each choice of keys begins the job anew; the server is killed when the job has come to this customer. */
const CHOICES = [
  { keys: ["orderId"], killedAt: 4_000 },
  { keys: ["orderId", "shop"], killedAt: 16_000 },
  { keys: ["shop", "orderId", "other"], killedAt: 36_000 },
] as const;

/** Copies of a customer with metadata: one of three has a value of its own, one of three a shared one, and one of three neither. */
async function addOlderCustomers(database: TestDatabase, customerId: string): Promise<void> {
  await database.asSuperuser(async (client) => {
    await client.query(
      "create temporary table copies as select n, c.* from customers c, generate_series(1, $2::int8) n where c.id = $1",
      [customerId.replace("Customer:", ""), OLDER],
    );
    await client.query(
      "update copies set id = (lpad(to_hex(1735689600000 + n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, " +
        "platform_customer_id = 'older-' || n, uma_address = '$older-' || n || '@florin.test', " +
        "metadata = case n % 3 when 0 then json_build_object('orderId', 'o-' || n) when 1 then json_build_object('orderId', 'all', 'shop', 's-' || n % 7) end",
    );
    await client.query("alter table copies drop column n");
    await client.query("insert into customers select * from copies");
  });
}

/** The rows that the index lacks, and those that it has for no object. */
async function differences(database: TestDatabase): Promise<Readonly<Record<string, string>>> {
  const terms = (keys: string) =>
    ["transactions", "customers"]
      .map(
        (list) =>
          `select o.platform_id, '${list}' as list, k.key, md5(o.metadata ->> k.key)::uuid as digest, o.id from ${list} o, ` +
          `unnest(array[${keys}]) k(key) where o.metadata ->> k.key is not null`,
      )
      .join(" union all ");
  return database.asSuperuser(async (client) => {
    const ofObjects = terms("'orderId', 'shop', 'other'");
    const { rows } = await client.query(
      `with made as (${ofObjects}), indexed as (select platform_id, list, key, digest, id from metadata_terms) ` +
        "select (select count(*) from (select * from made except select * from indexed) m) as missing, " +
        "(select count(*) from (select * from indexed except select * from made) m) as besides, " +
        "(select count(*) from made where list = 'transactions' and key = 'orderId') as paid, " +
        "(select count(*) from made where list = 'customers') as older",
    );
    return rows[0];
  });
}

/** The older customer to which the job has come; undefined when it has ended. */
async function comesTo(server: ServerProcess): Promise<number | undefined> {
  const config = await expectReply(server, 200, { method: "GET", path: "/config" });
  const build = config.searchableMetadataBuild as { list?: string; lastId?: string } | undefined;
  if (build === undefined) return undefined;
  return build.list === "customers" ? Number.parseInt(build.lastId?.slice(-12) ?? "0", 16) : 0;
}

it("has every object in the index of metadata after three kills, with payments on two servers", {
  timeout: limitMs(120),
}, async () => {
  const rig = await startRig({ servers: [{}, {}] });
  try {
    const victim = present(rig.servers[0], "a server");
    const other = present(rig.servers[1], "another server");
    const payer = await customerWith(other, 1_000_000);
    const payee = await customerWith(other, 0);
    await addOlderCustomers(rig.database, payee.customerId);
    const load = startLoad({
      servers: [victim, other],
      clients: 4,
      path: "/transfers",
      payment: (reference) => ({
        source: { accountId: payer.accountId },
        destination: { accountId: payee.accountId },
        amount: 1,
        description: reference,
        metadata: { orderId: reference, shop: "s-1", other: "x" },
      }),
    });
    await load.more(200);
    let kills = 0;
    for (const { keys, killedAt } of CHOICES) {
      const body = { searchableMetadata: keys };
      // The server that declares runs the job.
      await expectReply(victim, 200, { method: "PATCH", path: "/config", body });
      await load.more(10);
      const isUnderWay = await eventually(
        `customer ${killedAt}`,
        async () => {
          const came = await comesTo(other);
          return came === undefined ? false : came >= killedAt ? true : undefined;
        },
        limitMs(30),
      );
      await victim.kill();
      if (isUnderWay) kills += 1;
      await eventually(
        "the end of the job",
        async () => ((await comesTo(other)) === undefined ? true : undefined),
        limitMs(60),
      );
      await victim.start();
    }
    await load.more(50);
    const { operations } = await load.stop();
    const found = await differences(rig.database);
    figures("killed metadata", { kills, ...found });
    expect(kills).toBe(CHOICES.length);
    expect(found).toEqual({
      missing: "0",
      besides: "0",
      paid: String(operations.length * 2),
      older: String(OLDER),
    });
  } finally {
    await rig.close();
  }
});
