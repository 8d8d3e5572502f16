import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createLog } from "./log.ts";

let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "florin-log-"));
  file = join(directory, "log");
  closeSync(openSync(file, "w"));
});

afterEach(() => rmSync(directory, { recursive: true }));

it("writes a line of JSON per entry, with secrets redacted", () => {
  const fd = openSync(file, "a");
  createLog("info", fd).info({ path: "/x", secret: "hidden" }, "happened");
  closeSync(fd);
  const line = JSON.parse(readFileSync(file, "utf8")) as unknown;
  expect(line).toMatchObject({ level: 30, msg: "happened", path: "/x", secret: "[redacted]" });
});

it("does not end the process when it cannot be written", () => {
  // Each write fails, as on a full disk.
  const fd = openSync(file, "r");
  const log = createLog("info", fd);
  const line = { text: "x".repeat(1_000) };
  for (let count = 0; count < 2_000; count++) log.error(line, "once more");
  closeSync(fd);
});
