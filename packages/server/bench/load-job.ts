import { type LoadResult, runLoad } from "./load-generator.ts";
import { createRequestSource, type RequestShape } from "./request-source.ts";

export interface LoadJob {
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  readonly durationMs?: number;
  readonly count?: number;
  readonly warmupMs?: number;
  readonly idleLimitMs?: number;
  /** Sent round-robin. Each POST gets its own idempotency key. */
  readonly requests: readonly RequestShape[];
  /** By default unique for the process. */
  readonly keyPrefix?: string;
}

export async function runJob(text: string): Promise<LoadResult> {
  const { requests, keyPrefix = ownKeyPrefix(), ...job } = readJob(text);
  const { host, port } = job;
  const nextRequest = createRequestSource({ host, port, requests, keyPrefix });
  return runLoad({ ...job, nextRequest });
}

const WANTED = ["host", "port", "connections", "requests"];
const OPTIONAL = ["durationMs", "count", "warmupMs", "idleLimitMs", "keyPrefix"];
const TEXTS = ["host", "keyPrefix"];

/** Checks names and types. `runLoad` checks the ranges. */
function readJob(text: string): LoadJob {
  const job: unknown = JSON.parse(text);
  if (typeof job !== "object" || job === null) throw new Error("the job must be a JSON object");
  for (const name of WANTED) if (!(name in job)) throw new Error(`${name} is missing`);
  for (const [name, value] of Object.entries(job)) {
    if (!WANTED.includes(name) && !OPTIONAL.includes(name)) throw new Error(`${name} is not known`);
    if (name === "requests") continue;
    const type = TEXTS.includes(name) ? "string" : "number";
    if (typeof value !== type) throw new Error(`${name} must be a ${type}`);
  }
  const { requests } = job as { requests: unknown };
  if (!Array.isArray(requests) || !requests.every(isRequestShape)) {
    throw new Error("requests must be a list of {method, path, headers?, body?}");
  }
  return job as LoadJob;
}

function isRequestShape(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { method, path, headers = {} } = value as Partial<RequestShape>;
  if (typeof method !== "string" || typeof path !== "string") return false;
  return (
    typeof headers === "object" &&
    headers !== null &&
    Object.values(headers).every((header) => typeof header === "string")
  );
}

function ownKeyPrefix(): string {
  return `load-${process.pid}-${Math.round(performance.timeOrigin * 1000)}-`;
}
