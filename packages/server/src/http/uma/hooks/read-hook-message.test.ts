/** What is refused of a message after a payment before anybody's keys are read, in its order. */
import { expect, it } from "vitest";
import { readHookMessage } from "./read-hook-message.ts";

const NOW = Date.UTC(2026, 10, 29, 12);
const sound = {
  utxos: [{ utxo: "abc:1", amountMsats: 1_000 }],
  vaspDomain: "Vasp.Example",
  signature: "3044",
  signatureNonce: "7",
  signatureTimestamp: NOW / 1_000,
};
const unsigned = { signature: undefined };
const late = { signatureTimestamp: NOW / 1_000 - 301 };
const foreign = { vaspDomain: "other.example" };

function read(change: object) {
  const bytes = Buffer.from(JSON.stringify({ ...sound, ...change }));
  const told = readHookMessage(bytes, { vaspDomain: "vasp.example" }, NOW);
  return told.kind === "told" ? told : `${told.answer.status} ${told.answer.code}`;
}

it("is read, with the domain in any spelling", () => {
  expect(read({})).toMatchObject({ kind: "told", signedAt: NOW });
  expect(read({ signatureTimestamp: NOW / 1_000 + 300 })).toMatchObject({ kind: "told" });
});

it.each([
  ["400 PARSE_UTXO_CALLBACK_ERROR", { utxos: 1, ...unsigned, ...late, ...foreign }],
  ["401 INVALID_SIGNATURE", { ...unsigned, ...late, ...foreign }],
  ["401 INVALID_SIGNATURE", { ...unsigned, vaspDomain: undefined }],
  ["400 PARSE_UTXO_CALLBACK_ERROR", { signatureNonce: "$ana@bank.example|7", ...late }],
  ["400 INVALID_TIMESTAMP", { ...late, ...foreign }],
  ["403 COUNTERPARTY_NOT_ALLOWED", foreign],
  ["403 COUNTERPARTY_NOT_ALLOWED", { vaspDomain: "vasp.example:8443" }],
])("is refused with %s: %j", (expected, change) => {
  expect(read(change)).toBe(expected);
});
