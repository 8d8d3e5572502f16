import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../../http/server/limits.ts";
import { createSealer, toMasterKey } from "../../../secrets/sealing.ts";
import { CALLBACK_LIVES_MS, type CallbackGrant, createCallbackTokens } from "./callback-token.ts";

const keyOf = (digits: string) => toMasterKey(digits.repeat(4), "test");
const current = keyOf("0123456789abcdef");
const tokens = createCallbackTokens(createSealer({ current }));
const NOW = Date.UTC(2026, 10, 29, 12, 0, 0, 123);

const grant: CallbackGrant = {
  platformId: "019a4f00-0000-7000-8000-000000000001",
  customerId: "019a4f00-ffff-7000-8000-0000000000ff",
  address: "$ana@bank.example",
  vaspDomain: "vasp.example:8443",
  umaVersion: "1.0",
  at: NOW,
  isAmongSandboxes: false,
};

describe("the token of a callback", () => {
  it("gives back what it was made of, for ten minutes", () => {
    const token = tokens.make(grant);
    expect(token).toMatch(/^[\w-]+$/);
    expect(tokens.open(token, NOW)).toEqual(grant);
    expect(tokens.open(token, NOW + CALLBACK_LIVES_MS)).toEqual(grant);
    expect(tokens.open(token, NOW + CALLBACK_LIVES_MS + 1)).toBeUndefined();
  });

  it("tells the sandboxes of the deployment from institutions", () => {
    const token = tokens.make({ ...grant, isAmongSandboxes: true });
    expect(tokens.open(token, NOW)).toEqual({ ...grant, isAmongSandboxes: true });
  });

  it("shows nothing of it, and is another one each time", () => {
    const [one, other] = [tokens.make(grant), tokens.make(grant)];
    expect(one).not.toBe(other);
    const bytes = Buffer.from(one, "base64url");
    for (const part of [grant.address, grant.vaspDomain, Buffer.from("019a4f00ffff", "hex")])
      expect(bytes.includes(part)).toBe(false);
  });

  it("does not open after a change of any byte, cut, longer, or in another spelling", () => {
    const token = tokens.make(grant);
    const bytes = Buffer.from(token, "base64url");
    for (let place = 0; place < bytes.length; place += 1) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 1;
      expect(tokens.open(changed.toString("base64url"), NOW)).toBeUndefined();
    }
    for (const other of ["", "x", token.slice(0, -4), `${token}AAAA`, `${token}=`, `${token} `])
      expect(tokens.open(other, NOW)).toBeUndefined();
  });

  it("does not open for another key, nor as another sealed value", () => {
    const foreign = createCallbackTokens(createSealer({ current: keyOf("fedcba9876543210") }));
    expect(foreign.open(tokens.make(grant), NOW)).toBeUndefined();
    const other = createSealer({ current }).sealBytes(Buffer.alloc(60), "another use");
    expect(tokens.open(other.toString("base64url"), NOW)).toBeUndefined();
  });

  it("fits into a segment of a path with the longest addresses", () => {
    const label = "a".repeat(63);
    const domain = `${label}.${label}.${label}.${"a".repeat(61)}`;
    const address = `$${"u".repeat(63)}@${domain}`;
    const longest = tokens.make({
      ...grant,
      address,
      vaspDomain: `${domain}:65535`,
      isAmongSandboxes: true,
    });
    expect(longest.length).toBeLessThanOrEqual(defaultLimits.pathSegmentChars);
    expect(tokens.open(longest, NOW)).toMatchObject({ address });
  });
});
