/** A file that nothing refers to any more: a job takes its chunks away, once the commit that let go of it is durable. */

import type { Command, World } from "../../engine/command.ts";
import { scheduleJob } from "../job-kinds.ts";

export function scheduleDrop(world: World, fileId: string): void {
  scheduleJob(world, { kind: "drop-file", payload: { fileId }, dueAt: world.at });
}

/** Ends the job of a file whose chunks are gone. Refuses nothing. */
export const recordFileDropped: Command<{ readonly jobId: string }, undefined> = {
  name: "record-file-dropped",
  needs: () => [],
  decide(world, { jobId }) {
    world.cancel(jobId);
    return undefined;
  },
};
