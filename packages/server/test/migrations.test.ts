/** What a migration may do: a distributed database, which has all earlier ones, runs it as well. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { statementsOf } from "../src/postgres/migrate.ts";

const folder = new URL("../migrations/", import.meta.url);
/** A database cannot be distributed before this one has run. */
const FIRST_JUDGED = "0040";

const judged = readdirSync(folder).filter((name) => name >= FIRST_JUDGED);

/** Without comments, in small letters, with one space between words. */
function plain(statement: string): string {
  return statement
    .replace(/--[^\n]*/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

/** What is wrong with a statement on a distributed database. */
function faultOf(statement: string): string | undefined {
  const text = plain(statement);
  if (/^alter table .*\bset (statistics|storage)\b/.test(text))
    return "Citus has no `set statistics` and no `set storage`";
  if (/^alter table \S+ .*\badd constraint\b/.test(text) && !isAlone(text))
    return "`add constraint` stands alone in its `alter table`";
  if (/^create table/.test(text) && /\breferences\b|\bforeign key\b/.test(text))
    return "a foreign key can leave the node";
  if (
    /^(do\b|lock table\b|create (materialized )?view\b|create sequence\b)|\b(big)?serial\b|\bgenerated \w+ as identity\b/.test(
      text,
    )
  )
    return "it runs on the coordinator alone";
  return undefined;
}

/** One action: no comma outside of parentheses. */
function isAlone(text: string): boolean {
  let bare = text;
  while (/\([^()]*\)/.test(bare)) bare = bare.replace(/\([^()]*\)/g, "");
  return !bare.includes(",");
}

it("is judged from the first one on that a distributed database may lack", () => {
  expect(judged.length).toBeGreaterThan(5);
});

it.each(judged)("%s has no statement that a distributed database refuses", (name) => {
  const statements = statementsOf(readFileSync(new URL(name, folder), "utf8"));
  const faults = statements.flatMap((statement) => {
    const fault = faultOf(statement);
    return fault === undefined ? [] : [`${fault}: ${plain(statement)}`];
  });
  expect(faults).toEqual([]);
});

describe("a statement", () => {
  it.each([
    ["alter table a add constraint b check (c in (1, 2));", undefined],
    ["alter table a add column b text, add column c text;", undefined],
    ["alter table a add column b text, add constraint c check (b <> '');", "alone"],
    ["alter table a alter column b set storage external;", "set storage"],
    ["alter table a alter column b set statistics 10;", "set statistics"],
    [
      "create table a (platform_id uuid references b (id), primary key (platform_id));",
      "foreign key",
    ],
    ["create table a (id bigserial primary key);", "coordinator"],
    ["do $$ begin null; end $$;", "coordinator"],
  ])("%s", (statement, fault) => {
    if (fault === undefined) expect(faultOf(statement)).toBeUndefined();
    else expect(faultOf(statement)).toContain(fault);
  });
});

it("is run statement by statement: the body of a function is one", () => {
  const body =
    "create function f() returns void language plpgsql as $$ begin\n  perform 1;\n  perform 2;\nend $$;";
  expect(statementsOf(`-- Why.\ncreate table a (b int);\n\n${body}\ndrop table a`)).toEqual([
    "-- Why.\ncreate table a (b int);",
    body,
    "drop table a",
  ]);
  expect(statementsOf("select 1")).toEqual(["select 1"]);
  expect(statementsOf("\n")).toEqual([]);
});
