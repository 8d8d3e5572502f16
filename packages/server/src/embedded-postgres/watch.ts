import { type Cancel, pause, within } from "../std/clock.ts";
import { messageOf, StartRefused } from "../std/errors.ts";
import { boundLogFile } from "./log-file.ts";
import { bringDown, bringUp, hasSocket, type Site } from "./postmaster.ts";
import { isAlive } from "./processes.ts";
import { statsOf } from "./safe-place.ts";

const LOOK_MS = 100;
/** A PostgreSQL that lived this long did start; one that dies sooner counts as a start that failed. */
const STEADY_MS = 1_000;
const FIRST_START_FAILURES = 3;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
const BOUND_LOG_MS = 60_000;
/** Once the backoff is at its longest, a failed start is logged this often. */
const COMPLAIN_MS = 60_000;

const STOP_LIMIT_MS = 9_000;

export interface WatchOptions {
  /** Called once when PostgreSQL cannot be restarted. */
  readonly onGaveUp?: ((error: unknown) => void) | undefined;
  /** When it is aborted before the beginning is over, PostgreSQL is brought down and the beginning fails. */
  readonly signal?: AbortSignal | undefined;
}

/** How long to wait before the next try: nothing at first, then twice as long each time. */
export function pauseBefore(failures: number): number {
  return failures === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS);
}

/**
 * Keeps one PostgreSQL alive from `begin` to `stop`, and the way to it open.
 *
 * What keeps it from starting may pass: a full disk, a lack of memory, an administrator at work on it. So once it ran, it
 * is tried for as long as its directory is there, which is the only thing that another try cannot bring back.
 */
export class Watch {
  readonly #site: Site;
  readonly #onGaveUp: WatchOptions["onGaveUp"];
  #pid: number | undefined;
  #isWanted = true;
  #failures = 0;
  #readyAt = 0;
  #logBoundAt: number;
  #complainedAt = 0;
  /** Which directory it is that was there at the beginning. */
  #cluster: string | undefined;
  #cancelLook: Cancel = () => undefined;
  /** What is under way; it never rejects. */
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
    watch.#lookLater();
    return watch;
  }

  get pid(): number | undefined {
    return this.#pid;
  }

  async stop(limitMs: number): Promise<void> {
    const { clock, cluster, log } = this.#site;
    const endBy = clock.now() + limitMs;
    this.#isWanted = false;
    this.#cancelLook();
    // What is under way sees that it is not wanted, unless it waits for a PostgreSQL that does not end: then we help.
    await within(this.#work, { clock, limitMs: limitMs / 2, late: () => undefined });
    this.#pid = undefined;
    await bringDown(this.#site, endBy - clock.now());
    log.info({ cluster }, "PostgreSQL stopped");
  }

  #lookLater(): void {
    if (this.#isWanted) this.#cancelLook = this.#site.clock.after(LOOK_MS, () => this.#look());
  }

  #look(): void {
    if (this.#pid === undefined || !isAlive(this.#pid)) {
      this.#work = this.#revive("PostgreSQL has died; starting it again");
    } else if (!hasSocket(this.#site)) {
      this.#work = this.#revive("the socket of PostgreSQL is gone; starting it anew");
    } else {
      this.#work = this.#boundLog().then(() => this.#lookLater());
    }
  }

  async #revive(why: string): Promise<void> {
    const { clock, log } = this.#site;
    log.error({ pid: this.#pid }, why);
    this.#pid = undefined;
    this.#failures = clock.now() - this.#readyAt >= STEADY_MS ? 0 : this.#failures + 1;
    try {
      await this.#tryToBringUp(() => this.#isClusterGone());
      this.#lookLater();
    } catch (error) {
      log.error(
        { err: messageOf(error), failures: this.#failures },
        "PostgreSQL cannot be brought back; gave up",
      );
      this.#onGaveUp?.(error);
    }
  }

  /** Tries until it runs, is not wanted any more, or cannot come to run. */
  async #tryToBringUp(isHopeless: (error: unknown) => boolean | Promise<boolean>): Promise<void> {
    while (this.#isWanted) {
      await this.#rest(pauseBefore(this.#failures));
      try {
        this.#pid = await bringUp(this.#site, () => this.#isWanted);
        this.#readyAt = this.#site.clock.now();
        return;
      } catch (error) {
        this.#failures += 1;
        this.#complain(error);
        if (await isHopeless(error)) throw error;
        await this.#boundLog();
      }
    }
  }

  /** The first failures are all logged, those at the longest backoff now and then. */
  #complain(error: unknown): void {
    const { clock, log } = this.#site;
    const now = clock.now();
    const isNew = pauseBefore(this.#failures) < MAX_PAUSE_MS;
    if (!isNew && now - this.#complainedAt < COMPLAIN_MS) return;
    this.#complainedAt = now;
    log.error({ err: messageOf(error), failures: this.#failures }, "PostgreSQL did not start");
  }

  /** What cannot be looked at may be there. */
  async #isClusterGone(): Promise<boolean> {
    try {
      return identityOf(await statsOf(this.#site.cluster)) !== this.#cluster;
    } catch {
      return false;
    }
  }

  /** In small pieces, so that `stop` need not wait for the whole of it. */
  async #rest(durationMs: number): Promise<void> {
    for (let leftMs = durationMs; leftMs > 0 && this.#isWanted; leftMs -= FIRST_PAUSE_MS) {
      await pause(this.#site.clock, Math.min(leftMs, FIRST_PAUSE_MS));
    }
  }

  /** When it was not for a while. */
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
