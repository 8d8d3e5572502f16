/** `florin logs tail`: a platform's calls as they are answered. */
import type { Command } from "commander";
import { connectionOf } from "../connection/connection.ts";
import { UsageError } from "../failures.ts";
import type { Host } from "../host.ts";
import { asObject, asText, parseJson } from "../json.ts";
import { clean } from "../output/clean.ts";
import { followStream } from "./event-stream.ts";

interface TailOptions {
  readonly status?: string;
  readonly path?: string;
  readonly method?: string;
  readonly operation?: string;
  readonly json?: boolean;
  readonly profile?: string;
}

export function addTailLogs(program: Command, host: Host): void {
  program
    .command("logs")
    .description("tail")
    .command("tail")
    .description("Show calls as they are answered.")
    .option("--status <status|class>", "these alone: 409, 2xx, 4xx or 5xx")
    .option("--path <path>", "exactly this path, below the version")
    .option("--method <method>", "this method alone")
    .option("--operation <operationId>", "this operation alone")
    .option("--json", "prints each call as the API shows it, a line each, and nothing else")
    .option("--profile <name>", "a saved connection")
    .action((options: TailOptions) => tailLogs(host, options));
}

async function tailLogs(host: Host, options: TailOptions): Promise<void> {
  const query = queryOf(options);
  const connection = connectionOf(host, options.profile);
  host.writeError(`calls at ${connection.url}; stop with Ctrl-C\n`);
  const path = `/request-logs/stream${query}`;
  // The server resumes after the last call. Ids of calls need not increase, so only a repeated id is old.
  const isNew = (id: string, after: string | undefined) => id !== after;
  for await (const { body } of followStream(host, connection, { path, after: undefined, isNew })) {
    host.writeOut(options.json === true ? `${body}\n` : `${lineOf(host, body)}\n`);
  }
}

function queryOf({ status, path, method, operation }: TailOptions): string {
  const filters = new URLSearchParams();
  if (status !== undefined) filters.set(/^\d{3}$/.test(status) ? "status" : "statusClass", status);
  if (status !== undefined && !/^(?:[1-5]\d\d|[245]xx)$/.test(status)) {
    throw new UsageError("--status must be a status like 409, or 2xx, 4xx or 5xx");
  }
  if (path !== undefined) filters.set("path", path);
  if (method !== undefined) filters.set("method", method.toUpperCase());
  if (operation !== undefined) filters.set("operationId", operation);
  return filters.size === 0 ? "" : `?${filters}`;
}

function lineOf(host: Host, body: string): string {
  const call = asObject(parseJson(body));
  const text = (name: string) => clean(asText(call?.[name]) ?? "");
  const parts = [
    text("createdAt"),
    statusOf(host, Number(call?.status)),
    `${Number(call?.durationMs)} ms`.padStart(8),
    text("method").padEnd(6),
    text("path"),
    text("errorCode"),
    text("requestId"),
  ];
  return parts.filter((part) => part !== "").join("  ");
}

/** Green for success, red for what was refused or failed. */
function statusOf(host: Host, status: number): string {
  if (!host.isColoured) return String(status);
  return `\u001b[${status < 400 ? 32 : 31}m${status}\u001b[0m`;
}
