/** An institution that writes and reads with our formats alone: what it writes is what a platform of ours would write. */
import { generateKeyPairSync } from "node:crypto";
import { writeSelfSigned } from "../../src/formats/uma/certificates/write-certificate.ts";
import { writeHook } from "../../src/formats/uma/hook-message.ts";
import { writeKeyDocument } from "../../src/formats/uma/key-document.ts";
import { writeLookupQuery } from "../../src/formats/uma/lookup-message.ts";
import type { Signature } from "../../src/formats/uma/signature-members.ts";
import { pointOf, signedText, signText } from "../../src/formats/uma/signatures.ts";
import { present } from "../../src/std/assert.ts";

const DAY_MS = 24 * 60 * 60_000;

export interface OwnMessages {
  readonly document: string;
  lookupUrl(receiver: string, isRegulated: boolean): Promise<string>;
  hook(utxos: readonly { readonly utxo: string; readonly amountMsats: bigint }[]): Promise<string>;
}

export async function ownMessages(domain: string): Promise<OwnMessages> {
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  const dates = { notBefore: now - DAY_MS, notAfter: now + DAY_MS };
  const made = async (use: "SIGNING" | "ENCRYPTION") => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
    const chain = [await writeSelfSigned({ domains: [domain], use, ...dates }, privateKey)];
    return { privateKey, point: present(pointOf(publicKey), "the point"), chain };
  };
  const [signing, encryption] = [await made("SIGNING"), await made("ENCRYPTION")];
  let nonces = 0;

  async function signed(...addresses: string[]): Promise<Signature> {
    // As long as those of a platform, and different in each message.
    const nonce = (2n ** 127n + BigInt(++nonces)).toString();
    const stamp = { nonce, timestamp: BigInt(Math.floor(Date.now() / 1_000)) };
    const signature = await signText(signedText(addresses, stamp), signing.privateKey);
    return { ...stamp, signature };
  }

  return {
    document: writeKeyDocument({
      signing,
      encryption,
      expirationTimestamp: BigInt((now + DAY_MS) / 1_000),
    }),
    async lookupUrl(receiver, isRegulated) {
      const [user = "", host = ""] = receiver.split("@");
      const query = writeLookupQuery({
        signature: await signed(receiver),
        vaspDomain: domain,
        isSubjectToTravelRule: isRegulated,
        umaVersion: "1.0",
      });
      return `https://${host}/.well-known/lnurlp/${user}?${query}`;
    },
    async hook(utxos) {
      return writeHook({ vaspDomain: domain, utxos, signature: await signed() });
    },
  };
}
