/** The bookkeeping of leases on jobs, on a connection of its own. Jobs are added and ended by the engine alone. */
import type { Job } from "../engine/command.ts";
import { arrayParameter, parameter } from "../engine/records.ts";
import type { JsonObject } from "../std/json.ts";
import type { Database } from "../storage/database.ts";
import type { Statement, Step } from "../storage/pipeline.ts";
import { createSerialLane } from "../storage/serial-lane.ts";

export interface ClaimedJob extends Job {
  /** The platform's time at the claim. */
  readonly platformTime: number;
}

export interface JobStore {
  /** Takes jobs that are due, for a while; other servers pass over them. */
  claim(options: ClaimOptions): Promise<readonly ClaimedJob[]>;
  /** Gives jobs back, to be taken again at a later time. */
  release(jobs: readonly ReleasedJob[]): Promise<void>;
  close(): Promise<void>;
}

export interface ClaimOptions {
  readonly now: number;
  readonly leaseMs: number;
  readonly limit: number;
  /** Only this platform's jobs. */
  readonly platformId?: string;
}

export interface ReleasedJob {
  readonly platformId: string;
  readonly id: string;
  /** Platform time: when the clock is moved on in between, the job moves with it. */
  readonly dueAt: number;
}

const CLAIMED =
  "returning j.platform_id, j.id, j.kind, j.payload, j.attempts, " +
  "(select h.clock_offset_ms from platform_heads h where h.platform_id = j.platform_id)";

const claimAny: Statement = {
  name: "jobs/claim",
  text:
    "with due as (select ctid as row_id from jobs where run_at <= $1::timestamptz order by run_at limit $3::int8 " +
    "for update skip locked) update jobs j set run_at = $2::timestamptz, attempts = j.attempts + 1 from due " +
    `where j.ctid = due.row_id ${CLAIMED}`,
};

const claimOfPlatform: Statement = {
  name: "jobs/claim-of-platform",
  text:
    "with due as (select ctid as row_id from jobs where platform_id = $4::uuid and run_at <= $1::timestamptz " +
    "order by due_at, id limit $3::int8 for update skip locked) " +
    "update jobs j set run_at = $2::timestamptz, attempts = j.attempts + 1 from due " +
    `where j.ctid = due.row_id ${CLAIMED}`,
};

/**
 * The heads are locked first, so that a clock that is being moved on is seen with its new offset. By key, not by place: a
 * job that moved with the clock is still found when the lock is free.
 */
const release: Statement = {
  name: "jobs/release",
  text:
    "with heads as (select h.platform_id, h.clock_offset_ms from platform_heads h where h.platform_id = any($1::uuid[]) " +
    "order by h.platform_id for share) " +
    "update jobs j set run_at = k.due_at - h.clock_offset_ms * interval '1 millisecond' " +
    "from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) k(platform_id, id, due_at), heads h " +
    "where h.platform_id = k.platform_id and j.platform_id = k.platform_id and j.id = k.id",
};

export function createJobStore(database: Database): JobStore {
  const lane = createSerialLane(database, "jobs");
  const run = async (step: Step) => (await lane.run(step)).rows;

  return {
    async claim({ now, leaseMs, limit, platformId }) {
      const parameters = [
        parameter("time", now),
        parameter("time", now + leaseMs),
        parameter("int8", BigInt(limit)),
      ];
      const rows = await run(
        platformId === undefined
          ? { statement: claimAny, parameters }
          : {
              statement: claimOfPlatform,
              parameters: [...parameters, parameter("uuid", platformId)],
            },
      );
      return rows.map((cells) => decodeJob(cells, now));
    },
    async release(jobs) {
      await run({
        statement: release,
        parameters: [
          arrayParameter(
            "uuid",
            jobs.map((job) => job.platformId),
          ),
          arrayParameter(
            "uuid",
            jobs.map((job) => job.id),
          ),
          arrayParameter(
            "time",
            jobs.map((job) => job.dueAt),
          ),
        ],
      });
    },
    close: () => lane.close(),
  };
}

function decodeJob(cells: readonly (string | null)[], now: number): ClaimedJob {
  const [platformId, id, kind, payload, attempts, offset] = cells;
  return {
    platformId: platformId ?? "",
    id: id ?? "",
    kind: kind ?? "",
    payload: JSON.parse(payload ?? "{}") as JsonObject,
    attempts: Number(attempts),
    platformTime: now + Number(offset),
  };
}
