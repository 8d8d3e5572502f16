/** Claims and releases of job leases, on a connection of its own. Only the engine inserts and deletes jobs. */
import type { ClaimedJob } from "../engine/command.ts";
import { arrayParameter, parameter } from "../postgres/columns.ts";
import type { Database } from "../postgres/database.ts";
import type { Statement, Step, StepResult } from "../postgres/pipeline.ts";
import { createSerialLane } from "../postgres/serial-lane.ts";
import { groupBy } from "../std/group.ts";
import type { JsonObject } from "../std/json.ts";

export interface JobStore {
  /** Leases the next due jobs of all platforms to this process; other servers skip them until the lease expires. */
  claimNext(options: ScanOptions): Promise<Portion>;
  /** Like `claimNext`, for one platform. */
  claim(options: ClaimOptions): Promise<readonly ClaimedJob[]>;
  /** Ends leases: each job becomes due again at its time. */
  release(jobs: readonly ReleasedJob[]): Promise<void>;
  /** Whether another process has leased, or is claiming, a due job of the platform that is not in `except`. */
  hasHeldJob(options: HeldOptions): Promise<boolean>;
}

interface LeaseOptions {
  readonly now: number;
  readonly leaseMs: number;
  readonly limit: number;
}

export interface ScanOptions extends LeaseOptions {
  /** Only jobs that became due at this time or later. */
  readonly from?: number | undefined;
}

export interface ClaimOptions extends LeaseOptions {
  readonly platformId: string;
}

export interface HeldOptions extends Pick<ClaimOptions, "now" | "platformId"> {
  readonly except: readonly string[];
}

export interface Portion {
  /** Fewer than were found when other servers claim some of them at the same time. */
  readonly jobs: readonly ClaimedJob[];
  /** The host time at which the last job found became due; undefined when the portion was not full. */
  readonly fullUpTo: number | undefined;
  /** The host time at which the next job becomes due, when that is within `AHEAD_MS`. */
  readonly nextAt?: number | undefined;
}

/** How far a scan looks ahead. A worker that pauses no longer than this misses no job's time. */
export const AHEAD_MS = 2_000;

export interface ReleasedJob {
  readonly job: ClaimedJob;
  /** Platform time, so that a move of the platform's clock also moves the job. */
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

/** Finds jobs of all platforms by time: those that are due and those that soon will be. They are claimed by platform, because a platform's rows are on one cluster node. */
const findDue: Statement = {
  name: "jobs/due",
  text:
    "select platform_id, id, floor(extract(epoch from run_at) * 1000)::int8 from jobs where run_at <= $1::timestamptz " +
    "and run_at >= coalesce($2::timestamptz, '-infinity') order by run_at limit $3::int8",
};

/** Jobs that another server claims at the same time are skipped. */
const claimFound: Statement = {
  name: "jobs/claim",
  text: claimText("id = any ($4::uuid[])"),
};

const claimOfPlatform: Statement = {
  name: "jobs/claim-of-platform",
  text: claimText("true order by due_at, id limit $4::int8"),
};

function claimText(which: string): string {
  return (
    "with due as (select id from jobs where platform_id = $1::uuid and run_at <= $2::timestamptz " +
    `and ${which} for update skip locked) ` +
    "update jobs j set run_at = $3::timestamptz, attempts = j.attempts + 1 " +
    "where j.platform_id = $1::uuid and j.id = any (array(select id from due)) returning j.id, j.kind, j.payload, j.attempts, " +
    "(select h.clock_offset_ms from platform_heads h where h.platform_id = $1::uuid)"
  );
}

/** A leased job stays due (`due_at`) while `run_at` holds the end of its lease. */
const held: Statement = {
  name: "jobs/held",
  text:
    "select 1 from jobs j join platform_heads h on h.platform_id = j.platform_id " +
    "where j.platform_id = $1::uuid and j.due_at <= $2::timestamptz + h.clock_offset_ms * interval '1 millisecond' " +
    "and j.id <> all ($3::uuid[]) limit 1",
};

/** Adding to a time with a time zone is not immutable, and Citus updates no row by such an expression. */
const LATER = (ms: string) =>
  `(j.run_at at time zone 'UTC' + ${ms} * interval '1 millisecond') at time zone 'UTC'`;

/**
 * Releases with a relative delay: the result is the same before and after a move of the platform's clock, so the head need not be locked.
 * A job is released only under the lease of this claim. A locked row is skipped, because waiting for it while holding other rows could
 * deadlock. The array condition repeats the join, so that each row is found by its key: the join alone, planned while the table was
 * empty, read all jobs of the platform.
 */
const release: Statement = {
  name: "jobs/release",
  text:
    "with held as (select found.id, k.later_ms, k.due_at " +
    "from unnest($2::uuid[], $3::int4[], $4::int8[], $5::timestamptz[]) k(id, attempts, later_ms, due_at), " +
    "lateral (select i.id from jobs i where i.platform_id = $1::uuid and i.id = k.id and i.attempts = k.attempts limit 1 " +
    "for update skip locked) found) " +
    `update jobs j set run_at = ${LATER("held.later_ms")}, due_at = held.due_at from held ` +
    "where j.platform_id = $1::uuid and j.id = any (array(select id from held)) and j.id = held.id returning j.id",
};

/** For a row that was skipped: waits for its lock and holds no other. */
const releaseOne: Statement = {
  name: "jobs/release-one",
  text:
    `update jobs j set run_at = ${LATER("$4::int8")}, due_at = $5::timestamptz ` +
    "where j.platform_id = $1::uuid and j.id = $2::uuid and j.attempts = $3::int4",
};

export function createJobStore(database: Database): JobStore {
  const lane = createSerialLane(database, "jobs");
  const run = async (...steps: readonly Step[]) => (await lane.run(...steps)).rows;

  return {
    async claimNext({ now, leaseMs, limit, from }) {
      const bounds = [parameter("time", now + AHEAD_MS), parameter("time", from)];
      const parameters = [...bounds, parameter("int8", BigInt(limit))];
      const soon = await run({ statement: findDue, parameters });
      const { due, nextAt } = dueOf(soon, now);
      if (due.length === 0) return { jobs: [], fullUpTo: undefined, nextAt };
      const found = [...groupBy(due, ([platformId]) => platformId ?? "")];
      const claimed = await lane.runAll(
        found.map(([platformId, rows]) => ({
          statement: claimFound,
          parameters: [
            parameter("uuid", platformId),
            parameter("time", now),
            parameter("time", now + leaseMs),
            arrayParameter(
              "uuid",
              rows.map(([, id]) => id),
            ),
          ],
        })),
      );
      const jobs = found.flatMap(([platformId], index) =>
        decodeJobs(claimed[index]?.rows ?? [], { platformId, now, leaseMs }),
      );
      const fullUpTo = due.length < limit ? undefined : Number(due.at(-1)?.[2]);
      return { jobs, fullUpTo, nextAt };
    },
    async claim({ now, leaseMs, limit, platformId }) {
      const rows = await run({
        statement: claimOfPlatform,
        parameters: [
          parameter("uuid", platformId),
          parameter("time", now),
          parameter("time", now + leaseMs),
          parameter("int8", BigInt(limit)),
        ],
      });
      return decodeJobs(rows, { platformId, now, leaseMs });
    },
    async release(jobs) {
      const steps = [...groupBy(jobs, ({ job }) => job.platformId)].map(
        ([platformId, own]): Step => ({
          statement: release,
          parameters: releaseArrays(platformId, own),
        }),
      );
      const taken = await lane.runAll([withoutWaiting, ...steps]);
      const done = new Set(taken.slice(1).flatMap(({ rows }) => rows.map(([id]) => id)));
      for (const released of jobs) {
        if (done.has(released.job.id)) continue;
        const one: Step = { statement: releaseOne, parameters: releaseValues(released) };
        await run(withoutWaiting, one);
      }
    },
    async hasHeldJob({ now, platformId, except }) {
      const place = [parameter("uuid", platformId), parameter("time", now)];
      const parameters = [...place, arrayParameter("uuid", except)];
      return (await run({ statement: held, parameters })).length > 0;
    },
  };
}

/** Divides rows in the order of their times into those that are due and the time of the next one. */
function dueOf(soon: StepResult["rows"], now: number) {
  const due = soon.filter(([, , runAt]) => Number(runAt) <= now);
  const next = soon[due.length]?.[2] ?? undefined;
  return { due, nextAt: next === undefined ? undefined : Number(next) };
}

function releaseArrays(platformId: string, released: readonly ReleasedJob[]): Step["parameters"] {
  const values = <Value>(pick: (one: ReleasedJob) => Value) => released.map(pick);
  return [
    parameter("uuid", platformId),
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

function decodeJobs(
  rows: StepResult["rows"],
  { platformId, now, leaseMs }: Pick<ClaimOptions, "platformId" | "now" | "leaseMs">,
): readonly ClaimedJob[] {
  return rows.map(([id, kind, payload, attempts, offset]) => ({
    platformId,
    id: id ?? "",
    kind: kind ?? "",
    payload: JSON.parse(payload ?? "{}") as JsonObject,
    attempts: Number(attempts),
    platformTime: now + Number(offset),
    leasedUntil: now + leaseMs + Number(offset),
  }));
}
