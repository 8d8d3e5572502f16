import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { scheduleJob } from "../../job-kinds.ts";
import { type Export, exports, unfinishedExports } from "./export.ts";

/** The largest number of unfinished exports of a platform. */
export const MOST_UNFINISHED = 3;

export type ExportOrder = Pick<Export, "kind" | "format" | "audience" | "timeZone" | "filter">;

/** Orders an export. Refuses when the platform has too many unfinished ones. */
export const createExport: Command<ExportOrder, Export> = {
  name: "create-export",
  needs: () => [unfinishedExports],
  decide(world, { kind, format, audience, timeZone, filter }) {
    if (world.all(unfinishedExports).length >= MOST_UNFINISHED) {
      const message = `${MOST_UNFINISHED} exports are PENDING; create another one when one of them has ended.`;
      throw new Refusal("CONFLICT", { most: MOST_UNFINISHED }, message);
    }

    const created = world.put(exports, {
      id: world.newId(),
      kind,
      format,
      audience,
      timeZone,
      filter,
      state: "PENDING",
      commandSeq: null,
      eventSeq: null,
      asOf: null,
      position: null,
      parts: 0,
      rowCount: 0,
      changedRows: 0,
      bytes: 0n,
      failure: null,
      createdAt: world.at,
      completedAt: null,
      expiresAt: null,
    });
    scheduleJob(world, {
      kind: "make-export",
      payload: { exportId: created.id },
      dueAt: world.at,
    });
    return created;
  },
};
