import { type Cancel, pause, within } from "../std/clock.ts";
import { messageOf, StartRefused } from "../std/errors.ts";
import { boundLogFile } from "./log-file.ts";
import { bringDown, bringUp, hasSocket, type Site } from "./postmaster.ts";
import { isAlive } from "./processes.ts";
import { statsOf } from "./safe-place.ts";

const CHECK_MS = 100;
/** A PostgreSQL that dies sooner after its start counts as a failed start, so that the backoff grows. */
const STEADY_MS = 1_000;
const FIRST_START_FAILURES = 3;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
const BOUND_LOG_MS = 60_000;
/** At the maximum backoff, failed starts are logged at this interval. */
const LOG_FAILURE_MS = 60_000;

const STOP_LIMIT_MS = 9_000;

export interface WatchOptions {
  readonly onGaveUp?: ((error: unknown) => void) | undefined;
  /** An abort during `begin` stops PostgreSQL; `begin` then fails. */
  readonly signal?: AbortSignal | undefined;
}

/** Exponential backoff: 0, 100 ms, 200 ms … 5 s. */
export function pauseBefore(failures: number): number {
  return failures === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS);
}

/**
 * The watchdog of one PostgreSQL from `begin` to `stop`: restarts it when the process died or the socket was deleted.
 *
 * Most causes of a failed start are transient: a full disk, too little memory, maintenance. So after the first successful
 * start the watchdog retries without limit, unless the directory of the cluster was deleted or replaced.
 */
export class Watch {
  readonly #site: Site;
  readonly #onGaveUp: WatchOptions["onGaveUp"];
  #pid: number | undefined;
  #isWanted = true;
  #failures = 0;
  #readyAt = 0;
  #logBoundAt: number;
  #failureLoggedAt = 0;
  /** Device and inode of the cluster's directory at the beginning. */
  #cluster: string | undefined;
  #cancelCheck: Cancel = () => undefined;
  /** The current check or restart; never rejects. */
  #work: Promise<void> = Promise.resolve();

  private constructor(site: Site, { onGaveUp }: WatchOptions) {
    this.#site = site;
    this.#onGaveUp = onGaveUp;
    this.#logBoundAt = site.clock.now();
  }

  static async begin(site: Site, options: WatchOptions = {}): Promise<Watch> {
    const { signal } = options;
    signal?.throwIfAborted();
    const watch = new Watch(site, options);
    const abandon = () => {
      watch.#isWanted = false;
    };
    signal?.addEventListener("abort", abandon);
    await boundLogFile(site.logFile);
    watch.#cluster = identityOf(await statsOf(site.cluster));
    await watch
      .#tryToBringUp(
        (error) => error instanceof StartRefused || watch.#failures >= FIRST_START_FAILURES,
      )
      .finally(() => signal?.removeEventListener("abort", abandon));
    if (signal?.aborted === true) {
      await watch.stop(STOP_LIMIT_MS);
      throw signal.reason;
    }
    watch.#scheduleCheck();
    return watch;
  }

  get pid(): number | undefined {
    return this.#pid;
  }

  async stop(limitMs: number): Promise<void> {
    const { clock, cluster, log } = this.#site;
    const endBy = clock.now() + limitMs;
    this.#isWanted = false;
    this.#cancelCheck();
    // The current work sees `#isWanted`, unless it waits for a PostgreSQL that does not end; `bringDown` then ends that one.
    await within(this.#work, { clock, limitMs: limitMs / 2, late: () => undefined });
    this.#pid = undefined;
    await bringDown(this.#site, endBy - clock.now());
    log.info({ cluster }, "PostgreSQL stopped");
  }

  #scheduleCheck(): void {
    if (this.#isWanted) this.#cancelCheck = this.#site.clock.after(CHECK_MS, () => this.#check());
  }

  #check(): void {
    if (this.#pid === undefined || !isAlive(this.#pid)) {
      this.#work = this.#restart("PostgreSQL has died; starting it again");
    } else if (!hasSocket(this.#site)) {
      this.#work = this.#restart("the socket of PostgreSQL was deleted; restarting PostgreSQL");
    } else {
      this.#work = this.#boundLog().then(() => this.#scheduleCheck());
    }
  }

  async #restart(why: string): Promise<void> {
    const { clock, log } = this.#site;
    log.error({ pid: this.#pid }, why);
    this.#pid = undefined;
    this.#failures = clock.now() - this.#readyAt >= STEADY_MS ? 0 : this.#failures + 1;
    try {
      await this.#tryToBringUp(() => this.#isClusterGone());
      this.#scheduleCheck();
    } catch (error) {
      log.error(
        { err: messageOf(error), failures: this.#failures },
        "PostgreSQL cannot be restarted, because its directory was deleted or replaced",
      );
      this.#onGaveUp?.(error);
    }
  }

  /** Retries until PostgreSQL runs, `stop` was called, or `isHopeless` is true. */
  async #tryToBringUp(isHopeless: (error: unknown) => boolean | Promise<boolean>): Promise<void> {
    while (this.#isWanted) {
      await this.#pause(pauseBefore(this.#failures));
      try {
        this.#pid = await bringUp(this.#site, () => this.#isWanted);
        this.#readyAt = this.#site.clock.now();
        return;
      } catch (error) {
        this.#failures += 1;
        this.#logFailure(error);
        if (await isHopeless(error)) throw error;
        await this.#boundLog();
      }
    }
  }

  /** Logs all failures until the maximum backoff is reached, then one per `LOG_FAILURE_MS`. */
  #logFailure(error: unknown): void {
    const { clock, log } = this.#site;
    const now = clock.now();
    const isNew = pauseBefore(this.#failures) < MAX_PAUSE_MS;
    if (!isNew && now - this.#failureLoggedAt < LOG_FAILURE_MS) return;
    this.#failureLoggedAt = now;
    log.error({ err: messageOf(error), failures: this.#failures }, "PostgreSQL did not start");
  }

  /** False when the directory cannot be read: the cause may be transient. */
  async #isClusterGone(): Promise<boolean> {
    try {
      return identityOf(await statsOf(this.#site.cluster)) !== this.#cluster;
    } catch {
      return false;
    }
  }

  /** Pauses in small steps, so that `stop` does not wait for the whole pause. */
  async #pause(durationMs: number): Promise<void> {
    for (let leftMs = durationMs; leftMs > 0 && this.#isWanted; leftMs -= FIRST_PAUSE_MS) {
      await pause(this.#site.clock, Math.min(leftMs, FIRST_PAUSE_MS));
    }
  }

  /** Bounds the log at most once per `BOUND_LOG_MS`. */
  async #boundLog(): Promise<void> {
    const { clock, log, logFile } = this.#site;
    if (clock.now() - this.#logBoundAt < BOUND_LOG_MS) return;
    this.#logBoundAt = clock.now();
    try {
      await boundLogFile(logFile);
    } catch (error) {
      log.warn({ err: messageOf(error) }, "the log of PostgreSQL could not be bounded");
    }
  }
}

function identityOf(found: { readonly dev: number; readonly ino: number } | undefined) {
  return found === undefined ? undefined : `${found.dev} ${found.ino}`;
}
