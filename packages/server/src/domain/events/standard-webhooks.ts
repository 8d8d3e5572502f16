/** Signatures in the form of Standard Webhooks: an HMAC under a secret that receiver and platform share. */
import { createHmac } from "node:crypto";

const SECRET_PREFIX = "whsec_";

/** The secret as the receiver enters it. */
export function toStandardSecret(secret: Buffer): string {
  return SECRET_PREFIX + secret.toString("base64");
}

export interface StandardMessage {
  readonly id: string;
  /** The time of the attempt, in milliseconds. */
  readonly at: number;
  readonly body: Buffer;
}

/** Headers with a signature by each secret; during a rotation there are two. */
export function standardHeaders(
  secrets: readonly Buffer[],
  { id, at, body }: StandardMessage,
): Record<string, string> {
  const timestamp = Math.floor(at / 1_000).toString();
  const signatures = secrets.map((secret) => {
    const mac = createHmac("sha256", secret).update(`${id}.${timestamp}.`).update(body);
    return `v1,${mac.digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
