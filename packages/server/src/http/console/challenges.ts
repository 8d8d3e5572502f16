/**
 * Challenges of passkeys. A challenge has 86 bytes: 16 random bytes, its expiry, the id of its subject, and a MAC over these and its
 * purpose. No challenge is stored before it is used; the command that uses it stores its digest (domain/people/single-use.ts).
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { SingleUse } from "../../domain/wallets/credentials/spent-proof.ts";
import type { Clock } from "../../std/clock.ts";
import { sha256Hex } from "../../std/digest.ts";

/** What a challenge may be used for; `of` is the code or the id that it is bound to, if any. */
export type Purpose = readonly [
  name: "start" | "link" | "sign-in" | "step-up" | "add-passkey",
  of?: string,
];

export interface ReadChallenge {
  /** The uuid that the challenge was issued for: the id of a person, or zeros. */
  readonly subject: string;
  readonly use: SingleUse;
}

export interface Challenges {
  issue(purpose: Purpose, subject?: string): string;
  /** Undefined for a challenge that is forged, expired or issued for another purpose. */
  read(purpose: Purpose, challenge: string): ReadChallenge | undefined;
}

export const CHALLENGE_LIFE_MS = 5 * 60_000;

const NO_SUBJECT = "00000000-0000-0000-0000-000000000000";
const NONCE_BYTES = 16;
const TIME_BYTES = 6;
const SUBJECT_BYTES = 16;
const MAC_BYTES = 32;
const SIGNED_BYTES = NONCE_BYTES + TIME_BYTES + SUBJECT_BYTES;

export function createChallenges(key: Buffer, clock: Clock): Challenges {
  const macOf = (purpose: Purpose, signed: Buffer) =>
    createHmac("sha256", key).update(JSON.stringify(purpose)).update(signed).digest();
  return {
    issue(purpose, subject = NO_SUBJECT) {
      const end = Buffer.alloc(TIME_BYTES);
      end.writeUIntBE(clock.now() + CHALLENGE_LIFE_MS, 0, TIME_BYTES);
      const id = Buffer.from(subject.replaceAll("-", ""), "hex");
      const signed = Buffer.concat([randomBytes(NONCE_BYTES), end, id]);
      return Buffer.concat([signed, macOf(purpose, signed)]).toString("base64url");
    },
    read(purpose, challenge) {
      const bytes = Buffer.from(challenge, "base64url");
      if (bytes.length !== SIGNED_BYTES + MAC_BYTES) return undefined;
      if (bytes.toString("base64url") !== challenge) return undefined;
      const signed = bytes.subarray(0, SIGNED_BYTES);
      if (!timingSafeEqual(bytes.subarray(SIGNED_BYTES), macOf(purpose, signed))) return undefined;
      const expiresAt = signed.readUIntBE(NONCE_BYTES, TIME_BYTES);
      if (expiresAt <= clock.now()) return undefined;
      const hex = signed.subarray(NONCE_BYTES + TIME_BYTES).toString("hex");
      return {
        subject: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
        use: { digest: sha256Hex(`person challenge ${challenge}`), rememberUntil: expiresAt },
      };
    },
  };
}
