import type { Command } from "../../../engine/command.ts";
import { putSource, type RateSource, rateSources, requireSource } from "./rate-source.ts";

export interface DeleteRateSourceInput {
  readonly sourceId: string;
}

/** Deletes a source and its headers; quotes that were made at its rates keep their price. Refuses an unknown source. */
export const deleteRateSource: Command<DeleteRateSourceInput, RateSource> = {
  name: "delete-rate-source",
  needs: (_world, { sourceId }) => [rateSources.ref(sourceId)],
  decide(world, { sourceId }) {
    const source = requireSource(world, sourceId);
    for (const jobId of [source.refreshJobId, source.staleJobId]) {
      if (jobId !== null) world.cancel(jobId);
    }
    return putSource(world, {
      ...source,
      headersSealed: null,
      headerFacts: {},
      refreshJobId: null,
      staleJobId: null,
      deletedAt: world.at,
    });
  },
};
