/** The request to pay somebody, and its answer, which holds the invoice. */
import type { Multiplier } from "../../money/ratio.ts";
import { JsonNumber, type MessageValue, writeMessage } from "./json-message.ts";
import { readMultiplier } from "./lookup-message.ts";
import { Members } from "./members.ts";
import {
  type KycStatus,
  readFields,
  readKycStatus,
  readOptions,
  writeOptions,
} from "./people-data.ts";
import { readSignature, type Signature, writeSignature } from "./signature-members.ts";

export interface PayRequest {
  readonly amount: PayAmount;
  /** The code of the currency that arrives. */
  readonly convert: string;
  readonly payer: {
    readonly identifier: string;
    readonly fields: ReadonlyMap<string, string>;
    readonly compliance: PayerCompliance;
  };
  /** The fields of the payee that are asked for, with whether each is mandatory. */
  readonly payeeData: ReadonlyMap<string, boolean>;
  readonly comment: string | undefined;
  /** Absent: Lightning, in BTC. */
  readonly settlement: { readonly layer: string; readonly assetIdentifier: string } | undefined;
}

/** In smallest units of a currency, or without one in units of the asset. */
export interface PayAmount {
  readonly units: bigint;
  readonly currency: string | undefined;
}

export interface PayerCompliance {
  readonly kycStatus: KycStatus;
  readonly signature: Signature;
  readonly utxos: readonly string[];
  readonly nodePubKey: string | undefined;
  readonly utxoCallback: string | undefined;
  /** Hexadecimal. */
  readonly encryptedTravelRuleInfo: string | undefined;
  readonly travelRuleFormat: string | undefined;
}

export const LARGEST_AMOUNT = 9_000_000_000_000_000n;
const AMOUNT = /^([0-9]{1,16})(?:\.([A-Za-z0-9]{1,20}))?$/;
const LONGEST_ADDRESS = 400;
const LONGEST_CODE = 20;
const LONGEST_URL = 2_048;
const LONGEST_COMMENT = 1_000;
const LONGEST_TRAVEL_RULE = 131_072;
const MOST_UTXOS = 100;
const LARGEST_INTEGER = (1n << 63n) - 1n;

/** Throws PARSE_PAYREQ_REQUEST_ERROR, and MISSING_REQUIRED_UMA_PARAMETERS without a signature and the identifier of the payer. */
export function readPayRequest(bytes: Uint8Array): PayRequest {
  const body = Members.of(bytes, "PARSE_PAYREQ_REQUEST_ERROR");
  if (!body.has("convert") && body.has("currency"))
    throw body.fault("currency", "is of version 0: convert and a text as amount are due");
  const amount = readAmount(body);
  const convert = body.text("convert", LONGEST_CODE);
  const payeeData = readOptions(body, "payeeData");
  const comment = body.optionalText("comment", LONGEST_COMMENT);
  const settlement = body.optionalMembers("settlement");
  return {
    amount,
    convert,
    payer: readPayer(body),
    payeeData,
    comment,
    settlement: settlement && {
      layer: settlement.text("layer", 40),
      assetIdentifier: settlement.text("assetIdentifier", 200),
    },
  };
}

function readAmount(body: Members): PayAmount {
  const text = body.text("amount", 40);
  const [, digits, currency] = AMOUNT.exec(text) ?? [];
  if (digits === undefined) {
    throw body.fault(
      "amount",
      "is not 1 to 16 digits, with a point and a currency code or without",
    );
  }
  const units = BigInt(digits);
  if (units < 1n || units > LARGEST_AMOUNT)
    throw body.fault("amount", `is not between 1 and ${LARGEST_AMOUNT}`);
  return { units, currency };
}

function readPayer(body: Members): PayRequest["payer"] {
  const missing = "MISSING_REQUIRED_UMA_PARAMETERS";
  const data = body.withCode(missing).members("payerData");
  const compliance = data.members("compliance");
  return {
    identifier: data.text("identifier", LONGEST_ADDRESS),
    fields: readFields(data.withCode("PARSE_PAYREQ_REQUEST_ERROR")),
    compliance: {
      kycStatus: readKycStatus(compliance),
      signature: readSignature(compliance),
      ...readNode(compliance.withCode("PARSE_PAYREQ_REQUEST_ERROR")),
      encryptedTravelRuleInfo: compliance
        .withCode("PARSE_PAYREQ_REQUEST_ERROR")
        .optionalText("encryptedTravelRuleInfo", LONGEST_TRAVEL_RULE),
      travelRuleFormat: compliance
        .withCode("PARSE_PAYREQ_REQUEST_ERROR")
        .optionalText("travelRuleFormat", 100),
    },
  };
}

interface Node {
  readonly utxos: readonly string[];
  readonly nodePubKey: string | undefined;
  readonly utxoCallback: string | undefined;
}

function readNode(compliance: Members): Node {
  return {
    utxos: compliance.texts("utxos", MOST_UTXOS, 200),
    nodePubKey: emptyAsAbsent(compliance.optionalText("nodePubKey", 200)),
    utxoCallback: emptyAsAbsent(compliance.optionalText("utxoCallback", LONGEST_URL)),
  };
}

function writeNode({ utxos, nodePubKey, utxoCallback }: Node) {
  return { utxos, nodePubKey, utxoCallback };
}

/** Some libraries write an empty URL for none. */
function emptyAsAbsent(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

export function writePayRequest({ payer, payeeData, ...request }: PayRequest): string {
  const { units, currency } = request.amount;
  const { compliance } = payer;
  return writeMessage({
    convert: request.convert,
    amount: currency === undefined ? `${units}` : `${units}.${currency}`,
    payerData: {
      ...fieldsOf(payer.fields),
      identifier: payer.identifier,
      compliance: {
        kycStatus: compliance.kycStatus,
        ...writeNode(compliance),
        encryptedTravelRuleInfo: compliance.encryptedTravelRuleInfo,
        travelRuleFormat: compliance.travelRuleFormat,
        ...writeSignature(compliance.signature),
      },
    },
    payeeData: writeOptions(payeeData),
    comment: request.comment,
    settlement: request.settlement,
  });
}

function fieldsOf(fields: ReadonlyMap<string, string>): { readonly [name: string]: MessageValue } {
  return Object.fromEntries(fields);
}

export interface PayAnswer {
  readonly invoice: string;
  readonly converted: Converted;
  readonly payee: {
    readonly fields: ReadonlyMap<string, string>;
    readonly compliance: PayeeCompliance;
  };
}

export interface Converted {
  /** Smallest units of the currency that arrives. */
  readonly amount: bigint;
  readonly currencyCode: string;
  readonly decimals: number;
  /** Units of the asset for one smallest unit. */
  readonly multiplier: Multiplier;
  /** Units of the asset. */
  readonly fee: bigint;
}

export interface PayeeCompliance extends Node {
  /** Undefined when the answer is not signed. */
  readonly signature: Signature | undefined;
}

const LONGEST_INVOICE = 4_096;
const INVOICE = /^[\x21-\x7e]+$/;

/** Throws PARSE_PAYREQ_RESPONSE_ERROR. */
export function readPayAnswer(bytes: Uint8Array): PayAnswer {
  const body = Members.of(bytes, "PARSE_PAYREQ_RESPONSE_ERROR");
  const invoice = body.text("pr", LONGEST_INVOICE);
  if (!INVOICE.test(invoice)) throw body.fault("pr", "is not visible ASCII");
  const converted = body.members("converted");
  const payee = body.members("payeeData");
  const compliance = payee.members("compliance");
  return {
    invoice,
    converted: {
      amount: converted.whole("amount", LARGEST_AMOUNT),
      currencyCode: converted.text("currencyCode", LONGEST_CODE),
      decimals: converted.count("decimals", 18),
      multiplier: readMultiplier(converted, "multiplier"),
      fee: converted.whole("fee", LARGEST_INTEGER),
    },
    payee: {
      fields: readFields(payee),
      compliance: {
        ...readNode(compliance),
        signature: compliance.has("signature") ? readSignature(compliance) : undefined,
      },
    },
  };
}

export function writePayAnswer({ invoice, converted, payee }: PayAnswer): string {
  const { signature, ...node } = payee.compliance;
  return writeMessage({
    pr: invoice,
    routes: [],
    disposable: true,
    converted: {
      amount: converted.amount,
      currencyCode: converted.currencyCode,
      decimals: BigInt(converted.decimals),
      multiplier: new JsonNumber(converted.multiplier.digits),
      fee: converted.fee,
    },
    payeeData: {
      ...fieldsOf(payee.fields),
      compliance: {
        ...writeNode(node),
        ...(signature === undefined ? {} : writeSignature(signature)),
      },
    },
  });
}
