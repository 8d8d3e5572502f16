/**
 * `florin demo`: fills an empty sandbox with customers and the payments of several months. It uses the public API alone, and moves
 * the sandbox's clock forward between payments: the first day is the sandbox's today, and the last one becomes its new today.
 * Stopped on the way, it leaves what it has made.
 */
import { type Command, InvalidArgumentError } from "commander";
import { connectionOf } from "../connection/connection.ts";
import { environmentOf } from "../connection/environment.ts";
import { NotReached, UsageError } from "../failures.ts";
import type { Host } from "../host.ts";
import { textOf } from "../trigger/sandbox.ts";
import { makeWorkers } from "./agents.ts";
import { type Calls, callsOf } from "./calls.ts";
import { chanceOf } from "./chance.ts";
import { type DemoTools, makeCustomers, supportCurrencies } from "./customers.ts";
import { payForDays } from "./days.ts";
import { makeDesks } from "./desks.ts";
import { tellEndpoints } from "./endpoints.ts";
import { leaveOpenWork } from "./open-work.ts";
import { type Tally, tellTally } from "./tally.ts";

interface DemoOptions {
  readonly customers: number;
  readonly payments: number;
  readonly days: number;
  readonly seed?: number;
  readonly add?: boolean;
  readonly json?: boolean;
  readonly profile?: string;
}

const SEED = 44;

export function addDemo(program: Command, host: Host): void {
  program
    .command("demo")
    .description("Fill an empty sandbox with customers and the payments of several months.")
    .option("--customers <number>", "how many customers", wholeOf(2, 2_000), 300)
    .option("--payments <number>", "how many payments", wholeOf(1, 200_000), 20_000)
    .option(
      "--days <number>",
      "over how many days; the clock moves on by them",
      wholeOf(1, 366),
      120,
    )
    .option("--seed <number>", "another seed makes other names and amounts", wholeOf(0, 2 ** 31))
    .option("--add", "also fills a sandbox that is not empty")
    .option("--json", "prints what was made as JSON")
    .option("--profile <name>", "a saved connection")
    .action((options: DemoOptions) => demo(host, options));
}

function wholeOf(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,10}$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

async function demo(host: Host, options: DemoOptions): Promise<void> {
  const connection = connectionOf(host, options.profile);
  if ((await environmentOf(host, connection)) !== "SANDBOX")
    throw new UsageError("a demo invents customers and money, and so works in a sandbox alone");
  const calls = callsOf(host, connection);
  if (options.add !== true) await refuseFilled(calls);
  const begun = host.now();
  // What is added must not repeat the ids that the platform gave to its first customers.
  const seed = options.seed ?? (options.add === true ? begun : SEED);
  const tools: DemoTools = { calls, chance: chanceOf(seed) };
  const tally = await fill(host, tools, { ...options, url: connection.url });
  const seconds = Math.round((host.now() - begun) / 100) / 10;
  host.writeOut(tellTally({ ...tally, seconds }, options.json === true));
}

async function refuseFilled(calls: Calls): Promise<void> {
  for (const path of ["/customers?limit=1", "/transactions?limit=1"]) {
    const { data } = await calls.get(path);
    if (!Array.isArray(data)) throw new NotReached(`UNEXPECTED_ANSWER: ${path} is no list`);
    if (data.length > 0)
      throw new UsageError("this sandbox is not empty; --add adds to what it has");
  }
}

async function fill(
  host: Host,
  tools: DemoTools,
  options: DemoOptions & { readonly url: string },
): Promise<Omit<Tally, "seconds">> {
  const { calls } = tools;
  const tell = (text: string) => host.writeError(`  ${text}\n`);
  const from = textOf(await calls.get("/sandbox/clock"), "now");
  await supportCurrencies(tools);
  const desks = await makeDesks(calls);
  const customers = await makeCustomers(tools, options.customers);
  const payees = customers.reduce((sum, each) => sum + each.payees.length, 0);
  tell(`${customers.length} customers with ${payees} external accounts`);
  const count = Math.min(20, Math.ceil(customers.length / 10));
  const workers = await makeWorkers(calls, customers, { count, isAsking: false });
  const cast = { customers, workers, desks };
  const { balances, ...made } = await payForDays({ host, tools, tell }, { cast, ...options });
  const open = await leaveOpenWork(tools, cast, balances);
  const told = await tellEndpoints(tools, cast, { host, apiUrl: options.url });
  const to = textOf(await calls.get("/sandbox/clock"), "now");
  return {
    from,
    to,
    customers: customers.length,
    externalAccounts: payees,
    connections: desks.length,
    agents: workers.length + open.askingAgents,
    ...made,
    ...open,
    ...told,
    refused: Object.fromEntries(calls.refused),
  };
}
