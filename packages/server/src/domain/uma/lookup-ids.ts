/**
 * Ids of lookups. A lookup is not stored: its id is a UUIDv7 whose time is that of the lookup and whose other bits are a MAC
 * over platform, receiver and time. An id is valid for one receiver on one platform for ten minutes. It grants no
 * permission: it proves that the receiver was looked up within that time.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { isUuid } from "../../std/ids.ts";

export const LOOKUP_LIFETIME_MS = 10 * 60 * 1_000;

/** The receiver of a lookup: a normalized UMA address, or the wire id of an external account. */
export interface LookupBinding {
  readonly platformId: string;
  readonly receiver: string;
}

export type LookupJudgement =
  | { readonly kind: "made"; readonly expiresAt: number }
  /** The id was not made here, or is for another receiver or platform. */
  | { readonly kind: "unknown" };

export interface LookupIds {
  /** `at` is the platform's time. */
  make(binding: LookupBinding, at: number): string;
  /** The caller compares `expiresAt` with the platform's time. */
  judge(id: string, binding: LookupBinding): LookupJudgement;
}

export function createLookupIds(key: Buffer): LookupIds {
  function idAt({ platformId, receiver }: LookupBinding, time: string): string {
    const context = JSON.stringify([platformId, receiver, time]);
    const mac = createHmac("sha256", key).update(context).digest("hex");
    const variant = ((Number.parseInt(mac.charAt(3), 16) & 0x3) | 0x8).toString(16);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${mac.slice(0, 3)}-${variant}${mac.slice(4, 7)}-${mac.slice(7, 19)}`;
  }

  return {
    make: (binding, at) => idAt(binding, at.toString(16).padStart(12, "0")),
    judge(id, binding) {
      if (!isUuid(id)) return { kind: "unknown" };
      const time = id.slice(0, 8) + id.slice(9, 13);
      const made = Buffer.from(idAt(binding, time));
      if (!timingSafeEqual(made, Buffer.from(id))) return { kind: "unknown" };
      return { kind: "made", expiresAt: Number.parseInt(time, 16) + LOOKUP_LIFETIME_MS };
    },
  };
}
