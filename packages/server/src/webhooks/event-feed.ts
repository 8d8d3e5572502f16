/**
 * Streams of a platform's events for callers that read them over HTTP.
 *
 * A stream sleeps until the head of its platform has moved (live/head-watch.ts). Streams of one platform at one position share a read and
 * its signatures. A head row numbers the events and is locked until its commit is visible, so events become visible in the order
 * of their sequence: reading on from a position leaves nothing out.
 *
 * Bounds: the streams of a platform and of this server, the events of a read. A stream keeps nothing in memory between two
 * reads, and reads again only when its caller has taken the events before.
 */

import type { EventFeed, EventStream, SignedEvent } from "../domain/events/event-feed.port.ts";
import { eventsAfter } from "../domain/events/event-list.sql.ts";
import { signBody } from "../domain/events/signature.ts";
import type { Cell } from "../domain/events/stream.sql.ts";
import type { HeadWatch } from "../domain/reading/live/head-watch.port.ts";
import type { Reads } from "../postgres/database.ts";
import type { Sealer } from "../secrets/sealing.ts";
import { present } from "../std/assert.ts";
import type { Clock } from "../std/clock.ts";
import { WakeSignal } from "../std/wake-signal.ts";
import { platformSigningKeys } from "./post-event.ts";

export interface FeedLimits {
  readonly streamsOfPlatform: number;
  readonly streams: number;
  readonly eventsPerRead: number;
  /** The pause between two reads of a stream that has caught up, so that commits in quick succession share a read. */
  readonly gatherMs: number;
}

export const feedDefaults: FeedLimits = {
  streamsOfPlatform: 20,
  streams: 2_000,
  eventsPerRead: 100,
  gatherMs: 50,
};

export interface FeedOptions {
  readonly reads: Reads;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly heads: HeadWatch;
  readonly limits?: Partial<FeedLimits>;
}

export interface EventFeedWorker extends EventFeed {
  readonly openStreams: () => number;
}

export function createEventFeed(options: FeedOptions): EventFeedWorker {
  const { clock, heads } = options;
  const limits = { ...feedDefaults, ...options.limits };
  const counts = new Map<string, number>();
  const readAfter = sharedReads(options, limits);
  let count = 0;

  function remove(platformId: string): void {
    count--;
    const left = (counts.get(platformId) ?? 1) - 1;
    if (left === 0) counts.delete(platformId);
    else counts.set(platformId, left);
  }

  return {
    openStreams: () => count,
    open(platformId, after) {
      const own = counts.get(platformId) ?? 0;
      if (count >= limits.streams || own >= limits.streamsOfPlatform) return undefined;
      counts.set(platformId, own + 1);
      count++;
      let isOpen = true;
      let seen = after;
      const signal = new WakeSignal(clock);
      const unwatch = heads.watch(platformId, (place) => {
        // A commit without events moves the head, too.
        if (place !== undefined && place.eventSeq <= seen) return;
        seen = place?.eventSeq ?? seen;
        signal.set();
      });
      return openStream({
        signal,
        clock,
        gatherMs: limits.gatherMs,
        read: (seq) => readAfter(platformId, seq),
        after,
        onClose() {
          if (!isOpen) return;
          isOpen = false;
          unwatch();
          remove(platformId);
        },
      });
    },
  };
}

function openStream(options: {
  readonly signal: WakeSignal;
  readonly clock: Clock;
  readonly gatherMs: number;
  readonly read: (after: bigint) => Promise<readonly SignedEvent[]>;
  readonly after: bigint;
  readonly onClose: () => void;
}): EventStream {
  const { signal, clock, gatherMs, read, onClose } = options;
  let position = options.after;
  let readAt = 0;
  let isCaughtUp = false;
  let isEnded = false;

  async function readOn(): Promise<readonly SignedEvent[]> {
    readAt = clock.now();
    const events = await read(position);
    position = events.at(-1)?.seq ?? position;
    isCaughtUp = events.length === 0;
    return events;
  }

  return {
    async next(patienceMs) {
      const until = clock.now() + patienceMs;
      while (!isEnded) {
        if (isCaughtUp) await signal.waitUntil(until);
        while (isCaughtUp && !isEnded && clock.now() < readAt + gatherMs) {
          await signal.waitUntil(readAt + gatherMs);
        }
        const events = isEnded ? [] : await readOn();
        if (events.length > 0 || clock.now() >= until) return events;
      }
      return [];
    },
    end() {
      isEnded = true;
      signal.set();
    },
    close: onClose,
  };
}

const sealedKey = {
  name: "webhooks/sealed-key",
  text:
    "select p.webhook_private_key_sealed, p.webhook_next_key_sealed, floor(extract(epoch from p.webhook_next_from) * 1000)::int8, " +
    "h.clock_offset_ms from platforms p join platform_heads h on h.platform_id = p.platform_id " +
    "where p.platform_id = $1::uuid and p.id = $1::uuid",
};

/** The key that is valid at this time of the host. */
function validKey([current, next, nextFrom, offset]: readonly Cell[], now: number): string {
  const hasTakenOver = nextFrom !== null && Number(nextFrom) <= now + Number(offset);
  return present(hasTakenOver ? next : current, "the key that events are signed with");
}

/** Reads and signs events; concurrent reads of one platform from one position are done once. */
function sharedReads({ reads, sealer, clock }: FeedOptions, limits: FeedLimits) {
  const keyOf = platformSigningKeys(sealer);
  const underway = new Map<string, Promise<readonly SignedEvent[]>>();

  async function readAfter(platformId: string, seq: bigint): Promise<readonly SignedEvent[]> {
    return reads.withPermit(platformId, async (cells) => {
      const found = await eventsAfter(cells, platformId, { seq, limit: limits.eventsPerRead });
      if (found.length === 0) return [];
      const [row] = await cells(sealedKey, [platformId]);
      const key = keyOf(platformId, validKey(row ?? [], clock.now()));
      return found.map((event) => ({ ...event, signature: signBody(key, event.body) }));
    });
  }

  return (platformId: string, seq: bigint): Promise<readonly SignedEvent[]> => {
    const name = `${platformId} ${seq}`;
    const known = underway.get(name);
    if (known !== undefined) return known;
    const read = readAfter(platformId, seq).finally(() => underway.delete(name));
    underway.set(name, read);
    return read;
  };
}
