/**
 * CSRF tokens of hosted forms. A hosted page has no session and no cookie, so a request forged by another site carries
 * no credentials; access follows from the secret in the path. The token proves that the form comes from that very page,
 * loaded within the last hour: base64url(expiry ‖ MAC), where the MAC also covers the path. Every server of the
 * deployment can verify it.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../std/clock.ts";

const HOLDS_MS = 60 * 60 * 1000;
const TIME_BYTES = 6;
const MAC_BYTES = 16;
const BYTES = TIME_BYTES + MAC_BYTES;

export interface FormTokens {
  issue(path: string): string;
  isSound(path: string, token: string): boolean;
}

export function createFormTokens(options: {
  readonly key: Buffer;
  readonly clock: Clock;
}): FormTokens {
  const { key, clock } = options;

  function macOf(time: Buffer, path: string): Buffer {
    return createHmac("sha256", key).update(time).update(path).digest().subarray(0, MAC_BYTES);
  }

  return {
    issue(path) {
      const time = Buffer.alloc(TIME_BYTES);
      time.writeUIntBE(clock.now() + HOLDS_MS, 0, TIME_BYTES);
      return Buffer.concat([time, macOf(time, path)]).toString("base64url");
    },
    isSound(path, token) {
      const bytes = Buffer.from(token, "base64url");
      // The decoder ignores foreign characters and spare bits; only the canonical encoding is accepted.
      if (bytes.length !== BYTES || bytes.toString("base64url") !== token) return false;
      const time = bytes.subarray(0, TIME_BYTES);
      if (!timingSafeEqual(bytes.subarray(TIME_BYTES), macOf(time, path))) return false;
      return clock.now() < time.readUIntBE(0, TIME_BYTES);
    },
  };
}
