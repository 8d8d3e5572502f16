import { setTimeout as pauseMs } from "node:timers/promises";
import type { BenchServer, Credentials } from "./bench-server.ts";

export interface BenchApi {
  get(path: string): Promise<Json>;
  post(path: string, body: Json): Promise<Json>;
  patch(path: string, body: Json): Promise<Json>;
  /** Sends a DELETE. */
  remove(path: string): Promise<void>;
  count(status: string): Promise<number>;
  committed(): Promise<number>;
  readonly authorization: string;
}

export type Json = Readonly<Record<string, unknown>>;

export function openApi(
  { baseUrl, metricsUrl }: Pick<BenchServer, "baseUrl" | "metricsUrl">,
  { clientId, clientSecret }: Credentials,
): BenchApi {
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
    patch: (path, body) => call("PATCH", path, body),
    async remove(path) {
      const response = await fetch(baseUrl + path, {
        method: "DELETE",
        headers: { authorization },
      });
      if (!response.ok) throw new Error(`DELETE ${path}: ${response.status}`);
    },
    async count(status) {
      const page = await call("GET", `/transactions?type=OUTGOING&status=${status}&limit=1`);
      return Number(page.totalCount);
    },
    async committed() {
      const text = await (await fetch(metricsUrl)).text();
      const [, figure] = /^florin_engine_commands_total (\d+)$/m.exec(text) ?? [];
      if (figure === undefined) throw new Error("the server has no metric of committed commands");
      return Number(figure);
    },
  };
}

const DRAIN_PATIENCE_MS = 600_000;
const LOOK_AGAIN_MS = 500;
const SHORTEST_PAUSE_MS = 20;
const COUNT_AGAIN_MS = 50;

/** Advances the sandbox's clock past all delayed outcomes and waits until no transaction is in flight. */
export async function settleEverything(api: BenchApi): Promise<void> {
  // The call answers 503 when the work outlasts its timeout; the work continues.
  await api.post("/sandbox/clock/advance", { seconds: 400 }).catch(() => undefined);
  const giveUpAt = performance.now() + DRAIN_PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    const left = (await api.count("PENDING")) + (await api.count("PROCESSING"));
    if (left === 0) return;
    await pauseMs(LOOK_AGAIN_MS);
  }
  throw new Error("transactions are still in flight after the timeout");
}

/** Polls until the server has committed this many commands. A poll costs the server little. */
export async function untilCommitted(api: BenchApi, commands: number): Promise<void> {
  const giveUpAt = performance.now() + DRAIN_PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    if ((await api.committed()) >= commands) return;
    await pauseMs(SHORTEST_PAUSE_MS);
  }
  throw new Error("some commands were not committed before the timeout");
}

/** Polls until this many payments of the platform are completed. A server under load may answer 503. */
export async function untilCompleted(api: BenchApi, payments: number): Promise<void> {
  const giveUpAt = performance.now() + DRAIN_PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    if ((await api.count("COMPLETED").catch(() => 0)) >= payments) return;
    await pauseMs(COUNT_AGAIN_MS);
  }
  throw new Error("the payments were not completed before the timeout");
}
