/**
 * The command log: one row for each command that changed something or was answered under an idempotency key. It is the
 * audit log, the idempotency store and the tamper evidence in one.
 *
 * hash = SHA-256( previous hash ‖ columns of the row ‖ digest of the answer ‖ digest of the entries, events and the audit entry )
 *
 * The answer's text can be dropped after its retention: the chain holds its digest.
 */
import type { Entry } from "../ledger/postings.ts";
import { sha256, sha256Hex } from "../std/digest.ts";
import { uuidOfDigest } from "../std/ids.ts";
import { defineRecords, fixed, type RowOf } from "../tables/tables.ts";
import { type AuditEntry, auditText } from "./audit-entries.ts";

const commandColumns = {
  seq: fixed("int8"),
  id: fixed("uuid"),
  name: fixed("text"),
  actor: fixed("text"),
  at: fixed("time"),
  /** The offset of the platform's clock to the host's after this command. */
  clockOffsetMs: fixed("int8"),
  idempotencyDigest: fixed<string | null>("uuid"),
  idempotencyScope: fixed<string | null>("text"),
  idempotencyKey: fixed<string | null>("text"),
  bodyDigest: fixed<Buffer | null>("bytes"),
  status: fixed("int4"),
  /** The exact bytes of the answer, or the event that holds them; sealed when it carries a secret; null without an idempotency key. */
  answer: fixed<string | null>("text"),
  answerSealed: fixed("bool"),
  answerDigest: fixed("bytes"),
  effectsDigest: fixed("bytes"),
  hash: fixed("bytes"),
};

export interface LoggedCommand extends RowOf<typeof commandColumns> {}

export const commandLog = defineRecords<LoggedCommand>("command_log", commandColumns);

const eventColumns = {
  seq: fixed("int8"),
  id: fixed("uuid"),
  commandSeq: fixed("int8"),
  type: fixed("text"),
  subject: fixed("text"),
  at: fixed("time"),
  body: fixed("text"),
};

export interface StoredEvent extends RowOf<typeof eventColumns> {}

export const events = defineRecords<StoredEvent>("events", eventColumns);

export type UnhashedCommand = Omit<LoggedCommand, "hash">;

const DIGEST_OF_NOTHING = sha256("");

/** The digest of the empty answer, which most commands of workers have. */
export function answerDigestOf(answer: string): Buffer {
  return answer === "" ? DIGEST_OF_NOTHING : sha256(answer);
}

const BEFORE_DATA = '"data":';

/**
 * What is stored of an answer. The answer of a payment is the data of its first event, so the number of that event is stored in its place;
 * `answerText` finds the text. An answer is JSON or empty, and never begins with `@`.
 */
export function answerToStore(answer: string, events: readonly StoredEvent[]): string {
  for (const { seq, body } of events) {
    const start = body.length - 1 - answer.length;
    const isData = body.startsWith(BEFORE_DATA, start - BEFORE_DATA.length);
    if (
      isData &&
      body.indexOf(BEFORE_DATA) + BEFORE_DATA.length === start &&
      body.startsWith(answer, start)
    )
      return `@${seq}`;
  }
  return answer;
}

/**
 * SQL for the text of a stored answer in `command_log`; `$1` is the platform. It is no SQL function: on a distributed database a function that
 * reads a table must not run inside a query of another one.
 */
export const answerText =
  "case when command_log.answer ~ '^@[0-9]{1,18}$' then (" +
  `select substr(e.body, strpos(e.body, '${BEFORE_DATA}') + ${BEFORE_DATA.length}, ` +
  `length(e.body) - strpos(e.body, '${BEFORE_DATA}') - ${BEFORE_DATA.length}) from events e ` +
  "where e.platform_id = $1::uuid and e.seq = substr(command_log.answer, 2)::int8) else command_log.answer end";

/** The lookup value of an idempotency key: 128 bits of the hash of its scope and text, in the form of a uuid. */
export function idempotencyDigestOf(scope: string, key: string): string {
  return uuidOfDigest(sha256Hex(`${scope}\n${key}`));
}

/** Without an audit entry the digest is the same as before audit entries existed, so older rows still verify. */
export function effectsDigestOf(
  entries: readonly Entry[],
  events: readonly StoredEvent[],
  audit?: AuditEntry,
): Buffer {
  let text = "";
  for (const entry of entries) text += entryText(entry);
  for (const event of events) text += eventText(event);
  if (audit !== undefined) text += auditText(audit);
  return sha256(text);
}

/** The text that the effects digest covers for an event. */
export function eventText(event: StoredEvent): string {
  return `v ${event.seq} ${event.id} ${event.type} ${event.subject} ${event.at}\n${event.body}\n`;
}

/** The text that the effects digest covers for a ledger entry. */
export function entryText(entry: Entry): string {
  return (
    `e ${entry.accountId} ${entry.version} ${entry.posting} ${entry.reason} ${entry.currency} ` +
    `${entry.amountMinor} ${entry.balanceAfterMinor} ${entry.heldForAccountId ?? "-"}\n`
  );
}

export function chainHashOf(previous: Buffer, command: UnhashedCommand): Buffer {
  return sha256(`${hex(previous)}\n${commandText(command)}`);
}

/** The text that the hash covers after the previous hash and a line end. */
export function commandText(command: UnhashedCommand): string {
  const { seq, id, name, actor, at, clockOffsetMs, status, answerSealed } = command;
  return (
    `${seq}\n${id}\n${name}\n${actor}\n${at}\n${clockOffsetMs}\n` +
    `${command.idempotencyScope ?? ""}\n${command.idempotencyKey ?? ""}\n${hex(command.bodyDigest)}\n` +
    `${status}\n${answerSealed}\n${hex(command.answerDigest)}\n${hex(command.effectsDigest)}\n`
  );
}

function hex(digest: Buffer | null): string {
  return digest === null ? "" : digest.toString("hex");
}
