/** What the runners of one delivery worker share. */

import { FURTHEST_AHEAD } from "../domain/events/delivery-log/delivery-list.sql.ts";
import type { StreamKey } from "../domain/events/stream.sql.ts";
import type { Clock } from "../std/clock.ts";
import type { Log } from "../std/log.ts";
import type { AttemptLog } from "./attempt-log.ts";
import type { DeliveryBooks } from "./delivery-books.ts";
import type { EndpointHealth } from "./endpoint-health.ts";
import type { FailedAttemptLog } from "./failed-attempt-log.ts";
import { type EventPoster, FIRST_ATTEMPTS_AT_ONCE } from "./post-event.ts";

export interface DeliveryLimits {
  /** Concurrent first attempts of a platform that are always allowed, even while they fail. */
  readonly firstAttempts: number;
  /** The most concurrent first attempts of a platform, while its receiver accepts events. */
  readonly mostFirstAttempts: number;
  /** Concurrent attempts of all platforms; at this number no stream's width grows any more. */
  readonly attempts: number;
  /** Later attempts under way for one platform. */
  readonly laterAttempts: number;
  /** Events of one stream in memory. */
  readonly eventsPerStream: number;
  /** Events of all platforms in memory; at this number each platform still gets as many as it can send at once. */
  readonly events: number;
  /** How many events beyond its position a stream may have attempted: what a crash repeats at most. */
  readonly span: number;
  readonly leaseMs: number;
  readonly renewMs: number;
  readonly pollMs: number;
  /** Platforms looked at in one poll. */
  readonly platformsPerPoll: number;
}

export const deliveryDefaults: DeliveryLimits = {
  firstAttempts: 4,
  mostFirstAttempts: FIRST_ATTEMPTS_AT_ONCE,
  attempts: 1_024,
  laterAttempts: 16,
  eventsPerStream: 512,
  events: 20_000,
  span: FURTHEST_AHEAD,
  leaseMs: 15_000,
  renewMs: 5_000,
  pollMs: 500,
  platformsPerPoll: 1_000,
};

export interface DeliveryCounts {
  attempts: number;
  delivered: number;
  /** Events that were given up. */
  failed: number;
  underway: number;
}

export interface DeliveryContext {
  /** New at every start. */
  readonly workerId: string;
  readonly books: DeliveryBooks;
  readonly poster: EventPoster;
  readonly noteFailed: FailedAttemptLog;
  readonly attemptLog: AttemptLog;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: DeliveryLimits;
  readonly room: EventRoom;
  readonly counts: DeliveryCounts;
  /** Whether the process is too busy for more attempts at once. */
  readonly isBusy: () => boolean;
  readonly health: EndpointHealth;
  /** Called when an event that waited behind another one, or for its endpoint, is due. */
  readonly wakeRetries: (key: StreamKey) => void;
}

/** How many events are in memory. A request is always granted its minimum, so that no platform waits for another to free memory. */
export class EventRoom {
  readonly #capacity: number;
  #held = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get held(): number {
    return this.#held;
  }

  /** How many of `wanted` may be read now; at least `least`. */
  grant(wanted: number, least: number): number {
    return Math.min(wanted, Math.max(least, this.#capacity - this.#held));
  }

  take(count: number): void {
    this.#held += count;
  }

  give(count: number): void {
    this.#held -= count;
  }
}
