import ipaddr from "ipaddr.js";

/**
 * The rate-limit key of an address: the IPv4 address itself, or the /64 of an IPv6 address, because one host commonly
 * owns a whole /64.
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return parsed
    .toByteArray()
    .slice(0, 8)
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
