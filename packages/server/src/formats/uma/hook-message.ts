/** What one institution tells the other after a payment: the channels over which it went. It moves no money. */
import { writeMessage } from "./json-message.ts";
import { Members } from "./members.ts";
import { readSignature, type Signature, writeSignature } from "./signature-members.ts";

export interface Hook {
  readonly vaspDomain: string;
  readonly utxos: readonly { readonly utxo: string; readonly amountMsats: bigint }[];
  readonly signature: Signature;
}

const MOST_UTXOS = 100;
const LARGEST_INTEGER = (1n << 63n) - 1n;

/** Undefined for a message without a signature, as version 0 has it. Throws PARSE_UTXO_CALLBACK_ERROR. */
export function readHook(bytes: Uint8Array): Hook | undefined {
  const body = Members.of(bytes, "PARSE_UTXO_CALLBACK_ERROR");
  const utxos = body.items("utxos", MOST_UTXOS).map((item) => ({
    utxo: item.text("utxo", 200),
    amountMsats: item.whole("amountMsats", LARGEST_INTEGER),
  }));
  if (!body.has("signature")) return undefined;
  const signature = readSignature(body);
  // The text that is signed has no address. With a separator in the nonce, the signature of another message would be one of this.
  if (signature.nonce.includes("|")) throw body.fault("signatureNonce", "has a separator");
  return { vaspDomain: body.text("vaspDomain", 260), utxos, signature };
}

export function writeHook({ vaspDomain, utxos, signature }: Hook): string {
  return writeMessage({
    utxos: utxos.map(({ utxo, amountMsats }) => ({ utxo, amountMsats })),
    vaspDomain,
    ...writeSignature(signature),
  });
}
