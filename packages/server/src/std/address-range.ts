/** Ranges of IP addresses in CIDR notation (`10.0.0.0/8`, `2001:db8::/32`) or single addresses. */
import ipaddr from "ipaddr.js";

export type AddressRange = ReturnType<typeof ipaddr.parseCIDR>;

/** Throws when the text is neither an address nor a range. */
export function parseAddressRange(text: string): AddressRange {
  const [base = ""] = text.split("/");
  if (isAddress(base) && ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!isAddress(text)) throw new Error(`${text} is no IP address and no range such as 10.0.0.0/8`);
  const address = ipaddr.process(text);
  return [address, address.toByteArray().length * 8];
}

/** IPv4 needs all four parts: short forms such as `10.1` are refused. */
export function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

/** An IPv4-mapped IPv6 address counts as the IPv4 address. */
export function isWithin(ranges: readonly AddressRange[], text: string): boolean {
  if (!isAddress(text)) return false;
  const address = ipaddr.process(text);
  return ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
}
