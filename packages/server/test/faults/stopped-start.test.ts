/** A server gets SIGTERM or SIGINT before it is ready: it ends, and leaves no PostgreSQL process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clusterProcesses } from "../../src/embedded-postgres/processes.ts";
import { shortHash } from "../../src/embedded-postgres/safe-place.ts";
import { systemClock } from "../../src/std/clock.ts";
import { eventually } from "./eventually.ts";

const BUILT = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

let dataDir: string;
let printed = "";
beforeAll(async () => {
  dataDir = await realpath(await mkdtemp(join(tmpdir(), "florin-stopped-")));
  await chmod(dataDir, 0o711);
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

function startServer(): { readonly child: ChildProcess; readonly said: () => string } {
  const child = spawn(process.execPath, [BUILT, "start"], {
    env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "info" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      printed += text;
    });
  }
  return { child, said: () => said };
}

const isMakingTheCluster = async () =>
  (await readdir(dataDir)).some((name) => name.startsWith("postgres.new-"));
const isStartingPostgres = () => existsSync(join(dataDir, "postgres", "postmaster.pid"));

it.each([
  { when: "it makes the cluster", signal: "SIGTERM", isTheMoment: isMakingTheCluster },
  { when: "PostgreSQL comes up", signal: "SIGTERM", isTheMoment: isStartingPostgres },
  { when: "PostgreSQL comes up again", signal: "SIGINT", isTheMoment: isStartingPostgres },
  {
    when: "PostgreSQL is up",
    signal: "SIGTERM",
    isTheMoment: (said: string) => said.includes("PostgreSQL started"),
  },
] as const)("stops while $when, on $signal", async ({ signal, isTheMoment }) => {
  const { child, said } = startServer();
  const ended = once(child, "exit");
  await eventually("the moment", async () => ((await isTheMoment(said())) ? true : undefined));
  child.kill(signal);
  expect(await ended).toEqual([0, null]);
  expect(said()).not.toContain("florin ready");
  const cluster = join(dataDir, "postgres");
  const mark = { cluster, clusterName: `florin-${shortHash(dataDir)}` };
  expect(await clusterProcesses(mark, systemClock)).toEqual([]);
  expect(isStartingPostgres()).toBe(false);
});

it("starts normally afterwards, and stops", async () => {
  const { child, said } = startServer();
  const ended = once(child, "exit");
  await eventually(
    "a server that is ready",
    () => (said().includes("florin ready") ? true : undefined),
    60_000,
  );
  // The start that created the platform printed its secret, once.
  expect(printed.match(/clientSecret/g)).toHaveLength(1);
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(isStartingPostgres()).toBe(false);
});
