import { Fault } from "../std/errors.ts";
import { rateLimited } from "./errors.ts";

/** How many forms are read at once: each keeps a stretch of its file in memory while the last one is written. */
export interface FormSlots {
  /** Takes a place; the answer gives it back. Refuses a platform that has its share, and everyone when all are taken. */
  take(platformId: string): () => void;
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
      return () => {
        total -= 1;
        const left = (underway.get(platformId) ?? 0) - 1;
        if (left > 0) underway.set(platformId, left);
        else underway.delete(platformId);
      };
    },
  };
}
