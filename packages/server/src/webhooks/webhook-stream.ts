/**
 * Makes the first attempt of each event of one platform, in order.
 *
 * Steps: lease the stream → read a page of events → attempt them concurrently, those of one subject one after the other → in
 * one transaction store the failed ones for retry, move the position past all that were attempted, renew the lease, and read
 * on → release the lease after the last event. A failed event never holds up the position. It holds up the later events of
 * its subject, which are stored behind it.
 *
 * Bounds: attempts under way (attempt-width.ts), events in memory, the distance between attempts and position. If the process
 * dies, the lease expires, another server reads from the position and repeats the attempts since then; no event is skipped. A
 * process that lost its lease writes nothing, and starts no attempt after its lease has expired. When the database goes back to
 * an earlier state (a restore, a standby that was behind), the events in memory are dropped and read again.
 */
import { type ParkedEvent, parkStep, releaseNextStep } from "../domain/webhooks/delivery.sql.ts";
import {
  bookkeepingSettings,
  type DeliveryTarget,
  decodeFirstAttempts,
  decodeTaken,
  decodeTarget,
  type FirstAttempt,
  holdStreamStep,
  type LastRead,
  type Lease,
  NOTHING_READ,
  parkingSettings,
  type Release,
  readEventsStep,
  stopEndpointStep,
  takeStreamSteps,
  targetStep,
  wasDatabaseRestored,
  wasReleased,
} from "../domain/webhooks/stream.sql.ts";
import type { Step, StepResult } from "../postgres/pipeline.ts";
import { messageOf } from "../std/errors.ts";
import { type Attempted, attemptEvent } from "./attempt-event.ts";
import { AttemptWidth } from "./attempt-width.ts";
import type { DeliveryContext } from "./delivery-context.ts";
import { EventQueue } from "./event-queue.ts";
import type { Verdict } from "./post-event.ts";
import { WakeSignal } from "./wake-signal.ts";

/** `unavailable`: there is no endpoint that takes events, or another server holds the stream's lease. */
export type StreamEnd = "done" | "unavailable";

/** After a hint the endpoint is looked up again within this time, even when no more events are needed. */
const REFRESH_MS = 100;
const AFTER_FAILURE_MS = 500;
const ATTEMPTS_A_SYNC = 32;
/** Places in the results of a sync. */
const HELD = 1;
const LET_PASS = 3;

export class WebhookStream {
  readonly #context: DeliveryContext;
  readonly #platformId: string;
  readonly #signal: WakeSignal;
  readonly #queue: EventQueue;
  /** Not taken, and not yet written down. */
  #parked: ParkedEvent[] = [];
  #target: DeliveryTarget | undefined;
  /** The endpoint that answered 410. */
  #gone: DeliveryTarget | undefined;
  #lastRead: LastRead = NOTHING_READ;
  readonly #width: AttemptWidth;
  #underway = 0;
  #doneSinceSync = 0;
  #mayHaveMore = false;
  #isHinted = false;
  #isStopping = false;
  #isAbandoned = false;
  #isEnded = false;
  #leasedUntil = 0;
  #syncAt = 0;
  /** Set after a failure: the database is left alone until then. */
  #pausedUntil = 0;

  constructor(context: DeliveryContext, platformId: string) {
    this.#context = context;
    this.#platformId = platformId;
    this.#signal = new WakeSignal(context.clock);
    this.#queue = new EventQueue(context.room);
    const { firstAttempts: least, mostFirstAttempts: most } = context.limits;
    this.#width = new AttemptWidth({ least, most });
  }

  /** There may be new events, or a new endpoint. */
  hint(): void {
    this.#isHinted = true;
    this.#mayHaveMore = true;
    this.#syncAt = Math.min(this.#syncAt, this.#context.clock.now() + REFRESH_MS);
    this.#signal.set();
  }

  /** Whether a hint came for which nothing was read. */
  get isHinted(): boolean {
    return this.#isHinted;
  }

  /** Starts no further attempt, and ends when those under way have ended. */
  stop(): void {
    this.#isStopping = true;
    this.#signal.set();
  }

  /** Waits no longer for what is under way: it will be repeated. */
  abandon(): void {
    this.#isAbandoned = true;
    this.stop();
  }

  async run(): Promise<StreamEnd> {
    try {
      if (!(await this.#take()))
        return this.#target?.hasUndelivered === false ? "done" : "unavailable";
      do {
        this.#attemptReady();
        await this.#untilSync();
      } while (await this.#sync());
      return "done";
    } finally {
      this.#isEnded = true;
      this.#queue.clear();
    }
  }

  async #take(): Promise<boolean> {
    const lease = this.#newLease();
    const limit = this.#readLimit();
    this.#isHinted = false;
    // The target first: news it saw that could not be taken after it is in another one's hands. The other way round, news
    // that came in between would look like that.
    const [, target, , taken, read] = await this.#context.books.run([
      bookkeepingSettings,
      targetStep(this.#platformId),
      ...takeStreamSteps(lease),
      readEventsStep(lease, { after: this.#lastRead.seq, limit }),
    ]);
    this.#target = decodeTarget(target);
    const lastRead = decodeTaken(taken);
    if (lastRead === undefined) return false;
    this.#lastRead = lastRead;
    this.#renewed(lease);
    this.#receive(read, limit);
    return true;
  }

  /** Writes down how far it got and reads on; false when the stream is no longer ours to work on. */
  async #sync(): Promise<boolean> {
    const { books, clock, log, wakeRetries } = this.#context;
    const lease = this.#newLease();
    const position = this.#position();
    const release = this.#release();
    const limit = release === "always" ? 0 : this.#readLimit();
    const written = this.#parked.filter((event) => event.seq <= position);
    this.#isHinted = false;
    this.#doneSinceSync = 0;
    this.#syncAt = clock.now() + this.#context.limits.renewMs;
    let results: readonly StepResult[];
    try {
      results = await books.run([
        written.length > 0 ? parkingSettings : bookkeepingSettings,
        holdStreamStep(lease, { position, lastRead: this.#lastRead, release }),
        ...this.#changes(lease, written),
        targetStep(this.#platformId),
        readEventsStep(lease, { after: this.#lastRead.seq, limit }),
      ]);
    } catch (error) {
      log.warn(
        { err: messageOf(error), platform: this.#platformId },
        "deliveries were not written down; their lease runs out if that goes on",
      );
      this.#pausedUntil = clock.now() + AFTER_FAILURE_MS;
      this.#mayHaveMore = true;
      return !this.#isStopping;
    }
    this.#parked = this.#parked.filter((event) => event.seq > position);
    // Of what was written down, something found nothing in front of it any more.
    if (written.length > 0 && (results[LET_PASS]?.count ?? 0) > 0) wakeRetries(this.#platformId);
    const held = results[HELD];
    if (held?.count !== 1) {
      log.warn({ platform: this.#platformId }, "another server took over a webhook stream");
      return false;
    }
    if (wasDatabaseRestored(held)) return this.#readAnew();
    if (wasReleased(held)) return false;
    this.#renewed(lease);
    this.#target = decodeTarget(results.at(-2));
    if (this.#gone?.setting !== this.#target?.setting) this.#gone = undefined;
    this.#receive(results.at(-1), limit);
    return true;
  }

  /** Another stream begins where the database says, and knows nothing of what was read here. */
  #readAnew(): false {
    this.#context.log.warn(
      { platform: this.#platformId },
      "the database was taken back to an earlier state; its events are read anew",
    );
    this.#isHinted = true;
    return false;
  }

  #changes(lease: Lease, written: readonly ParkedEvent[]): readonly Step[] {
    const now = this.#context.clock.now();
    const steps: Step[] = [];
    if (written.length > 0) {
      const subjects = written.map((event) => event.subject);
      steps.push(parkStep(lease, written), releaseNextStep(this.#platformId, { subjects, now }));
    }
    if (this.#gone !== undefined) steps.push(stopEndpointStep(this.#platformId, this.#gone, now));
    return steps;
  }

  #newLease(): Lease {
    const { workerId, clock, limits } = this.#context;
    const now = clock.now();
    return { platformId: this.#platformId, workerId, now, until: now + limits.leaseMs };
  }

  #renewed(lease: Lease): void {
    this.#leasedUntil = lease.until;
    this.#syncAt = Math.min(lease.now + this.#context.limits.renewMs, this.#refreshAt());
  }

  #refreshAt(): number {
    return this.#isHinted ? this.#context.clock.now() + REFRESH_MS : Number.POSITIVE_INFINITY;
  }

  /** Everything up to here was attempted or written down. */
  #position(): bigint {
    const { first } = this.#queue;
    return first === undefined ? this.#lastRead.seq : first - 1n;
  }

  #release(): Release {
    if (this.#isEnding() && (this.#underway === 0 || this.#isAbandoned)) return "always";
    return this.#queue.size === 0 ? "if-done" : "never";
  }

  #readLimit(): number {
    const { limits, room } = this.#context;
    const span = limits.span - Number(this.#lastRead.seq - this.#position());
    const wanted = Math.min(limits.eventsPerStream - this.#queue.size, span);
    return wanted <= 0 ? 0 : room.grant(wanted, this.#width.now);
  }

  #receive(read: StepResult | undefined, limit: number): void {
    const events = decodeFirstAttempts(read);
    const heldBack = new Set(
      this.#parked.filter(({ state }) => state !== "FAILED").map(({ subject }) => subject),
    );
    for (const event of events) {
      this.#lastRead = { seq: event.seq, id: event.id };
      const isHeldBack = event.isHeldBack || heldBack.has(event.subject);
      if (isHeldBack && !event.isPassedOver) this.#parkBehind([event]);
      else this.#queue.add(event);
    }
    this.#mayHaveMore = events.length >= limit || this.#isHinted;
  }

  /** No attempt starts any more: the server stops, or no endpoint takes events. */
  #isEnding(): boolean {
    return this.#isStopping || this.#gone !== undefined || this.#target === undefined;
  }

  async #untilSync(): Promise<void> {
    const { clock } = this.#context;
    while (!this.#mustSync()) {
      await this.#signal.waitUntil(
        this.#pausedUntil > clock.now() ? this.#pausedUntil : this.#syncAt,
      );
    }
  }

  #mustSync(): boolean {
    const now = this.#context.clock.now();
    if (this.#isAbandoned) return true;
    if (now < this.#pausedUntil && !this.#isStopping) return false;
    if (now >= this.#syncAt) return true;
    if (this.#gone !== undefined) return true;
    if (this.#isEnding()) return this.#underway === 0;
    if (this.#queue.size === 0 || this.#doneSinceSync >= ATTEMPTS_A_SYNC) return true;
    const position = this.#position();
    if (this.#parked.some((event) => event.seq <= position)) return true;
    const isLow = this.#queue.size < 2 * this.#width.now;
    return this.#mayHaveMore && isLow && this.#readLimit() > 0;
  }

  #attemptReady(): void {
    const { clock } = this.#context;
    while (this.#underway < this.#width.now && clock.now() < this.#leasedUntil) {
      const target = this.#target;
      if (target === undefined || this.#isEnding() || this.#isEnded) return;
      const event = this.#queue.take();
      if (event === undefined) return;
      if (event.isPassedOver) this.#queue.end(event);
      else void this.#attempt(event, target);
    }
  }

  async #attempt(event: FirstAttempt, target: DeliveryTarget): Promise<void> {
    this.#underway++;
    const attempted = await attemptEvent(this.#context, {
      platformId: this.#platformId,
      target,
      event,
      use: "first",
      failures: 1,
    });
    this.#adapt(attempted.verdict);
    this.#underway--;
    if (this.#isEnded) return;
    this.#record(event, target, attempted);
    this.#queue.end(event);
    this.#doneSinceSync++;
    this.#attemptReady();
    this.#signal.set();
  }

  #adapt({ state }: Verdict): void {
    const { counts, limits, isBusy } = this.#context;
    const isWaitedFor = this.#queue.hasReady && this.#underway >= this.#width.now;
    if (state !== "DELIVERED") this.#width.shrink();
    else if (isBusy()) this.#width.yield();
    else if (isWaitedFor && counts.underway < limits.attempts) this.#width.grow();
  }

  #record(event: FirstAttempt, target: DeliveryTarget, { answer, verdict }: Attempted): void {
    const { counts, log } = this.#context;
    if (verdict.state === "DELIVERED") {
      counts.delivered++;
      return;
    }
    if (verdict.isGone && target.setting === this.#target?.setting) {
      this.#gone = target;
      log.warn(
        { platform: this.#platformId },
        "a webhook endpoint answered 410 and gets no more events",
      );
    }
    const { state, nextAt } = verdict;
    const { outcome, endedAt: parkedAt } = answer;
    const { seq, subject } = event;
    this.#parked.push({ seq, subject, state, attempts: 1, nextAt, parkedAt, outcome });
    if (state === "FAILED") counts.failed++;
    else this.#parkBehind(this.#queue.removeBehind(event));
  }

  #parkBehind(events: readonly FirstAttempt[]): void {
    const parkedAt = this.#context.clock.now();
    for (const { seq, subject } of events) {
      this.#parked.push({
        seq,
        subject,
        state: "BEHIND",
        attempts: 0,
        nextAt: null,
        parkedAt,
        outcome: null,
      });
    }
  }
}
