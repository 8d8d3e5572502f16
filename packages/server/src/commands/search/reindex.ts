import { openStore } from "../../boot/open-database.ts";
import type { Config } from "../../config.ts";
import { listPlatforms, MOST_PLATFORMS_LISTED } from "../../domain/platform.sql.ts";
import { clearStep, restartStep } from "../../domain/reading/search/follow.sql.ts";
import { rebuild } from "../../followers/follow-log.ts";
import { createSearchFollower } from "../../jobs/reading/search-follower.ts";
import { createSerialLane } from "../../postgres/serial-lane.ts";
import { systemClock as clock } from "../../std/clock.ts";
import { Fault } from "../../std/errors.ts";
import { createLog } from "../../std/log.ts";
import { idOption } from "../options/option-texts.ts";
import { print } from "../print.ts";

const ROWS_AT_ONCE = 10_000;

/**
 * `florin reindex`: builds the search index again, of one platform or of all. Servers may run meanwhile: until it is done, searches find
 * less and say so. When it is interrupted, servers continue the build.
 */
export async function reindexFromShell(
  config: Config,
  { platform }: { readonly platform?: string },
): Promise<void> {
  const log = createLog(config.LOG_LEVEL);
  const store = await openStore(config, { clock, log, mayJoin: true, mustExist: true });
  try {
    const { database } = store;
    const lane = createSerialLane(database, "search");
    const ids =
      platform === undefined
        ? (await listPlatforms(database.reads)).slice(0, MOST_PLATFORMS_LISTED).map(({ id }) => id)
        : [idOption("--platform", "PlatformConfig", platform)];
    for (const platformId of ids) {
      await rebuild(lane, {
        restart: restartStep(platformId),
        clear: clearStep(platformId, ROWS_AT_ONCE),
      });
    }
    await lane.close();
    const follower = createSearchFollower({ database, clock, log });
    const isWhole = await follower.runOnce();
    await follower.stop();
    if (!isWhole) throw new Fault("some of the search index was not built; servers go on with it");
    print(
      `Built the search index of ${ids.length} ${ids.length === 1 ? "platform" : "platforms"}.`,
    );
  } finally {
    await store.close();
  }
}
