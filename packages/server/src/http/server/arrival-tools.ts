/** What a request passes before its route: the address of its caller, its id, and the bounds of its body. */

import { randomBytes } from "node:crypto";
import type { Clock } from "../../std/clock.ts";
import type { Log } from "../../std/log.ts";
import { createBodyMemory } from "../upload/body.ts";
import { createFormSlots } from "../upload/form-slots.ts";
import { createCallerAddress, trustIn } from "./caller-address.ts";
import { createGuestLimiter } from "./guest-limiter.ts";
import type { HttpLimits } from "./limits.ts";
import type { RateLimiter } from "./rate-limit.ts";

/** The caller's address and the limits of unauthenticated callers. */
export function callerTools(
  { log, trustedProxies = [] }: { readonly log: Log; readonly trustedProxies?: readonly string[] },
  limiter: RateLimiter,
) {
  const addressOf = createCallerAddress({ log, trustedProxies });
  const isTrustedProxy = trustIn(trustedProxies);
  return {
    addressOf,
    isTrustedProxy,
    guests: createGuestLimiter({ limiter, addressOf, isTrustedProxy }),
  };
}

/** The limits of incoming bodies and forms. */
export function arrivalTools(limits: HttpLimits, clock: Clock) {
  return {
    bodyLimits: {
      bytes: limits.bodyBytes,
      timeoutMs: limits.requestTimeoutMs,
      clock,
      memory: createBodyMemory(limits.bodyBytesInAll),
    },
    formLimits: { idleMs: limits.formIdleMs, totalMs: limits.formTimeoutMs },
    formSlots: createFormSlots(limits),
  };
}

const MAX_LENGTH = 128;

/** The id of a request in the answer, the log and support cases. */
export interface RequestIds {
  /** The caller's id when it has only safe characters, else a new id. */
  of(header: string | string[] | undefined): string;
  next(): string;
}

export function createRequestIds(): RequestIds {
  const prefix = randomBytes(6).toString("hex");
  let counter = 0;
  function next(): string {
    counter += 1;
    return `${prefix}-${counter.toString(36)}`;
  }
  return {
    next,
    of: (header) => (typeof header === "string" && isPlain(header) ? header : next()),
  };
}

function isPlain(text: string): boolean {
  if (text.length === 0 || text.length > MAX_LENGTH) return false;
  for (let index = 0; index < text.length; index += 1) {
    if (!isPlainCode(text.charCodeAt(index))) return false;
  }
  return true;
}

/** Letters, digits, dot, underscore and dash. */
function isPlainCode(code: number): boolean {
  if (code >= 0x30 && code <= 0x39) return true;
  if (code >= 0x41 && code <= 0x5a) return true;
  if (code >= 0x61 && code <= 0x7a) return true;
  return code === 0x2e || code === 0x5f || code === 0x2d;
}
