/**
 * Two PostgreSQL servers of the binaries that the product brings, of which one is the primary and the other its synchronous standby. A
 * failover kills the primary and promotes the standby; the killed one comes back as the standby of the other.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { chmod, chown, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { isRoot, osAccount } from "../../src/embedded-postgres/account.ts";
import { type Binaries, prepareBinaries } from "../../src/embedded-postgres/binaries/binaries.ts";
import { locatePackage } from "../../src/embedded-postgres/binaries/platform.ts";
import { run, spawnOptions } from "../../src/embedded-postgres/run.ts";
import { present } from "../../src/std/assert.ts";
import { systemClock as clock } from "../../src/std/clock.ts";
import { silentLog as log } from "../../src/std/log.ts";
import { freePort } from "../kit/free-port.ts";
import { eventually } from "./eventually.ts";

const SUPERUSER = "postgres";
const LIMIT_MS = 60_000;
/** A standby makes its own, and reads the rest from its primary. */
const NOT_COPIED = new Set(["postmaster.pid", "postmaster.opts", "pg_wal", "standby.signal"]);
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  wal_keep_size: "512MB",
  max_wal_size: "256MB",
  shared_buffers: "64MB",
};

type Account = Awaited<ReturnType<typeof osAccount>> | undefined;

class Node {
  readonly port: number;
  readonly dir: string;
  readonly #binaries: Binaries;
  readonly #account: Account;
  #child: ChildProcess | undefined;

  constructor(parts: { dir: string; port: number; binaries: Binaries; account: Account }) {
    this.dir = parts.dir;
    this.port = parts.port;
    this.#binaries = parts.binaries;
    this.#account = parts.account;
  }

  async init(): Promise<void> {
    await this.#makeDirectory();
    const { code, complaints } = await run({
      program: this.#binaries.initdb,
      args: [
        `--pgdata=${this.dir}`,
        `--username=${SUPERUSER}`,
        "--auth=trust",
        "--encoding=UTF8",
        "--locale=C",
      ],
      account: this.#account,
      clock,
      limitMs: LIMIT_MS,
    });
    if (code !== 0) throw new Error(complaints);
  }

  async start(): Promise<void> {
    const settings = Object.entries({ ...SETTINGS, port: String(this.port) });
    this.#child = spawn(
      this.#binaries.postgres,
      ["-D", this.dir, ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])],
      { ...spawnOptions(this.#account), stdio: "ignore" },
    );
    await eventually("a PostgreSQL that answers", async () => {
      return (await this.query("select 1").catch(() => [])).length > 0 ? true : undefined;
    });
  }

  /** The postmaster is killed; its children end by themselves. */
  async kill(): Promise<void> {
    const child = present(this.#child, "a PostgreSQL that runs");
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }

  async stop(): Promise<void> {
    if (this.#child === undefined || this.#child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#child?.once("exit", resolve));
    if (this.#child.signalCode === null) this.#child.kill("SIGINT");
    else return;
    await ended;
  }

  /** One statement as the superuser. */
  async query(text: string, database = SUPERUSER): Promise<readonly Record<string, unknown>[]> {
    const connection = { host: "127.0.0.1", port: this.port, user: SUPERUSER, database };
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2_000 });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return (await client.query(text)).rows as readonly Record<string, unknown>[];
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async follow(primary: Node): Promise<void> {
    await rm(this.dir, { recursive: true, force: true });
    await this.#makeDirectory();
    const client = new pg.Client({
      ...{ host: "127.0.0.1", port: primary.port, user: SUPERUSER, database: SUPERUSER },
    });
    await client.connect();
    try {
      await client.query("select pg_backup_start('standby', true)");
      await this.#copy(primary.dir, this.dir);
      const { rows } = await client.query<{ labelfile: string }>(
        "select labelfile from pg_backup_stop(false)",
      );
      await mkdir(join(this.dir, "pg_wal"), { mode: 0o700 });
      await this.#write("backup_label", rows[0]?.labelfile ?? "");
    } finally {
      await client.end();
    }
    await this.#write("standby.signal", "");
    const source = `host=127.0.0.1 port=${primary.port} user=${SUPERUSER}`;
    await this.#write("postgresql.auto.conf", `primary_conninfo = '${source}'\n`);
    await this.#own(join(this.dir, "pg_wal"));
    await this.start();
  }

  async #makeDirectory(): Promise<void> {
    await mkdir(this.dir, { recursive: true, mode: 0o700 });
    await this.#own(this.dir);
  }

  async #write(name: string, text: string): Promise<void> {
    await writeFile(join(this.dir, name), text);
    await this.#own(join(this.dir, name));
  }

  async #own(path: string): Promise<void> {
    if (this.#account !== undefined) await chown(path, this.#account.uid, this.#account.gid);
  }

  /** Files that PostgreSQL removes meanwhile are left out; the log of the primary makes up for all that changes. */
  async #copy(from: string, to: string): Promise<void> {
    for (const entry of await readdir(from, { withFileTypes: true })) {
      if (NOT_COPIED.has(entry.name)) continue;
      const [source, target] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isDirectory()) {
        await mkdir(target, { mode: 0o700 });
        await this.#own(target);
        await this.#copy(source, target);
      } else if (await copyFile(source, target).then(() => true, isGone)) {
        await this.#own(target);
      }
    }
  }
}

function isGone(error: NodeJS.ErrnoException): false {
  if (error.code === "ENOENT") return false;
  throw error;
}

export interface Replicas {
  /** With both hosts, in an order that stays. */
  readonly url: string;
  readonly primary: Node;
  /** Waits until each commit of the primary waits for the standby. */
  replicate(): Promise<void>;
  /** From now on commits do not wait for the standby, which gets no more of them. */
  cutOff(): Promise<void>;
  /** Kills the primary and promotes the standby. */
  failOver(): Promise<void>;
  /** The killed one follows the primary, which again waits for it. */
  rejoin(): Promise<void>;
  stop(): Promise<void>;
}

export async function startReplicas(): Promise<Replicas> {
  const place = await mkdtemp(join(tmpdir(), "florin-replicas-"));
  await chmod(place, 0o711);
  const account = isRoot() ? await osAccount() : undefined;
  const packageRoot = locatePackage(process);
  const binaries = await prepareBinaries({ packageRoot, account, homes: [place], clock, log });
  const open = async (name: string) =>
    new Node({ dir: join(place, name), port: await freePort(), binaries, account });
  const nodes = [await open("a"), await open("b")];
  let [primary, standby] = nodes as [Node, Node];
  await primary.init();
  await primary.start();
  await primary.query("create role florin login");
  await primary.query("create database florin owner florin");
  await standby.follow(primary);

  async function waitForStandby(names: string): Promise<void> {
    await primary.query(`alter system set synchronous_standby_names = '${names}'`);
    await primary.query("select pg_reload_conf()");
  }

  async function replicate(): Promise<void> {
    await waitForStandby("*");
    await eventually("a synchronous standby", async () => {
      const [row] = await primary.query("select sync_state from pg_stat_replication");
      return row?.sync_state === "sync" ? true : undefined;
    });
  }

  await replicate();
  return {
    url: `postgres://florin@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(",")}/florin?target_session_attrs=read-write`,
    get primary() {
      return primary;
    },
    replicate,
    async cutOff() {
      await waitForStandby("");
      await standby.query("alter system set primary_conninfo = ''");
      await standby.query("select pg_reload_conf()");
      await eventually("no standby", async () => {
        const rows = await primary.query("select 1 from pg_stat_replication");
        return rows.length === 0 ? true : undefined;
      });
    },
    async failOver() {
      await primary.kill();
      await standby.query("select pg_promote()");
      [primary, standby] = [standby, primary];
      await waitForStandby("");
    },
    async rejoin() {
      await standby.follow(primary);
      await replicate();
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
      await rm(place, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
