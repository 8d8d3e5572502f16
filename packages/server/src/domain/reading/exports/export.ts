/**
 * An export: the rows of a list as a file. A worker writes it part by part; each part is a sealed file.
 *
 * PENDING   rows are being written; leaves to READY after the last one, or to FAILED when there are too many
 * READY     the file can be read; leaves to EXPIRED after `KEPT_MS`
 * FAILED    final; what was written is deleted
 * EXPIRED   final; the file is deleted
 */
import { Refusal } from "../../../engine/refusal.ts";
import type { JsonObject } from "../../../std/json.ts";
import { defineSelection, defineTable, fixed, mutable } from "../../../tables/tables.ts";

export const exportKinds = [
  "LEDGER",
  "TRANSACTIONS",
  "CUSTOMERS",
  "EVENTS",
  "DELIVERIES",
  "REQUESTS",
] as const;

export type ExportKind = (typeof exportKinds)[number];

export const exportFormats = ["CSV", "JSONL"] as const;

export type ExportFormat = (typeof exportFormats)[number];

export const exportStates = ["PENDING", "READY", "FAILED", "EXPIRED"] as const;

/** What the rows of an export show. */
export interface SeenState {
  /** The last command and the last event of the platform. */
  readonly commandSeq: bigint;
  readonly eventSeq: bigint;
  /** Time of that command; of REQUESTS, the time of the server. */
  readonly asOf: number;
}

export interface Export {
  readonly id: string;
  readonly kind: ExportKind;
  readonly format: ExportFormat;
  /** Filters of the list, as they were sent. */
  readonly filter: JsonObject;
  readonly state: (typeof exportStates)[number];
  /** The three members of `SeenState`; null until the first part is written. */
  readonly commandSeq: bigint | null;
  readonly eventSeq: bigint | null;
  readonly asOf: number | null;
  /** Of the last row that is written; null before the first. */
  readonly position: string | null;
  readonly parts: number;
  readonly rowCount: number;
  /** Of CUSTOMERS: how many rows had changed since `asOf` when they were read. */
  readonly changedRows: number;
  readonly bytes: bigint;
  readonly failure: string | null;
  readonly createdAt: number;
  readonly completedAt: number | null;
  readonly expiresAt: number | null;
}

export const exports = defineTable<Export>("exports", {
  id: fixed("uuid"),
  kind: fixed("text"),
  format: fixed("text"),
  filter: fixed("json"),
  state: mutable("text"),
  commandSeq: mutable("int8"),
  eventSeq: mutable("int8"),
  asOf: mutable("time"),
  position: mutable("text"),
  parts: mutable("int4"),
  rowCount: mutable("int4"),
  changedRows: mutable("int4"),
  bytes: mutable("int8"),
  failure: mutable("text"),
  createdAt: fixed("time"),
  completedAt: mutable("time"),
  expiresAt: mutable("time"),
});

export interface ExportPart {
  /** The sealed file. */
  readonly id: string;
  readonly exportId: string;
  readonly number: number;
  readonly bytes: number;
}

export const exportParts = defineTable<ExportPart>("export_parts", {
  id: fixed("uuid"),
  exportId: fixed("uuid"),
  number: fixed("int4"),
  bytes: fixed("int4"),
});

export const unfinishedExports = defineSelection(exports, {
  name: "unfinished",
  sql: "t.state = 'PENDING'",
  holds: ({ state }) => state === "PENDING",
});

export const MOST_ROWS = 1_000_000;
export const MOST_BYTES = 2 * 1024 ** 3;
export const KEPT_MS = 7 * 86_400_000;

/** Refuses an export whose file is not there: it is being written, has failed, or was deleted. */
export function refuseUnready({ state, failure }: Export): void {
  if (state === "READY") return;
  const message =
    state === "PENDING"
      ? "The export is PENDING; read it until its state is READY."
      : state === "EXPIRED"
        ? "The export is EXPIRED: files are deleted after 7 days. Create another one."
        : `The export has FAILED. ${failure ?? ""}`;
  throw new Refusal("CONFLICT", { state }, message);
}
