/**
 * Notices of a platform's events for the streams of consoles. One follower for each platform reads them once for all of its streams and
 * keeps the latest ones; a stream keeps only a position. A stream that falls behind the kept notices is told so, and its page reloads
 * what it shows. So the cost of a platform does not grow with its consoles, nor with a burst of its events.
 *
 * The health of endpoints changes without an event, so a follower looks at it every three seconds, once for all of its streams.
 *
 * Bounds: the streams of this server and of a platform, the notices that a follower keeps, one read of a platform in `gatherMs` and one of
 * its endpoints in `HEALTH_MS`. When a read fails the follower tries again after a second, and its streams wait.
 */
import { endpointHealths } from "../../domain/events/endpoint.sql.ts";
import type { HeadPlace, HeadWatch } from "../../domain/reading/live/head-watch.port.ts";
import type { LiveFeed, LiveItem, LiveStream } from "../../domain/reading/live/live-feed.port.ts";
import type { LiveNotice } from "../../domain/reading/live/live-notice.ts";
import { newNotices } from "../../domain/reading/live/live-notices.sql.ts";
import type { Reads } from "../../postgres/database.ts";
import type { Clock } from "../../std/clock.ts";
import { messageOf } from "../../std/errors.ts";
import type { Log } from "../../std/log.ts";
import { WakeSignal } from "../../std/wake-signal.ts";

export interface LiveLimits {
  readonly streams: number;
  readonly streamsOfPlatform: number;
  readonly notices: number;
  /** The pause between two reads of a platform. */
  readonly gatherMs: number;
}

export const liveDefaults: LiveLimits = {
  streams: 2_000,
  streamsOfPlatform: 1_000,
  notices: 200,
  gatherMs: 250,
};

export interface LiveFeedWorker extends LiveFeed {
  readonly openStreams: () => number;
}

interface Tools {
  readonly reads: Reads;
  readonly clock: Clock;
  readonly log: Log;
  readonly heads: HeadWatch;
  readonly limits: LiveLimits;
}

export function createLiveFeed({
  limits,
  ...tools
}: Omit<Tools, "limits"> & { readonly limits?: Partial<LiveLimits> }): LiveFeedWorker {
  const all: Tools = { ...tools, limits: { ...liveDefaults, ...limits } };
  const followers = new Map<string, Follower>();
  let count = 0;
  return {
    openStreams: () => count,
    open(platformId, after) {
      const { streams, streamsOfPlatform } = all.limits;
      const known = followers.get(platformId);
      if (count >= streams || (known?.size() ?? 0) >= streamsOfPlatform) return undefined;
      const follower = known ?? new Follower(platformId, after, all);
      followers.set(platformId, follower);
      count++;
      return follower.open(after, () => {
        count--;
        if (follower.size() > 0) return;
        follower.stop();
        followers.delete(platformId);
      });
    },
  };
}

const RETRY_MS = 1_000;
/** The pause between two looks at the endpoints of a platform with open streams. */
const HEALTH_MS = 3_000;

class Follower {
  readonly #platformId: string;
  readonly #tools: Tools;
  readonly #signals = new Set<WakeSignal>();
  readonly #unwatch: () => void;
  #notices: readonly LiveNotice[] = [];
  /** All events after this one, up to `#position`, are in `#notices`. */
  #floor: bigint | undefined;
  /** The last event that was read; undefined before the first read. */
  #position: bigint | undefined;
  #readAt = 0;
  #isDue = true;
  #isReading = false;
  #isStopped = false;
  /** What was found at the last look at the endpoints. */
  #health: ReadonlyMap<string, string> = new Map();
  /** The look at which an endpoint was last found changed. */
  readonly #changedAt = new Map<string, number>();
  #looks = 0;
  #cancelLook = () => {};

  constructor(platformId: string, after: bigint | undefined, tools: Tools) {
    this.#platformId = platformId;
    this.#tools = tools;
    this.#unwatch = tools.heads.watch(platformId, (place) => this.#moved(place));
    void this.#readOn(after);
    void this.#lookAtEndpoints();
  }

  size(): number {
    return this.#signals.size;
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelLook();
    this.#unwatch();
  }

  open(after: bigint | undefined, onClose: () => void): LiveStream {
    const { clock } = this.#tools;
    const signal = new WakeSignal(clock);
    this.#signals.add(signal);
    let position = after ?? this.#position;
    // A stream that goes on may have missed changes of endpoints, which have no position.
    let look = after === undefined ? undefined : 0;
    let isEnded = false;
    return {
      next: async (patienceMs) => {
        const until = clock.now() + patienceMs;
        while (!isEnded) {
          position ??= this.#position;
          const items = this.#itemsAfter(position);
          if (items !== undefined) position = this.#position;
          const changed = this.#endpointsAfter(look, position);
          if (this.#looks > 0) look = this.#looks;
          const all = [...(items ?? []), ...changed];
          if (all.length > 0) return all;
          if (clock.now() >= until) return [];
          await signal.waitUntil(until);
        }
        return [];
      },
      end() {
        isEnded = true;
        signal.set();
      },
      hasEnded: () => isEnded,
      close: () => {
        if (this.#signals.delete(signal)) onClose();
      },
    };
  }

  /** Undefined when there is nothing after this position. */
  #itemsAfter(position: bigint | undefined): readonly LiveItem[] | undefined {
    const [last, floor] = [this.#position, this.#floor];
    if (last === undefined || floor === undefined || position === last) return undefined;
    // After a restore the database may have fewer events than the stream has already sent.
    if (position === undefined || position < floor || position > last)
      return [{ missedUpTo: last }];
    return this.#notices.filter(({ seq }) => seq > position);
  }

  /** Notices of the endpoints that changed after this look; none for a stream that has seen no look. */
  #endpointsAfter(look: number | undefined, seq: bigint | undefined): readonly LiveNotice[] {
    if (look === undefined || look === this.#looks || seq === undefined) return [];
    const changed = [...this.#changedAt].filter(([, at]) => at > look);
    return changed.map(([id]) => ({ seq, kind: "WebhookEndpoint", id, status: "HEALTH" }));
  }

  async #lookAtEndpoints(): Promise<void> {
    const { reads, clock, log } = this.#tools;
    try {
      const found = await endpointHealths(reads, this.#platformId);
      this.#looks++;
      const changed = [...found].filter(([id, state]) => this.#health.get(id) !== state);
      for (const [id] of changed) this.#changedAt.set(id, this.#looks);
      for (const id of this.#changedAt.keys()) if (!found.has(id)) this.#changedAt.delete(id);
      this.#health = found;
      if (changed.length > 0) for (const signal of this.#signals) signal.set();
    } catch (error) {
      log.warn({ err: messageOf(error) }, "a live stream could not look at the endpoints");
    }
    if (!this.#isStopped)
      this.#cancelLook = clock.after(HEALTH_MS, () => void this.#lookAtEndpoints());
  }

  #moved(place: HeadPlace | undefined): void {
    if (place !== undefined && place.eventSeq === this.#position) return;
    this.#isDue = true;
    if (!this.#isReading) this.#later(this.#tools.limits.gatherMs);
  }

  #later(gapMs: number): void {
    const { clock } = this.#tools;
    this.#isReading = true;
    clock.after(Math.max(0, this.#readAt + gapMs - clock.now()), () => {
      void this.#readOn(this.#position);
    });
  }

  async #readOn(after: bigint | undefined): Promise<void> {
    const { clock, log, limits } = this.#tools;
    this.#isReading = true;
    this.#isDue = false;
    this.#readAt = clock.now();
    let gapMs = limits.gatherMs;
    if (!this.#isStopped) {
      try {
        await this.#take(after);
      } catch (error) {
        log.warn({ err: messageOf(error) }, "a live stream could not read its events");
        this.#isDue = true;
        gapMs = RETRY_MS;
      }
    }
    this.#isReading = false;
    if (this.#isDue && !this.#isStopped) this.#later(gapMs);
  }

  async #take(after: bigint | undefined): Promise<void> {
    const { reads, limits } = this.#tools;
    const limit = limits.notices;
    const { last, floor, notices } = await newNotices(reads, this.#platformId, { after, limit });
    const isOneRow = floor === this.#position && this.#floor !== undefined;
    const kept = isOneRow ? [...this.#notices, ...notices] : notices;
    const cut = kept.at(-limit - 1);
    this.#notices = kept.slice(-limit);
    if (!isOneRow) this.#floor = floor;
    else if (cut !== undefined) this.#floor = cut.seq;
    this.#position = last;
    for (const signal of this.#signals) signal.set();
  }
}
