/** Signs a message of ours, with a nonce of 128 bits and the host's time. */
import { randomBytes } from "node:crypto";
import type { UmaKeyTools } from "../../domain/uma/keys/key-tools.port.ts";
import type { UmaKey } from "../../domain/uma/keys/uma-key.ts";
import type { Signature } from "../../formats/uma/signature-members.ts";
import { signedText } from "../../formats/uma/signatures.ts";
import type { Clock } from "../../std/clock.ts";

const NONCE_BYTES = 16;

export async function signedNow(
  { umaKeys, clock }: { readonly umaKeys: Pick<UmaKeyTools, "sign">; readonly clock: Clock },
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
