import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { expect, it } from "vitest";
import { writeSelfSigned } from "./certificates/write-certificate.ts";
import { readKeyDocument, writeKeyDocument } from "./key-document.ts";
import { MessageFault } from "./message-fault.ts";
import { pointOf } from "./signatures.ts";

const NOW = Date.UTC(2026, 10, 29);
const DAY_MS = 86_400_000;

interface Pair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly point: Buffer;
}

function newPair(curve = "secp256k1"): Pair {
  const pair = generateKeyPairSync("ec", { namedCurve: curve });
  return { ...pair, point: pointOf(pair.publicKey) ?? Buffer.alloc(0) };
}

async function certificateOf({ privateKey }: Pair, from = -1, until = 397): Promise<Buffer> {
  const dates = { notBefore: NOW + from * DAY_MS, notAfter: NOW + until * DAY_MS };
  return writeSelfSigned({ domains: ["vasp.example"], use: "SIGNING", ...dates }, privateKey);
}

const [signing, encryption, foreign] = [newPair(), newPair(), newPair()];
const [signingChain, encryptionChain] = await Promise.all(
  [signing, encryption].map(async (pair) => [await certificateOf(pair)]),
);
const whole = JSON.parse(
  writeKeyDocument({
    signing: { point: signing.point, chain: signingChain ?? [] },
    encryption: { point: encryption.point, chain: encryptionChain ?? [] },
    expirationTimestamp: 1_795_931_092n,
  }),
) as Record<string, unknown>;
const [late, expired, broken] = await Promise.all([
  certificateOf(signing, 1),
  certificateOf(signing, -10, -1),
  certificateOf(foreign),
]);
const otherCurve = await certificateOf(newPair("prime256v1"));
const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString("hex");

function read(changes: Readonly<Record<string, unknown>>): string {
  try {
    const { signing: one, encryption: other } = readKeyDocument(
      Buffer.from(JSON.stringify({ ...whole, ...changes })),
      NOW,
    );
    const isRight = one.point.equals(signing.point) && other.point.equals(encryption.point);
    return isRight ? "both keys" : "other keys";
  } catch (error) {
    if (error instanceof MessageFault) return error.code;
    throw error;
  }
}

const none = { signingCertChain: null, encryptionCertChain: null };
const noRaw = { signingPubKey: undefined, encryptionPubKey: undefined };

it.each([
  ["chains and raw keys", {}, "both keys"],
  ["raw keys alone", none, "both keys"],
  ["chains alone", noRaw, "both keys"],
  ["an empty chain beside a raw key", { signingCertChain: [] }, "both keys"],
  ["no date of expiry", { expirationTimestamp: null }, "both keys"],
  [
    "the signing chain under both names",
    { encryptionCertChain: whole.signingCertChain },
    "both keys",
  ],
  ["nothing", { ...none, ...noRaw }, "INVALID_PUBKEY_FORMAT"],
  [
    "no encryption key",
    { encryptionCertChain: [], encryptionPubKey: null },
    "INVALID_PUBKEY_FORMAT",
  ],
  [
    "a key that is no point",
    { ...none, signingPubKey: `04${"11".repeat(64)}` },
    "INVALID_PUBKEY_FORMAT",
  ],
  [
    "a key of another curve",
    { signingCertChain: [hex(otherCurve)], signingPubKey: null },
    "INVALID_PUBKEY_FORMAT",
  ],
  ["a number for a key", { signingPubKey: 5 }, "INVALID_PUBKEY_FORMAT"],
  ["six certificates", { signingCertChain: Array(6).fill(hex(late)) }, "INVALID_PUBKEY_FORMAT"],
  ["text for a certificate", { signingCertChain: ["hello"] }, "CERT_CHAIN_INVALID"],
  ["another raw key than the leaf's", { signingPubKey: hex(foreign.point) }, "CERT_CHAIN_INVALID"],
  [
    "a chain that the next one did not sign",
    { signingCertChain: [hex(signingChain?.[0]), hex(broken)] },
    "CERT_CHAIN_INVALID",
  ],
  ["a certificate that begins tomorrow", { signingCertChain: [hex(late)] }, "CERT_CHAIN_EXPIRED"],
  ["one that has ended", { signingCertChain: [hex(expired)] }, "CERT_CHAIN_EXPIRED"],
])("a document with %s", (_what, changes, outcome) => {
  expect(read(changes)).toBe(outcome);
});

it.each(["", "[]", "{", "<html>"])("a document that is %j is no document", (text) => {
  expect(() => readKeyDocument(Buffer.from(text), NOW)).toThrow(MessageFault);
});
