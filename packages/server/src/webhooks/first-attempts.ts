/**
 * The first attempts of one stream: prepare → call → succeed, fail, or find the endpoint down.
 *
 * Events of one subject are attempted one after the other, subjects concurrently, up to a width that grows while the receiver
 * accepts events (attempt-width.ts). A failed event is parked for a retry, and the later events of its subject are parked
 * behind it; the stream stores both with the position. Once the endpoint is down no attempt starts, and the events to which no
 * connection could be made stay undelivered: the position stops before the first of them. Nothing here writes to the database.
 *
 * For an endpoint with a `BatchRule` an attempt posts several events. A batch that is not full is posted when its first event has waited
 * for `maxWaitMs`, counted from the event, or from the read if the clocks of two servers differ. A probe is always one event.
 */
import type { ParkedEvent } from "../domain/events/delivery.sql.ts";
import type { Outage } from "../domain/events/endpoint-state.sql.ts";
import type {
  DeliveryTarget,
  FirstAttempt,
  LastRead,
  StreamKey,
} from "../domain/events/stream.sql.ts";
import type { BatchRule } from "../domain/events/webhook-endpoint.ts";
import type { Cancel } from "../std/clock.ts";
import { type Attempted, attemptEvents } from "./attempt-events.ts";
import { AttemptWidth } from "./attempt-width.ts";
import { statesAfterFailure, takeBatch } from "./batches.ts";
import type { DeliveryContext } from "./delivery-context.ts";
import { EventQueue } from "./event-queue.ts";
import type { PostAnswer } from "./post-event.ts";

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

/** The events of one attempt; one alone unless the endpoint takes batches. */
interface Request {
  readonly events: readonly FirstAttempt[];
  readonly first: FirstAttempt;
  readonly target: DeliveryTarget;
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
  #batch: BatchRule | undefined;
  /** While events wait for others: when they are posted in any case. */
  #batchDueAt = Number.POSITIVE_INFINITY;
  #cancelWait: Cancel | undefined;

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
    const { limits } = this.#options.context;
    const batch = this.#batch?.maxEvents ?? 1;
    const enough = batch === 1 ? Number.POSITIVE_INFINITY : limits.eventsPerStream / 2;
    return !this.#isProbing && this.#queue.size < Math.min(2 * this.#width.now * batch, enough);
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
    this.#batch = target?.batch;
  }

  add(events: readonly FirstAttempt[]): void {
    const heldBack = new Set(
      this.#parked.filter(({ state }) => state !== "FAILED").map(({ subject }) => subject),
    );
    for (const event of events) {
      if (event.isSkipped) continue;
      const isHeldBack = event.isHeldBack || heldBack.has(event.subject);
      if (isHeldBack) this.#parkBehind([event]);
      else this.#queue.add(event);
    }
  }

  /** Starts every attempt that may start now. */
  start(): void {
    while (!this.#isClosed) {
      const target = this.#options.targetNow();
      const events = target === undefined ? [] : this.#prepare(target);
      const [first] = events;
      if (target === undefined || first === undefined) return;
      void this.#call({ events, first, target });
    }
  }

  /** Outcomes of attempts under way are dropped from here on. */
  close(): void {
    this.#isClosed = true;
    this.#cancelWait?.();
    this.#queue.clear();
  }

  /** The events of the next attempt. Each probe takes another event, so that one that is never answered cannot be used for every probe. */
  #prepare({ down, batch, clockOffsetMs }: DeliveryTarget): readonly FirstAttempt[] {
    if (this.#underway >= (this.#isProbing ? 1 : this.#width.now)) return [];
    if (batch !== undefined && !this.#isProbing) return this.#prepareBatch(batch, clockOffsetMs);
    const event = this.#queue.take(this.#isProbing ? (down?.probes ?? 0) : 0);
    return event === undefined ? [] : [event];
  }

  #prepareBatch({ maxEvents, maxWaitMs }: BatchRule, clockOffsetMs: number) {
    const { events, isFull } = takeBatch(this.#queue.takeable(), maxEvents);
    const [first] = events;
    if (first === undefined) return [];
    const dueAt = Math.min(first.at - clockOffsetMs, first.readAt) + maxWaitMs;
    if (!isFull && this.#options.context.clock.now() < dueAt) {
      this.#wait(dueAt);
      return [];
    }
    this.#queue.takeAll(events);
    return events;
  }

  /** Starts attempts at this time, unless they start earlier. */
  #wait(dueAt: number): void {
    if (dueAt >= this.#batchDueAt) return;
    this.#cancelWait?.();
    this.#batchDueAt = dueAt;
    const { clock } = this.#options.context;
    this.#cancelWait = clock.after(dueAt - clock.now(), () => {
      this.#batchDueAt = Number.POSITIVE_INFINITY;
      this.start();
      this.#options.onSettled();
    });
  }

  async #call(request: Request): Promise<void> {
    const { context, key } = this.#options;
    const { events, first, target } = request;
    this.#underway++;
    const attempt = { key, target, events, use: "first", failuresOf: () => 1 } as const;
    const attempted = await attemptEvents(context, attempt);
    const isDelivered = attempted.verdicts[0]?.state === "DELIVERED";
    this.#adapt(isDelivered, isLate(first, target, attempted));
    this.#underway--;
    if (this.#isClosed) return;
    this.#judgeEndpoint(request, attempted);
    if (isDelivered) this.#succeed(events);
    else this.#fail(request, attempted);
    this.#settledCount += events.length;
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

  #judgeEndpoint({ first, target }: Request, { answer }: Attempted): void {
    const { context, key, targetNow } = this.#options;
    if (target.setting !== (targetNow() ?? target).setting) return;
    const outage = context.health.judge(key, target, { sequence: first.seq, answer });
    if (outage !== undefined) this.#outage ??= outage;
    if (answer.isUnreachable) return;
    if (this.#isProbing) this.#isUp = true;
    this.#isProbing = false;
    // An attempt that was under way has reached the endpoint after all, so the endpoint is probed at once.
    if (this.#outage !== undefined) this.#outage = { ...this.#outage, probeAt: answer.endedAt };
  }

  #succeed(events: readonly FirstAttempt[]): void {
    this.#options.context.counts.delivered += events.length;
    for (const event of events) this.#queue.end(event);
  }

  #fail({ events, target }: Request, { answer, verdicts }: Attempted): void {
    const { context, key, targetNow } = this.#options;
    const failed = events.flatMap((event, place) => {
      const verdict = verdicts[place];
      if (verdict === undefined || verdict.state === "DELIVERED") return [];
      const { state, nextAt } = verdict;
      return { event, subject: event.subject, attempts: 1, state, nextAt };
    });
    const isGone = verdicts.some((verdict) => verdict.isGone);
    if (isGone && target.setting === (targetNow() ?? target).setting) {
      this.#gone = target;
      context.log.warn(
        { platform: key.platformId },
        "a webhook endpoint answered 410 and gets no more events",
      );
    }
    const states = statesAfterFailure(failed);
    for (const [place, one] of failed.entries()) {
      const state = states[place] ?? one.state;
      // The event stays in the queue, so the position stays before it.
      if (answer.isUnreachable && state !== "FAILED" && this.#outage !== undefined) continue;
      this.#park({ ...one, state }, answer);
    }
  }

  #park(
    { event, state, nextAt }: Pick<Parked, "state" | "nextAt"> & { readonly event: FirstAttempt },
    { isUnreachable, outcome, status, endedAt: parkedAt }: PostAnswer,
  ): void {
    const { seq, subject } = event;
    this.#parked.push({
      seq,
      subject,
      state,
      attempts: 1,
      nextAt: state === "WAITING" ? nextAt : null,
      parkedAt,
      outcome,
      status,
      isUnreachable: isUnreachable && state !== "FAILED",
    });
    if (state === "FAILED") this.#options.context.counts.failed++;
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

  #adapt(isDelivered: boolean, isLate: boolean): void {
    const { counts, limits, isBusy } = this.#options.context;
    const isFull = this.#queue.hasReady && this.#underway >= this.#width.now;
    if (!isDelivered) this.#width.shrink();
    else if (!isLate && isBusy()) this.#width.yield();
    else if (isFull && counts.underway < limits.attempts) this.#width.grow();
  }
}

/** Whether the event waited so long for its attempt that deliveries fall behind the commits. */
function isLate(event: FirstAttempt, target: DeliveryTarget, { answer }: Attempted): boolean {
  return answer.beganAt + target.clockOffsetMs - event.at > LATE_MS;
}
