import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../std/json.ts";
import { accountExamples } from "./account-examples.ts";
import { type AccountType, accountTypes, ruleOf } from "./account-types.ts";
import { checkBeneficiary, suffixOf } from "./sandbox-suffix.ts";

describe("suffixOf", () => {
  it.each<[AccountType, JsonObject, string | undefined]>([
    ["USD_ACCOUNT", { accountNumber: "000123456105" }, "105"],
    ["USD_ACCOUNT", { accountNumber: "105" }, "105"],
    ["USD_ACCOUNT", { accountNumber: "1234 5102" }, "102"],
    ["USD_ACCOUNT", { accountNumber: "12-345-1-02" }, "102"],
    ["USD_ACCOUNT", { accountNumber: "05" }, undefined],
    ["USD_ACCOUNT", { accountNumber: "105A" }, undefined],
    ["USD_ACCOUNT", { accountNumber: "١٠٥" }, undefined],
    ["EUR_ACCOUNT", { iban: "DE89370400440532013003" }, "003"],
    ["EUR_ACCOUNT", { iban: "MT84MALT011000012345MTLCAST001S" }, undefined],
    ["MXN_ACCOUNT", { clabeNumber: "032180000118359102" }, "102"],
    ["KES_ACCOUNT", { phoneNumber: "+254712345005" }, "005"],
    ["BRL_ACCOUNT", { pixKey: "testuser.002@bank.example" }, "002"],
    ["BRL_ACCOUNT", { pixKey: "testuser@bank002" }, undefined],
    ["BRL_ACCOUNT", { pixKey: "123.456.781-05" }, "105"],
    ["BRL_ACCOUNT", { pixKey: "@102" }, undefined],
    ["BRL_ACCOUNT", { pixKey: "7d9f0335-8dcc-4054-9bf9-0dbd61d36104" }, "104"],
    ["INR_ACCOUNT", { vpa: "testuser.002@okbank" }, "002"],
    ["INR_ACCOUNT", { vpa: "x105@ok", accountNumber: "000000102" }, "105"],
    ["INR_ACCOUNT", { accountNumber: "000000102", ifsc: "HDFC0000105" }, "102"],
    ["LIGHTNING", { lightningAddress: "ana.004@wallet.example" }, "004"],
    ["LIGHTNING", { invoice: "lnbc1pjq007" }, "007"],
    ["LIGHTNING", { bolt12: "lno1qcp425" }, "425"],
    ["SPARK_WALLET", { address: "spark1pgssyuuuhnrr006" }, "006"],
    ["TRON_WALLET", { address: "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC" }, undefined],
    ["CNY_ACCOUNT", { phoneNumber: "+8613812345103", bankName: "AliPay 105" }, "103"],
    ["CNY_ACCOUNT", { phoneNumber: "+8613812345103", accountNumber: "106" }, "106"],
    ["SWIFT_ACCOUNT", { iban: "CH9300762011623852107" }, "107"],
  ])("of a %s with %j is %s", (accountType, accountInfo, expected) => {
    expect(suffixOf(accountType, accountInfo)).toBe(expected);
  });
});

describe("checkBeneficiary", () => {
  it.each([
    ["102", "NOT_MATCHED"],
    ["103", "PARTIAL_MATCH"],
    ["104", "PENDING"],
    ["105", "NO_SUCH_ACCOUNT"],
    ["106", "UNSUPPORTED"],
    ["107", "CHECKED_BY_RECEIVING_FI"],
    ["101", "MATCHED"],
    ["108", "MATCHED"],
    ["002", "MATCHED"],
    ["007", "MATCHED"],
    ["abc", "MATCHED"],
  ])("answers %s with %s", (ending, expected) => {
    expect(checkBeneficiary("USD_ACCOUNT", { accountNumber: `12345${ending}` })).toBe(expected);
  });

  it("checks every fiat account with a bank and no wallet", () => {
    for (const accountType of accountTypes) {
      const fiat = ruleOf(accountType).family === "fiat";
      expect(checkBeneficiary(accountType, accountExamples[accountType]), accountType).toBe(
        fiat ? "MATCHED" : "NOT_CHECKED",
      );
    }
    expect(checkBeneficiary("SPARK_WALLET", { address: "spark1qq105" })).toBe("NOT_CHECKED");
  });
});
