import { generateKeyPairSync } from "node:crypto";
import { SettingsService } from "@simplewebauthn/server";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createSoftAuthenticator,
  type Deviations,
  flags,
  ORIGIN,
} from "../../../../test/kit/soft-authenticator.ts";
import type { PasskeyAttestation } from "../../../domain/wallets/credentials/passkeys.port.ts";
import { createPasskeys } from "./passkeys.ts";

const passkeys = createPasskeys();
const challenge = Buffer.from("a challenge of the integrator").toString("base64url");
const soft = createSoftAuthenticator();

const register = (
  attestation: PasskeyAttestation,
  environment: "SANDBOX" | "PRODUCTION" = "PRODUCTION",
) => passkeys.register({ environment, challenge, attestation });
const registerWith = (deviations: Deviations) => register(soft.register(challenge, deviations));

describe("a registration", () => {
  test.each(["ES256", "RS256", "EdDSA"] as const)(
    "with %s is kept with all that later assertions are held against",
    async (algorithm) => {
      const authenticator = createSoftAuthenticator(algorithm);
      const registered = await register(authenticator.register(challenge, { counter: 7 }));
      expect(registered).toEqual({
        kind: "registered",
        userVerified: true,
        isBackedUp: false,
        passkey: {
          credentialId: authenticator.credentialId,
          publicKey: expect.stringMatching(/^[\w-]+$/),
          rpIdHash: "o3mm9u6vuaVeN4wRgDTidR5oL6ufLTCrE9ISVYbOGUc",
          origin: ORIGIN,
          signCount: 7,
          backupEligible: false,
          transports: ["internal"],
        },
      });
    },
  );

  test("with an attestation of its own key is kept when that verifies, and only then", async () => {
    expect(await register(soft.selfAttest(challenge))).toMatchObject({ kind: "registered" });
    const flip = (signature: Buffer) => {
      const last = signature.length - 1;
      signature[last] = (signature[last] ?? 0) ^ 1;
      return signature;
    };
    expect(await register(soft.selfAttest(challenge, flip))).toEqual({
      kind: "unproven",
      reason: "The attestation does not verify.",
    });
  });

  test("may come in padded base64url and without transports", async () => {
    const { credentialId, clientDataJson, attestationObject } = soft.register(challenge);
    const padded = (text: string) => text.padEnd(Math.ceil(text.length / 4) * 4, "=");
    const registered = await register({
      credentialId: padded(credentialId),
      clientDataJson: padded(clientDataJson),
      attestationObject: padded(attestationObject),
    });
    expect(registered).toMatchObject({ passkey: { credentialId, transports: [] } });
  });

  test("may come from a page of this machine or from an app", async () => {
    const app = `android:apk-key-hash:${"A".repeat(43)}`;
    for (const origin of ["http://localhost:3000", "http://127.0.0.1:8080", app]) {
      expect(await registerWith({ clientData: { origin } })).toMatchObject({ passkey: { origin } });
    }
  });

  test("does not need user verification", async () => {
    expect(await registerWith({ flags: flags.present | flags.attested })).toMatchObject({
      kind: "registered",
    });
  });

  const unproven: readonly (readonly [string, Deviations])[] = [
    ["is an assertion", { clientData: { type: "webauthn.get" } }],
    ["is for another challenge", { clientData: { challenge: "b3RoZXI" } }],
    ["is for the same challenge in padded form", { clientData: { challenge: `${challenge}=` } }],
    ["was made in a frame of another site", { clientData: { crossOrigin: true } }],
    ["says so in another type", { clientData: { crossOrigin: "false" } }],
    ["names another site above it", { clientData: { topOrigin: "https://evil.example" } }],
    [
      "comes from a page that is not secure",
      { clientData: { origin: "http://wallet.example.com" } },
    ],
    ["comes from a page with a path", { clientData: { origin: `${ORIGIN}/` } }],
    ["comes from no page", { clientData: { origin: "null" } }],
    ["comes from a file", { clientData: { origin: "file:///tmp/x" } }],
    [
      "comes from an endless page",
      { clientData: { origin: `https://${"a".repeat(600)}.example` } },
    ],
    ["saw no person", { flags: flags.verified | flags.attested }],
    ["sets a flag without meaning", { flags: flags.present | flags.attested | 0x02 }],
    ["sets the other flag without meaning", { flags: flags.present | flags.attested | 0x20 }],
    ["is backed up but cannot be", { flags: flags.present | flags.attested | flags.backedUp }],
    ["has an attestation of an unknown kind", { attestation: { fmt: "quantum" } }],
    [
      "has a packed attestation without a signature",
      { attestation: { fmt: "packed", attStmt: new Map([["alg", -7]]) } },
    ],
    [
      "has a device attestation of junk",
      { attestation: { fmt: "fido-u2f", attStmt: new Map([["sig", new Uint8Array(70)]]) } },
    ],
  ];

  test.each(unproven)("is unproven when it %s", async (_, deviations) => {
    expect(await registerWith(deviations)).toMatchObject({ kind: "unproven" });
  });

  const key = (members: readonly (readonly [number, unknown])[]) =>
    new Map([...soft.cose, ...members]) as ReadonlyMap<number, unknown>;
  const without = (label: number) => new Map([...soft.cose].filter(([name]) => name !== label));
  const rsaWith = (modulusLength: number, change: { n?: Uint8Array; e?: Uint8Array } = {}) => {
    const { n, e } = generateKeyPairSync("rsa", { modulusLength }).publicKey.export({
      format: "jwk",
    });
    const bytes = (text = "") => new Uint8Array(Buffer.from(text, "base64url"));
    return new Map<number, unknown>([
      [1, 3],
      [3, -257],
      [-1, change.n ?? bytes(n)],
      [-2, change.e ?? bytes(e)],
    ]);
  };
  const edWith = (hex: string) =>
    new Map<number, unknown>([
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, new Uint8Array(Buffer.from(hex, "hex"))],
    ]);
  const weakPoints = [
    "00".repeat(32),
    `${"00".repeat(31)}80`,
    `01${"00".repeat(31)}`,
    `01${"00".repeat(30)}80`,
    `ec${"ff".repeat(31)}`,
    `ed${"ff".repeat(30)}7f`,
    `ee${"ff".repeat(31)}`,
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
  ];
  const keys: readonly (readonly [string, ReadonlyMap<number, unknown>])[] = [
    ["of another algorithm than its type", key([[3, -257]])],
    ["of an algorithm that is not offered", key([[3, -37]])],
    ["of another curve", key([[-1, 2]])],
    ["of the curve of Bitcoin", key([[-1, 8]])],
    ["that is not on its curve", key([[-3, new Uint8Array(32).fill(1)]])],
    [
      "at infinity",
      key([
        [-2, new Uint8Array(32)],
        [-3, new Uint8Array(32)],
      ]),
    ],
    ["compressed", key([[-3, true]])],
    ["with a coordinate too short", key([[-2, new Uint8Array(31)]])],
    ["without a coordinate", without(-3)],
    ["without a type", without(1)],
    ["without an algorithm", without(3)],
    [
      "that says EdDSA and is ES256",
      key([
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, "x"],
      ]),
    ],
    ["with a modulus that is too short", rsaWith(1024)],
    ["with an even modulus", rsaWith(2048, { n: new Uint8Array(256).fill(0xfe) })],
    ["with an exponent of one", rsaWith(2048, { e: Uint8Array.of(1) })],
    ["with an even exponent", rsaWith(2048, { e: Uint8Array.of(1, 0, 0) })],
    ["with an exponent of nothing", rsaWith(2048, { e: new Uint8Array(0) })],
    ...weakPoints.map((hex) => [`the weak point ${hex.slice(0, 8)}`, edWith(hex)] as const),
  ];

  test.each(keys)("is malformed when its key is %s", async (_, cose) => {
    expect(await registerWith({ cose })).toMatchObject({
      kind: "malformed",
      problems: [{ field: "attestation.attestationObject" }],
    });
  });

  const cut = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  const object = () => Buffer.from(soft.register(challenge).attestationObject, "base64url");
  const deep = Buffer.concat([Buffer.alloc(20_000, 0x81), Buffer.of(0)]);
  const forms: readonly (readonly [
    string,
    (right: PasskeyAttestation) => Partial<PasskeyAttestation>,
    string,
  ])[] = [
    ["an empty id", () => ({ credentialId: "" }), "credentialId"],
    ["an id that is not base64url", () => ({ credentialId: "a+b/" }), "credentialId"],
    ["an id of one character", () => ({ credentialId: "A" }), "credentialId"],
    ["an endless id", () => ({ credentialId: "A".repeat(2_000) }), "credentialId"],
    ["another id than its attestation", () => ({ credentialId: "AAAA" }), "credentialId"],
    [
      "client data that is no JSON",
      () => ({ clientDataJson: cut(Buffer.from("{")) }),
      "clientDataJson",
    ],
    [
      "client data that is no text",
      () => ({ clientDataJson: cut(Buffer.of(0xff, 0xfe)) }),
      "clientDataJson",
    ],
    [
      "client data that is an array",
      () => ({ clientDataJson: cut(Buffer.from("[]")) }),
      "clientDataJson",
    ],
    [
      "client data without an origin",
      () => ({ clientDataJson: cut(Buffer.from('{"type":"webauthn.create","challenge":"x"}')) }),
      "clientDataJson",
    ],
    [
      "client data of a megabyte",
      () => ({ clientDataJson: "A".repeat(1_000_000) }),
      "clientDataJson",
    ],
    [
      "an attestation that is no CBOR",
      () => ({ attestationObject: cut(Buffer.of(0xff)) }),
      "attestationObject",
    ],
    [
      "an attestation that is cut off",
      () => ({ attestationObject: cut(object().subarray(0, -1)) }),
      "attestationObject",
    ],
    [
      "an attestation with a tail",
      () => ({ attestationObject: cut(Buffer.concat([object(), Buffer.of(0)])) }),
      "attestationObject",
    ],
    [
      "an attestation 20 000 levels deep",
      () => ({ attestationObject: cut(deep) }),
      "attestationObject",
    ],
    [
      "an attestation of indefinite length",
      () => ({
        attestationObject: cut(
          Buffer.concat([Buffer.of(0xbf), object().subarray(1), Buffer.of(0xff)]),
        ),
      }),
      "attestationObject",
    ],
    [
      "an attestation with a member twice",
      () => ({ attestationObject: cut(twice()) }),
      "attestationObject",
    ],
    [
      "an attestation that is an array",
      () => ({ attestationObject: cut(isoCBOR.encode([1])) }),
      "attestationObject",
    ],
  ];

  /** The member `fmt` once more at the end. */
  function twice(): Buffer {
    const bytes = object();
    const fmt = bytes.subarray(1, 1 + 4 + 5);
    return Buffer.concat([Buffer.of((bytes[0] ?? 0) + 1), bytes.subarray(1), fmt]);
  }

  test.each(forms)("is malformed when it has %s", async (_, change, field) => {
    const right = soft.register(challenge);
    const { kind, problems } = (await register({ ...right, ...change(right) })) as {
      kind: string;
      problems: readonly { field: string }[];
    };
    expect(kind).toBe("malformed");
    expect(problems.map((problem) => problem.field)).toEqual([`attestation.${field}`]);
  });

  const statements: readonly (readonly [string, Deviations])[] = [
    [
      "a statement where there is to be none",
      { attestation: { attStmt: new Map([["sig", new Uint8Array(3)]]) } },
    ],
    ["no statement", { attestation: { attStmt: 1 } }],
    ["no format", { attestation: { fmt: 1 } }],
    ["authenticator data that is text", { attestation: { authData: "x" } }],
    ["authenticator data that is too short", { attestation: { authData: new Uint8Array(36) } }],
    ["no attested key", { flags: flags.present }],
    [
      "extensions announced and not there",
      { flags: flags.present | flags.attested | flags.extended },
    ],
    ["a tail in the authenticator data", { tail: Buffer.of(0) }],
    ["a key that is cut off", { publicKeyBytes: Buffer.of(0xa5, 1, 2) }],
  ];

  test.each(statements)("is malformed when it has %s", async (_, deviations) => {
    expect(await registerWith(deviations)).toMatchObject({
      kind: "malformed",
      problems: [{ field: "attestation.attestationObject" }],
    });
  });

  test("reports all malformed parts at once", async () => {
    const result = await register({
      credentialId: "",
      clientDataJson: "!",
      attestationObject: "AA",
    });
    const fields = (result as { problems: readonly { field: string }[] }).problems.map(
      ({ field }) => field,
    );
    expect(fields).toEqual([
      "attestation.credentialId",
      "attestation.clientDataJson",
      "attestation.attestationObject",
    ]);
  });

  test("never makes the reader throw, for any bytes", async () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map(cut);
    await fc.assert(
      fc.asyncProperty(bytes, bytes, async (clientDataJson, attestationObject) => {
        const result = await register({ credentialId: "AAAA", clientDataJson, attestationObject });
        expect(result.kind).toBe("malformed");
      }),
    );
  });

  test("is held against no vendor's root, for which the library would fetch what the certificates name", () => {
    for (const identifier of [
      "apple",
      "android-key",
      "android-safetynet",
      "packed",
      "tpm",
    ] as const) {
      expect(SettingsService.getRootCertificates({ identifier })).toEqual([]);
    }
  });
});

describe("a registration in a sandbox", () => {
  test("that is genuine is kept as in production", async () => {
    const production = await register(soft.register(challenge));
    expect(await register(soft.register(challenge), "SANDBOX")).toEqual(production);
  });

  test("that is a dummy is accepted and kept by its id alone", async () => {
    const dummy = {
      credentialId: "ZHVtbXk=",
      clientDataJson: "ZHVtbXk",
      attestationObject: "ZHVtbXk",
    };
    expect(await register(dummy, "SANDBOX")).toEqual({
      kind: "registered",
      userVerified: false,
      isBackedUp: false,
      passkey: {
        credentialId: "ZHVtbXk",
        publicKey: null,
        rpIdHash: null,
        origin: null,
        signCount: 0,
        backupEligible: null,
        transports: [],
      },
    });
  });

  test("may use encodings that no encoder writes", async () => {
    const dummy = {
      credentialId: "my-credential",
      clientDataJson: "dummy-client-data",
      attestationObject: "dummy_attestation",
    };
    const registered = await register(dummy, "SANDBOX");
    expect(registered).toMatchObject({ passkey: { credentialId: "my-credential", origin: null } });
  });

  test("still needs its three parts in base64url", async () => {
    const dummy = { credentialId: "", clientDataJson: "not base64", attestationObject: "ZHVtbXk" };
    const result = await register(dummy, "SANDBOX");
    expect(result).toMatchObject({
      kind: "malformed",
      problems: [{ field: "attestation.credentialId" }, { field: "attestation.clientDataJson" }],
    });
  });
});
