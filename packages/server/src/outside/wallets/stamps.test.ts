import { createClientKey, openSession } from "@florin/client/wallet";
import { ApiKeyStamper } from "@turnkey/api-key-stamper";
import { generateP256KeyPair } from "@turnkey/crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ClientPublicKey, Stamp } from "../../domain/wallets/wallet-crypto.port.ts";
import { present } from "../../std/assert.ts";
import { parseStamp, verifyStamp } from "./stamps.ts";
import { createWalletCrypto } from "./wallet-crypto.ts";

const payload = Buffer.from('{"organizationId":"w","type":"ACTIVITY_TYPE_EXPORT_WALLET"}').toString(
  "base64url",
);
const owner = generateP256KeyPair();
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

const encode = (text: string) => Buffer.from(text, "latin1").toString("base64url");
const textOf = (stamp: string) => Buffer.from(stamp, "base64url").toString("latin1");

async function stampOf(
  text: string,
  runtimeOverride: "node" | "browser" | "purejs" = "node",
  { publicKey, privateKey } = owner,
): Promise<string> {
  const keys = { apiPublicKey: publicKey, apiPrivateKey: privateKey, runtimeOverride };
  return (await new ApiKeyStamper(keys).stamp(text)).stampHeaderValue;
}

async function isRight(header: string, text = payload): Promise<boolean> {
  const stamp = parseStamp(header);
  return stamp !== undefined && verifyStamp(stamp, text);
}

interface Members {
  readonly publicKey: string;
  readonly scheme: string;
  readonly signature: string;
}

async function membersOf(): Promise<Members> {
  return JSON.parse(textOf(await stampOf(payload)));
}

/** The two numbers of a signature. */
function numbersOf(stamp: Stamp): readonly [bigint, bigint] {
  const der = Buffer.from(stamp.signatureDer);
  const split = 4 + (der[3] ?? 0);
  const [r, s] = [der.subarray(4, split), der.subarray(split + 2)];
  return [BigInt(`0x${r.toString("hex")}`), BigInt(`0x${s.toString("hex")}`)];
}

function derOf(r: bigint, s: bigint): string {
  const integer = (value: bigint) => {
    let digits = value.toString(16);
    if (digits.length % 2 === 1) digits = `0${digits}`;
    if (Number.parseInt(digits.slice(0, 2), 16) >= 0x80) digits = `00${digits}`;
    return `02${(digits.length / 2).toString(16).padStart(2, "0")}${digits}`;
  };
  const body = integer(r) + integer(s);
  return `30${(body.length / 2).toString(16).padStart(2, "0")}${body}`;
}

describe("a stamp", () => {
  test.each(["node", "browser", "purejs"] as const)(
    "of the wallet stamper library is right, 60 of 60, low s or high (%s)",
    async (runtime) => {
      let high = 0;
      for (let round = 0; round < 60; round++) {
        const stamp = present(parseStamp(await stampOf(payload, runtime)), "a stamp");
        expect(await verifyStamp(stamp, payload)).toBe(true);
        expect(stamp.publicKey).toBe(owner.publicKey);
        if (numbersOf(stamp)[1] > N / 2n) high++;
      }
      // The pure library may normalise; the two others never do.
      if (runtime !== "purejs") expect(high).toBeGreaterThan(0);
    },
  );

  test("of the client module, with a session key that was sealed to it, is right", async () => {
    const client = await createClientKey();
    const issued = await createWalletCrypto().issueSessionKey(
      client.clientPublicKey as ClientPublicKey,
    );
    const session = await openSession(client, issued.encryptedSessionSigningKey);
    for (let round = 0; round < 60; round++) {
      const text = `${payload}${round}`;
      const stamp = present(parseStamp(await session.stamp(text)), "a stamp");
      expect(stamp.publicKey).toBe(issued.publicKey);
      expect(await verifyStamp(stamp, text)).toBe(true);
    }
  });

  test("covers exactly the characters: not the decoded text, not the same JSON in another form", async () => {
    const stamp = await stampOf(payload);
    const json = textOf(payload);
    expect(await isRight(stamp)).toBe(true);
    expect(await isRight(stamp, json)).toBe(false);
    expect(await isRight(stamp, `${payload}=`)).toBe(false);
    expect(await isRight(stamp, encode(JSON.stringify(JSON.parse(json), null, 1)))).toBe(false);
    expect(await isRight(await stampOf(json))).toBe(false);
  });

  test("of another key verifies with that key alone", async () => {
    const other = generateP256KeyPair();
    const stamp = present(parseStamp(await stampOf(payload, "node", other)), "a stamp");
    expect(await verifyStamp(stamp, payload)).toBe(true);
    expect(stamp.publicKey).toBe(other.publicKey);
    expect(await verifyStamp({ ...stamp, publicKey: owner.publicKey }, payload)).toBe(false);
  });

  test("with n - s in place of s is right too", async () => {
    const stamp = present(parseStamp(await stampOf(payload)), "a stamp");
    const [r, s] = numbersOf(stamp);
    const mirrored = { publicKey: stamp.publicKey, scheme: SCHEME, signature: derOf(r, N - s) };
    expect(await isRight(encode(JSON.stringify(mirrored)))).toBe(true);
  });

  test("is refused once any single bit of it is another, wherever it is", async () => {
    const header = await stampOf(payload);
    const bytes = Buffer.from(header, "base64url");
    const lowerKey = owner.publicKey;
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const altered = Buffer.from(bytes);
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const stamp = parseStamp(altered.toString("base64url"));
      const isOnlyCase =
        textOf(altered.toString("base64url")).toLowerCase() === textOf(header).toLowerCase();
      if (isOnlyCase && stamp !== undefined) expect(stamp.publicKey).toBe(lowerKey);
      else expect(stamp !== undefined && (await verifyStamp(stamp, payload))).toBe(false);
    }
  });

  test("is refused once any single bit of the payload is another", async () => {
    const header = await stampOf(payload);
    for (let bit = 0; bit < payload.length * 8; bit++) {
      const altered = Buffer.from(payload, "latin1");
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(await isRight(header, altered.toString("latin1"))).toBe(false);
    }
  });
});

const SCHEME = "SIGNATURE_SCHEME_TK_API_P256";

describe("the header", () => {
  test("may name its members in any order, with blanks, and its digits in either case", async () => {
    const { publicKey, scheme, signature } = await membersOf();
    const turned = `{ "signature" : "${signature.toUpperCase()}",\n "publicKey":"${publicKey.toUpperCase()}", "scheme":"${scheme}" }`;
    const stamp = present(parseStamp(encode(turned)), "a stamp");
    expect(stamp.publicKey).toBe(publicKey);
    expect(await verifyStamp(stamp, payload)).toBe(true);
  });

  const forms: readonly (readonly [string, (right: Members) => string])[] = [
    ["nothing", () => ""],
    ["no base64url", (right) => `!${encode(JSON.stringify(right))}`],
    ["padded", (right) => `${encode(JSON.stringify(right).padEnd(301))}==`],
    ["base64 of the other alphabet", (right) => `${encode(JSON.stringify(right))}+/`],
    ["followed by a blank", (right) => `${encode(JSON.stringify(right))} `],
    ["with junk that a lenient decoder skips", (right) => `${encode(JSON.stringify(right))}\n`],
    ["a megabyte", () => "A".repeat(1_000_000)],
    ["no JSON", () => encode("stamp")],
    ["JSON null", () => encode("null")],
    ["an array", (right) => encode(JSON.stringify([right]))],
    ["the bare signature", (right) => Buffer.from(right.signature, "hex").toString("base64")],
    [
      "the bare signature in base64url",
      (right) => Buffer.from(right.signature, "hex").toString("base64url"),
    ],
    ["JSON that is not encoded", (right) => JSON.stringify(right)],
    ["with a member more", (right) => encode(JSON.stringify({ ...right, more: "1" }))],
    [
      "with a member less",
      ({ publicKey, scheme }) => encode(JSON.stringify({ publicKey, scheme })),
    ],
    [
      "with one member twice",
      (right) => encode(JSON.stringify(right).replace('"scheme":', '"publicKey":')),
    ],
    [
      "with one member twice besides all three",
      (right) => encode(JSON.stringify(right).replace("{", `{"scheme":"${right.scheme}",`)),
    ],
    ["with a number for a member", (right) => encode(JSON.stringify({ ...right, signature: 1 }))],
    ["followed by text", (right) => encode(`${JSON.stringify(right)}x`)],
    [
      "of another scheme",
      (right) => encode(JSON.stringify({ ...right, scheme: "P256_ECDSA_SHA256" })),
    ],
    [
      "of the scheme for another curve",
      (right) => encode(JSON.stringify({ ...right, scheme: "SIGNATURE_SCHEME_TK_API_SECP256K1" })),
    ],
    [
      "of a scheme in small letters",
      (right) => encode(JSON.stringify({ ...right, scheme: SCHEME.toLowerCase() })),
    ],
    [
      "with an uncompressed key",
      (right) => encode(JSON.stringify({ ...right, publicKey: owner.publicKeyUncompressed })),
    ],
    [
      "with a key of wrong length",
      (right) => encode(JSON.stringify({ ...right, publicKey: `${right.publicKey}00` })),
    ],
    [
      "with a key that is no point",
      (right) => encode(JSON.stringify({ ...right, publicKey: `02${"f".repeat(64)}` })),
    ],
    ["with an empty signature", (right) => encode(JSON.stringify({ ...right, signature: "" }))],
    ["the sandbox's constant", () => "sandbox-valid-signature"],
  ];

  test.each(forms)("is refused when it is %s", async (_, write) => {
    expect(parseStamp(write(await membersOf()))).toBeUndefined();
  });

  test("is refused when its last character carries stray bits", async () => {
    let text = JSON.stringify(await membersOf());
    while (text.length % 3 === 0) text += " ";
    const header = encode(text);
    expect(await isRight(header)).toBe(true);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const stray = alphabet[alphabet.indexOf(header.at(-1) ?? "") + 1] ?? "";
    const twin = header.slice(0, -1) + stray;
    expect(Buffer.from(twin, "base64url").equals(Buffer.from(header, "base64url"))).toBe(true);
    expect(parseStamp(twin)).toBeUndefined();
  });

  test("never makes the reader throw", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.json().map(encode)), (text) => {
        expect(parseStamp(text)).toBeUndefined();
      }),
    );
  });
});

describe("the signature", () => {
  const cases: readonly (readonly [string, (r: bigint, s: bigint, der: string) => string])[] = [
    ["r is zero", (_, s) => derOf(0n, s)],
    ["s is zero", (r) => derOf(r, 0n)],
    ["r is n", (_, s) => derOf(N, s)],
    ["s is n", (r) => derOf(r, N)],
    ["s is s + n", (r, s) => derOf(r, s + N)],
    ["it goes on after its end", (_r, _s, der) => `${der}00`],
    ["its length counts a byte that follows", (_r, _s, der) => longer(`${der}00`)],
    ["its length is written long", (_r, _s, der) => `3081${der.slice(2)}`],
    ["its length is indefinite", (_r, _s, der) => `3080${der.slice(4)}0000`],
    ["a number has a zero too many", (r, s) => padded(r, s)],
    ["a number is negative", (_, s) => `30${hexByte(3 + derInt(s).length / 2)}0201ff${derInt(s)}`],
    ["a number is empty", (_, s) => `30${hexByte(2 + derInt(s).length / 2)}0200${derInt(s)}`],
    ["a number is cut off", (_r, _s, der) => der.slice(0, -2)],
    ["it has three numbers", (r, s) => longer(`${derOf(r, s)}020101`)],
    [
      "it is raw, without DER",
      (r, s) => r.toString(16).padStart(64, "0") + s.toString(16).padStart(64, "0"),
    ],
    ["it is a set", (_r, _s, der) => `31${der.slice(2)}`],
    ["it has an odd digit", (_r, _s, der) => `${der}0`],
  ];

  const hexByte = (value: number) => value.toString(16).padStart(2, "0");
  const derInt = (value: bigint) => derOf(value, 1n).slice(4, -6);
  const longer = (der: string) => `30${hexByte(der.length / 2 - 2)}${der.slice(4)}`;
  const padded = (r: bigint, s: bigint) => {
    const first = derInt(r);
    return longer(`3000${`02${hexByte(first.length / 2 - 1)}00${first.slice(4)}`}${derInt(s)}`);
  };

  test.each(cases)("is refused when %s", async (_, alter) => {
    const right = await membersOf();
    const stamp = present(parseStamp(encode(JSON.stringify(right))), "a stamp");
    const [r, s] = numbersOf(stamp);
    const signature = alter(r, s, right.signature);
    expect(await isRight(encode(JSON.stringify({ ...right, signature })))).toBe(false);
  });
});
