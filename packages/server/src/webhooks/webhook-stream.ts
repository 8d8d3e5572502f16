/**
 * Makes the first attempt of each event of one platform, in order.
 *
 * Steps: lease the stream → read a page of events → attempt them (first-attempts.ts) → sync: in one transaction store the parked ones,
 * move the position past all that were attempted or parked, renew the lease, and read on → release the lease after the last event. A
 * failed event never holds up the position; an endpoint that is down does: the stream is released at its position and taken again for a
 * probe.
 *
 * Bounds: attempts under way, events in memory, the distance between attempts and position. If the process dies, the lease
 * expires, another server reads from the position and repeats the attempts since then; no event is skipped. A process that
 * lost its lease writes nothing, and starts no attempt after its lease has expired. When the database goes back to an earlier
 * state (a restore, a standby that was behind), the events in memory are dropped and read again.
 */
import { type ParkedEvent, parkStep, releaseNextStep } from "../domain/events/delivery.sql.ts";
import {
  decodeExpired,
  expireEventsStep,
  type Outage,
  setDownStep,
  setUpStep,
  stopEndpointStep,
} from "../domain/events/endpoint-state.sql.ts";
import {
  bookkeepingSettings,
  type DeliveryTarget,
  decodeFirstAttempts,
  decodeTaken,
  decodeTarget,
  holdStreamStep,
  type LastRead,
  type Lease,
  NOTHING_READ,
  parkingSettings,
  type Release,
  readEventsStep,
  type StreamKey,
  takeStreamSteps,
  targetStep,
  wasDatabaseRestored,
  wasReleased,
} from "../domain/events/stream.sql.ts";
import type { Step, StepResult } from "../postgres/pipeline.ts";
import { messageOf } from "../std/errors.ts";
import { WakeSignal } from "../std/wake-signal.ts";
import type { DeliveryContext } from "./delivery-context.ts";
import { FirstAttempts } from "./first-attempts.ts";

/**
 * `unavailable`: there is no endpoint that takes events, or another server holds the stream's lease. `downUntil`: no connection
 * to the endpoint can be made, and it is probed then.
 */
export type StreamEnd = "done" | "unavailable" | { readonly downUntil: number };

/** After a hint the endpoint is looked up again within this time, even when no more events are needed. */
const REFRESH_MS = 100;
const AFTER_FAILURE_MS = 500;
const ATTEMPTS_A_SYNC = 128;
/** While a batch waits for more events, they are read four times within its wait, and at least this often. */
const MOST_GATHER_MS = 50;
/** Indexes in the results of a sync. */
const HELD = 1;
const LET_PASS = 3;

interface SyncRule {
  readonly applies: (stream: WebhookStream, now: number) => boolean;
  /** Whether to sync when the rule applies. */
  readonly sync: (stream: WebhookStream) => boolean;
}

const yes = () => true;
const no = () => false;

export class WebhookStream {
  readonly #context: DeliveryContext;
  readonly #key: StreamKey;
  readonly #signal: WakeSignal;
  readonly #attempts: FirstAttempts;
  #target: DeliveryTarget | undefined;
  #lastRead: LastRead = NOTHING_READ;
  #mayHaveMore = false;
  #isHinted = false;
  #isStopping = false;
  #isAbandoned = false;
  #leasedUntil = 0;
  #syncAt = 0;
  /** The events for a batch are not read before then. */
  #gatherUntil = 0;
  /** Set after a failure: the database is left alone until then. */
  #pausedUntil = 0;

  constructor(context: DeliveryContext, key: StreamKey) {
    this.#context = context;
    this.#key = key;
    this.#signal = new WakeSignal(context.clock);
    this.#attempts = new FirstAttempts({
      context,
      key,
      targetNow: () => (context.clock.now() < this.#leasedUntil ? this.#liveTarget() : undefined),
      onSettled: () => this.#signal.set(),
    });
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

  /** Stops waiting for attempts under way: another server repeats them. */
  abandon(): void {
    this.#isAbandoned = true;
    this.stop();
  }

  async run(): Promise<StreamEnd> {
    try {
      if (!(await this.#take())) return this.#notTaken();
      do {
        this.#attempts.start();
        await this.#untilSync();
      } while (await this.#sync());
      const { outage } = this.#attempts;
      if (outage === undefined) return "done";
      await this.#expire(outage);
      return { downUntil: outage.probeAt };
    } finally {
      this.#attempts.close();
    }
  }

  #notTaken(): StreamEnd {
    const target = this.#target;
    if (target === undefined || target.hasNews) return "unavailable";
    return target.down === undefined ? "done" : { downUntil: target.down.probeAt };
  }

  /** Gives up events that are too old by now: while the endpoint is down nothing else does so. */
  async #expire({ reason }: Outage): Promise<void> {
    const { books, counts } = this.#context;
    for (let mayBeMore = true; mayBeMore; ) {
      const steps = [parkingSettings, expireEventsStep(this.#newLease(), reason)];
      const expired = decodeExpired((await books.run(steps)).at(-1));
      counts.failed += expired.count;
      mayBeMore = expired.mayBeMore;
    }
  }

  async #take(): Promise<boolean> {
    const lease = this.#newLease();
    const limit = this.#readLimit();
    this.#isHinted = false;
    // The target is read first: if it shows new events and the stream cannot be taken afterwards, another server has it. In the other
    // order, events committed in between would look the same.
    const [, target, , taken, read] = await this.#context.books.run([
      bookkeepingSettings,
      targetStep(this.#key, lease.now),
      ...takeStreamSteps(lease),
      readEventsStep(lease, { after: this.#lastRead.seq, limit }),
    ]);
    this.#target = decodeTarget(target);
    this.#attempts.setCurrent(this.#target);
    const lastRead = decodeTaken(taken);
    if (lastRead === undefined) return false;
    this.#lastRead = lastRead;
    this.#renewed(lease);
    this.#receive(read, limit);
    return true;
  }

  /** Stores the position and reads on; false when the stream is released or lost. */
  async #sync(): Promise<boolean> {
    const { clock, limits } = this.#context;
    const lease = this.#newLease();
    const position = this.#position();
    const release = this.#release();
    const limit = release === "always" ? 0 : this.#readLimit();
    const parked = this.#attempts.parkedUpTo(position);
    this.#isHinted = false;
    this.#attempts.countFromHere();
    this.#syncAt = clock.now() + limits.renewMs;
    const results = await this.#write([
      parked.length > 0 ? parkingSettings : bookkeepingSettings,
      holdStreamStep(lease, { position, lastRead: this.#lastRead, release }),
      ...this.#changes(lease, parked),
      targetStep(this.#key, lease.now),
      readEventsStep(lease, { after: this.#lastRead.seq, limit }),
    ]);
    if (results === undefined) return !this.#isStopping;
    const { outage } = this.#attempts;
    if (outage !== undefined) this.#logOutage(outage);
    if (parked.length > 0) this.#stored(position, results);
    if (this.#attempts.isUp) this.#context.wakeRetries(this.#key);
    return this.#goOn(lease, results, limit);
  }

  /** Undefined when the database failed: it is tried again after a pause. */
  async #write(steps: readonly Step[]): Promise<readonly StepResult[] | undefined> {
    const { books, clock, log } = this.#context;
    try {
      return await books.run(steps);
    } catch (error) {
      log.warn(
        { err: messageOf(error), platform: this.#key.platformId },
        "a webhook position was not stored; its lease expires if that continues",
      );
      this.#pausedUntil = clock.now() + AFTER_FAILURE_MS;
      this.#mayHaveMore = true;
      return undefined;
    }
  }

  #stored(position: bigint, results: readonly StepResult[]): void {
    this.#attempts.dropParkedUpTo(position);
    // An event that was parked behind an earlier one may have been released in the same transaction.
    if ((results[LET_PASS]?.count ?? 0) > 0) this.#context.wakeRetries(this.#key);
  }

  #goOn(lease: Lease, results: readonly StepResult[], limit: number): boolean {
    const held = results[HELD];
    if (held?.count !== 1) {
      this.#context.log.warn(
        { platform: this.#key.platformId },
        "another server took over a webhook stream",
      );
      return false;
    }
    if (wasDatabaseRestored(held)) return this.#readAnew();
    if (wasReleased(held)) return false;
    this.#renewed(lease);
    this.#target = decodeTarget(results.at(-2));
    this.#attempts.setCurrent(this.#target);
    this.#receive(results.at(-1), limit);
    return true;
  }

  #logOutage({ target, reason, probeAt }: Outage): void {
    if (target.down !== undefined) return;
    this.#context.log.warn(
      { platform: this.#key.platformId, endpoint: this.#key.endpointId, reason, probeAt },
      "a webhook endpoint is down; its events wait",
    );
  }

  /** Ends this stream, so that a new one starts at the position in the database without the events in memory. */
  #readAnew(): false {
    this.#context.log.warn(
      { platform: this.#key.platformId },
      "the database was taken back to an earlier state; its events are read anew",
    );
    this.#isHinted = true;
    return false;
  }

  #changes(lease: Lease, parked: readonly ParkedEvent[]): readonly Step[] {
    const now = this.#context.clock.now();
    const { gone, outage, isUp } = this.#attempts;
    const steps: Step[] = [];
    if (parked.length > 0) {
      const subjects = parked.map((event) => event.subject);
      steps.push(parkStep(lease, parked), releaseNextStep(this.#key, { subjects, now }));
    }
    if (gone !== undefined) steps.push(stopEndpointStep(this.#key, gone, now));
    if (outage !== undefined) steps.push(setDownStep(this.#key, outage, now));
    else if (isUp) steps.push(setUpStep(this.#key));
    return steps;
  }

  #newLease(): Lease {
    const { workerId, clock, limits } = this.#context;
    const now = clock.now();
    return { ...this.#key, workerId, now, until: now + limits.leaseMs };
  }

  #renewed(lease: Lease): void {
    this.#leasedUntil = lease.until;
    this.#syncAt = Math.min(lease.now + this.#context.limits.renewMs, this.#refreshAt());
  }

  #refreshAt(): number {
    return this.#isHinted ? this.#context.clock.now() + REFRESH_MS : Number.POSITIVE_INFINITY;
  }

  #position(): bigint {
    return this.#attempts.positionOf(this.#lastRead);
  }

  #release(): Release {
    const isEnding = this.#liveTarget() === undefined;
    if (isEnding && (this.#attempts.underway === 0 || this.#isAbandoned)) return "always";
    return this.#attempts.size === 0 ? "if-done" : "never";
  }

  #readLimit(): number {
    const { limits, room } = this.#context;
    const span = limits.span - Number(this.#lastRead.seq - this.#position());
    const wanted = Math.min(limits.eventsPerStream - this.#attempts.size, span);
    return wanted <= 0 ? 0 : room.grant(wanted, this.#attempts.width);
  }

  #receive(read: StepResult | undefined, limit: number): void {
    const { clock } = this.#context;
    const events = decodeFirstAttempts(read, clock.now());
    this.#attempts.add(events);
    const last = events.at(-1);
    if (last !== undefined) this.#lastRead = { seq: last.seq, id: last.id };
    const isFull = events.length >= limit;
    this.#mayHaveMore = isFull || this.#isHinted;
    const waitMs = this.#target?.batch?.maxWaitMs ?? 0;
    this.#gatherUntil = isFull ? 0 : clock.now() + Math.min(waitMs / 4, MOST_GATHER_MS);
  }

  /** The endpoint that takes events; undefined while the server stops. */
  #liveTarget(): DeliveryTarget | undefined {
    const { gone, outage } = this.#attempts;
    return this.#isStopping || gone !== undefined || outage !== undefined
      ? undefined
      : this.#target;
  }

  async #untilSync(): Promise<void> {
    while (!this.#mustSync()) await this.#signal.waitUntil(this.#lookAt());
  }

  /** When to look whether a sync is due, if nothing happens before. */
  #lookAt(): number {
    const now = this.#context.clock.now();
    if (this.#pausedUntil > now) return this.#pausedUntil;
    const isGathering = this.#mayHaveMore && this.#gatherUntil > now;
    return isGathering ? Math.min(this.#gatherUntil, this.#syncAt) : this.#syncAt;
  }

  /** When the position is synced: the first rule that applies decides; without one the stream waits for an outcome. */
  static readonly #syncRules: readonly SyncRule[] = [
    // The server no longer waits for attempts under way: release the lease.
    { applies: (s) => s.#isAbandoned, sync: yes },
    // The database failed a moment ago: leave it alone, unless the server stops.
    { applies: (s, now) => now < s.#pausedUntil && !s.#isStopping, sync: no },
    // The lease needs renewal, or the endpoint is to be looked up again.
    { applies: (s, now) => now >= s.#syncAt, sync: yes },
    // The endpoint answered 410: store that.
    { applies: (s) => s.#attempts.gone !== undefined, sync: yes },
    // The endpoint was down and has answered: store that, so that its retries go on.
    { applies: (s) => s.#attempts.isUp, sync: yes },
    // No attempt starts any more: sync once, after the last one under way.
    { applies: (s) => s.#liveTarget() === undefined, sync: (s) => s.#attempts.underway === 0 },
    // Every event has an outcome: move on, or release the lease.
    { applies: (s) => s.#attempts.size === 0, sync: yes },
    // Many attempts have ended: a crash must not repeat more.
    { applies: (s) => s.#attempts.settledCount >= ATTEMPTS_A_SYNC, sync: yes },
    // A parked event is below the position: store it, so that its retry is on time.
    { applies: (s) => s.#attempts.hasParkedUpTo(s.#position()), sync: yes },
    // Few events are left in memory and there may be more: read on.
    {
      applies: (s, now) =>
        s.#mayHaveMore && now >= s.#gatherUntil && s.#attempts.isLow && s.#readLimit() > 0,
      sync: yes,
    },
  ];

  #mustSync(): boolean {
    const now = this.#context.clock.now();
    const rule = WebhookStream.#syncRules.find(({ applies }) => applies(this, now));
    return rule?.sync(this) === true;
  }
}
