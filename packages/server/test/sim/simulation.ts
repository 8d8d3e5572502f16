/**
 * One run of the simulation: two servers on one database, a manual clock, and a seeded random generator. The first phase has
 * faults: dropped connections, killed servers with leased jobs, lost calls of the rail. The second phase has none, and all
 * payments must become final. After each step the database is compared with the model.
 */
import { isDeepStrictEqual } from "node:util";
import type { Client } from "pg";
import { expect } from "vitest";
import { makePlatform } from "../../src/boot/first-platform.ts";
import type { Answered } from "../../src/engine/command.ts";
import { assert, present } from "../../src/std/assert.ts";
import { testSealer } from "../kit/bookkeeping.ts";
import { chanceFrom } from "../kit/chance.ts";
import { createManualClock, type ManualClock } from "../kit/manual-clock.ts";
import type { TestDatabase } from "../kit/test-database.ts";
import { type BatchGate, createBatchGate } from "./batch-gate.ts";
import { type ChanceRail, createChanceRail } from "./chance-rail.ts";
import { checkLimitsKept } from "./check-agents.ts";
import { checkOrdersToPay, isUnderWay } from "./check-quotes.ts";
import { checkState } from "./check-state.ts";
import { type Arrivals, arrivalsOf, orderInLog } from "./commit-order.ts";
import {
  firstAgentQuotes,
  firstAgents,
  firstRedemptions,
  firstSubmissions,
  lastDecisions,
} from "./draw-agent-order.ts";
import {
  firstFrozenLegs,
  firstOwnAccounts,
  firstSchedules,
  lastSchedules,
} from "./draw-bulk-order.ts";
import { firstHolds } from "./draw-hold-order.ts";
import { accountsFor, drawOrder, moneyFor, openings } from "./draw-order.ts";
import { firstFundings, firstQuotes } from "./draw-quote-order.ts";
import { sumsByCurrency } from "./expected-books.ts";
import { isOpen, Model } from "./model.ts";
import type { ModelAgents } from "./model-agents.ts";
import { type Asked, type Order, toSubmission } from "./orders.ts";
import { LEASE_MS, type SimServer, startSimServer } from "./sim-server.ts";
import { count, isKept, type Tally } from "./verdict.ts";

export interface SimReport {
  readonly platformId: string;
  readonly orders: number;
  readonly payments: number;
  /** The number of quotes in each state. */
  readonly quotes: Tally;
  /** How often book transfers got each verdict. */
  readonly bookTransfers: Tally;
  /** How often refunds got each verdict. */
  readonly refunds: Tally;
  /** How often orders about holds got each verdict, and holds have expired. */
  readonly holds: Tally;
  /** How often orders about own accounts, and orders of several payments, got each verdict. */
  readonly ownAccounts: Tally;
  readonly bulk: Tally;
  readonly batches: Tally;
  readonly schedules: Tally;
  /** Verdicts on orders about agents, and how many orders had exactly one possible verdict. */
  readonly agents: Readonly<Pick<ModelAgents, "met" | "answers" | "certain">>;
  readonly steps: ReadonlyMap<string, number>;
}

const STEPS = 28;
const MOST_TURNS = 400_000;
/** Of the second phase, in each of which every due job has run; and with those that a busy machine did not finish. */
const ROUNDS = 40;
const MOST_ROUNDS = 400;
const START_MS = Date.UTC(2026, 0, 1);

export async function simulate(seed: number, place: TestDatabase): Promise<SimReport> {
  return place.asSuperuser(async (client) => {
    const simulation = await Simulation.begin(seed, { place, client });
    try {
      await simulation.furnish();
      for (let step = 0; step < STEPS; step++) await simulation.step();
      await simulation.converge();
      const report = simulation.report();
      await simulation.end();
      return report;
    } catch (error) {
      await simulation.end();
      await simulation.forget();
      throw error;
    }
  });
}

interface Parts {
  readonly place: TestDatabase;
  readonly client: Client;
  readonly clock: ManualClock;
  readonly rail: ChanceRail;
  readonly gate: BatchGate;
  readonly chance: (below: number) => number;
  readonly platformId: string;
}

class Simulation {
  readonly #parts: Parts;
  readonly #model: Model;
  readonly #servers: SimServer[];
  readonly #keyed: Asked[] = [];
  readonly #steps = new Map<string, number>();
  /** The platform's time at the last check; later orders were decided later. */
  #checkedAt = 0;
  #orders = 0;

  private constructor(parts: Parts, servers: SimServer[]) {
    this.#parts = parts;
    this.#servers = servers;
    this.#model = new Model(parts.rail.reportsOf);
  }

  static async begin(
    seed: number,
    { place, client }: Pick<Parts, "place" | "client">,
  ): Promise<Simulation> {
    const chance = chanceFrom(seed);
    const clock = createManualClock(START_MS + seed * 86_400_000);
    const rail = createChanceRail(chance);
    rail.shut();
    const gate = createBatchGate();
    const servers = [
      await startSimServer({ place, clock, rail, gate }),
      await startSimServer({ place, clock, rail, gate }),
    ];
    const { engine } = present(servers[0], "a server");
    const wish = {
      name: `seed ${seed}`,
      environment: "SANDBOX",
      umaDomain: `s${seed}-${process.pid}.test`,
      isRegulated: false,
    } as const;
    const made = present(
      await settle(clock, makePlatform({ engine, sealer: testSealer, clock }, wish)),
      "a platform",
    );
    for (const server of servers) server.jobs.start();
    const { platformId } = made;
    const parts = { place, client, clock, rail, gate, chance, platformId };
    return new Simulation(parts, servers);
  }

  /** Creates funded customers, external accounts of all outcomes, agents and quotes. */
  async furnish(): Promise<void> {
    await this.#check();
    const parties = [openings, accountsFor, moneyFor, firstHolds, firstAgents, firstRedemptions];
    const own = [firstOwnAccounts, firstFrozenLegs, firstSchedules];
    const payments = [firstQuotes, firstFundings, firstAgentQuotes, firstSubmissions];
    for (const drawUp of [...parties, ...own, ...payments]) await this.#carryOutAll(drawUp);
  }

  /** Each list of orders is generated after the previous one was executed. */
  async #carryOutAll(drawUp: (model: Model, chance: Parts["chance"]) => readonly Order[]) {
    const orders = drawUp(this.#model, this.#parts.chance);
    await this.#carryOut(orders.map((order): Asked => ({ order, key: undefined })));
    await this.#check();
  }

  async step(): Promise<void> {
    const { chance } = this.#parts;
    const kinds = {
      orders: () => this.#takeOrders({ drops: false }),
      drop: () => this.#takeOrders({ drops: true }),
      meanwhile: () => this.#takeOrdersMeanwhile(),
      twice: () => this.#askTwice(),
      crash: () => this.#crash(),
      work: () => this.#work(),
      time: () => this.#parts.clock.advance(chance(3 * LEASE_MS)),
      leap: () => this.#leap(),
    } as const;
    const weighted = ["orders", "orders", "work", ...Object.keys(kinds)] as (keyof typeof kinds)[];
    const kind = present(weighted[chance(weighted.length)], "a kind of step");
    this.#steps.set(kind, (this.#steps.get(kind) ?? 0) + 1);
    await kinds[kind]();
    await this.#check();
  }

  /** Ends the faults and advances time; all payments become final in bounded time. */
  async converge(): Promise<void> {
    const { clock, rail, gate } = this.#parts;
    const { transfers, quotes, agents, batches, schedules } = this.#model;
    rail.calm();
    rail.open();
    await this.#carryOut([{ order: { kind: "advance", seconds: 300 }, key: undefined }]);
    await this.#carryOutAll(lastDecisions);
    gate.open();
    const now = () => this.#platformNow();
    const underWay = () => ({
      batches: [...batches.all].filter(([, batch]) => batches.isUnderWay(batch)).map(([id]) => id),
      schedules: [...schedules.all]
        .filter(([, one]) => schedules.isDue(one, now()))
        .map(([id]) => id),
      actions: agents.untold,
      transfers: [...transfers].filter(([, one]) => isOpen(one)).map(([id]) => id),
      quotes: [...quotes.all].filter(([, one]) => isUnderWay(one, rail)).map(([id]) => id),
    });
    const nothing = { batches: [], schedules: [], actions: 0, transfers: [], quotes: [] };
    const isDone = () => isDeepStrictEqual(underWay(), nothing);
    // The database works in real time and the clock does not: on a busy machine a round may end before its jobs do.
    let late = 0;
    for (let round = 0; round - late < ROUNDS && round < MOST_ROUNDS && !isDone(); round++) {
      await clock.advance(LEASE_MS);
      if (!(await this.#drain())) late++;
      await this.#check();
    }
    const left = isDone() ? [] : await this.#jobsLeft();
    expect(
      underWay(),
      `every payment has come to its end; ${late} rounds were late; jobs left: ${left}`,
    ).toEqual(nothing);
    await this.#carryOutAll(lastSchedules);
    const ofQuotes = [...quotes.all.values()].map(({ transactionId }) => transactionId);
    const known = new Set([...transfers.keys(), ...ofQuotes]);
    const stray = [...rail.received.keys()].filter((key) => !known.has(key.split("/")[0] ?? ""));
    expect(stray, "the rail got nothing but payments that are in the books").toEqual([]);
    checkOrdersToPay(quotes, rail);
    checkLimitsKept(this.#model);
    expect(agents.actions.waiting(), "every action is decided").toEqual([]);
    for (const [currency, sum] of Object.entries(sumsByCurrency(this.#model)))
      expect(sum, `${currency} that was made or lost`).toBe(0n);
  }

  report(): SimReport {
    const payments = this.#model.transfers.size;
    const quotes: Tally = new Map();
    for (const { state } of this.#model.quotes.all.values()) count(quotes, state);
    const { platformId } = this.#parts;
    const { agents, bookVerdicts: bookTransfers } = this.#model;
    return {
      platformId,
      payments,
      quotes,
      bookTransfers,
      refunds: this.#model.refunds.met,
      holds: this.#model.holds.met,
      ownAccounts: this.#model.ownAccounts.met,
      bulk: this.#model.bulk.met,
      batches: this.#model.batches.met,
      schedules: this.#model.schedules.met,
      agents,
      orders: this.#orders,
      steps: this.#steps,
    };
  }

  async end(): Promise<void> {
    const { clock, gate, rail } = this.#parts;
    rail.open();
    gate.open();
    await settle(clock, Promise.all(this.#servers.map((server) => server.stop())));
  }

  /** Deletes remaining jobs, so that servers of the next run do not execute them. */
  async forget(): Promise<void> {
    const { client, platformId } = this.#parts;
    await client.query("delete from jobs where platform_id = $1", [platformId]);
  }

  #anyServer(): SimServer {
    return present(this.#servers[this.#parts.chance(this.#servers.length)], "a server");
  }

  #draw(from: "all" | "money", isKeyed: "always" | "sometimes"): readonly Asked[] {
    const { chance } = this.#parts;
    return Array.from({ length: 1 + chance(22) }, () => {
      const old = this.#keyed[chance(this.#keyed.length)];
      if (old !== undefined && chance(8) === 0) return old;
      const order = drawOrder(this.#model, { chance, from });
      if (old !== undefined && chance(24) === 0 && !asksAsAgent(old.order))
        return { order, key: old.key };
      const hasKey = isKeyed === "always" || chance(2) === 0;
      const asked = { order, key: hasKey ? `k${this.#keyed.length}` : undefined };
      if (hasKey) this.#keyed.push(asked);
      return asked;
    });
  }

  /** Submits orders without faults and judges them. */
  async #carryOut(asked: readonly Asked[]): Promise<void> {
    const answers = arrivalsOf(this.#submit(this.#anyServer(), asked));
    this.#judge(asked, await settle(this.#parts.clock, answers));
  }

  #submit(server: SimServer, asked: readonly Asked[]): Promise<Answered>[] {
    this.#orders += asked.length;
    const { platformId } = this.#parts;
    return asked.map((one) => server.engine.submit(toSubmission(platformId, one)));
  }

  /** Judges answers in the order of execution. */
  #judge(asked: readonly Asked[], { answers, came }: Arrivals): void {
    this.#model.time = { earliest: this.#checkedAt, latest: this.#platformNow(asked) };
    for (const index of came) this.#model.judge(...exchangeOf(index, { asked, answers }));
  }

  /**
   * With two servers, and after a drop, answers arrive in another order than the one of the commits: the log has that. An answer that is not
   * in the log must have been possible at some moment.
   */
  async #judgeByLog(asked: readonly Asked[], answers: readonly Answered[]): Promise<void> {
    const { logged, unlogged } = await orderInLog(this.#parts, asked, answers);
    const latest = this.#platformNow([...new Set(asked)]);
    this.#model.time = { earliest: this.#checkedAt, latest };
    const open = new Set(unlogged);
    const judge = (index: number) => this.#model.judge(...exchangeOf(index, { asked, answers }));
    const judgeWhatFits = () => {
      for (const index of open) {
        if (!this.#model.allows(...exchangeOf(index, { asked, answers }))) continue;
        judge(index);
        open.delete(index);
      }
    };
    judgeWhatFits();
    for (const index of logged) {
      judge(index);
      judgeWhatFits();
    }
    for (const index of open) judge(index);
  }

  #platformNow(asked: readonly Asked[] = []): number {
    const seconds = asked.reduce((sum, { order }) => sum + secondsOf(order), 0);
    return this.#parts.clock.now() + this.#model.clockOffsetMs + seconds * 1000;
  }

  async #takeOrders({ drops }: { readonly drops: boolean }): Promise<void> {
    // The log knows the order of those that have a key.
    const asked = this.#draw("all", drops ? "always" : "sometimes");
    const server = this.#anyServer();
    const answers = arrivalsOf(this.#submit(server, asked));
    if (drops) {
      await this.#someTurns();
      server.dropConnections();
    }
    const arrivals = await settle(this.#parts.clock, answers);
    if (drops) await this.#judgeByLog(asked, arrivals.answers);
    else this.#judge(asked, arrivals);
  }

  /** Orders while payments end concurrently. */
  async #takeOrdersMeanwhile(): Promise<void> {
    this.#parts.rail.open();
    const asked = this.#draw("money", "sometimes");
    const answers = arrivalsOf(this.#submit(this.#anyServer(), asked));
    this.#judge(asked, await settle(this.#parts.clock, answers));
    this.#parts.rail.shut();
  }

  /** Submits the same orders under the same keys to both servers: each is executed once. */
  async #askTwice(): Promise<void> {
    const asked = this.#draw("all", "always");
    const both = this.#servers.map((server) => Promise.all(this.#submit(server, asked)));
    const answers = await settle(this.#parts.clock, Promise.all(both));
    // Judged together: an unlogged answer may have been possible at a moment between orders of the two servers.
    await this.#judgeByLog(
      answers.flatMap(() => asked),
      answers.flat(),
    );
  }

  /** A server dies in the middle of its orders; the callers retry on the other server. */
  async #crash(): Promise<void> {
    const { chance, clock, place, rail, gate } = this.#parts;
    const index = chance(this.#servers.length);
    const dying = present(this.#servers[index], "a server");
    const other = present(this.#servers[1 - index], "a server");
    const asked = this.#draw("all", "always");
    const heard = new Map<number, Answered>();
    for (const [at, answer] of this.#submit(dying, asked).entries())
      answer.then(
        (answered) => heard.set(at, answered),
        () => undefined,
      );
    await this.#someTurns();
    dying.die();
    const before = new Map(heard);
    const answers = await settle(clock, Promise.all(this.#submit(other, asked)));
    for (const [at, { status, body }] of before) {
      if (!isKept({ status, body })) continue;
      expect(answers[at], "what was answered stays").toMatchObject({ status, body });
    }
    await this.#judgeByLog(asked, answers);
    this.#servers[index] = await startSimServer({ place, clock, rail, gate });
    this.#servers[index]?.jobs.start();
  }

  async #work(): Promise<void> {
    const { chance, clock, gate, rail } = this.#parts;
    rail.open();
    gate.open();
    const drained = this.#drain();
    if (chance(3) === 0) {
      await this.#someTurns();
      this.#anyServer().dropConnections();
    }
    await drained;
    gate.shut();
    await settle(clock, gate.idle());
    rail.shut();
  }

  /** A dropped connection ends a scan for jobs; the next scan finds them. Answers whether both servers ran all due jobs in time. */
  async #drain(): Promise<boolean> {
    const { clock, platformId } = this.#parts;
    const looks = this.#servers.map((server) =>
      server.jobs.drain(platformId).then(
        () => true,
        () => false,
      ),
    );
    return (await settle(clock, Promise.all(looks))).every((isWhole) => isWhole);
  }

  async #jobsLeft(): Promise<readonly string[]> {
    const { client, clock, platformId } = this.#parts;
    const { rows } = await client.query<{ job: string }>(
      "select concat_ws(' ', kind, 'attempts', attempts, 'due', due_at, 'run', run_at, payload) as job from jobs where platform_id = $1",
      [platformId],
    );
    return [
      `at ${new Date(clock.now()).toISOString()}`,
      ...rows.map(({ job }) => job),
      ...this.#servers.flatMap(({ failures }) => failures),
    ];
  }

  /** Advances to the end of a day or a month: shortly before it, so that the next orders cross it, or beyond. */
  async #leap(): Promise<void> {
    const { chance } = this.#parts;
    const now = new Date(this.#platformNow());
    const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
    const end = chance(3) === 0 ? Date.UTC(year, month + 1, 1) : Date.UTC(year, month, day + 1);
    const untilEnd = Math.ceil((end - now.getTime()) / 1000);
    const seconds = chance(2) === 0 ? untilEnd - 1 - chance(30) : untilEnd + chance(7_200);
    const order = { kind: "advance", seconds: Math.max(1, seconds) } as const;
    await this.#carryOut([{ order, key: undefined }]);
  }

  async #someTurns(): Promise<void> {
    const { chance, clock } = this.#parts;
    for (let turns = chance(40); turns > 0; turns--) await clock.advance(0);
  }

  async #check(): Promise<void> {
    const { client, clock, platformId, rail } = this.#parts;
    this.#model.time = { earliest: this.#checkedAt, latest: this.#platformNow() };
    await checkState(client, { platformId, rail, model: this.#model, hostNow: clock.now() });
    this.#checkedAt = this.#platformNow();
  }
}

/** Answers to a deleted agent are not stored under its key, so such a key is not reused. */
function asksAsAgent(order: Order): boolean {
  return order.kind === "submit" || (order.kind === "make-quote" && order.agentId !== null);
}

function exchangeOf(
  index: number,
  said: { readonly asked: readonly Asked[]; readonly answers: readonly Answered[] },
): [Asked, Pick<Answered, "status" | "body">] {
  const { status, body } = present(said.answers[index], "an answer");
  return [present(said.asked[index], "an order"), { status, body }];
}

function secondsOf(order: Order): number {
  return order.kind === "advance" ? order.seconds : 0;
}

/** Runs the event loop, and advances time at intervals, until the work is done. */
async function settle<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  let isSettled = false;
  const note = () => {
    isSettled = true;
  };
  work.then(note, note);
  for (let turn = 1; !isSettled; turn++) {
    assert(turn < MOST_TURNS, "the simulation stands still");
    await clock.advance(turn % 10 === 0 ? 1 : 0);
  }
  return work;
}
