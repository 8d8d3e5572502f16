/** Tokens in URLs that this deployment gives to other institutions: sealed under a derived key, so no other party makes, reads or changes one. */
import { SealBroken, type Sealer } from "../../../secrets/sealing.ts";

export interface SealedTokens {
  seal(plain: Buffer): string;
  /** Undefined for a token that was not made here under the same identity, or was changed. */
  open(token: string): Buffer | undefined;
}

export function sealedTokens(sealer: Sealer, identity: string): SealedTokens {
  return {
    seal: (plain) => sealer.sealBytes(plain, identity).toString("base64url"),
    open(token) {
      const sealed = Buffer.from(token, "base64url");
      // One spelling of a token: others decode to the same bytes.
      if (sealed.toString("base64url") !== token) return undefined;
      try {
        return sealer.openBytes(sealed, identity);
      } catch (error) {
        if (error instanceof SealBroken) return undefined;
        throw error;
      }
    },
  };
}

export const UUID_BYTES = 16;
export const TIME_BYTES = 6;

export function writeUuid(bytes: Buffer, uuid: string, at: number): void {
  bytes.write(uuid.replaceAll("-", ""), at, "hex");
}

export function uuidIn(bytes: Buffer, from: number): string {
  const hex = bytes.toString("hex", from, from + UUID_BYTES);
  return [8, 12, 16, 20, 32]
    .map((end, index, ends) => hex.slice(ends[index - 1] ?? 0, end))
    .join("-");
}
