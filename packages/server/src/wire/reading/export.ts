/** Exports as the API shows them. */
import Type from "typebox";
import {
  type Export,
  type ExportFormat,
  exportFormats,
  exportKinds,
  exportStates,
} from "../../domain/reading/exports/export.ts";
import { toIso } from "../../std/clock.ts";
import { toWireId } from "../../std/ids.ts";
import { DateTimeSchema, optional } from "../fields.ts";

export const exportTypes: Readonly<Record<ExportFormat, string>> = {
  CSV: "text/csv; charset=utf-8",
  JSONL: "application/x-ndjson; charset=utf-8",
};

export const ExportSchema = Type.Object(
  {
    id: Type.String({ description: "`Export:<uuid>`" }),
    kind: Type.Enum([...exportKinds]),
    format: Type.Enum([...exportFormats]),
    filter: Type.Object({}, { description: "As it was sent." }),
    state: Type.Enum([...exportStates]),
    commandSeq: Type.Optional(
      Type.Integer({ minimum: 1, description: "The last command that the rows show." }),
    ),
    sequence: Type.Optional(
      Type.Integer({ minimum: 0, description: "The last event that the rows show." }),
    ),
    asOf: Type.Optional({
      ...DateTimeSchema,
      description: "The time of that command; of `REQUESTS`, the time of the server.",
    }),
    rows: Type.Integer({ minimum: 0, description: "How many are written." }),
    changedRows: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          "Of `CUSTOMERS`: how many of the rows had changed since `asOf` when they were read. They show the later state.",
      }),
    ),
    bytes: Type.Integer({ minimum: 0, description: "The length of what is written." }),
    failure: Type.Optional(Type.String({ description: "Why it has `FAILED`, and what to do." })),
    createdAt: DateTimeSchema,
    completedAt: Type.Optional(DateTimeSchema),
    expiresAt: Type.Optional({ ...DateTimeSchema, description: "When the file is deleted." }),
  },
  { $id: "Export" },
);

export function exportJson(row: Export): string {
  const { kind, commandSeq, eventSeq, asOf, completedAt, expiresAt } = row;
  return JSON.stringify({
    id: toWireId("Export", row.id),
    kind,
    format: row.format,
    filter: row.filter,
    state: row.state,
    ...(commandSeq === null ? {} : { commandSeq: Number(commandSeq) }),
    ...(eventSeq === null ? {} : { sequence: Number(eventSeq) }),
    ...(asOf === null ? {} : { asOf: toIso(asOf) }),
    rows: row.rowCount,
    ...(kind === "CUSTOMERS" ? { changedRows: row.changedRows } : {}),
    bytes: Number(row.bytes),
    ...optional("failure", row.failure),
    createdAt: toIso(row.createdAt),
    ...(completedAt === null ? {} : { completedAt: toIso(completedAt) }),
    ...(expiresAt === null ? {} : { expiresAt: toIso(expiresAt) }),
  });
}

export const exportExample = {
  id: "Export:019a4f00-0000-7000-8000-00000000000c",
  kind: "TRANSACTIONS",
  format: "CSV",
  filter: { status: "COMPLETED", startDate: "2026-11-01T00:00:00Z" },
  state: "READY",
  commandSeq: 1_204,
  sequence: 2_318,
  asOf: "2026-11-21T10:00:00.000Z",
  rows: 431,
  bytes: 131_072,
  createdAt: "2026-11-21T10:00:00.120Z",
  completedAt: "2026-11-21T10:00:01.004Z",
  expiresAt: "2026-11-28T10:00:01.004Z",
};
