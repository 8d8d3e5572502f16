import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../std/clock.ts";
import { StartRefused } from "../std/errors.ts";
import { lockDirectory } from "./directory-lock.ts";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "florin-lock-"));
});

afterEach(() => rm(directory, { recursive: true }));

function leaveSocket(path: string): number {
  const script =
    "require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))";
  return spawnSync(process.execPath, ["-e", script, path]).pid;
}

describe("the lock of a data directory", () => {
  it("is held by one process, names the holder, and is free after its release", async () => {
    const lock = await lockDirectory(directory, systemClock);
    const second = lockDirectory(directory, systemClock);
    await expect(second).rejects.toThrow(StartRefused);
    await expect(second).rejects.toThrow(
      `(process ${process.pid}) uses the data directory ${directory}`,
    );
    await lock.release();
    expect(await readdir(join(directory, "lock"))).toEqual([]);
    await (await lockDirectory(directory, systemClock)).release();
  });

  it("goes to exactly one of many that start at once", async () => {
    for (let round = 0; round < 10; round++) {
      const tries = Array.from({ length: 6 }, () => lockDirectory(directory, systemClock));
      const locks = (await Promise.allSettled(tries)).filter(
        (tried) => tried.status === "fulfilled",
      );
      expect(locks).toHaveLength(1);
      for (const lock of locks) await lock.value.release();
    }
  });

  it("ignores the stale socket of a killed process and deletes it", async () => {
    await mkdir(join(directory, "lock"));
    const name = "99999999-0badcafe.sock";
    leaveSocket(join(directory, "lock", name));
    expect(await readdir(join(directory, "lock"))).toEqual([name]);
    const lock = await lockDirectory(directory, systemClock);
    expect(await readdir(join(directory, "lock"))).not.toContain(name);
    await lock.release();
  });

  it("stays held by a frozen process", async () => {
    await mkdir(join(directory, "lock"));
    const frozen = createServer(() => undefined);
    const path = join(directory, "lock", "4242-0badcafe.sock");
    await new Promise<void>((resolve) => frozen.listen(path, resolve));
    const patient = lockDirectory(directory, {
      now: systemClock.now,
      after: (_, task) => systemClock.after(20, task),
    });
    await expect(patient).rejects.toThrow("process 4242");
    frozen.close();
  });

  it("works with a path that is too long for a socket", async () => {
    const deep = join(directory, "d".repeat(120));
    await mkdir(deep);
    const lock = await lockDirectory(deep, systemClock);
    await expect(lockDirectory(deep, systemClock)).rejects.toThrow(StartRefused);
    await lock.release();
    await (await lockDirectory(deep, systemClock)).release();
  });
});
