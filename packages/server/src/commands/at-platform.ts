import { type OpenStore, openStore } from "../boot/open-database.ts";
import type { Config } from "../config.ts";
import { findPlatform } from "../domain/platform.sql.ts";
import type { Platform } from "../domain/platform.ts";
import { type Clock, systemClock } from "../std/clock.ts";
import { StartRefused } from "../std/errors.ts";
import { createLog, type Log } from "../std/log.ts";
import { idOption } from "./options/option-texts.ts";

export interface AtPlatform {
  readonly store: OpenStore;
  readonly platform: Platform;
  readonly surroundings: { readonly config: Config; readonly clock: Clock; readonly log: Log };
}

/** Runs `work` on one platform of an existing database, whether or not a server uses it. */
export async function atPlatform<T>(
  config: Config,
  option: string,
  work: (at: AtPlatform) => Promise<T>,
): Promise<T> {
  const platformId = idOption("--platform", "PlatformConfig", option);
  const surroundings = { config, clock: systemClock, log: createLog(config.LOG_LEVEL) };
  const store = await openStore(config, { ...surroundings, mayJoin: true, mustExist: true });
  try {
    const platform = await findPlatform(store.database.reads, platformId);
    if (platform === undefined) throw new StartRefused(`no platform has the id ${option}`);
    return await work({ store, platform, surroundings });
  } finally {
    await store.close();
  }
}
