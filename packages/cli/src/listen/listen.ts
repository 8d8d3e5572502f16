/** `florin listen`: a platform's events on this machine, without a webhook endpoint. */
import type { Command } from "commander";
import { type Connection, connectionOf } from "../connection/connection.ts";
import { accepted, send } from "../connection/send.ts";
import { UsageError } from "../failures.ts";
import type { Host } from "../host.ts";
import { asObject, asText, parseJson } from "../json.ts";
import { clean } from "../output/clean.ts";
import { followEvents, type StreamedEvent } from "./event-stream.ts";
import { checkReceiver, forward, type Posted } from "./forward.ts";
import { createResourceQueue } from "./resource-queue.ts";

interface ListenOptions {
  readonly forwardTo?: string;
  readonly events?: string;
  readonly since?: string;
  readonly print?: boolean;
  readonly json?: boolean;
  readonly profile?: string;
}

export function addListen(program: Command, host: Host): void {
  program
    .command("listen")
    .description("Show events as they happen, and post them to a receiver on this machine.")
    .option(
      "--forward-to <url>",
      "gets each event's bytes with X-Service-Signature and X-Event-Sequence",
    )
    .option("--events <type,…>", "these types alone; OUTGOING_PAYMENT.* is all that begin so")
    .option("--since <sequence|time>", "begins with this event, or with the first one of this time")
    .option("--print", "shows the events' bodies, too")
    .option("--json", "prints the events' bytes, a line each, and nothing else")
    .option("--profile <name>", "a saved connection")
    .action((options: ListenOptions) => listen(host, options));
}

async function listen(host: Host, options: ListenOptions): Promise<void> {
  const receiver = options.forwardTo === undefined ? undefined : checkReceiver(options.forwardTo);
  const isWanted = filterOf(options.events);
  const connection = connectionOf(host, options.profile);
  const after = await startOf(host, connection, options.since);
  host.writeError(`listening at ${connection.url} after event ${after}; stop with Ctrl-C\n`);
  const queue = createResourceQueue(after, host.stopped);
  for await (const event of followEvents(host, connection, after)) {
    const work = async () => {
      if (isWanted(event.type)) await deliver(host, { event, receiver, options });
    };
    await queue.add({ sequence: event.sequence, resource: resourceOf(event) }, work);
  }
  await queue.settled();
  host.writeError(`stopped; to go on: florin listen --since ${queue.doneThrough() + 1}\n`);
}

/** Rejects when listening was stopped before the receiver had the event, so that the event counts as not done. */
async function deliver(
  host: Host,
  given: {
    readonly event: StreamedEvent;
    readonly receiver: string | undefined;
    readonly options: ListenOptions;
  },
): Promise<void> {
  const { event, receiver, options } = given;
  if (options.json === true) host.writeOut(`${event.body}\n`);
  const posted = receiver === undefined ? undefined : await forward(host, receiver, event);
  if (posted?.isStopped === true) throw new Error("stopped");
  const line = `${lineOf(host, event, posted)}\n`;
  if (options.json === true) host.writeError(line);
  else host.writeOut(options.print === true ? `${line}${bodyLines(event)}\n` : line);
}

/** The object that the event is about. An event without one has its own resource, so it waits for no other. */
function resourceOf({ body, sequence }: StreamedEvent): string {
  const data = asObject(asObject(parseJson(body))?.data);
  return asText(data?.id) ?? asText(data?.code) ?? String(sequence);
}

function lineOf(host: Host, event: StreamedEvent, posted: Posted | undefined): string {
  const body = asObject(parseJson(event.body));
  const time = clean(asText(body?.timestamp) ?? "");
  const about = resourceOf(event);
  const parts = [String(event.sequence).padStart(6), time, clean(event.type).padEnd(32)];
  if (about !== String(event.sequence)) parts.push(clean(about));
  if (posted !== undefined)
    parts.push(`-> ${statusOf(host, posted.status)}`, `${posted.latencyMs} ms`);
  return parts.join("  ");
}

/** Green when the receiver accepted the event: any 2xx and 409. */
function statusOf(host: Host, status: number | undefined): string {
  const text = status === undefined ? "no answer" : String(status);
  if (!host.isColoured) return text;
  const isTaken = status !== undefined && ((status >= 200 && status < 300) || status === 409);
  return `\u001b[${isTaken ? 32 : 31}m${text}\u001b[0m`;
}

function bodyLines({ body }: StreamedEvent): string {
  const text = JSON.stringify(parseJson(body), null, 2) ?? body;
  return text
    .split("\n")
    .map((line) => `        ${clean(line)}`)
    .join("\n");
}

function filterOf(types: string | undefined): (type: string) => boolean {
  if (types === undefined) return () => true;
  const wanted = types.split(",").filter((part) => part !== "");
  if (wanted.length === 0) throw new UsageError("--events needs at least one type");
  return (type) =>
    wanted.some((each) =>
      each.endsWith("*") ? type.startsWith(each.slice(0, -1)) : type === each,
    );
}

/** The sequence after which the stream begins: without `--since` that of the newest event. */
async function startOf(
  host: Host,
  connection: Connection,
  since: string | undefined,
): Promise<number> {
  if (since !== undefined && /^\d{1,15}$/.test(since)) return Math.max(0, Number(since) - 1);
  if (since === undefined) return newestSequence(host, connection);
  const time = new Date(since);
  if (Number.isNaN(time.getTime())) {
    throw new UsageError("--since must be a sequence or a time like 2025-10-13T09:30:00Z");
  }
  const first = await findSequence(host, connection, {
    since: time.toISOString(),
    sortOrder: "asc",
  });
  return first === undefined ? newestSequence(host, connection) : first - 1;
}

export async function newestSequence(host: Host, connection: Connection): Promise<number> {
  return (await findSequence(host, connection, { sortOrder: "desc" })) ?? 0;
}

async function findSequence(
  host: Host,
  connection: Connection,
  query: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const target = `/events?${new URLSearchParams({ ...query, limit: "1" })}`;
  const { text } = accepted(await send(host, connection, { method: "GET", target }));
  const { data } = asObject(parseJson(text)) ?? {};
  const sequence = Array.isArray(data) ? asObject(data[0])?.sequence : undefined;
  return typeof sequence === "number" ? sequence : undefined;
}
