import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const run = promisify(execFile);

let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "florin-trial-"));
  const compiler = here("../../../../node_modules/typescript/bin/tsc");
  await run(process.execPath, [compiler, "-p", here("../../tsconfig.bench.json")]);
});

afterAll(() => rm(cwd, { recursive: true, force: true }));

it("runs each load of the bench, writes the figures and verifies the books", async () => {
  const { stdout } = await run(process.execPath, [here("../../dist-bench/run.js"), "--trial"], {
    cwd,
  });
  expect(stdout).toContain("Everything adds up.");
  expect(stdout).toMatch(/^before and after, without load: a flush [\d.]+ and [\d.]+ ms, /m);
  expect(stdout).toMatch(/^books and log verified afterwards +yes +yes +met$/m);
  expect(stdout).not.toMatch(/NaN|undefined|Infinity|^.* {2}no .*$/m);
  expect(await readdir(join(cwd, ".bench"))).toHaveLength(1);
}, 600_000);
