/** The platform of a first start, when the start does not come to tell of it: nobody else knows its secret. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type App, startApp } from "../../../src/app.ts";
import { createPlatformFromShell } from "../../../src/commands/create-platform.ts";
import { migrateFromShell } from "../../../src/commands/migrate.ts";
import { resealFromShell } from "../../../src/commands/reseal.ts";
import { readConfig } from "../../../src/config.ts";
import { present } from "../../../src/std/assert.ts";
import { StartRefused } from "../../../src/std/errors.ts";
import { createTestDatabase, type TestDatabase } from "../../kit/test-database.ts";
import { TEST_MASTER_KEY } from "../../kit/test-server.ts";

let database: TestDatabase;
const running: App[] = [];

beforeEach(async () => {
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockReturnValue(true);
  database = await createTestDatabase();
});

afterEach(async () => {
  for (const app of running.splice(0)) await app.close();
  await database.drop();
  vi.restoreAllMocks();
});

type Settings = Readonly<Record<string, string>>;

const configOf = (settings: Settings = {}) =>
  readConfig({
    DATABASE_URL: database.url,
    MASTER_KEY: TEST_MASTER_KEY,
    PORT: "0",
    LOG_LEVEL: "silent",
    ...settings,
  });

async function start(settings: Settings = {}): Promise<App> {
  const app = await startApp(configOf(settings));
  running.push(app);
  return app;
}

async function stop(app: App): Promise<void> {
  running.splice(running.indexOf(app), 1);
  await app.close();
}

const statusWith = async (app: App, { clientId, clientSecret }: Credentials) => {
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
  const path = `${app.baseUrl}/2025-10-13/config`;
  return (await fetch(path, { headers: { authorization } })).status;
};

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What is kept for a next start, sealed or not. */
const kept = async () => {
  const text = "select value from deployment_facts where name = 'first credentials'";
  const { rows } = await database.asSuperuser((client) => client.query(text));
  return rows.map(({ value }) => String(value));
};

it("is printed by each start until it was printed once, and then no more", async () => {
  const first = await start();
  const created = present(first.created, "a platform");
  expect((await kept()).join()).toMatch(/^v1\./);
  await stop(first);

  const second = await start();
  expect(second.created).toEqual(created);
  expect(await statusWith(second, created)).toBe(200);
  await second.createdWasShown();
  expect(await kept()).toEqual([]);
  await stop(second);

  const third = await start();
  expect(third.created).toBeUndefined();
  expect(await statusWith(third, created)).toBe(200);
});

it("is made with what was kept when a start was cut off before it was made", async () => {
  const first = await start();
  const created = present(first.created, "a platform");
  const [before] = await kept();
  await stop(first);
  await database.drop();
  database = await createTestDatabase();
  await migrateFromShell(configOf());
  const text = "insert into deployment_facts (name, value) values ('first credentials', $1)";
  await database.asSuperuser((client) => client.query(text, [before]));

  const { clientId, clientSecret } = present((await start()).created, "a platform");
  expect({ clientId, clientSecret }).toEqual({
    clientId: created.clientId,
    clientSecret: created.clientSecret,
  });
  expect(await kept()).toEqual([before]);
});

it("is created once by servers that start at once, and only valid credentials are printed", async () => {
  const apps = await Promise.all([start(), start(), start()]);
  const reported = apps.flatMap(({ created }) => (created === undefined ? [] : [created]));
  expect(reported.length).toBeGreaterThan(0);
  for (const created of reported) {
    expect(created).toEqual(reported[0]);
    for (const app of apps) expect(await statusWith(app, created)).toBe(200);
  }
});

it("is not printed when its first token was deleted", async () => {
  const first = await start();
  const { clientId } = present(first.created, "a platform");
  await stop(first);
  const text = "update tokens set deleted_at = now() where client_id = $1";
  await database.asSuperuser((client) => client.query(text, [clientId]));
  expect((await start()).created).toBeUndefined();
  expect(await kept()).toEqual([]);
});

it("stores no credentials when the operator sets them", async () => {
  const fixed = {
    BOOTSTRAP_CLIENT_ID: "fixed",
    BOOTSTRAP_CLIENT_SECRET: "a fixed secret of more than 32 characters",
  };
  const first = await start(fixed);
  expect(first.created?.clientId).toBe("fixed");
  expect(await kept()).toEqual([]);
  await stop(first);
  expect((await start(fixed)).created).toBeUndefined();
});

it("moves to a new master key with everything else", async () => {
  const first = await start();
  const { created } = first;
  await stop(first);
  const MASTER_KEY = "fedcba9876543210".repeat(4);
  await resealFromShell(configOf({ MASTER_KEY, MASTER_KEY_PREVIOUS: TEST_MASTER_KEY }));
  expect((await start({ MASTER_KEY })).created).toEqual(created);
});

it("is not made where the operator made a platform before", async () => {
  await migrateFromShell(configOf());
  const wish = { name: "own", environment: "production", umaDomain: "own.test", regulated: false };
  await createPlatformFromShell(configOf(), wish);
  expect((await start()).created).toBeUndefined();
});

it("is not created where the server cannot listen", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  try {
    for (const [settings, complaint] of [
      [{ PORT: String(port) }, /^cannot listen on HOST and PORT \(.*EADDRINUSE.*\)/],
      [{ HOST: "192.0.2.1" }, /^cannot listen on HOST and PORT \(.*EADDRNOTAVAIL.*\)/],
    ] as const) {
      const refused = startApp(configOf(settings));
      await expect(refused).rejects.toThrow(StartRefused);
      await expect(refused).rejects.toThrow(complaint);
    }
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
  const { rowCount } = await database.asSuperuser((client) =>
    client.query("select from platforms"),
  );
  expect(rowCount).toBe(0);
});
