/**
 * One attempt to commit a batch, on one lane.
 *
 * Fast path: when the row cache is valid as far as this process knows and holds every needed row, the batch decides at once
 * and goes out as one pipeline: begin, advance the head from its expected place, write, commit. If another process has
 * written in between, the head does not move and PostgreSQL skips the rest of the pipeline. This lets a batch decide on top
 * of one that is still committing: the head is identified by the hash of its last command, so if the first batch fails the
 * second one cannot succeed.
 *
 * An idempotency key that another process used is caught by the unique index of the log. When the answer of a key would not be
 * logged, the index cannot catch an earlier use: such a batch is not sent and runs again under the lock.
 *
 * Locked path: lock the head, load the answers of known keys and the missing rows, decide, and write and commit in a second
 * pipeline.
 *
 * If the process dies before the commit, nothing happened. After it, everything did, and a retry under the same key gets the
 * stored answer. If the connection breaks during the commit, `underway` has reported the command to look up.
 */

import { arrayParameter, decodeCell, parameter } from "../postgres/columns.ts";
import type { Lane } from "../postgres/database.ts";
import type { Step } from "../postgres/pipeline.ts";
import { assert, Bug } from "../std/assert.ts";
import type { AnyRef } from "../tables/tables.ts";
import { Batch, type ScheduledJob } from "./batch.ts";
import { rowLoad } from "./cache/load-rows.ts";
import type { PlatformState } from "./cache/platform-state.ts";
import type { ClaimedJob } from "./command.ts";
import type { LoggedCommand } from "./command-log.ts";
import { type Decided, decideAll, type Pending, type Recalled, sealIdentity } from "./decide.ts";
import type { EngineOptions } from "./engine.ts";
import { decodeHead, type Head, lockHead } from "./head.ts";
import { refuseLost } from "./lost-commits.ts";
import { begin, commit, findLogged, recallAnswers, rollback, type StoredJob } from "./records.ts";
import { writeSteps } from "./write.ts";

/** How often `needs` is called as rows arrive. The deepest command takes three rounds; more are a bug. */
const LOAD_ROUNDS = 6;

export interface Attempt {
  readonly lane: Lane;
  readonly platform: PlatformState;
  readonly pendings: readonly Pending[];
  readonly options: EngineOptions;
  /** Called when the committing pipeline is sent: from then on the outcome may be unknown, and the next batch may decide. */
  readonly underway: (committing: Committed) => void;
  /** The result of `readyToDecide` in this turn of the event loop. */
  readonly ready?: ReadyToDecide | undefined;
  /** Takes the locked path, which looks the keys up before the batch decides. */
  readonly mustLock: boolean;
}

export interface ReadyToDecide {
  readonly batch: Batch;
  readonly head: Head;
}

export interface Committed {
  readonly decided: Decided;
  readonly dueJobs: readonly ClaimedJob[];
  readonly events: Batch["events"];
  readonly dirty: Batch["dirty"];
}

/**
 * The batch was decided from memory, and one of its answers is only valid after a lookup of its key. The batch was rolled
 * back in memory.
 */
export class KeyLookupRequired extends Error {
  override readonly name = "KeyLookupRequired";
}

/** Decides and commits the batch, and returns it. Throws the error of the database. */
export async function commitBatch(attempt: Attempt): Promise<Committed> {
  const ready = attempt.mustLock ? undefined : (attempt.ready ?? readyToDecide(attempt));
  if (ready === undefined) return commitUnderLock(attempt);
  return writeAndCommit(attempt, { ...ready, recalled: new Map(), isLocked: false });
}

/** The opened batch, when the cache has every needed row and is valid as far as this process knows; else undefined. */
export function readyToDecide(
  from: Pick<Attempt, "platform" | "pendings" | "options">,
): ReadyToDecide | undefined {
  const { platform, pendings } = from;
  const { head } = platform;
  if (head === undefined || !platform.isSoleWriter || platform.usedRecently(pendings))
    return undefined;
  const batch = openBatch(from, head);
  return missingRefs(batch, from).length === 0 ? { batch, head } : undefined;
}

async function commitUnderLock(attempt: Attempt): Promise<Committed> {
  const { lane, platform, pendings, options } = attempt;
  platform.countLockedBatch();
  const digests = pendings.flatMap((pending) => pending.idempotencyDigest ?? []);
  const { acknowledged } = platform;
  const platformId = parameter("uuid", platform.id);
  const steps: Step[] = [
    { statement: begin, parameters: [] },
    { statement: lockHead, parameters: [platformId] },
    { statement: findLogged, parameters: [platformId, parameter("int8", acknowledged?.seq)] },
  ];
  if (digests.length > 0) {
    steps.push({
      statement: recallAnswers,
      parameters: [platformId, arrayParameter("uuid", digests)],
    });
  }
  const [, locked, found, recall] = await lane.run(steps);
  if (acknowledged !== undefined) refuseLost(platform.id, acknowledged, found);
  const headCells = locked?.rows[0];
  assert(headCells !== undefined, `platform ${platform.id} has no head`);
  const head = decodeHead(headCells);
  platform.receiveHead(head);
  const recalled = recalledAnswers(recall?.rows ?? [], { platformId: platform.id, options });
  const batch = openBatch(attempt, head);
  await loadMissing(attempt, batch);
  return writeAndCommit(attempt, { batch, head, recalled, isLocked: true });
}

interface Ready extends ReadyToDecide {
  readonly recalled: Map<string, Recalled>;
  readonly isLocked: boolean;
}

async function writeAndCommit(attempt: Attempt, ready: Ready): Promise<Committed> {
  const { lane, platform, pendings, options } = attempt;
  const { batch, head, recalled, isLocked } = ready;
  const decided = decideAll(batch, pendings, {
    head,
    recalled,
    renderRefusal: options.renderRefusal,
    describeChanges: options.describeChanges,
    sealer: options.sealer,
  });
  if (!isLocked && decided.hasUnstoredKey) {
    batch.undoAll();
    throw new KeyLookupRequired();
  }
  batch.closeDeciding();
  const now = options.clock.now();
  const leasedUntil = now + options.jobLeaseMs;
  // The time of the head may be ahead of this host: another server's clock is fast, or this host's was set back.
  const platformTime = Math.max(now + decided.next.clockOffsetMs, decided.next.lastAt);
  const isDue = (job: ScheduledJob) => job.dueAt <= platformTime;
  const committed: Committed = {
    decided,
    dueJobs: batch
      .pendingJobs()
      .filter(isDue)
      .map((job) => claimedJob(job, { platformTime, next: decided.next, options })),
    events: batch.events,
    dirty: batch.dirty,
  };
  if (isLocked && decided.logged.length === 0) {
    // A stored answer may belong to a commit that has not reached the standby. Committing the head's lock waits for it.
    await lane.run([{ statement: recalled.size > 0 ? commit : rollback, parameters: [] }]);
    return committed;
  }
  const steps = writeSteps(batch, {
    platformId: platform.id,
    expected: head,
    next: decided.next,
    logged: decided.logged,
    metadataKeys: declaredKeys(attempt),
    clockShifts: options.clockShifts,
    toStored: (job) =>
      isDue(job)
        ? storedJob(job, { runAt: leasedUntil, attempts: FIRST_ATTEMPT })
        : storedJob(job, { runAt: job.dueAt - decided.next.clockOffsetMs, attempts: 0 }),
  });
  const last: Step = { statement: commit, parameters: [] };
  platform.expect(decided.next, decided.logged, batch.dirty);
  attempt.underway(committed);
  const results = await lane.run(
    isLocked ? [...steps, last] : [{ statement: begin, parameters: [] }, ...steps, last],
  );
  assert(results.at(-1)?.tag === "COMMIT", "the transaction was not committed");
  return committed;
}

/** By the row as the batch has left it. */
function declaredKeys({ platform, options }: Attempt): readonly string[] {
  const { metadataKeys } = options;
  return metadataKeys?.keysOf(platform.rows.find(metadataKeys.ref(platform.id))) ?? [];
}

const FIRST_ATTEMPT = 1;

function claimedJob(
  { platformId, id, kind, payload }: ScheduledJob,
  {
    platformTime,
    next,
    options,
  }: { readonly platformTime: number; readonly next: Head } & Pick<Attempt, "options">,
): ClaimedJob {
  return {
    platformId,
    id,
    kind,
    payload,
    attempts: FIRST_ATTEMPT,
    platformTime: next.lastAt,
    leasedUntil: platformTime + options.jobLeaseMs,
  };
}

function storedJob(
  { id, kind, payload, dueAt }: ScheduledJob,
  { runAt, attempts }: Pick<StoredJob, "runAt" | "attempts">,
): StoredJob {
  return { id, kind, payload, dueAt, runAt, attempts };
}

function openBatch(
  { platform, options }: Pick<Attempt, "platform" | "options">,
  head: Head,
): Batch {
  return new Batch({
    platformId: platform.id,
    head,
    at: Math.max(options.clock.now() + head.clockOffsetMs, head.lastAt),
    rows: platform.rows,
    ids: platform.ids,
    renderEvent: options.renderEvent,
    ports: options.ports,
  });
}

function missingRefs(
  batch: Batch,
  { pendings, options }: Pick<Attempt, "pendings" | "options">,
): AnyRef[] {
  const missing: AnyRef[] = [];
  // What a commit writes for metadata follows from this row, whatever its commands read.
  const declared = options.metadataKeys?.ref(batch.platformId);
  if (declared !== undefined && batch.isUnknown(declared)) missing.push(declared);
  for (const { submission } of pendings) {
    for (const ref of neededBy(submission, batch)) {
      if (batch.isUnknown(ref)) missing.push(ref);
    }
  }
  return missing;
}

/** An error here is a bug of the command, not a reason to retry its batch. */
function neededBy({ command, input }: Pending["submission"], batch: Batch): readonly AnyRef[] {
  try {
    return command.needs(batch, input);
  } catch (error) {
    if (error instanceof Bug) throw error;
    throw new Bug(`${command.name} cannot say what it needs`, { cause: error });
  }
}

async function loadMissing(attempt: Attempt, batch: Batch): Promise<void> {
  for (let round = 0; ; round++) {
    const missing = missingRefs(batch, attempt);
    if (missing.length === 0) return;
    assert(round < LOAD_ROUNDS, "a command keeps asking for more rows");
    const load = rowLoad(attempt.platform.id, missing);
    load.receive(await attempt.lane.run(load.steps), batch);
  }
}

function recalledAnswers(
  rows: readonly (readonly (string | null)[])[],
  { platformId, options }: { readonly platformId: string; readonly options: EngineOptions },
): Map<string, Recalled> {
  const recalled = new Map<string, Recalled>();
  for (const [digest, seq, bodyDigest, status, answer, sealed] of rows) {
    if (digest === null || digest === undefined || answer === null || answer === undefined)
      continue;
    const body =
      sealed === "t"
        ? options.sealer.open(answer, sealIdentity(platformId, BigInt(seq ?? 0))).toString("utf8")
        : answer;
    recalled.set(digest, {
      status: Number(status),
      body,
      bodyDigest: decodeCell(bodyDigest ?? null, "bytes") as Buffer,
    });
  }
  return recalled;
}

/** The last command that a batch logged. The batch was committed if and only if this command is in the log. */
export function lastLogged(committing: Committed): LoggedCommand | undefined {
  return committing.decided.logged.at(-1);
}
