/**
 * The delivery worker of a server, on a thread of its own (thread-main.ts): signing, HTTP and bookkeeping of deliveries take no time of
 * the thread that decides and commits payments. The main thread sends the ids of platforms with new events, those of a few
 * milliseconds in one message, and waits for the answers to calls.
 *
 * Bounds: a call has a deadline; the callers bound the number of calls. An uncaught error ends the thread: it is logged as a bug, calls
 * under way fail with a `Fault`, and another thread is started after a pause that doubles up to ten seconds. A thread that sends no
 * figures for half a minute is terminated as hung. Nothing is lost: leases of the old thread expire as after a crash, and the poll of
 * the new one finds the events that were not handed over.
 */
import { Worker } from "node:worker_threads";
import type { FailingEndpoint } from "../../domain/events/delivery-log/endpoint-health.sql.ts";
import type { TracedEffects } from "../../engine/recent-traces.ts";
import { Bug } from "../../std/assert.ts";
import { type Cancel, type Clock, within } from "../../std/clock.ts";
import { Fault, messageOf } from "../../std/errors.ts";
import type { Log } from "../../std/log.ts";
import type { DeliveryGauges, DeliveryWorker, Question } from "../../webhooks/deliver-webhooks.ts";
import type { DeliveryParts } from "./delivery-parts.ts";
import type {
  CallName,
  FromThread,
  PlatformTraces,
  ThreadCalls,
  ThreadFigures,
  ThreadSettings,
  ToThread,
} from "./thread-messages.ts";

export interface DeliveryThreadOptions {
  readonly settings: ThreadSettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly onLongFailing: (endpoint: FailingEndpoint) => void;
}

export interface DeliveryThread extends DeliveryParts {
  /** Hands over the traces of new events. Call it before `newEvents`. */
  traced(platformId: string, effects: readonly TracedEffects[]): void;
  /** How many threads were started in the place of one that failed. */
  restarts(): number;
}

/** A worker cannot run TypeScript: in tests, which run the sources, the thread runs the built file. */
const MAIN = import.meta.url.endsWith(".ts")
  ? new URL("../../../dist/boot/deliveries/thread-main.js", import.meta.url)
  : new URL("./thread-main.js", import.meta.url);

const HINTS_MS = 5;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** The thread sends its figures every second. It counts as hung after several silent checks: the whole process may have been paused. */
const LOOK_MS = 10_000;
const MOST_SILENT_LOOKS = 2;
/** The backoff starts anew after a thread that lived longer than this. */
const LONG_LIFE_MS = 60_000;
/** Deadlines of calls. Each is longer than the call can take, so only a hung thread misses it. */
const LIMITS_MS: Readonly<Record<CallName, number>> = {
  test: 30_000,
  ask: 30_000,
  resendEvent: 60_000,
  resendEvents: 300_000,
  runOnce: 300_000,
  settled: 300_000,
  stop: 15_000,
  flushAttempts: 15_000,
  close: 10_000,
};
const NO_FIGURES: ThreadFigures = {
  underway: 0,
  attempts: 0,
  delivered: 0,
  failed: 0,
  held: 0,
  down: 0,
  dropped: 0,
};

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onStatus: Question["onStatus"];
}

export function createDeliveryThread(options: DeliveryThreadOptions): DeliveryThread {
  const thread = new Thread(options);
  return {
    deliveries: thread,
    attemptLog: {
      flush: () => thread.call("flushAttempts", []),
      dropped: () => thread.total("dropped"),
      close: () => thread.close(),
    },
    traced: (platformId, effects) => thread.traced(platformId, effects),
    restarts: () => thread.restarts,
  };
}

class Thread implements DeliveryWorker {
  readonly #options: DeliveryThreadOptions;
  readonly #pending = new Map<number, PendingCall>();
  #worker: Worker | undefined;
  #lastCall = 0;
  #isStopping = false;
  #platforms = new Set<string>();
  #traces: PlatformTraces[] = [];
  #cancelHints: Cancel | undefined;
  #cancelLaunch: Cancel | undefined;
  #cancelLook: Cancel | undefined;
  #silentLooks = 0;
  #launches = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #figures = NO_FIGURES;
  /** The sums of the figures of the earlier threads. */
  #earlier = NO_FIGURES;

  constructor(options: DeliveryThreadOptions) {
    this.#options = options;
  }

  get gauges(): DeliveryGauges {
    return {
      underway: () => this.#figures.underway,
      held: () => this.#figures.held,
      down: () => this.#figures.down,
      attempts: () => this.total("attempts"),
      delivered: () => this.total("delivered"),
      failed: () => this.total("failed"),
    };
  }

  get restarts(): number {
    return Math.max(this.#launches - 1, 0);
  }

  total(figure: "attempts" | "delivered" | "failed" | "dropped"): number {
    return this.#earlier[figure] + this.#figures[figure];
  }

  newEvents(platformId: string): void {
    this.#platforms.add(platformId);
    this.#cancelHints ??= this.#options.clock.after(HINTS_MS, () => this.#tellNews());
  }

  traced(platformId: string, effects: readonly TracedEffects[]): void {
    this.#traces.push([platformId, effects]);
    this.#cancelHints ??= this.#options.clock.after(HINTS_MS, () => this.#tellNews());
  }

  retriesDue(platformId: string): void {
    this.#tell({ kind: "retries-due", platformId });
  }

  test(...args: Parameters<ThreadCalls["test"]>) {
    return this.call("test", args);
  }

  ask(platformId: string, { onStatus, ...question }: Question) {
    return this.call("ask", [platformId, question], onStatus);
  }

  resendEvent(...args: Parameters<ThreadCalls["resendEvent"]>) {
    return this.call("resendEvent", args);
  }

  resendEvents(...args: Parameters<ThreadCalls["resendEvents"]>) {
    return this.call("resendEvents", args);
  }

  runOnce() {
    return this.call("runOnce", []);
  }

  settled(platformId: string) {
    return this.call("settled", [platformId]);
  }

  start(): void {
    this.#launch();
  }

  async stop(patienceMs: number, questions: Promise<unknown> = Promise.resolve()): Promise<void> {
    this.#isStopping = true;
    this.#cancelLaunch?.();
    if (this.#worker === undefined) return;
    const ended = () => this.#tell({ kind: "questions-ended" });
    questions.then(ended, ended);
    await this.call("stop", [patienceMs]).catch((error: unknown) => this.#warn(error, "drained"));
  }

  async close(): Promise<void> {
    this.#isStopping = true;
    if (this.#worker === undefined) return;
    await this.call("close", []).catch((error: unknown) => this.#warn(error, "closed"));
    this.#cancelLook?.();
    await this.#worker?.terminate();
  }

  async call<Name extends CallName>(
    name: Name,
    args: Parameters<ThreadCalls[Name]>,
    onStatus: Question["onStatus"] = () => undefined,
  ): Promise<Awaited<ReturnType<ThreadCalls[Name]>>> {
    if (this.#worker === undefined) throw new Fault("deliveries are being started");
    const id = ++this.#lastCall;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, onStatus });
    });
    try {
      this.#tell({ kind: "call", id, name, args });
      const late = () => {
        throw new Fault("the delivery thread did not answer in time");
      };
      const limit = { clock: this.#options.clock, limitMs: LIMITS_MS[name], late };
      return (await within(answer, limit)) as Awaited<ReturnType<ThreadCalls[Name]>>;
    } finally {
      this.#pending.delete(id);
    }
  }

  #launch(): void {
    const { clock, log, settings } = this.#options;
    const startedAt = clock.now();
    const worker = new Worker(MAIN, { workerData: settings, name: "florin deliveries" });
    // The thread must not keep the process alive.
    worker.unref();
    this.#worker = worker;
    this.#launches++;
    this.#silentLooks = 0;
    this.#lookAfter(worker);
    worker.on("message", (message: FromThread) => this.#hear(message));
    worker.on("error", (error) => {
      const { message, stack } = error;
      log.error({ err: message, stack }, "the delivery thread ended on a bug");
    });
    worker.on("exit", (code) => {
      this.#worker = undefined;
      this.#cancelLook?.();
      this.#ended();
      if (this.#isStopping) return;
      if (clock.now() - startedAt > LONG_LIFE_MS) this.#pauseMs = FIRST_PAUSE_MS;
      log.error({ code, pauseMs: this.#pauseMs }, "the delivery thread is started again");
      this.#cancelLaunch = clock.after(this.#pauseMs, () => this.#launch());
      this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
    });
  }

  #lookAfter(worker: Worker): void {
    const { clock, log } = this.#options;
    this.#cancelLook = clock.after(LOOK_MS, () => {
      if (++this.#silentLooks <= MOST_SILENT_LOOKS) return this.#lookAfter(worker);
      log.error({}, "the delivery thread hangs and is ended");
      void worker.terminate();
    });
  }

  #ended(): void {
    const { attempts, delivered, failed, dropped } = this.#figures;
    this.#earlier = {
      ...NO_FIGURES,
      attempts: this.#earlier.attempts + attempts,
      delivered: this.#earlier.delivered + delivered,
      failed: this.#earlier.failed + failed,
      dropped: this.#earlier.dropped + dropped,
    };
    this.#figures = NO_FIGURES;
    for (const { reject } of this.#pending.values()) {
      reject(new Fault("the delivery thread has ended"));
    }
  }

  #hear(message: FromThread): void {
    this.#silentLooks = 0;
    switch (message.kind) {
      case "answer":
        this.#pending.get(message.id)?.resolve(message.value);
        return;
      case "failure": {
        const { id, isFault, message: text } = message;
        this.#pending.get(id)?.reject(isFault ? new Fault(text) : new Bug(text));
        return;
      }
      case "status":
        this.#pending.get(message.id)?.onStatus(message.status);
        return;
      case "log":
        this.#options.log[message.level](message.fields, message.message);
        return;
      case "figures":
        this.#figures = message.figures;
        return;
      case "long-failing":
        this.#options.onLongFailing(message.endpoint);
    }
  }

  #tellNews(): void {
    this.#cancelHints?.();
    this.#cancelHints = undefined;
    const news = { platforms: [...this.#platforms], traces: this.#traces };
    this.#platforms.clear();
    this.#traces = [];
    this.#worker?.postMessage({ kind: "news", ...news } satisfies ToThread);
  }

  /** Sends the pending hints before the message, so that the order is kept. */
  #tell(message: ToThread): void {
    if (this.#cancelHints !== undefined) this.#tellNews();
    this.#worker?.postMessage(message);
  }

  #warn(error: unknown, what: string): void {
    this.#options.log.warn({ err: messageOf(error) }, `the delivery thread was not ${what}`);
  }
}
