import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { soon } from "../../test/kit/soon.ts";
import { type Clock, systemClock } from "../std/clock.ts";
import { StartRefused } from "../std/errors.ts";
import { type Log, silentLog } from "../std/log.ts";
import { isRoot } from "./account.ts";
import { clusterProcesses, isAlive } from "./processes.ts";
import { shortHash } from "./safe-place.ts";
import { SOCKET_PORT, sharedBuffersMegabytes } from "./settings.ts";
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from "./start-embedded-postgres.ts";

const TEST_LIMIT_MS = 30_000;

let top: string;
let dataDir: string;
const running = new Set<EmbeddedPostgres>();
const children = new Set<ChildProcess>();

beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "florin-pg-")));
  await chmod(top, 0o711);
  dataDir = join(top, "data");
});

afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
  for (const postgres of running) await postgres.stop();
  running.clear();
});

afterAll(() => rm(top, { recursive: true }));

async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: silentLog,
    clock: systemClock,
    ...options,
  });
  running.add(postgres);
  return postgres;
}

async function stop(postgres: EmbeddedPostgres): Promise<void> {
  await postgres.stop();
  running.delete(postgres);
}

async function query(
  to: { connection: EmbeddedPostgres["connection"] },
  text: string,
): Promise<readonly string[]> {
  const client = new pg.Client({ ...to.connection, connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const answer = await client.query<string[]>({ text, rowMode: "array" });
    return answer.rows.map((row) => row.map(String).join(" "));
  } finally {
    await client.end();
  }
}

function queryAgain(postgres: EmbeddedPostgres, text: string): Promise<readonly string[]> {
  return soon(() => query(postgres, text));
}

function pidOf(postgres: EmbeddedPostgres): number {
  const pid = postgres.pid();
  if (pid === undefined) throw new Error("PostgreSQL is down");
  return pid;
}

function processesOf(path: string): Promise<readonly number[]> {
  const mark = { cluster: join(path, "postgres"), clusterName: `florin-${shortHash(path)}` };
  return clusterProcesses(mark, systemClock);
}

interface Stayer {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly connection: EmbeddedPostgres["connection"];
}

async function startElsewhere(): Promise<Stayer> {
  const program = fileURLToPath(new URL("run-and-stay.mjs", import.meta.url));
  const child = spawn(process.execPath, [program, dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.add(child);
  const said = await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  const { pid, connection } = JSON.parse(String(said[0])) as Omit<Stayer, "child">;
  return { child, pid, connection };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

const hasty: Clock = {
  now: systemClock.now,
  after: (ms, task) => systemClock.after(ms === 100 ? 1 : ms, task),
};

const SOCKET = `.s.PGSQL.${SOCKET_PORT}`;
const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
const PAGES_A_MEGABYTE = 128;

describe("the embedded PostgreSQL", { timeout: TEST_LIMIT_MS }, () => {
  it("creates a durable, private database at the first start and keeps it for the second", async () => {
    const first = await start();
    await query(first, "create table kept (said text)");
    await query(first, "insert into kept values ('before')");
    expect(
      await query(
        first,
        `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes',
           'data_checksums', 'listen_addresses', 'server_encoding', 'shared_buffers') order by name`,
      ),
    ).toEqual([
      "data_checksums on",
      "fsync on",
      "full_page_writes on",
      "listen_addresses ",
      "server_encoding UTF8",
      `shared_buffers ${sharedBuffersMegabytes(memoryBytes) * PAGES_A_MEGABYTE}`,
      "synchronous_commit on",
    ]);
    expect(
      await query(
        first,
        `select datname, datcollate, pg_get_userbyid(datdba), rolname, rolsuper from pg_database, pg_roles
           where datname = current_database() and rolname = current_user`,
      ),
    ).toEqual(["florin C florin florin false"]);
    expect((await lstat(first.connection.host)).mode & 0o777).toBe(0o700);
    await stop(first);

    const second = await start({ settings: { shared_buffers: "64MB" } });
    expect(await query(second, "select said from kept")).toEqual(["before"]);
    expect(await query(second, "show shared_buffers")).toEqual(["64MB"]);
    expect(second.connection).toEqual(first.connection);
  });

  it("leaves no process, socket or lock when it stops", async () => {
    const postgres = await start();
    const pid = pidOf(postgres);
    const held = new pg.Client(postgres.connection);
    held.on("error", () => undefined);
    await held.connect();
    expect((await processesOf(dataDir)).length).toBeGreaterThan(3);
    await Promise.all([postgres.stop(), postgres.stop()]);
    expect(await processesOf(dataDir)).toEqual([]);
    expect(isAlive(pid)).toBe(false);
    const log = await readFile(join(dataDir, "postgres.log"), "utf8");
    expect(log.match(/received \w+ shutdown/g)?.at(-1)).toBe("received fast shutdown");
    expect(log.trimEnd()).toMatch(/database system is shut down$/);
    expect(postgres.pid()).toBeUndefined();
    expect(existsSync(postgres.connection.host)).toBe(false);
    expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
    await stop(await start());
  });

  it("refuses a second server on the same data directory and names the first", async () => {
    const { child, connection } = await startElsewhere();
    const second = start();
    await expect(second).rejects.toThrow(StartRefused);
    await expect(second).rejects.toThrow(
      `another Florin server (process ${child.pid}) uses the data directory`,
    );
    expect(await query({ connection }, "select 1")).toEqual(["1"]);
    await kill(child);
    await start();
  });

  it("restarts a postmaster that was killed under load, with all commits", async () => {
    const postgres = await start();
    await query(postgres, "create table committed (n int)");
    for (const n of [1, 2, 3]) {
      const pid = pidOf(postgres);
      await query(postgres, `insert into committed values (${n})`);
      const busy = query(postgres, "select count(*) from generate_series(1, 1000000000)").catch(
        () => "lost",
      );
      await soon(async () =>
        expect(
          await query(
            postgres,
            "select 1 from pg_stat_activity where query like '%generate_series%' and pid <> pg_backend_pid()",
          ),
        ).toHaveLength(1),
      );
      process.kill(pid, "SIGKILL");
      expect(await queryAgain(postgres, "select count(*) from committed")).toEqual([`${n}`]);
      expect(await busy).toBe("lost");
      await soon(() => expect(pidOf(postgres)).not.toBe(pid));
    }
  });

  it("stops during the restart of a postmaster", async () => {
    const postgres = await start();
    process.kill(pidOf(postgres), "SIGKILL");
    await soon(() => expect(postgres.pid()).toBeUndefined());
    await stop(postgres);
    expect(await processesOf(dataDir)).toEqual([]);
  });

  it("uses the PostgreSQL that survived a killed server, and watches it", async () => {
    const { child, pid, connection } = await startElsewhere();
    await query({ connection }, "create table survived (n int)");
    await kill(child);
    const postgres = await start();
    expect(postgres.pid()).toBe(pid);
    expect(await query(postgres, "select count(*) from survived")).toEqual(["0"]);
    process.kill(pid, "SIGKILL");
    expect(await queryAgain(postgres, "select count(*) from survived")).toEqual(["0"]);
    await soon(() => expect(pidOf(postgres)).not.toBe(pid));
  });

  it("restarts a survivor with another command line", async () => {
    const { child, pid } = await startElsewhere();
    await kill(child);
    const postgres = await start({ settings: { work_mem: "9MB" } });
    expect(postgres.pid()).not.toBe(pid);
    expect(await query(postgres, "show work_mem")).toEqual(["9MB"]);
  });

  it("recovers after server and postmaster were killed at once", async () => {
    const { child, pid, connection } = await startElsewhere();
    await query({ connection }, "create table recovered (n int)");
    process.kill(pid, "SIGKILL");
    await kill(child);
    const postgres = await start();
    expect(await query(postgres, "select count(*) from recovered")).toEqual(["0"]);
  });

  it("starts despite a pid file with the pid of another program", async () => {
    await stop(await start());
    const path = join(dataDir, "postgres", "postmaster.pid");
    await writeFile(path, `${process.ppid}\n${join(dataDir, "postgres")}\n`);
    const postgres = await start();
    expect(await query(postgres, "select 1")).toEqual(["1"]);
  });

  it("deletes an incomplete database", async () => {
    const other = join(top, "half");
    await mkdir(join(other, "postgres.new-0badcafe", "base"), { recursive: true });
    await chmod(other, 0o711);
    const postgres = await start({ dataDir: other });
    expect(await query(postgres, "select 1")).toEqual(["1"]);
    expect(existsSync(join(other, "postgres.new-0badcafe"))).toBe(false);
  });

  it("retries without limit, and logs that at intervals", async () => {
    const onGaveUp = vi.fn();
    const complaints: unknown[] = [];
    const log: Log = { ...silentLog, error: (_, message) => complaints.push(message) };
    const postgres = await start({ clock: hasty, onGaveUp, log });
    const missing = join(dataDir, "postgres", "global");
    const logFile = join(dataDir, "postgres.log");
    await writeFile(logFile, "");
    await rename(missing, join(top, "global"));
    process.kill(pidOf(postgres), "SIGKILL");
    await soon(async () => {
      const said = await readFile(logFile, "utf8");
      expect(said.match(/could not find the database system/g)?.length).toBeGreaterThan(20);
    });
    const reported = complaints.filter((message) => message === "PostgreSQL did not start");
    expect(reported.length).toBeLessThan(10);
    await rename(join(top, "global"), missing);
    expect(await queryAgain(postgres, "select 1")).toEqual(["1"]);
    expect(onGaveUp).not.toHaveBeenCalled();
  });

  it("stops retrying when the database's directory was deleted, reports that once, and still stops", async () => {
    const onGaveUp = vi.fn();
    const postgres = await start({ clock: hasty, onGaveUp });
    const cluster = join(dataDir, "postgres");
    process.kill(pidOf(postgres), "SIGKILL");
    await rename(cluster, join(top, "elsewhere"));
    await soon(() => expect(onGaveUp).toHaveBeenCalledOnce());
    expect(postgres.pid()).toBeUndefined();
    await rename(join(top, "elsewhere"), cluster);
    await stop(postgres);
    await start();
  });

  it("creates its socket again when it was deleted", async () => {
    const postgres = await start();
    await query(postgres, "create table cleared (n int)");
    for (const cleared of [postgres.connection.host, join(postgres.connection.host, SOCKET)]) {
      await writeFile(join(dataDir, "postgres.log"), "");
      // It takes queries a moment before the watch knows that it does.
      const pid = await soon(() => pidOf(postgres));
      await rm(cleared, { recursive: true });
      expect(await queryAgain(postgres, "select count(*) from cleared")).toEqual(["0"]);
      expect(postgres.pid()).not.toBe(pid);
      const log = await readFile(join(dataDir, "postgres.log"), "utf8");
      expect(log).toContain("received fast shutdown request");
    }
  });

  it("waits until the name of the socket's directory is free", async () => {
    const postgres = await start({ clock: hasty });
    const { host } = postgres.connection;
    await rm(host, { recursive: true });
    await mkdir(host, { mode: 0o755 });
    await soon(() => expect(postgres.pid()).toBeUndefined());
    await rm(host, { recursive: true });
    expect(await queryAgain(postgres, "select 1")).toEqual(["1"]);
    expect((await lstat(host)).mode & 0o777).toBe(0o700);
  });

  it("stops a frozen PostgreSQL within the time limit", async () => {
    const postgres = await start();
    process.kill(pidOf(postgres), "SIGSTOP");
    const since = systemClock.now();
    await postgres.stop(500);
    expect(systemClock.now() - since).toBeLessThan(5_000);
    expect(await processesOf(dataDir)).toEqual([]);
    running.delete(postgres);
  });

  it("ends its processes when the start is aborted", async () => {
    await stop(await start());
    const stopping = new AbortController();
    const started = start({ signal: stopping.signal });
    const failed = expect(started).rejects.toThrow("told to stop");
    await soon(async () => expect(await processesOf(dataDir)).not.toEqual([]));
    stopping.abort(new StartRefused("told to stop"));
    await failed;
    expect(await processesOf(dataDir)).toEqual([]);
    expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
    await start();
  });

  it("restarts a survivor whose socket was deleted meanwhile", async () => {
    const { child, pid, connection } = await startElsewhere();
    await kill(child);
    await rm(connection.host, { recursive: true });
    const postgres = await start();
    expect(postgres.pid()).not.toBe(pid);
    expect(await query(postgres, "select 1")).toEqual(["1"]);
  });

  it("reports the errors of PostgreSQL when it does not start, and leaves no socket's directory", async () => {
    const before = await start();
    await stop(before);
    const started = start({ settings: { shared_buffers: "plenty" } });
    await expect(started).rejects.toThrow(StartRefused);
    await expect(started).rejects.toThrow(/invalid value for parameter "shared_buffers": "plenty"/);
    expect(existsSync(before.connection.host)).toBe(false);
    await expect(start({ settings: { fsync: "off" } })).rejects.toThrow("fsync cannot be set");
    expect(existsSync(before.connection.host)).toBe(false);
    await start();
  });

  it.runIf(isRoot())(
    "serves a data directory that only root can enter from a shelter",
    async () => {
      const closed = join(top, "closed");
      const shelters = join(top, "shelters");
      await mkdir(closed, { mode: 0o700 });
      const options = { dataDir: join(closed, "data"), shelters };
      const first = await start(options);
      await query(first, "create table sheltered (n int)");
      await stop(first);
      const place = (await readFile(join(closed, "data", "postgres-location"), "utf8")).trim();
      expect(place.startsWith(`${shelters}/`)).toBe(true);
      expect((await lstat(join(place, "postgres"))).uid).not.toBe(0);
      const second = await start(options);
      expect(await query(second, "select count(*) from sheltered")).toEqual(["0"]);
    },
  );
});
