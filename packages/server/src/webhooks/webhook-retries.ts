/**
 * Retries the events of one platform that were not accepted, when they are due.
 *
 * Steps: claim due events, for longer than an attempt can last → attempt → in one transaction record the outcomes, release the events
 * that waited behind them, and claim the next due ones. It ends when nothing is due and nothing under way.
 *
 * Bounds: attempts under way for the platform. If the process dies, the claims expire and the next server repeats
 * those attempts. Several servers may work on one platform; a claim belongs to one of them.
 */
import {
  type ClaimedRetry,
  claimRetriesStep,
  decodeClaimed,
  endRetriesStep,
  type FailedRetry,
  postponeRetriesStep,
  releaseNextStep,
} from "../domain/events/delivery.sql.ts";
import {
  type Outage,
  setDownStep,
  setUpStep,
  stopEndpointStep,
} from "../domain/events/endpoint-state.sql.ts";
import {
  bookkeepingSettings,
  type DeliveryTarget,
  decodeTarget,
  lockStreamStep,
  type StreamKey,
  targetStep,
} from "../domain/events/stream.sql.ts";
import type { Step, StepResult } from "../postgres/pipeline.ts";
import { messageOf } from "../std/errors.ts";
import { WakeSignal } from "../std/wake-signal.ts";
import { type Attempted, attemptEvent } from "./attempt-event.ts";
import type { DeliveryContext } from "./delivery-context.ts";
import { ATTEMPT_DEADLINE_MS } from "./post-event.ts";

/** Longer than an attempt, so that an outcome can still be written down. */
const CLAIM_MS = ATTEMPT_DEADLINE_MS + 5_000;
const AFTER_FAILURE_MS = 500;
const IDLE_MS = 60_000;

interface Outcome {
  readonly event: ClaimedRetry;
  /** Undefined when it was delivered. */
  readonly failed: FailedRetry | undefined;
  /** The endpoint, when it answered 410. */
  readonly gone: DeliveryTarget | undefined;
  /** The endpoint is down by now. */
  readonly outage: Outage | undefined;
  /** The endpoint was down and has answered. */
  readonly isUp: boolean;
}

export class WebhookRetries {
  readonly #context: DeliveryContext;
  readonly #key: StreamKey;
  readonly #signal: WakeSignal;
  readonly #underway = new Set<bigint>();
  #outcomes: readonly Outcome[] = [];
  #mayBeDue = true;
  #isStopping = false;
  #isAbandoned = false;
  #isEnded = false;
  #pausedUntil = 0;

  constructor(context: DeliveryContext, key: StreamKey) {
    this.#context = context;
    this.#key = key;
    this.#signal = new WakeSignal(context.clock);
  }

  /** Something may be due. */
  hint(): void {
    this.#mayBeDue = true;
    this.#signal.set();
  }

  /** Whether a hint came for which nothing was claimed. */
  get isHinted(): boolean {
    return this.#mayBeDue;
  }

  /** Claims nothing more, and ends when what is under way has ended. */
  stop(): void {
    this.#isStopping = true;
    this.#signal.set();
  }

  /** Stops waiting for attempts under way: their claims expire. */
  abandon(): void {
    this.#isAbandoned = true;
    this.stop();
  }

  async run(): Promise<void> {
    try {
      while (!this.#isDone()) {
        if (this.#mustSync()) await this.#sync();
        else await this.#signal.waitUntil(this.#wakeAt());
      }
    } finally {
      this.#isEnded = true;
      this.#context.room.give(this.#underway.size);
    }
  }

  #isDone(): boolean {
    if (this.#isAbandoned) return this.#outcomes.length === 0;
    if (this.#underway.size > 0 || this.#outcomes.length > 0) return false;
    return this.#isStopping || !this.#mayBeDue;
  }

  #mustSync(): boolean {
    if (this.#context.clock.now() < this.#pausedUntil && !this.#isStopping) return false;
    return this.#outcomes.length > 0 || (this.#mayBeDue && this.#free() > 0);
  }

  #wakeAt(): number {
    const now = this.#context.clock.now();
    return this.#pausedUntil > now ? this.#pausedUntil : now + IDLE_MS;
  }

  /** How many more may be claimed. */
  #free(): number {
    if (this.#isStopping) return 0;
    const free = this.#context.limits.laterAttempts - this.#underway.size;
    return free <= 0 ? 0 : this.#context.room.grant(free, 1);
  }

  async #sync(): Promise<void> {
    const { books, clock, log } = this.#context;
    const now = clock.now();
    const outcomes = this.#outcomes;
    const limit = this.#free();
    this.#mayBeDue = false;
    let results: readonly StepResult[];
    try {
      results = await books.run([
        bookkeepingSettings,
        lockStreamStep(this.#key),
        ...this.#changes(outcomes, now),
        targetStep(this.#key, now),
        claimRetriesStep(this.#key, { now, until: now + CLAIM_MS, limit }),
      ]);
    } catch (error) {
      log.warn(
        { err: messageOf(error), platform: this.#key.platformId },
        "repeated deliveries were not written down",
      );
      this.#pausedUntil = now + AFTER_FAILURE_MS;
      this.#mayBeDue = true;
      // While stopping there is one try: another server repeats what was not recorded.
      if (this.#isStopping) this.#outcomes = [];
      return;
    }
    this.#outcomes = this.#outcomes.slice(outcomes.length);
    const claimed = decodeClaimed(results.at(-1));
    if (claimed.length >= limit) this.#mayBeDue = true;
    const target = decodeTarget(results.at(-2));
    if (target === undefined) return;
    for (const event of claimed) {
      if (!this.#underway.has(event.seq)) void this.#attempt(event, target);
    }
  }

  #changes(outcomes: readonly Outcome[], now: number): readonly Step[] {
    if (outcomes.length === 0) return [];
    const failed = outcomes.flatMap((outcome) => outcome.failed ?? []);
    const delivered = outcomes.filter((outcome) => outcome.failed === undefined);
    const gone = outcomes.find((outcome) => outcome.gone !== undefined)?.gone;
    const steps: Step[] = [];
    if (delivered.length > 0) {
      steps.push(
        endRetriesStep(
          this.#key,
          delivered.map(({ event }) => event),
        ),
      );
    }
    if (failed.length > 0) steps.push(postponeRetriesStep(this.#key, failed));
    if (gone !== undefined) steps.push(stopEndpointStep(this.#key, gone, now));
    const outage = outcomes.findLast((outcome) => outcome.outage !== undefined)?.outage;
    if (outcomes.some((outcome) => outcome.isUp)) steps.push(setUpStep(this.#key));
    else if (outage !== undefined) steps.push(setDownStep(this.#key, outage, now));
    const subjects = outcomes.map(({ event }) => event.subject);
    return [...steps, releaseNextStep(this.#key, { subjects, now })];
  }

  async #attempt(event: ClaimedRetry, target: DeliveryTarget): Promise<void> {
    const { room } = this.#context;
    this.#underway.add(event.seq);
    room.take(1);
    const attempted = await attemptEvent(this.#context, {
      key: this.#key,
      target,
      event,
      use: "again",
      failures: event.attempts + 1,
    });
    if (this.#isEnded) return;
    this.#underway.delete(event.seq);
    room.give(1);
    this.#outcomes = [...this.#outcomes, this.#outcomeOf(event, target, attempted)];
    this.#signal.set();
  }

  #outcomeOf(event: ClaimedRetry, target: DeliveryTarget, { answer, verdict }: Attempted): Outcome {
    const { counts, health, log } = this.#context;
    const outage = health.judge(this.#key, target, { sequence: event.seq, answer });
    const endpoint = { outage, isUp: target.down !== undefined && !answer.isUnreachable };
    if (verdict.state === "DELIVERED") {
      counts.delivered++;
      return { event, failed: undefined, gone: undefined, ...endpoint };
    }
    const where = { platform: this.#key.platformId, event: event.seq.toString() };
    if (verdict.state === "FAILED") {
      counts.failed++;
      log.warn({ ...where, outcome: answer.outcome }, "a webhook event was given up");
    }
    if (verdict.isGone) log.warn(where, "a webhook endpoint answered 410 and gets no more events");
    const { state, nextAt } = verdict;
    const { outcome, status } = answer;
    const { seq, id, attempts: attemptsBefore } = event;
    const failed = { seq, id, attemptsBefore, state, nextAt, outcome, status };
    return { event, failed, gone: verdict.isGone ? target : undefined, ...endpoint };
  }
}
