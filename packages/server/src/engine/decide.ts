/**
 * Decides a batch in memory, command by command. A command whose idempotency key was used before is answered from the log.
 * Any other decides, and is logged when it changed something or carries a key. The log rows form a hash chain.
 */
import type { Sealer } from "../secrets/sealing.ts";
import { type AuditEntry, auditEntryOf, type DescribeChanges, isAudited } from "./audit-entries.ts";
import type { Batch } from "./batch.ts";
import { differingField, digestWithMarks, isOfBody } from "./body-marks.ts";
import type { Answer, Answered, Submission } from "./command.ts";
import {
  answerDigestOf,
  answerToStore,
  chainHashOf,
  effectsDigestOf,
  type LoggedCommand,
} from "./command-log.ts";
import type { Head } from "./head.ts";
import type { TracedEffects } from "./recent-traces.ts";
import { Refusal } from "./refusal.ts";

/** A submission with what the engine knows about it. */
export interface Pending {
  readonly submission: Submission<unknown, unknown>;
  readonly idempotencyDigest: string | null;
  readonly enqueuedAt: number;
  readonly traceparent?: string | undefined;
  /** The refusal of a constraint that the database found violated: the retry answers with it and does not decide again. */
  forced: Refusal | undefined;
  readonly resolve: (answered: Answered) => void;
  readonly reject: (error: unknown) => void;
}

/** An answer that an idempotency key got before. */
export interface Recalled extends Answer {
  /** The digest of the body, followed by the marks of its fields. */
  readonly bodyDigest: Buffer;
}

export type Decision =
  | { readonly kind: "answered"; readonly answered: Answered; readonly isRefused?: boolean }
  | { readonly kind: "failed"; readonly error: unknown };

export interface Decided {
  readonly decisions: readonly Decision[];
  readonly logged: readonly LoggedCommand[];
  readonly next: Head;
  /** Whether an answer under a key is not stored: then no unique index detects an earlier use of the key. */
  readonly hasUnstoredKey: boolean;
  /** The events and jobs of the commands that were submitted in a trace. */
  readonly traced: readonly TracedEffects[];
}

export interface DecideOptions {
  readonly head: Head;
  readonly recalled: Map<string, Recalled>;
  readonly renderRefusal: (refusal: Refusal) => Answer;
  readonly describeChanges: DescribeChanges;
  readonly sealer: Sealer;
}

export function decideAll(
  batch: Batch,
  pendings: readonly Pending[],
  options: DecideOptions,
): Decided {
  batch.closeLoading();
  const logged: LoggedCommand[] = [];
  const traced: TracedEffects[] = [];
  let { seq, chainHash } = options.head;
  let hasUnstoredKey = false;
  const decisions = pendings.map((pending): Decision => {
    const known = replay(pending, options);
    if (known !== undefined) return { kind: "answered", answered: known };
    const { length: jobs } = batch.jobs;
    const from = { entries: batch.entries.length, events: batch.events.length };
    const audited = isAudited(pending.submission);
    batch.begin(pending.submission.actor, seq + 1n, audited);
    const outcome = decideOne(batch, pending, options);
    const isStored =
      pending.idempotencyDigest !== null &&
      outcome.kind === "answered" &&
      isStorable(outcome.answered, pending);
    if (pending.idempotencyDigest !== null && !isStored) hasUnstoredKey = true;
    if (outcome.kind === "failed") return outcome;
    if (pending.traceparent !== undefined && batch.hasChanged)
      traced.push(tracedEffects(pending.traceparent, batch, { ...from, jobs }));
    const { answered } = outcome;
    const audit = audited
      ? auditOf(batch, outcome, { pending, options, seq: seq + 1n })
      : undefined;
    if (audit !== undefined) batch.auditEntries.push(audit);
    if (batch.hasChanged || isStored || audit !== undefined) {
      const row = logRow(pending, {
        batch,
        answered,
        isStored,
        seq: seq + 1n,
        from,
        audit,
        sealer: options.sealer,
        previousHash: chainHash,
      });
      chainHash = row.hash;
      seq = row.seq;
      logged.push(row);
    }
    if (isStored) remember(pending, answered, options.recalled);
    return outcome;
  });
  const next: Head = {
    seq,
    eventSeq: batch.eventSeq,
    clockOffsetMs: batch.clockOffsetMs,
    lastAt: logged.length === 0 ? options.head.lastAt : batch.at,
    chainHash,
  };
  return { decisions, logged, next, hasUnstoredKey, traced };
}

/** Undefined for a command that was refused, and for one that changed nothing unless it `isNoted`. */
function auditOf(
  batch: Batch,
  outcome: Extract<Decision, { readonly kind: "answered" }>,
  {
    pending,
    options,
    seq,
  }: { readonly pending: Pending; readonly options: DecideOptions; readonly seq: bigint },
): AuditEntry | undefined {
  const { submission } = pending;
  const { isNoted } = submission.command;
  if (outcome.isRefused === true || !(batch.hasChanged || isNoted === true)) return undefined;
  return auditEntryOf(submission, {
    seq,
    id: batch.newId(),
    at: batch.at,
    rows: batch.rowChanges,
    answer: outcome.answered.body,
    describe: options.describeChanges,
  });
}

function tracedEffects(
  traceparent: string,
  { events, jobs }: Batch,
  from: { readonly events: number; readonly jobs: number },
): TracedEffects {
  return {
    traceparent,
    eventSeqs: events.slice(from.events).map(({ seq }) => seq),
    jobIds: jobs.slice(from.jobs).map(({ id }) => id),
  };
}

function decideOne(batch: Batch, pending: Pending, options: DecideOptions): Decision {
  const { command, input, toAnswer } = pending.submission;
  try {
    if (pending.forced !== undefined) throw pending.forced;
    return { kind: "answered", answered: newAnswer(toAnswer(command.decide(batch, input))) };
  } catch (error) {
    batch.undo();
    if (!(error instanceof Refusal)) return { kind: "failed", error };
    const { isFinal } = error;
    const answered = newAnswer({ ...options.renderRefusal(error), isFinal });
    return { kind: "answered", answered, isRefused: true };
  }
}

function newAnswer({ status, body, isFinal }: Answer): Answered {
  return { status, body, isFinal, replayed: false };
}

/** The stored answer of this key, or the refusal of a key that was used with another body. */
function replay(pending: Pending, options: DecideOptions): Answered | undefined {
  const { idempotencyDigest: digest, submission } = pending;
  if (digest === null || submission.idempotency === undefined) return undefined;
  const recalled = options.recalled.get(digest);
  if (recalled === undefined) return undefined;
  const { bodyDigest, marks } = submission.idempotency;
  if (!isOfBody(recalled.bodyDigest, bodyDigest)) {
    const field = differingField(recalled.bodyDigest, marks);
    return newAnswer(options.renderRefusal(keyReused(field)));
  }
  return { status: recalled.status, body: recalled.body, replayed: true };
}

function remember(pending: Pending, answer: Answer, recalled: Map<string, Recalled>): void {
  const { idempotencyDigest: digest, submission } = pending;
  if (digest === null || submission.idempotency === undefined) return;
  const { bodyDigest, marks } = submission.idempotency;
  recalled.set(digest, {
    status: answer.status,
    body: answer.body,
    bodyDigest: digestWithMarks(bodyDigest, marks),
  });
}

function keyReused(field: string | undefined): Refusal {
  if (field === undefined) return new Refusal("IDEMPOTENCY_KEY_REUSED");
  const message = `The Idempotency-Key was used with a different body: ${field} differs. Send a new key with a new body.`;
  return new Refusal("IDEMPOTENCY_KEY_REUSED", { field }, message);
}

/** Server errors, failures of credentials and intermediate answers are not stored. */
function isStorable({ status, isFinal }: Answer, { submission }: Pending): boolean {
  if (status >= 400 && submission.idempotency?.keepsRefusals === false) return false;
  return status < 500 && status !== 401 && status !== 429 && isFinal !== false;
}

interface LogContext {
  readonly batch: Batch;
  readonly answered: Answered;
  readonly isStored: boolean;
  readonly seq: bigint;
  readonly from: { readonly entries: number; readonly events: number };
  readonly audit: AuditEntry | undefined;
  readonly sealer: Sealer;
  readonly previousHash: Buffer;
}

function logRow(pending: Pending, context: LogContext): LoggedCommand {
  const { submission } = pending;
  const { batch, answered, isStored, seq, from } = context;
  const idempotency = isStored ? submission.idempotency : undefined;
  const sealed = isStored && submission.secret === true;
  const answer = sealed
    ? context.sealer.seal(answered.body, sealIdentity(submission.platformId, seq))
    : answered.body;
  const events = batch.events.slice(from.events);
  const row = {
    seq,
    id: batch.newId(),
    name: submission.command.name,
    actor: `${submission.actor.kind}:${submission.actor.id}`,
    at: batch.at,
    clockOffsetMs: BigInt(batch.clockOffsetMs),
    idempotencyDigest: isStored ? pending.idempotencyDigest : null,
    idempotencyScope: idempotency?.scope ?? null,
    idempotencyKey: idempotency?.key ?? null,
    bodyDigest:
      idempotency === undefined ? null : digestWithMarks(idempotency.bodyDigest, idempotency.marks),
    status: answered.status,
    answer: isStored ? (sealed ? answer : answerToStore(answer, events)) : null,
    answerSealed: sealed,
    answerDigest: answerDigestOf(isStored ? answer : ""),
    effectsDigest: effectsDigestOf(batch.entries.slice(from.entries), events, context.audit),
    hash: context.previousHash,
  };
  row.hash = chainHashOf(context.previousHash, row);
  return row;
}

/** The associated data of a sealed answer. */
export function sealIdentity(platformId: string, seq: bigint): string {
  return `command_log ${platformId} ${seq}`;
}
