/** Who counts for a request: the peer, or whom a trusted proxy names, and nobody whom a caller names. */
import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { type Log, silentLog } from "../../std/log.ts";
import { createCallerAddress } from "./caller-address.ts";

const PROXIES = ["127.0.0.1", "10.0.0.0/8", "2001:db8:5::/48"];

function callerOf(peer: string | undefined, forwarded?: string, trustedProxies = PROXIES): string {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  const raw = { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage;
  return createCallerAddress({ trustedProxies, log: silentLog })(raw);
}

describe("the address of a caller", () => {
  it.each([
    ["is the peer's", "203.0.113.7", undefined, "203.0.113.7"],
    ["is the peer's, whatever it says", "203.0.113.7", "198.51.100.1", "203.0.113.7"],
    ["is the proxy's own when it names nobody", "127.0.0.1", undefined, "127.0.0.1"],
    ["is whom a trusted proxy names", "127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["is the last that is named", "10.1.2.3", "192.0.2.9, 198.51.100.1", "198.51.100.1"],
    ["is found behind proxies", "10.1.2.3", "6.6.6.6, 198.51.100.1,10.9.9.9", "198.51.100.1"],
    ["is found by a mapped peer", "::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1"],
    ["is of either kind", "2001:db8:5::1", "2001:db8:77::7", "2001:db8:77::7"],
    ["is read without its port", "127.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
    ["is read without brackets", "127.0.0.1", "[2001:db8:77::7]:4711", "2001:db8:77::7"],
    ["ends at what is none", "10.1.2.3", "198.51.100.1, unknown, 10.9.9.9", "10.9.9.9"],
    ["is the peer's behind nonsense", "10.1.2.3", "198.51.100.1, 10.1", "10.1.2.3"],
    ["is the first of proxies alone", "10.1.2.3", "10.0.0.7, 10.0.0.8", "10.0.0.7"],
    ["is empty when the peer is gone", undefined, "198.51.100.1", ""],
  ])("%s", (_what, peer, forwarded, caller) => {
    expect(callerOf(peer, forwarded)).toBe(caller);
  });

  it("is the peer's where no proxy is trusted, and that a proxy seems to be there is said once", () => {
    expect(callerOf("127.0.0.1", "198.51.100.1", [])).toBe("127.0.0.1");
    const said: unknown[] = [];
    const log = { ...silentLog, warn: (facts: unknown) => said.push(facts) } as unknown as Log;
    const addressOf = createCallerAddress({ trustedProxies: [], log });
    const headers = { "x-forwarded-for": "198.51.100.1" };
    const raw = { socket: { remoteAddress: "10.0.0.1" }, headers } as unknown as IncomingMessage;
    for (let n = 0; n < 3; n++) addressOf(raw);
    expect(said).toEqual([{ peer: "10.0.0.1" }]);
  });
});
