/** Reads of the command log as evidence. The texts are those that the engine has hashed (engine/command-log.ts). */
import { auditEntries, auditText } from "../../../engine/audit-entries.ts";
import {
  commandLog,
  entryText,
  events,
  eventText,
  type LoggedCommand,
} from "../../../engine/command-log.ts";
import { GENESIS_HASH } from "../../../engine/head.ts";
import { ledgerEntries } from "../../../ledger/postings.ts";
import { decodeCell } from "../../../postgres/columns.ts";
import type { ReadCells, Reads, ReadValue } from "../../../postgres/database.ts";
import { type Checkpoint, type CheckpointFacts, checkpoints } from "./checkpoint.ts";

const headOf = {
  name: "proofs/head",
  text:
    "select seq, chain_hash, floor(extract(epoch from last_at) * 1000)::int8 from platform_heads " +
    "where platform_id = $1::uuid",
};

/** The last command of the platform, up to which a checkpoint made now covers the log. */
export async function lastCommand(
  reads: Pick<Reads, "cells">,
  platformId: string,
): Promise<CheckpointFacts> {
  const [cells] = await reads.cells(headOf, [platformId]);
  if (cells === undefined) return { seq: 0n, chainHash: GENESIS_HASH, at: 0 };
  return {
    seq: BigInt(cells[0] ?? 0),
    chainHash: decodeCell(cells[1] ?? null, "bytes") as Buffer,
    at: Number(cells[2]),
  };
}

/** Leaves out the answers, because the hashes cover only their digests. */
const links = {
  name: "proofs/links",
  text:
    `select ${commandLog.selectList("l")} from (select seq, id, name, actor, at, clock_offset_ms, idempotency_digest, idempotency_scope, ` +
    "idempotency_key, body_digest, status, null::text as answer, answer_sealed, answer_digest, effects_digest, hash " +
    "from command_log where platform_id = $1::uuid and seq >= $2::int8 and seq <= $3::int8) l order by l.seq",
};

/** The commands of this range, and the hash of the command before it. */
export async function chainBetween(
  reads: Pick<Reads, "cells">,
  platformId: string,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Promise<{ readonly previousHash: Buffer; readonly commands: readonly LoggedCommand[] }> {
  const rows = await reads.cells(links, [platformId, from - 1n, to]);
  const found = rows.map((cells) => commandLog.decode(cells));
  const [before] = found;
  if (from === 1n || before === undefined || before.seq !== from - 1n)
    return { previousHash: GENESIS_HASH, commands: found };
  return { previousHash: before.hash, commands: found.slice(1) };
}

export interface ProvenRow {
  readonly table: "ledger_entries" | "events" | "audit_entries";
  readonly row: string;
  readonly text: string;
}

export interface Proof {
  readonly command: LoggedCommand;
  readonly previousHash: Buffer;
  /** In the order in which the digest covers them; undefined when they were not asked for. */
  readonly effects: readonly ProvenRow[] | undefined;
}

export async function findProof(
  reads: Reads,
  platformId: string,
  { seq, withEffects }: { readonly seq: bigint; readonly withEffects: boolean },
): Promise<Proof | undefined> {
  return reads.withPermit(platformId, async (cells) => {
    const place = { from: seq, to: seq };
    const { previousHash, commands } = await chainBetween({ cells }, platformId, place);
    const [command] = commands;
    if (command === undefined) return undefined;
    const effects = withEffects ? await effectsOf(cells, platformId, seq) : undefined;
    return { command, previousHash, effects };
  });
}

const entriesOf = {
  name: "proofs/entries",
  text:
    `select ${ledgerEntries.selectList("e")} from ledger_entries e ` +
    "where e.platform_id = $1::uuid and e.command_seq = $2::int8 order by e.line",
};
const eventsOf = {
  name: "proofs/events",
  text: `select ${events.selectList("e")} from events_of_command($1::uuid, $2::int8) e order by e.seq`,
};
const auditOf = {
  name: "proofs/audit-entry",
  text:
    `select ${auditEntries.selectList("a")} from audit_entries a ` +
    "where a.platform_id = $1::uuid and a.command_seq = $2::int8",
};

async function effectsOf(
  cells: ReadCells,
  platformId: string,
  seq: bigint,
): Promise<readonly ProvenRow[]> {
  const values: readonly ReadValue[] = [platformId, seq];
  const rows: ProvenRow[] = [];
  for (const found of await cells(entriesOf, values)) {
    const entry = ledgerEntries.decode(found);
    rows.push({ table: "ledger_entries", row: `line ${entry.line}`, text: entryText(entry) });
  }
  for (const found of await cells(eventsOf, values)) {
    const event = events.decode(found);
    rows.push({ table: "events", row: `event ${event.seq}`, text: eventText(event) });
  }
  for (const found of await cells(auditOf, values)) {
    const entry = auditEntries.decode(found);
    rows.push({ table: "audit_entries", row: entry.id, text: auditText(entry) });
  }
  return rows;
}

export interface CheckpointQuery {
  readonly platformId: string;
  /** Only checkpoints of this command or a later one. */
  readonly fromSeq: bigint | undefined;
  readonly order: "asc" | "desc";
  /** `<seq>.<id>` of the last checkpoint of the previous page. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** Checkpoints in the order of the commands that they cover. */
export async function listCheckpoints(
  reads: Reads,
  { platformId, fromSeq, order, after, limit }: CheckpointQuery,
): Promise<{ readonly rows: readonly Checkpoint[]; readonly hasMore: boolean }> {
  const values: ReadValue[] = [platformId];
  const place = (value: ReadValue) => `$${values.push(value)}`;
  const clauses = ["t.platform_id = $1::uuid"];
  if (fromSeq !== undefined) clauses.push(`t.seq >= ${place(fromSeq)}::int8`);
  if (after !== undefined) {
    const [seq = "", id = ""] = after.split(".");
    const beyond = order === "asc" ? ">" : "<";
    clauses.push(`(t.seq, t.id) ${beyond} (${place(seq)}::int8, ${place(id)}::uuid)`);
  }
  const text =
    `select ${checkpoints.selectList("t")} from chain_checkpoints t where ${clauses.join(" and ")} ` +
    `order by t.seq ${order}, t.id ${order} limit ${place(limit + 1)}::int8`;
  const rows = await reads.rows(checkpoints, { name: "", text }, values);
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
