/**
 * Streams of a platform's events for callers that read them over HTTP.
 *
 * A stream sleeps until its platform has new events: the engine reports those of this server, and one statement for all
 * platforms with a stream finds those of other servers. Streams of one platform at one position share a read and its
 * signatures. A head row numbers the events and is locked until its commit is visible, so events become visible in the order
 * of their sequence: reading on from a position leaves nothing out.
 *
 * Bounds: the streams of a platform and of this server, the events of a read. A stream keeps nothing in memory between two
 * reads, and reads again only when its caller has taken the events before.
 */
import type { EventFeed, EventStream, SignedEvent } from "../domain/webhooks/event-feed.port.ts";
import { eventsAfter, lastEventSeqs } from "../domain/webhooks/event-list.sql.ts";
import { signBody } from "../domain/webhooks/signature.ts";
import type { Cell } from "../domain/webhooks/stream.sql.ts";
import type { Reads } from "../postgres/database.ts";
import type { Sealer } from "../secrets/sealing.ts";
import { present } from "../std/assert.ts";
import type { Clock } from "../std/clock.ts";
import { messageOf } from "../std/errors.ts";
import type { Log } from "../std/log.ts";
import { WakeSignal } from "../std/wake-signal.ts";
import { platformSigningKeys } from "./post-event.ts";

export interface FeedLimits {
  readonly streamsOfPlatform: number;
  readonly streams: number;
  readonly eventsPerRead: number;
  /** Between two looks for events of other servers. */
  readonly lookMs: number;
  /** Between two reads of a stream that has caught up, so that commits in quick succession share a read. */
  readonly gatherMs: number;
}

export const feedDefaults: FeedLimits = {
  streamsOfPlatform: 20,
  streams: 2_000,
  eventsPerRead: 100,
  lookMs: 500,
  gatherMs: 50,
};

export interface FeedOptions {
  readonly reads: Reads;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<FeedLimits>;
}

export interface EventFeedWorker extends EventFeed {
  /** A commit of this server has added events of this platform. */
  newEvents(platformId: string): void;
  readonly openStreams: () => number;
}

/** What a stream waits for. */
interface Sleeper {
  readonly signal: WakeSignal;
}

/** The streams of one platform, and the last sequence that they were woken for. */
interface Group {
  readonly streams: Set<Sleeper>;
  seen: bigint;
}

export function createEventFeed(options: FeedOptions): EventFeedWorker {
  const { reads, clock, log } = options;
  const limits = { ...feedDefaults, ...options.limits };
  const groups = new Map<string, Group>();
  const readAfter = sharedReads(options, limits);
  let count = 0;
  let isLooking = false;

  function wakeAll(group: Group): void {
    for (const stream of group.streams) stream.signal.set();
  }

  async function look(): Promise<void> {
    try {
      for (const [platformId, seq] of await lastEventSeqs(reads, [...groups.keys()])) {
        const group = groups.get(platformId);
        if (group === undefined || seq <= group.seen) continue;
        group.seen = seq;
        wakeAll(group);
      }
    } catch (error) {
      log.warn({ err: messageOf(error) }, "the look for events of other servers failed");
    }
    if (groups.size > 0) clock.after(limits.lookMs, () => void look());
    else isLooking = false;
  }

  function remove(platformId: string, stream: Sleeper): void {
    const group = groups.get(platformId);
    if (group?.streams.delete(stream) !== true) return;
    count--;
    if (group.streams.size === 0) groups.delete(platformId);
  }

  return {
    newEvents(platformId) {
      const group = groups.get(platformId);
      if (group !== undefined) wakeAll(group);
    },
    openStreams: () => count,
    open(platformId, after) {
      const group = groups.get(platformId) ?? { streams: new Set(), seen: 0n };
      const isFull = count >= limits.streams || group.streams.size >= limits.streamsOfPlatform;
      if (isFull) return undefined;
      const sleeper = { signal: new WakeSignal(clock) };
      groups.set(platformId, group);
      group.streams.add(sleeper);
      count++;
      if (!isLooking) {
        isLooking = true;
        clock.after(limits.lookMs, () => void look());
      }
      return openStream({
        ...sleeper,
        clock,
        gatherMs: limits.gatherMs,
        read: (seq) => readAfter(platformId, seq),
        after,
        onClose: () => remove(platformId, sleeper),
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

/** Reads and signs; those of one platform and position that are under way at the same time are one. */
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
