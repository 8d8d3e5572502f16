/**
 * Readiness: the database answers, no acknowledged commit is known to be missing, and no migration of a newer version has revoked this
 * server's right to write. A server without that right still reads, but it would answer every change with 503 while a newer server
 * could make the change.
 */
import type { Engine } from "../engine/engine.ts";
import { advanceHead, HEAD_MOVED } from "../engine/head.ts";
import { type Reads, sqlStateOf } from "../postgres/database.ts";
import { Fault } from "../std/errors.ts";

const newestMigration = {
  name: "ready/newest-migration",
  text: "select max(version) from schema_migrations",
};

const NO_PLATFORM = "00000000-0000-0000-0000-000000000000";

/** No platform has this id, so no head is moved. */
const TO_NOWHERE = [NO_PLATFORM, "-1", "\\x", "-1", "-1", "0", "1970-01-01T00:00:00Z", "\\x"];

interface Parts {
  readonly reads: Reads;
  readonly engine: Pick<Engine, "refuseLostCommits">;
  /** The newest migration that this program knows. */
  readonly schemaVersion: number;
}

export function readinessOf({ reads, engine, schemaVersion }: Parts): () => Promise<void> {
  return async () => {
    engine.refuseLostCommits();
    const [[newest] = []] = await reads.cells(newestMigration, []);
    if (Number(newest) > schemaVersion) await refuseShutOut(reads);
  };
}

/** Tries a write that changes nothing: with the right to write it fails with `HEAD_MOVED`, because the head does not exist. */
async function refuseShutOut(reads: Reads): Promise<void> {
  try {
    await reads.cells(advanceHead, TO_NOWHERE);
  } catch (cause) {
    if (sqlStateOf(cause) === HEAD_MOVED) return;
    const message = "a newer version has changed the schema, and this one cannot write any more";
    throw new Fault(`${message}: replace this server`, { cause });
  }
}
