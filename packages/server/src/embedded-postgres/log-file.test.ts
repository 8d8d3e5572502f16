import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { boundLogFile, lastComplaints, logSize, openLogFile } from "./log-file.ts";

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "florin-log-"));
  path = join(directory, "postgres.log");
});

afterEach(() => rm(directory, { recursive: true }));

describe("the log of PostgreSQL", () => {
  it("is truncated when it exceeds its bound, and continues", async () => {
    const writer = await openLogFile(path);
    await writer.write("x".repeat(100));
    await boundLogFile(path, 100);
    expect(await logSize(path)).toBe(100);
    await boundLogFile(path, 99);
    await writer.write("after");
    await writer.close();
    expect(await readFile(path, "utf8")).toBe("after");
  });

  it("returns the errors after an offset", async () => {
    expect(await lastComplaints(path, 0)).toBe("");
    await writeFile(path, "1 FATAL:  old\n2 LOG:  starting\n");
    const from = await logSize(path);
    await appendFile(path, "3 LOG:  starting\n4 FATAL:  no room\n5 HINT:  make some\n");
    expect(await lastComplaints(path, from)).toBe("4 FATAL:  no room; 5 HINT:  make some");
  });
});
