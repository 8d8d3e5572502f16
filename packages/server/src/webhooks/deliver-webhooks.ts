/**
 * Delivers the events that commands have committed: at least once each, the same bytes every time.
 *
 * A platform with undelivered events has a stream (webhook-stream.ts) for first attempts and, while something is due again, its retries
 * (webhook-retries.ts). Both start by a hint from the engine or by the poll, which goes through all platforms, a page at a time, and so
 * finds what was hinted to another server or to one that died. Platforms share no slots, only one connection for the bookkeeping, on
 * which nothing waits for a receiver.
 *
 * Bounds: those of each platform, the events in memory, the platforms looked at in one poll. If the process dies, leases
 * and claims run out and another server goes on.
 */

import { classifyAnswer, isTaken } from "../domain/events/delivery-schedule.ts";
import { probeNowStep, stopEndpointStep } from "../domain/events/endpoint-state.sql.ts";
import type { EventResend } from "../domain/events/resends/event-resend.ts";
import {
  anyTargetStep,
  DEFAULT_ENDPOINT,
  type DeliveryTarget,
  decodeNextPlatforms,
  decodeScan,
  decodeTarget,
  eventBodyStep,
  type FoundWork,
  keyText,
  nextPlatformsStep,
  type StreamKey,
  scanStep,
  targetStep,
} from "../domain/events/stream.sql.ts";
import type { WebhookTest } from "../domain/events/webhook-test.ts";
import { type Database, databaseLimits } from "../postgres/database.ts";
import { present } from "../std/assert.ts";
import { type Cancel, pause, toIso, within } from "../std/clock.ts";
import { Fault, messageOf } from "../std/errors.ts";
import { BEFORE_ALL_IDS, randomIds, toWireId } from "../std/ids.ts";
import { type AttemptLog, noAttemptLog } from "./attempt-log.ts";
import { createDeliveryBooks } from "./delivery-books.ts";
import {
  type DeliveryContext,
  type DeliveryCounts,
  type DeliveryLimits,
  deliveryDefaults,
  EventRoom,
} from "./delivery-context.ts";
import { EndpointHealth } from "./endpoint-health.ts";
import type { FailedAttemptLog } from "./failed-attempt-log.ts";
import { createEventPoster, type PostAnswer, type PosterOptions } from "./post-event.ts";
import { type ResendEnd, Resends, type SingleResend } from "./resends/resends.ts";
import { watchThread } from "./thread-load.ts";
import { WebhookRetries } from "./webhook-retries.ts";
import { type StreamEnd, WebhookStream } from "./webhook-stream.ts";

export interface DeliveryWorkerOptions extends PosterOptions {
  /** Called for each failed attempt. */
  readonly noteFailed?: FailedAttemptLog;
  /** Called for each attempt. */
  readonly attemptLog?: AttemptLog;
  readonly database: Database;
  readonly limits?: Partial<DeliveryLimits>;
  /** Whether the process is too busy for more attempts at once; by default the load of its thread decides. */
  readonly isBusy?: () => boolean;
}

export interface DeliveryWorker {
  /** A commit has added events of this platform. */
  newEvents(platformId: string): void;
  /** The platform's clock was moved forward, so retries may be due. */
  retriesDue(platformId: string): void;
  /** Sends a TEST event to an endpoint (the default one when absent), even to a stopped one, and answers the result. */
  test(platformId: string, endpointId?: string): Promise<WebhookTest>;
  /** Posts the event of a question, once, and answers what came back; undefined when the platform has no endpoint that takes events. */
  ask(platformId: string, question: Question): Promise<PostAnswer | undefined>;
  /** Sends a single event again; false when it is to be tried later. */
  resendEvent(key: StreamKey, order: SingleResend): Promise<boolean>;
  /** Sends the next portion of an order to an endpoint. */
  resendEvents(key: StreamKey, resend: EventResend): Promise<ResendEnd>;
  start(): void;
  /** Ends the leases. Attempts under way have this long to end; questions are sent until none is left. */
  stop(patienceMs: number, questions?: Promise<unknown>): Promise<void>;
  /** Attempts everything that is due now; answers how many attempts were made. */
  runOnce(): Promise<number>;
  /** Resolves when no event of the platform waits for its first attempt. */
  settled(platformId: string): Promise<void>;
  readonly gauges: DeliveryGauges;
}

export interface Question {
  readonly eventSeq: bigint;
  readonly deadlineMs: number;
  /** Called with the status before the body was read. */
  readonly onStatus: (status: number) => void;
}

export interface DeliveryGauges {
  underway(): number;
  attempts(): number;
  delivered(): number;
  failed(): number;
  /** Events in memory. */
  held(): number;
  /** Endpoints that are down, as far as this server has found out. */
  down(): number;
}

export function createDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  return new Worker(options);
}

interface Running<Runner> {
  readonly runner: Runner;
  readonly ended: Promise<void>;
}

function defaultStream(platformId: string): StreamKey {
  return { platformId, endpointId: DEFAULT_ENDPOINT };
}

/** A platform without a working endpoint is not read again for a hint within this time; the poll still reads it. */
const DORMANT_MS = 200;

class Worker implements DeliveryWorker {
  readonly #context: DeliveryContext;
  readonly #ids = randomIds();
  readonly #resends: Resends;
  readonly #streams = new Map<string, Running<WebhookStream>>();
  readonly #retries = new Map<string, Running<WebhookRetries>>();
  /** Until when hints do not wake a stream: it has no endpoint, another owner, or an endpoint that is down. */
  readonly #dormant = new Map<string, number>();
  /** Streams of endpoints beside the default one, by platform and endpoint: hints wake them from their second event on. */
  readonly #others = new Map<string, Map<string, StreamKey>>();
  #cursor = BEFORE_ALL_IDS;
  #isStopped = false;
  #cancelPoll: Cancel | undefined;
  #polling: Promise<void> | undefined;

  constructor(options: DeliveryWorkerOptions) {
    const { clock, log } = options;
    const limits = { ...deliveryDefaults, ...options.limits };
    this.#context = {
      workerId: this.#ids.next(clock.now()),
      books: createDeliveryBooks(options.database),
      poster: createEventPoster(options),
      noteFailed: options.noteFailed ?? (() => undefined),
      attemptLog: options.attemptLog ?? noAttemptLog,
      clock,
      log,
      limits,
      room: new EventRoom(limits.events),
      isBusy: options.isBusy ?? watchThread(clock),
      counts: { attempts: 0, delivered: 0, failed: 0, underway: 0 },
      health: new EndpointHealth(),
      wakeRetries: (key) => this.#wakeRetries(key),
    };
    this.#resends = new Resends({
      context: this.#context,
      ids: this.#ids,
      reads: options.database.reads,
      heed: (key, target, answer) => this.#heed(key, target, answer),
      probeNow: (key) => this.#probeNow(key),
    });
  }

  get gauges(): DeliveryGauges {
    const { counts, health, room } = this.#context;
    const read = (key: keyof DeliveryCounts) => () => counts[key];
    return {
      underway: read("underway"),
      attempts: read("attempts"),
      delivered: read("delivered"),
      failed: read("failed"),
      held: () => room.held,
      down: () => health.downCount,
    };
  }

  newEvents(platformId: string): void {
    const now = this.#context.clock.now();
    for (const key of this.#streamsOf(platformId)) {
      if ((this.#dormant.get(keyText(key)) ?? 0) <= now) this.#wakeStream(key);
    }
  }

  retriesDue(platformId: string): void {
    for (const key of this.#streamsOf(platformId)) {
      this.#wakeStream(key);
      this.#wakeRetries(key);
    }
  }

  /** The stream of the default endpoint, and those of other endpoints that this server has worked on. */
  #streamsOf(platformId: string): readonly StreamKey[] {
    const others = this.#others.get(platformId);
    const key = defaultStream(platformId);
    return others === undefined ? [key] : [key, ...others.values()];
  }

  async test(platformId: string, endpointId: string = DEFAULT_ENDPOINT): Promise<WebhookTest> {
    const { books, poster, clock } = this.#context;
    const key = { platformId, endpointId };
    const [found] = await within(books.run([anyTargetStep(key, clock.now())]), {
      clock,
      limitMs: databaseLimits.readTimeoutMs,
      late: () => {
        throw new Fault("the database did not answer in time");
      },
    });
    const target = decodeTarget(found);
    if (target === undefined) return { kind: "no-endpoint" };
    const now = clock.now();
    const id = this.#ids.next(now);
    const body = JSON.stringify({
      id: toWireId("Webhook", id),
      type: "TEST",
      timestamp: toIso(now + target.clockOffsetMs),
      data: {},
    });
    const answer = await poster.post({
      key,
      target,
      id,
      sequence: undefined,
      body,
      use: "test",
    });
    await this.#heed(key, target, answer);
    if (answer.status === undefined) {
      return { kind: "failed", reason: answer.failure ?? answer.outcome };
    }
    const { status, body: answered, beganAt, endedAt } = answer;
    const latencyMs = endedAt - beganAt;
    return { kind: "answered", url: target.endpoint, status, body: answered, latencyMs };
  }

  async ask(
    platformId: string,
    { eventSeq, deadlineMs, onStatus }: Question,
  ): Promise<PostAnswer | undefined> {
    const { attemptLog, books, poster, clock } = this.#context;
    const key = defaultStream(platformId);
    const [found, event] = await books.run([
      targetStep(key, clock.now()),
      eventBodyStep(platformId, eventSeq),
    ]);
    const target = decodeTarget(found);
    if (target === undefined) return undefined;
    const [text, eventId] = event?.rows[0] ?? [];
    const body = present(text, "the event of a question");
    const id = present(eventId, "the id of that event");
    const use = "ask" as const;
    const sequence = eventSeq;
    const post = { key, target, id, sequence, body, use, deadlineMs, onStatus };
    const answer = await poster.post(post);
    const isDelivered = isTaken(answer);
    attemptLog.add({
      key,
      target,
      eventId: id,
      number: 1,
      isDelivered,
      answer,
      ofBatch: undefined,
    });
    await this.#heed(key, target, answer);
    return answer;
  }

  /** An endpoint that answers 410 gets no more events and no more questions. */
  async #heed(key: StreamKey, target: DeliveryTarget, answer: PostAnswer): Promise<void> {
    const { books, clock, log } = this.#context;
    const { platformId } = key;
    if (answer.status !== undefined && target.down !== undefined) await this.#probeNow(key);
    if (classifyAnswer(answer.status) !== "ENDPOINT_GONE") return;
    try {
      await books.run([stopEndpointStep(key, target, clock.now())]);
      log.warn({ platform: platformId }, "a webhook endpoint answered 410 and gets no more events");
    } catch (error) {
      // Not retried: the endpoint will answer 410 again.
      log.warn(
        { err: messageOf(error), platform: platformId },
        "an endpoint that answered 410 could not be stopped",
      );
    }
  }

  /** An endpoint that is down and has answered a TEST or a question is probed at once. */
  async #probeNow(key: StreamKey): Promise<void> {
    const { books, clock, log } = this.#context;
    try {
      await books.run([probeNowStep(key, clock.now())]);
      this.#dormant.delete(keyText(key));
      this.#wakeStream(key);
    } catch (error) {
      // The regular probe comes in any case.
      log.warn({ err: messageOf(error), platform: key.platformId }, "a probe was not made at once");
    }
  }

  resendEvent(key: StreamKey, order: SingleResend): Promise<boolean> {
    return this.#resends.one(key, order);
  }

  resendEvents(key: StreamKey, resend: EventResend): Promise<ResendEnd> {
    return this.#resends.portion(key, resend);
  }

  start(): void {
    this.#pollLater();
  }

  async stop(patienceMs: number, questions: Promise<unknown> = Promise.resolve()): Promise<void> {
    this.#isStopped = true;
    this.#cancelPoll?.();
    const running = [...this.#streams.values(), ...this.#retries.values()];
    for (const { runner } of running) runner.stop();
    this.#resends.stop();
    const cancel = this.#context.clock.after(patienceMs, () => {
      this.#resends.abandon();
      for (const { runner } of running) runner.abandon();
    });
    await Promise.all([this.#polling, ...running.map(({ ended }) => ended)]);
    cancel();
    await questions;
    await this.#context.books.close();
  }

  async runOnce(): Promise<number> {
    const { counts } = this.#context;
    const before = counts.attempts;
    let after: string | undefined = BEFORE_ALL_IDS;
    while (after !== undefined) after = await this.#look(after);
    while (this.#streams.size + this.#retries.size > 0) {
      const running = [...this.#streams.values(), ...this.#retries.values()];
      await Promise.all(running.map(({ ended }) => ended));
    }
    return counts.attempts - before;
  }

  async settled(platformId: string): Promise<void> {
    const { books, clock, limits } = this.#context;
    const key = defaultStream(platformId);
    for (;;) {
      this.#wakeStream(key);
      await this.#streams.get(keyText(key))?.ended;
      const [found] = await books.run([targetStep(key, clock.now())]);
      if (decodeTarget(found)?.hasNews !== true || this.#isStopped) return;
      // Another server has the stream, or the database failed.
      await pause(clock, limits.pollMs);
    }
  }

  #pollLater(): void {
    if (this.#isStopped) return;
    this.#cancelPoll = this.#context.clock.after(this.#context.limits.pollMs, () => {
      this.#polling = this.#poll().finally(() => this.#pollLater());
    });
  }

  async #poll(): Promise<void> {
    const { clock, log } = this.#context;
    const now = clock.now();
    for (const [key, until] of this.#dormant) if (until <= now) this.#dormant.delete(key);
    try {
      this.#cursor = (await this.#look(this.#cursor)) ?? BEFORE_ALL_IDS;
    } catch (error) {
      log.warn({ err: messageOf(error) }, "looking for undelivered events failed");
    }
  }

  /** Wakes the streams and retries of the next page of platforms; answers where the following page starts, undefined at the end. */
  async #look(after: string): Promise<string | undefined> {
    const { books, clock, limits } = this.#context;
    const limit = limits.platformsPerPoll;
    const [page] = await books.run([nextPlatformsStep(after, limit)]);
    const { last, isFull } = decodeNextPlatforms(page, limit);
    if (last === undefined) return undefined;
    const [result] = await books.run([scanStep({ after, last, now: clock.now() })]);
    for (const work of decodeScan(result)) this.#wake(work);
    return isFull ? last : undefined;
  }

  #wake({ hasNews, hasDue, ...key }: FoundWork): void {
    if (key.endpointId !== DEFAULT_ENDPOINT) this.#remember(key);
    if (hasNews) this.#wakeStream(key);
    if (hasDue) this.#wakeRetries(key);
  }

  #remember(key: StreamKey): void {
    const others = this.#others.get(key.platformId) ?? new Map<string, StreamKey>();
    this.#others.set(key.platformId, others.set(key.endpointId, key));
  }

  #forget({ platformId, endpointId }: StreamKey): void {
    const others = this.#others.get(platformId);
    others?.delete(endpointId);
    if (others?.size === 0) this.#others.delete(platformId);
  }

  #wakeStream(key: StreamKey): void {
    if (this.#isStopped) return;
    const text = keyText(key);
    const running = this.#streams.get(text);
    if (running !== undefined) {
      running.runner.hint();
      return;
    }
    const runner = new WebhookStream(this.#context, key);
    const ended = runner.run().then(
      (end) => this.#streamEnded(key, runner, end),
      (error: unknown) => {
        this.#streams.delete(text);
        this.#brokeOff(key.platformId, error);
      },
    );
    this.#streams.set(text, { runner, ended });
  }

  #streamEnded(key: StreamKey, runner: WebhookStream, end: StreamEnd): void {
    const text = keyText(key);
    const now = this.#context.clock.now();
    this.#streams.delete(text);
    // It may have been deleted; if it was not, the poll finds it.
    if (end === "unavailable") this.#forget(key);
    if (end === "unavailable") this.#dormant.set(text, now + DORMANT_MS);
    else if (end !== "done" && end.downUntil > now) this.#dormant.set(text, end.downUntil);
    else if (end !== "done" || runner.isHinted) this.#wakeStream(key);
  }

  #wakeRetries(key: StreamKey): void {
    if (this.#isStopped) return;
    const text = keyText(key);
    const running = this.#retries.get(text);
    if (running !== undefined) {
      running.runner.hint();
      return;
    }
    const runner = new WebhookRetries(this.#context, key);
    const ended = runner.run().then(
      () => {
        this.#retries.delete(text);
        if (runner.isHinted) this.#wakeRetries(key);
      },
      (error: unknown) => {
        this.#retries.delete(text);
        this.#brokeOff(key.platformId, error);
      },
    );
    this.#retries.set(text, { runner, ended });
  }

  #brokeOff(platform: string, error: unknown): void {
    const { log } = this.#context;
    log.warn({ err: messageOf(error), platform }, "deliveries broke off; the poll takes them up");
  }
}
