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
  const underway = new Map<string, number>();
  let total = 0;
  return {
    take(platformId) {
      const own = underway.get(platformId) ?? 0;
      if (own >= limits.formsOfPlatform) throw rateLimited(1);
      if (total >= limits.forms) throw new Fault("too many forms are being read");
      total += 1;
      underway.set(platformId, own + 1);
      const held: Promise<unknown>[] = [];
      const giveBack = () => {
        total -= 1;
        const left = (underway.get(platformId) ?? 0) - 1;
        if (left > 0) underway.set(platformId, left);
        else underway.delete(platformId);
      };
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
