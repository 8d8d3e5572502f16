import ipaddr from "ipaddr.js";
import { parseUrl } from "../../std/url.ts";

/**
 * Decides whether an address is on the public internet. Used for literals in URLs, for every resolved address and for the peer
 * of a connected socket. An address that cannot be parsed is never public.
 */
export interface AddressJudgement {
  readonly kind: "public" | "loopback" | "special" | "unreadable";
  /** The canonical spelling, used to connect; the text as given when it could not be parsed. */
  readonly address: string;
  /** The range that decided, for the log. */
  readonly range: string;
}

type Address = ReturnType<typeof ipaddr.parse>;
type IPv6 = InstanceType<typeof ipaddr.IPv6>;
type Range = readonly [cidr: string, name: string];

const IPV4_LOOPBACK = "127.0.0.0/8";

const IPV4_SPECIAL: readonly Range[] = [
  ["0.0.0.0/8", "this network"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "carrier-grade nat"],
  ["168.63.129.16/32", "cloud metadata"],
  ["169.254.0.0/16", "link local"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "protocol assignments"],
  ["192.0.2.0/24", "documentation"],
  ["192.31.196.0/24", "as112"],
  ["192.52.193.0/24", "multicast tunnels"],
  ["192.88.99.0/24", "6to4 relay"],
  ["192.168.0.0/16", "private"],
  ["192.175.48.0/24", "as112"],
  ["198.18.0.0/15", "benchmarking"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["255.255.255.255/32", "broadcast"],
  ["240.0.0.0/4", "reserved"],
];

const IPV6_SPECIAL: readonly Range[] = [
  ["::/128", "unspecified"],
  ["::/96", "ipv4 compatible"],
  ["::ffff:0:0:0/96", "ipv4 translated"],
  ["64:ff9b:1::/48", "local nat64"],
  ["100::/64", "discard"],
  ["100:0:0:1::/64", "dummy"],
  ["2001::/32", "teredo"],
  ["2001:2::/48", "benchmarking"],
  ["2001:10::/28", "orchid"],
  ["2001:20::/28", "orchid"],
  ["2001:db8::/32", "documentation"],
  ["2001::/23", "protocol assignments"],
  ["2620:4f:8000::/48", "as112"],
  ["3fff::/20", "documentation"],
  ["5f00::/16", "segment routing"],
  ["fc00::/7", "unique local"],
  ["fe80::/10", "link local"],
  ["fec0::/10", "site local"],
  ["ff00::/8", "multicast"],
];

/** Ranges that embed an IPv4 address, with the 16-bit group at which it starts. The embedded address decides. */
const IPV6_CARRIERS: readonly (readonly [cidr: string, name: string, group: number])[] = [
  ["::ffff:0:0/96", "ipv4 mapped", 6],
  ["64:ff9b::/96", "nat64", 6],
  ["2002::/16", "6to4", 1],
];

/** The ranges that registries assign for unicast; all others are refused. */
const IPV6_GLOBAL_UNICAST = "2000::/3";

interface ParsedRange {
  readonly name: string;
  readonly holds: (address: Address) => boolean;
}

const parsed = (cidr: string, name: string): ParsedRange => {
  const range = ipaddr.parseCIDR(cidr);
  return { name, holds: (address) => address.match(range) };
};

const ipv4Loopback = parsed(IPV4_LOOPBACK, "loopback");
const ipv4Special = IPV4_SPECIAL.map(([cidr, name]) => parsed(cidr, name));
const ipv6Carriers = IPV6_CARRIERS.map(([cidr, name, group]) => ({ ...parsed(cidr, name), group }));
const ipv6Special = IPV6_SPECIAL.map(([cidr, name]) => parsed(cidr, name));
const ipv6GlobalUnicast = parsed(IPV6_GLOBAL_UNICAST, "global unicast");

export function judgeAddress(text: string): AddressJudgement {
  const address = read(text);
  if (address === undefined) return { kind: "unreadable", address: text, range: "unreadable" };
  return address instanceof ipaddr.IPv6 ? judgeIPv6(address) : judgeIPv4(address);
}

function judgeIPv4(ipv4: Address): AddressJudgement {
  const address = ipv4.toString();
  if (ipv4Loopback.holds(ipv4)) return { kind: "loopback", address, range: "loopback" };
  const special = ipv4Special.find(({ holds }) => holds(ipv4));
  if (special !== undefined) return { kind: "special", address, range: special.name };
  return { kind: "public", address, range: "public" };
}

function judgeIPv6(ipv6: IPv6): AddressJudgement {
  const address = ipv6.toRFC5952String();
  if (address === "::1") return { kind: "loopback", address, range: "loopback" };
  const carrier = ipv6Carriers.find(({ holds }) => holds(ipv6));
  if (carrier !== undefined) return judgeCarried(ipv6, carrier);
  const special = ipv6Special.find(({ holds }) => holds(ipv6));
  if (special !== undefined) return { kind: "special", address, range: special.name };
  if (!ipv6GlobalUnicast.holds(ipv6)) return { kind: "special", address, range: "reserved" };
  return { kind: "public", address, range: "public" };
}

/** An embedded loopback address counts as special, not as loopback: it is not a usual way to name this machine. */
function judgeCarried(
  ipv6: IPv6,
  { name, group }: { readonly name: string; readonly group: number },
): AddressJudgement {
  const octets = ipv6.toByteArray().slice(group * 2, group * 2 + 4);
  const carried = judgeIPv4(ipaddr.fromByteArray(octets));
  const address = name === "ipv4 mapped" ? carried.address : ipv6.toRFC5952String();
  if (carried.kind === "public") return { kind: "public", address, range: name };
  return { kind: "special", address, range: `${name}: ${carried.range}` };
}

/**
 * IPv6 goes through the URL parser first: ipaddr.js takes `::8.8.8.8` for the mapped `::ffff:8.8.8.8`, which is another
 * address, and the URL parser knows no zones.
 */
function read(text: string): Address | undefined {
  if (!/^[0-9a-fx.:]{1,64}$/i.test(text)) return undefined;
  if (!text.includes(":")) return ipaddr.isValid(text) ? ipaddr.parse(text) : undefined;
  const url = parseUrl(`http://[${text}]/`);
  return url === undefined ? undefined : ipaddr.parse(url.hostname.slice(1, -1));
}
