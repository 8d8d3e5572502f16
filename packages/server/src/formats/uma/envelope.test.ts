import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { expect, it } from "vitest";
import { openWith, sealFor } from "./envelope.ts";
import { isSignatureOf, pointOf, privateKeyOf, publicKeyOfHex, signText } from "./signatures.ts";

function newPair() {
  const pair = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
  const secret = Buffer.from(pair.privateKey.export({ format: "jwk" }).d ?? "", "base64url");
  const point = pointOf(pair.publicKey) ?? Buffer.alloc(0);
  return { ...pair, secret, point };
}

const pair = newPair();
const plain = Buffer.from("Ana Lima, 1990-02-01 €");

it.each([0, 1, 64_000])("an envelope of %i bytes is opened by the one key", (length) => {
  const content = Buffer.alloc(length, 7);
  const sealed = sealFor(pair.point, content);
  expect(sealed).toHaveLength(97 + length);
  expect(openWith(pair.secret, sealed)).toEqual(content);
  expect(openWith(newPair().secret, sealed)).toBeUndefined();
  expect(sealFor(pair.point, content)).not.toEqual(sealed);
});

it("takes a compressed point as well", () => {
  const compressed = Buffer.concat([
    Buffer.from([(pair.point[64] ?? 0) % 2 === 0 ? 2 : 3]),
    pair.point.subarray(1, 33),
  ]);
  expect(openWith(pair.secret, sealFor(compressed, plain))).toEqual(plain);
  expect(pointOf(publicKeyOfHex(compressed.toString("hex")) as KeyObject)).toEqual(pair.point);
});

it("an envelope that was changed at any byte, or cut, is not opened", () => {
  const sealed = sealFor(pair.point, plain);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(openWith(pair.secret, changed), `byte ${at}`).toBeUndefined();
    expect(openWith(pair.secret, sealed.subarray(0, at)), `cut at ${at}`).toBeUndefined();
  }
});

it.each([
  ["nothing", ""],
  ["a short point", "04aa"],
  ["a point that is not on the curve", `04${"11".repeat(64)}`],
  ["infinity", "00"],
  ["a hybrid point", `06${"11".repeat(64)}`],
  ["text", "not hexadecimal"],
])("%s is no public key", (_what, hex) => {
  expect(publicKeyOfHex(hex)).toBeUndefined();
});

it("a key of another curve is not taken", () => {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  expect(pointOf(publicKey)).toBeUndefined();
});

it("a text is signed by the bytes of a key, and both halves of s are accepted", async () => {
  const key = privateKeyOf(pair.secret, pair.point);
  const signatures = await Promise.all(Array.from({ length: 20 }, () => signText("a|1|2", key)));
  for (const signature of signatures) {
    expect(signature).toMatch(/^30[0-9a-f]+$/);
    expect(await isSignatureOf("a|1|2", signature, pair.publicKey)).toBe(true);
    expect(await isSignatureOf("a|1|2", mirrored(signature), pair.publicKey)).toBe(true);
    expect(await isSignatureOf("a|1|3", signature, pair.publicKey)).toBe(false);
  }
});

it.each(["", "30", "zz", "00".repeat(70), "30".repeat(600)])(
  "%s is no signature",
  async (signature) => {
    expect(await isSignatureOf("a", signature, pair.publicKey)).toBe(false);
  },
);

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The other signature of the same text: r, and the order minus s. */
function mirrored(signature: string): string {
  const bytes = Buffer.from(signature, "hex");
  const lengthOfR = bytes[3] ?? 0;
  const r = bytes.subarray(4, 4 + lengthOfR);
  const s = BigInt(`0x${bytes.subarray(6 + lengthOfR).toString("hex")}`);
  let digits = (ORDER - s).toString(16);
  if (digits.length % 2 === 1) digits = `0${digits}`;
  if (Number.parseInt(digits.slice(0, 2), 16) >= 0x80) digits = `00${digits}`;
  const part = (hex: string) => `02${(hex.length / 2).toString(16).padStart(2, "0")}${hex}`;
  const body = part(r.toString("hex")) + part(digits);
  return `30${(body.length / 2).toString(16).padStart(2, "0")}${body}`;
}
