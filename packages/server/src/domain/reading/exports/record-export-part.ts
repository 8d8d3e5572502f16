import type { Command } from "../../../engine/command.ts";
import { scheduleJob } from "../../job-kinds.ts";
import {
  type Export,
  exportParts,
  exports,
  KEPT_MS,
  MOST_BYTES,
  MOST_ROWS,
  type SeenState,
} from "./export.ts";

export interface WrittenPart {
  readonly exportId: string;
  readonly jobId: string;
  /** How many parts there were before. */
  readonly number: number;
  readonly seen: SeenState;
  /** The sealed file; null for a part without rows. */
  readonly fileId: string | null;
  readonly bytes: number;
  readonly rowCount: number;
  readonly changedRows: number;
  readonly position: string | null;
  readonly isLast: boolean;
}

/**
 * Records a part, and after the last one ends the job of the export. An export with too many rows or bytes fails. Answers
 * undefined when another server has recorded this part or has ended the export. Refuses nothing.
 */
export const recordExportPart: Command<WrittenPart, Export | undefined> = {
  name: "record-export-part",
  needs: (_, { exportId, fileId }) => [
    exports.ref(exportId),
    ...(fileId === null ? [] : [exportParts.ref(fileId)]),
  ],
  decide(world, { exportId, jobId, seen, fileId, ...part }) {
    const before = world.get(exports.ref(exportId));
    if (before.state !== "PENDING" || before.parts !== part.number) return undefined;

    if (fileId !== null) {
      world.put(exportParts, { id: fileId, exportId, number: part.number, bytes: part.bytes });
    }
    const written: Export = {
      ...before,
      ...seen,
      position: part.position ?? before.position,
      parts: before.parts + 1,
      rowCount: before.rowCount + part.rowCount,
      changedRows: before.changedRows + part.changedRows,
      bytes: before.bytes + BigInt(part.bytes),
    };
    const failure = failureOf(written);
    if (failure === undefined && !part.isLast) return world.put(exports, written);

    world.cancel(jobId);
    const dropAt = failure === undefined ? world.at + KEPT_MS : world.at;
    scheduleJob(world, { kind: "drop-export", payload: { exportId }, dueAt: dropAt });
    return world.put(exports, {
      ...written,
      state: failure === undefined ? "READY" : "FAILED",
      failure: failure ?? null,
      completedAt: world.at,
      expiresAt: failure === undefined ? dropAt : null,
    });
  },
};

function failureOf({ rowCount, bytes }: Export): string | undefined {
  const narrower = "Narrow the filter, for example to a shorter time, and create one for each.";
  if (rowCount > MOST_ROWS) return `It has more than ${MOST_ROWS} rows. ${narrower}`;
  if (bytes > MOST_BYTES) return `It has more than ${MOST_BYTES} bytes. ${narrower}`;
  return undefined;
}

interface Dropped {
  readonly exportId: string;
  readonly jobId: string;
}

/** Ends the job that has deleted the file of an export. Refuses nothing. */
export const recordExportDropped: Command<Dropped, Export> = {
  name: "record-export-dropped",
  needs: (_, { exportId }) => [exports.ref(exportId)],
  decide(world, { exportId, jobId }) {
    const dropped = world.get(exports.ref(exportId));
    world.cancel(jobId);
    if (dropped.state !== "READY") return dropped;
    return world.put(exports, { ...dropped, state: "EXPIRED" });
  },
};
