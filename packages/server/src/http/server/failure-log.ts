/**
 * Logs why requests failed. A bug is logged with its stack. A fault comes from outside (the database, the disk), and
 * every request fails while it lasts. A fault is therefore logged in one line without a stack; beyond a few lines a
 * second, faults are only counted.
 */
import type { Clock } from "../../std/clock.ts";
import { type Fault, messageOf } from "../../std/errors.ts";
import type { Log } from "../../std/log.ts";

export interface FailureLog {
  fault(request: FailedRequest, fault: Fault): void;
  bug(request: FailedRequest, thrown: unknown): void;
}

export interface FailedRequest {
  readonly requestId: string;
  readonly operationId: string;
}

const WINDOW_MS = 1_000;
export const FAULTS_A_WINDOW = 10;

export function createFailureLog({
  log,
  clock,
}: {
  readonly log: Log;
  readonly clock: Clock;
}): FailureLog {
  let met = 0;

  function endWindow(): void {
    const leftOut = met - FAULTS_A_WINDOW;
    met = 0;
    if (leftOut > 0) log.warn({ leftOut }, "more requests met a fault");
  }

  return {
    fault({ requestId, operationId }, fault) {
      if (met++ === 0) clock.after(WINDOW_MS, endWindow);
      if (met > FAULTS_A_WINDOW) return;
      log.warn({ requestId, operationId, err: withCauses(fault) }, "a request met a fault");
    },
    bug({ requestId, operationId }, thrown) {
      log.error({ requestId, operationId, err: thrown }, "a request failed on a bug");
    },
  };
}

/** The messages of an error and of its causes. */
function withCauses(error: Error): string {
  // When Node cannot connect to any of several addresses, its error has a code and no message.
  const said = error.message || ("code" in error ? String(error.code) : error.name);
  if (error.cause === undefined) return said;
  return `${said}: ${error.cause instanceof Error ? withCauses(error.cause) : messageOf(error.cause)}`;
}
