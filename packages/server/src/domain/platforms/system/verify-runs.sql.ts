/** The runs of `verify`, written outside the engine because they belong to the deployment and to no platform. Host time. */
import { parameter } from "../../../postgres/columns.ts";
import type { ReadCells } from "../../../postgres/database.ts";
import type { Statement, Step, StepResult } from "../../../postgres/pipeline.ts";
import {
  NOTHING_COUNTED,
  type ProblemPlace,
  type RequestedRun,
  type VerifyCounts,
  type VerifyRun,
  type VerifyState,
} from "./verify-run.ts";

const COLUMNS =
  "id, state, requested_by, floor(extract(epoch from started_at) * 1000)::int8, " +
  "floor(extract(epoch from ended_at) * 1000)::int8, total, done, counts, problems, failure";

type Cells = readonly (string | null)[];

function decodeRun(cells: Cells): VerifyRun {
  const [id, state, requestedBy, startedAt, endedAt, total, done, counts, problems, failure] =
    cells;
  return {
    id: id ?? "",
    state: state as VerifyState,
    requestedBy: requestedBy ?? "",
    startedAt: Number(startedAt),
    endedAt: endedAt == null ? null : Number(endedAt),
    total: Number(total),
    done: Number(done),
    counts: JSON.parse(counts ?? "{}") as VerifyCounts,
    problems: JSON.parse(problems ?? "[]") as readonly ProblemPlace[],
    failure: failure ?? null,
  };
}

/** Older runs are deleted when a new one starts. */
const KEPT_MS = 400 * 86_400_000;

const list = {
  name: "verify_runs/list",
  text: `select ${COLUMNS} from verify_runs order by id desc limit $1::int8`,
};

/** The newest first. */
export async function listVerifyRuns(
  cells: ReadCells,
  limit: number,
): Promise<readonly VerifyRun[]> {
  return (await cells(list, [limit])).map(decodeRun);
}

const byId = {
  name: "verify_runs/get",
  text: `select ${COLUMNS} from verify_runs where id = $1::uuid`,
};

export async function findVerifyRun(cells: ReadCells, id: string): Promise<VerifyRun | undefined> {
  const [found] = await cells(byId, [id]);
  return found && decodeRun(found);
}

const logged = {
  name: "verify_runs/logged-commands",
  text: "select coalesce(sum(seq), 0)::int8 from platform_heads",
};

/** How many commands the deployment has logged, read from the platform heads alone. */
export async function countLoggedCommands(cells: ReadCells): Promise<number> {
  const [[count] = []] = await cells(logged, []);
  return Number(count);
}

const insert: Statement = {
  name: "verify_runs/insert",
  text:
    "insert into verify_runs (id, state, requested_by, started_at, total, position, counts, done, problems, attempts, leased_until) " +
    "select $1::uuid, 'RUNNING', $2::text, $3::timestamptz, $4::int8, '00000000-0000-0000-0000-000000000000', $5::json, 0, '[]', 0, " +
    "'-infinity' on conflict do nothing",
};

const dropOld: Statement = {
  name: "verify_runs/drop-old",
  text: "delete from verify_runs where state <> 'RUNNING' and started_at < $1::timestamptz",
};

/** Adds a run. Does nothing when it exists already or another one is in progress. */
export function insertRunSteps(run: RequestedRun): readonly Step[] {
  const parameters = [
    parameter("uuid", run.id),
    parameter("text", run.requestedBy),
    parameter("time", run.startedAt),
    parameter("int8", BigInt(run.total)),
    parameter("json", NOTHING_COUNTED),
  ];
  return [
    { statement: dropOld, parameters: [parameter("time", run.startedAt - KEPT_MS)] },
    { statement: insert, parameters },
  ];
}

const cancel: Statement = {
  name: "verify_runs/cancel",
  text:
    "update verify_runs set state = 'CANCELLED', ended_at = $2::timestamptz " +
    "where id = $1::uuid and state = 'RUNNING'",
};

/** Cancels a run in progress. The server that carries it out notices when its next write changes no row. */
export function cancelRunStep(id: string, now: number): Step {
  return { statement: cancel, parameters: [parameter("uuid", id), parameter("time", now)] };
}

export interface RunLease {
  readonly leaseId: string;
  readonly now: number;
  readonly until: number;
}

export interface LeasedRun {
  readonly id: string;
  /** The last platform or workspace that was checked. */
  readonly position: string;
  readonly counts: VerifyCounts;
  readonly problems: readonly ProblemPlace[];
  readonly attempts: number;
}

const take: Statement = {
  name: "verify_runs/take",
  text:
    "update verify_runs set leased_by = $1::uuid, leased_until = $3::timestamptz, attempts = attempts + 1 " +
    "where state = 'RUNNING' and leased_until <= $2::timestamptz returning id, position, counts, problems, attempts",
};

/** Leases the run in progress if no server holds a valid lease on it. */
export function takeRunStep({ leaseId, now, until }: RunLease): Step {
  return {
    statement: take,
    parameters: [parameter("uuid", leaseId), parameter("time", now), parameter("time", until)],
  };
}

export function decodeLeased(result: StepResult | undefined): LeasedRun | undefined {
  const [row] = result?.rows ?? [];
  if (row === undefined) return undefined;
  const [id, position, counts, problems, attempts] = row;
  return {
    id: id ?? "",
    position: position ?? "",
    counts: JSON.parse(counts ?? "{}") as VerifyCounts,
    problems: JSON.parse(problems ?? "[]") as readonly ProblemPlace[],
    attempts: Number(attempts),
  };
}

const IS_OURS = "where id = $1::uuid and leased_by = $2::uuid and state = 'RUNNING'";

const hold: Statement = {
  name: "verify_runs/hold",
  text: `update verify_runs set leased_until = $3::timestamptz, done = $4::int8 ${IS_OURS}`,
};

/** Renews the lease while a platform is being checked. Changes no row when the run has ended or another server has leased it. */
export function holdRunStep(id: string, lease: RunLease, done: number): Step {
  return {
    statement: hold,
    parameters: [
      parameter("uuid", id),
      parameter("uuid", lease.leaseId),
      parameter("time", lease.until),
      parameter("int8", BigInt(done)),
    ],
  };
}

const move: Statement = {
  name: "verify_runs/move",
  text:
    "update verify_runs set leased_until = $3::timestamptz, done = $4::int8, position = $5::uuid, counts = $6::json, " +
    `problems = $7::json, attempts = 0 ${IS_OURS}`,
};

/** Stores the results up to the platform `position`. */
export function moveRunStep(
  lease: RunLease,
  { id, position, counts, problems }: Omit<LeasedRun, "attempts">,
): Step {
  return {
    statement: move,
    parameters: [
      parameter("uuid", id),
      parameter("uuid", lease.leaseId),
      parameter("time", lease.until),
      parameter("int8", BigInt(counts.commands)),
      parameter("uuid", position),
      parameter("json", counts),
      parameter("json", problems),
    ],
  };
}

const end: Statement = {
  name: "verify_runs/end",
  text: `update verify_runs set state = $3::text, ended_at = $4::timestamptz, failure = $5::text ${IS_OURS}`,
};

export function endRunStep(
  id: string,
  lease: RunLease,
  { state, failure }: { readonly state: "DONE" | "FAILED"; readonly failure: string | null },
): Step {
  return {
    statement: end,
    parameters: [
      parameter("uuid", id),
      parameter("uuid", lease.leaseId),
      parameter("text", state),
      parameter("time", lease.now),
      parameter("text", failure),
    ],
  };
}

const free: Statement = {
  name: "verify_runs/free",
  text: `update verify_runs set leased_until = '-infinity', attempts = greatest(0, attempts - 1) ${IS_OURS}`,
};

/** Releases the lease when the server stops, so that another server continues at once. */
export function freeRunStep(id: string, { leaseId }: Pick<RunLease, "leaseId">): Step {
  return { statement: free, parameters: [parameter("uuid", id), parameter("uuid", leaseId)] };
}
