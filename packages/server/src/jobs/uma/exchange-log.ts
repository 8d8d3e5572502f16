/**
 * Writes what was exchanged with other institutions, in batches beside the engine. No message waits for its row; rows are dropped and counted
 * while the database is behind (`follow-queue.ts` has the bounds). Exchanges of strangers leave no row.
 */
import type { Exchange, ExchangeLog } from "../../domain/uma/exchanges/exchange-log.port.ts";
import {
  addCountsStep,
  type CountedExchanges,
  NO_COUNTS,
  umaExchanges,
} from "../../domain/uma/exchanges/uma-exchange.sql.ts";
import { followQueue, type QueueEnd } from "../../followers/follow-queue.ts";
import { commitWithoutWaiting, type FollowTools } from "../../followers/follower.ts";
import type { Step } from "../../postgres/pipeline.ts";
import { groupBy } from "../../std/group.ts";
import { randomIds } from "../../std/ids.ts";

export interface ExchangeLogWriter extends ExchangeLog, QueueEnd {
  readonly figures: ExchangeFigures;
}

/** Counts since the start of the server, by labels. */
export interface ExchangeFigures {
  readonly outcomes: () => readonly ExchangeCount[];
  readonly times: () => readonly ExchangeTime[];
}

export interface ExchangeCount extends Pick<Exchange, "direction" | "kind" | "outcome"> {
  value: number;
}

export interface ExchangeTime extends Pick<Exchange, "direction" | "kind"> {
  count: number;
  seconds: number;
}

/** Estimated memory of an entry. */
const ENTRY_BYTES = 1_024;
/** Codes are a closed list. Another text would become a label and a column of unbounded values. */
const CODE = /^[A-Z0-9_]{1,64}$/;
const MOST_COUNTED = 1_000;
const MOST_MS = 2_147_483_647;

interface Entry extends Exchange {
  readonly at: number;
}

export function createExchangeLog(tools: FollowTools): ExchangeLogWriter {
  const { clock } = tools;
  const ids = randomIds();
  const counts = createCounts();

  function stepsOf(platformId: string, entries: readonly Entry[]): readonly Step[] {
    const rows = entries.map(({ platformId: _, ...entry }) => ({
      ...entry,
      id: ids.next(entry.at),
      umaVersion: entry.umaVersion ?? null,
      transactionId: entry.transactionId ?? null,
      lookupId: entry.lookupId ?? null,
    }));
    const counted = countedIn(entries);
    const added = counted.length === 0 ? [] : [addCountsStep(platformId, counted)];
    return [umaExchanges.insertStep(platformId, rows), ...added];
  }

  const queue = followQueue<Entry>(
    {
      name: "uma exchanges",
      bytesOf: () => ENTRY_BYTES,
      async apply(lane, entries) {
        const steps = [...groupBy(entries, ({ platformId }) => platformId)].flatMap(
          ([platformId, own]) => stepsOf(platformId, own),
        );
        await lane.runAll([commitWithoutWaiting, ...steps]);
      },
    },
    tools,
  );

  return {
    record(exchange) {
      const outcome = CODE.test(exchange.outcome) ? exchange.outcome : "OTHER";
      const ms = Math.min(Math.max(0, Math.round(exchange.ms)), MOST_MS);
      const entry = { ...exchange, outcome, ms, at: clock.now() };
      counts.add(entry);
      if (queue.hasRoom()) queue.add(entry);
    },
    count(exchange) {
      counts.add({
        ...exchange,
        outcome: CODE.test(exchange.outcome) ? exchange.outcome : "OTHER",
      });
    },
    figures: { outcomes: counts.outcomes, times: counts.times },
    flush: queue.flush,
    dropped: queue.dropped,
    close: queue.close,
  };
}

/** Lookups and pay requests that went well, by domain. */
function countedIn(entries: readonly Entry[]): readonly CountedExchanges[] {
  const good = entries.filter(({ outcome, kind }) => outcome === "OK" && kind !== "HOOK");
  return [...groupBy(good, ({ vaspDomain }) => vaspDomain)].map(([domain, own]) => {
    const countOf = (kind: Exchange["kind"], direction: Exchange["direction"]) =>
      BigInt(own.filter((one) => one.kind === kind && one.direction === direction).length);
    return {
      ...NO_COUNTS,
      domain,
      lookupsIn: countOf("LOOKUP", "IN"),
      lookupsOut: countOf("LOOKUP", "OUT"),
      paymentsIn: countOf("PAY_REQUEST", "IN"),
      paymentsOut: countOf("PAY_REQUEST", "OUT"),
    };
  });
}

function createCounts() {
  const outcomes = new Map<string, ExchangeCount>();
  const times = new Map<string, ExchangeTime>();
  return {
    add({ direction, kind, outcome, ms }: Parameters<ExchangeLog["count"]>[0]): void {
      const key = `${direction} ${kind}`;
      const counted = outcomes.get(`${key} ${outcome}`);
      if (counted !== undefined) counted.value += 1;
      else if (outcomes.size < MOST_COUNTED)
        outcomes.set(`${key} ${outcome}`, { direction, kind, outcome, value: 1 });
      const time = times.get(key) ?? { direction, kind, count: 0, seconds: 0 };
      time.count += 1;
      time.seconds += Math.max(0, ms) / 1_000;
      times.set(key, time);
    },
    outcomes: () => [...outcomes.values()],
    times: () => [...times.values()],
  };
}
