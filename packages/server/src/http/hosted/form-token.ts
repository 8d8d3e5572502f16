/**
 * Tokens that tie a posted form to a page that we have served. A hosted page has no session and no cookie, so nothing rides
 * along with a request that another site makes a browser send; what gives the right to a page is its path, which is not
 * to be guessed. The token makes sure that the one who posts has seen that very page, and lately: base64url(time until
 * which it holds ‖ MAC), where the MAC covers the path as well. Any server of the deployment can check it.
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
      // The decoder skips foreign characters and spare bits; only the spelling that we write is accepted.
      if (bytes.length !== BYTES || bytes.toString("base64url") !== token) return false;
      const time = bytes.subarray(0, TIME_BYTES);
      if (!timingSafeEqual(bytes.subarray(TIME_BYTES), macOf(time, path))) return false;
      return clock.now() < time.readUIntBE(0, TIME_BYTES);
    },
  };
}
