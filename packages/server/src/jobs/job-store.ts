/** Claims and releases of job leases, on a connection of its own. Only the engine inserts and deletes jobs. */
import type { ClaimedJob } from "../engine/command.ts";
import { arrayParameter, parameter } from "../postgres/columns.ts";
import type { Database } from "../postgres/database.ts";
import type { Statement, Step } from "../postgres/pipeline.ts";
import { createSerialLane } from "../postgres/serial-lane.ts";
import type { JsonObject } from "../std/json.ts";

export interface JobStore {
  /** Leases due jobs to this process; other servers skip them until the lease expires. */
  claim(options: ClaimOptions): Promise<readonly FoundJob[]>;
  /** Ends leases: each job becomes due again at its time. */
  release(jobs: readonly ReleasedJob[]): Promise<void>;
  /** Whether a job of the platform is due that another process has leased or is claiming. */
  hasHeldJob(
    options: Pick<ClaimOptions, "now"> & { readonly platformId: string },
  ): Promise<boolean>;
}

export interface ClaimOptions {
  readonly now: number;
  readonly leaseMs: number;
  readonly limit: number;
  /** Only this platform's jobs. */
  readonly platformId?: string;
  /** Only what is due since then. */
  readonly from?: number | undefined;
}

export interface FoundJob extends ClaimedJob {
  /** Host time. */
  readonly dueSince: number;
}

export interface ReleasedJob {
  readonly job: ClaimedJob;
  /** Platform time: when the clock is moved on in between, the job moves with it. */
  readonly dueAt: number;
}

/** Releasing a job need not be durable: if a crash loses it, the lease expires. */
const withoutWaiting: Step = {
  statement: {
    name: "jobs/settings",
    text: "select set_config('synchronous_commit', 'off', true)",
  },
  parameters: [],
};

const claimAny: Statement = {
  name: "jobs/claim",
  text: claimText("true", "run_at"),
};

const claimOfPlatform: Statement = {
  name: "jobs/claim-of-platform",
  text: claimText("platform_id = $5::uuid", "due_at, id"),
};

function claimText(where: string, order: string): string {
  return (
    `with due as (select ctid as row_id, run_at from jobs where ${where} and run_at <= $1::timestamptz ` +
    `and run_at >= coalesce($4::timestamptz, '-infinity') order by ${order} limit $3::int8 for update skip locked) ` +
    "update jobs j set run_at = $2::timestamptz, attempts = j.attempts + 1 from due where j.ctid = due.row_id " +
    "returning j.platform_id, j.id, j.kind, j.payload, j.attempts, " +
    "(select h.clock_offset_ms from platform_heads h where h.platform_id = j.platform_id), " +
    "floor(extract(epoch from due.run_at) * 1000)::int8"
  );
}

/** A leased job stays due (`due_at`) while `run_at` holds the end of its lease. */
const held: Statement = {
  name: "jobs/held",
  text:
    "select 1 from jobs j join platform_heads h on h.platform_id = j.platform_id " +
    "where j.platform_id = $1::uuid and j.due_at <= $2::timestamptz + h.clock_offset_ms * interval '1 millisecond' limit 1",
};

/**
 * Releases with a relative delay: the order of this statement and of a move of the platform's clock makes no difference, so
 * the head need not be locked. A job is released only under the lease of this claim. A locked row is skipped, because waiting
 * for it while holding other rows could deadlock. Each row is found by its key: a join planned while the table was empty
 * compared each row with each.
 */
const release: Statement = {
  name: "jobs/release",
  text:
    "with held as (select found.row_id, k.later_ms, k.due_at " +
    "from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::int8[], $5::timestamptz[]) " +
    "k(platform_id, id, attempts, later_ms, due_at), lateral (select j.ctid as row_id from jobs j " +
    "where j.platform_id = k.platform_id and j.id = k.id and j.attempts = k.attempts limit 1 " +
    "for update skip locked) found) " +
    "update jobs j set run_at = j.run_at + held.later_ms * interval '1 millisecond', due_at = held.due_at from held " +
    "where j.ctid = held.row_id returning j.id",
};

/** For a row that was skipped: waits for its lock and holds no other. */
const releaseOne: Statement = {
  name: "jobs/release-one",
  text:
    "update jobs set run_at = run_at + $4::int8 * interval '1 millisecond', due_at = $5::timestamptz " +
    "where platform_id = $1::uuid and id = $2::uuid and attempts = $3::int4",
};

export function createJobStore(database: Database): JobStore {
  const lane = createSerialLane(database, "jobs");
  const run = async (...steps: readonly Step[]) => (await lane.run(...steps)).rows;

  return {
    async claim({ now, leaseMs, limit, platformId, from }) {
      const parameters = [
        parameter("time", now),
        parameter("time", now + leaseMs),
        parameter("int8", BigInt(limit)),
        parameter("time", from),
      ];
      const rows = await run(
        platformId === undefined
          ? { statement: claimAny, parameters }
          : {
              statement: claimOfPlatform,
              parameters: [...parameters, parameter("uuid", platformId)],
            },
      );
      return rows.map((cells) => decodeJob(cells, { now, leaseMs }));
    },
    async release(jobs) {
      const many: Step = { statement: release, parameters: releaseArrays(jobs) };
      const taken = await run(withoutWaiting, many);
      const done = new Set(taken.map(([id]) => id));
      for (const released of jobs) {
        if (done.has(released.job.id)) continue;
        const one: Step = { statement: releaseOne, parameters: releaseValues(released) };
        await run(withoutWaiting, one);
      }
    },
    async hasHeldJob({ now, platformId }) {
      const parameters = [parameter("uuid", platformId), parameter("time", now)];
      return (await run({ statement: held, parameters })).length > 0;
    },
  };
}

function releaseArrays(released: readonly ReleasedJob[]): Step["parameters"] {
  const values = <Value>(pick: (one: ReleasedJob) => Value) => released.map(pick);
  return [
    arrayParameter(
      "uuid",
      values(({ job }) => job.platformId),
    ),
    arrayParameter(
      "uuid",
      values(({ job }) => job.id),
    ),
    arrayParameter(
      "int4",
      values(({ job }) => job.attempts),
    ),
    arrayParameter("int8", values(laterMs)),
    arrayParameter(
      "time",
      values(({ dueAt }) => Math.trunc(dueAt)),
    ),
  ];
}

function releaseValues(released: ReleasedJob): Step["parameters"] {
  const { platformId, id, attempts } = released.job;
  return [
    parameter("uuid", platformId),
    parameter("uuid", id),
    parameter("int4", attempts),
    parameter("int8", laterMs(released)),
    parameter("time", Math.trunc(released.dueAt)),
  ];
}

function laterMs({ job, dueAt }: ReleasedJob): bigint {
  return BigInt(Math.trunc(dueAt - job.leasedUntil));
}

function decodeJob(
  cells: readonly (string | null)[],
  { now, leaseMs }: Pick<ClaimOptions, "now" | "leaseMs">,
): FoundJob {
  const [platformId, id, kind, payload, attempts, offset, dueSince] = cells;
  return {
    platformId: platformId ?? "",
    id: id ?? "",
    kind: kind ?? "",
    payload: JSON.parse(payload ?? "{}") as JsonObject,
    attempts: Number(attempts),
    platformTime: now + Number(offset),
    leasedUntil: now + leaseMs + Number(offset),
    dueSince: Number(dueSince),
  };
}
