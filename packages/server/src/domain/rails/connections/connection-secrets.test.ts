/** Which secrets a connection leaves behind when its address changes. */
import { expect, it } from "vitest";
import { secretsLeftBehind } from "./connection-secrets.ts";
import type { ConnectionSettings, SecretFact, SecretName } from "./rail-connection.ts";

const HERE = "https://bank.example/florin";
const THERE = "https://elsewhere.example/florin";
const fact: SecretFact = { setAt: "2026-11-21T10:00:00.000Z", fingerprint: "00" };
const sealed = { sealed: "s", fingerprint: "01" };

const settingsAt = (baseUrl: string | undefined): ConnectionSettings =>
  baseUrl === undefined ? {} : { baseUrl };

function left(
  from: string | undefined,
  to: string | undefined,
  sent: Parameters<typeof secretsLeftBehind>[2] = {},
  has: readonly SecretName[] = ["signingSecret", "previousSigningSecret"],
) {
  const secretFacts = Object.fromEntries(has.map((name) => [name, fact]));
  const connection = { settings: settingsAt(from), secretFacts };
  return secretsLeftBehind(connection, { settings: settingsAt(to) }, sent);
}

const BOTH = ["secrets.signingSecret", "secrets.previousSigningSecret"];

it.each([
  ["the same address", left(HERE, HERE), []],
  ["another path", left(HERE, "https://bank.example/v2"), []],
  ["a first address", left(undefined, THERE), []],
  ["another host", left(HERE, THERE), BOTH],
  ["another port", left(HERE, "https://bank.example:8443/florin"), BOTH],
  ["another scheme", left(HERE, "http://bank.example/florin"), BOTH],
  ["no address any more", left(HERE, undefined), BOTH],
  [
    "another host with one of two",
    left(HERE, THERE, { signingSecret: sealed }),
    ["secrets.previousSigningSecret"],
  ],
  [
    "another host with one anew and one taken away",
    left(HERE, THERE, { signingSecret: sealed, previousSigningSecret: null }),
    [],
  ],
  ["another host without secrets", left(HERE, THERE, {}, []), []],
])("%s", (_what, found, expected) => {
  expect(found).toEqual(expected);
});
