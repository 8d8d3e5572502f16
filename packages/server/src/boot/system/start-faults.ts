/** The warnings and refusals that a start would give for the database now. */
import type { StartFaults } from "../../http/console/system-services.ts";
import { checkDatabase, checkGuards } from "../../postgres/check-database.ts";
import { checkNodes } from "../../postgres/check-nodes.ts";
import type { Database } from "../../postgres/database.ts";
import type { Clock } from "../../std/clock.ts";
import { StartRefused } from "../../std/errors.ts";
import type { Log } from "../../std/log.ts";

/** Results are reused for this long, because each check opens connections of its own. */
const FOUND_COUNTS_MS = 60_000;

/** Runs the checks of a start, once a minute at most. */
export function createStartFaults(
  database: Database,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): () => Promise<StartFaults> {
  let found: { readonly at: number; readonly faults: Promise<StartFaults> } | undefined;
  return () => {
    const at = clock.now();
    if (found !== undefined && at >= found.at && at - found.at < FOUND_COUNTS_MS)
      return found.faults;
    const faults = findFaults(database, log);
    found = { at, faults };
    faults.catch(() => {
      found = undefined;
    });
    return faults;
  };
}

async function findFaults(database: Database, log: Log): Promise<StartFaults> {
  const warnings: string[] = [];
  const refusals: string[] = [];
  const heard = {
    ...log,
    warn: (_fields: unknown, message: string) => void warnings.push(message),
  };
  for (const check of [checkDatabase, checkGuards, checkNodes]) {
    try {
      await check(database, { log: heard });
    } catch (error) {
      if (!(error instanceof StartRefused)) throw error;
      refusals.push(error.message);
    }
  }
  return { refusals, warnings };
}
