import { sha256 } from "../../../std/digest.ts";

/**
 * Generates simulated identifiers: characters selected by SHA-256 of the account's id and a purpose. The same account always
 * gets the same identifiers, and two accounts get different ones.
 */
export interface IdentifierGenerator {
  readonly digits: (purpose: string, count: number) => string;
  readonly characters: (purpose: string, count: number, alphabet: string) => string;
}

export const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
export const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
export const HEX = "0123456789abcdef";
/** Capitals and digits that are not mistaken for one another. */
export const LEGIBLE = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

export function identifierGeneratorFor(accountId: string): IdentifierGenerator {
  const characters: IdentifierGenerator["characters"] = (purpose, count, alphabet) => {
    let text = "";
    for (let block = 0; text.length < count; block += 1) {
      const digest = sha256(`${accountId}/${purpose}/${block}`);
      for (const byte of digest) text += alphabet.charAt(byte % alphabet.length);
    }
    return text.slice(0, count);
  };
  return { characters, digits: (purpose, count) => characters(purpose, count, "0123456789") };
}
