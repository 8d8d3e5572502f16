import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { encodeValue } from "./columns.ts";
import { sqlStateOf } from "./database.ts";
import { type PipelineConnection, pipelineOn, type Step } from "./pipeline.ts";

let place: TestDatabase;
let client: pg.Client;
let connection: PipelineConnection;

beforeAll(async () => {
  place = await createTestDatabase();
  await place.asSuperuser((superuser) =>
    superuser.query("create table notes (note text unique); grant all on notes to florin"),
  );
});

beforeEach(async () => {
  client = new pg.Client({ ...place.address });
  await client.connect();
  await client.query("delete from notes");
  connection = pipelineOn(client);
});

afterEach(() => client.end());
afterAll(() => place.drop());

const plain = (text: string): Step => ({ statement: { name: text, text }, parameters: [] });

function add(note: string): Step {
  return {
    statement: { name: "add", text: "insert into notes values ($1::text)" },
    parameters: [(writer) => encodeValue(writer, note, "text")],
  };
}

function echo(value: bigint): Step {
  return {
    statement: { name: "echo", text: "select $1::int8" },
    parameters: [(writer) => encodeValue(writer, value, "int8")],
  };
}

function copy(...all: readonly string[]): Step {
  return {
    statement: { name: "copy", text: "copy notes (note) from stdin (format binary)" },
    parameters: [],
    copied(writer) {
      for (const note of all) {
        writer.int16(1);
        encodeValue(writer, note, "text");
      }
    },
  };
}

async function notes(): Promise<readonly string[]> {
  const found = await client.query<{ note: string }>("select note from notes order by note");
  return found.rows.map(({ note }) => note);
}

it("returns the rows, count and tag of each statement", async () => {
  const results = await connection.run([
    plain("begin"),
    add("one"),
    plain("select 'a', null union all select 'b', 'c' order by 1"),
    plain("select 1 where false"),
    plain("commit"),
  ]);
  expect(results).toEqual([
    { rows: [], count: 0, tag: "BEGIN" },
    { rows: [], count: 1, tag: "INSERT 0 1" },
    {
      rows: [
        ["a", null],
        ["b", "c"],
      ],
      count: 2,
      tag: "SELECT 2",
    },
    { rows: [], count: 0, tag: "SELECT 0" },
    { rows: [], count: 0, tag: "COMMIT" },
  ]);
});

it("returns no result for no statement", async () => {
  expect(await connection.run([])).toEqual([]);
});

it("skips all statements after an error, the commit too", async () => {
  const failed = connection.run([
    plain("begin"),
    add("one"),
    plain("select 1 / 0"),
    add("two"),
    plain("commit"),
  ]);
  await expect(failed).rejects.toMatchObject({ code: "22012" });
  await connection.reset();
  expect(await notes()).toEqual([]);
});

it("reports a violated constraint by name", async () => {
  await connection.run([add("one")]);
  await expect(connection.run([add("one")])).rejects.toMatchObject({
    code: "23505",
    constraint: "notes_note_key",
  });
});

it("can run all statements after a reset, also skipped unprepared ones", async () => {
  const wrong = [plain("begin"), plain("select 1 / 0"), add("one"), plain("commit")];
  await expect(connection.run(wrong)).rejects.toThrow();
  await connection.reset();
  await connection.run([plain("begin"), add("one"), plain("commit")]);
  expect(await notes()).toEqual(["one"]);
});

it("needs the reset: without it PostgreSQL does not know a skipped statement", async () => {
  await expect(connection.run([plain("select 1 / 0"), add("one")])).rejects.toThrow();
  const state = await connection.run([add("one")]).then(() => undefined, sqlStateOf);
  expect(state).toBe("26000");
});

it("sends a second pipeline behind the first and returns their answers separately, in order", async () => {
  const all = await Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      connection.run([echo(BigInt(index)), echo(BigInt(-index))]),
    ),
  );
  for (const [index, results] of all.entries()) {
    const said = results.map(({ rows }) => Number(rows[0]?.[0]) + 0);
    expect(said).toEqual([index, 0 - index]);
  }
});

it("fails a pipeline behind a failed one that left its transaction open, and changes nothing", async () => {
  const first = connection.run([plain("begin"), plain("select 1 / 0"), plain("commit")]);
  const second = connection.run([plain("begin"), add("second"), plain("commit")]);
  const reset = connection.reset();
  const settled = await Promise.allSettled([first, second, reset]);
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
  expect(await notes()).toEqual([]);
  await connection.run([plain("begin"), add("third"), plain("commit")]);
  expect(await notes()).toEqual(["third"]);
});

it("refuses a statement with the name of another one", async () => {
  await connection.run([echo(1n)]);
  const other = { ...echo(1n), statement: { name: "echo", text: "select $1::int8 + 1" } };
  await expect(async () => connection.run([other])).rejects.toThrow(
    "two statements are called echo",
  );
  await connection.reset();
  expect((await connection.run([other]))[0]?.rows).toEqual([["2"]]);
});

it("continues after the plans were discarded", async () => {
  for (let index = 0; index < 70; index++) {
    const [result] = await connection.run([echo(BigInt(index))]);
    expect(result?.rows).toEqual([[String(index)]]);
  }
});

it("sends a pipeline that is much larger than its first buffer", async () => {
  const long = "x".repeat(300_000);
  const lengthOf = (text: string): Step => ({
    statement: { name: "length", text: "select length($1::text)" },
    parameters: [(writer) => encodeValue(writer, text, "text")],
  });
  const lengths = await connection.run([lengthOf(long), lengthOf(""), lengthOf(`${long}é`)]);
  expect(lengths.map(({ rows }) => rows[0]?.[0])).toEqual(["300000", "0", "300001"]);
  const steps = Array.from({ length: 400 }, (_, index) => add(`note ${index}`));
  await connection.run([plain("begin"), ...steps, plain("commit")]);
  expect(await notes()).toHaveLength(400);
});

it("fails pipelines in flight when the connection ends", async () => {
  client.on("error", () => undefined);
  const slow = connection.run([plain("select pg_sleep(20)")]);
  const pid = (client as unknown as { readonly processID: number }).processID;
  const failed = expect(slow).rejects.toThrow();
  await place.asSuperuser((superuser) => superuser.query("select pg_terminate_backend($1)", [pid]));
  await failed;
});

it("copies rows between other statements, also zero rows", async () => {
  const many = Array.from({ length: 5_000 }, (_, index) => `${index} ${"x".repeat(100)}`);
  const results = await connection.run([
    plain("begin"),
    copy("one", "two"),
    add("three"),
    copy(...many),
    copy(),
    plain("commit"),
  ]);
  expect(results.map(({ count }) => count)).toEqual([0, 2, 1, 5_000, 0, 0]);
  expect(results[1]?.tag).toBe("COPY 2");
  expect(new Set(await notes())).toEqual(new Set(["one", "two", "three", ...many]));
});

it("skips a copy and its rows after an error", async () => {
  const failed = connection.run([
    plain("begin"),
    plain("select 1 / 0"),
    copy("one", "two"),
    add("three"),
    plain("commit"),
  ]);
  await expect(failed).rejects.toMatchObject({ code: "22012" });
  await connection.reset();
  expect(await notes()).toEqual([]);
  await connection.run([plain("begin"), copy("one"), plain("commit")]);
  expect(await notes()).toEqual(["one"]);
});

it("reports the constraint that a copied row violates, and stores nothing", async () => {
  const failed = connection.run([
    plain("begin"),
    copy("one", "two", "one", ...Array.from({ length: 2_000 }, (_, index) => `${index}`)),
    add("three"),
    plain("commit"),
  ]);
  await expect(failed).rejects.toMatchObject({ code: "23505", constraint: "notes_note_key" });
  await connection.reset();
  expect(await notes()).toEqual([]);
});

it("copies in pipelines that were sent one behind the other", async () => {
  const sent = ["a", "b", "c"].map((note) =>
    connection.run([plain("begin"), copy(note, `${note}${note}`), plain("commit")]),
  );
  await Promise.all(sent);
  expect(await notes()).toEqual(["a", "aa", "b", "bb", "c", "cc"]);
});
