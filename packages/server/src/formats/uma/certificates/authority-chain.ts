/** Judges the chain that an authority has given for a key of ours: a text of PEM, the certificate of the key first. */
import { X509Certificate } from "node:crypto";
import { pointOf } from "../signatures.ts";

export interface ChainDates {
  /** PEM, leaf first. */
  readonly chain: readonly string[];
  /** When every certificate is valid, in milliseconds. */
  readonly notBefore: number;
  readonly notAfter: number;
}

export type JudgedChain =
  | { readonly ok: true; readonly value: ChainDates }
  | { readonly ok: false; readonly faults: readonly string[] };

interface Wanted {
  /** The uncompressed point of the key, in hexadecimal. */
  readonly publicKey: string;
  readonly domains: readonly string[];
  readonly now: number;
}

export const MOST_CERTIFICATES = 5;
/** Readers of key documents refuse a longer certificate. */
const MOST_CERTIFICATE_BYTES = 8_192;
/** Of both chains a document has twice as many digits, and readers take 64 kB of it. */
const MOST_CHAIN_BYTES = 15_000;

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;

export function judgeAuthorityChain(pem: string, wanted: Wanted): JudgedChain {
  const blocks = [...pem.matchAll(BLOCK)];
  const unknown = blocks.map(([, label = ""]) => label).filter((label) => label !== "CERTIFICATE");
  const faults: string[] = [
    ...[...new Set(unknown)].map((label) => `must hold certificates alone, and not ${label}`),
  ];
  if (pem.replaceAll(BLOCK, "").includes("-----")) faults.push("has a block that is cut");
  const certificates = blocks
    .filter(([, label]) => label === "CERTIFICATE")
    .map(([text]) => certificateOf(text));
  if (certificates.length === 0) faults.push("must hold at least one certificate in PEM");
  if (certificates.length > MOST_CERTIFICATES)
    faults.push(`has ${certificates.length} certificates; at most ${MOST_CERTIFICATES} are taken`);
  const chain = certificates.slice(0, MOST_CERTIFICATES);
  for (const [index, certificate] of chain.entries()) {
    if (certificate === undefined) faults.push(`certificate ${index + 1} cannot be read`);
    else faults.push(...certificateFaults(chain, index, certificate, wanted.now));
  }
  const bytes = chain.reduce((sum, one) => sum + (one?.raw.length ?? 0), 0);
  if (bytes > MOST_CHAIN_BYTES)
    faults.push(`has ${bytes} bytes of certificates; at most ${MOST_CHAIN_BYTES} are taken`);
  const [leaf] = chain;
  if (leaf !== undefined) faults.push(...leafFaults(leaf, wanted));
  if (faults.length > 0) return { ok: false, faults };
  const read = chain.filter((one) => one !== undefined);
  return {
    ok: true,
    value: {
      chain: read.map((one) => one.toString()),
      notBefore: inOrder(read.map(({ validFrom }) => Date.parse(validFrom))).at(-1) ?? 0,
      notAfter: inOrder(read.map(({ validTo }) => Date.parse(validTo)))[0] ?? 0,
    },
  };
}

function inOrder(times: readonly number[]): readonly number[] {
  return times.toSorted((one, other) => one - other);
}

function certificateOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function certificateFaults(
  chain: readonly (X509Certificate | undefined)[],
  index: number,
  certificate: X509Certificate,
  now: number,
): readonly string[] {
  const place = `certificate ${index + 1}`;
  const faults: string[] = [];
  if (certificate.raw.length > MOST_CERTIFICATE_BYTES)
    faults.push(`${place} is longer than ${MOST_CERTIFICATE_BYTES} bytes`);
  if (index > 0 && !certificate.ca) faults.push(`${place} is not that of an authority`);
  // One alone is accepted by others only if it is signed by itself.
  const signer = chain.length === 1 ? certificate : chain[index + 1];
  if (signer !== undefined && !isSignedBy(certificate, signer))
    faults.push(`${place} is not signed by the next one`);
  if (Date.parse(certificate.validFrom) > now)
    faults.push(`${place} is not valid before ${certificate.validFrom}`);
  if (Date.parse(certificate.validTo) < now)
    faults.push(`${place} has expired: ${certificate.validTo}`);
  return faults;
}

function isSignedBy(certificate: X509Certificate, signer: X509Certificate): boolean {
  try {
    return certificate.verify(signer.publicKey);
  } catch {
    return false;
  }
}

function leafFaults(leaf: X509Certificate, { publicKey, domains }: Wanted): readonly string[] {
  const isOurs = pointOf(leaf.publicKey)?.toString("hex") === publicKey;
  const missing = domains.filter(
    (domain) => leaf.checkHost(domain, { subject: "never" }) === undefined,
  );
  return [
    ...(isOurs ? [] : ["certificate 1 is of another key"]),
    ...missing.map((domain) => `certificate 1 does not name ${domain}`),
  ];
}
