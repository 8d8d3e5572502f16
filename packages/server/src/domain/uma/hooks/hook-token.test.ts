import { expect, it } from "vitest";
import { createSealer, toMasterKey } from "../../../secrets/sealing.ts";
import { createCallbackTokens } from "../receiving/callback-token.ts";
import { createHookTokens, HOOK_LIVES_MS, type HookGrant } from "./hook-token.ts";

const keyOf = (digits: string) => toMasterKey(digits.repeat(4), "test");
const sealer = createSealer({ current: keyOf("0123456789abcdef") });
const tokens = createHookTokens(sealer);
const NOW = Date.UTC(2026, 10, 29, 12, 0, 0, 123);
const grant: HookGrant = {
  platformId: "019a4f00-0000-7000-8000-000000000001",
  direction: "IN",
  reference: "019a4f00-ffff-7000-8000-0000000000ff",
  vaspDomain: "vasp.example:8443",
  at: NOW,
};

it.each(["IN", "OUT"] as const)("gives back what it was made of, for 30 days: %s", (direction) => {
  const token = tokens.make({ ...grant, direction });
  expect(token).toMatch(/^[\w-]+$/);
  expect(tokens.open(token, NOW + HOOK_LIVES_MS)).toEqual({ ...grant, direction });
  expect(tokens.open(token, NOW + HOOK_LIVES_MS + 1)).toBeUndefined();
});

it("does not open after a change, for another key, nor as the token of a lookup", () => {
  const token = tokens.make(grant);
  const bytes = Buffer.from(token, "base64url");
  for (let place = 0; place < bytes.length; place += 1) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ 1;
    expect(tokens.open(changed.toString("base64url"), NOW)).toBeUndefined();
  }
  const foreign = createHookTokens(createSealer({ current: keyOf("fedcba9876543210") }));
  expect(foreign.open(token, NOW)).toBeUndefined();
  const lookups = createCallbackTokens(sealer);
  const { platformId, vaspDomain } = grant;
  const made = { platformId, vaspDomain, customerId: grant.reference, at: NOW };
  const lookup = { ...made, isAmongSandboxes: false };
  const other = lookups.make({ ...lookup, address: "$ana@bank.example", umaVersion: "1.0" });
  expect(tokens.open(other, NOW)).toBeUndefined();
  expect(lookups.open(token, NOW)).toBeUndefined();
});
