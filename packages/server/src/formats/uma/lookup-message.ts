/** The lookup of an address: the query of the request, and the answer. */
import type { Multiplier } from "../../money/ratio.ts";
import { JsonNumber, type MessageValue, writeMessage } from "./json-message.ts";
import { Members } from "./members.ts";
import { MessageFault } from "./message-fault.ts";
import { type KycStatus, readKycStatus, readOptions, writeOptions } from "./people-data.ts";
import { readSignature, type Signature, writeSignature } from "./signature-members.ts";
import { UMA_MAJOR } from "./version.ts";

export interface LookupRequest {
  readonly signature: Signature;
  readonly vaspDomain: string;
  readonly isSubjectToTravelRule: boolean;
  readonly umaVersion: string;
}

const LONGEST_QUERY = 4_096;
const LONGEST_DOMAIN = 260;
const REQUIRED = ["signature", "vaspDomain", "nonce", "timestamp", "umaVersion"] as const;
const TIMESTAMP = /^[1-9][0-9]{0,14}$/;
const NONCE = /^[\x21-\x7b\x7d\x7e]{1,256}$/;

/**
 * The request in the query of a lookup, without the question mark. A query without any parameter of the protocol is that of another protocol.
 * The version is read and left to the caller to judge.
 */
export function readLookupQuery(query: string): LookupRequest {
  const code = "PARSE_LNURLP_REQUEST_ERROR";
  if (query.length > LONGEST_QUERY)
    throw new MessageFault(code, `the query is longer than ${LONGEST_QUERY} characters`);
  const given = parametersOf(query);
  const missing = REQUIRED.filter((name) => !given.has(name));
  if (missing.length === REQUIRED.length && !given.has("isSubjectToTravelRule")) {
    throw new MessageFault("NON_UMA_LNURL_NOT_SUPPORTED", "Only lookups of UMA are answered here.");
  }
  if (missing.length > 0) {
    const names = missing.join(", ");
    throw new MessageFault("MISSING_REQUIRED_UMA_PARAMETERS", `The query lacks ${names}.`);
  }
  const text = (name: string) => given.get(name) ?? "";
  const [nonce, timestamp, travelRule] = [
    text("nonce"),
    text("timestamp"),
    text("isSubjectToTravelRule").toLowerCase(),
  ];
  const vaspDomain = text("vaspDomain");
  if (vaspDomain.length > LONGEST_DOMAIN)
    throw new MessageFault(code, `vaspDomain is longer than ${LONGEST_DOMAIN} characters`);
  if (!NONCE.test(nonce)) throw new MessageFault(code, "nonce is not a short text");
  if (!TIMESTAMP.test(timestamp)) throw new MessageFault(code, "timestamp is not in seconds");
  if (!["", "true", "false"].includes(travelRule))
    throw new MessageFault(code, "isSubjectToTravelRule is not true or false");
  return {
    signature: { signature: text("signature"), nonce, timestamp: BigInt(timestamp) },
    vaspDomain,
    isSubjectToTravelRule: travelRule === "true",
    umaVersion: text("umaVersion"),
  };
}

function parametersOf(query: string): ReadonlyMap<string, string> {
  const code = "PARSE_LNURLP_REQUEST_ERROR";
  const given = new Map<string, string>();
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const [name = "", value = ""] = cutAt(pair, "=").map(decoded);
    if (given.has(name)) throw new MessageFault(code, `the query has ${name.slice(0, 40)} twice`);
    given.set(name, value);
  }
  return given;
}

function cutAt(text: string, mark: string): readonly string[] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new MessageFault(
      "PARSE_LNURLP_REQUEST_ERROR",
      "the query has an escape that is not UTF-8",
    );
  }
}

/** The query of a lookup of ours. */
export function writeLookupQuery({ signature, ...request }: LookupRequest): string {
  return new URLSearchParams({
    signature: signature.signature,
    vaspDomain: request.vaspDomain,
    nonce: signature.nonce,
    isSubjectToTravelRule: String(request.isSubjectToTravelRule),
    timestamp: String(signature.timestamp),
    umaVersion: request.umaVersion,
  }).toString();
}

export interface LookupAnswer {
  readonly callback: string;
  /** Millisatoshis. */
  readonly minSendable: bigint;
  readonly maxSendable: bigint;
  readonly metadata: string;
  readonly currencies: readonly LookupCurrency[];
  readonly payerData: ReadonlyMap<string, boolean>;
  readonly compliance: LookupCompliance;
  readonly umaVersion: string;
  readonly commentAllowed: number;
  /** Absent where the answer names none: then it is settled over Lightning, in BTC. */
  readonly settlementOptions: readonly SettlementOption[] | undefined;
}

export interface LookupCurrency {
  readonly code: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  /** Units of the asset of Lightning, millisatoshis, for one smallest unit. */
  readonly multiplier: Multiplier;
  /** Smallest units. */
  readonly min: bigint;
  readonly max: bigint;
}

export interface LookupCompliance {
  readonly kycStatus: KycStatus;
  readonly isSubjectToTravelRule: boolean;
  readonly receiverIdentifier: string;
  readonly signature: Signature;
}

export interface SettlementOption {
  readonly layer: string;
  readonly assets: readonly SettlementAsset[];
}

export interface SettlementAsset {
  readonly identifier: string;
  /** Units of the asset for one smallest unit, by the code of the currency. */
  readonly multipliers: ReadonlyMap<string, Multiplier>;
}

const LONGEST_URL = 2_048;
const MOST_CURRENCIES = 200;
const MOST_OPTIONS = 20;
const MOST_ASSETS = 50;
const LARGEST_INTEGER = (1n << 63n) - 1n;
const LONGEST_METADATA = 65_536;
const MOST_DECIMALS = 18;

/** The answer to a lookup. Throws PARSE_LNURLP_RESPONSE_ERROR, and MISSING_REQUIRED_UMA_PARAMETERS for an incomplete part about compliance. */
export function readLookupAnswer(bytes: Uint8Array): LookupAnswer {
  return openLookupAnswer(bytes).all();
}

/** An answer that is JSON. Its parts are read one after the other, because the version and the signature decide whether the rest is read. */
export interface OpenLookupAnswer {
  /** Whether it says anything about compliance: an answer of plain LNURL does not. */
  readonly isOfUma: boolean;
  umaVersion(): string;
  compliance(): LookupCompliance;
  all(): LookupAnswer;
}

export function openLookupAnswer(bytes: Uint8Array): OpenLookupAnswer {
  const body = Members.of(bytes, "PARSE_LNURLP_RESPONSE_ERROR");
  const opened: OpenLookupAnswer = {
    isOfUma: body.has("compliance"),
    umaVersion: () => body.text("umaVersion", 20),
    compliance() {
      const compliance = body.optionalMembers("compliance");
      if (compliance === undefined)
        throw body.fault("compliance", "is missing: this is no answer of UMA");
      return readCompliance(compliance);
    },
    all: () => ({
      compliance: opened.compliance(),
      callback: body.text("callback", LONGEST_URL),
      minSendable: body.whole("minSendable", LARGEST_INTEGER),
      maxSendable: body.whole("maxSendable", LARGEST_INTEGER),
      metadata: body.text("metadata", LONGEST_METADATA),
      currencies: body.items("currencies", MOST_CURRENCIES).flatMap(readCurrency),
      payerData: readOptions(body, "payerData"),
      umaVersion: opened.umaVersion(),
      commentAllowed: body.optionalCount("commentAllowed", 1_000_000) ?? 0,
      settlementOptions: body.has("settlementOptions")
        ? body.items("settlementOptions", MOST_OPTIONS).map(readOption)
        : undefined,
    }),
  };
  return opened;
}

/** Nothing for a currency that cannot be converted into: no amount of it can be asked for. */
function readCurrency(item: Members): readonly LookupCurrency[] {
  const convertible = item.optionalMembers("convertible");
  if (convertible === undefined) return [];
  return [
    {
      code: item.text("code", 20),
      name: item.text("name", 200),
      symbol: item.optionalText("symbol", 40) ?? "",
      decimals: item.count("decimals", MOST_DECIMALS),
      multiplier: readMultiplier(item, "multiplier"),
      min: convertible.whole("min", LARGEST_INTEGER),
      max: convertible.whole("max", LARGEST_INTEGER),
    },
  ];
}

export function readMultiplier(item: Members, name: string): Multiplier {
  return { value: item.multiplier(name), digits: item.scalarText(name, 64) };
}

function readCompliance(compliance: Members): LookupCompliance {
  const part = compliance.withCode("MISSING_REQUIRED_UMA_PARAMETERS");
  return {
    kycStatus: readKycStatus(part),
    isSubjectToTravelRule: part.flag("isSubjectToTravelRule"),
    receiverIdentifier: part.text("receiverIdentifier", 400),
    signature: readSignature(part),
  };
}

function readOption(item: Members): SettlementOption {
  return {
    layer: item.text("settlementLayer", 40),
    assets: item.items("assets", MOST_ASSETS).map((asset) => {
      const multipliers = asset.members("multipliers");
      const prices = multipliers
        .names()
        .slice(0, MOST_CURRENCIES)
        .map((code) => [code, readMultiplier(multipliers, code)] as const);
      return { identifier: asset.text("identifier", 200), multipliers: new Map(prices) };
    }),
  };
}

export function writeLookupAnswer(answer: LookupAnswer): string {
  const { compliance, currencies, settlementOptions, payerData, ...rest } = answer;
  return writeMessage({
    tag: "payRequest",
    callback: rest.callback,
    minSendable: rest.minSendable,
    maxSendable: rest.maxSendable,
    metadata: rest.metadata,
    currencies: currencies.map(({ min, max, multiplier, decimals, ...currency }) => ({
      ...currency,
      multiplier: new JsonNumber(multiplier.digits),
      decimals: BigInt(decimals),
      convertible: { min, max },
    })),
    payerData: writeOptions(payerData),
    compliance: {
      kycStatus: compliance.kycStatus,
      isSubjectToTravelRule: compliance.isSubjectToTravelRule,
      receiverIdentifier: compliance.receiverIdentifier,
      ...writeSignature(compliance.signature),
    },
    umaVersion: rest.umaVersion,
    commentAllowed: BigInt(rest.commentAllowed),
    settlementOptions: settlementOptions?.map(({ layer, assets }) => ({
      settlementLayer: layer,
      assets: assets.map(({ identifier, multipliers }) => ({
        identifier,
        multipliers: Object.fromEntries(
          [...multipliers].map(([code, { digits }]): [string, MessageValue] => [
            code,
            new JsonNumber(digits),
          ]),
        ),
      })),
    })),
  });
}

/** The document about an institution that other institutions may read. */
export function writeConfiguration(name: string): string {
  return writeMessage({ name, uma_major_versions: [BigInt(UMA_MAJOR)] });
}
