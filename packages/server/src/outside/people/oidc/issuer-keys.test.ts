/**
 * Keys of an issuer on a host whose clock is set back, and tokens for which nobody asks for them. What else there is to them
 * is in oidc-tokens.test.ts.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { startIssuer, type TestIssuer } from "../../../../test/kit/oidc-issuer.ts";
import { endReceivers, outbound } from "../../../../test/kit/receivers.ts";
import type { OidcTokens } from "../../../domain/wallets/credentials/oidc.port.ts";
import { type Clock, systemClock } from "../../../std/clock.ts";
import { Fault } from "../../../std/errors.ts";
import { silentLog } from "../../../std/log.ts";
import { createOidcTokens } from "./oidc-tokens.ts";

const START_MS = Date.UTC(2026, 0, 15, 12);
const HOUR_MS = 3_600_000;

let issuer: TestIssuer;
let now: number;
let tokens: OidcTokens;

beforeEach(async () => {
  issuer = await startIssuer();
  now = START_MS;
  const clock: Clock = { ...systemClock, now: () => now };
  tokens = createOidcTokens({
    outbound: outbound(),
    clock,
    log: silentLog,
    issuers: [issuer.issuer],
    allowsLoopback: () => true,
  });
});
afterEach(endReceivers);

function prove() {
  const iat = Math.floor(now / 1000);
  const token = issuer.token({ aud: "app", sub: "person", iat, exp: iat + 3600 });
  return tokens.prove({ token, environment: "PRODUCTION", at: now });
}

test("a new key of an issuer is found though the keys at hand seem to be of later", async () => {
  expect((await prove()).kind).toBe("proven");
  now -= HOUR_MS;
  issuer.rotate();
  expect((await prove()).kind).toBe("proven");
});

test("an issuer that was down is asked again after the clock was set back", async () => {
  issuer.answerInstead = (_, response) => {
    response.writeHead(503).end();
    return true;
  };
  await expect(prove()).rejects.toThrow(Fault);
  now -= HOUR_MS;
  issuer.answerInstead = undefined;
  expect((await prove()).kind).toBe("proven");
});

test("a token of a new key is not said to be wrong while the issuer is down", async () => {
  expect((await prove()).kind).toBe("proven");
  issuer.rotate();
  issuer.answerInstead = (_, response) => {
    response.writeHead(500).end();
    return true;
  };
  now += 31_000;
  for (let n = 0; n < 2; n++) {
    await expect(prove()).rejects.toMatchObject({ retryAfterSeconds: 5 });
  }
  issuer.answerInstead = undefined;
  now += 6_000;
  expect((await prove()).kind).toBe("proven");
});

test("keys are fetched only for a token that names the expected owner", async () => {
  const iat = Math.floor(now / 1000);
  const token = issuer.token({ aud: "app", sub: "person", iat, exp: iat + 3600 });
  const owner = { issuer: issuer.issuer, audience: "app", subject: "person" };
  const proveFor = (named: typeof owner) =>
    tokens.prove({ token, environment: "PRODUCTION", at: now, owner: named });
  for (const other of [{ issuer: "https://b.example" }, { audience: "b" }, { subject: "b" }]) {
    expect(await proveFor({ ...owner, ...other })).toMatchObject({ kind: "unproven" });
  }
  expect(issuer.keyFetches).toBe(0);
  expect(await proveFor(owner)).toMatchObject({ kind: "proven", identity: owner });
});
