/** The engine's append-only tables, and the statements that it runs under the head's lock. */

import { parameter } from "../postgres/columns.ts";
import type { Statement, Step } from "../postgres/pipeline.ts";
import { defineRecords, fixed, type RowOf } from "../tables/tables.ts";
import type { DomainName } from "./command.ts";
import { answerText } from "./command-log.ts";

const rowChangeColumns = {
  /** The last command of the batch that wrote the row. */
  seq: fixed("int8"),
  /** The name of the table. */
  list: fixed("text"),
  id: fixed("uuid"),
};

export interface RowChange extends RowOf<typeof rowChangeColumns> {}

/** The ids of written rows of followed tables. The search index reads and deletes them after the commit. */
export const rowChanges = defineRecords<RowChange>("row_changes", rowChangeColumns);

/** Names that are unique across the deployment, and their platforms. */
export const directory = defineRecords<{ readonly handle: string }>("directory", {
  handle: fixed("text"),
});

export interface DomainChange extends DomainName {
  readonly kind: "claim" | "release";
}

/** A claim locks the root of its domain until the commit, so of two overlapping claims the second one sees the first. */
const domainStatements: Readonly<Record<DomainChange["kind"], Statement>> = {
  claim: {
    name: "domain_claims/claim",
    text: "select claim_domain($1::uuid, $2::text, $3::text)",
  },
  release: {
    name: "domain_claims/release",
    text:
      "delete from domain_claims " +
      "where platform_id = $1::uuid and namespace = $2::text and reversed = reversed_labels($3::text)",
  },
};

export function domainStep(platformId: string, { kind, namespace, domain }: DomainChange): Step {
  return {
    statement: domainStatements[kind],
    parameters: [
      parameter("uuid", platformId),
      parameter("text", namespace),
      parameter("text", domain),
    ],
  };
}

const storedJobColumns = {
  id: fixed("uuid"),
  kind: fixed("text"),
  payload: fixed<object>("json"),
  /** Platform time at which it is due. */
  dueAt: fixed("time"),
  /** Host time from which a worker may claim it. */
  runAt: fixed("time"),
  attempts: fixed("int4"),
};

export interface StoredJob extends RowOf<typeof storedJobColumns> {}

export const jobs = defineRecords<StoredJob>("jobs", storedJobColumns);

export const begin: Statement = { name: "begin", text: "begin" };
export const commit: Statement = { name: "commit", text: "commit" };
export const rollback: Statement = { name: "rollback", text: "rollback" };

export const recallAnswers: Statement = {
  name: "command_log/recall",
  text:
    "select l.* from unnest($2::uuid[]) k(digest), lateral (" +
    `select idempotency_digest, seq, body_digest, status, ${answerText} as answer, answer_sealed from command_log ` +
    "where platform_id = $1::uuid and idempotency_digest = k.digest limit 1) l",
};

export const findLogged: Statement = {
  name: "command_log/find",
  text: "select id from command_log where platform_id = $1::uuid and seq = $2::int8",
};

/**
 * Terminates the backend of a lost commit and waits until it has ended, so that a request that is still in flight to it is
 * never executed. No row: the backend had already ended.
 */
export const endBackend: Statement = {
  name: "backend/end",
  text:
    "select pg_terminate_backend(pid, 2000) from pg_stat_activity " +
    "where pid = $1::int4 and application_name = 'florin engine' and usename = current_user",
};

/** Finds the rows by key after the lock wait, so it also deletes a job that another server claims at the same time. */
export const deleteJobs: Statement = {
  name: "jobs/delete",
  text: "delete from jobs where platform_id = $1::uuid and id = any($2::uuid[])",
};

/** Computed in UTC, because Citus refuses updates by an expression that depends on the time zone. */
export const shiftJobs: Statement = {
  name: "jobs/shift",
  text:
    "update jobs set run_at = (run_at at time zone 'UTC' - $2::int8 * interval '1 millisecond') at time zone 'UTC' " +
    "where platform_id = $1::uuid",
};

export const insertHead: Statement = {
  name: "head/insert",
  text: "insert into platform_heads (platform_id) values ($1::uuid) on conflict do nothing",
};

export const deleteUnusedHead: Statement = {
  name: "head/delete-unused",
  text: "delete from platform_heads where platform_id = $1::uuid and seq = 0",
};
