import { openStore } from "../boot/open-database.ts";
import type { Config } from "../config.ts";
import { checkNodes } from "../postgres/check-nodes.ts";
import { distribute } from "../postgres/distribution.ts";
import { systemClock } from "../std/clock.ts";
import { StartRefused } from "../std/errors.ts";
import { createLog } from "../std/log.ts";
import { print } from "./print.ts";

interface MigrateOptions {
  /** Then distributes the tables over the nodes of a Citus cluster. */
  readonly distribute: boolean;
  /** How many shards each table gets. */
  readonly shards?: string;
}

const MOST_SHARDS = 1_024;

/** `florin migrate`: opening a store migrates it. */
export async function migrateFromShell(
  config: Config,
  options: MigrateOptions = { distribute: false },
): Promise<void> {
  const shards = shardsOf(options);
  const log = createLog(config.LOG_LEVEL);
  const store = await openStore(config, {
    clock: systemClock,
    log,
    mayDistribute: options.distribute,
  });
  try {
    print(
      store.migrated.length === 0
        ? "The schema is up to date."
        : `Applied: ${store.migrated.join(", ")}`,
    );
    if (!options.distribute) return;
    const moved = await distribute(store.database, { shards });
    await checkNodes(store.database, { log });
    print(moved.length === 0 ? "All tables are distributed." : `Distributed: ${moved.join(", ")}`);
  } finally {
    await store.close();
  }
}

function shardsOf({ distribute: isAsked, shards }: MigrateOptions): number | undefined {
  if (shards === undefined) return undefined;
  if (!isAsked) throw new StartRefused("--shards needs --distribute");
  const count = Number(shards);
  if (/^\d{1,4}$/.test(shards) && count >= 1 && count <= MOST_SHARDS) return count;
  throw new StartRefused(`--shards ${shards} is not a whole number from 1 to ${MOST_SHARDS}`);
}
