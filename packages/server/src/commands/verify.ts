import type { Config } from "../config.ts";
import { reconciliations } from "../domain/reconciliation.sql.ts";
import { printReport, verifyPlatforms } from "../engine/verify-platform.ts";
import { systemClock } from "../std/clock.ts";
import { createLog } from "../std/log.ts";
import { openStore } from "../store.ts";
import { print, printError } from "./print.ts";

/** `florin verify`: recomputes the books and the log, compares them with the payments, and answers whether everything adds up. */
export async function verifyFromShell(config: Config): Promise<boolean> {
  const store = await openStore(config, {
    clock: systemClock,
    log: createLog(config.LOG_LEVEL),
    mayJoin: true,
    mustExist: true,
  });
  try {
    const report = await store.database.withClient((client) =>
      verifyPlatforms({
        client,
        sealer: store.dataSealer,
        reconciliations,
        onProgress: ({ commands }) => printError(`checked ${commands} commands …`),
      }),
    );
    print(printReport(report).trimEnd());
    return report.ok;
  } finally {
    await store.close();
  }
}
