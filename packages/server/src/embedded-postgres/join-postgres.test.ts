import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../std/clock.ts";
import { StartRefused } from "../std/errors.ts";
import { silentLog } from "../std/log.ts";
import { type DirectoryLock, lockDirectory } from "./directory-lock.ts";
import { startOrJoinPostgres } from "./join-postgres.ts";

const hasty: Clock = { now: systemClock.now, after: (_, task) => systemClock.after(1, task) };

let dataDir: string;
let lock: DirectoryLock;

beforeEach(async () => {
  dataDir = await realpath(await mkdtemp(join(tmpdir(), "florin-join-")));
  lock = await lockDirectory(dataDir, systemClock);
});

afterEach(async () => {
  await lock.release();
  await rm(dataDir, { recursive: true });
});

const joined = () => startOrJoinPostgres({ dataDir, log: silentLog, clock: hasty });

describe("joining a server's PostgreSQL", () => {
  it("fails with a message that names the process when no PostgreSQL runs", async () => {
    const refused = joined();
    await expect(refused).rejects.toThrow(StartRefused);
    await expect(refused).rejects.toThrow(`process ${process.pid}`);
    await expect(refused).rejects.toThrow("no database that answers");
  });

  it("ignores a pid file whose socket does not answer", async () => {
    await mkdir(join(dataDir, "postgres"));
    const lines = [process.pid, join(dataDir, "postgres"), 1, 5432, dataDir, "", "1 1", "ready"];
    await writeFile(join(dataDir, "postgres", "postmaster.pid"), `${lines.join("\n")}\n`);
    await expect(joined()).rejects.toThrow("no database that answers");
  });
});
