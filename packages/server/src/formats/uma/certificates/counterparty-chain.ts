/** What the chain of another institution proves beyond its signatures, which were judged when the document was read. */
import { X509Certificate } from "node:crypto";

/** Whether the leaf names the host. A chain without certificates names none. */
export function leafNames(chain: readonly X509Certificate[], host: string): boolean {
  return chain[0]?.checkHost(host, { subject: "never" }) !== undefined;
}

/** Whether the last certificate is one of the authorities, or is signed by one that is valid now. */
export function endsAt(
  chain: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
  now: number,
): boolean {
  const last = chain.at(-1);
  return (
    last !== undefined &&
    authorities.some(
      (authority) =>
        Date.parse(authority.validFrom) <= now &&
        now <= Date.parse(authority.validTo) &&
        (authority.raw.equals(last.raw) || isIssuedBy(last, authority)),
    )
  );
}

function isIssuedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  try {
    return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
  } catch {
    return false;
  }
}

const ONE_BLOCK = /^\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*$/;

/** The root certificate of an authority in PEM, or what is wrong with the text. */
export function readAuthority(
  pem: string,
): { readonly certificate: X509Certificate } | { readonly fault: string } {
  if (!ONE_BLOCK.test(pem)) return { fault: "must be one certificate in PEM" };
  const certificate = certificateOf(pem);
  if (certificate === undefined) return { fault: "cannot be read as a certificate" };
  if (!certificate.ca) return { fault: "is not the certificate of an authority" };
  if (!isIssuedBy(certificate, certificate))
    return { fault: "is no root: it does not sign itself" };
  return { certificate };
}

function certificateOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}
