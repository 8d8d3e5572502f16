import type { Command } from "../../../engine/command.ts";
import { staleFrom } from "./keep-rates.ts";
import { putSource, rateSources, sourceSubject } from "./rate-source.ts";

export interface NoteStaleRatesInput {
  readonly sourceId: string;
  readonly jobId: string;
}

/**
 * Emits one event when the oldest rate of a source is older than its `maxAgeMinutes`. Returns the milliseconds until the next check;
 * undefined when the job is over. The next rates of the source schedule another job.
 */
export const noteStaleRates: Command<NoteStaleRatesInput, number | undefined> = {
  name: "note-stale-rates",
  needs: (_world, { sourceId }) => [rateSources.ref(sourceId)],
  decide(world, { sourceId, jobId }) {
    const source = world.get(rateSources.ref(sourceId));
    const isMine = source.staleJobId === jobId;
    const dueAt = isMine ? staleFrom(source) : undefined;
    if (dueAt !== undefined && world.at < dueAt) return dueAt - world.at;
    world.cancel(jobId);
    if (!isMine) return undefined;
    const isStale = dueAt !== undefined;
    const noted = putSource(world, {
      ...source,
      staleJobId: null,
      staleSince: isStale ? world.at : source.staleSince,
    });
    if (isStale) world.emit("RATE_SOURCE.STALE", sourceSubject(noted));
    return undefined;
  },
};
