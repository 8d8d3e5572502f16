/** The rows of exports, in the format of the file. */
import type { ExportRows } from "../../../domain/reading/exports/export-rows.port.ts";
import type { Json, JsonObject } from "../../../std/json.ts";
import { csvLine } from "../../../wire/reading/csv.ts";
import { type ExportSource, exportSources, type KindServices } from "./export-kinds.ts";

export function createExportRows(services: KindServices): ExportRows {
  return {
    heading: (kind, format) => (format === "CSV" ? csvLine(exportSources[kind].columns) : ""),
    async next({ platformId, kind, format, filter, seen, position }) {
      const source = exportSources[kind];
      const read = await source.prepare(filter, platformId, services);
      const { rows, changed = 0, next } = await read({ seen, position });
      const text =
        format === "CSV"
          ? rows.map((row) => csvOf(source, row)).join("")
          : rows.map((row) => `${row}\n`).join("");
      return { text, count: rows.length, changed, next };
    },
  };
}

function csvOf({ columns, linesOf }: ExportSource, row: string): string {
  const value = JSON.parse(row) as JsonObject;
  const lines = linesOf === undefined ? [value] : linesOf(value);
  return lines.map((line) => csvLine(columns.map((column) => cellOf(line, column)))).join("");
}

/** The text of a member; of an object or an array its JSON, and nothing of a member that is not there. */
function cellOf(line: JsonObject, column: string): string {
  let value: Json | undefined = line;
  for (const name of column.split(".")) {
    value = (value as JsonObject | undefined)?.[name];
  }
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
