/** UMA addresses: `$user@domain`, case-insensitive and kept in lower case. */
import { invalidFields, type Refusal } from "../../engine/refusal.ts";

const USER = /^\$[a-z0-9\-_.+]+$/;
const LONGEST_USER = 64;

/** The address in its one spelling, or undefined when it is not well formed. */
export function normalizeUmaAddress(text: string): string | undefined {
  const address = text.toLowerCase();
  const at = address.indexOf("@");
  if (at < 2 || address.indexOf("@", at + 1) !== -1) return undefined;
  const user = address.slice(0, at);
  if (user.length > LONGEST_USER || !USER.test(user) || !isDomainName(address.slice(at + 1)))
    return undefined;
  return address;
}

export function domainOf(address: string): string {
  return address.slice(address.indexOf("@") + 1);
}

/** The refusal of an address that is not at the platform's own domain. */
export function foreignUmaAddress({ umaDomain }: { readonly umaDomain: string }): Refusal {
  const fault = { field: "umaAddress", message: `must be at the platform's domain ${umaDomain}` };
  return invalidFields([fault], "INVALID_UMA_ADDRESS", { domain: umaDomain });
}

/** An address for a customer who brought none. */
export function generatedUmaAddress(id: string, domain: string): string {
  return `$u${id.replaceAll("-", "").slice(-20)}@${domain}`;
}

/** The name under which the deployment's directory leads from an address to its platform. */
export function umaHandle(address: string): string {
  return `uma:${address}`;
}

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Host names of at least two labels; a port may follow. */
export function isDomainName(text: string): boolean {
  const [host = "", port, ...more] = text.split(":");
  if (more.length > 0 || (port !== undefined && !/^[1-9][0-9]{0,4}$/.test(port))) return false;
  const labels = host.split(".");
  return host.length <= 253 && labels.length >= 2 && labels.every((label) => LABEL.test(label));
}
