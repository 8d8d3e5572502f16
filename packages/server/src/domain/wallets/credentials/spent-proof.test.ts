import { describe, expect, it } from "vitest";
import { rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import { END_OF_TIME } from "../../../std/clock.ts";
import { type Platform, platforms } from "../../platform.ts";
import type { Registration } from "./registration.ts";
import { isSpent, type SingleUse, singleUseOf, spendProof, spentRef } from "./spent-proof.ts";

const token: SingleUse = { digest: "ab".repeat(32), rememberUntil: 7 };

const passkey = (challenge: string): Registration => ({
  type: "PASSKEY",
  nickname: "ana",
  challenge,
  passkey: {
    credentialId: "c",
    publicKey: null,
    rpIdHash: null,
    origin: null,
    signCount: 0,
    backupEligible: null,
    transports: [],
  },
});

const byToken = (proof: SingleUse | null): Registration => ({
  type: "OAUTH",
  identity: { issuer: "i", audience: "a", subject: "s" },
  nickname: "ana",
  providerName: "Google",
  tokenSha256: "",
  token: proof,
});

function worldIn(environment: Platform["environment"]) {
  const command = { needs: () => [platforms.ref(PLATFORM), spentRef(token)] };
  const tables = [rowsOf(platforms, { ...platform, environment })];
  return worldFor({ command, input: undefined, platformId: PLATFORM, tables });
}

describe("the single-use proof of a registration", () => {
  it("is the challenge of a passkey, for good, and another challenge is another proof", () => {
    const first = singleUseOf(passkey("one"));
    expect(first?.rememberUntil).toBe(END_OF_TIME);
    expect(singleUseOf(passkey("one"))).toEqual(first);
    expect(singleUseOf(passkey("two"))?.digest).not.toBe(first?.digest);
  });

  it("is the token that was checked, and nothing of an address or of a token that was not", () => {
    expect(singleUseOf(byToken(token))).toEqual(token);
    expect(singleUseOf(byToken(null))).toBeUndefined();
    expect(singleUseOf({ type: "EMAIL_OTP", email: "a@x.test" })).toBeUndefined();
  });
});

describe("a proof", () => {
  it("is spent once it was used, and remembered as long as it says", () => {
    const world = worldIn("PRODUCTION");
    expect(isSpent(world, token)).toBe(false);
    spendProof(world, token);
    expect(isSpent(world, token)).toBe(true);
    expect(world.get(spentRef(token)).rememberUntil).toBe(7);
  });

  it("is never spent in a sandbox, nor when the call has no proof", () => {
    const world = worldIn("SANDBOX");
    spendProof(world, token);
    expect([isSpent(world, token), isSpent(world, undefined), world.isEmpty]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
