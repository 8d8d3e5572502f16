/**
 * One-time codes: random, stored as a keyed hash, and sealed until they are mailed. A six-digit code is found from a plain
 * hash in a second; without the key a hash cannot be tested.
 */
import { createHmac, randomBytes, randomInt } from "node:crypto";
import type { EmbeddedWalletConfig } from "../../domain/platform.ts";
import { codeIdentity } from "../../domain/wallets/credentials/credential.ts";
import type { OneTimeCodes } from "../../domain/wallets/credentials/one-time-code.port.ts";
import type { Sealer } from "../../secrets/sealing.ts";

const DIGITS = "0123456789";
/** Without letters and digits that look alike. */
const LETTERS_AND_DIGITS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH = 6;
const LIFETIME_SECONDS = 300;

export function createOneTimeCodes(options: {
  readonly sealer: Sealer;
  /** The key of the hashes; the same on every server. */
  readonly key: Buffer;
}): OneTimeCodes {
  const { sealer, key } = options;

  function digestOf(platformId: string, codeId: string, guess: string): string {
    const bound = JSON.stringify(["wallet code", platformId, codeId, guess]);
    return createHmac("sha256", key).update(bound).digest("hex");
  }

  return {
    digestOf,
    issue(platformId, config) {
      const id = randomId();
      const code = draw(config);
      return {
        id,
        digest: digestOf(platformId, id, code),
        sealed: sealer.seal(code, codeIdentity(platformId, id)),
        lifetimeMs: (config?.expirationSeconds ?? LIFETIME_SECONDS) * 1000,
      };
    },
    open: (platformId, codeId, sealed) =>
      sealer.open(sealed, codeIdentity(platformId, codeId)).toString("utf8"),
  };
}

function draw(config: EmbeddedWalletConfig | null): string {
  const alphabet = config?.alphanumeric === true ? LETTERS_AND_DIGITS : DIGITS;
  let code = "";
  for (let left = config?.otpLength ?? LENGTH; left > 0; left -= 1) {
    code += alphabet.charAt(randomInt(alphabet.length));
  }
  return code;
}

function randomId(): string {
  return randomBytes(16).toString("hex");
}
