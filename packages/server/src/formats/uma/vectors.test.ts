/** Messages that the official SDKs in three languages have written (test/vectors/uma), with keys that were made for them. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { present } from "../../std/assert.ts";
import { openWith } from "./envelope.ts";
import { readHook } from "./hook-message.ts";
import { readKeyDocument } from "./key-document.ts";
import { readLookupAnswer, readLookupQuery } from "./lookup-message.ts";
import { readPayAnswer, readPayRequest } from "./pay-message.ts";
import type { Signature } from "./signature-members.ts";
import { isSignatureOf, signedText } from "./signatures.ts";

interface Vectors {
  readonly sdk: string;
  readonly signing: { readonly secret: string; readonly point: string };
  readonly encryption: { readonly secret: string; readonly point: string };
  readonly keyDocument: string;
  readonly lookupQuery: string;
  readonly lookupAnswer: string;
  readonly payRequest: string;
  readonly payRequestInUnits: string;
  readonly payAnswer: string;
  readonly hook: string;
  readonly travelRule: string;
}

/** When the certificates of the vectors are valid. */
const NOW = Date.UTC(2026, 10, 30);
const [ANA, BOB] = ["$ana@vasp.example", "$bob@pay.example.com"];
const bytes = (text: string) => Buffer.from(text, "utf8");

const files = ["javascript", "python", "go"].map((name) => {
  const path = new URL(`../../../test/vectors/uma/${name}.json`, import.meta.url);
  return [name, JSON.parse(readFileSync(path, "utf8")) as Vectors] as const;
});

describe.each(files)("what the SDK for %s writes", (name, vectors) => {
  const keys = readKeyDocument(bytes(vectors.keyDocument), NOW);

  /** That the text is signed, and that no other text is. */
  async function expectSigned(addresses: readonly string[], signature: Signature | undefined) {
    if (signature === undefined) throw new Error("it is not signed");
    const text = signedText(addresses, signature);
    expect(await isSignatureOf(text, signature.signature, keys.signing.key)).toBe(true);
    expect(await isSignatureOf(`${text}0`, signature.signature, keys.signing.key)).toBe(false);
    expect(await isSignatureOf(text, signature.signature, keys.encryption.key)).toBe(false);
  }

  it("publishes two keys", () => {
    expect(keys.signing.point.toString("hex")).toBe(vectors.signing.point);
    expect(keys.encryption.point.toString("hex")).toBe(vectors.encryption.point);
    expect(keys.expirationTimestamp).toBe(4_102_444_800n);
    expect(keys.signing.chain).toHaveLength(1);
    // The SDK for JavaScript publishes its signing chain under both names.
    expect(keys.encryption.chain).toHaveLength(name === "javascript" ? 0 : 1);
  });

  it("looks an address up", async () => {
    const request = readLookupQuery(vectors.lookupQuery);
    expect(request).toMatchObject({ vaspDomain: "vasp.example", isSubjectToTravelRule: true });
    expect(request.umaVersion).toMatch(/^1\.[0-3]$/);
    await expectSigned([BOB], request.signature);
  });

  it("answers a lookup", async () => {
    const answer = readLookupAnswer(bytes(vectors.lookupAnswer));
    expect(answer).toMatchObject({
      callback: "https://vasp.example/pay/1",
      minSendable: 1_000n,
      maxSendable: 10_000_000_000n,
      metadata: `[["text/plain","Pay ${BOB}"]]`,
      // The answer to a request of the same SDK, which may speak a later minor version.
      umaVersion: expect.stringMatching(/^1\.[0-3]$/),
      commentAllowed: 140,
      compliance: {
        kycStatus: "VERIFIED",
        isSubjectToTravelRule: true,
        receiverIdentifier: BOB,
      },
    });
    const price = { value: { numerator: 136_601n, denominator: 4n }, digits: "34150.25" };
    expect(answer.currencies).toMatchObject([
      { code: "EUR", name: "Euro", symbol: "€", decimals: 2, multiplier: price, min: 1n },
      { code: "SAT", name: "Satoshi", symbol: "", decimals: 0, max: 10_000_000n },
    ]);
    expect(new Map([...answer.payerData].sort())).toEqual(
      new Map([
        ["compliance", true],
        ["email", false],
        ["identifier", true],
        ["name", true],
      ]),
    );
    // The SDK for Go has no settlement options.
    const [option] = answer.settlementOptions ?? [];
    expect(option?.layer).toBe(name === "go" ? undefined : "spark");
    expect(option?.assets[0]?.multipliers.get("EUR")?.digits).toBe(
      name === "go" ? undefined : "1.0825",
    );
    await expectSigned([BOB], answer.compliance.signature);
  });

  it("asks to pay an amount of the currency that arrives", async () => {
    const request = readPayRequest(bytes(vectors.payRequest));
    expect(request).toMatchObject({
      amount: { units: 1_000n, currency: "EUR" },
      convert: "EUR",
      payer: {
        identifier: ANA,
        compliance: {
          kycStatus: "VERIFIED",
          utxos: ["abc:1"],
          nodePubKey: "02aa",
          utxoCallback: "https://vasp.example/utxos",
          travelRuleFormat: "ivms@101.2023",
        },
      },
      comment: "Thanks",
      settlement: undefined,
    });
    expect(request.payer.fields.get("name")).toBe("Ana Lima");
    expect(request.payer.fields.get("email")).toBe("a@example.com");
    expect(request.payeeData.get("name")).toBe(true);
    const { signature, encryptedTravelRuleInfo = "" } = request.payer.compliance;
    await expectSigned([ANA], signature);
    const sealed = Buffer.from(encryptedTravelRuleInfo, "hex");
    const secret = Buffer.from(vectors.encryption.secret, "hex");
    expect(openWith(secret, sealed)?.toString()).toBe(vectors.travelRule);
    expect(openWith(Buffer.from(vectors.signing.secret, "hex"), sealed)).toBeUndefined();
  });

  it("asks to pay units of the asset", async () => {
    const request = readPayRequest(bytes(vectors.payRequestInUnits));
    expect(request.amount).toEqual({ units: 191_000_000n, currency: undefined });
    expect(request.settlement).toEqual(
      name === "go" ? undefined : { layer: "spark", assetIdentifier: "tok1" },
    );
    // Members that are null, and an empty URL, are absent.
    expect([...request.payer.fields.keys()]).toEqual(["identifier"]);
    expect(request.payer.compliance.utxoCallback).toBeUndefined();
    await expectSigned([ANA], request.payer.compliance.signature);
  });

  it("answers with an invoice", async () => {
    const answer = readPayAnswer(bytes(vectors.payAnswer));
    expect(answer).toMatchObject({
      invoice: "lnbc1invoice",
      converted: {
        amount: 1_000n,
        currencyCode: "EUR",
        decimals: 2,
        multiplier: { digits: "34150.25" },
        fee: 250n,
      },
      payee: {
        compliance: {
          utxos: ["abc:2"],
          nodePubKey: "03bb",
          utxoCallback: "https://vasp.example/u",
        },
      },
    });
    expect(answer.payee.fields.get("name")).toBe("Bob");
    await expectSigned([ANA, BOB], answer.payee.compliance.signature);
  });

  it("tells of a payment afterwards", async () => {
    const hook = readHook(bytes(vectors.hook));
    expect(hook).toMatchObject({
      vaspDomain: "vasp.example",
      utxos: [{ utxo: "abc:1", amountMsats: 1_000n }],
    });
    await expectSigned([], present(hook, "a signed hook").signature);
  });
});
