/** What is refused of messages, with its code, and that what is written is read as it was. */
import { describe, expect, it } from "vitest";
import { ratio } from "../../money/ratio.ts";
import { type Hook, readHook, writeHook } from "./hook-message.ts";
import {
  type LookupAnswer,
  type LookupRequest,
  readLookupAnswer,
  readLookupQuery,
  writeLookupAnswer,
  writeLookupQuery,
} from "./lookup-message.ts";
import { MessageFault } from "./message-fault.ts";
import {
  LARGEST_AMOUNT,
  type PayAnswer,
  type PayRequest,
  readPayAnswer,
  readPayRequest,
  writePayAnswer,
  writePayRequest,
} from "./pay-message.ts";

const signature = {
  signature: "30aa",
  nonce: "340282366920938463463374607431768211455",
  timestamp: 1_795_931_092n,
};

const request: LookupRequest = {
  signature,
  vaspDomain: "vasp.example:8443",
  isSubjectToTravelRule: true,
  umaVersion: "1.0",
};

const price = { value: ratio(123_456_789_012_345n, 10n ** 10n), digits: "12345.6789012345" };

const answer: LookupAnswer = {
  callback: "https://pay.example.com/uma/pay/token",
  minSendable: 1_000n,
  maxSendable: 9_223_372_036_854_775_807n,
  metadata: '[["text/plain","Pay $bob@pay.example.com"]]',
  currencies: [
    {
      code: "EUR",
      name: "Euro",
      symbol: "€",
      decimals: 2,
      multiplier: price,
      min: 1n,
      max: 9_007_199_254_740_993n,
    },
  ],
  payerData: new Map([
    ["identifier", true],
    ["compliance", true],
    ["birthDate", false],
  ]),
  compliance: {
    kycStatus: "VERIFIED",
    isSubjectToTravelRule: false,
    receiverIdentifier: "$bob@pay.example.com",
    signature,
  },
  umaVersion: "1.0",
  commentAllowed: 140,
  settlementOptions: [
    {
      layer: "bank.example",
      assets: [{ identifier: "EUR", multipliers: new Map([["EUR", price]]) }],
    },
  ],
};

const pay: PayRequest = {
  amount: { units: 9_000_000_000_000_000n, currency: "EUR" },
  convert: "EUR",
  payer: {
    identifier: "$ana@vasp.example",
    fields: new Map([
      ["name", "Ana Lima"],
      ["identifier", "$ana@vasp.example"],
    ]),
    compliance: {
      kycStatus: "PENDING",
      signature,
      utxos: ["abc:1"],
      nodePubKey: undefined,
      utxoCallback: "https://vasp.example/utxos",
      encryptedTravelRuleInfo: "04aa",
      travelRuleFormat: "ivms@101.2023",
    },
  },
  payeeData: new Map([["name", true]]),
  comment: "Danke\nfür alles",
  settlement: { layer: "bank.example", assetIdentifier: "EUR" },
};

const paid: PayAnswer = {
  invoice: "RF18FLEXAMPLE@DE02",
  converted: { amount: 1_000n, currencyCode: "EUR", decimals: 2, multiplier: price, fee: 0n },
  payee: {
    fields: new Map([["name", "Bob"]]),
    compliance: { utxos: [], nodePubKey: undefined, utxoCallback: undefined, signature },
  },
};

const hook: Hook = {
  vaspDomain: "vasp.example",
  utxos: [{ utxo: "abc:1", amountMsats: 9_007_199_254_740_993n }],
  signature,
};

const bytes = (text: string) => Buffer.from(text, "utf8");

it("what is written is read as it was", () => {
  expect(readLookupQuery(writeLookupQuery(request))).toEqual(request);
  expect(readLookupAnswer(bytes(writeLookupAnswer(answer)))).toEqual(answer);
  expect(readPayRequest(bytes(writePayRequest(pay)))).toEqual(pay);
  expect(readPayAnswer(bytes(writePayAnswer(paid)))).toEqual(paid);
  expect(readHook(bytes(writeHook(hook)))).toEqual(hook);
  const inUnits = { ...pay, amount: { units: 1n, currency: undefined }, settlement: undefined };
  expect(readPayRequest(bytes(writePayRequest(inUnits)))).toEqual(inUnits);
});

/** The fault of reading it, as its code and its reason. */
function faultOf(read: () => unknown): string {
  try {
    read();
    return "none";
  } catch (error) {
    if (error instanceof MessageFault) return `${error.code}: ${error.message}`;
    throw error;
  }
}

describe("the query of a lookup", () => {
  const query = writeLookupQuery(request);
  const without = (name: string) =>
    query
      .split("&")
      .filter((pair) => !pair.startsWith(`${name}=`))
      .join("&");
  const changed = (name: string, value: string) => `${without(name)}&${name}=${value}`;

  it.each([
    ["", "NON_UMA_LNURL_NOT_SUPPORTED: Only lookups of UMA are answered here."],
    ["amount=5", "NON_UMA_LNURL_NOT_SUPPORTED: Only lookups of UMA are answered here."],
    [without("nonce"), "MISSING_REQUIRED_UMA_PARAMETERS: The query lacks nonce."],
    [
      "umaVersion=1.0",
      "MISSING_REQUIRED_UMA_PARAMETERS: The query lacks signature, vaspDomain, nonce, timestamp.",
    ],
    [`${query}&nonce=1`, "PARSE_LNURLP_REQUEST_ERROR: the query has nonce twice"],
    [`${query}&%6eonce=1`, "PARSE_LNURLP_REQUEST_ERROR: the query has nonce twice"],
    [`${query}&a=%ff`, "PARSE_LNURLP_REQUEST_ERROR: the query has an escape that is not UTF-8"],
    [
      `${query}&a=${"b".repeat(4_096)}`,
      "PARSE_LNURLP_REQUEST_ERROR: the query is longer than 4096 characters",
    ],
    [changed("timestamp", "1e9"), "PARSE_LNURLP_REQUEST_ERROR: timestamp is not in seconds"],
    [changed("timestamp", "-5"), "PARSE_LNURLP_REQUEST_ERROR: timestamp is not in seconds"],
    [changed("timestamp", ""), "PARSE_LNURLP_REQUEST_ERROR: timestamp is not in seconds"],
    [changed("nonce", "a%7Cb"), "PARSE_LNURLP_REQUEST_ERROR: nonce is not a short text"],
    [changed("nonce", "9".repeat(257)), "PARSE_LNURLP_REQUEST_ERROR: nonce is not a short text"],
    [
      changed("vaspDomain", "a".repeat(261)),
      "PARSE_LNURLP_REQUEST_ERROR: vaspDomain is longer than 260 characters",
    ],
    [
      changed("isSubjectToTravelRule", "yes"),
      "PARSE_LNURLP_REQUEST_ERROR: isSubjectToTravelRule is not true or false",
    ],
  ])("%s is refused", (text, fault) => {
    expect(faultOf(() => readLookupQuery(text))).toBe(fault);
  });

  it.each([
    [changed("isSubjectToTravelRule", "True"), { isSubjectToTravelRule: true }],
    [without("isSubjectToTravelRule"), { isSubjectToTravelRule: false }],
    [changed("umaVersion", "0.3"), { umaVersion: "0.3" }],
    [`${query}&backingSignatures=a:b&unknown=1&__proto__=2`, { vaspDomain: "vasp.example:8443" }],
  ])("%s is read", (text, expected) => {
    expect(readLookupQuery(text)).toMatchObject(expected);
  });
});

/** An answer whose numbers `JSON.parse` keeps. */
const plainAnswer = writeLookupAnswer({ ...answer, maxSendable: 10_000_000_000n });

/** A message with one member changed, by the path of its names; `undefined` removes it. */
function edited(text: string, path: string, value: string | undefined): Buffer {
  const message = JSON.parse(text);
  const names = path.split(".");
  const last = names.pop() ?? "";
  let part = message;
  for (const name of names) part = part[name];
  if (value === undefined) delete part[last];
  else part[last] = "\u0000";
  return bytes(JSON.stringify(message).replace('"\\u0000"', () => value ?? ""));
}

type Edit = readonly [path: string, value: string | undefined, fault: string];

describe("the answer to a lookup", () => {
  const PARSE = "PARSE_LNURLP_RESPONSE_ERROR: ";
  const MISSING = "MISSING_REQUIRED_UMA_PARAMETERS: ";
  const deep = `"${"a".repeat(3_000)}"`;
  it.each<Edit>([
    ["compliance", undefined, `${PARSE}compliance is missing: this is no answer of UMA`],
    ["compliance.signature", undefined, `${MISSING}compliance.signature is missing`],
    ["compliance.kycStatus", "null", `${MISSING}compliance.kycStatus is missing`],
    [
      "compliance.signatureTimestamp",
      "1.5",
      `${MISSING}compliance.signatureTimestamp is not a whole number in plain digits`,
    ],
    ["callback", undefined, `${PARSE}callback is missing`],
    ["callback", deep, `${PARSE}callback is longer than 2048 characters`],
    ["callback", '"https://a\\u0000b"', `${PARSE}callback has a control character`],
    ["minSendable", '"1"', `${PARSE}minSendable is not a whole number in plain digits`],
    ["minSendable", "1e3", `${PARSE}minSendable is not a whole number in plain digits`],
    ["maxSendable", "-1", `${PARSE}maxSendable is not a whole number in plain digits`],
    ["maxSendable", "9223372036854775808", `${PARSE}maxSendable is above 9223372036854775807`],
    ["currencies", "{}", `${PARSE}currencies is not a list`],
    ["currencies", "[1]", `${PARSE}currencies[0] is not an object`],
    ["currencies", `[${"{},".repeat(200)}{}]`, `${PARSE}currencies has more than 200 items`],
    ["currencies.0.multiplier", "0", `${PARSE}currencies[0].multiplier is not a number above zero`],
    [
      "currencies.0.multiplier",
      "0.0e5",
      `${PARSE}currencies[0].multiplier is not a number above zero`,
    ],
    [
      "currencies.0.multiplier",
      "-1",
      `${PARSE}currencies[0].multiplier is not a number above zero`,
    ],
    [
      "currencies.0.multiplier",
      '"1"',
      `${PARSE}currencies[0].multiplier is not a number above zero`,
    ],
    [
      "currencies.0.multiplier",
      "1e400",
      `${PARSE}currencies[0].multiplier has more than 30 digits`,
    ],
    [
      "currencies.0.multiplier",
      "1".repeat(31),
      `${PARSE}currencies[0].multiplier has more than 30 digits`,
    ],
    ["currencies.0.multiplier", "1".repeat(33), `${PARSE}a number has more than 32 characters`],
    ["currencies.0.decimals", "30", `${PARSE}currencies[0].decimals is above 18`],
    [
      "currencies.0.decimals",
      "-1",
      `${PARSE}currencies[0].decimals is not a whole number in plain digits`,
    ],
    ["currencies.0.name", '"a\\u202eb"', `${PARSE}currencies[0].name has a control character`],
    ["currencies.0.convertible", "1", `${PARSE}currencies[0].convertible is not an object`],
    ["currencies.0.convertible", "{}", `${PARSE}currencies[0].convertible.min is missing`],
    ["payerData", "[]", `${PARSE}payerData is not an object`],
    ["payerData.birthDate", "true", `${PARSE}payerData.birthDate is not an object`],
    [
      "payerData.birthDate.mandatory",
      "1",
      `${PARSE}payerData.birthDate.mandatory is not true or false`,
    ],
    [
      "settlementOptions.0.assets.0.multipliers",
      "[]",
      `${PARSE}settlementOptions[0].assets[0].multipliers is not an object`,
    ],
    ["commentAllowed", "1.0", `${PARSE}commentAllowed is not a whole number in plain digits`],
  ])("with %s = %s is refused: %s", (path, value, fault) => {
    expect(faultOf(() => readLookupAnswer(edited(plainAnswer, path, value)))).toBe(fault);
  });

  it.each([
    ["tag", '"protocol.PayRequest"'],
    ["payerData", "null"],
    ["commentAllowed", "null"],
    ["compliance.backingSignatures", '[{"domain":"a","signature":"b"}]'],
    ["currencies.0.symbol", undefined],
    ["settlementOptions", undefined],
    ["unknown", '{"__proto__":[1,{"a":1e5}]}'],
  ])("with %s = %s is read", (path, value) => {
    expect(faultOf(() => readLookupAnswer(edited(plainAnswer, path, value)))).toBe("none");
  });

  it("leaves out a currency that nothing can be converted into", () => {
    for (const value of [undefined, "null"]) {
      const read = readLookupAnswer(edited(plainAnswer, "currencies.0.convertible", value));
      expect(read.currencies).toEqual(answer.currencies.slice(1));
    }
  });

  it.each([
    ["1.0825", [433n, 400n]],
    ["1e3", [1_000n, 1n]],
    ["1.5E-30", [3n, 2n * 10n ** 30n]],
    ["12e+2", [1_200n, 1n]],
    ["0.00000000000000000000000000001", [1n, 10n ** 29n]],
    ["9007199254740993", [9_007_199_254_740_993n, 1n]],
  ])("has the multiplier %s exactly", (digits, [numerator, denominator]) => {
    const text = edited(plainAnswer, "currencies.0.multiplier", digits);
    const read = readLookupAnswer(text).currencies[0]?.multiplier;
    expect(read).toEqual({ value: { numerator, denominator }, digits });
  });

  it.each([
    ["NOT_VERIFIED", "NOT_VERIFIED"],
    ["pending", "PENDING"],
    ["GOLD", "UNKNOWN"],
  ])("with the status %s is read as %s", (text, status) => {
    const read = readLookupAnswer(edited(plainAnswer, "compliance.kycStatus", `"${text}"`));
    expect(read.compliance.kycStatus).toBe(status);
  });
});

describe("a request to pay", () => {
  const PARSE = "PARSE_PAYREQ_REQUEST_ERROR: ";
  const MISSING = "MISSING_REQUIRED_UMA_PARAMETERS: ";
  const notDigits = `${PARSE}amount is not 1 to 16 digits, with a point and a currency code or without`;
  it.each<Edit>([
    ["amount", "100", `${PARSE}amount is not text`],
    ["amount", '""', notDigits],
    ["amount", '".EUR"', notDigits],
    ["amount", '"1e3.EUR"', notDigits],
    ["amount", '"-1.EUR"', notDigits],
    ["amount", '"+1"', notDigits],
    ["amount", '"1.0.EUR"', notDigits],
    ["amount", '"1."', notDigits],
    ["amount", '" 1"', notDigits],
    ["amount", '"12345678901234567"', notDigits],
    ["amount", '"0.EUR"', `${PARSE}amount is not between 1 and ${LARGEST_AMOUNT}`],
    ["amount", '"9000000000000001"', `${PARSE}amount is not between 1 and ${LARGEST_AMOUNT}`],
    ["convert", undefined, `${PARSE}convert is missing`],
    ["convert", "5", `${PARSE}convert is not text`],
    ["payerData", undefined, `${MISSING}payerData is missing`],
    ["payerData.identifier", undefined, `${MISSING}payerData.identifier is missing`],
    ["payerData.compliance", undefined, `${MISSING}payerData.compliance is missing`],
    [
      "payerData.compliance.signatureNonce",
      undefined,
      `${MISSING}payerData.compliance.signatureNonce is missing`,
    ],
    [
      "payerData.compliance.utxos",
      '["a",5]',
      `${PARSE}payerData.compliance.utxos[1] is not a short text`,
    ],
    [
      "payerData.compliance.encryptedTravelRuleInfo",
      "{}",
      `${PARSE}payerData.compliance.encryptedTravelRuleInfo is not text`,
    ],
    ["payerData.name", '{"first":"Ana"}', `${PARSE}payerData.name is not text`],
    [
      "payerData.name",
      `"${"a".repeat(1_001)}"`,
      `${PARSE}payerData.name is longer than 1000 characters`,
    ],
    [
      "payeeData",
      `{${Array.from({ length: 41 }, (_, n) => `"f${n}":{}`).join()}}`,
      `${PARSE}payeeData asks for more than 40 fields`,
    ],
    ["settlement", '{"layer":"ln"}', `${PARSE}settlement.assetIdentifier is missing`],
    ["comment", "5", `${PARSE}comment is not text`],
  ])("with %s = %s is refused: %s", (path, value, fault) => {
    expect(faultOf(() => readPayRequest(edited(writePayRequest(pay), path, value)))).toBe(fault);
  });

  it("of version 0 is refused by name", () => {
    const old = bytes('{"currency":"EUR","amount":1000,"payerData":{}}');
    expect(faultOf(() => readPayRequest(old))).toBe(
      `${PARSE}currency is of version 0: convert and a text as amount are due`,
    );
  });

  it("takes numbers and flags as fields of a person", () => {
    const text = edited(writePayRequest(pay), "payerData.age", "30.50");
    expect(readPayRequest(text).payer.fields.get("age")).toBe("30.50");
    const flag = edited(writePayRequest(pay), "payerData.isResident", "true");
    expect(readPayRequest(flag).payer.fields.get("isResident")).toBe("true");
  });

  it.each(["[]", "null", "5", '"text"'])("that is %s is refused", (text) => {
    expect(faultOf(() => readPayRequest(bytes(text)))).toBe(
      `${PARSE}the body is not a JSON object`,
    );
  });
});

describe("the answer to a request to pay", () => {
  const PARSE = "PARSE_PAYREQ_RESPONSE_ERROR: ";
  it.each<Edit>([
    ["pr", undefined, `${PARSE}pr is missing`],
    ["pr", '""', `${PARSE}pr is not visible ASCII`],
    ["pr", '"ln bc"', `${PARSE}pr is not visible ASCII`],
    ["pr", `"${"a".repeat(4_097)}"`, `${PARSE}pr is longer than 4096 characters`],
    ["converted", undefined, `${PARSE}converted is missing`],
    [
      "converted.amount",
      "1000.0",
      `${PARSE}converted.amount is not a whole number in plain digits`,
    ],
    ["converted.fee", undefined, `${PARSE}converted.fee is missing`],
    ["converted.multiplier", "0", `${PARSE}converted.multiplier is not a number above zero`],
    ["payeeData.compliance", undefined, `${PARSE}payeeData.compliance is missing`],
    [
      "payeeData.compliance.signatureTimestamp",
      undefined,
      `${PARSE}payeeData.compliance.signatureTimestamp is missing`,
    ],
  ])("with %s = %s is refused: %s", (path, value, fault) => {
    expect(faultOf(() => readPayAnswer(edited(writePayAnswer(paid), path, value)))).toBe(fault);
  });

  it("without a signature is read as one that is not signed", () => {
    const text = edited(writePayAnswer(paid), "payeeData.compliance.signature", undefined);
    expect(readPayAnswer(text).payee.compliance.signature).toBeUndefined();
  });
});

it.each<Edit>([
  [
    "utxos",
    '[{"utxo":"a","amountMsats":-1}]',
    "utxos[0].amountMsats is not a whole number in plain digits",
  ],
  ["utxos", `[${'{"utxo":"a","amountMsats":1},'.repeat(100)}{}]`, "utxos has more than 100 items"],
  ["signatureTimestamp", undefined, "signatureTimestamp is missing"],
  ["signatureNonce", '"$ana@bank.example|7"', "signatureNonce has a separator"],
  ["vaspDomain", "5", "vaspDomain is not text"],
])("a hook with %s = %s is refused: %s", (path, value, fault) => {
  const read = () => readHook(edited(writeHook(hook), path, value));
  expect(faultOf(read)).toBe(`PARSE_UTXO_CALLBACK_ERROR: ${fault}`);
});

it("a hook without a signature is read as one that is not signed", () => {
  expect(readHook(edited(writeHook(hook), "signature", undefined))).toBeUndefined();
});
