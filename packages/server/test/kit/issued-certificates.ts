/** Certificates of authorities that tests make up. */
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
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
} from "../../src/formats/uma/certificates/der.ts";
import { pemOf } from "../../src/formats/uma/certificates/write-certificate.ts";

/** The time about which certificates are valid unless a test says otherwise. */
export const CERTIFIED_AT = Date.UTC(2026, 10, 29, 12);
const DAY_MS = 86_400_000;

export function newKey(curve = "secp256k1"): KeyObject {
  return generateKeyPairSync("ec", { namedCurve: curve }).privateKey;
}

export interface Template {
  readonly name: string;
  readonly key: KeyObject;
  readonly by: { readonly name: string; readonly key: KeyObject };
  readonly isAuthority?: boolean;
  readonly domains?: readonly string[];
  readonly from?: number;
  readonly to?: number;
  /** Fills the certificate up. */
  readonly padding?: number;
}

/** A certificate of a test authority, in PEM. */
export function issued({ name, key, by, isAuthority = false, ...rest }: Template): string {
  const {
    domains = [],
    from = CERTIFIED_AT - DAY_MS,
    to = CERTIFIED_AT + 90 * DAY_MS,
    padding = 0,
  } = rest;
  const named = (text: string) => sequence(set(sequence(objectId("2.5.4.3"), utf8(text))));
  const algorithm = sequence(objectId("1.2.840.10045.4.3.2"));
  const names = sequence(...domains.map((domain) => taggedText(2, domain)));
  const extensions = [
    sequence(objectId("2.5.29.19"), TRUE, octetString(isAuthority ? sequence(TRUE) : sequence())),
    ...(domains.length === 0 ? [] : [sequence(objectId("2.5.29.17"), octetString(names))]),
    ...(padding === 0 ? [] : [sequence(objectId("1.2.3.4"), octetString(Buffer.alloc(padding)))]),
  ];
  const body = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(Buffer.from([7])),
    algorithm,
    named(by.name),
    sequence(time(from), time(to)),
    named(name),
    createPublicKey(key).export({ type: "spki", format: "der" }),
    tagged(3, sequence(...extensions)),
  );
  const der = sequence(body, algorithm, bitString(sign("sha256", body, by.key)));
  return pemOf(der, "CERTIFICATE");
}
