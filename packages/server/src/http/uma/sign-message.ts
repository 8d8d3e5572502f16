/** Signs a message of a platform, with a nonce of 128 bits and the host's time. */
import { randomBytes } from "node:crypto";
import type { UmaKey } from "../../domain/uma/keys/uma-key.ts";
import type { Signature } from "../../formats/uma/signature-members.ts";
import { signedText } from "../../formats/uma/signatures.ts";
import type { OwnKeyTools } from "../operations/uma/own-keys.ts";

const NONCE_BYTES = 16;

export async function signMessage(
  { umaKeys, clock }: Pick<OwnKeyTools, "umaKeys" | "clock">,
  {
    platformId,
    key,
    addresses,
  }: {
    readonly platformId: string;
    readonly key: UmaKey;
    /** The addresses that the message is about. */
    readonly addresses: readonly string[];
  },
): Promise<Signature> {
  const nonce = BigInt(`0x${randomBytes(NONCE_BYTES).toString("hex")}`).toString();
  const timestamp = BigInt(Math.floor(clock.now() / 1_000));
  const text = signedText(addresses, { nonce, timestamp });
  return { signature: await umaKeys.sign(platformId, key, text), nonce, timestamp };
}
