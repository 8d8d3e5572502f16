/**
 * Retries the events of one platform that were not accepted, when they are due.
 *
 * Steps: claim due events, for longer than an attempt can last → attempt → in one transaction record the outcomes, release the events
 * that waited behind them, and claim the next due ones. It ends when nothing is due and nothing under way.
 *
 * For an endpoint that takes batches, retries go in batches, too (`repeatsOf`), each with the events that wait behind its own. Batches that
 * find no free request wait; those that could not end within their claim are dropped, and claimed again after it.
 *
 * Bounds: requests under way for the platform, and the events of one claim. If the process dies, the claims expire and the next server repeats
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
import { type Attempted, attemptEvents } from "./attempt-events.ts";
import { repeatsOf, statesAfterFailure } from "./batches.ts";
import type { DeliveryContext } from "./delivery-context.ts";
import { ATTEMPT_DEADLINE_MS } from "./post-event.ts";

/** Longer than an attempt, so that an outcome can still be written down. */
const CLAIM_MS = ATTEMPT_DEADLINE_MS + 5_000;
const AFTER_FAILURE_MS = 500;
const IDLE_MS = 60_000;

/** The events of one request. */
interface Repeat {
  readonly events: readonly ClaimedRetry[];
  readonly target: DeliveryTarget;
  /** The end of their claim. */
  readonly until: number;
}

interface Outcome {
  readonly events: readonly ClaimedRetry[];
  /** Empty when they were delivered. */
  readonly failed: readonly FailedRetry[];
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
  #requests = 0;
  /** Claimed events for which no request was free. */
  #waiting: readonly Repeat[] = [];
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
    if (this.#requests > 0 || this.#outcomes.length > 0) return false;
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

  /** How many more requests may be claimed. */
  #free(): number {
    if (this.#isStopping || this.#waiting.length > 0) return 0;
    const free = this.#context.limits.laterAttempts - this.#requests;
    return free <= 0 ? 0 : this.#context.room.grant(free, 1);
  }

  async #sync(): Promise<void> {
    const { books, clock, limits, log, room } = this.#context;
    const now = clock.now();
    const until = now + CLAIM_MS;
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
        claimRetriesStep(this.#key, {
          now,
          until,
          limit,
          mostEvents: room.grant(limits.eventsPerStream, limit),
        }),
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
    const events = claimed.filter(({ seq }) => !this.#underway.has(seq));
    const requests =
      target.batch === undefined
        ? events.filter(({ isBehind }) => !isBehind).map((event) => [event])
        : repeatsOf(events, target.batch);
    this.#waiting = [...this.#waiting, ...requests.map((own) => ({ events: own, target, until }))];
    this.#start();
  }

  /** Starts the requests for which there is room. Those whose answer might come after the end of their claim are dropped. */
  #start(): void {
    const { clock, limits } = this.#context;
    const latest = clock.now() + ATTEMPT_DEADLINE_MS;
    const waiting = this.#isStopping ? [] : this.#waiting.filter(({ until }) => until >= latest);
    const free = limits.laterAttempts - this.#requests;
    for (const repeat of waiting.slice(0, free)) void this.#attempt(repeat);
    this.#waiting = waiting.slice(free);
  }

  #changes(outcomes: readonly Outcome[], now: number): readonly Step[] {
    if (outcomes.length === 0) return [];
    const failed = outcomes.flatMap((outcome) => outcome.failed);
    const delivered = outcomes
      .filter((outcome) => outcome.failed.length === 0)
      .flatMap(({ events }) => events);
    const gone = outcomes.find((outcome) => outcome.gone !== undefined)?.gone;
    const steps: Step[] = [];
    if (delivered.length > 0) steps.push(endRetriesStep(this.#key, delivered));
    if (failed.length > 0) steps.push(postponeRetriesStep(this.#key, failed));
    if (gone !== undefined) steps.push(stopEndpointStep(this.#key, gone, now));
    const outage = outcomes.findLast((outcome) => outcome.outage !== undefined)?.outage;
    if (outcomes.some((outcome) => outcome.isUp)) steps.push(setUpStep(this.#key));
    else if (outage !== undefined) steps.push(setDownStep(this.#key, outage, now));
    const subjects = outcomes.flatMap(({ events }) => events.map(({ subject }) => subject));
    return [...steps, releaseNextStep(this.#key, { subjects, now })];
  }

  async #attempt({ events, target }: Repeat): Promise<void> {
    const { room } = this.#context;
    this.#requests++;
    for (const { seq } of events) this.#underway.add(seq);
    room.take(events.length);
    const attempted = await attemptEvents(this.#context, {
      key: this.#key,
      target,
      events,
      use: "again",
      failuresOf: ({ attempts }) => attempts + 1,
    });
    if (this.#isEnded) return;
    this.#requests--;
    for (const { seq } of events) this.#underway.delete(seq);
    room.give(events.length);
    this.#outcomes = [...this.#outcomes, this.#outcomeOf(events, target, attempted)];
    this.#start();
    this.#signal.set();
  }

  #outcomeOf(
    events: readonly ClaimedRetry[],
    target: DeliveryTarget,
    { answer, verdicts }: Attempted,
  ): Outcome {
    const { counts, health, log } = this.#context;
    const { platformId: platform } = this.#key;
    const sequence = events[0]?.seq ?? 0n;
    const outage = health.judge(this.#key, target, { sequence, answer });
    const endpoint = { outage, isUp: target.down !== undefined && !answer.isUnreachable };
    const failed = failedRetries(events, { answer, verdicts });
    if (failed.length === 0) {
      counts.delivered += events.length;
      return { events, failed, gone: undefined, ...endpoint };
    }
    for (const { seq } of failed.filter(({ state }) => state === "FAILED")) {
      counts.failed++;
      const where = { platform, event: seq.toString() };
      log.warn({ ...where, outcome: answer.outcome }, "a webhook event was given up");
    }
    const isGone = verdicts.some((verdict) => verdict.isGone);
    if (isGone) {
      const where = { platform, event: sequence.toString() };
      log.warn(where, "a webhook endpoint answered 410 and gets no more events");
    }
    return { events, failed, gone: isGone ? target : undefined, ...endpoint };
  }
}

/** Empty when the events were delivered. */
function failedRetries(
  events: readonly ClaimedRetry[],
  { answer: { outcome, status }, verdicts }: Attempted,
): readonly FailedRetry[] {
  const failed = events.flatMap((event, place) => {
    const verdict = verdicts[place];
    if (verdict === undefined || verdict.state === "DELIVERED") return [];
    const { state, nextAt } = verdict;
    const { seq, id, subject, attempts: attemptsBefore } = event;
    return { seq, id, subject, attempts: attemptsBefore + 1, attemptsBefore, state, nextAt };
  });
  const states = statesAfterFailure(failed);
  return failed.map(({ seq, id, attemptsBefore, nextAt, ...one }, place) => {
    const state = states[place] ?? one.state;
    const time = state === "WAITING" ? nextAt : null;
    return { seq, id, attemptsBefore, state, nextAt: time, outcome, status };
  });
}
