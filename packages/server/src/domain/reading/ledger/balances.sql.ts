/**
 * Sums of the books at a moment, by kind and currency: those of the last checkpoint before it, and the entries since then. A
 * checkpoint is made every `CHECKPOINT_COMMANDS` commands by a sweep, so a sum reads a bounded number of entries once the
 * sweep has caught up.
 */
import { parameter } from "../../../postgres/columns.ts";
import type { Reads } from "../../../postgres/database.ts";
import type { Step } from "../../../postgres/pipeline.ts";

export interface KindSum {
  readonly kind: string;
  readonly currency: string;
  readonly minor: bigint;
}

export interface Sums {
  /** The last command that the sums include. */
  readonly commandSeq: bigint;
  readonly sums: readonly KindSum[];
}

const CHECKPOINT_COMMANDS = 20_000n;

/** The sums after the command `upTo` of platform $1: those of the checkpoint `since`, and the entries between. */
const sumsUpTo = (since: string, upTo: string) =>
  "select kind, currency, sum(minor) as minor from (" +
  "select c.kind, c.currency, c.balance_minor as minor from ledger_checkpoints c " +
  `where c.platform_id = $1::uuid and c.command_seq = ${since} union all ` +
  "select coalesce(s.kind, 'internal'), e.currency, sum(e.amount_minor) from ledger_entries e " +
  "left join (select a.id, a.kind from ledger_accounts a where a.platform_id = $1::uuid and a.kind <> 'internal') s " +
  "on s.id = e.account_id where e.platform_id = $1::uuid " +
  `and e.command_seq > ${since} and e.command_seq <= ${upTo} group by 1, 2) parts where kind <> '' group by 1, 2`;

const lastCheckpoint = (upTo: string) =>
  "coalesce((select max(c.command_seq) from ledger_checkpoints c " +
  `where c.platform_id = $1::uuid and c.command_seq <= ${upTo}), 0)`;

/** The sums including the moment `until`, in platform time; up to now when it is undefined. */
export async function sumsAt(
  reads: Reads,
  platformId: string,
  until: string | undefined,
): Promise<Sums> {
  return reads.withPermit(platformId, async (cells) => {
    const [last] = await cells(upToStatement, [platformId, until ?? null]);
    const [upTo = "0", since = "0"] = (last ?? []).map((cell) => cell ?? "0");
    const rows = await cells(sumsStatement, [platformId, since, upTo]);
    const sums = rows.map(([kind, currency, minor]) => ({
      kind: kind ?? "",
      currency: currency ?? "",
      minor: BigInt(minor ?? 0),
    }));
    return { commandSeq: BigInt(upTo), sums };
  });
}

const upToStatement = {
  name: "ledger/up-to",
  text:
    `select u.seq, ${lastCheckpoint("u.seq")} from (select case when $2::timestamptz is null then h.seq ` +
    "else command_seq_at($1::uuid, $2::timestamptz + interval '1 millisecond') - 1 end as seq " +
    "from platform_heads h where h.platform_id = $1::uuid) u",
};

const sumsStatement = {
  name: "ledger/sums",
  text: `select kind, currency, minor from (${sumsUpTo("$2::int8", "$3::int8")}) p order by currency, kind`,
};

const due = {
  name: "ledger_checkpoints/due",
  text:
    "select h.platform_id, l.seq from platform_heads h, lateral (select coalesce(max(c.command_seq), 0) as seq " +
    "from ledger_checkpoints c where c.platform_id = h.platform_id) l " +
    "where h.platform_id > $1::uuid and h.seq - l.seq >= $2::int8 order by h.platform_id limit 100",
};

/** Platforms after this one with enough commands since their last checkpoint, which is the second column. */
export function dueCheckpointsStep(after: string): Step {
  return {
    statement: due,
    parameters: [parameter("uuid", after), parameter("int8", CHECKPOINT_COMMANDS)],
  };
}

const insert = {
  name: "ledger_checkpoints/insert",
  text:
    "insert into ledger_checkpoints (platform_id, command_seq, kind, currency, balance_minor) " +
    `select $1::uuid, $3::int8, kind, currency, minor from (${sumsUpTo("$2::int8", "$3::int8")}) p ` +
    // Marks the checkpoint where no money has moved yet.
    "union all select $1::uuid, $3::int8, '', '', 0 on conflict do nothing",
};

/** Writes the checkpoint that follows this one. */
export function nextCheckpointStep(platformId: string, since: bigint): Step {
  return {
    statement: insert,
    parameters: [
      parameter("uuid", platformId),
      parameter("int8", since),
      parameter("int8", since + CHECKPOINT_COMMANDS),
    ],
  };
}
