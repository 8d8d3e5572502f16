/**
 * Verifying signatures of strangers: at most `AT_ONCE` at a time, and a caller that has waited a second is sent away. Callers take turns, so
 * one that sends many delays another by one signature.
 *
 * Bound: those that wait are requests with a connection of their own, each for a second.
 */
import type { VerifySignature } from "../../../domain/uma/keys/counterparty-keys.port.ts";
import { createFairSemaphore } from "../../../std/admission/fair-semaphore.ts";
import { type Clock, within } from "../../../std/clock.ts";

const AT_ONCE = 32;
const LONGEST_WAIT_MS = 1_000;

/** All places stayed taken for a second. */
export class VerificationsBusy extends Error {
  override readonly name = "VerificationsBusy";
}

export interface Verifications {
  /** Verifies for one caller. Rejects with `VerificationsBusy`. */
  of(caller: string): VerifySignature;
}

export function createVerifications(clock: Clock, verify: VerifySignature): Verifications {
  const places = createFairSemaphore({ slots: AT_ONCE, perKey: AT_ONCE });
  return {
    of: (caller) => async (text, signature, key) => {
      const task = places.run(caller, () => verify(text, signature, key));
      const hasStarted = await within(
        task.started.then(() => true),
        { clock, limitMs: LONGEST_WAIT_MS, late: () => !task.cancel() },
      );
      if (!hasStarted) throw new VerificationsBusy();
      return task.result;
    },
  };
}
