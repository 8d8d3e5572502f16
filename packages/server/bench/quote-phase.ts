import { randomUUID } from "node:crypto";
import { type BenchApi, type Json, settleEverything } from "./bench-api.ts";
import { runLoad } from "./load-generator.ts";
import type { LoadJob } from "./load-job.ts";
import { type Figures, figuresOf, type Phase, runLoadProcess, shuffled } from "./load-phase.ts";
import { createRequestSource, type RequestShape } from "./request-source.ts";

/** Quotes created per second and quotes executed per second. Each quote is executed once. */
export interface QuoteFigures {
  readonly created: Figures;
  readonly executed: Figures;
}

const HOST = "127.0.0.1";
/** The warm-up executes this share of `count` first, unmeasured. */
const WARMING_SHARE = 1 / 4;

export async function measureQuotes(phase: Phase, count: number): Promise<QuoteFigures> {
  const { api, port, connections, destinations } = phase;
  const requests = shuffled(phase.sources).map((source, n) =>
    quoteRequest(api, source, destinations[n % destinations.length]),
  );
  const job = { host: HOST, port, connections, requests };
  const { warmupMs, durationMs } = phase;
  const created = figuresOf(await runLoadProcess({ ...job, warmupMs, durationMs }));
  const warming = Math.round(count * WARMING_SHARE);
  const ids = await makeQuotes({ ...job, count: count + warming });
  const executions = ids.map((id) => executeRequest(api, id));
  await executeEach({ ...job, requests: executions.slice(0, warming) });
  const executed = await executeEach({ ...job, requests: executions.slice(warming) });
  await settleEverything(api);
  return { created, executed };
}

/** A quote can be executed once, so the load is bounded by count and not by time. */
async function executeEach(job: LoadJob): Promise<Figures> {
  return figuresOf(await runLoadProcess({ ...job, count: job.requests.length }));
}

async function makeQuotes(job: {
  readonly port: number;
  readonly connections: number;
  readonly requests: readonly RequestShape[];
  readonly count: number;
}): Promise<readonly string[]> {
  const { port, connections, requests, count } = job;
  const keyPrefix = `quotes-${randomUUID()}-`;
  const ids: string[] = [];
  const result = await runLoad({
    host: HOST,
    port,
    connections,
    count,
    nextRequest: createRequestSource({ host: HOST, port, requests, keyPrefix }),
    onBody: ({ body }) => ids.push(String((JSON.parse(body.toString()) as Json).id)),
  });
  if (result.ok !== count) throw new Error(`${result.ok} of ${count} quotes were created`);
  return ids;
}

function quoteRequest(
  api: BenchApi,
  source: string,
  destination: string | undefined,
): RequestShape {
  return {
    method: "POST",
    path: "/2025-10-13/quotes",
    headers: { Authorization: api.authorization },
    body: {
      source: { sourceType: "ACCOUNT", accountId: source },
      destination: { destinationType: "ACCOUNT", accountId: destination },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 100,
    },
  };
}

function executeRequest(api: BenchApi, id: string): RequestShape {
  return {
    method: "POST",
    path: `/2025-10-13/quotes/${encodeURIComponent(id)}/execute`,
    headers: { Authorization: api.authorization },
  };
}
