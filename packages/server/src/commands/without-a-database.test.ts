/** Commands of the operator where there is no database, or one of another version: they say so and make nothing. */
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { TEST_MASTER_KEY } from "../../test/kit/test-server.ts";
import { type Config, readConfig } from "../config.ts";
import { StartRefused } from "../std/errors.ts";
import { createPlatformFromShell } from "./create-platform.ts";
import { createTokenFromShell } from "./create-token.ts";
import { listPlatformsFromShell } from "./list-platforms.ts";
import { migrateFromShell } from "./migrate.ts";
import { listPeopleFromShell, recoverFromShell, startLinkFromShell } from "./people/people.ts";
import { releaseDomainFromShell } from "./release-domain.ts";
import { replayWebhooksFromShell } from "./replay-webhooks.ts";
import { resealFromShell } from "./reseal.ts";
import { reviewFromShell } from "./review-verification.ts";
import { setPlatformFromShell } from "./set-platform.ts";
import { listVerificationsFromShell, papersFromShell } from "./show-verifications.ts";
import { blockDomainFromShell } from "./uma/block-domain.ts";
import { checkDomainFromShell } from "./uma/check-domain.ts";
import { listKeysFromShell, rotateKeyFromShell } from "./uma/uma-keys.ts";
import { verifyFromShell } from "./verify.ts";

const platform = "PlatformConfig:00000000-0000-7000-8000-000000000001";
const decision = { platform, verification: platform.replace("PlatformConfig", "Verification") };

const commands: Readonly<Record<string, (config: Config) => Promise<unknown>>> = {
  verify: verifyFromShell,
  reseal: resealFromShell,
  "platform list": listPlatformsFromShell,
  "token create": (config) =>
    createTokenFromShell(config, { platform, name: "x", permissions: "VIEW" }),
  "platform set": (config) => setPlatformFromShell(config, { platform, umaDomain: "x.test" }),
  "platform release-domain": (config) =>
    releaseDomainFromShell(config, { platform, domain: "x.test", confirm: true }),
  "uma keys": (config) => listKeysFromShell(config, "x.test"),
  "uma rotate": (config) =>
    rotateKeyFromShell(config, "x.test", { use: "signing", compromised: true }),
  "uma block": (config) => blockDomainFromShell(config, "x.test", { allPlatforms: true }),
  "uma check": (config) => checkDomainFromShell(config, "x.test", { json: false }),
  "verification decide": (config) =>
    reviewFromShell(config, { ...decision, outcome: "approved", by: "Ana Ruiz" }),
  "verification list": (config) => listVerificationsFromShell(config, { platform }),
  "verification papers": (config) => papersFromShell(config, { ...decision, to: "/nowhere" }),
  "people list": (config) => listPeopleFromShell(config, {}),
  "people start-link": (config) => startLinkFromShell(config, {}),
  "people recover": (config) => recoverFromShell(config, { email: "a@example.com" }),
  "webhooks replay": (config) => replayWebhooksFromShell(config, { platform, limit: "1" }),
};

afterEach(() => vi.restoreAllMocks());

function printed(): () => string {
  const written = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  return () => written.mock.calls.map(([text]) => String(text)).join("");
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(StartRefused);
  return (thrown as StartRefused).message;
}

describe("without an embedded database", () => {
  let top: string;
  beforeAll(async () => {
    top = await realpath(await mkdtemp(join(tmpdir(), "florin-none-")));
    await chmod(top, 0o711);
  });
  afterAll(() => rm(top, { recursive: true }));

  const configOf = (dataDir: string) => readConfig({ DATA_DIR: dataDir, LOG_LEVEL: "silent" });

  it.each(Object.entries(commands))("%s makes none", async (_, command) => {
    const empty = join(top, "empty");
    await mkdir(empty, { recursive: true });
    for (const dataDir of [join(top, "not", "there"), empty]) {
      expect(await refusal(command(configOf(dataDir)))).toContain(
        `there is no database in ${dataDir}`,
      );
    }
    expect(await readdir(top)).toEqual(["empty"]);
    expect(await readdir(empty)).toEqual([]);
  });

  it("what a first start left that was cut off is not finished by others", async () => {
    const dataDir = join(top, "cut off");
    await mkdir(join(dataDir, "lock"), { recursive: true });
    expect(await refusal(verifyFromShell(configOf(dataDir)))).toContain("there is no database in");
    expect(await readdir(join(dataDir, "lock"))).toEqual([]);
  });

  it("the first platform makes one, and a first start finds it", async () => {
    const config = configOf(join(top, "first"));
    const output = printed();
    const wish = { name: "x", environment: "sandbox", umaDomain: "x.test", regulated: false };
    await createPlatformFromShell(config, wish);
    expect(await verifyFromShell(config)).toBe(true);
    expect(output()).toMatch(/clientSecret {2}\S{64}$/m);
    expect(output()).toContain("Checked 1 platform and 1 workspace: ");
  });

  it("one that was made is checked, and a lost key file is not made up", async () => {
    const dataDir = join(top, "made");
    const output = printed();
    await migrateFromShell(configOf(dataDir));
    await rm(join(dataDir, "lock"), { recursive: true });
    expect(await verifyFromShell(configOf(dataDir))).toBe(true);
    expect(output()).toMatch(
      /^Checked 0 platforms and 0 workspaces: .*\nThere is no platform yet/m,
    );
    const key = join(dataDir, "master.key");
    await rm(key);
    for (const command of [verifyFromShell, migrateFromShell]) {
      expect(await refusal(command(configOf(dataDir)))).toContain(`no key file ${key}`);
      expect(existsSync(key)).toBe(false);
    }
  });
});

describe("florin migrate --distribute", () => {
  it.each(["0", "1025", "four", "1.5", ""])("takes no --shards %j", async (shards) => {
    const message = await refusal(migrateFromShell(readConfig({}), { distribute: true, shards }));
    expect(message).toBe(`--shards ${shards} is not a whole number from 1 to 1024`);
  });

  it("is what --shards is for", async () => {
    const work = migrateFromShell(readConfig({}), { distribute: false, shards: "4" });
    expect(await refusal(work)).toBe("--shards needs --distribute");
  });
});

describe("with a database of another version", () => {
  let place: TestDatabase;
  let config: Config;
  beforeEach(async () => {
    place = await createTestDatabase();
    const settings = { MASTER_KEY: TEST_MASTER_KEY, LOG_LEVEL: "silent" };
    config = readConfig({ DATABASE_URL: place.url, ...settings });
  });
  afterEach(() => place.drop());

  const sql = (text: string) => place.asSuperuser((client) => client.query(text));
  /** Migrations leave facts of their own. */
  const facts = async () =>
    (await sql("select name from deployment_facts where name like '%key%'")).rows;

  it.each(Object.entries(commands))("%s makes no schema", async (_, command) => {
    await sql("drop schema public cascade; create schema public authorization florin");
    expect(await refusal(command(config))).toContain("there is no schema of Florin");
    const tables = await sql("select from pg_tables where schemaname = 'public'");
    expect(tables.rowCount).toBe(0);
  });

  it.each(Object.entries(commands))("%s gives a schema no master key", async (_, command) => {
    expect(await refusal(command(config))).toContain("no keys yet: run `florin migrate`");
    expect(await facts()).toEqual([]);
  });

  it.each(Object.entries(commands))(
    "%s leaves an older and a newer schema alone",
    async (_, command) => {
      const output = printed();
      await migrateFromShell(config);
      const versions = await sql("select version from schema_migrations order by 1 desc limit 2");
      const [newest, before] = versions.rows;
      await sql(`update schema_migrations set version = 9999 where version = ${newest.version}`);
      expect(await refusal(command(config))).toContain("newer than this program");
      await sql("delete from schema_migrations where version = 9999");
      expect(await refusal(command(config))).toMatch(/older than this program.*`florin migrate`/);
      const left = (await sql("select max(version) as version from schema_migrations")).rows[0];
      expect(left.version).toBe(before.version);
      expect(output()).toBe("The schema is up to date.\n");
    },
  );

  it("zero platforms are no fault, and are said", async () => {
    const output = printed();
    await migrateFromShell(config);
    expect(await verifyFromShell(config)).toBe(true);
    expect(output()).toContain("There is no platform yet, and nothing to check.");
    expect(output()).not.toContain("adds up");
  });
});
