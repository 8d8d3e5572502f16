import { openStore } from "../boot/open-database.ts";
import type { Config } from "../config.ts";
import { systemClock } from "../std/clock.ts";
import { createLog } from "../std/log.ts";
import { print } from "./print.ts";

/** `florin migrate`: opening a store migrates it. */
export async function migrateFromShell(config: Config): Promise<void> {
  const store = await openStore(config, { clock: systemClock, log: createLog(config.LOG_LEVEL) });
  await store.close();
  print(
    store.migrated.length === 0
      ? "The schema is up to date."
      : `Applied: ${store.migrated.join(", ")}`,
  );
}
