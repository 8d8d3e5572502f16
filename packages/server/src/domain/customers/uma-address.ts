/** UMA addresses: `$user@domain`, case-insensitive and kept in lower case. */
import { type Environment, umaNamespace } from "../platform.ts";

const USER = /^\$[a-z0-9\-_.+]+$/;
const LONGEST_USER = 64;

/** The normalized address; undefined when it is malformed. */
export function normalizeUmaAddress(text: string): string | undefined {
  const address = inLowerCase(text);
  const at = address.indexOf("@");
  if (at < 2 || address.indexOf("@", at + 1) !== -1) return undefined;
  const user = address.slice(0, at);
  if (user.length > LONGEST_USER || !USER.test(user) || !isAddressDomain(address.slice(at + 1)))
    return undefined;
  return address;
}

/**
 * Lower-cases ASCII letters only. A full Unicode mapping would turn the Kelvin sign into "k" and make a malformed address
 * valid.
 */
export function inLowerCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function domainOf(address: string): string {
  return address.slice(address.indexOf("@") + 1);
}

/** The address of a customer created without one. */
export function generatedUmaAddress(id: string, domain: string): string {
  return `$u${id.replaceAll("-", "").slice(-20)}@${domain}`;
}

const PLATFORM_USER = "$platform";

/** The address under which a platform pays for itself. No customer can have it. */
export function platformAddress(domain: string): string {
  return `${PLATFORM_USER}@${domain}`;
}

export function isPlatformAddress(address: string): boolean {
  return address.startsWith(`${PLATFORM_USER}@`);
}

/** The key of an address of an environment in the deployment's directory. */
export function umaHandle(environment: Environment, address: string): string {
  return `uma:${umaNamespace(environment)}:${address}`;
}

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** The host part of an address: a domain name; a port may follow. */
export function isAddressDomain(text: string): boolean {
  const [host = "", port, ...more] = text.split(":");
  if (more.length > 0 || (port !== undefined && !/^[1-9][0-9]{0,4}$/.test(port))) return false;
  return isDomainName(host);
}

/** A host name of at least two labels. */
export function isDomainName(text: string): boolean {
  const labels = text.split(".");
  return text.length <= 253 && labels.length >= 2 && labels.every((label) => LABEL.test(label));
}
