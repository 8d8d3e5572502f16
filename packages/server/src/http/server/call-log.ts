/**
 * One line for each refused or failed call, or for each call: its operation, its status and its caller. It has no bodies, names, amounts or
 * paths: a path may hold a secret.
 *
 * Bounds: a caller without valid credentials must not fill the disk, and one platform must not take the log from the others. Beyond so many
 * refusals a second they are counted, and the count is logged.
 */
import type { Clock } from "../../std/clock.ts";
import type { Log } from "../../std/log.ts";
import { traceIdOf } from "../../std/tracing/trace.ts";
import { type Caller, isAgent, isPerson } from "../request/operation.ts";

/** `refused`: calls that were answered with 400 or more. */
export type LogRequests = "refused" | "all" | "none";

export interface CallLog {
  record(call: AnsweredCall): void;
}

export interface AnsweredCall {
  readonly requestId: string;
  readonly operationId: string;
  readonly status: number;
  readonly durationMs: number;
  /** The answer; the code of a refusal is read from it. */
  readonly body?: string | Buffer | undefined;
  readonly caller?: Caller | undefined;
  readonly traceparent?: string | undefined;
}

const WINDOW_MS = 1_000;
/** Shared by all callers without valid credentials. */
export const STRANGERS_REFUSALS_A_WINDOW = 100;
export const PLATFORM_REFUSALS_A_WINDOW = 1_000;
const STRANGERS = "";

export function createCallLog({
  log,
  clock,
  logRequests = "none",
}: {
  readonly log: Log;
  readonly clock: Clock;
  readonly logRequests?: LogRequests;
}): CallLog {
  if (logRequests === "none") return { record() {} };
  const lowestStatus = logRequests === "all" ? 0 : 400;
  const hasRoom = refusalBudget(log, clock);
  return {
    record(call) {
      const { status, caller } = call;
      if (status < lowestStatus) return;
      if (status < 400) log.info(fieldsOf(call), "a call was answered");
      else if (!hasRoom(caller?.platformId ?? STRANGERS)) return;
      else if (status < 500) log.info(fieldsOf(call), "a call was refused");
      else log.warn(fieldsOf(call), "a call failed");
    },
  };
}

/** Answers whether a refusal of this platform is still to be logged in the present window. */
function refusalBudget(log: Log, clock: Clock): (platformId: string) => boolean {
  const met = new Map<string, number>();

  function endWindow(): void {
    for (const [platformId, count] of met) {
      const leftOut = count - mostOf(platformId);
      if (leftOut <= 0) continue;
      const whose = platformId === STRANGERS ? {} : { platformId };
      log.warn({ ...whose, leftOut }, "more calls were refused");
    }
    met.clear();
  }

  return (platformId) => {
    if (met.size === 0) clock.after(WINDOW_MS, endWindow);
    const count = (met.get(platformId) ?? 0) + 1;
    met.set(platformId, count);
    return count <= mostOf(platformId);
  };
}

function mostOf(platformId: string): number {
  return platformId === STRANGERS ? STRANGERS_REFUSALS_A_WINDOW : PLATFORM_REFUSALS_A_WINDOW;
}

function fieldsOf(call: AnsweredCall) {
  const { requestId, operationId, status, durationMs, body, caller, traceparent } = call;
  const code = status < 400 ? undefined : codeOf(body);
  return {
    requestId,
    operationId,
    status,
    ...(code === undefined ? {} : { code }),
    durationMs,
    ...(traceparent === undefined ? {} : { traceId: traceIdOf(traceparent) }),
    ...(caller === undefined ? {} : callerFields(caller)),
  };
}

function callerFields(caller: Caller) {
  const { platformId } = caller;
  if (isAgent(caller)) return { agentId: caller.agentId, platformId };
  return isPerson(caller)
    ? { personId: caller.personId, platformId }
    : { tokenId: caller.tokenId, platformId };
}

/** Every refusal begins with its status and its code (errors.ts). */
const CODE = /^\{"status":\d{3},"code":"([A-Z_]{1,64})"/;

export function codeOf(body: AnsweredCall["body"]): string | undefined {
  return typeof body === "string" ? CODE.exec(body)?.[1] : undefined;
}
