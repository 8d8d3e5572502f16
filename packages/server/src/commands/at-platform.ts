import { type OpenStore, openStore } from "../boot/open-database.ts";
import type { Config } from "../config.ts";
import { findPlatform } from "../domain/platform.sql.ts";
import type { Platform } from "../domain/platform.ts";
import { type Clock, systemClock } from "../std/clock.ts";
import { StartRefused } from "../std/errors.ts";
import { createLog, type Log } from "../std/log.ts";
import { idOption } from "./options/option-texts.ts";

export interface AtDatabase {
  readonly store: OpenStore;
  readonly surroundings: { readonly config: Config; readonly clock: Clock; readonly log: Log };
}

export interface AtPlatform extends AtDatabase {
  readonly platform: Platform;
}

/** Runs `work` on one platform of an existing database, whether or not a server uses it. */
export async function atPlatform<T>(
  config: Config,
  option: string,
  work: (at: AtPlatform) => Promise<T>,
): Promise<T> {
  const platformId = idOption("--platform", "PlatformConfig", option);
  return atDatabase(config, async (at) => {
    const platform = await findPlatform(at.store.database.reads, platformId);
    if (platform === undefined) throw new StartRefused(`no platform has the id ${option}`);
    return work({ ...at, platform });
  });
}

/** Runs `work` on an existing database, whether or not a server uses it. */
export async function atDatabase<T>(
  config: Config,
  work: (at: AtDatabase) => Promise<T>,
): Promise<T> {
  const surroundings = { config, clock: systemClock, log: createLog(config.LOG_LEVEL) };
  const store = await openStore(config, { ...surroundings, mayJoin: true, mustExist: true });
  try {
    return await work({ store, surroundings });
  } finally {
    await store.close();
  }
}
