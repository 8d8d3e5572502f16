/** Exports as the API shows them. */
import Type from "typebox";
import {
  type Export,
  type ExportFormat,
  exportFormats,
  exportKinds,
  exportStates,
} from "../../domain/reading/exports/export.ts";
import { type Kit, wireObject } from "../wire-object.ts";

export const exportTypes: Readonly<Record<ExportFormat, string>> = {
  CSV: "text/csv; charset=utf-8",
  JSONL: "application/x-ndjson; charset=utf-8",
};

export const wireExport = wireObject("Export", ({ of, maybe }: Kit<Export>) => ({
  id: of.id("Export", { description: "`Export:<uuid>`", example: "c" }),
  kind: of.enum(exportKinds, { example: "TRANSACTIONS" }),
  format: of.enum(exportFormats, { example: "CSV" }),
  audience: maybe.enum(["PEOPLE"], {
    from: ({ audience }) => (audience === "PEOPLE" ? audience : null),
    description: "The file is for people: names, decimals, and times of `timeZone`.",
  }),
  timeZone: maybe.text({ description: "Of the times in a file for people." }),
  filter: of.json(Type.Object({}, { description: "As it was sent." }), {
    example: { status: "COMPLETED", startDate: "2026-11-01T00:00:00Z" },
  }),
  state: of.enum(exportStates, { example: "READY" }),
  commandSeq: maybe.integer({
    minimum: 1,
    description: "The last command that the rows show.",
    example: 1_204,
  }),
  sequence: maybe.integer({
    from: "eventSeq",
    minimum: 0,
    description: "The last event that the rows show.",
    example: 2_318,
  }),
  asOf: maybe.time({
    description: "The time of that command; of `REQUESTS`, the time of the server.",
    example: "2026-11-21T10:00:00.000Z",
  }),
  rows: of.integer({
    from: "rowCount",
    minimum: 0,
    description: "How many are written.",
    example: 431,
  }),
  changedRows: maybe.integer({
    from: ({ kind, changedRows }) => (kind === "CUSTOMERS" ? changedRows : null),
    minimum: 0,
    description:
      "Of `CUSTOMERS`: how many of the rows had changed since `asOf` when they were read. They show the later state.",
  }),
  bytes: of.integer({
    minimum: 0,
    description: "The length of what is written.",
    example: 131_072,
  }),
  failure: maybe.text({ description: "Why it has `FAILED`, and what to do." }),
  createdAt: of.time({ example: "2026-11-21T10:00:00.120Z" }),
  completedAt: maybe.time({ example: "2026-11-21T10:00:01.004Z" }),
  expiresAt: maybe.time({
    description: "When the file is deleted.",
    example: "2026-11-28T10:00:01.004Z",
  }),
}));
