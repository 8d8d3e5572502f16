import { createHash, randomBytes } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import { describe, expect, test } from "vitest";
import {
  createSoftAuthenticator,
  type Deviations,
  flags,
  type SoftAlgorithm,
  type SoftAuthenticator,
} from "../../../../test/kit/soft-authenticator.ts";
import {
  isNextSignCount,
  type Passkey,
} from "../../../domain/wallets/credentials/passkeys.port.ts";
import { createPasskeys } from "./passkeys.ts";

const passkeys = createPasskeys();
const challenge = createHash("sha256").update("a session").digest("hex");
/** As the browser writes it when the page hands it the text's bytes. */
const written = Buffer.from(challenge).toString("base64url");

async function made(
  algorithm: SoftAlgorithm = "ES256",
  deviations: Deviations = {},
): Promise<{ readonly soft: SoftAuthenticator; readonly passkey: Passkey }> {
  const soft = createSoftAuthenticator(algorithm);
  const registered = await passkeys.register({
    environment: "PRODUCTION",
    challenge: "cmVnaXN0ZXI",
    attestation: soft.register("cmVnaXN0ZXI", deviations),
  });
  if (registered.kind !== "registered") throw new Error(JSON.stringify(registered));
  return { soft, passkey: registered.passkey };
}

describe("an assertion", () => {
  test.each(["ES256", "RS256", "EdDSA"] as const)(
    "with %s proves its passkey",
    async (algorithm) => {
      const { soft, passkey } = await made(algorithm);
      const login = await passkeys.verify({ passkey, challenge, assertion: soft.assert(written) });
      expect(login).toEqual({
        kind: "proven",
        signCount: 0,
        userVerified: true,
        isBackedUp: false,
      });
    },
  );

  test("may have its challenge written in either of two ways", async () => {
    const { soft, passkey } = await made();
    const assertion = soft.assert(challenge);
    expect(await passkeys.verify({ passkey, challenge, assertion })).toMatchObject({
      kind: "proven",
    });
  });

  test("reports that the user was not verified, and is accepted", async () => {
    const { soft, passkey } = await made();
    const assertion = soft.assert(written, { flags: flags.present });
    expect(await passkeys.verify({ passkey, challenge, assertion })).toEqual({
      kind: "proven",
      signCount: 0,
      userVerified: false,
      isBackedUp: false,
    });
  });

  test("may carry extensions and a user handle", async () => {
    const { soft, passkey } = await made();
    const tail = isoCBOR.encode(
      new Map([["credProps", true]]) as Parameters<typeof isoCBOR.encode>[0],
    );
    const assertion = soft.assert(written, { flags: flags.present | flags.extended, tail });
    const login = await passkeys.verify({
      passkey,
      challenge,
      assertion: { ...assertion, userHandle: "dXNlcg" },
    });
    expect(login).toMatchObject({ kind: "proven" });
  });

  test.each([
    [0, 0, true],
    [0, 1, true],
    [5, 6, true],
    [5, 4_294_967_295, true],
    [5, 5, false],
    [5, 4, false],
    [5, 0, false],
  ])("with the counter kept at %i and shown as %i: %s", async (stored, shown, isFine) => {
    const { soft, passkey } = await made("ES256", { counter: stored });
    const assertion = soft.assert(written, { counter: shown });
    const login = await passkeys.verify({ passkey, challenge, assertion });
    expect(login.kind).toBe(isFine ? "proven" : "unproven");
    if (isFine) expect(login).toMatchObject({ signCount: shown });
    expect(isNextSignCount(stored, shown)).toBe(isFine);
  });

  const wrong: readonly (readonly [string, Deviations])[] = [
    ["a registration", { clientData: { type: "webauthn.create" } }],
    ["from another site", { clientData: { origin: "https://wallet.example.org" } }],
    ["from a site below it", { clientData: { origin: "https://a.wallet.example.com" } }],
    ["from the site above it", { clientData: { origin: "https://example.com" } }],
    ["from another port", { clientData: { origin: "https://wallet.example.com:8443" } }],
    ["from the same site in clear", { clientData: { origin: "http://wallet.example.com" } }],
    ["from a look-alike", { clientData: { origin: "https://wallet.examp1e.com" } }],
    ["from a frame of another site", { clientData: { crossOrigin: true } }],
    ["from below another site", { clientData: { topOrigin: "https://evil.example" } }],
    ["for another relying party", { rpId: "evil.example" }],
    ["for the relying party's parent", { rpId: "com" }],
    ["for the page's own host as relying party", { rpId: "wallet.example.com" }],
    ["without a person", { flags: flags.verified }],
    ["with a flag without meaning", { flags: flags.present | 0x20 }],
    ["that can suddenly be backed up", { flags: flags.present | flags.backupEligible }],
    ["that is backed up but cannot be", { flags: flags.present | flags.backedUp }],
    [
      "for another challenge",
      { clientData: { challenge: Buffer.from("0".repeat(64)).toString("base64url") } },
    ],
    ["for the challenge in capitals", { clientData: { challenge: challenge.toUpperCase() } }],
    [
      "for the challenge's raw bytes",
      { clientData: { challenge: Buffer.from(challenge, "hex").toString("base64url") } },
    ],
    ["for the challenge with padding", { clientData: { challenge: `${written}=` } }],
    ["for no challenge", { clientData: { challenge: "" } }],
  ];

  test.each(wrong)("is refused %s, rightly signed as it is", async (_, deviations) => {
    const { soft, passkey } = await made();
    const assertion = soft.assert(written, deviations);
    expect(await passkeys.verify({ passkey, challenge, assertion })).toMatchObject({
      kind: "unproven",
    });
  });

  test("of another passkey is refused, also under the right one's id", async () => {
    const { passkey } = await made();
    const { soft: other } = await made();
    const assertion = other.assert(written);
    expect(await passkeys.verify({ passkey, challenge, assertion })).toMatchObject({
      kind: "unproven",
    });
    const renamed = { ...assertion, credentialId: passkey.credentialId };
    expect(await passkeys.verify({ passkey, challenge, assertion: renamed })).toEqual({
      kind: "unproven",
      reason: "The signature does not fit.",
    });
  });

  test("is refused once a bit of anything in it is another", async () => {
    const { soft, passkey } = await made();
    const right = soft.assert(written);
    for (const field of ["clientDataJson", "authenticatorData", "signature"] as const) {
      const bytes = Buffer.from(right[field], "base64url");
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const altered = Buffer.from(bytes);
        altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const assertion = { ...right, [field]: altered.toString("base64url") };
        const login = await passkeys.verify({ passkey, challenge, assertion });
        expect(login.kind).not.toBe("proven");
      }
    }
  });

  const signatures: readonly (readonly [string, (der: Buffer) => Buffer])[] = [
    ["raw", (der) => rawOf(der)],
    ["with a byte behind it", (der) => Buffer.concat([der, Buffer.of(0)])],
    ["of zeros", () => Buffer.from("3006020100020100", "hex")],
    ["of ones", () => Buffer.from("3006020101020101", "hex")],
    ["of random bytes", () => randomBytes(70)],
  ];

  test.each(signatures)("is refused with a signature %s", async (_, alter) => {
    const { soft, passkey } = await made();
    const right = soft.assert(written);
    const signature = alter(Buffer.from(right.signature, "base64url")).toString("base64url");
    const login = await passkeys.verify({ passkey, challenge, assertion: { ...right, signature } });
    expect(login).toEqual({ kind: "unproven", reason: "The signature does not fit." });
  });

  test("with the sandbox's constant for a signature is malformed or refused, like any other text", async () => {
    const { soft, passkey } = await made();
    const assertion = { ...soft.assert(written), signature: "sandbox-valid-passkey-signature" };
    expect(await passkeys.verify({ passkey, challenge, assertion })).toMatchObject({
      kind: "unproven",
    });
  });

  test("never fits a passkey that was a dummy", async () => {
    const { soft, passkey } = await made();
    const dummy = { ...passkey, publicKey: null, rpIdHash: null, origin: null };
    const login = await passkeys.verify({
      passkey: dummy,
      challenge,
      assertion: soft.assert(written),
    });
    expect(login).toMatchObject({ kind: "unproven" });
  });

  test("that is malformed reports every malformed part", async () => {
    const { passkey } = await made();
    const login = await passkeys.verify({
      passkey,
      challenge,
      assertion: {
        credentialId: "",
        clientDataJson: Buffer.from("null").toString("base64url"),
        authenticatorData: "AAAA",
        signature: "*",
        userHandle: "*",
      },
    });
    const fields = (login as { problems: readonly { field: string }[] }).problems.map(
      ({ field }) => field,
    );
    expect(fields.sort()).toEqual([
      "assertion.authenticatorData",
      "assertion.clientDataJson",
      "assertion.credentialId",
      "assertion.signature",
      "assertion.userHandle",
    ]);
  });

  test.each([
    ["extensions announced and not there", { flags: flags.present | flags.extended }],
    ["an attested key announced and not there", { flags: flags.present | flags.attested }],
    ["a tail", { tail: Buffer.of(1) }],
  ])("whose authenticator data has %s is malformed", async (_, deviations) => {
    const { soft, passkey } = await made();
    const assertion = soft.assert(written, deviations);
    expect(await passkeys.verify({ passkey, challenge, assertion })).toMatchObject({
      kind: "malformed",
      problems: [{ field: "assertion.authenticatorData" }],
    });
  });
});

function rawOf(der: Buffer): Buffer {
  const split = 4 + (der[3] ?? 0);
  const fixed = (bytes: Buffer) => Buffer.concat([Buffer.alloc(32), bytes]).subarray(-32);
  return Buffer.concat([fixed(der.subarray(4, split)), fixed(der.subarray(split + 2))]);
}
