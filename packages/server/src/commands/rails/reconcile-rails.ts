import type { Config } from "../../config.ts";
import { clockOffsetOf } from "../../domain/platform.sql.ts";
import { type Reconciliation, reconcile } from "../../domain/rails/books/reconciliation.sql.ts";
import { calendarOf } from "../../domain/rails/connections/calendar.ts";
import { allConnections } from "../../domain/rails/connections/rail-connection.sql.ts";
import { toConnectionId } from "../../domain/rails/connections/rail-connection.ts";
import { wireReconciliation } from "../../wire/rails/reconciliation.ts";
import { atPlatform } from "../at-platform.ts";
import { print } from "../print.ts";

export interface ReconcileRailsOptions {
  readonly platform: string;
  readonly json: boolean;
}

/** `florin rail reconcile`: compares every connection in each of its currencies. Returns false when a difference is unexplained. */
export function reconcileRailsFromShell(
  config: Config,
  options: ReconcileRailsOptions,
): Promise<boolean> {
  return atPlatform(config, options.platform, async ({ store, platform, surroundings }) => {
    const { reads } = store.database;
    const now = surroundings.clock.now() + (await clockOffsetOf(reads, platform.id));
    const found: Reconciliation[] = [];
    for (const connection of await allConnections(reads, platform.id)) {
      const { today: day, agedSince } = calendarOf(connection, now);
      for (const currency of connection.currencies) {
        const query = { connectionId: connection.id, currency, day, since: agedSince() };
        const one = await reconcile(reads, platform.id, query);
        found.push(one);
        if (!options.json) print(inWords(connection.name, one));
      }
    }
    if (options.json) print(`[${found.map(wireReconciliation.json).join(",\n")}]`);
    else if (found.length === 0) print("The platform has no rail connection.");
    return found.every(({ compared }) => (compared?.unexplainedMinor ?? 0n) === 0n);
  });
}

function inWords(name: string, { connectionId, currency, oursMinor, compared }: Reconciliation) {
  // A name may contain line ends; JSON quotes keep it on its line.
  const which = `${toConnectionId(connectionId)}  ${JSON.stringify(name)}  ${currency}`;
  if (compared === undefined) return `${which}  ours ${oursMinor}, and no statement`;
  const { statement, unexplainedMinor } = compared;
  const said = `ours ${oursMinor}, ${statement.closingMinor} on ${statement.day}`;
  const verdict = unexplainedMinor === 0n ? "explained" : `${unexplainedMinor} unexplained`;
  return `${which}  ${said}: ${verdict}`;
}
