/**
 * Runs a follower on this server. Commits of this server name the platforms with new events, and a scan finds those that other servers
 * have written to.
 *
 * Bounds: one connection and one batch at a time; platforms take turns, a batch each; after a batch as much rest as it took, so that
 * catching up on a long history leaves the database to the payments; the platforms that wait, beyond which the scan finds them. A
 * platform whose batch fails is tried again after a pause that doubles up to ten seconds, and the others go on. Without `start` there is
 * no timer and no connection.
 */
import type { Step } from "../postgres/pipeline.ts";
import { createSerialLane, type SerialLane } from "../postgres/serial-lane.ts";
import type { Cancel, Clock } from "../std/clock.ts";
import { messageOf } from "../std/errors.ts";
import { BEFORE_ALL_IDS, randomIds } from "../std/ids.ts";
import type { Log } from "../std/log.ts";
import { WakeSignal } from "../std/wake-signal.ts";
import { FedEntries } from "./fed-entries.ts";
import { commitWithoutWaiting, type Follower, type FollowTools, type Stretch } from "./follower.ts";

export interface FollowerLoop<Commit extends Stretch = Stretch> {
  /** Called with each commit of this server. */
  committed(commit: Commit): void;
  start(): void;
  /** Applies all that there is now; false when some of it failed. Never rejects. */
  runOnce(): Promise<boolean>;
  /** Resolves after the batch under way. */
  stop(): Promise<void>;
  /** Batches and scans that failed. */
  failed(): number;
}

export interface Pace {
  /** The delay before the batch of a commit, so that one batch takes in many commits; also before the first scan. */
  readonly gatherMs: number;
  /** At this number of entries from commits the batch starts at once: applying them blocks the event loop for some milliseconds. */
  readonly fedAtOnce?: number;
  readonly scanMs: number;
  readonly platformsAScan: number;
}

const LEASE_MS = 10_000;
/** Bounds the rest: after a change of the clock or a suspended machine, a batch seems to have taken long. */
const LONGEST_REST_MS = 10_000;
const MOST_WAITING = 10_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

export function followLog<Position, Entries, Commit extends Stretch = Stretch>(
  follower: Follower<Position, Entries, Commit>,
  tools: FollowTools & { readonly pace: Pace },
): FollowerLoop<Commit> {
  return new Loop(follower, tools);
}

interface Waiting {
  readonly platformId: string;
  readonly at: number;
  /** Consecutive failures of its batches. */
  readonly failures: number;
}

class Loop<Position, Entries, Commit extends Stretch> implements FollowerLoop<Commit> {
  readonly #follower: Follower<Position, Entries, Commit>;
  readonly #fed: FedEntries<Position, Entries, Commit>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #pace: Pace;
  readonly #lane: SerialLane;
  readonly #signal: WakeSignal;
  /** A signal of its own, so that a commit does not end a rest. */
  readonly #rest: WakeSignal;
  readonly #ids = randomIds();
  readonly #workerId: string;
  /** Platforms that wait for their turn, in its order. */
  readonly #line = new Map<string, Waiting>();
  #scannedTo = BEFORE_ALL_IDS;
  #scanAt = 0;
  #failed = 0;
  #isStopped = false;
  #cancel: Cancel | undefined;
  #running: Promise<void> | undefined;

  constructor(
    follower: Follower<Position, Entries, Commit>,
    { database, clock, log, pace }: FollowTools & { readonly pace: Pace },
  ) {
    this.#follower = follower;
    this.#fed = new FedEntries(follower);
    this.#clock = clock;
    this.#log = log;
    this.#pace = pace;
    this.#lane = createSerialLane(database, follower.name);
    this.#signal = new WakeSignal(clock);
    this.#rest = new WakeSignal(clock);
    this.#workerId = this.#ids.next(clock.now());
  }

  committed(commit: Commit): void {
    const { platformId, after, upTo } = commit;
    if (upTo === after) return;
    const { gatherMs, fedAtOnce = Number.POSITIVE_INFINITY } = this.#pace;
    const now = this.#clock.now();
    this.#add(platformId, now + gatherMs);
    if (this.#fedWith(commit) < fedAtOnce) return;
    const waiting = this.#line.get(platformId);
    if (waiting === undefined || waiting.failures > 0 || waiting.at <= now) return;
    this.#line.set(platformId, { ...waiting, at: now });
    this.#signal.set();
  }

  /** Never throws, because the commit has happened. What could not be added is read. */
  #fedWith(commit: Commit): number {
    try {
      return this.#fed.add(commit);
    } catch (error) {
      this.#fed.forget(commit.platformId);
      this.#tellFailure(error, commit.platformId);
      return 0;
    }
  }

  start(): void {
    // Not during the start, which has more urgent work.
    this.#cancel = this.#clock.after(this.#pace.gatherMs, () => {
      this.#running = this.#loop();
    });
  }

  async runOnce(): Promise<boolean> {
    const before = this.#failed;
    for (let after: string | undefined = BEFORE_ALL_IDS; after !== undefined; ) {
      const from: string = after;
      const page = await this.#attempt(() => this.#behind(from));
      for (const platformId of page?.found ?? [])
        while (await this.#attempt(() => this.#step(platformId), platformId));
      after = page?.last;
    }
    return this.#failed === before;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    this.#signal.set();
    this.#rest.set();
    await this.#running;
    await this.#lane.close();
  }

  failed(): number {
    return this.#failed;
  }

  async #loop(): Promise<void> {
    while (!this.#isStopped) {
      const isScan = this.#clock.now() >= this.#scanAt;
      if (isScan) await this.#attempt(() => this.#scan());
      await this.#applyDue();
      if (isScan) this.#scanAt = this.#clock.now() + this.#pace.scanMs;
      const times = [...this.#line.values()].map(({ at }) => at);
      if (!this.#isStopped) await this.#signal.waitUntil(Math.min(this.#scanAt, ...times));
    }
  }

  /** Scans one page of platforms; the next scan continues after it. */
  async #scan(): Promise<void> {
    const { found, last = BEFORE_ALL_IDS } = await this.#behind(this.#scannedTo);
    this.#scannedTo = last;
    for (const platformId of found) this.#add(platformId, this.#clock.now());
  }

  async #applyDue(): Promise<void> {
    for (let due = this.#take(); due !== undefined; due = this.#take()) {
      const { platformId, failures } = due;
      const began = this.#clock.now();
      const hasMore = await this.#attempt(() => this.#step(platformId), platformId);
      const now = this.#clock.now();
      if (hasMore === true) this.#add(platformId, now);
      if (hasMore === undefined) {
        const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
        // A hint that came meanwhile does not shorten the pause.
        this.#line.set(platformId, { platformId, at: now + pauseMs, failures: failures + 1 });
      }
      const restMs = Math.min(now - began, LONGEST_REST_MS);
      if (restMs > 0 && !this.#isStopped) await this.#rest.waitUntil(now + restMs);
    }
  }

  /** A platform that waits already keeps its place and its time. */
  #add(platformId: string, at: number): void {
    if (this.#line.has(platformId) || this.#line.size >= MOST_WAITING) return;
    this.#line.set(platformId, { platformId, at, failures: 0 });
  }

  /** The first platform whose time has come. */
  #take(): Waiting | undefined {
    const now = this.#isStopped ? Number.NEGATIVE_INFINITY : this.#clock.now();
    const due = [...this.#line.values()].find(({ at }) => at <= now);
    if (due !== undefined) this.#line.delete(due.platformId);
    return due;
  }

  /** A page of platforms; `last` is there when there may be more behind it. */
  async #behind(after: string) {
    const limit = this.#pace.platformsAScan;
    const page = { after, now: this.#clock.now(), workerId: this.#workerId, limit };
    const { rows } = await this.#lane.run(this.#follower.positions.behind(page));
    const found = rows.map(([platformId]) => platformId ?? "");
    return { found, last: found.length < limit ? undefined : found.at(-1) };
  }

  /** Applies one batch; true when there is more, false also when another server has the lease. */
  async #step(platformId: string): Promise<boolean> {
    const { positions, apply } = this.#follower;
    const now = this.#clock.now();
    const attemptId = this.#ids.next(now);
    const lease = { platformId, workerId: this.#workerId, attemptId, now, until: now + LEASE_MS };
    const taken = await this.#lane.run(commitWithoutWaiting, ...positions.take(lease));
    const position = positions.decode(taken);
    // Another server follows the platform.
    if (position === undefined) this.#fed.forget(platformId);
    const batch = position && (await this.#fed.batch(this.#lane, platformId, position));
    if (position === undefined || batch === undefined) return false;
    const moved = positions.move(lease, position, batch.next);
    const applied = apply(lease, position, batch.entries);
    await this.#lane.run(commitWithoutWaiting, moved, ...applied);
    return batch.hasMore;
  }

  /** Runs work that may fail and is repeated later; answers undefined when it failed. */
  async #attempt<Outcome>(work: () => Promise<Outcome>, platform?: string) {
    try {
      return await work();
    } catch (error) {
      this.#tellFailure(error, platform);
      return undefined;
    }
  }

  #tellFailure(error: unknown, platform: string | undefined): void {
    this.#failed++;
    const what = { err: messageOf(error), follower: this.#follower.name, platform };
    this.#log.warn(what, "a follower failed; it goes on");
  }
}

/**
 * Makes the follower start a platform from the beginning: `restart` resets the position, and `clear` deletes some of the applied rows at
 * each call. The position is set back again at the end, because a server may have applied a batch meanwhile.
 */
export async function rebuild(
  lane: SerialLane,
  { restart, clear }: { readonly restart: Step; readonly clear: Step },
): Promise<void> {
  await lane.run(restart);
  while ((await lane.run(clear)).count > 0);
  await lane.run(restart);
}
