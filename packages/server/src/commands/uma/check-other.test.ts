import { generateKeyPairSync } from "node:crypto";
import { expect, it } from "vitest";
import { issued, CERTIFIED_AT as NOW, newKey } from "../../../test/kit/issued-certificates.ts";
import { pointOf } from "../../formats/uma/signatures.ts";
import type { FetchedDocument } from "../../outside/uma/fetch-key-document.ts";
import { present } from "../../std/assert.ts";
import { judgeOther } from "./check-other.ts";

const hexOf = (key: ReturnType<typeof newKey>) => present(pointOf(key), "a point").toString("hex");
const { publicKey } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
const raw = { signingPubKey: hexOf(publicKey), encryptionPubKey: hexOf(publicKey) };
const later = Math.floor(NOW / 1_000) + 300;

function chainUntil(to: number): string {
  const key = newKey();
  const pem = issued({ name: "a", key, by: { name: "a", key }, domains: ["vasp.example"], to });
  return Buffer.from(pem.replace(/-----[A-Z ]+-----|\s/g, ""), "base64").toString("hex");
}

const good = { kind: "document", name: "VASP", majorVersions: [1n] } as const;
const documentOf = (json: object): FetchedDocument => ({
  kind: "document",
  document: JSON.stringify(json),
});
const judged = (
  fetched: FetchedDocument,
  configuration: Parameters<typeof judgeOther>[0]["configuration"] = good,
) => judgeOther({ configuration, fetched, now: NOW });
const codes = (...args: Parameters<typeof judged>) =>
  judged(...args).faults.map(({ code }) => code);

it("an institution in order is told with its name, versions and keys", () => {
  const chain = chainUntil(NOW + 86_400_000);
  const { faults, told } = judged(
    documentOf({
      signingCertChain: [chain],
      ...raw,
      signingPubKey: undefined,
      expirationTimestamp: later,
    }),
  );
  expect(faults).toEqual([]);
  expect(told).toEqual([
    "name: VASP",
    "major versions: 1",
    expect.stringMatching(/^signing key: [0-9a-f]{64}, 1 certificates$/),
    expect.stringMatching(/^encryption key: [0-9a-f]{64}, 0 certificates$/),
    `certificates end: ${new Date(NOW + 86_400_000).toISOString()}`,
  ]);
});

it("may say neither its name nor its versions, and have raw keys", () => {
  const silent = { kind: "document", name: undefined, majorVersions: [] } as const;
  const { faults, told } = judged(documentOf(raw), silent);
  expect(faults).toEqual([]);
  expect(told.slice(0, 2)).toEqual(["name: none", "major versions: not said"]);
});

it("each fault has its code", () => {
  const unreachable = {
    kind: "fault",
    code: "COUNTERPARTY_PUBKEY_FETCH_ERROR",
    reason: "dns",
  } as const;
  expect(codes(unreachable)).toEqual(["COUNTERPARTY_PUBKEY_FETCH_ERROR"]);
  expect(codes(documentOf({}))).toEqual(["INVALID_PUBKEY_FORMAT"]);
  expect(codes({ kind: "document", document: "<html>" })).toEqual(["INVALID_PUBKEY_FORMAT"]);
  expect(codes(documentOf({ ...raw, signingCertChain: ["00"] }))).toEqual(["CERT_CHAIN_INVALID"]);
  const past = { ...raw, signingCertChain: [chainUntil(NOW - 1_000)] };
  expect(codes(documentOf(past))).toEqual(["CERT_CHAIN_EXPIRED"]);
  const stale = { ...raw, expirationTimestamp: Math.floor(NOW / 1_000) - 1 };
  expect(codes(documentOf(stale))).toEqual(["KEYS_EXPIRED"]);
  expect(codes(documentOf(raw), { kind: "fault", reason: "tls" })).toEqual(["CONFIGURATION"]);
  const old = { kind: "document", name: "VASP", majorVersions: [0n] } as const;
  expect(codes(documentOf(raw), old)).toEqual(["NO_COMPATIBLE_UMA_VERSION"]);
});
