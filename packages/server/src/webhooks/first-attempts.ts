/**
 * The first attempts of one stream: prepare → call → succeed or fail.
 *
 * Events of one subject are attempted one after the other, subjects concurrently, up to a width that grows while the receiver
 * accepts events (attempt-width.ts). A failed event is parked for a retry, and the later events of its subject are parked
 * behind it; the stream stores both with the position. Nothing here writes to the database.
 */
import type { ParkedEvent } from "../domain/webhooks/delivery.sql.ts";
import type { DeliveryTarget, FirstAttempt, LastRead } from "../domain/webhooks/stream.sql.ts";
import { type Attempted, attemptEvent } from "./attempt-event.ts";
import { AttemptWidth } from "./attempt-width.ts";
import type { DeliveryContext } from "./delivery-context.ts";
import { EventQueue } from "./event-queue.ts";

export interface FirstAttemptsOptions {
  readonly context: DeliveryContext;
  readonly platformId: string;
  /** The endpoint of an attempt that may start now; undefined while none may. */
  readonly targetNow: () => DeliveryTarget | undefined;
  /** Called after each attempt. */
  readonly onSettled: () => void;
}

export class FirstAttempts {
  readonly #options: FirstAttemptsOptions;
  readonly #queue: EventQueue;
  readonly #width: AttemptWidth;
  /** Failed, or behind a failed one, and not yet stored. */
  #parked: ParkedEvent[] = [];
  #underway = 0;
  #settledCount = 0;
  #gone: DeliveryTarget | undefined;
  #isClosed = false;

  constructor(options: FirstAttemptsOptions) {
    this.#options = options;
    const { limits, room } = options.context;
    this.#queue = new EventQueue(room);
    this.#width = new AttemptWidth({ least: limits.firstAttempts, most: limits.mostFirstAttempts });
  }

  /** Events in memory that have no outcome yet. */
  get size(): number {
    return this.#queue.size;
  }

  /** Few enough events are left that more should be read. */
  get isLow(): boolean {
    return this.#queue.size < 2 * this.#width.now;
  }

  get underway(): number {
    return this.#underway;
  }

  get width(): number {
    return this.#width.now;
  }

  /** The endpoint that answered 410. */
  get gone(): DeliveryTarget | undefined {
    return this.#gone;
  }

  /** Attempts that ended since the last call of `countFromHere`. */
  get settledCount(): number {
    return this.#settledCount;
  }

  countFromHere(): void {
    this.#settledCount = 0;
  }

  /** Each event up to here was attempted or parked. */
  positionOf(lastRead: LastRead): bigint {
    const { first } = this.#queue;
    return first === undefined ? lastRead.seq : first - 1n;
  }

  parkedUpTo(position: bigint): readonly ParkedEvent[] {
    return this.#parked.filter((event) => event.seq <= position);
  }

  hasParkedUpTo(position: bigint): boolean {
    return this.#parked.some((event) => event.seq <= position);
  }

  dropParkedUpTo(position: bigint): void {
    this.#parked = this.#parked.filter((event) => event.seq > position);
  }

  /** The endpoint was read again; another setting makes an earlier 410 void. */
  setCurrent(target: DeliveryTarget | undefined): void {
    if (this.#gone?.setting !== target?.setting) this.#gone = undefined;
  }

  add(events: readonly FirstAttempt[]): void {
    const heldBack = new Set(
      this.#parked.filter(({ state }) => state !== "FAILED").map(({ subject }) => subject),
    );
    for (const event of events) {
      const isHeldBack = event.isHeldBack || heldBack.has(event.subject);
      if (isHeldBack && !event.isQuestion) this.#parkBehind([event]);
      else this.#queue.add(event);
    }
  }

  /** Starts every attempt that may start now. */
  start(): void {
    while (!this.#isClosed) {
      const target = this.#options.targetNow();
      const event = target === undefined ? undefined : this.#prepare();
      if (target === undefined || event === undefined) return;
      void this.#call(event, target);
    }
  }

  /** Outcomes of attempts under way are dropped from here on. */
  close(): void {
    this.#isClosed = true;
    this.#queue.clear();
  }

  #prepare(): FirstAttempt | undefined {
    while (this.#underway < this.#width.now) {
      const event = this.#queue.take();
      if (event?.isQuestion !== true) return event;
      this.#queue.end(event);
    }
    return undefined;
  }

  async #call(event: FirstAttempt, target: DeliveryTarget): Promise<void> {
    const { context, platformId, onSettled } = this.#options;
    this.#underway++;
    const attempt = { platformId, target, event, use: "first", failures: 1 } as const;
    const attempted = await attemptEvent(context, attempt);
    this.#adapt(attempted);
    this.#underway--;
    if (this.#isClosed) return;
    if (attempted.verdict.state === "DELIVERED") context.counts.delivered++;
    else this.#fail(event, target, attempted);
    this.#queue.end(event);
    this.#settledCount++;
    this.start();
    onSettled();
  }

  #fail(event: FirstAttempt, target: DeliveryTarget, { answer, verdict }: Attempted): void {
    const { context, platformId, targetNow } = this.#options;
    if (verdict.isGone && target.setting === (targetNow() ?? target).setting) {
      this.#gone = target;
      context.log.warn(
        { platform: platformId },
        "a webhook endpoint answered 410 and gets no more events",
      );
    }
    const { state, nextAt } = verdict;
    if (state === "DELIVERED") return;
    const { outcome, endedAt: parkedAt } = answer;
    const { seq, subject } = event;
    this.#parked.push({ seq, subject, state, attempts: 1, nextAt, parkedAt, outcome });
    if (state === "FAILED") context.counts.failed++;
    else this.#parkBehind(this.#queue.removeBehind(event));
  }

  #parkBehind(events: readonly FirstAttempt[]): void {
    const parkedAt = this.#options.context.clock.now();
    const behind = { state: "BEHIND", attempts: 0, nextAt: null, parkedAt, outcome: null } as const;
    for (const { seq, subject } of events) this.#parked.push({ seq, subject, ...behind });
  }

  #adapt({ verdict }: Attempted): void {
    const { counts, limits, isBusy } = this.#options.context;
    const isFull = this.#queue.hasReady && this.#underway >= this.#width.now;
    if (verdict.state !== "DELIVERED") this.#width.shrink();
    else if (isBusy()) this.#width.yield();
    else if (isFull && counts.underway < limits.attempts) this.#width.grow();
  }
}
