import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../std/clock.ts";
import { type Log, silentLog } from "../std/log.ts";
import { pauseBefore, Watch } from "./watch.ts";

describe("the watch over PostgreSQL", () => {
  it("retries immediately, then with exponential backoff up to a bound", () => {
    expect([0, 1, 2, 3, 7, 30].map(pauseBefore)).toEqual([0, 100, 200, 400, 5_000, 5_000]);
  });

  it("refuses to begin when PostgreSQL fails three times", async () => {
    const directory = await mkdtemp(join(tmpdir(), "florin-watch-"));
    const failures: unknown[] = [];
    const log: Log = { ...silentLog, error: (fields) => failures.push(fields.failures) };
    const begun = Watch.begin({
      cluster: directory,
      clusterName: "florin-watch",
      socketDir: directory,
      account: undefined,
      binaries: { postgres: process.execPath, initdb: process.execPath, version: "18.4" },
      args: ["--eval", "process.exit(1)"],
      logFile: join(directory, "postgres.log"),
      clock: systemClock,
      log,
    });
    await expect(begun).rejects.toThrow("PostgreSQL ended while starting");
    // On a full disk PostgreSQL cannot write its log.
    await expect(begun).rejects.toThrow(/does not say why; the disk of \S+ has \d+ MB left/);
    expect(failures).toEqual([1, 2, 3]);
    await rm(directory, { recursive: true });
  });
});
