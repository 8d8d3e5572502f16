/**
 * Checks the command log and the events of one platform from their rows alone: every command is there, each hash covers
 * the one before, each digest matches its rows, events are numbered without a gap, the bytes of each event agree with its
 * row, and the head names the last command and the last event.
 *
 * A row that does not match its hash is reported, and the chain continues from the stored hash. So each wrong row is reported
 * once; the row after it is reported only when the stored hash was changed.
 *
 * Pure: it reads nothing and changes nothing.
 */

import type { AuditEntry } from "../engine/audit-entries.ts";
import { isKeptDigest } from "../engine/body-marks.ts";
import {
  answerDigestOf,
  chainHashOf,
  effectsDigestOf,
  idempotencyDigestOf,
  type LoggedCommand,
  type StoredEvent,
} from "../engine/command-log.ts";
import { sealIdentity } from "../engine/decide.ts";
import { GENESIS_HASH, type Head } from "../engine/head.ts";
import type { StoredEntry } from "../ledger/postings.ts";
import { SealBroken, type Sealer } from "../secrets/sealing.ts";
import { toIso } from "../std/clock.ts";
import type { Finding, Tell } from "./verify-books.ts";

/** The ledger entries, events and audit entry of a command. */
export interface Effects {
  readonly entries: readonly StoredEntry[];
  readonly events: readonly StoredEvent[];
  readonly audit: AuditEntry | undefined;
}

export interface LogCheckOptions {
  readonly platformId: string;
  /** The platform's head, if it has one. */
  readonly head: Head | undefined;
  readonly tell: Tell;
  /** Opens sealed answers too; without it, only their digests are checked. */
  readonly sealer?: Sealer | undefined;
}

/** The time in the head of a platform that has logged nothing. */
const BEFORE_ALL_COMMANDS = Date.UTC(2000, 0, 1);

let lastIso = { at: Number.NaN, iso: "" };

/** Caches the last result, because the events of one commit have the same time. */
function isoOf(at: number): string {
  if (at !== lastIso.at) lastIso = { at, iso: toIso(at) };
  return lastIso.iso;
}

export class LogCheck {
  readonly #options: LogCheckOptions;
  #seq = 0n;
  #eventSeq = 0n;
  #eventCommandSeq = 0n;
  #lastAt = BEFORE_ALL_COMMANDS;
  #clockOffsetMs = 0n;
  #hash: Buffer = GENESIS_HASH;

  constructor(options: LogCheckOptions) {
    this.#options = options;
  }

  /** Reports the commands that are missing before this one, or at the end of the log when there is no other. */
  reach(seq: bigint | undefined): void {
    const { head } = this.#options;
    if (seq !== undefined) {
      if (seq !== this.#seq + 1n)
        this.#tellGap("command_log", "command", { from: this.#seq + 1n, to: seq });
    } else if (head !== undefined && head.seq > this.#seq && !head.chainHash.equals(this.#hash)) {
      this.#tellGap("command_log", "command", { from: this.#seq + 1n, to: head.seq + 1n });
    }
  }

  command(command: LoggedCommand, effects: Effects): void {
    // The hash before a row that follows a gap is not known.
    const isNext = command.seq === this.#seq + 1n;
    if (isNext && !chainHashOf(this.#hash, command).equals(command.hash)) {
      this.#tellCommand(command, "it does not fit its hash and the hash before it");
    }
    this.#checkTime(command);
    this.#checkKey(command);
    this.#checkAnswer(command);
    this.#checkEffects(command, effects);
    this.#seq = command.seq;
    this.#hash = command.hash;
  }

  event(event: StoredEvent): void {
    if (event.seq !== this.#eventSeq + 1n) {
      this.#tellGap("events", "event", { from: this.#eventSeq + 1n, to: event.seq });
    }
    if (event.commandSeq < this.#eventCommandSeq) {
      const before = this.#eventCommandSeq;
      this.#tellEvent(event, `it is of command ${event.commandSeq}, an earlier one of ${before}`);
    }
    const wrong = wrongBytes(event);
    if (wrong !== undefined) this.#tellEvent(event, wrong);
    this.#eventSeq = event.seq;
    this.#eventCommandSeq = event.commandSeq;
  }

  /** Called after the last command and the last event: compares the head with them. */
  finish(): void {
    const { head } = this.#options;
    if (head === undefined) {
      this.#tellHead("it does not exist, but other rows of its platform do");
      return;
    }
    if (head.seq !== this.#seq) {
      this.#tellHead(`its seq is ${head.seq}, the log ends at ${this.#seq}`);
    }
    if (head.eventSeq !== this.#eventSeq) {
      this.#tellHead(`its event_seq is ${head.eventSeq}, the events end at ${this.#eventSeq}`);
    }
    if (BigInt(head.clockOffsetMs) !== this.#clockOffsetMs) {
      this.#tellHead("its clock_offset_ms is not the last command's");
    }
    if (head.lastAt !== this.#lastAt) this.#tellHead("its last_at is not the last command's time");
    if (!head.chainHash.equals(this.#hash)) {
      this.#tellHead("its chain_hash is not the hash of the last command");
    }
  }

  #checkTime(command: LoggedCommand): void {
    if (Number.isNaN(command.at)) this.#tellCommand(command, "its time is not a whole millisecond");
    if (command.at < this.#lastAt)
      this.#tellCommand(command, "it is earlier than the command before");
    if (command.clockOffsetMs < this.#clockOffsetMs) {
      this.#tellCommand(command, "the platform's clock went back");
    }
    this.#lastAt = command.at;
    this.#clockOffsetMs = command.clockOffsetMs;
  }

  /** The columns of an idempotency key are all set or all null; no text has a line end, which separates fields in the hash. */
  #checkKey(command: LoggedCommand): void {
    const { name, actor, idempotencyScope: scope, idempotencyKey: key, bodyDigest } = command;
    if (
      !isOneLine(name) ||
      !isOneLine(actor) ||
      !isOneLine(scope ?? "-") ||
      !isOneLine(key ?? "-")
    ) {
      this.#tellCommand(command, "one of its texts is empty or of more than one line");
    }
    if (bodyDigest !== null && !isKeptDigest(bodyDigest)) {
      this.#tellCommand(command, "its body_digest is not a SHA-256 with marks of fields behind it");
    }
    const isKeyed = scope !== null && key !== null && bodyDigest !== null;
    if (!isKeyed && (scope !== null || key !== null || bodyDigest !== null)) {
      this.#tellCommand(command, "its idempotency scope, key and body digest are not all there");
    }
    const digest = isKeyed ? idempotencyDigestOf(scope, key) : null;
    if (command.idempotencyDigest !== null && command.idempotencyDigest !== digest) {
      this.#tellCommand(command, "its idempotency_digest is not that of its scope and key");
    }
  }

  /** An answer and the digest of its key are kept for the retention time and deleted together. */
  #checkAnswer(command: LoggedCommand): void {
    const { answer, answerSealed, answerDigest } = command;
    if ((answer === null) !== (command.idempotencyDigest === null)) {
      this.#tellCommand(command, "of its answer and its idempotency_digest only one is there");
    }
    if (answer === null) return;
    if (!answerDigestOf(answer).equals(answerDigest)) {
      this.#tellCommand(command, "its answer is not the one it was committed with");
    }
    if (answerSealed && !this.#opens(answer, command.seq)) {
      this.#tellCommand(command, "its sealed answer does not open under the master key");
    }
  }

  #opens(answer: string, seq: bigint): boolean {
    const { platformId, sealer } = this.#options;
    try {
      sealer?.open(answer, sealIdentity(platformId, seq));
      return true;
    } catch (error) {
      if (error instanceof SealBroken) return false;
      throw error;
    }
  }

  /** The digest covers all rows of a command together, so it cannot tell which of them was changed. */
  #checkEffects(command: LoggedCommand, effects: Effects): void {
    const { entries, events, audit } = effects;
    for (const { line, at } of entries) {
      if (at === command.at) continue;
      const row = `command ${command.seq}, line ${line}`;
      this.#options.tell({ table: "ledger_entries", row, what: "its time is not its command's" });
    }
    for (const event of events) {
      if (event.at !== command.at) this.#tellEvent(event, "its time is not its command's");
    }
    if (audit !== undefined && audit.at !== command.at) {
      const row = `of command ${command.seq}`;
      this.#options.tell({ table: "audit_entries", row, what: "its time is not its command's" });
    }
    if (effectsDigestOf(entries, events, audit).equals(command.effectsDigest)) return;
    this.#options.tell(changedEffects(command, effects));
  }

  #tellGap(
    table: string,
    noun: string,
    { from, to }: { readonly from: bigint; readonly to: bigint },
  ): void {
    const last = to - 1n;
    if (last < from) {
      this.#options.tell({ table, row: `${noun} ${to}`, what: "numbers begin at 1" });
      return;
    }
    const row = from === last ? `${noun} ${from}` : `${noun}s ${from} to ${last}`;
    this.#options.tell({ table, row, what: "not there" });
  }

  #tellCommand(command: LoggedCommand, what: string): void {
    this.#options.tell({ table: "command_log", row: `command ${command.seq}`, what });
  }

  #tellEvent(event: StoredEvent, what: string): void {
    this.#options.tell({ table: "events", row: `event ${event.seq}`, what });
  }

  #tellHead(what: string): void {
    this.#options.tell({ table: "platform_heads", row: "the head", what });
  }
}

/** Names the rows of which at least one was changed, added or deleted. */
function changedEffects(command: LoggedCommand, { entries, events, audit }: Effects): Finding {
  const rows: string[] = [];
  if (entries.length > 0) rows.push(`lines 0 to ${entries.length - 1}`);
  if (events.length > 0) rows.push(`events ${events[0]?.seq} to ${events.at(-1)?.seq}`);
  if (audit !== undefined) rows.push("an audit entry");
  const now = rows.length === 0 ? "now nothing" : `now ${rows.join(" and ")}`;
  return {
    table: `ledger_entries, events${audit === undefined ? "" : ", audit_entries"}`,
    row: `command ${command.seq}`,
    what: `what it wrote (${now}) is not what it was committed with`,
  };
}

function isOneLine(text: string): boolean {
  return text !== "" && !text.includes("\n");
}

/** The difference between an event's bytes and its row; undefined when they agree. */
function wrongBytes(event: StoredEvent): string | undefined {
  if (Number.isNaN(event.at)) return "its time is not a whole millisecond";
  if (event.type.includes(" ") || !isOneLine(event.type) || !isOneLine(event.subject))
    return "its type or subject is malformed";
  let body: unknown;
  try {
    body = JSON.parse(event.body);
  } catch {
    return "its body is not JSON";
  }
  if (body === null || typeof body !== "object" || !("data" in body)) return "its body has no data";
  const { id, type, timestamp } = body as Readonly<Record<string, unknown>>;
  if (id !== `Webhook:${event.id}`) return "its body has another id";
  if (type !== event.type) return "its body has another type";
  if (timestamp !== isoOf(event.at)) return "its body has another timestamp";
  return undefined;
}
