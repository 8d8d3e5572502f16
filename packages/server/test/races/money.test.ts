/** Two servers on one database, and concurrent payments from the same accounts. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { type Reachable, type Reply, send, startLoad } from "../faults/history.ts";
import { CLEAN, judge } from "../faults/judge.ts";
import {
  balanceOf,
  type Customer,
  customerWith,
  fund,
  type Rig,
  startRig,
  tally,
} from "../faults/rig.ts";
import { limitMs, rounds } from "../faults/rounds.ts";

let rig: Rig;
let servers: readonly Reachable[];
beforeAll(async () => {
  rig = await startRig({ servers: [{}, {}] });
  servers = rig.servers;
});
afterAll(() => rig.close());

const serverOf = (index: number) => present(servers[index % servers.length], "a server");

/** Checks that both servers still serve, and verifies the books. */
afterEach(async () => {
  for (const server of servers) {
    expect((await send(server, { method: "GET", path: "/config" })).status).toBe(200);
  }
  const history = { operations: [], unknownTries: 0, abandoned: [], slowestRefusalMs: 0 };
  expect(await judge({ history, address: rig.database.address })).toMatchObject(CLEAN);
});

/** Sends concurrent payments to both servers; with a key they are the same request. */
function payAtOnce(
  customer: Customer,
  { count, key }: { readonly count: number; readonly key?: string },
): Promise<readonly Reply[]> {
  const run = randomBytes(6).toString("hex");
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      send(serverOf(index), {
        method: "POST",
        path: "/transfer-out",
        body: customer.payment(key ?? `${run}-${index}`),
        ...(key === undefined ? {} : { key }),
        limitMs: 30_000,
      }),
    ),
  );
}

describe("two servers and one account", () => {
  it("spend the balance to the last unit, and no more", { timeout: limitMs(10) }, async () => {
    for (let round = 0; round < rounds(2); round++) {
      const customer = await customerWith(serverOf(round), 100);
      const replies = await payAtOnce(customer, { count: 400 });
      expect(tally(replies)).toEqual({ 201: 100, 400: 300 });
      expect(await balanceOf(serverOf(round), customer)).toBe(0);
    }
  });

  it("execute one payment per key, and give all callers the same answer", {
    timeout: limitMs(10),
  }, async () => {
    const customer = await customerWith(serverOf(0), 1_000);
    for (let round = 0; round < rounds(3); round++) {
      const replies = await payAtOnce(customer, { count: 100, key: `one-key-${round}` });
      expect(tally(replies)).toEqual({ 201: 100 });
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
      expect(await balanceOf(serverOf(round), customer)).toBe(1_000 - round - 1);
    }
  });

  it("give one refusal per key", { timeout: limitMs(10) }, async () => {
    const customer = await customerWith(serverOf(0), 0);
    const replies = await payAtOnce(customer, { count: 60, key: "no-money" });
    expect(tally(replies)).toEqual({ 400: 60 });
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    await fund(serverOf(1), customer.accountId, 10);
    expect(tally(await payAtOnce(customer, { count: 4, key: "no-money" }))).toEqual({ 400: 4 });
    expect(await balanceOf(serverOf(0), customer)).toBe(10);
  });

  it("lose no money between payments in and payments out", { timeout: limitMs(10) }, async () => {
    const customer = await customerWith(serverOf(0), 500);
    const calls = Array.from({ length: 240 }, (_, index) => {
      const server = serverOf(index >> 2);
      const { accountId, destinationId, payment } = customer;
      if (index % 4 < 2) {
        const body = payment(`out-${index}`);
        return send(server, { method: "POST", path: "/transfer-out", body, limitMs: 30_000 });
      }
      const body =
        index % 4 === 2
          ? { source: { accountId: destinationId }, destination: { accountId }, amount: 1 }
          : { amount: 1 };
      const path =
        index % 4 === 2 ? "/transfer-in" : `/sandbox/internal-accounts/${accountId}/fund`;
      return send(server, { method: "POST", path, body, limitMs: 30_000 });
    });
    expect(tally(await Promise.all(calls))).toEqual({ 200: 60, 201: 180 });
    const history = { operations: [], unknownTries: 0, abandoned: [], slowestRefusalMs: 0 };
    await judge({ history, address: rig.database.address });
    expect(await balanceOf(serverOf(1), customer)).toBe(500 - 120 + 60 + 60);
  });

  it("keep the order that their callers observed", { timeout: limitMs(10) }, async () => {
    const { payment } = await customerWith(serverOf(0), 1_000_000);
    const load = startLoad({ servers, clients: 12, payment });
    for (let round = 0; round < rounds(1); round++) await load.more(800);
    const history = await load.stop();
    expect(await judge({ history, address: rig.database.address })).toMatchObject(CLEAN);
    expect(history.unknownTries).toBe(0);
  });
});

describe("the control: a balance that is read first and written afterwards", () => {
  it("is spent more than once", { timeout: limitMs(10) }, async () => {
    await rig.database.asSuperuser((client) =>
      client.query("create table purses as select 100 as units, 0 as spent"),
    );
    const { address } = rig.database;
    const clients = Array.from(
      { length: 8 },
      () => new pg.Client({ ...address, user: rig.database.superuser }),
    );
    await Promise.all(clients.map((client) => client.connect()));
    let paid = 0;
    await Promise.all(
      clients.map(async (client) => {
        for (let count = 0; count < 50; count++) {
          const { units } = (await client.query("select units from purses")).rows[0];
          if (units < 1) continue;
          await client.query("update purses set units = $1", [units - 1]);
          paid++;
        }
      }),
    );
    await Promise.all(clients.map((client) => client.end()));
    await rig.database.asSuperuser((client) => client.query("drop table purses"));
    expect(paid).toBeGreaterThan(100);
  });
});
