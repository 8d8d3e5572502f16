import { openStore } from "../boot/open-database.ts";
import type { Config } from "../config.ts";
import { listPlatforms, MOST_PLATFORMS_LISTED } from "../domain/platform.sql.ts";
import { toPlatformConfigId } from "../domain/platform.ts";
import { systemClock, toIso } from "../std/clock.ts";
import { createLog } from "../std/log.ts";
import { print } from "./print.ts";

/** `florin platform list`: the platforms of this deployment, the oldest first. */
export async function listPlatformsFromShell(config: Config): Promise<void> {
  const surroundings = { clock: systemClock, log: createLog(config.LOG_LEVEL) };
  const store = await openStore(config, { ...surroundings, mayJoin: true, mustExist: true });
  try {
    const found = await listPlatforms(store.database.reads);
    if (found.length === 0) print("There is no platform yet.");
    for (const platform of found.slice(0, MOST_PLATFORMS_LISTED)) {
      const { id, environment, umaDomain, createdAt, name } = platform;
      // A name may contain line ends; JSON quotes keep it on its line.
      print(
        `${toPlatformConfigId(id)}  ${environment}  ${umaDomain}  since ${toIso(createdAt)}  ${JSON.stringify(name)}`,
      );
    }
    if (found.length > MOST_PLATFORMS_LISTED)
      print(`There are more; the first ${MOST_PLATFORMS_LISTED} are listed.`);
  } finally {
    await store.close();
  }
}
