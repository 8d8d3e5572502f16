/**
 * The audit entry of a command: who did what, where from, and what changed. It is written in the commit of its command and
 * covered by the digest of the command's effects. Commands of the operator have one when they change something; others when their
 * caller hands over an `ActNote`, as calls of people do.
 */
import { anyIdPattern } from "../std/ids.ts";
import { defineRecords, fixed, type Table, type TableRow } from "../tables/tables.ts";
import type { Submission } from "./command.ts";

export interface AuditEntry {
  readonly commandSeq: bigint;
  readonly id: string;
  readonly at: number;
  readonly actorKind: string;
  readonly actorId: string;
  readonly actorName: string | null;
  /** The name of the command. */
  readonly act: string;
  readonly targetKind: string | null;
  readonly targetId: string | null;
  readonly targetLabel: string | null;
  readonly reason: string | null;
  /** A JSON array of `{field, before, after}`. */
  readonly changes: string;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly sessionId: string | null;
  readonly approvalId: string | null;
  readonly requestId: string | null;
}

export const auditEntries = defineRecords<AuditEntry>("audit_entries", {
  commandSeq: fixed("int8"),
  id: fixed("uuid"),
  at: fixed("time"),
  actorKind: fixed("text"),
  actorId: fixed("text"),
  actorName: fixed("text"),
  act: fixed("text"),
  targetKind: fixed("text"),
  targetId: fixed("text"),
  targetLabel: fixed("text"),
  reason: fixed("text"),
  changes: fixed("text"),
  address: fixed("text"),
  userAgent: fixed("text"),
  sessionId: fixed("uuid"),
  approvalId: fixed("uuid"),
  requestId: fixed("text"),
});

/** A row that a command has put. */
export interface RowChange {
  readonly table: Table<TableRow>;
  readonly before: TableRow | undefined;
  readonly after: TableRow;
}

export interface DescribedChanges {
  /** The object that the command is about, where the caller does not name it. */
  readonly target: {
    readonly kind: string;
    readonly id: string;
    readonly label: string | null;
  } | null;
  readonly changes: readonly {
    readonly field: string;
    readonly before: unknown;
    readonly after: unknown;
  }[];
  /** The uuid of the approval that the command asks for or decides. */
  readonly approvalId?: string | null;
}

/** Says what of the changed rows may be told, in the domain's words. */
export type DescribeChanges = (
  rows: readonly RowChange[],
  target: string | null,
) => DescribedChanges;

/** Whether the command of this submission has an entry, provided that it changes something. */
export function isAudited({ actor, act }: Submission<unknown, unknown>): boolean {
  return act !== undefined || actor.kind === "operator";
}

export function auditEntryOf(
  { actor, act: note, command }: Submission<unknown, unknown>,
  facts: {
    readonly seq: bigint;
    readonly id: string;
    readonly at: number;
    readonly rows: readonly RowChange[];
    /** The body of the answer, which names a new object. */
    readonly answer: string;
    readonly describe: DescribeChanges;
  },
): AuditEntry {
  const named = note?.target ?? idIn(facts.answer);
  const { target, changes, approvalId } = facts.describe(facts.rows, named);
  const id = named ?? target?.id ?? null;
  return {
    commandSeq: facts.seq,
    id: facts.id,
    at: facts.at,
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: note?.actorName ?? null,
    act: command.name,
    targetKind: id === null ? null : (id.split(":")[0] ?? null),
    targetId: id,
    targetLabel: target?.label ?? null,
    reason: note?.reason ?? null,
    changes: JSON.stringify(changes),
    address: note?.address ?? null,
    userAgent: note?.userAgent ?? null,
    sessionId: note?.sessionId ?? null,
    approvalId: approvalId ?? null,
    requestId: note?.requestId ?? null,
  };
}

const FIRST_ID = new RegExp(`^\\{"id":"(${anyIdPattern})"`);

/** The id of the object that an answer shows. */
function idIn(answer: string): string | null {
  return FIRST_ID.exec(answer)?.[1] ?? null;
}

/** What the digest of the effects covers; JSON keeps the members apart. */
export function auditText(entry: AuditEntry): string {
  const { commandSeq: _, ...members } = entry;
  return `a ${JSON.stringify(Object.values(members))}\n`;
}
