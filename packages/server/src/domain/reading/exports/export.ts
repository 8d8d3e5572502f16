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
import {
  defineSelection,
  defineTable,
  fixed,
  mutable,
  type RowOf,
} from "../../../tables/tables.ts";

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

/** PROGRAMS: members of the API's objects. PEOPLE: names, decimals, and times of a zone. */
export const exportAudiences = ["PROGRAMS", "PEOPLE"] as const;
export type ExportAudience = (typeof exportAudiences)[number];

/** The kinds that have a form for people. */
export const peopleKinds = ["LEDGER", "TRANSACTIONS", "CUSTOMERS"] as const;
export type PeopleKind = (typeof peopleKinds)[number];

export function hasPeopleForm(kind: ExportKind): kind is PeopleKind {
  return peopleKinds.some((each) => each === kind);
}

export const exportStates = ["PENDING", "READY", "FAILED", "EXPIRED"] as const;

/** The state of the platform that the rows of an export show. */
export interface SeenState {
  /** The last command and the last event of the platform. */
  readonly commandSeq: bigint;
  readonly eventSeq: bigint;
  /** The time of that command; for REQUESTS, the time of the server. */
  readonly asOf: number;
}

const exportColumns = {
  id: fixed("uuid"),
  kind: fixed<ExportKind>("text"),
  format: fixed<ExportFormat>("text"),
  audience: fixed<ExportAudience>("text"),
  /** Of the times in a file for people; null in one for programs. */
  timeZone: fixed<string | null>("text"),
  /** Filters of the list, as they were sent. */
  filter: fixed<JsonObject>("json"),
  state: mutable<(typeof exportStates)[number]>("text"),
  /** The three members of `SeenState`; null until the first part is written. */
  commandSeq: mutable<bigint | null>("int8"),
  eventSeq: mutable<bigint | null>("int8"),
  asOf: mutable<number | null>("time"),
  /** The position of the last row that is written; null before the first. */
  position: mutable<string | null>("text"),
  parts: mutable("int4"),
  rowCount: mutable("int4"),
  /** For CUSTOMERS: how many rows had changed since `asOf` when they were read. */
  changedRows: mutable("int4"),
  bytes: mutable("int8"),
  failure: mutable<string | null>("text"),
  createdAt: fixed("time"),
  completedAt: mutable<number | null>("time"),
  expiresAt: mutable<number | null>("time"),
};

export interface Export extends RowOf<typeof exportColumns> {}

export const exports = defineTable<Export>("exports", exportColumns);

const exportPartColumns = {
  /** The id of the sealed file. */
  id: fixed("uuid"),
  exportId: fixed("uuid"),
  number: fixed("int4"),
  bytes: fixed("int4"),
};

export interface ExportPart extends RowOf<typeof exportPartColumns> {}

export const exportParts = defineTable<ExportPart>("export_parts", exportPartColumns);

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
