/**
 * The CPU time that a server, its threads and its PostgreSQL have used, from the Linux scheduler. Threads and backends of the same
 * name are summed. CPU time depends less than a rate on other load of the machine.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

export interface Usage {
  /** Microseconds of CPU time by the name of a thread or of a backend. */
  readonly microseconds: ReadonlyMap<string, number>;
  readonly walBytes: number;
  readonly walRecords: number;
}

const SUPERUSER = "postgres";
const DATABASE_DIRECTORY = "postgres";

export class ProcessorTime {
  readonly #serverPid: number;
  readonly #client: pg.Client;

  private constructor(serverPid: number, client: pg.Client) {
    this.#serverPid = serverPid;
    this.#client = client;
  }

  static async of(server: { readonly pid: number }, dataDir: string): Promise<ProcessorTime> {
    const file = readFileSync(join(dataDir, DATABASE_DIRECTORY, "postmaster.pid"), "utf8");
    const [, , , port, socketDir] = file.split("\n");
    const client = new pg.Client({
      host: socketDir ?? "",
      port: Number(port),
      user: SUPERUSER,
      database: SUPERUSER,
      application_name: "bench",
    });
    client.on("error", () => undefined);
    await client.connect();
    return new ProcessorTime(server.pid, client);
  }

  async read(): Promise<Usage> {
    const { rows } = await this.#client.query<{ pid: number; name: string }>(
      "select pid, coalesce(nullif(application_name, ''), backend_type) as name from pg_stat_activity",
    );
    const wal = await this.#client.query<{ bytes: string; records: string }>(
      "select wal_bytes::text as bytes, wal_records::text as records from pg_stat_wal",
    );
    const microseconds = new Map<string, number>();
    const add = (name: string, used: number) =>
      microseconds.set(name, (microseconds.get(name) ?? 0) + used);
    for (const thread of readdirSync(`/proc/${this.#serverPid}/task`)) {
      const isMain = Number(thread) === this.#serverPid;
      add(isMain ? "node main" : "node other threads", usedBy(`${this.#serverPid}/task/${thread}`));
    }
    for (const { pid, name } of rows)
      if (name !== "bench") add(`postgres ${name.replace(/^florin /, "")}`, usedBy(String(pid)));
    const [counted] = wal.rows;
    return {
      microseconds,
      walBytes: Number(counted?.bytes),
      walRecords: Number(counted?.records),
    };
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}

/** Returns zero for a thread or a backend that has ended meanwhile. */
function usedBy(path: string): number {
  try {
    return Number(readFileSync(`/proc/${path}/schedstat`, "utf8").split(" ")[0]) / 1_000;
  } catch {
    return 0;
  }
}

/** The use between two readings, divided by `count`. A backend that ended in between counts as zero. */
export function usedBetween(before: Usage, after: Usage, count: number): Usage {
  const microseconds = new Map(
    [...after.microseconds].map(([name, used]) => [
      name,
      Math.max(0, used - (before.microseconds.get(name) ?? 0)) / count,
    ]),
  );
  return {
    microseconds,
    walBytes: (after.walBytes - before.walBytes) / count,
    walRecords: (after.walRecords - before.walRecords) / count,
  };
}
