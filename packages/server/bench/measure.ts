import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pauseMs } from "node:timers/promises";
import { type BenchApi, openApi, settleEverything } from "./bench-api.ts";
import {
  type BenchServer,
  type Credentials,
  environmentOf,
  type ServerWish,
  startBenchServer,
} from "./bench-server.ts";
import type { Measurements } from "./goals.ts";
import {
  type CompletedFigures,
  type Figures,
  fill,
  measureAccepted,
  measureCompleted,
  type Phase,
} from "./load-phase.ts";
import { residentMegabytes } from "./machine.ts";
import { measureQuotes } from "./quote-phase.ts";
import { type Population, populate } from "./seed.ts";

export interface Plan {
  readonly accounts: number;
  readonly measureMs: number;
  /** How often the usual settings are measured; batches of one are measured in between. */
  readonly rounds: number;
  /** The last load runs on a database with at least so many transactions. */
  readonly storedAtLeast: number;
}

export interface BenchWish {
  readonly plan: Plan;
  readonly main: string;
  readonly dataDir: string;
  readonly credentials: Credentials;
  readonly stop: AbortSignal;
  readonly say: (text: string) => void;
}

const FEW_ACCOUNTS = 100;
const REST_MS = 5_000;
/** The first load on a new process also warms its code, and fetches the rows of every account once. */
const COLD_WARMUP_MS = 6_000;
const WARM_WARMUP_MS = 500;
const WARMING_PAYMENTS = 2_000;
/** So many are made for each second that executing them is to take. */
const QUOTES_A_SECOND = 3_000;
/** Outcomes of silent destinations come after 30 s; a group of loads is over by then, or its figures are void. */
const GROUP_LIMIT_MS = 28_000;

/**
 * The order: a new database and its first load; then the usual settings and batches of one in turn, each on a server
 * started for it; completions, each after a load that is only accepted; quotes between two loads of transfers; the
 * database filled up and measured again; start, memory and verification. What was accepted in a group of loads settles
 * after the group, so it does not weigh on a figure.
 */
export async function measureEverything(wish: BenchWish): Promise<Measurements> {
  const bench = new Bench(wish);
  try {
    return await bench.run();
  } finally {
    await bench.stopServer();
  }
}

interface Round {
  readonly at64: Figures;
  readonly at256: Figures;
  readonly hot64: Figures;
}

/** Completions, and what was accepted right before them. */
interface CompletedBeside {
  readonly accepted: Figures;
  readonly completed: CompletedFigures;
}

type Completions = Pick<
  Measurements,
  "completed64" | "completed256" | "besideCompleted64" | "besideCompleted256"
>;

class Bench {
  readonly #wish: BenchWish;
  #server: BenchServer | undefined;
  #api: BenchApi | undefined;
  #population: Population = { accounts: [], completing: [], silent: [] };
  #isCold = true;

  constructor(wish: BenchWish) {
    this.#wish = wish;
  }

  async run(): Promise<Measurements> {
    const { plan } = this.#wish;
    await this.#start("a new database");
    this.#population = await populate(this.#place(), { count: FEW_ACCOUNTS });
    const fresh64 = await this.#accepted("fresh database, 64 connections", { connections: 64 });
    await this.#settle();
    await this.#populateFully();
    const rounds: Round[] = [];
    const ofOne: Pick<Round, "at64" | "at256">[] = [];
    for (let n = 0; n < plan.rounds; n += 1) {
      rounds.push(await this.#round());
      if (n === plan.rounds - 1) break;
      ofOne.push(await this.#batchOfOneRound());
    }
    const single = await this.#accepted("1 connection", { connections: 1 });
    await this.#settle();
    const completions = await this.#completions();
    const { quotes64, besideQuotes64 } = await this.#quotesAndBeside();
    const storedTransactions = await this.#fillUp(plan.storedAtLeast);
    const stored64 = await this.#stored();
    const ending = await this.#ending();
    return {
      fresh64,
      accepted64: rounds.map((round) => round.at64),
      accepted256: rounds.map((round) => round.at256),
      hot64: rounds.map((round) => round.hot64),
      batchOfOne64: ofOne.map((round) => round.at64),
      batchOfOne256: ofOne.map((round) => round.at256),
      ...completions,
      besideQuotes64,
      quotes64,
      single,
      stored64,
      storedTransactions,
      ...ending,
    };
  }

  async stopServer(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await server?.stop();
  }

  async #start(
    what: string,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<BenchServer> {
    this.#wish.stop.throwIfAborted();
    await this.stopServer();
    const server = await startBenchServer(this.#serverWish(settings));
    this.#server = server;
    this.#api = openApi(server.baseUrl, this.#wish.credentials);
    this.#isCold = true;
    this.#wish.say(`${what}: ready after ${Math.round(server.readyMs)} ms`);
    return server;
  }

  #serverWish(settings: Readonly<Record<string, string>> = {}): ServerWish {
    const { main, dataDir, credentials } = this.#wish;
    return { main, dataDir, credentials, settings };
  }

  #place(): { readonly port: number; readonly api: BenchApi } {
    if (this.#server === undefined || this.#api === undefined) throw new Error("no server runs");
    return { port: this.#server.port, api: this.#api };
  }

  async #populateFully(): Promise<void> {
    const { accounts } = this.#wish.plan;
    this.#population = await populate(this.#place(), { count: accounts, known: this.#population });
    this.#wish.say(`${this.#population.accounts.length} funded accounts`);
  }

  async #round(): Promise<Round> {
    if (!this.#isCold) await this.#start("usual settings");
    const startedAt = performance.now();
    const at64 = await this.#accepted("accepted, 64 connections", { connections: 64 });
    const at256 = await this.#accepted("accepted, 256 connections", { connections: 256 });
    const hot64 = await this.#accepted("accepted, one hot account, 64 connections", {
      connections: 64,
      isHot: true,
    });
    assertInTime(startedAt);
    await this.#settle();
    return { at64, at256, hot64 };
  }

  async #batchOfOneRound(): Promise<Pick<Round, "at64" | "at256">> {
    await this.#start("batches of one", { ENGINE_BATCH_MAX: "1" });
    const startedAt = performance.now();
    const mayBeBusy = true;
    const at64 = await this.#accepted("batch of 1, 64", { connections: 64, mayBeBusy });
    const at256 = await this.#accepted("batch of 1, 256", { connections: 256, mayBeBusy });
    assertInTime(startedAt);
    await this.#start("usual settings");
    await this.#settle();
    return { at64, at256 };
  }

  async #accepted(
    what: string,
    load: { readonly connections: number; readonly isHot?: boolean; readonly mayBeBusy?: boolean },
  ): Promise<Figures> {
    const { connections, isHot = false, mayBeBusy = false } = load;
    const { accounts, silent } = this.#population;
    const sources = isHot ? accounts.slice(0, 1) : accounts;
    const phase = this.#phase(connections, sources, silent);
    const figures = await measureAccepted({ ...phase, mayBeBusy });
    this.#isCold = false;
    this.#wish.say(
      `${what}: ${Math.round(figures.perSecond)}/s, p99 ${figures.p99Ms.toFixed(1)} ms`,
    );
    return figures;
  }

  /** The warm-up of a load of completions: they are counted, so it cannot be a part of it. */
  async #warmCompletions(): Promise<void> {
    const { accounts, completing } = this.#population;
    await fill(this.#phase(64, accounts, completing), WARMING_PAYMENTS);
  }

  async #completions(): Promise<Completions> {
    await this.#warmCompletions();
    const at64: CompletedBeside[] = [];
    const at256: CompletedBeside[] = [];
    for (let n = 0; n < this.#wish.plan.rounds; n += 1) {
      at64.push(await this.#completedBeside(64));
      at256.push(await this.#completedBeside(256));
    }
    return {
      completed64: at64.map(({ completed }) => completed),
      completed256: at256.map(({ completed }) => completed),
      besideCompleted64: at64.map(({ accepted }) => accepted),
      besideCompleted256: at256.map(({ accepted }) => accepted),
    };
  }

  async #completedBeside(connections: number): Promise<CompletedBeside> {
    const accepted = await this.#accepted(`beside completions, ${connections}`, { connections });
    await this.#settle();
    return { accepted, completed: await this.#completed(connections) };
  }

  async #completed(connections: number) {
    const { accounts, completing } = this.#population;
    const figures = await measureCompleted(this.#phase(connections, accounts, completing));
    this.#wish.say(
      `completed, ${connections} connections: ${Math.round(figures.completedPerSecond)}/s`,
    );
    return figures;
  }

  async #quotesAndBeside(): Promise<Pick<Measurements, "quotes64" | "besideQuotes64">> {
    const before = await this.#accepted("beside the quotes, 64", { connections: 64 });
    await this.#settle();
    const quotes64 = await this.#quotes(64);
    const after = await this.#accepted("beside the quotes, 64", { connections: 64 });
    return { quotes64, besideQuotes64: [before, after] };
  }

  async #quotes(connections: number) {
    const { accounts } = this.#population;
    const count = Math.round((QUOTES_A_SECOND * this.#wish.plan.measureMs) / 1000);
    const figures = await measureQuotes(this.#phase(connections, accounts, []), count);
    const { created, executed } = figures;
    this.#wish.say(
      `quotes, ${connections} connections: ${Math.round(created.perSecond)} made/s, ${Math.round(executed.perSecond)} executed/s`,
    );
    return figures;
  }

  #phase(connections: number, sources: readonly string[], destinations: readonly string[]): Phase {
    this.#wish.stop.throwIfAborted();
    return {
      ...this.#place(),
      connections,
      warmupMs: this.#isCold ? COLD_WARMUP_MS : WARM_WARMUP_MS,
      durationMs: this.#wish.plan.measureMs,
      sources,
      destinations,
    };
  }

  async #settle(): Promise<void> {
    this.#wish.stop.throwIfAborted();
    const startedAt = performance.now();
    await settleEverything(this.#place().api);
    this.#wish.say(`settled in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  }

  /** How many transactions there are then. */
  async #fillUp(atLeast: number): Promise<number> {
    await this.#settle();
    const { api } = this.#place();
    const total = async () => Number((await api.get("/transactions?limit=1")).totalCount);
    const missing = atLeast - (await total());
    if (missing > 0) {
      this.#wish.say(`adding ${missing} transactions`);
      const { accounts, completing } = this.#population;
      await fill(this.#phase(256, accounts, completing), missing);
    }
    return total();
  }

  async #stored(): Promise<readonly Figures[]> {
    const startedAt = performance.now();
    const rounds: Figures[] = [];
    for (let n = 0; n < this.#wish.plan.rounds; n += 1) {
      rounds.push(await this.#accepted("full database, 64 connections", { connections: 64 }));
    }
    assertInTime(startedAt);
    await this.#settle();
    return rounds;
  }

  async #ending() {
    await pauseMs(REST_MS);
    const restAfterLoadMegabytes = residentMegabytes(this.#server?.pid ?? 0);
    const { pid, readyMs } = await this.#start("the used directory");
    await pauseMs(REST_MS);
    const restMegabytes = residentMegabytes(pid);
    await this.stopServer();
    this.#wish.say("verifying the books and the log");
    return {
      startMs: readyMs,
      restMegabytes,
      restAfterLoadMegabytes,
      isVerified: await this.#verify(),
    };
  }

  async #verify(): Promise<boolean> {
    const wish = this.#serverWish();
    const child = spawn(process.execPath, [wish.main, "verify"], {
      env: environmentOf(wish),
      stdio: ["ignore", "inherit", "ignore"],
    });
    const [code] = (await once(child, "exit")) as [number | null];
    return code === 0;
  }
}

function assertInTime(startedAt: number): void {
  const tookMs = performance.now() - startedAt;
  if (tookMs <= GROUP_LIMIT_MS) return;
  throw new Error(`a group of loads took ${Math.round(tookMs / 1000)} s: outcomes came into it`);
}
