import type { Command, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { isConnectionCurrency } from "../../../money/currency.ts";
import { toIso } from "../../../std/clock.ts";
import { type ExchangeOutcome, noteExchange } from "../connections/exchange-health.ts";
import { feedPollMs } from "../connections/feed.ts";
import {
  MOST_REFUSED_KEPT,
  noteImport,
  putConnection,
  type RailConnection,
  type RefusedEntry,
  railConnections,
} from "../connections/rail-connection.ts";
import { railRoutings } from "../routes/routing.ts";
import { bookEntry, entryNeeds } from "./book-entry.ts";
import type { ToldEntry } from "./rail-entry.ts";

/** The most entries in a page; one commit books them all. */
export const FEED_PAGE = 100;

/** The delay before the next page when there is more, so that an endless feed does not take all of a server's time. */
const MORE_AFTER_MS = 50;
/** The delay before the next page when this one had nothing new. */
const OLDER_AFTER_MS = 500;

export interface FeedPage {
  readonly entries: readonly ToldEntry[];
  /** Entries of the page that could not be read. */
  readonly refused: readonly RefusedEntry[];
  readonly nextCursor: string | null;
  readonly hasMore: boolean;
}

export interface RecordRailFeedInput {
  readonly connectionId: string;
  readonly jobId: string;
  /** The cursor with which the page was requested. */
  readonly after: string | null;
  readonly outcome: ExchangeOutcome;
  /** The page, or the fault that makes all of it unusable; undefined when the exchange brought none. */
  readonly page: FeedPage | { readonly fault: string } | undefined;
}

/**
 * Books a page of a connector's entries and stores the next cursor. A refused entry books nothing and does not stop the others: it is
 * counted in `refusedEntries`, `lastError` says why, and the connector can send it again by a callback. A page that is unusable as a whole
 * leaves the cursor where it is and is requested again. Answers the milliseconds until the next read; undefined when the feed is not read
 * any more.
 */
export const recordRailFeed: Command<RecordRailFeedInput, number | undefined> = {
  name: "record-rail-feed",
  isLarge: true,
  needs: (world, { connectionId, page }) => [
    railConnections.ref(connectionId),
    railRoutings.ref(world.platformId),
    ...(page === undefined || "fault" in page
      ? []
      : page.entries
          .filter(({ currency }) => isConnectionCurrency(currency))
          .flatMap((told) => entryNeeds(world, { connectionId, told }))),
  ],
  decide(world, { connectionId, jobId, after, outcome, page }) {
    const connection = world.get(railConnections.ref(connectionId));
    if (connection.feedJobId !== jobId) {
      world.cancel(jobId);
      return undefined;
    }
    const noted = noteExchange(world, connection, outcome);
    const pollMs = feedPollMs(noted);
    // Another run of the job, or a change of the connector, has moved the cursor.
    if (page === undefined || noted.feedCursor !== after) return pollMs;
    if ("fault" in page) {
      putConnection(world, { ...noted, lastError: feedError(world, page.fault) });
      return pollMs;
    }
    const { entries, nextCursor, hasMore } = page;
    const taken = entries.map((told) => takeEntry(world, connectionId, told));
    const refused = [...page.refused, ...taken.filter((each) => typeof each === "object")];
    const changed = withRefused(world, noteImport(world, connectionId), refused);
    if (nextCursor !== after || refused.length > 0) {
      putConnection(world, { ...changed, feedCursor: nextCursor });
    }
    if (!hasMore) return pollMs;
    return taken.includes("booked") ? MORE_AFTER_MS : OLDER_AFTER_MS;
  },
};

/** Whether the entry is new, or why it is refused. */
function takeEntry(
  world: World,
  connectionId: string,
  told: ToldEntry,
): "booked" | "known" | RefusedEntry {
  const { bankReference: entryId, currency } = told;
  if (!isConnectionCurrency(currency)) return { entryId, message: "currency is unknown." };
  // A refusal undoes what this entry has booked, and nothing else.
  const booked = world.attempt(() => bookEntry(world, { connectionId, told }, "FEED"));
  if (booked instanceof Refusal) return { entryId, message: booked.message };
  if (booked.kind !== "different") return booked.kind;
  return { entryId, message: "it was told before with another direction, currency or amount." };
}

function withRefused(
  world: World,
  connection: RailConnection,
  refused: readonly RefusedEntry[],
): RailConnection {
  const [last] = refused.slice(-1);
  if (last === undefined) return connection;
  const { count, latest } = connection.refusedEntries;
  const at = toIso(world.at);
  const added = refused.map((each) => ({ ...each, at })).toReversed();
  const refusedEntries = {
    count: count + refused.length,
    latest: [...added, ...latest].slice(0, MOST_REFUSED_KEPT),
  };
  const lastError = feedError(world, `Entry ${last.entryId ?? ""} was not taken: ${last.message}`);
  return { ...connection, refusedEntries, lastError };
}

function feedError(world: World, message: string): RailConnection["lastError"] {
  return { code: "FEED", message, at: toIso(world.at) };
}
