/** Whatever comes in a path and a query, it is read or refused in the form of the protocol. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { readLookup } from "./read-lookup.ts";

const NOW_S = 1_795_953_600;
const served = { ownDomains: ["bank.example"] };

const CODES = [
  "PARSE_LNURLP_REQUEST_ERROR",
  "NON_UMA_LNURL_NOT_SUPPORTED",
  "MISSING_REQUIRED_UMA_PARAMETERS",
  "UNSUPPORTED_UMA_VERSION",
  "INVALID_TIMESTAMP",
  "COUNTERPARTY_NOT_ALLOWED",
];

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("", "1.0", "$bob", "%", "%00", "%F0%9F%98%80", "%ED%A0%80", "+", "&", "=", "|"),
  fc.constantFrom(
    "vasp.example",
    "127.0.0.1",
    "xn--a.b",
    "9".repeat(400),
    "-1",
    "1e9",
    "__proto__",
  ),
  fc.constant(String(NOW_S)),
);
const NAMES = [
  ...["signature", "vaspDomain", "nonce", "timestamp", "umaVersion", "isSubjectToTravelRule"],
  ...["__proto__", "constructor", "amount", ""],
];
const anyQuery = fc
  .array(fc.tuple(fc.constantFrom(...NAMES), anyText, fc.boolean()), { maxLength: 9 })
  .map((pairs) =>
    pairs.map(([name, value, isPlain]) => `${name}=${isPlain ? value : encoded(value)}`).join("&"),
  );

function encoded(text: string): string {
  return new URLSearchParams([["a", text]]).toString().slice(2);
}

/** One for each answer, since random queries may meet few of them. */
const RIGHT = `signature=30&vaspDomain=vasp.example&nonce=7&timestamp=${NOW_S}&umaVersion=1.0&isSubjectToTravelRule=true`;
const EXAMPLES: readonly [string, string, string][] = [
  ["asked", "$bob", RIGHT],
  ["PARSE_LNURLP_REQUEST_ERROR", "%F0", RIGHT],
  ["NON_UMA_LNURL_NOT_SUPPORTED", "$bob", ""],
  ["MISSING_REQUIRED_UMA_PARAMETERS", "$bob", RIGHT.replace("nonce=7&", "")],
  ["UNSUPPORTED_UMA_VERSION", "$bob", RIGHT.replace("=1.0", "=0.3")],
  ["INVALID_TIMESTAMP", "$bob", RIGHT.replace(String(NOW_S), "9")],
  ["COUNTERPARTY_NOT_ALLOWED", "$bob", RIGHT.replace("vasp.example", "127.0.0.1")],
];

it("any path and query", () => {
  const outcomes = new Set<string>();
  fc.assert(
    fc.property(anyText, anyQuery, (user, query) => {
      const path = `/.well-known/lnurlp/${user}`;
      const read = readLookup({ path, query, served }, NOW_S * 1_000);
      if (read.kind === "asked") {
        expect(read.asked.user).toMatch(/^[$a-zA-Z0-9._+-]{1,64}$/);
        expect(read.asked.vaspDomain).toBe("vasp.example");
        outcomes.add("asked");
        return;
      }
      const { status, code, reason } = JSON.parse(read.answer.body);
      expect([status, CODES.includes(code), typeof reason]).toEqual(["ERROR", true, "string"]);
      expect([400, 403, 412]).toContain(read.answer.status);
      outcomes.add(code);
    }),
    { numRuns: 20_000, examples: EXAMPLES.map(([, user, query]) => [user, query]) },
  );
  expect([...outcomes].sort()).toEqual(EXAMPLES.map(([outcome]) => outcome).sort());
});

it("any value of one parameter, the others being right", () => {
  const right = {
    signature: "30",
    vaspDomain: "vasp.example",
    nonce: "7",
    timestamp: String(NOW_S),
    umaVersion: "1.0",
    isSubjectToTravelRule: "true",
  };
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(right)), anyText, (name, value) => {
      const query = new URLSearchParams({ ...right, [name]: value }).toString();
      const read = readLookup({ path: "/.well-known/lnurlp/$bob", query, served }, NOW_S * 1_000);
      if (read.kind === "refused") expect(CODES).toContain(JSON.parse(read.answer.body).code);
      else expect(read.asked.request.signature.nonce).not.toContain("|");
    }),
    { numRuns: 5_000 },
  );
});
