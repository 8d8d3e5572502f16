import type { JsonObject } from "../../std/json.ts";
import { isAccountType, ruleOf } from "../external-accounts/account-types.ts";
import { type Draw, LEGIBLE } from "./draw.ts";

type Fields = Readonly<Record<string, string>>;

const BANK = "Florin Sandbox Bank";
const PROVIDER = "Florin Sandbox Mobile";

/** An IBAN with right check digits, at a bank that no country has: its code is made of zeros. */
function ibanOf(country: string, body: string): string {
  const rearranged = `${body}${country}00`.replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  const check = 98n - (BigInt(rearranged) % 97n);
  return `${country}${check.toString().padStart(2, "0")}${body}`;
}

/** A subscriber number that starts with 0, as no real number does, so it belongs to no person. */
function phoneOf(draw: Draw, prefix: string, length = 9): string {
  return `+${prefix}0${draw.digits("phone", length - 1)}`;
}

function numberAndSwift(draw: Draw, country: string): Fields {
  return {
    bankName: BANK,
    accountNumber: draw.digits("account", 14),
    swiftCode: `FLRN${country}2X`,
  };
}

function numberAndBank(draw: Draw, length = 14): Fields {
  return { accountNumber: draw.digits("account", length), bankName: BANK };
}

function mobile(draw: Draw, prefix: string, length?: number): Fields {
  return { phoneNumber: phoneOf(draw, prefix, length), provider: PROVIDER };
}

/** The account that a payer sees, by currency. Where a type knows a bank and a mobile wallet, it is the bank's. */
const ACCOUNTS: ReadonlyMap<string, (draw: Draw) => Fields> = new Map(
  Object.entries({
    AED: (draw) => ({ iban: ibanOf("AE", `000${draw.digits("account", 16)}`) }),
    BDT: (draw) => ({ ...numberAndBank(draw), branchCode: "00000" }),
    BWP: (draw) => mobile(draw, "267", 8),
    CAD: (draw) => ({
      bankCode: "000",
      branchCode: "00000",
      accountNumber: draw.digits("account", 12),
    }),
    CNY: (draw) => numberAndBank(draw, 19),
    DKK: (draw) => ({ iban: ibanOf("DK", `0000${draw.digits("account", 10)}`) }),
    EGP: (draw) => ({
      ...numberAndBank(draw, 17),
      iban: ibanOf("EG", `00000000${draw.digits("account", 17)}`),
    }),
    EUR: (draw) => ({ iban: ibanOf("DE", `00000000${draw.digits("account", 10)}`) }),
    GBP: (draw) => ({ sortCode: "000000", accountNumber: draw.digits("account", 8) }),
    GHS: (draw) => numberAndBank(draw),
    GTQ: (draw) => ({ ...numberAndBank(draw), bankAccountType: "CHECKING" }),
    HKD: (draw) => numberAndSwift(draw, "HK"),
    HTG: (draw) => ({ phoneNumber: phoneOf(draw, "509", 8) }),
    IDR: (draw) => ({ ...numberAndSwift(draw, "ID"), phoneNumber: phoneOf(draw, "62", 11) }),
    INR: (draw) => ({
      vpa: `${draw.characters("vpa", 16, LEGIBLE).toLowerCase()}@florin`,
      accountNumber: draw.digits("account", 18),
      ifsc: "FLRN0000000",
      bankName: BANK,
    }),
    JMD: (draw) => ({ ...numberAndBank(draw), branchCode: "00000", bankAccountType: "CHECKING" }),
    KES: (draw) => ({ phoneNumber: phoneOf(draw, "254"), provider: "M-PESA" }),
    MWK: (draw) => mobile(draw, "265"),
    MXN: (draw) => ({ clabeNumber: `000000${draw.digits("account", 12)}` }),
    MYR: (draw) => numberAndSwift(draw, "MY"),
    NGN: (draw) => numberAndBank(draw, 10),
    PHP: (draw) => numberAndBank(draw, 16),
    PKR: (draw) => numberAndBank(draw),
    RWF: (draw) => mobile(draw, "250"),
    SGD: (draw) => numberAndSwift(draw, "SG"),
    THB: (draw) => numberAndSwift(draw, "TH"),
    TZS: (draw) => mobile(draw, "255"),
    UGX: (draw) => mobile(draw, "256"),
    USD: (draw) => ({
      accountNumber: draw.digits("account", 14),
      routingNumber: "990000000",
      bankName: BANK,
      bankAccountType: "CHECKING",
    }),
    VND: (draw) => numberAndSwift(draw, "VN"),
    XAF: (draw) => ({ ...mobile(draw, "237"), region: "CM" }),
    XOF: (draw) => ({ ...mobile(draw, "221"), region: "SN" }),
    ZAR: (draw) => numberAndBank(draw, 13),
    ZMW: (draw) => mobile(draw, "260"),
  } satisfies Readonly<Record<string, (draw: Draw) => Fields>>),
);

/** What a payer puts in the memo, so that the money finds the account. */
function referenceOf(draw: Draw): string {
  return `FL${draw.characters("reference", 12, LEGIBLE)}`;
}

/** Where to send money of a national currency: on a local rail, or by SWIFT where there is none. */
export function fiatFunding(currency: string, draw: Draw): readonly JsonObject[] {
  if (currency === "ARS") {
    return [{ accountType: "ARS_ACCOUNT", accountNumber: `000${draw.digits("account", 19)}` }];
  }
  if (currency === "BRL") return [{ accountType: "BRL_ACCOUNT", qrCode: pixQrCode(draw) }];
  if (currency === "COP") {
    const paymentUrl = `https://pay.florin.test/cop/${referenceOf(draw)}`;
    return [{ accountType: "COP_ACCOUNT", paymentUrl }];
  }
  const accountType = `${currency}_ACCOUNT`;
  const fieldsOf = ACCOUNTS.get(currency);
  if (fieldsOf === undefined || !isAccountType(accountType)) return [swiftFunding(draw)];
  const fields = fieldsOf(draw);
  const paymentRails = ruleOf(accountType).paymentRails.filter(
    (rail) => rail !== "MOBILE_MONEY" || "phoneNumber" in fields,
  );
  const reference = currency === "INR" ? {} : { reference: referenceOf(draw) };
  return [{ accountType, ...fields, paymentRails, ...reference }];
}

/** An account at a bank that is reached from everywhere. */
function swiftFunding(draw: Draw): JsonObject {
  return {
    accountType: "SWIFT_ACCOUNT",
    country: "US",
    ...numberAndSwift(draw, "US"),
    accountHolderName: "Florin Sandbox",
    bankAddress: "1 Sandbox Street, Boston, US",
    paymentRails: ruleOf("SWIFT_ACCOUNT").paymentRails,
    reference: referenceOf(draw),
  };
}

/** The text inside a PIX code: tag, length and value, one after the other, and a checksum at the end. */
function pixQrCode(draw: Draw): string {
  const key = [8, 4, 4, 4, 12].map((n, i) => draw.characters(`key${i}`, n, "0123456789abcdef"));
  const merchant = element("00", "br.gov.bcb.pix") + element("01", key.join("-"));
  const unsigned =
    element("00", "01") +
    element("26", merchant) +
    element("52", "0000") +
    element("53", "986") +
    element("58", "BR") +
    element("59", "FLORIN") +
    element("60", "SAO PAULO") +
    element("62", element("05", referenceOf(draw)));
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
