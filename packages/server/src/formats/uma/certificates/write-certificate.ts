/**
 * Certificates of our keys, X.509 v3 and ECDSA with SHA-256, and requests for a certificate (CSR, PKCS#10), from one template. Both name every
 * domain of the platform.
 */
import { createPublicKey, type KeyObject, randomBytes, sign } from "node:crypto";
import {
  bitString,
  integer,
  objectId,
  octetString,
  sequence,
  set,
  TRUE,
  tagged,
  taggedText,
  time,
  utf8,
} from "./der.ts";

export type KeyUse = "SIGNING" | "ENCRYPTION";

export interface Subject {
  /** The primary domain first. */
  readonly domains: readonly string[];
  readonly use: KeyUse;
}

const ECDSA_WITH_SHA256 = sequence(objectId("1.2.840.10045.4.3.2"));
const COMMON_NAME = objectId("2.5.4.3");
const LONGEST_COMMON_NAME = 64;
const KEY_USAGE = objectId("2.5.29.15");
const ALTERNATIVE_NAMES = objectId("2.5.29.17");
const BASIC_CONSTRAINTS = objectId("2.5.29.19");
const EXTENSION_REQUEST = objectId("1.2.840.113549.1.9.14");
const VERSION_3 = tagged(0, integer(Buffer.from([2])));
const DNS_NAME = 2;
const SERIAL_BYTES = 16;

/** digitalSignature is the first bit, keyAgreement the fifth. */
const USAGE_BITS = {
  SIGNING: bitString(Buffer.from([0b1000_0000]), 7),
  ENCRYPTION: bitString(Buffer.from([0b0000_1000]), 3),
} as const satisfies Record<KeyUse, Buffer>;

/** A certificate that is signed by its own key. Its dates are in milliseconds. */
export async function writeSelfSigned(
  subject: Subject & { readonly notBefore: number; readonly notAfter: number },
  key: KeyObject,
): Promise<Buffer> {
  const name = nameOf(subject);
  const body = sequence(
    VERSION_3,
    integer(randomBytes(SERIAL_BYTES)),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(subject.notBefore), time(subject.notAfter)),
    name,
    publicPart(key),
    tagged(3, extensionsOf(subject)),
  );
  return signed(body, key);
}

/** A request for a certificate of an authority. */
export function writeCertificateRequest(subject: Subject, key: KeyObject): Promise<Buffer> {
  const body = sequence(
    integer(Buffer.from([0])),
    nameOf(subject),
    publicPart(key),
    tagged(0, sequence(EXTENSION_REQUEST, set(extensionsOf(subject)))),
  );
  return signed(body, key);
}

function nameOf({ domains }: Subject): Buffer {
  const [primary = ""] = domains;
  // A longer name is not allowed as a common name; the alternative names have it whole.
  const name = utf8(primary.slice(0, LONGEST_COMMON_NAME));
  return sequence(set(sequence(COMMON_NAME, name)));
}

function publicPart(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: "spki", format: "der" });
}

function extensionsOf({ domains, use }: Subject): Buffer {
  const names = domains.map((domain) => taggedText(DNS_NAME, domain.replace(/:\d+$/, "")));
  return sequence(
    sequence(BASIC_CONSTRAINTS, TRUE, octetString(sequence())),
    sequence(KEY_USAGE, TRUE, octetString(USAGE_BITS[use])),
    sequence(ALTERNATIVE_NAMES, octetString(sequence(...names))),
  );
}

function signed(body: Buffer, key: KeyObject): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sign("sha256", body, key, (error, signature) => {
      if (error === null) resolve(sequence(body, ECDSA_WITH_SHA256, bitString(signature)));
      else reject(error);
    });
  });
}

const LINE = 64;

/** The PEM text of a certificate or a request. */
export function pemOf(der: Uint8Array, label: "CERTIFICATE" | "CERTIFICATE REQUEST"): string {
  const text = Buffer.from(der).toString("base64");
  const lines = text.match(new RegExp(`.{1,${LINE}}`, "g")) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
