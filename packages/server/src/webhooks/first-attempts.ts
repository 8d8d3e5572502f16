/**
 * The first attempts of one stream: prepare → call → succeed, fail, or find the endpoint down.
 *
 * Events of one subject are attempted one after the other, subjects concurrently, up to a width that grows while the receiver
 * accepts events (attempt-width.ts). A failed event is parked for a retry, and the later events of its subject are parked
 * behind it; the stream stores both with the position. Once the endpoint is down no attempt starts, and the events to which no
 * connection could be made stay undelivered: the position stops before the first of them. Nothing here writes to the database.
 */
import type { ParkedEvent } from "../domain/events/delivery.sql.ts";
import type { Outage } from "../domain/events/endpoint-state.sql.ts";
import type {
  DeliveryTarget,
  FirstAttempt,
  LastRead,
  StreamKey,
} from "../domain/events/stream.sql.ts";
import { type Attempted, attemptEvent } from "./attempt-event.ts";
import { AttemptWidth } from "./attempt-width.ts";
import type { DeliveryContext } from "./delivery-context.ts";
import { EventQueue } from "./event-queue.ts";

/** While the process is busy, deliveries that lag less than this leave the processor to the callers. */
const LATE_MS = 500;

export interface FirstAttemptsOptions {
  readonly context: DeliveryContext;
  readonly key: StreamKey;
  /** The endpoint of an attempt that may start now; undefined while none may. */
  readonly targetNow: () => DeliveryTarget | undefined;
  /** Called after attempts have ended. */
  readonly onSettled: () => void;
}

interface Parked extends ParkedEvent {
  /** No connection could be made. If the endpoint is down, this does not count as a failure of the event. */
  readonly isUnreachable: boolean;
}

export class FirstAttempts {
  readonly #options: FirstAttemptsOptions;
  readonly #queue: EventQueue;
  readonly #width: AttemptWidth;
  /** Events that failed, or wait behind a failed one, and are not stored yet. */
  #parked: Parked[] = [];
  #underway = 0;
  #settledCount = 0;
  #gone: DeliveryTarget | undefined;
  #outage: Outage | undefined;
  /** The endpoint is down until the attempt under way says otherwise. */
  #isProbing = false;
  #isUp = false;
  #isClosed = false;
  #isStartDue = false;

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
    return !this.#isProbing && this.#queue.size < 2 * this.#width.now;
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

  /** The endpoint is down. */
  get outage(): Outage | undefined {
    return this.#outage;
  }

  /** The endpoint was down and has answered. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Attempts that ended since the last call of `countFromHere`. */
  get settledCount(): number {
    return this.#settledCount;
  }

  countFromHere(): void {
    this.#settledCount = 0;
  }

  /** The position up to which each event was attempted or parked. */
  positionOf(lastRead: LastRead): bigint {
    const { first } = this.#queue;
    const position = first === undefined ? lastRead.seq : first - 1n;
    if (this.#outage === undefined) return position;
    return this.#parked.reduce(
      (least, { isUnreachable, seq }) => (isUnreachable && seq <= least ? seq - 1n : least),
      position,
    );
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

  /** The endpoint was read again: findings about an earlier setting of it are void. */
  setCurrent(target: DeliveryTarget | undefined): void {
    if (this.#gone?.setting !== target?.setting) this.#gone = undefined;
    this.#isProbing = target?.down !== undefined;
    this.#isUp = false;
  }

  add(events: readonly FirstAttempt[]): void {
    const heldBack = new Set(
      this.#parked.filter(({ state }) => state !== "FAILED").map(({ subject }) => subject),
    );
    for (const event of events) {
      const isHeldBack = event.isHeldBack || heldBack.has(event.subject);
      if (isHeldBack && !event.isSkipped) this.#parkBehind([event]);
      else this.#queue.add(event);
    }
  }

  /** Starts every attempt that may start now. */
  start(): void {
    while (!this.#isClosed) {
      const target = this.#options.targetNow();
      const event = target === undefined ? undefined : this.#prepare(target);
      if (target === undefined || event === undefined) return;
      void this.#call(event, target);
    }
  }

  /** Outcomes of attempts under way are dropped from here on. */
  close(): void {
    this.#isClosed = true;
    this.#queue.clear();
  }

  /** The next event to attempt. Each probe takes another event, so that one that is never answered cannot be used for every probe. */
  #prepare({ down }: DeliveryTarget): FirstAttempt | undefined {
    const width = this.#isProbing ? 1 : this.#width.now;
    while (this.#underway < width) {
      const event = this.#queue.take(this.#isProbing ? (down?.probes ?? 0) : 0);
      if (event?.isSkipped !== true) return event;
      this.#queue.end(event);
    }
    return undefined;
  }

  async #call(event: FirstAttempt, target: DeliveryTarget): Promise<void> {
    const { context, key } = this.#options;
    this.#underway++;
    const attempt = { key, target, event, use: "first", failures: 1 } as const;
    const attempted = await attemptEvent(context, attempt);
    this.#adapt(attempted, isLate(event, target, attempted));
    this.#underway--;
    if (this.#isClosed) return;
    this.#judgeEndpoint(event, target, attempted);
    if (attempted.verdict.state === "DELIVERED") this.#succeed(event);
    else this.#fail(event, target, attempted);
    this.#settledCount++;
    this.#startSoon();
  }

  /** Starts attempts after all outcomes of this turn of the event loop: several in a row cost less than one after each answer. */
  #startSoon(): void {
    if (this.#isStartDue) return;
    this.#isStartDue = true;
    setImmediate(() => {
      this.#isStartDue = false;
      if (this.#isClosed) return;
      this.start();
      this.#options.onSettled();
    });
  }

  #judgeEndpoint(event: FirstAttempt, target: DeliveryTarget, { answer }: Attempted): void {
    const { context, key, targetNow } = this.#options;
    if (target.setting !== (targetNow() ?? target).setting) return;
    const outage = context.health.judge(key, target, { sequence: event.seq, answer });
    if (outage !== undefined) this.#outage ??= outage;
    if (answer.isUnreachable) return;
    if (this.#isProbing) this.#isUp = true;
    this.#isProbing = false;
    // An attempt that was under way has reached the endpoint after all, so the endpoint is probed at once.
    if (this.#outage !== undefined) this.#outage = { ...this.#outage, probeAt: answer.endedAt };
  }

  #succeed(event: FirstAttempt): void {
    this.#options.context.counts.delivered++;
    this.#queue.end(event);
  }

  #fail(event: FirstAttempt, target: DeliveryTarget, { answer, verdict }: Attempted): void {
    const { context, key, targetNow } = this.#options;
    const { state, nextAt } = verdict;
    const { isUnreachable, outcome, status, endedAt: parkedAt } = answer;
    if (state === "DELIVERED") return;
    if (verdict.isGone && target.setting === (targetNow() ?? target).setting) {
      this.#gone = target;
      context.log.warn(
        { platform: key.platformId },
        "a webhook endpoint answered 410 and gets no more events",
      );
    }
    // The event stays in the queue, so the position stays before it.
    if (isUnreachable && state === "WAITING" && this.#outage !== undefined) return;
    const { seq, subject } = event;
    this.#parked.push({
      seq,
      subject,
      state,
      attempts: 1,
      nextAt,
      parkedAt,
      outcome,
      status,
      isUnreachable: isUnreachable && state === "WAITING",
    });
    if (state === "FAILED") context.counts.failed++;
    else this.#parkBehind(this.#queue.removeBehind(event));
    this.#queue.end(event);
  }

  #parkBehind(events: readonly FirstAttempt[]): void {
    const parkedAt = this.#options.context.clock.now();
    for (const { seq, subject } of events) {
      this.#parked.push({
        seq,
        subject,
        state: "BEHIND",
        attempts: 0,
        nextAt: null,
        parkedAt,
        outcome: null,
        status: undefined,
        isUnreachable: false,
      });
    }
  }

  #adapt({ verdict }: Attempted, isLate: boolean): void {
    const { counts, limits, isBusy } = this.#options.context;
    const isFull = this.#queue.hasReady && this.#underway >= this.#width.now;
    if (verdict.state !== "DELIVERED") this.#width.shrink();
    else if (!isLate && isBusy()) this.#width.yield();
    else if (isFull && counts.underway < limits.attempts) this.#width.grow();
  }
}

/** Whether the event waited so long for its attempt that deliveries fall behind the commits. */
function isLate(event: FirstAttempt, target: DeliveryTarget, { answer }: Attempted): boolean {
  return answer.beganAt + target.clockOffsetMs - event.at > LATE_MS;
}
