import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type BenchApi, untilCommitted, untilCompleted } from "./bench-api.ts";
import type { LoadResult } from "./load-generator.ts";
import type { LoadJob } from "./load-job.ts";
import type { RequestShape } from "./request-source.ts";

export interface Phase {
  readonly port: number;
  readonly api: BenchApi;
  readonly connections: number;
  readonly warmupMs: number;
  readonly durationMs: number;
  readonly sources: readonly string[];
  readonly destinations: readonly string[];
  /** The call of each request; `/transfer-out` unless set. Destinations of `/transfers` are internal accounts. */
  readonly path?: "/transfer-out" | "/transfers";
  /** A deliberately slow server may answer 503; these requests do not count as accepted. */
  readonly mayBeBusy?: boolean;
}

export interface Figures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly count: number;
}

const LOAD_PROCESS = fileURLToPath(new URL("./load-process.js", import.meta.url));

/** Measures accepted transfers. An answer other than 2xx invalidates the figure and ends the run. */
export async function measureAccepted(phase: Phase): Promise<Figures> {
  const result = await runLoadProcess(toJob(phase));
  return figuresOf(result, phase.mayBeBusy);
}

export interface CompletedFigures {
  readonly acceptedPerSecond: number;
  readonly completedPerSecond: number;
  readonly count: number;
}

/**
 * Sends transfers that complete and waits for the last completion. The rate is their number divided by the time from the first
 * request to the last completion. The event of a completion is in the same commit.
 */
export async function measureCompleted(phase: Phase): Promise<CompletedFigures> {
  const { api } = phase;
  const completedBefore = await api.count("COMPLETED");
  const result = await runLoadProcess(toJob({ ...phase, warmupMs: 0 }));
  checkAll(result);
  await untilCompleted(api, completedBefore + result.ok);
  const seconds = (performance.timeOrigin + performance.now() - result.measuredFrom) / 1000;
  const completed = (await api.count("COMPLETED")) - completedBefore;
  if (completed !== result.ok) throw new Error(`${completed} of ${result.ok} were completed`);
  return {
    acceptedPerSecond: result.perSecond,
    completedPerSecond: result.ok / seconds,
    count: result.ok,
  };
}

/** A payment on the simulated rail takes two commands: one creates the transfer, one records its outcome. */
const COMMANDS_A_PAYMENT = 2;

export async function fill(phase: Phase, count: number): Promise<void> {
  const before = await phase.api.committed();
  const { durationMs: _durationMs, warmupMs: _warmupMs, ...job } = toJob(phase);
  const result = await runLoadProcess({ ...job, count });
  checkAll(result);
  await untilCommitted(phase.api, before + result.ok * COMMANDS_A_PAYMENT);
}

function toJob({ port, api, connections, warmupMs, durationMs, ...rest }: Phase): LoadJob {
  const { sources, destinations, path = "/transfer-out" } = rest;
  const requests = transfers({ path, sources, destinations, authorization: api.authorization });
  return { host: "127.0.0.1", port, connections, warmupMs, durationMs, requests };
}

/** One request per source, without those that would pay themselves. The sources are shuffled with a fixed seed. */
function transfers(between: {
  readonly path: string;
  readonly sources: readonly string[];
  readonly destinations: readonly string[];
  readonly authorization: string;
}): readonly RequestShape[] {
  const { path, sources, destinations, authorization } = between;
  const pairs = shuffled(sources).map((source, n) => {
    return { source, destination: destinations[n % destinations.length] };
  });
  const payable = pairs.filter(({ source, destination }) => source !== destination);
  return payable.map(({ source, destination }) => ({
    method: "POST",
    path: `/2025-10-13${path}`,
    headers: { Authorization: authorization },
    body: {
      source: { accountId: source },
      destination: { accountId: destination },
      amount: 1,
    },
  }));
}

export function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  let state = 1;
  const keyed = items.map((item) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return { item, key: state };
  });
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

/** Runs the load in a process of its own, so that it does not share a thread with the bench. */
export async function runLoadProcess(job: LoadJob): Promise<LoadResult> {
  const child = spawn(process.execPath, [LOAD_PROCESS], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  child.stdin.end(JSON.stringify(job));
  const output = await text(child.stdout);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`the load process failed (${code})`);
  return JSON.parse(output) as LoadResult;
}

export function figuresOf(result: LoadResult, mayBeBusy = false): Figures {
  checkAll(result, mayBeBusy);
  const { perSecond, p50Ms, p99Ms, maxMs, ok } = result;
  return { perSecond, p50Ms, p99Ms, maxMs, count: ok };
}

function checkAll(result: LoadResult, mayBeBusy = false): void {
  const { sent, ok, lost, warmupNotOk, byStatus } = result;
  const busy = mayBeBusy ? (byStatus[503] ?? 0) : 0;
  if (ok > 0 && ok + busy === sent && lost === 0 && (mayBeBusy || warmupNotOk === 0)) return;
  throw new Error(
    `of ${sent} requests ${ok} were accepted, ${lost} lost, ${warmupNotOk} failed in the warm-up: ${JSON.stringify(byStatus)}`,
  );
}
