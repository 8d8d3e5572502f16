/**
 * The document in which an institution publishes its keys: a chain of certificates for each use, the raw keys, or both, which then must
 * agree. The leaf of a chain has the key; each certificate is signed by the next one, and one alone by itself.
 */
import { type KeyObject, X509Certificate } from "node:crypto";
import { writeMessage } from "./json-message.ts";
import { Members } from "./members.ts";
import { MessageFault } from "./message-fault.ts";
import { pointOf, publicKeyOfHex } from "./signatures.ts";

export interface KeyDocument {
  readonly signing: PublishedKey;
  readonly encryption: PublishedKey;
  /** Seconds since 1970. */
  readonly expirationTimestamp: bigint | undefined;
}

export interface PublishedKey {
  readonly key: KeyObject;
  /** The uncompressed point. */
  readonly point: Buffer;
  /** Leaf first; empty for a raw key. */
  readonly chain: readonly X509Certificate[];
}

const MOST_CERTIFICATES = 5;
/** Characters of hexadecimal: eight kilobytes. */
const LONGEST_CERTIFICATE = 16_384;
const LATEST_SECOND = 999_999_999_999n;

/** Throws INVALID_PUBKEY_FORMAT, CERT_CHAIN_INVALID and CERT_CHAIN_EXPIRED. `now` is in milliseconds. */
export function readKeyDocument(bytes: Uint8Array, now: number): KeyDocument {
  const body = Members.of(bytes, "INVALID_PUBKEY_FORMAT");
  const signingChain = body.texts("signingCertChain", MOST_CERTIFICATES, LONGEST_CERTIFICATE);
  const encryptionChain = body.texts("encryptionCertChain", MOST_CERTIFICATES, LONGEST_CERTIFICATE);
  const raw = body.optionalText("encryptionPubKey", 200);
  // One library publishes its signing chain under both names. The raw key is the right one there.
  const isSigningChain =
    raw !== undefined &&
    signingChain.join() === encryptionChain.join() &&
    !isSamePoint(raw, keyOfChain(signingChain, now)?.point);
  return {
    signing: publishedKey(body, { now, chain: signingChain, member: "signingPubKey" }),
    encryption: publishedKey(body, {
      now,
      chain: isSigningChain ? [] : encryptionChain,
      member: "encryptionPubKey",
    }),
    expirationTimestamp: body.optionalWhole("expirationTimestamp", LATEST_SECOND),
  };
}

function isSamePoint(hex: string, point: Buffer | undefined): boolean {
  const key = publicKeyOfHex(hex);
  return key !== undefined && point !== undefined && pointOf(key)?.equals(point) === true;
}

function publishedKey(
  body: Members,
  {
    now,
    chain,
    member,
  }: { readonly now: number; readonly chain: readonly string[]; readonly member: string },
): PublishedKey {
  const ofChain = keyOfChain(chain, now);
  const hex = body.optionalText(member, 200);
  if (hex === undefined) {
    if (ofChain === undefined) throw body.fault(member, "is missing, and so is its chain");
    return ofChain;
  }
  const key = publicKeyOfHex(hex);
  const point = key && pointOf(key);
  if (key === undefined || point === undefined)
    throw body.fault(member, "is no point of secp256k1");
  if (ofChain === undefined) return { key, point, chain: [] };
  if (!point.equals(ofChain.point))
    throw invalid(`${member} is not the key of the leaf of its chain`);
  return ofChain;
}

function invalid(reason: string): MessageFault {
  return new MessageFault("CERT_CHAIN_INVALID", reason);
}

/** The key of a chain's leaf, once the chain holds; undefined without a chain. */
function keyOfChain(texts: readonly string[], now: number): PublishedKey | undefined {
  const chain = texts.map(certificateOf);
  const [leaf] = chain;
  if (leaf === undefined) return undefined;
  judgeChain(chain, now);
  const point = pointOf(leaf.publicKey);
  if (point === undefined)
    throw new MessageFault("INVALID_PUBKEY_FORMAT", "the leaf's key is not of secp256k1");
  return { key: leaf.publicKey, point, chain };
}

function certificateOf(hex: string): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(hex, "hex"));
  } catch {
    throw invalid("a certificate cannot be read");
  }
}

/** Throws unless each certificate is signed by the next one, the only one by itself, and all are valid now. */
export function judgeChain(chain: readonly X509Certificate[], now: number): void {
  for (const [index, certificate] of chain.entries()) {
    const signer = chain[index + 1] ?? (chain.length === 1 ? certificate : undefined);
    if (signer !== undefined && !isSignedBy(certificate, signer))
      throw invalid(`certificate ${index + 1} is not signed by the next one`);
    const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
    if (!(from <= now && now <= to)) {
      const dates = `${certificate.validFrom} to ${certificate.validTo}`;
      throw new MessageFault(
        "CERT_CHAIN_EXPIRED",
        `certificate ${index + 1} is valid from ${dates}`,
      );
    }
  }
}

function isSignedBy(certificate: X509Certificate, signer: X509Certificate): boolean {
  try {
    return certificate.verify(signer.publicKey);
  } catch {
    return false;
  }
}

/** The document of one of our platforms. */
export function writeKeyDocument(document: {
  readonly signing: Pick<PublishedKey, "point"> & { readonly chain: readonly Uint8Array[] };
  readonly encryption: Pick<PublishedKey, "point"> & { readonly chain: readonly Uint8Array[] };
  readonly expirationTimestamp: bigint;
}): string {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
  return writeMessage({
    signingCertChain: document.signing.chain.map(hex),
    encryptionCertChain: document.encryption.chain.map(hex),
    signingPubKey: hex(document.signing.point),
    encryptionPubKey: hex(document.encryption.point),
    expirationTimestamp: document.expirationTimestamp,
  });
}
