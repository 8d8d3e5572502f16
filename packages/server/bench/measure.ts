import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pauseMs } from "node:timers/promises";
import { type Credentials, environmentOf, type ServerOptions } from "./bench-server.ts";
import type { Measurements } from "./goals.ts";
import type { CompletedFigures, Figures } from "./load-phase.ts";
import { type LoadRules, Place } from "./place.ts";
import type { QuoteFigures } from "./quote-phase.ts";

export interface Plan {
  readonly accounts: number;
  readonly measureMs: number;
  /** Warm-up of each load, and of a new process before its first load (`coldMs`). */
  readonly warmupMs: number;
  readonly coldMs: number;
  readonly restMs: number;
  /** Repetitions of loads that are compared. Even, because every second round runs in reverse order. */
  readonly rounds: number;
  readonly storedAtLeast: number;
}

export interface BenchOptions {
  readonly plan: Plan;
  readonly main: string;
  readonly dataDir: string;
  readonly credentials: Credentials;
  readonly stop: AbortSignal;
  readonly say: (text: string) => void;
}

const FEW_ACCOUNTS = 100;
/** The number of quotes for each second of the measuring time. */
const QUOTES_A_SECOND = 3_000;
/** Outcomes of silent destinations arrive after 30 s. A group of loads must end before, or its figures are invalid. */
const GROUP_LIMIT_MS = 28_000;

/**
 * Loads that are compared alternate within seconds, because the same load can differ by half over minutes on a shared machine.
 * So a server with batches of one runs beside the usual server, and later one with a new database beside the full one.
 * Transfers that were accepted in a group of loads settle after the group, so that they do not affect a figure.
 */
export async function measureEverything(wish: BenchOptions): Promise<Measurements> {
  const bench = new Bench(wish);
  try {
    return await bench.run();
  } finally {
    await bench.stop();
  }
}

type Rounds = Pick<
  Measurements,
  | "accepted64"
  | "accepted256"
  | "hot64"
  | "booked64"
  | "bookedHot64"
  | "batchOfOne64"
  | "batchOfOne256"
>;

type Completions = Pick<
  Measurements,
  "completed64" | "completed256" | "besideCompleted64" | "besideCompleted256"
>;

type FullAndNew = Pick<
  Measurements,
  "storedTransactions" | "fresh64" | "besideFresh64" | "stored64" | "besideStored64"
>;

class Bench {
  readonly #wish: BenchOptions;
  readonly #usual: Place;
  readonly #ofOne: Place;
  readonly #fresh: Place;

  constructor(wish: BenchOptions) {
    this.#wish = wish;
    const rules: LoadRules = { ...wish, ...wish.plan };
    const server = (dataDir: string): ServerOptions => this.#serverWish(dataDir);
    this.#usual = new Place({ name: "usual settings", server: server("usual") }, rules);
    const ofOne = { ...server("of-one"), settings: { ENGINE_BATCH_MAX: "1" } };
    this.#ofOne = new Place({ name: "batches of one", server: ofOne, mayBeBusy: true }, rules);
    this.#fresh = new Place({ name: "new database", server: server("new") }, rules);
  }

  async run(): Promise<Measurements> {
    const rounds = await this.#rounds();
    const single = await this.#single();
    const completions = await this.#completions();
    const quotes = await this.#quotesAndBeside();
    const fullAndNew = await this.#fullAndNew();
    return {
      ...rounds,
      single,
      ...completions,
      ...quotes,
      ...fullAndNew,
      ...(await this.#ending()),
    };
  }

  async stop(): Promise<void> {
    await Promise.all([this.#usual.stop(), this.#ofOne.stop(), this.#fresh.stop()]);
  }

  #serverWish(name: string): ServerOptions {
    const { main, dataDir, credentials } = this.#wish;
    return { main, dataDir: join(dataDir, name), credentials };
  }

  async #rounds(): Promise<Rounds> {
    for (const place of [this.#usual, this.#ofOne]) {
      await place.start();
      await place.populate(this.#wish.plan.accounts);
      await place.warm();
    }
    const rounds = await this.#inTurn({
      batchOfOne64: () => this.#ofOne.accepted({ connections: 64 }),
      accepted64: () => this.#usual.accepted({ connections: 64 }),
      hot64: () => this.#usual.accepted({ connections: 64, isHot: true }),
      booked64: () => this.#usual.booked({ connections: 64 }),
      bookedHot64: () => this.#usual.booked({ connections: 64, isHot: true }),
      accepted256: () => this.#usual.accepted({ connections: 256 }),
      batchOfOne256: () => this.#ofOne.accepted({ connections: 256 }),
    });
    await this.#ofOne.remove();
    return rounds;
  }

  /** Runs the loads in sequence, in reverse order every second round. */
  async #inTurn<Name extends string>(
    loads: Readonly<Record<Name, () => Promise<Figures>>>,
  ): Promise<Record<Name, readonly Figures[]>> {
    const names = Object.keys(loads) as Name[];
    const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
      Name,
      Figures[]
    >;
    for (let n = 0; n < this.#wish.plan.rounds; n += 1) {
      const startedAt = performance.now();
      for (const name of n % 2 === 0 ? names : names.toReversed()) {
        figures[name].push(await loads[name]());
      }
      assertInTime(startedAt);
      await this.#settle();
    }
    return figures;
  }

  async #settle(): Promise<void> {
    for (const place of [this.#usual, this.#ofOne, this.#fresh]) {
      if (place.isRunning) await place.settle();
    }
  }

  async #single(): Promise<Figures> {
    const figures = await this.#usual.accepted({ connections: 1 });
    await this.#usual.settle();
    return figures;
  }

  async #completions(): Promise<Completions> {
    await this.#usual.warmCompletions();
    const completed64: CompletedFigures[] = [];
    const completed256: CompletedFigures[] = [];
    const besideCompleted64: Figures[] = [];
    const besideCompleted256: Figures[] = [];
    for (let n = 0; n < this.#wish.plan.rounds; n += 1) {
      besideCompleted64.push(await this.#usual.accepted({ connections: 64 }));
      await this.#usual.settle();
      completed64.push(await this.#usual.completed(64));
      besideCompleted256.push(await this.#usual.accepted({ connections: 256 }));
      await this.#usual.settle();
      completed256.push(await this.#usual.completed(256));
    }
    return { completed64, completed256, besideCompleted64, besideCompleted256 };
  }

  async #quotesAndBeside(): Promise<Pick<Measurements, "quotes64" | "besideQuotes64">> {
    const { measureMs, rounds } = this.#wish.plan;
    const count = Math.round((QUOTES_A_SECOND * measureMs) / 1000);
    const besideQuotes64: Figures[] = [];
    const quotes64: QuoteFigures[] = [];
    for (let n = 0; n < rounds; n += 1) {
      besideQuotes64.push(await this.#usual.accepted({ connections: 64 }));
      await this.#usual.settle();
      quotes64.push(await this.#usual.quotes(64, count));
    }
    return { quotes64, besideQuotes64 };
  }

  /**
   * Compares the full database with a new one: at the first load of the new one, when PostgreSQL has no statistics of its
   * tables, and with as many accounts as in the full one.
   */
  async #fullAndNew(): Promise<FullAndNew> {
    const storedTransactions = await this.#fillUp();
    const { plan } = this.#wish;
    await this.#fresh.start();
    await this.#fresh.populate(FEW_ACCOUNTS);
    await this.#fresh.warm();
    const first = await this.#inTurn({
      fresh64: () => this.#fresh.accepted({ connections: 64 }),
      besideFresh64: () => this.#usual.accepted({ connections: 64 }),
    });
    await this.#fresh.populate(plan.accounts);
    await this.#fresh.warm();
    const rounds = await this.#inTurn({
      besideStored64: () => this.#fresh.accepted({ connections: 64 }),
      stored64: () => this.#usual.accepted({ connections: 64 }),
    });
    await this.#fresh.remove();
    return { storedTransactions, ...first, ...rounds };
  }

  async #fillUp(): Promise<number> {
    const missing = this.#wish.plan.storedAtLeast - (await this.#usual.stored());
    if (missing > 0) {
      this.#wish.say(`adding ${missing} transactions`);
      await this.#usual.fill(missing, 256);
    }
    return this.#usual.stored();
  }

  async #ending() {
    const { restMs } = this.#wish.plan;
    await pauseMs(restMs);
    const restAfterLoadMegabytes = this.#usual.residentMegabytes();
    const { readyMs } = await this.#usual.start();
    await pauseMs(restMs);
    const restMegabytes = this.#usual.residentMegabytes();
    await this.#usual.stop();
    this.#wish.say("verifying the books and the log");
    return {
      startMs: readyMs,
      restMegabytes,
      restAfterLoadMegabytes,
      isVerified: await this.#verify(),
    };
  }

  async #verify(): Promise<boolean> {
    const wish = this.#serverWish("usual");
    const child = spawn(process.execPath, [wish.main, "verify"], {
      env: environmentOf(wish),
      stdio: ["ignore", "inherit", "inherit"],
    });
    const [code] = (await once(child, "exit")) as [number | null];
    return code === 0;
  }
}

function assertInTime(startedAt: number): void {
  const tookMs = performance.now() - startedAt;
  if (tookMs <= GROUP_LIMIT_MS) return;
  throw new Error(
    `a group of loads took ${Math.round(tookMs / 1000)} s, so delayed outcomes fell into it; run again on an idle machine`,
  );
}
