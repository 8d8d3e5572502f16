import { describe, expect, it } from "vitest";
import { currencies } from "../../../money/currency.ts";
import { isAccountType, ruleOf } from "../external/account-types.ts";
import { NOT_BLANK, type TextField } from "../external/field-rules.ts";
import { crc16, type FundedAccount, fundingInstructions } from "./funding-instructions.ts";

const ids = Array.from(
  { length: 200 },
  (_, index) => `01890000-0000-7000-8000-${String(index).padStart(12, "0")}`,
);
const [ID = ""] = ids;

function account(currency: string, id = ID): FundedAccount {
  const kind = currencies.find((each) => each.code === currency)?.kind;
  const type = kind === "crypto" ? "INTERNAL_CRYPTO" : "INTERNAL_FIAT";
  return { id, type, currency, isPlatformAccount: false };
}

function targets(currency: string, id?: string) {
  return fundingInstructions(account(currency, id)).map((each) => each.accountOrWalletInfo);
}

const codes = currencies.map((each) => each.code);

/** Types whose entry is not an account number with rails. */
const UNUSUAL = ["ARS", "BRL", "COP"];

/** What payers are told of an account beside what names one that is paid out to. */
const FOR_PAYERS: Readonly<Record<string, readonly string[]>> = { EGP: ["accountNumber"] };

describe("the funding instructions", () => {
  it("exist for every currency, by SWIFT where there is no local account type", () => {
    const bySwift = codes.filter((code) => targets(code)[0]?.accountType === "SWIFT_ACCOUNT");
    const others = codes.filter((code) => targets(code).length > 0 && !bySwift.includes(code));
    const local = codes.filter((code) => isAccountType(`${code}_ACCOUNT`));
    expect(others.sort()).toEqual([...local, "ARS", "BTC", "USDB", "USDC", "USDT"].sort());
    expect(bySwift).toEqual(expect.arrayContaining(["CHF", "JPY", "KRW", "AUD"]));
    expect(bySwift.length + others.length).toBe(currencies.length);
  });

  it("are the whole of a SWIFT account and a reference", () => {
    expect(targets("JPY")).toEqual([
      {
        accountType: "SWIFT_ACCOUNT",
        country: "US",
        swiftCode: "FLRNUS2X",
        bankName: "Florin Sandbox Bank",
        accountNumber: expect.stringMatching(/^[0-9]{14}$/),
        accountHolderName: expect.stringMatching(/^.{1,255}$/),
        bankAddress: expect.stringMatching(/^.{1,1024}$/),
        paymentRails: ["SWIFT"],
        reference: expect.stringMatching(/^FL[2-9A-Z]{12}$/),
      },
    ]);
  });

  it("of an Egyptian account name it by its number and by its IBAN", () => {
    const [{ accountNumber = "", iban = "", bankName = "" } = {}] = targets("EGP");
    expect(accountNumber).toMatch(/^[0-9]{17}$/);
    expect(iban).toMatch(/^EG[0-9]{27}$/);
    expect(String(iban).endsWith(String(accountNumber))).toBe(true);
    expect(bankName).not.toBe("");
  });

  it.each(codes.filter((code) => isAccountType(`${code}_ACCOUNT`) && !UNUSUAL.includes(code)))(
    "for %s match the rules of its account type",
    (code) => {
      const accountType = `${code}_ACCOUNT`;
      const rule = isAccountType(accountType) ? ruleOf(accountType) : undefined;
      const [target = {}, ...others] = targets(code);
      const { accountType: named, paymentRails, reference, ...fields } = target;
      expect(others).toEqual([]);
      expect(named).toBe(accountType);
      const texts = (rule?.fields ?? []) as readonly TextField[];
      const known = [...texts.map((field) => field.name), ...(FOR_PAYERS[code] ?? [])];
      expect(known).toEqual(expect.arrayContaining(Object.keys(fields)));
      for (const { name, required, pattern, minLength, maxLength, values } of texts) {
        const value = fields[name];
        if (value === undefined) {
          expect(required, name).toBe(false);
          continue;
        }
        const anyText = `^.{${minLength ?? 0},${maxLength ?? 255}}$`;
        const form = pattern === undefined || pattern === NOT_BLANK ? anyText : pattern;
        expect(value).toMatch(new RegExp(form, "u"));
        if (values !== undefined) expect(values).toContain(value);
      }
      if ((rule?.ways.length ?? 0) > 0) {
        expect(rule?.identifiedBy.some((name) => name in fields)).toBe(true);
      }
      expect(rule?.paymentRails).toEqual(expect.arrayContaining(paymentRails as string[]));
      expect(paymentRails).not.toEqual([]);
      if (code === "INR") expect(reference).toBeUndefined();
      else expect(reference).toMatch(/^FL[2-9A-Z]{12}$/);
    },
  );

  it("are the whole of a dollar account, its rails and a reference", () => {
    expect(targets("USD")).toEqual([
      {
        accountType: "USD_ACCOUNT",
        accountNumber: expect.stringMatching(/^[0-9]{14}$/),
        routingNumber: "990000000",
        bankName: "Florin Sandbox Bank",
        bankAccountType: "CHECKING",
        paymentRails: ["ACH", "WIRE", "RTP", "FEDNOW"],
        reference: expect.stringMatching(/^FL/),
      },
    ]);
  });

  it("offer mobile money only where they name a telephone", () => {
    expect(targets("GHS")[0]?.paymentRails).toEqual(["BANK_TRANSFER"]);
    expect(targets("KES")[0]?.paymentRails).toEqual(["MOBILE_MONEY"]);
  });

  it("are one text each for ARS, BRL and COP", () => {
    expect(targets("ARS")).toEqual([
      { accountType: "ARS_ACCOUNT", accountNumber: expect.stringMatching(/^\d{22}$/) },
    ]);
    expect(targets("BRL")).toEqual([
      { accountType: "BRL_ACCOUNT", qrCode: expect.stringMatching(/^000201.*6304[0-9A-F]{4}$/) },
    ]);
    expect(targets("COP")).toEqual([
      { accountType: "COP_ACCOUNT", paymentUrl: expect.stringMatching(/^https:\/\/[!-~]+$/) },
    ]);
    expect(URL.canParse(String(targets("COP")[0]?.paymentUrl))).toBe(true);
  });

  it("have IBANs whose check digits are right", () => {
    for (const code of ["AED", "DKK", "EGP", "EUR"]) {
      for (const id of ids) {
        const iban = String(targets(code, id)[0]?.iban);
        const moved = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
          String(letter.charCodeAt(0) - 55),
        );
        expect(BigInt(moved) % 97n).toBe(1n);
      }
    }
  });

  it("have a PIX code whose parts add up", () => {
    let rest = String(targets("BRL")[0]?.qrCode);
    const tags: string[] = [];
    while (rest !== "") {
      const length = Number(rest.slice(2, 4));
      expect(rest.length).toBeGreaterThanOrEqual(4 + length);
      tags.push(rest.slice(0, 2));
      rest = rest.slice(4 + length);
    }
    const code = String(targets("BRL")[0]?.qrCode);
    expect(crc16("123456789")).toBe("29B1");
    expect(code.slice(-4)).toBe(crc16(code.slice(0, -4)));
    expect(tags).toEqual(["00", "26", "52", "53", "58", "59", "60", "62", "63"]);
  });

  it.each([
    ["BTC", ["SPARK_WALLET", "LIGHTNING", "BITCOIN_L1"]],
    ["USDB", ["SPARK_WALLET"]],
    ["USDC", ["SOLANA_WALLET", "ETHEREUM_WALLET", "BASE_WALLET", "POLYGON_WALLET"]],
    ["USDT", ["TRON_WALLET", "ETHEREUM_WALLET", "PLASMA_WALLET", "SOLANA_WALLET"]],
  ])("for %s name the networks %j", (code, expected) => {
    expect(targets(code).map((each) => each.accountType)).toEqual(expected);
    for (const target of targets(code)) {
      if (target.accountType === "LIGHTNING") continue;
      const asset = target.accountType === "BITCOIN_L1" ? "network" : "assetType";
      expect(target[asset]).toBe(asset === "network" ? "BITCOIN" : code);
    }
  });

  it("have addresses in the form of each network", () => {
    const forms: Readonly<Record<string, RegExp>> = {
      SPARK_WALLET: /^spark1[02-9ac-hj-np-z]{58}$/,
      LIGHTNING: /^lnbc1p[02-9ac-hj-np-z]{240}$/,
      BITCOIN_L1: /^bc1q[02-9ac-hj-np-z]{38}$/,
      SOLANA_WALLET: /^[1-9A-HJ-NP-Za-km-z]{43}$/,
      TRON_WALLET: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
    };
    for (const target of ["BTC", "USDB", "USDC", "USDT"].flatMap((code) => targets(code))) {
      const form = forms[String(target.accountType)] ?? /^0x[0-9a-f]{40}$/;
      expect(target.address ?? target.invoice).toMatch(form);
    }
  });

  it("are the same each time, and no two accounts share one", () => {
    for (const code of codes) {
      expect(targets(code)).toEqual(targets(code));
      const texts = ids.flatMap((id) => targets(code, id).map((each) => JSON.stringify(each)));
      expect(new Set(texts).size, code).toBe(texts.length);
      const bare = ids.flatMap((id) =>
        targets(code, id).map(({ reference: _, ...fields }) => JSON.stringify(fields)),
      );
      expect(new Set(bare).size, code).toBe(bare.length);
    }
  });

  it("say whose account it is, and how to pay", () => {
    const [ours] = fundingInstructions({ ...account("EUR"), isPlatformAccount: true });
    const [theirs] = fundingInstructions(account("EUR"));
    expect([ours?.isPlatformAccount, theirs?.isPlatformAccount]).toEqual([true, false]);
    expect(theirs?.instructionsNotes).toContain(String(theirs?.accountOrWalletInfo.reference));
  });

  it("of an embedded wallet are its own address, once it has one", () => {
    const wallet = { ...account("USDB"), type: "EMBEDDED_WALLET" } as const;
    expect(fundingInstructions(wallet)).toEqual([]);
    expect(fundingInstructions({ ...wallet, walletAddress: "spark1qqq" })).toMatchObject([
      {
        accountOrWalletInfo: {
          accountType: "SPARK_WALLET",
          address: "spark1qqq",
          assetType: "USDB",
        },
        isPlatformAccount: false,
      },
    ]);
  });
});
