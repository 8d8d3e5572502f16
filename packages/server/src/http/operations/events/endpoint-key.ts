import { randomBytes } from "node:crypto";
import Type from "typebox";
import { generateWebhookKeyPair } from "../../../domain/events/signature.ts";
import { toStandardSecret } from "../../../domain/events/standard-webhooks.ts";
import {
  type EndpointKey,
  type EndpointSignature,
  endpointKeyIdentity,
} from "../../../domain/events/webhook-endpoint.ts";
import type { Sealer } from "../../../secrets/sealing.ts";

export const DEFAULT_OVERLAP_HOURS = 24;
const MAX_OVERLAP_HOURS = 168;

/** How long the old key and the new one sign together. */
export const overlapBody = Type.Object({
  overlapHours: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MAX_OVERLAP_HOURS, description: "24 when absent." }),
  ),
});

interface NewEndpointKey {
  readonly key: EndpointKey;
  /** The secret to give to the receiver; undefined for a key pair, whose public key is enough. */
  readonly secret: string | undefined;
}

/** A new key, sealed under its own id. */
export function newEndpointKey(
  sealer: Sealer,
  platformId: string,
  signature: EndpointSignature,
): NewEndpointKey {
  const keyId = randomBytes(8).toString("hex");
  const seal = (bytes: Buffer) => sealer.seal(bytes, endpointKeyIdentity(platformId, keyId));
  if (signature === "P256") {
    const { publicKeyPem, privateKeyPkcs8 } = generateWebhookKeyPair();
    const secretSealed = seal(privateKeyPkcs8);
    return { key: { signature, keyId, publicKey: publicKeyPem, secretSealed }, secret: undefined };
  }
  const bytes = randomBytes(32);
  const key = { signature, keyId, publicKey: null, secretSealed: seal(bytes) };
  return { key, secret: toStandardSecret(bytes) };
}
