import { engineOn } from "../app.ts";
import { openStore } from "../boot/open-database.ts";
import { resealAll } from "../boot/reseal.ts";
import type { Config } from "../config.ts";
import { systemClock } from "../std/clock.ts";
import { createLog } from "../std/log.ts";
import { print, printError } from "./print.ts";

/** `florin reseal`: seals every secret under the current master key. */
export async function resealFromShell(config: Config): Promise<void> {
  const surroundings = { config, clock: systemClock, log: createLog(config.LOG_LEVEL) };
  const store = await openStore(config, { ...surroundings, mustExist: true });
  try {
    const engine = engineOn(store, surroundings);
    const count = await resealAll({
      database: store.database,
      engine,
      sealer: store.sealer,
      masterKeyId: store.masterKeyId,
      onProgress: (resealed) => printError(`resealed ${resealed} secrets …`),
    });
    await engine.close();
    print(
      `${count} secrets were sealed anew; all are sealed with the master key ${store.masterKeyId}.`,
    );
  } finally {
    await store.close();
  }
}
