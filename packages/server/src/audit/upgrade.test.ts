/** A database with platforms of a version before there were people. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { findWorkspace, platformsOfWorkspace } from "../domain/people/workspaces/workspace.sql.ts";
import { findPlatform } from "../domain/platform.sql.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { migrate, readMigrations } from "../postgres/migrate.ts";
import { present } from "../std/assert.ts";
import { timeOf } from "../std/ids.ts";
import { silentLog } from "../std/log.ts";
import { verifyPlatforms } from "./verify-platform.ts";

const MIGRATIONS = new URL("../../migrations/", import.meta.url);
const MADE_AT = "2026-01-02T03:04:05.678Z";
const idOf = (digit: number) => `019a4f00-0000-7000-8000-00000000000${digit}`;

let place: TestDatabase;
let database: Database;

beforeAll(async () => {
  place = await createTestDatabase();
  await place.asSuperuser(async (client) => {
    await client.query("drop schema public cascade");
    await client.query("create schema public authorization florin");
  });
  database = openDatabase({ address: place.address, log: silentLog });
});
afterAll(async () => {
  await database.close();
  await place.drop();
});

it("gets a workspace for each platform, and verifies", async () => {
  const all = await readMigrations(MIGRATIONS);
  const people = all.findIndex(({ name }) => name.endsWith("-people.sql"));
  await migrate(database, all.slice(0, people));
  const kinds = [
    [idOf(1), "Shop", "SANDBOX"],
    [idOf(2), "Shop", "PRODUCTION"],
  ] as const;
  await database.withClient(async (client) => {
    for (const [id, name, environment] of kinds) {
      await client.query("insert into platform_heads (platform_id) values ($1)", [id]);
      await client.query(
        "insert into platforms (platform_id, id, name, environment, uma_domain, uma_domains, proxy_uma_subdomain, " +
          "is_regulated_financial_institution, webhook_since_event_seq, webhook_public_key, webhook_private_key_sealed, " +
          "supported_currencies, webhook_setting, webhook_events, webhook_filter_since_event_seq, statement_time_zone, created_at, updated_at) " +
          "values ($1, $1, $2, $3, 'a.test', '[]', 'a', false, 0, '', '', '[]', 0, 'STANDARD', 0, 'UTC', $4, $4)",
        [id, name, environment, MADE_AT],
      );
    }
  });

  await migrate(database, all);
  const { reads } = database;
  const made = await Promise.all(
    kinds.map(async ([id]) => present(await findPlatform(reads, id), "a platform")),
  );
  expect(made.map(({ reviewers }) => reviewers)).toEqual(["WORKSPACE", "OPERATOR"]);
  const [first, second] = made.map(({ workspaceId }) => workspaceId);
  expect(first).not.toBe(second);
  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(timeOf(first ?? "")).toBe(Date.parse(MADE_AT));
  expect(await findWorkspace(reads, first ?? "")).toMatchObject({ id: first, name: "Shop" });
  expect(await platformsOfWorkspace(reads, first ?? "")).toEqual([
    { id: idOf(1), name: "Shop", environment: "SANDBOX", unknownFields: "IGNORE" },
  ]);
  const report = await database.withClient((client) => verifyPlatforms({ client }));
  expect(report).toMatchObject({ ok: true, platforms: 2, workspaces: 2 });
});
