/** Signatures in the form of Standard Webhooks: an HMAC under a secret that receiver and platform share. */
import { createHmac } from "node:crypto";

const SECRET_PREFIX = "whsec_";

/** The secret as the receiver enters it. */
export function toStandardSecret(secret: Buffer): string {
  return SECRET_PREFIX + secret.toString("base64");
}

export interface StandardMessage {
  readonly id: string;
  /** Of the attempt, in milliseconds. */
  readonly at: number;
  readonly body: Buffer;
}

export function standardHeaders(
  secret: Buffer,
  { id, at, body }: StandardMessage,
): Record<string, string> {
  const timestamp = Math.floor(at / 1_000).toString();
  const mac = createHmac("sha256", secret).update(`${id}.${timestamp}.`).update(body);
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${mac.digest("base64")}`,
  };
}
