import { setTimeout as pauseMs } from "node:timers/promises";
import type { Credentials } from "./bench-server.ts";

/** The few calls the bench makes besides the load itself. */
export interface BenchApi {
  get(path: string): Promise<Json>;
  post(path: string, body: Json): Promise<Json>;
  /** How many outgoing transactions are in this state. */
  count(status: string): Promise<number>;
  readonly authorization: string;
}

export type Json = Readonly<Record<string, unknown>>;

export function openApi(baseUrl: string, { clientId, clientSecret }: Credentials): BenchApi {
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
  async function call(method: string, path: string, body?: Json): Promise<Json> {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Json;
  }
  return {
    authorization,
    get: (path) => call("GET", path),
    post: (path, body) => call("POST", path, body),
    async count(status) {
      const page = await call("GET", `/transactions?type=OUTGOING&status=${status}&limit=1`);
      return Number(page.totalCount);
    },
  };
}

const DRAIN_PATIENCE_MS = 600_000;
const LOOK_AGAIN_MS = 500;
/** A look counts rows and costs the database something; between two there is at least this. */
const SHORTEST_PAUSE_MS = 50;

/** Moves the sandbox's clock past every delayed outcome and waits until nothing is under way. */
export async function settleEverything(api: BenchApi): Promise<void> {
  // The answer may come as 503 when there is more to do than one call waits for; the work goes on.
  await api.post("/sandbox/clock/advance", { seconds: 31 }).catch(() => undefined);
  const giveUpAt = performance.now() + DRAIN_PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    const left = (await api.count("PENDING")) + (await api.count("PROCESSING"));
    if (left === 0) return;
    await pauseMs(LOOK_AGAIN_MS);
  }
  throw new Error("transactions stay under way");
}

/**
 * Waits until so many outgoing transactions are completed. Looks seldom at first and then when the rest should be done,
 * so that looking does not slow what is measured.
 */
export async function untilCompleted(
  api: BenchApi,
  { from, to, sinceMs }: { readonly from: number; readonly to: number; readonly sinceMs: number },
): Promise<void> {
  const giveUpAt = performance.now() + DRAIN_PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    const done = (await api.count("COMPLETED")) - from;
    const wanted = to - from;
    if (done >= wanted) return;
    const perMs = done / (performance.now() - sinceMs);
    const restMs = perMs === 0 ? LOOK_AGAIN_MS : (wanted - done) / perMs;
    await pauseMs(Math.min(Math.max(restMs, SHORTEST_PAUSE_MS), 2_000));
  }
  throw new Error("not every transaction was completed");
}
