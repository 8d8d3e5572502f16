/** The answer to a lookup, as the reader of answers gets it. */
import { expect, it } from "vitest";
import { customer } from "../../../../test/kit/payment-rows.ts";
import type {
  LookupReceiver,
  OfferedAsset,
} from "../../../domain/uma/receiving/lookup-receiver.ts";
import { readLookupAnswer, writeLookupAnswer } from "../../../formats/uma/lookup-message.ts";
import { ratio } from "../../../money/ratio.ts";
import { lookupAnswer } from "./lookup-answer.ts";

const asset: OfferedAsset = {
  layer: "ln",
  identifier: "BTC",
  currency: "MSAT",
  minMinor: null,
  maxMinor: null,
};
const euros: OfferedAsset = { ...asset, layer: "bank.example", identifier: "EUR", currency: "EUR" };
const dollars: OfferedAsset = { ...euros, identifier: "USD", currency: "USD" };
const times = (value: bigint) => ({ value: ratio(value, 1n), digits: value.toString() });

const receiver: LookupReceiver = {
  customer,
  assets: [euros, asset, dollars],
  currencies: [
    {
      currency: "USD",
      minMinor: 1n,
      maxMinor: 500n,
      prices: [{ asset: dollars, multiplier: times(1n) }],
    },
    {
      currency: "EUR",
      minMinor: 3n,
      maxMinor: 1_000n,
      prices: [
        { asset: euros, multiplier: times(1n) },
        { asset, multiplier: times(12_500n) },
      ],
    },
  ],
  requiredPayerFields: [
    { name: "FULL_NAME", mandatory: true },
    { name: "BIRTH_DATE", mandatory: false },
  ],
};

const signature = { signature: "30", nonce: "7", timestamp: 1_795_953_600n };

function answered(more: Partial<LookupReceiver> = {}, isRegulated = true) {
  const written = writeLookupAnswer(
    lookupAnswer({
      platform: { isRegulatedFinancialInstitution: isRegulated },
      receiver: { ...receiver, ...more },
      signedAddress: "$C@p.test",
      callback: "https://p.test/uma/pay/token",
      signature,
    }),
  );
  return { json: JSON.parse(written), read: readLookupAnswer(Buffer.from(written)) };
}

it("has each member of the protocol", () => {
  const { json, read } = answered();
  expect(json).toMatchObject({
    tag: "payRequest",
    callback: "https://p.test/uma/pay/token",
    commentAllowed: 140,
    umaVersion: "1.0",
    payerData: {
      name: { mandatory: true },
      birthDate: { mandatory: false },
      identifier: { mandatory: true },
      compliance: { mandatory: true },
    },
    compliance: {
      kycStatus: "VERIFIED",
      isSubjectToTravelRule: true,
      receiverIdentifier: "$C@p.test",
      signature: "30",
      signatureNonce: "7",
      signatureTimestamp: 1_795_953_600,
    },
  });
  expect(JSON.parse(json.metadata)).toEqual([
    ["text/plain", "Pay $c@p.test"],
    ["text/identifier", "$c@p.test"],
  ]);
  expect(read.compliance.signature).toEqual(signature);
  expect(answered({}, false).read.compliance.isSubjectToTravelRule).toBe(false);
});

it("has the currencies in their order, and 1 where there is no price in millisatoshis", () => {
  expect(answered().json.currencies).toEqual([
    {
      code: "USD",
      name: "US Dollar",
      symbol: "$",
      multiplier: 1,
      decimals: 2,
      convertible: { min: 1, max: 500 },
    },
    {
      code: "EUR",
      name: "Euro",
      symbol: "€",
      multiplier: 12_500,
      decimals: 2,
      convertible: { min: 3, max: 1_000 },
    },
  ]);
});

it("has the layers by priority, with the price of each asset in the currencies that have one", () => {
  expect(answered().json.settlementOptions).toEqual([
    {
      settlementLayer: "bank.example",
      assets: [
        { identifier: "EUR", multipliers: { EUR: 1 } },
        { identifier: "USD", multipliers: { USD: 1 } },
      ],
    },
    { settlementLayer: "ln", assets: [{ identifier: "BTC", multipliers: { EUR: 12_500 } }] },
  ]);
});

it("bounds what is sendable by the currencies with a price in millisatoshis, and by the asset", () => {
  const sendable = (more: Partial<LookupReceiver> = {}) => {
    const { minSendable, maxSendable } = answered(more).read;
    return [minSendable, maxSendable];
  };
  expect(sendable()).toEqual([37_500n, 12_500_000n]);
  const limited = { ...asset, minMinor: 40_000n, maxMinor: 50_000n };
  const [first, second] = receiver.currencies as [never, LookupReceiver["currencies"][number]];
  const priced = { ...second, prices: [{ asset: limited, multiplier: times(12_500n) }] };
  expect(sendable({ assets: [limited], currencies: [priced] })).toEqual([40_000n, 50_000n]);
  expect(sendable({ currencies: [first] })).toEqual([1n, 500n]);
  const huge = { ...priced, maxMinor: 10n ** 15n };
  expect(sendable({ assets: [asset], currencies: [huge] })[1]).toBe(9_000_000_000_000_000n);
});

it.each([
  ["APPROVED", "VERIFIED"],
  ["PENDING", "PENDING"],
  ["REJECTED", "NOT_VERIFIED"],
  ["UNVERIFIED", "UNKNOWN"],
] as const)("a customer who is %s is %s", (kycStatus, expected) => {
  const { read } = answered({ customer: { ...customer, kycStatus } });
  expect(read.compliance.kycStatus).toBe(expected);
});
