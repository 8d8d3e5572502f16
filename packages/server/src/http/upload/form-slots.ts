import { createFairShare } from "../../std/admission/fair-share.ts";
import { Fault } from "../../std/errors.ts";
import { rateLimited } from "../server/errors.ts";

/**
 * Limits how many forms are read concurrently: each keeps a chunk of its file in memory while the previous one is
 * written.
 */
export interface FormSlots {
  /** Takes a slot. Throws a 429 when the platform holds its share, and a 503 when all slots are taken. */
  take(platformId: string): FormSlot;
}

export interface FormSlot {
  /** Holds the slot until this work has settled, even after `release`. */
  hold(work: Promise<unknown>): void;
  /** Releases the slot once the work that holds it has settled. */
  release(): void;
}

export function createFormSlots(limits: {
  readonly forms: number;
  readonly formsOfPlatform: number;
}): FormSlots {
  const share = createFairShare({ total: limits.forms, mostOf: () => limits.formsOfPlatform });
  return {
    take(platformId) {
      const taken = share.take(platformId);
      if (taken === "key-full") throw rateLimited(1);
      if (taken === "full") throw new Fault("too many forms are being read");
      const held: Promise<unknown>[] = [];
      const giveBack = () => share.giveBack(platformId);
      return {
        hold: (work) => held.push(work),
        release() {
          if (held.length === 0) giveBack();
          else void Promise.allSettled(held).then(giveBack);
        },
      };
    },
  };
}
