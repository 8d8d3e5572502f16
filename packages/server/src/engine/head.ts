/** The head of a platform: the one row that every writer of the platform locks first. It numbers commands and events. */
import { decodeCell } from "../postgres/columns.ts";
import type { Statement } from "../postgres/pipeline.ts";

export interface Head {
  readonly seq: bigint;
  readonly eventSeq: bigint;
  readonly clockOffsetMs: number;
  /** The time of the last logged command; later commands are never decided at an earlier time. */
  readonly lastAt: number;
  readonly chainHash: Buffer;
}

const COLUMNS =
  "seq, event_seq, clock_offset_ms, floor(extract(epoch from last_at) * 1000)::int8, chain_hash";

export const lockHead: Statement = {
  name: "head/lock",
  text: `select ${COLUMNS} from platform_heads where platform_id = $1::uuid for update`,
};

/** Fails with SQLSTATE FL001 when the head is not the expected one; PostgreSQL then skips the rest of the pipeline. */
export const advanceHead: Statement = {
  name: "head/advance",
  text: "select step_platform_head($1::uuid, $2::int8, $3::bytea, $4::int8, $5::int8, $6::int8, $7::timestamptz, $8::bytea)",
};

export const HEAD_MOVED = "FL001";

export function decodeHead(cells: readonly (string | null)[]): Head {
  return {
    seq: decodeCell(cells[0] ?? null, "int8") as bigint,
    eventSeq: decodeCell(cells[1] ?? null, "int8") as bigint,
    clockOffsetMs: Number(cells[2]),
    lastAt: Number(cells[3]),
    chainHash: decodeCell(cells[4] ?? null, "bytes") as Buffer,
  };
}

export const GENESIS_HASH = Buffer.alloc(32);
