/**
 * Posts an event to a receiver on this machine. A receiver that is not there, as while it restarts, gets the event again until
 * it answers; an answer of any status but a gateway's is its answer.
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
/** A proxy before a receiver that restarts. */
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
    // The connection is free for the next event once the answer is read.
    await response.arrayBuffer();
    const { status } = response;
    return GATEWAY.includes(status)
      ? { status, lost: `the receiver answered ${status}` }
      : { status };
  } catch (error) {
    // A receiver in a debugger does not answer for long, and has the event.
    if (error instanceof Error && error.name === "TimeoutError") return {};
    return { lost: reasonOf(error) };
  }
}
