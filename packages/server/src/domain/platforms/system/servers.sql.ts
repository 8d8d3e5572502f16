/** The servers of the deployment, as each one last reported itself. Times are host times. */

import type { Quantiles } from "../../../engine/recent-times.ts";
import { parameter } from "../../../postgres/columns.ts";
import type { ReadCells } from "../../../postgres/database.ts";
import type { Statement, Step } from "../../../postgres/pipeline.ts";

export interface FailingJobFigures {
  readonly platformId: string;
  readonly id: string;
  readonly kind: string;
  readonly failures: number;
  readonly since: number;
  readonly error: string;
}

export interface ServerFigures {
  /** Why the server is not ready; null when it is. */
  readonly notReadyBecause: string | null;
  /** The number of database connections on which the engine commits. */
  readonly lanes: number;
  /** The number of commands that wait for a commit. */
  readonly queued: number;
  readonly commits: Quantiles;
  readonly connections: number;
  readonly jobsUnderway: number;
  /** Jobs that failed ten times in a row on this server. A server of an earlier version does not report them. */
  readonly failingJobs?: readonly FailingJobFigures[];
  /** The file system of the embedded database; null when the database is elsewhere. */
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | null;
}

export interface ServerRow {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly startedAt: number;
  readonly seenAt: number;
  readonly figures: ServerFigures;
}

export const MOST_SERVERS_LISTED = 100;

const list = {
  name: "deployment_servers/list",
  text:
    "select id, name, version, floor(extract(epoch from started_at) * 1000)::int8, " +
    "floor(extract(epoch from seen_at) * 1000)::int8, figures from deployment_servers " +
    `order by started_at, id limit ${MOST_SERVERS_LISTED}`,
};

export async function listServers(cells: ReadCells): Promise<readonly ServerRow[]> {
  const found = await cells(list, []);
  return found.map(([id, name, version, startedAt, seenAt, figures]) => ({
    id: id ?? "",
    name: name ?? "",
    version: version ?? "",
    startedAt: Number(startedAt),
    seenAt: Number(seenAt),
    figures: JSON.parse(figures ?? "{}") as ServerFigures,
  }));
}

const note: Statement = {
  name: "deployment_servers/note",
  text:
    "insert into deployment_servers as s (id, name, version, started_at, seen_at, figures) " +
    "values ($1::uuid, $2::text, $3::text, $4::timestamptz, $5::timestamptz, $6::json) " +
    "on conflict (id) do update set seen_at = excluded.seen_at, figures = excluded.figures",
};

export function noteServerStep(server: ServerRow): Step {
  const { id, name, version, startedAt, seenAt, figures } = server;
  return {
    statement: note,
    parameters: [
      parameter("uuid", id),
      parameter("text", name),
      parameter("text", version),
      parameter("time", startedAt),
      parameter("time", seenAt),
      parameter("json", figures),
    ],
  };
}

const drop: Statement = {
  name: "deployment_servers/drop",
  text: "delete from deployment_servers where id = $1::uuid",
};

/** Deletes the row of a server that stops. */
export function dropServerStep(id: string): Step {
  return { statement: drop, parameters: [parameter("uuid", id)] };
}

const dropUnseen: Statement = {
  name: "deployment_servers/drop-unseen",
  text: "delete from deployment_servers where seen_at < $1::timestamptz",
};

/** Deletes the rows of servers that were killed: no server has written them since this time. */
export function dropUnseenStep(since: number): Step {
  return { statement: dropUnseen, parameters: [parameter("time", since)] };
}
