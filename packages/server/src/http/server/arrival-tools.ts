/** What a request passes before its route: the address of its caller, and the bounds of its body. */
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
