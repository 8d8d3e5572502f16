import type { Cancel } from "../../std/clock.ts";
import { pause } from "../../std/clock.ts";
import { messageOf, StartRefused } from "../../std/errors.ts";
import { boundLogFile } from "./log-file.ts";
import { bringDown, bringUp, type Site } from "./postmaster.ts";
import { isAlive } from "./processes.ts";

const LOOK_MS = 100;
/** A PostgreSQL that lived this long did start; one that dies sooner counts as a start that failed. */
const STEADY_MS = 1_000;
const FIRST_START_FAILURES = 3;
const MAX_FAILURES = 12;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
const BOUND_LOG_MS = 60_000;

/** How long to wait before the next try: nothing at first, then twice as long each time. */
export function pauseBefore(failures: number): number {
  return failures === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS);
}

/** Keeps one PostgreSQL alive from `begin` to `stop`. */
export class Watch {
  readonly #site: Site;
  readonly #onGaveUp: ((error: unknown) => void) | undefined;
  #pid: number | undefined;
  #isWanted = true;
  #failures = 0;
  #readyAt = 0;
  #logBoundAt: number;
  #cancelLook: Cancel = () => undefined;
  /** What is under way; it never rejects. */
  #work: Promise<void> = Promise.resolve();

  private constructor(site: Site, onGaveUp: ((error: unknown) => void) | undefined) {
    this.#site = site;
    this.#onGaveUp = onGaveUp;
    this.#logBoundAt = site.clock.now();
  }

  static async begin(site: Site, onGaveUp?: (error: unknown) => void): Promise<Watch> {
    const watch = new Watch(site, onGaveUp);
    await boundLogFile(site.logFile);
    await watch.#tryToBringUp(FIRST_START_FAILURES);
    watch.#lookLater();
    return watch;
  }

  get pid(): number | undefined {
    return this.#pid;
  }

  async stop(): Promise<void> {
    this.#isWanted = false;
    this.#cancelLook();
    await this.#work;
    this.#pid = undefined;
    await bringDown(this.#site);
    this.#site.log.info({ cluster: this.#site.cluster }, "PostgreSQL stopped");
  }

  #lookLater(): void {
    if (this.#isWanted) this.#cancelLook = this.#site.clock.after(LOOK_MS, () => this.#look());
  }

  #look(): void {
    if (this.#pid === undefined || !isAlive(this.#pid)) this.#work = this.#revive();
    else if (this.#site.clock.now() - this.#logBoundAt >= BOUND_LOG_MS)
      this.#work = this.#boundLog();
    else this.#lookLater();
  }

  async #revive(): Promise<void> {
    const { clock, log } = this.#site;
    log.error({ pid: this.#pid }, "PostgreSQL has died; starting it again");
    this.#pid = undefined;
    this.#failures = clock.now() - this.#readyAt >= STEADY_MS ? 0 : this.#failures + 1;
    try {
      await this.#tryToBringUp(MAX_FAILURES);
      this.#lookLater();
    } catch (error) {
      log.error(
        { err: messageOf(error), failures: this.#failures },
        "PostgreSQL cannot be brought back; gave up",
      );
      this.#onGaveUp?.(error);
    }
  }

  /** Tries until it runs, is not wanted any more, or has failed too often in a row. */
  async #tryToBringUp(maxFailures: number): Promise<void> {
    while (this.#isWanted) {
      await this.#rest(pauseBefore(this.#failures));
      try {
        this.#pid = await bringUp(this.#site, () => this.#isWanted);
        this.#readyAt = this.#site.clock.now();
        return;
      } catch (error) {
        this.#failures += 1;
        this.#site.log.error(
          { err: messageOf(error), failures: this.#failures },
          "PostgreSQL did not start",
        );
        if (error instanceof StartRefused || this.#failures >= maxFailures) throw error;
      }
    }
  }

  /** In small pieces, so that `stop` need not wait for the whole of it. */
  async #rest(durationMs: number): Promise<void> {
    for (let leftMs = durationMs; leftMs > 0 && this.#isWanted; leftMs -= FIRST_PAUSE_MS) {
      await pause(this.#site.clock, Math.min(leftMs, FIRST_PAUSE_MS));
    }
  }

  async #boundLog(): Promise<void> {
    this.#logBoundAt = this.#site.clock.now();
    try {
      await boundLogFile(this.#site.logFile);
    } catch (error) {
      this.#site.log.warn({ err: messageOf(error) }, "the log of PostgreSQL could not be bounded");
    }
    this.#lookLater();
  }
}
