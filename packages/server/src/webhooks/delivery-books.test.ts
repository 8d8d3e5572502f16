import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { parameter } from "../postgres/columns.ts";
import { type Database, type Lane, openDatabase, sqlStateOf } from "../postgres/database.ts";
import type { Step } from "../postgres/pipeline.ts";
import { silentLog } from "../std/log.ts";
import { createDeliveryBooks, type DeliveryBooks } from "./delivery-books.ts";

let testDatabase: TestDatabase;
let database: Database;
let books: DeliveryBooks;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase({ address: testDatabase.address, log: silentLog });
  books = createDeliveryBooks(database);
  await database.withClient((client) =>
    client.query("create table notes (id int8 primary key, tx int8 default txid_current())"),
  );
});

afterAll(async () => {
  await books.close();
  await database.close();
  await testDatabase.drop();
});

/** May run twice, as every step of the bookkeeping may. */
const note = (id: number): Step => ({
  statement: {
    name: "note",
    text: "insert into notes (id) values ($1::int8) on conflict (id) do update set tx = notes.tx returning id",
  },
  parameters: [parameter("int8", BigInt(id))],
});

const failing: Step = {
  statement: { name: "failing", text: "select 1 / $1::int8" },
  parameters: [parameter("int8", 0n)],
};

async function notes(): Promise<readonly (readonly (string | null)[])[]> {
  const found = await database.reads.cells(
    { name: "notes", text: "select id, tx from notes order by id" },
    [],
  );
  await database.withClient((client) => client.query("delete from notes"));
  return found;
}

it("gives each caller the results of its own steps, committed as a transaction of its own", async () => {
  const answers = await Promise.all([
    books.run([note(1), note(2)]),
    books.run([note(3)]),
    books.run([note(4), note(5)]),
  ]);
  expect(answers.map((results) => results.map(({ rows }) => rows[0]?.[0]))).toEqual([
    ["1", "2"],
    ["3"],
    ["4", "5"],
  ]);
  const [one, two, three, four, five] = (await notes()).map(([, tx]) => tx);
  expect([one === two, two === three, three === four, four === five]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

it("refuses one transaction without its neighbours, and then goes on", async () => {
  const [, refused] = await Promise.all([
    books.run([note(1)]),
    books.run([note(2), failing]).catch(sqlStateOf),
    books.run([note(3)]),
  ]);
  expect(refused).toBe("22012");
  await books.run([note(4)]);
  expect((await notes()).map(([id]) => id)).toEqual(["1", "3", "4"]);
});

it("closes the connection that it replaces after an error", async () => {
  const lanes: Lane[] = [];
  const watched: Database = {
    ...database,
    async openLane(name) {
      const lane = await database.openLane(name);
      lanes.push(lane);
      return lane;
    },
  };
  const replacing = createDeliveryBooks(watched);
  for (let errors = 0; errors < 2; errors++) {
    expect(await replacing.run([failing]).catch(sqlStateOf)).toBe("22012");
  }
  await replacing.run([]);
  expect(lanes.map((lane) => lane.broken())).toEqual([true, true, false]);
  await replacing.close();
});

it("takes a new connection when the one it had is lost", async () => {
  await books.run([note(1)]);
  await testDatabase.asSuperuser((client) =>
    client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity " +
        "where application_name = 'florin webhooks' and datname = current_database()",
    ),
  );
  // Whether the loss is noticed before or by the next call is up to the network.
  await books.run([note(2)]).catch(() => books.run([note(2)]));
  expect((await notes()).map(([id]) => id)).toEqual(["1", "2"]);
});

it("finishes writes that were submitted before its end, and opens no connection after it", async () => {
  const ending = createDeliveryBooks(database);
  const last = ending.run([note(1)]);
  await ending.close();
  expect(await last).toHaveLength(1);
  await expect(ending.run([note(2)])).rejects.toThrow("the server is stopping");
  expect((await notes()).map(([id]) => id)).toEqual(["1"]);
});
