import ipaddr from "ipaddr.js";

/**
 * What counts as one caller when addresses are counted: an IPv4 address, or the /64 of an IPv6 address, because a
 * single host commonly owns a whole /64.
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
