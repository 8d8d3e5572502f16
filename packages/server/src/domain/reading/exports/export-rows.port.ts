/** The rows of the lists that can be exported. Their filters are those of the list operations. */
import type { JsonObject } from "../../../std/json.ts";
import type { Export, SeenState } from "./export.ts";

/** What decides how a row is written. */
export type ExportForm = Pick<Export, "kind" | "format" | "audience" | "timeZone">;

export interface ExportRowsQuery extends ExportForm {
  readonly platformId: string;
  readonly filter: JsonObject;
  readonly seen: SeenState;
  /** The position of the last row before; null for the first rows. */
  readonly position: string | null;
}

export interface ExportedRows {
  /** The rows in the format, one a line. */
  readonly text: string;
  readonly count: number;
  readonly changed: number;
  /** Undefined when there is no further row. */
  readonly next: string | undefined;
}

export interface ExportRows {
  /** The line before the first row; empty for a format without one. */
  heading(form: ExportForm): string;
  /** The next rows, a few hundred at most. */
  next(query: ExportRowsQuery): Promise<ExportedRows>;
}
