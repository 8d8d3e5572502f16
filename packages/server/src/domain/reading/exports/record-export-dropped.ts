import type { Command } from "../../../engine/command.ts";
import { type Export, exports } from "./export.ts";

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
