import { describe, expect, it } from "vitest";
import { accountExamples } from "./account-examples.ts";
import { checkAccountInfo } from "./account-info.ts";
import { type AccountType, ruleOf } from "./account-types.ts";

/** The ways of a type need no attention here: each field is changed inside an example that has its own. */
function accepts(accountType: AccountType, name: string, value: string): boolean {
  const { currencies } = ruleOf(accountType);
  const currency = currencies === "any-fiat" ? "USD" : (currencies[0] ?? "");
  const result = checkAccountInfo(currency, { ...accountExamples[accountType], [name]: value });
  return result.ok || result.errors.every((error) => error.field !== `accountInfo.${name}`);
}

const n = (count: number) => "1".repeat(count);
const SWIFT_CODES = ["DEUTDEFF", "DEUTDEFF500"];
const NOT_SWIFT_CODES = ["DEUTDEF", "DEUTDEFF5", "DEUTDEFF5000", "deutdeff", "DEU1DEFF"];
const PHONES = ["+1 234-56", "+123456", "+12345678901234"];
const NOT_PHONES = ["+12345", "+123456789012345", "123456789", "+1 2345", "+12345a"];

describe("the bounds of a field", () => {
  it.each<[AccountType, string, sound: readonly string[], unsound: readonly string[]]>([
    ["AED_ACCOUNT", "iban", [`AE${n(21)}`], [`AE${n(20)}`, `AE${n(22)}`, `DE${n(21)}`, n(23)]],
    ["AED_ACCOUNT", "swiftCode", SWIFT_CODES, NOT_SWIFT_CODES],
    ["BDT_ACCOUNT", "branchCode", [n(5)], [n(4), n(6), "1234A"]],
    ["BDT_ACCOUNT", "phoneNumber", PHONES, NOT_PHONES],
    ["BRL_ACCOUNT", "pixKey", ["x", n(77)], ["", " ", n(78)]],
    ["BRL_ACCOUNT", "pixKeyType", ["CPF", "CNPJ", "EMAIL", "PHONE", "RANDOM"], ["cpf", "EVP"]],
    ["BRL_ACCOUNT", "taxId", [n(11), n(14)], [n(10), n(15), "123.456.789-09"]],
    ["BWP_ACCOUNT", "provider", ["x", n(255)], ["", " ", n(256)]],
    ["CAD_ACCOUNT", "bankCode", [n(3)], [n(2), n(4)]],
    ["CAD_ACCOUNT", "branchCode", [n(5)], [n(4), n(6)]],
    ["CAD_ACCOUNT", "accountNumber", [n(7), n(12)], [n(6), n(13)]],
    ["COP_ACCOUNT", "bankAccountType", ["CHECKING", "SAVINGS"], ["checking", "CURRENT"]],
    ["DKK_ACCOUNT", "iban", [`DK${n(16)}`], [`DK${n(15)}`, `DK${n(17)}`, `SE${n(16)}`]],
    ["SPARK_WALLET", "address", ["spark1PGSS-2", "spark1q"], ["spark1", "spark1 q", "sp1qqq"]],
    ["EGP_ACCOUNT", "iban", [`EG${n(27)}`], [`EG${n(26)}`, `EG${n(28)}`]],
    ["EUR_ACCOUNT", "iban", [`NO${n(13)}`, `MT${n(32)}`], [`NO${n(12)}`, `MT${n(33)}`, "no11"]],
    ["GBP_ACCOUNT", "sortCode", [n(6), "20-04-15"], [n(5), n(7), "20.04.15"]],
    ["GBP_ACCOUNT", "accountNumber", [n(8)], [n(7), n(9)]],
    ["HKD_ACCOUNT", "accountNumber", ["x", " x", n(34)], ["", "  ", n(35)]],
    ["HKD_ACCOUNT", "swiftCode", SWIFT_CODES, NOT_SWIFT_CODES],
    ["IDR_ACCOUNT", "phoneNumber", [`+62${n(9)}`, `+62${n(12)}`], [`+62${n(8)}`, `+62${n(13)}`]],
    ["INR_ACCOUNT", "vpa", ["a@b", "a.b-c_d9@okbank"], ["a@", "@b", "a@b.c", `${n(254)}@b`]],
    ["INR_ACCOUNT", "accountNumber", [n(9), n(18)], [n(8), n(19)]],
    ["INR_ACCOUNT", "ifsc", ["HDFC0A1B2C3"], ["HDFC1A1B2C3", "HDF00A1B2C3", "HDFC0A1B2C"]],
    ["INR_ACCOUNT", "rail", ["NEFT", n(32)], ["", n(33)]],
    ["JMD_ACCOUNT", "branchCode", [n(5)], [n(4), n(6)]],
    ["KES_ACCOUNT", "phoneNumber", [`+254${n(9)}`], [`+254${n(8)}`, `+254${n(10)}`, `+255${n(9)}`]],
    ["KES_ACCOUNT", "provider", ["M-PESA"], ["MPESA", "m-pesa", "Airtel"]],
    ["MXN_ACCOUNT", "clabeNumber", [n(18), `111 ${n(15)}`], [n(17), n(19)]],
    ["NGN_ACCOUNT", "accountNumber", [n(10)], [n(9), n(11)]],
    ["PHP_ACCOUNT", "accountNumber", [n(8), n(16)], [n(7), n(17)]],
    ["PKR_ACCOUNT", "iban", [`PK11ABCD${n(16)}`], [`PK11ABCD${n(15)}`, `PK${n(22)}`]],
    ["RWF_ACCOUNT", "phoneNumber", [`+250${n(9)}`], [`+250${n(8)}`, `+254${n(9)}`]],
    ["SGD_ACCOUNT", "bankName", ["x", n(255)], ["", n(256)]],
    [
      "SPARK_WALLET",
      "address",
      ["spark1q", `spark1${n(249)}`],
      ["spark1", "sp1qq", "SPARK1Q", "0x1"],
    ],
    ["SWIFT_ACCOUNT", "country", ["CH", "BR"], ["CHE", "ch", "ZZ"]],
    ["TZS_ACCOUNT", "phoneNumber", [`+255${n(9)}`], [`+255${n(10)}`, `+254${n(9)}`]],
    ["UGX_ACCOUNT", "phoneNumber", PHONES, NOT_PHONES],
    ["USD_ACCOUNT", "accountNumber", ["x", n(34)], ["", n(35)]],
    ["USD_ACCOUNT", "routingNumber", [n(9), "0210-0002 1"], [n(8), n(10)]],
    ["USD_ACCOUNT", "bankName", ["x", n(140)], ["", " ", n(141)]],
    ["USD_ACCOUNT", "intermediaryBankName", [n(140)], ["", n(141)]],
    ["USD_ACCOUNT", "intermediaryRoutingNumber", [n(9)], [n(8)]],
    ["XAF_ACCOUNT", "region", ["CM", "CG"], ["SN", "cm"]],
    ["XOF_ACCOUNT", "region", ["BJ", "CI", "SN", "TG"], ["CM", "ML"]],
    ["ZAR_ACCOUNT", "accountNumber", [n(9), n(13)], [n(8), n(14)]],
    ["ZMW_ACCOUNT", "phoneNumber", [`+260${n(9)}`], [`+260${n(8)}`, `+250${n(9)}`]],
    ["LIGHTNING", "invoice", [n(4096)], ["", " ", n(4097)]],
    ["TRON_WALLET", "address", ["x", n(255)], ["", " ", n(256)]],
    ["TRON_WALLET", "vaspName", ["x", n(255)], ["", n(256)]],
  ])("hold for %s %s", (accountType, name, sound, unsound) => {
    for (const value of sound) expect(accepts(accountType, name, value), value).toBe(true);
    for (const value of unsound) expect(accepts(accountType, name, value), value).toBe(false);
  });
});

it("takes of a beneficiary the email addresses that it takes of a customer", () => {
  const faultsOf = (email: string) => {
    const beneficiary = { beneficiaryType: "BUSINESS", legalName: "Northwind", email };
    const result = checkAccountInfo("USD", { ...accountExamples.USD_ACCOUNT, beneficiary });
    return result.ok ? [] : result.errors.map(({ field }) => field);
  };
  expect(faultsOf("o'neil+1@mail.example")).toEqual([]);
  for (const email of ["a@b.test__x", "a..b@x.test", "ü@x.test", "a@x", ""]) {
    expect(faultsOf(email), email).toEqual(["accountInfo.beneficiary.email"]);
  }
});
