import { mkdir, rm } from "node:fs/promises";
import { type BenchApi, openApi, settleEverything } from "./bench-api.ts";
import { type BenchServer, type ServerOptions, startBenchServer } from "./bench-server.ts";
import {
  type CompletedFigures,
  type Figures,
  fill,
  measureAccepted,
  measureCompleted,
  type Phase,
} from "./load-phase.ts";
import { residentMegabytes } from "./machine.ts";
import { measureQuotes, type QuoteFigures } from "./quote-phase.ts";
import { NOBODY, populate } from "./seed.ts";

export interface LoadRules {
  readonly measureMs: number;
  readonly warmupMs: number;
  readonly coldMs: number;
  readonly stop: AbortSignal;
  readonly say: (text: string) => void;
}

export interface PlaceOptions {
  readonly name: string;
  readonly server: ServerOptions;
  /** The server is deliberately slow and may answer 503. */
  readonly mayBeBusy?: boolean;
}

export interface Load {
  readonly connections: number;
  readonly isHot?: boolean;
}

const WARMING_PAYMENTS = 2_000;

/** A server with its own database and accounts. Several exist at the same time; each load goes to one of them. */
export class Place {
  readonly #wish: PlaceOptions;
  readonly #rules: LoadRules;
  #server: BenchServer | undefined;
  #api: BenchApi | undefined;
  #population = NOBODY;

  constructor(wish: PlaceOptions, rules: LoadRules) {
    this.#wish = wish;
    this.#rules = rules;
  }

  async start(): Promise<BenchServer> {
    this.#rules.stop.throwIfAborted();
    await this.stop();
    const { dataDir, credentials } = this.#wish.server;
    // Under root, PostgreSQL runs as another account, which must be able to enter this directory.
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    const server = await startBenchServer(this.#wish.server);
    this.#server = server;
    this.#api = openApi(server, credentials);
    this.#say(`ready after ${Math.round(server.readyMs)} ms`);
    return server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await server?.stop();
  }

  get isRunning(): boolean {
    return this.#server !== undefined;
  }

  residentMegabytes(): number | undefined {
    return this.#server === undefined ? undefined : residentMegabytes(this.#server.pid);
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.#wish.server.dataDir, { recursive: true, force: true });
  }

  async populate(count: number): Promise<void> {
    this.#population = await populate(this.#here(), { count, known: this.#population });
    this.#say(`${this.#population.accounts.length} funded accounts`);
  }

  /** An unmeasured load, in which a new process compiles its code and loads all accounts into its cache. */
  async warm(): Promise<void> {
    const { accounts, silent } = this.#population;
    await measureAccepted({ ...this.#phase(64, accounts, silent), durationMs: this.#rules.coldMs });
    await this.settle();
  }

  async accepted({ connections, isHot = false }: Load): Promise<Figures> {
    const { accounts, silent } = this.#population;
    const sources = isHot ? accounts.slice(0, 1) : accounts;
    const figures = await measureAccepted(this.#phase(connections, sources, silent));
    const what = `${isHot ? "one hot account, " : ""}${many(connections)}`;
    this.#say(`${what}: ${whole(figures.perSecond)}/s, p99 ${figures.p99Ms.toFixed(1)} ms`);
    return figures;
  }

  /** Book transfers between internal accounts: spread over all accounts, or all to one, as fees are. */
  async booked({ connections, isHot = false }: Load): Promise<Figures> {
    const { accounts } = this.#population;
    const phase = this.#phase(connections, accounts, isHot ? accounts.slice(0, 1) : accounts);
    const figures = await measureAccepted({ ...phase, path: "/transfers" });
    const what = `book transfers${isHot ? " to one account" : ""}, ${many(connections)}`;
    this.#say(`${what}: ${whole(figures.perSecond)}/s, p99 ${figures.p99Ms.toFixed(1)} ms`);
    return figures;
  }

  /** The warm-up of completions runs separately, because a load of completions counts all its transfers. */
  async warmCompletions(): Promise<void> {
    await this.fill(WARMING_PAYMENTS, 64);
  }

  async completed(connections: number): Promise<CompletedFigures> {
    const { accounts, completing } = this.#population;
    const phase = this.#phase(connections, accounts, completing);
    const figures = await measureCompleted(phase);
    this.#say(`${many(connections)}: ${whole(figures.completedPerSecond)} completed/s`);
    return figures;
  }

  async quotes(connections: number, count: number): Promise<QuoteFigures> {
    const { accounts, euros } = this.#population;
    const figures = await measureQuotes(this.#phase(connections, accounts, euros), count);
    const { created, executed } = figures;
    this.#say(
      `quotes, ${many(connections)}: ${whole(created.perSecond)} made/s, ${whole(executed.perSecond)} executed/s`,
    );
    return figures;
  }

  async fill(count: number, connections: number): Promise<void> {
    const { accounts, completing } = this.#population;
    await fill(this.#phase(connections, accounts, completing), count);
  }

  async stored(): Promise<number> {
    return Number((await this.#here().api.get("/transactions?limit=1")).totalCount);
  }

  /** Waits until no transaction is in flight, so that earlier loads do not affect the next figure. */
  async settle(): Promise<void> {
    this.#rules.stop.throwIfAborted();
    const startedAt = performance.now();
    await settleEverything(this.#here().api);
    this.#say(`settled in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  }

  #here(): { readonly port: number; readonly api: BenchApi } {
    if (this.#server === undefined || this.#api === undefined) throw new Error("no server runs");
    return { port: this.#server.port, api: this.#api };
  }

  #phase(connections: number, sources: readonly string[], destinations: readonly string[]): Phase {
    this.#rules.stop.throwIfAborted();
    return {
      ...this.#here(),
      connections,
      warmupMs: this.#rules.warmupMs,
      durationMs: this.#rules.measureMs,
      mayBeBusy: this.#wish.mayBeBusy ?? false,
      sources,
      destinations,
    };
  }

  #say(text: string): void {
    this.#rules.say(`${this.#wish.name}: ${text}`);
  }
}

function many(connections: number): string {
  return connections === 1 ? "1 connection" : `${connections} connections`;
}

function whole(value: number): string {
  return String(Math.round(value));
}
