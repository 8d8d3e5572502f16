/**
 * Private keys of platforms at UMA: making, certifying and signing. A private part is opened for one use and overwritten after it. Keys are
 * made, and signatures computed, in the thread pool.
 */
import { generateKeyPair, type KeyObject, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import type {
  CertificateFacts,
  MessageSignature,
  SignedNow,
  UmaKeyTools,
} from "../../domain/uma/keys/key-tools.port.ts";
import {
  type KeyCertificate,
  privateKeyIdentity,
  type UmaKey,
} from "../../domain/uma/keys/uma-key.ts";
import {
  pemOf,
  writeCertificateRequest,
  writeSelfSigned,
} from "../../formats/uma/certificates/write-certificate.ts";
import { openWith } from "../../formats/uma/envelope.ts";
import { pointOf, privateKeyOf, signedText, signText } from "../../formats/uma/signatures.ts";
import type { Sealer } from "../../secrets/sealing.ts";
import { present } from "../../std/assert.ts";

const DAY_MS = 24 * 60 * 60_000;
const CERTIFIED_MS = 397 * DAY_MS;
/** A certificate is valid from this long ago, for institutions whose clocks are behind. */
const SKEW_MS = 5 * 60_000;

const NONCE_BYTES = 16;

const generate = promisify(generateKeyPair);

export function createUmaKeyTools(sealer: Sealer): UmaKeyTools {
  const opened = <Outcome>(
    platformId: string,
    { publicKey, privateSealed }: Pick<UmaKey, "publicKey" | "privateSealed">,
    use: (key: KeyObject) => Outcome,
  ): Outcome => {
    const sealed = present(privateSealed, "the private part of a key that is not destroyed");
    const secret = sealer.open(sealed, privateKeyIdentity(platformId, publicKey));
    const key = privateKeyOf(secret, Buffer.from(publicKey, "hex"));
    secret.fill(0);
    return use(key);
  };
  return {
    async newKey(platformId, { use, ...facts }) {
      const { privateKey } = await generate("ec", { namedCurve: "secp256k1" });
      const publicKey = present(pointOf(privateKey), "the point of a new key").toString("hex");
      const secret = Buffer.from(present(privateKey.export({ format: "jwk" }).d, "d"), "base64url");
      const privateSealed = sealer.seal(secret, privateKeyIdentity(platformId, publicKey));
      secret.fill(0);
      const certificate = await selfSigned(privateKey, use, facts);
      return { use, publicKey, privateSealed, certificate };
    },
    certify: (platformId, key, facts) =>
      opened(platformId, key, (secret) => selfSigned(secret, key.use, facts)),
    async request(platformId, key, domains) {
      const subject = { domains, use: key.use };
      const der = await opened(platformId, key, (secret) =>
        writeCertificateRequest(subject, secret),
      );
      return pemOf(der, "CERTIFICATE REQUEST");
    },
    decrypt: (platformId, key, envelope) => {
      const sealed = present(key.privateSealed, "the private part of a key that is not destroyed");
      const secret = sealer.open(sealed, privateKeyIdentity(platformId, key.publicKey));
      const content = openWith(secret, envelope);
      secret.fill(0);
      return content;
    },
    sign: (platformId, key, message) =>
      opened(platformId, key, (secret) => signedMessage(secret, message)),
  };
}

export async function signedMessage(
  secret: KeyObject,
  { addresses, now }: SignedNow,
): Promise<MessageSignature> {
  const nonce = BigInt(`0x${randomBytes(NONCE_BYTES).toString("hex")}`).toString();
  const timestamp = BigInt(Math.floor(now / 1_000));
  const text = signedText(addresses, { nonce, timestamp });
  return { signature: await signText(text, secret), nonce, timestamp };
}

async function selfSigned(
  key: KeyObject,
  use: UmaKey["use"],
  { names, now }: CertificateFacts,
): Promise<KeyCertificate> {
  // Certificates have no parts of a second.
  const [notBefore, notAfter] = [now - SKEW_MS, now + CERTIFIED_MS].map(
    (at) => at - (at % 1_000),
  ) as [number, number];
  const der = await writeSelfSigned({ domains: names, use, notBefore, notAfter }, key);
  const chain = [pemOf(der, "CERTIFICATE")];
  return { source: "SELF_SIGNED", chain, names, notBefore, notAfter };
}
