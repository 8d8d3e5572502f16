/**
 * Posts an event to a receiver on this machine. A receiver that cannot be reached, as while it restarts, gets the event again
 * until it answers. Any status except those of a gateway counts as an answer.
 */
import { parseUrl } from "../connection/connection.ts";
import { reasonOf } from "../connection/send.ts";
import { UsageError } from "../failures.ts";
import type { Host } from "../host.ts";
import type { StreamedEvent } from "./event-stream.ts";

export interface Posted {
  /** Undefined when no answer came in time, or when listening was stopped first. */
  readonly status: number | undefined;
  readonly latencyMs: number;
  readonly isStopped: boolean;
}

const TIMEOUT_MS = 30_000;
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 2_000;
/** The statuses with which a proxy answers while the receiver restarts. */
const GATEWAY = [502, 503, 504];

export function checkReceiver(text: string): string {
  const url = parseUrl(text);
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== "" ||
    url.password !== ""
  ) {
    throw new UsageError("--forward-to must be an http or https URL without user and password");
  }
  return text;
}

export async function forward(host: Host, receiver: string, event: StreamedEvent): Promise<Posted> {
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(LONGEST_DELAY_MS, delayMs * 2)) {
    const startedAt = host.now();
    const { status, lost } = await post(host, receiver, event);
    const latencyMs = host.now() - startedAt;
    if (lost === undefined) return { status, latencyMs, isStopped: false };
    if (host.stopped.aborted) return { status, latencyMs, isStopped: true };
    host.writeError(`florin: event ${event.sequence}: ${lost}; posting it again\n`);
    await host.pause(delayMs, host.stopped);
    if (host.stopped.aborted) return { status, latencyMs, isStopped: true };
  }
}

async function post(
  host: Host,
  receiver: string,
  { sequence, body, signature }: StreamedEvent,
): Promise<{ readonly status?: number; readonly lost?: string }> {
  try {
    const response = await host.fetch(receiver, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-event-sequence": String(sequence),
        ...(signature === undefined ? {} : { "x-service-signature": signature }),
      },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // Reading the answer frees the connection for the next event.
    await response.arrayBuffer();
    const { status } = response;
    return GATEWAY.includes(status)
      ? { status, lost: `the receiver answered ${status}` }
      : { status };
  } catch (error) {
    // After a timeout the receiver has the event: it may have stopped in a debugger.
    if (error instanceof Error && error.name === "TimeoutError") return {};
    return { lost: reasonOf(error) };
  }
}
