import { checkDigits97 } from "../../../money/mod97.ts";
import type { JsonObject } from "../../../std/json.ts";
import { isAccountType, ruleOf } from "../external/account-types.ts";
import {
  BASE58,
  BECH32,
  HEX,
  type IdentifierGenerator,
  identifierGeneratorFor,
  LEGIBLE,
} from "./identifier-generator.ts";

type Fields = Readonly<Record<string, string>>;

const BANK = "Florin Sandbox Bank";
const PROVIDER = "Florin Sandbox Mobile";

/** An IBAN with valid check digits. Its bank code is all zeros, which no country assigns. */
function ibanOf(country: string, body: string): string {
  return `${country}${checkDigits97(`${body}${country}`)}${body}`;
}

/** A subscriber number that starts with 0, as no real number does, so it belongs to no person. */
function phoneOf(generator: IdentifierGenerator, prefix: string, length = 9): string {
  return `+${prefix}0${generator.digits("phone", length - 1)}`;
}

function numberAndSwift(generator: IdentifierGenerator, country: string): Fields {
  return {
    bankName: BANK,
    accountNumber: generator.digits("account", 14),
    swiftCode: `FLRN${country}2X`,
  };
}

function numberAndBank(generator: IdentifierGenerator, length = 14): Fields {
  return { accountNumber: generator.digits("account", length), bankName: BANK };
}

function mobile(generator: IdentifierGenerator, prefix: string, length?: number): Fields {
  return { phoneNumber: phoneOf(generator, prefix, length), provider: PROVIDER };
}

/** The account shown to a payer, by currency. Where a type covers bank accounts and mobile wallets, it is a bank account. */
const ACCOUNTS: ReadonlyMap<string, (generator: IdentifierGenerator) => Fields> = new Map(
  Object.entries({
    AED: (generator) => ({ iban: ibanOf("AE", `000${generator.digits("account", 16)}`) }),
    BDT: (generator) => ({ ...numberAndBank(generator), branchCode: "00000" }),
    BWP: (generator) => mobile(generator, "267", 8),
    CAD: (generator) => ({
      bankCode: "000",
      branchCode: "00000",
      accountNumber: generator.digits("account", 12),
    }),
    CNY: (generator) => numberAndBank(generator, 19),
    DKK: (generator) => ({ iban: ibanOf("DK", `0000${generator.digits("account", 10)}`) }),
    EGP: (generator) => ({
      ...numberAndBank(generator, 17),
      iban: ibanOf("EG", `00000000${generator.digits("account", 17)}`),
    }),
    EUR: (generator) => ({ iban: ibanOf("DE", `00000000${generator.digits("account", 10)}`) }),
    GBP: (generator) => ({ sortCode: "000000", accountNumber: generator.digits("account", 8) }),
    GHS: (generator) => numberAndBank(generator),
    GTQ: (generator) => ({ ...numberAndBank(generator), bankAccountType: "CHECKING" }),
    HKD: (generator) => numberAndSwift(generator, "HK"),
    HTG: (generator) => ({ phoneNumber: phoneOf(generator, "509", 8) }),
    IDR: (generator) => ({
      ...numberAndSwift(generator, "ID"),
      phoneNumber: phoneOf(generator, "62", 11),
    }),
    INR: (generator) => ({
      vpa: `${generator.characters("vpa", 16, LEGIBLE).toLowerCase()}@florin`,
      accountNumber: generator.digits("account", 18),
      ifsc: "FLRN0000000",
      bankName: BANK,
    }),
    JMD: (generator) => ({
      ...numberAndBank(generator),
      branchCode: "00000",
      bankAccountType: "CHECKING",
    }),
    KES: (generator) => ({ phoneNumber: phoneOf(generator, "254"), provider: "M-PESA" }),
    MWK: (generator) => mobile(generator, "265"),
    MXN: (generator) => ({ clabeNumber: `000000${generator.digits("account", 12)}` }),
    MYR: (generator) => numberAndSwift(generator, "MY"),
    NGN: (generator) => numberAndBank(generator, 10),
    PHP: (generator) => numberAndBank(generator, 16),
    PKR: (generator) => numberAndBank(generator),
    RWF: (generator) => mobile(generator, "250"),
    SGD: (generator) => numberAndSwift(generator, "SG"),
    THB: (generator) => numberAndSwift(generator, "TH"),
    TZS: (generator) => mobile(generator, "255"),
    UGX: (generator) => mobile(generator, "256"),
    USD: (generator) => ({
      accountNumber: generator.digits("account", 14),
      routingNumber: "990000000",
      bankName: BANK,
      bankAccountType: "CHECKING",
    }),
    VND: (generator) => numberAndSwift(generator, "VN"),
    XAF: (generator) => ({ ...mobile(generator, "237"), region: "CM" }),
    XOF: (generator) => ({ ...mobile(generator, "221"), region: "SN" }),
    ZAR: (generator) => numberAndBank(generator, 13),
    ZMW: (generator) => mobile(generator, "260"),
  } satisfies Readonly<Record<string, (generator: IdentifierGenerator) => Fields>>),
);

/** The memo that assigns an incoming payment to the account. */
function referenceOf(generator: IdentifierGenerator): string {
  return `FL${generator.characters("reference", 12, LEGIBLE)}`;
}

/** Where to send money of a national currency: on a local rail, or by SWIFT where there is none. */
export function fiatFunding(
  currency: string,
  generator: IdentifierGenerator,
): readonly JsonObject[] {
  if (currency === "ARS") {
    return [{ accountType: "ARS_ACCOUNT", accountNumber: `000${generator.digits("account", 19)}` }];
  }
  if (currency === "BRL") return [{ accountType: "BRL_ACCOUNT", qrCode: pixQrCode(generator) }];
  if (currency === "COP") {
    const paymentUrl = `https://pay.florin.test/cop/${referenceOf(generator)}`;
    return [{ accountType: "COP_ACCOUNT", paymentUrl }];
  }
  const accountType = `${currency}_ACCOUNT`;
  const fieldsOf = ACCOUNTS.get(currency);
  if (fieldsOf === undefined || !isAccountType(accountType)) return [swiftFunding(generator)];
  const fields = fieldsOf(generator);
  const paymentRails = ruleOf(accountType).paymentRails.filter(
    (rail) => rail !== "MOBILE_MONEY" || "phoneNumber" in fields,
  );
  const reference = currency === "INR" ? {} : { reference: referenceOf(generator) };
  return [{ accountType, ...fields, paymentRails, ...reference }];
}

/** A bank account that can be paid from any country. */
function swiftFunding(generator: IdentifierGenerator): JsonObject {
  return {
    accountType: "SWIFT_ACCOUNT",
    country: "US",
    ...numberAndSwift(generator, "US"),
    accountHolderName: "Florin Sandbox",
    bankAddress: "1 Sandbox Street, Boston, US",
    paymentRails: ruleOf("SWIFT_ACCOUNT").paymentRails,
    reference: referenceOf(generator),
  };
}

/** The payload of a PIX code: fields of tag, length and value, and a checksum at the end. */
function pixQrCode(generator: IdentifierGenerator): string {
  const key = [8, 4, 4, 4, 12].map((n, i) =>
    generator.characters(`key${i}`, n, "0123456789abcdef"),
  );
  const merchant = element("00", "br.gov.bcb.pix") + element("01", key.join("-"));
  const unsigned =
    element("00", "01") +
    element("26", merchant) +
    element("52", "0000") +
    element("53", "986") +
    element("58", "BR") +
    element("59", "FLORIN") +
    element("60", "SAO PAULO") +
    element("62", element("05", referenceOf(generator)));
  return `${unsigned}6304${crc16(`${unsigned}6304`)}`;
}

function element(tag: string, value: string): string {
  return `${tag}${String(value.length).padStart(2, "0")}${value}`;
}

/** CRC-16/CCITT-FALSE, in four hex digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, "ascii")) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    }
    crc &= 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, "0");
}

type Instruction = (generator: IdentifierGenerator, assetType: string) => JsonObject;

function evm(accountType: string): Instruction {
  return (generator, assetType) => ({
    accountType,
    address: `0x${generator.characters(accountType, 40, HEX)}`,
    assetType,
  });
}

const solana: Instruction = (generator, assetType) => ({
  accountType: "SOLANA_WALLET",
  address: generator.characters("solana", 43, BASE58.slice(1)),
  assetType,
});

const tron: Instruction = (generator, assetType) => ({
  accountType: "TRON_WALLET",
  address: `T${generator.characters("tron", 33, BASE58)}`,
  assetType,
});

const spark: Instruction = (generator, assetType) => ({
  accountType: "SPARK_WALLET",
  address: `spark1${generator.characters("spark", 58, BECH32)}`,
  assetType,
});

const lightning: Instruction = (generator) => ({
  accountType: "LIGHTNING",
  invoice: `lnbc1p${generator.characters("lightning", 240, BECH32)}`,
});

const bitcoin: Instruction = (generator) => ({
  accountType: "BITCOIN_L1",
  address: `bc1q${generator.characters("bitcoin", 38, BECH32)}`,
  network: "BITCOIN",
});

/** The networks on which each token can be received. The payer picks one. */
const NETWORKS: ReadonlyMap<string, readonly Instruction[]> = new Map([
  ["BTC", [spark, lightning, bitcoin]],
  ["USDB", [spark]],
  ["USDC", [solana, evm("ETHEREUM_WALLET"), evm("BASE_WALLET"), evm("POLYGON_WALLET")]],
  ["USDT", [tron, evm("ETHEREUM_WALLET"), evm("PLASMA_WALLET"), solana]],
]);

/** Where to send a token: one entry per network. The addresses are well formed, but no keys exist for them. */
export function cryptoFunding(
  currency: string,
  generator: IdentifierGenerator,
): readonly JsonObject[] {
  return (NETWORKS.get(currency) ?? []).map((instruction) => instruction(generator, currency));
}

export interface FundedAccount {
  /** The uuid from which all simulated identifiers are derived. */
  readonly id: string;
  readonly type: "INTERNAL_FIAT" | "INTERNAL_CRYPTO" | "EMBEDDED_WALLET";
  readonly currency: string;
  readonly isPlatformAccount: boolean;
  /** The address of an embedded wallet; while it is undefined, the wallet has no funding instructions. */
  readonly walletAddress?: string;
}

/** A type, not an interface: an interface is not assignable to a JSON type. */
export type FundingInstruction = {
  readonly accountOrWalletInfo: JsonObject;
  readonly instructionsNotes: string;
  readonly isPlatformAccount: boolean;
};

/**
 * Funding instructions of an internal account of a sandbox platform; the payer uses any one. The same account always has the
 * same entries, and no two accounts share them. All but an embedded wallet's address are simulated, with numbers that no
 * bank or person can have.
 */
export function fundingInstructions(account: FundedAccount): readonly FundingInstruction[] {
  return targetsOf(account).map((accountOrWalletInfo) => ({
    accountOrWalletInfo,
    instructionsNotes: notesFor(account, accountOrWalletInfo),
    isPlatformAccount: account.isPlatformAccount,
  }));
}

function targetsOf({ id, type, currency, walletAddress }: FundedAccount): readonly JsonObject[] {
  switch (type) {
    case "EMBEDDED_WALLET":
      return walletAddress === undefined
        ? []
        : [{ accountType: "SPARK_WALLET", address: walletAddress, assetType: currency }];
    case "INTERNAL_FIAT":
      return fiatFunding(currency, identifierGeneratorFor(id));
    case "INTERNAL_CRYPTO":
      return cryptoFunding(currency, identifierGeneratorFor(id));
  }
}

function notesFor({ type, currency }: FundedAccount, target: JsonObject): string {
  if (type === "EMBEDDED_WALLET") return `Send ${currency} on Spark to this address.`;
  const simulated = "This is a simulated account: real money sent to it is lost.";
  const { reference } = target;
  if (reference === undefined) return `Send ${currency} only. ${simulated}`;
  return `Send ${currency} only, with the reference ${String(reference)} in the memo. ${simulated}`;
}
