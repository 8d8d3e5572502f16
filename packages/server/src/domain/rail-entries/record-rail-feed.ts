import type { Command, Loaded } from "../../engine/command.ts";
import { toIso } from "../../std/clock.ts";
import { type ExchangeOutcome, noteExchange } from "../rail-connections/exchange-health.ts";
import { feedPollMs } from "../rail-connections/feed.ts";
import {
  noteImport,
  putConnection,
  type RailConnection,
  railConnections,
} from "../rail-connections/rail-connection.ts";
import { railRoutings } from "../rail-routes/routing.ts";
import { bookEntry, entryNeeds, findEntry } from "./book-entry.ts";
import { isSameEntry, type ToldEntry } from "./rail-entry.ts";

/** At most so many entries in a page, which one commit books. */
export const FEED_PAGE = 100;

/** How soon a page is read on that says that there is more: a feed without end must not take all of a server's time. */
const MORE_AFTER_MS = 50;
/** The same when the page had nothing new. */
const OLDER_AFTER_MS = 500;

export interface FeedPage {
  readonly entries: readonly ToldEntry[];
  readonly nextCursor: string | null;
  readonly hasMore: boolean;
}

export interface RecordRailFeedInput {
  readonly connectionId: string;
  readonly jobId: string;
  /** The cursor with which the page was asked for. */
  readonly after: string | null;
  readonly outcome: ExchangeOutcome;
  /** The page, or what is wrong with it; undefined when the exchange brought none. */
  readonly page: FeedPage | { readonly fault: string } | undefined;
}

/**
 * Books a page of a connector's entries, with the cursor behind it, whole or not at all. A page with an entry that cannot be taken books
 * nothing: the cursor stays, `lastError` says what is wrong, and the page is asked for again; payments go on. Answers after how many
 * milliseconds the feed is read on; undefined when it is not read any more.
 */
export const recordRailFeed: Command<RecordRailFeedInput, number | undefined> = {
  name: "record-rail-feed",
  isLarge: true,
  needs: (world, { connectionId, page }) => [
    railConnections.ref(connectionId),
    railRoutings.ref(world.platformId),
    ...(page === undefined || "fault" in page
      ? []
      : page.entries.flatMap((told) => entryNeeds(world, { connectionId, told }))),
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
    const fault = "fault" in page ? page.fault : faultIn(world, noted, page);
    if (fault !== undefined) {
      const lastError = { code: "FEED", message: fault, at: toIso(world.at) };
      putConnection(world, { ...noted, lastError });
      return pollMs;
    }
    const { entries, nextCursor, hasMore } = page as FeedPage;
    const booked = entries.map((told) => bookEntry(world, { connectionId, told }, "FEED"));
    const changed = noteImport(world, connectionId);
    if (nextCursor !== after) putConnection(world, { ...changed, feedCursor: nextCursor });
    if (!hasMore) return pollMs;
    const hasNews = booked.some(({ kind }) => kind === "booked");
    return hasNews ? MORE_AFTER_MS : OLDER_AFTER_MS;
  },
};

/** Why the page is not taken. */
function faultIn(
  world: Loaded,
  { id: connectionId, currencies }: RailConnection,
  { entries }: FeedPage,
): string | undefined {
  for (const told of entries) {
    const { bankReference, currency } = told;
    if (!currencies.includes(currency)) {
      return `Entry ${bankReference} is in ${currency}, which the connection does not have.`;
    }
    const same = entries.filter((other) => other.bankReference === bankReference);
    const known = findEntry(world, { connectionId, told });
    const isTwice = same.length > 1 || (known !== undefined && !isSameEntry(known, told));
    if (isTwice) {
      return `Entry ${bankReference} was told with another direction, currency or amount, or twice in a page.`;
    }
  }
  return undefined;
}
