import { setTimeout as pauseMs } from "node:timers/promises";
import type { BenchServer, Credentials } from "./bench-server.ts";

/** The few calls the bench makes besides the load itself. */
export interface BenchApi {
  get(path: string): Promise<Json>;
  post(path: string, body: Json): Promise<Json>;
  /** How many outgoing transactions are in this state. */
  count(status: string): Promise<number>;
  /** How many commands the server has committed since it was started. */
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
    async count(status) {
      const page = await call("GET", `/transactions?type=OUTGOING&status=${status}&limit=1`);
      return Number(page.totalCount);
    },
    async committed() {
      const text = await (await fetch(metricsUrl)).text();
      const [, figure] = /^florin_engine_commands_total (\d+)$/m.exec(text) ?? [];
      if (figure === undefined) throw new Error("the server does not tell what it has committed");
      return Number(figure);
    },
  };
}

const DRAIN_PATIENCE_MS = 600_000;
const LOOK_AGAIN_MS = 500;
const SHORTEST_PAUSE_MS = 20;

/** Moves the sandbox's clock past every delayed outcome and waits until nothing is under way. */
export async function settleEverything(api: BenchApi): Promise<void> {
  // The answer may come as 503 when there is more to do than one call waits for; the work goes on.
  await api.post("/sandbox/clock/advance", { seconds: 400 }).catch(() => undefined);
  const giveUpAt = performance.now() + DRAIN_PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    const left = (await api.count("PENDING")) + (await api.count("PROCESSING"));
    if (left === 0) return;
    await pauseMs(LOOK_AGAIN_MS);
  }
  throw new Error("transactions stay under way");
}

/** Waits until the server has committed so many commands. Looking costs the server next to nothing. */
export async function untilCommitted(api: BenchApi, commands: number): Promise<void> {
  const giveUpAt = performance.now() + DRAIN_PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    if ((await api.committed()) >= commands) return;
    await pauseMs(SHORTEST_PAUSE_MS);
  }
  throw new Error("not every command was committed");
}
