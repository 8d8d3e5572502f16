/**
 * The audit entry of a command: who did what, where from, and what changed. It is written in the commit of its command and
 * covered by the digest of the command's effects. Audited are the commands of the operator, and those that are submitted with an
 * `ActNote`. An audited command has an entry when it changes something or `isNoted`; a refused one has none.
 */
import { anyIdPattern } from "../std/ids.ts";
import { defineRecords, fixed, type RowOf, type Table, type TableRow } from "../tables/tables.ts";
import type { Submission } from "./command.ts";

const columns = {
  commandSeq: fixed("int8"),
  id: fixed("uuid"),
  at: fixed("time"),
  actorKind: fixed("text"),
  actorId: fixed("text"),
  actorName: fixed<string | null>("text"),
  /** The name of the command. */
  act: fixed("text"),
  targetKind: fixed<string | null>("text"),
  targetId: fixed<string | null>("text"),
  targetLabel: fixed<string | null>("text"),
  reason: fixed<string | null>("text"),
  /** A JSON array of `{field, before, after}`. */
  changes: fixed("text"),
  address: fixed<string | null>("text"),
  userAgent: fixed<string | null>("text"),
  sessionId: fixed<string | null>("uuid"),
  approvalId: fixed<string | null>("uuid"),
  requestId: fixed<string | null>("text"),
};

export interface AuditEntry extends RowOf<typeof columns> {}

export const auditEntries = defineRecords<AuditEntry>("audit_entries", columns);

/** A row that a command has put. */
export interface RowChange {
  readonly table: Table<TableRow>;
  readonly before: TableRow | undefined;
  readonly after: TableRow;
}

export interface DescribedChanges {
  /** The object that the command is about; its id counts only when neither the caller nor the answer names one. */
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

/** Turns the changed rows into what an audit entry may show of them: the object, and its changed fields. */
export type DescribeChanges = (
  rows: readonly RowChange[],
  target: string | null,
) => DescribedChanges;

/** Whether the command of this submission is audited; an audited command without a change may have no entry. */
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
    /** The body of the answer; it has the id of an object that the command created. */
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

/** The id with which the JSON of an answer begins. */
function idIn(answer: string): string | null {
  return FIRST_ID.exec(answer)?.[1] ?? null;
}

/** The text that the effects digest covers for an audit entry; JSON keeps the members apart. */
export function auditText(entry: AuditEntry): string {
  const { commandSeq: _, ...members } = entry;
  return `a ${JSON.stringify(Object.values(members))}\n`;
}
