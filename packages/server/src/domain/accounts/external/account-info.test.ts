import { describe, expect, it } from "vitest";
import type { FieldError } from "../../../engine/refusal.ts";
import type { JsonObject } from "../../../std/json.ts";
import { accountExamples } from "./account-examples.ts";
import { checkAccountInfo } from "./account-info.ts";
import { type AccountType, accountTypes, ruleOf } from "./account-types.ts";
import { type FieldRule, NOT_BLANK, PHONE, type TextField } from "./field-rules.ts";
import { suffixOf } from "./sandbox-suffix.ts";

function currencyOf(accountType: AccountType): string {
  const { currencies } = ruleOf(accountType);
  return currencies === "any-fiat" ? "CHF" : (currencies[0] ?? "");
}

function check(accountType: AccountType, accountInfo: unknown) {
  return checkAccountInfo(currencyOf(accountType), accountInfo);
}

function faults(accountType: AccountType, accountInfo: unknown): readonly FieldError[] {
  const result = check(accountType, accountInfo);
  return result.ok ? [] : result.errors;
}

/** The fields at fault, as paths inside `accountInfo`. */
function faulty(accountType: AccountType, accountInfo: unknown): readonly string[] {
  return faults(accountType, accountInfo).map((error) => error.field.replace(/^accountInfo\./, ""));
}

function changed(accountType: AccountType, changes: Readonly<Record<string, unknown>>): unknown {
  return { ...accountExamples[accountType], ...changes };
}

function without(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

function beneficiaryOf(accountType: AccountType): JsonObject {
  return accountExamples[accountType].beneficiary as JsonObject;
}

const PERSON = { beneficiaryType: "INDIVIDUAL", fullName: "Maya Lindqvist" };
const COMPANY = { beneficiaryType: "BUSINESS", legalName: "Northwind Tools Ltd" };
const NOT_TEXTS: readonly unknown[] = [0, 12, true, false, null, [], ["x"], {}, { toString: "x" }];

/** A text that breaks the rule, whatever it is. */
function breaking(rule: TextField): string {
  if (rule.pattern === NOT_BLANK) return " ";
  if (rule.pattern !== undefined || rule.values !== undefined) return "¿";
  return rule.maxLength === undefined ? "" : "x".repeat(rule.maxLength + 1);
}

const textsOf = (rules: readonly FieldRule[]) =>
  rules.filter((rule): rule is TextField => rule.kind === "text");

describe.each(accountTypes)("%s", (accountType) => {
  const rule = ruleOf(accountType);
  const example = accountExamples[accountType];

  it("accepts its example, and stores it unchanged with the rails added", () => {
    const rails = rule.family === "fiat" ? { paymentRails: rule.paymentRails } : {};
    expect(check(accountType, example)).toMatchObject({
      ok: true,
      accountType,
      pullable: rule.pullable,
    });
    expect(check(accountType, example)).toHaveProperty("accountInfo", { ...example, ...rails });
  });

  it("has an example that does not steer the sandbox", () => {
    expect(suffixOf(accountType, example) ?? "000").not.toMatch(/00[2-7]|10[2-7]/);
  });

  it("misses each required field by name", () => {
    for (const { name } of rule.fields.filter((field) => field.required)) {
      expect(faulty(accountType, without(example, name)), name).toEqual([name]);
    }
  });

  it("names every missing field in one answer", () => {
    const leads = rule.ways.map((way) => way.fields[0]);
    const required = rule.fields.filter((field) => field.required).map((field) => field.name);
    const beneficiary = rule.beneficiary?.required ? ["beneficiary"] : [];
    expect([...faulty(accountType, { accountType })].sort()).toEqual(
      [...leads, ...required, ...beneficiary].sort(),
    );
  });

  it("refuses a text that breaks the rule of its field, and says the rule", () => {
    for (const field of textsOf(rule.fields)) {
      const errors = faults(accountType, changed(accountType, { [field.name]: breaking(field) }));
      const error = errors.find((each) => each.field === `accountInfo.${field.name}`);
      expect(error?.constraint, field.name).toBeDefined();
      if (field.pattern !== undefined) {
        expect(error?.constraint, field.name).toHaveProperty("pattern", field.pattern);
      }
    }
  });

  it("converts nothing: every field is a string or at fault", () => {
    for (const field of textsOf(rule.fields)) {
      for (const value of NOT_TEXTS) {
        const found = faulty(accountType, changed(accountType, { [field.name]: value }));
        expect(found, `${field.name} ${JSON.stringify(value)}`).toContain(field.name);
      }
    }
  });

  it("refuses control characters and half characters in every field", () => {
    for (const field of textsOf(rule.fields)) {
      for (const bad of ["a\u0000b", "a\nb", "\u007f", "\u0085", "\ud800", "x\udc00y"]) {
        const found = faulty(accountType, changed(accountType, { [field.name]: bad }));
        expect(found, `${field.name} ${JSON.stringify(bad)}`).toContain(field.name);
      }
    }
  });

  it("drops what it does not know", () => {
    const clean = check(accountType, example);
    const odd = JSON.parse(
      '{"__proto__":{"accountNumber":"1"},"constructor":1,"paymentRails":["X"],"notes":"\\u0000"}',
    );
    expect(check(accountType, { ...odd, ...example })).toEqual(clean);
    expect(check(accountType, Object.assign(JSON.parse('{"__proto__":1}'), example))).toEqual(
      clean,
    );
  });

  it("reads no field from a prototype", () => {
    const inherited = Object.create(example);
    expect(faulty(accountType, inherited)).toEqual(["accountType"]);
    expect(check(accountType, Object.assign(Object.create(null), example)).ok).toBe(true);
  });

  it("accepts only its own currency", () => {
    for (const code of ["JPY", "BTC", "USDB", "usd", "XXX", "", "__proto__"]) {
      const allowed =
        rule.currencies === "any-fiat" ? code === "JPY" : rule.currencies.includes(code);
      const result = checkAccountInfo(code, example);
      expect(result.ok, code).toBe(allowed);
      if (!result.ok) {
        expect(result.code).toBe("INVALID_CURRENCY");
        expect(result.errors.map((error) => error.field)).toEqual(["currency"]);
      }
    }
  });
});

describe("a fiat beneficiary", () => {
  const fiat = accountTypes.filter((each) => ruleOf(each).family === "fiat");

  it.each(fiat)("of a %s is required, an object, and of a known kind", (accountType) => {
    const bare = without(accountExamples[accountType], "beneficiary");
    expect(faulty(accountType, bare)).toEqual(["beneficiary"]);
    for (const value of [null, "x", 1, [], true]) {
      expect(faulty(accountType, { ...bare, beneficiary: value })).toEqual(["beneficiary"]);
    }
    for (const beneficiary of [{}, { ...PERSON, beneficiaryType: "PERSON" }]) {
      expect(faulty(accountType, { ...bare, beneficiary })).toEqual([
        "beneficiary.beneficiaryType",
      ]);
    }
  });

  it.each(fiat)("of a %s misses each required field by name", (accountType) => {
    const given = beneficiaryOf(accountType);
    const rules = ruleOf(accountType).beneficiary;
    const kind = given.beneficiaryType === "BUSINESS" ? rules?.business : rules?.individual;
    for (const { name } of kind?.filter((field) => field.required) ?? []) {
      const beneficiary = without(given, name);
      expect(faulty(accountType, changed(accountType, { beneficiary }))).toEqual([
        `beneficiary.${name}`,
      ]);
    }
  });

  it("can be a company with its legal name alone, without the fields of individuals", () => {
    for (const accountType of fiat) {
      expect(faulty(accountType, changed(accountType, { beneficiary: COMPANY }))).toEqual([]);
    }
  });

  it("is refused with every fault at once, including those of its address", () => {
    const beneficiary = {
      beneficiaryType: "INDIVIDUAL",
      fullName: "",
      birthDate: "1990-02-30",
      nationality: "usa",
      address: { line1: 7, postalCode: "1000", country: "XX" },
      email: "maya",
      phoneNumber: "0171 555",
      countryOfResidence: "de",
    };
    expect(faults("USD_ACCOUNT", changed("USD_ACCOUNT", { beneficiary }))).toEqual(
      [
        ["fullName", "must be 1 to 255 characters long", FILLED],
        ["birthDate", "must be a calendar date, YYYY-MM-DD", { format: "date" }],
        ["nationality", "must be a country code of two capital letters", COUNTRY],
        ["address.line1", "must be a string", FILLED],
        ["address.country", "must be a country code of two capital letters", COUNTRY],
        ["email", "must be an email address", { format: "email", maxLength: 255 }],
        ["phoneNumber", PHONE.complaint, { pattern: PHONE.pattern }],
        ["countryOfResidence", "must be a country code of two capital letters", COUNTRY],
      ].map(([name, message, constraint]) => ({
        field: `accountInfo.beneficiary.${name}`,
        message,
        constraint,
      })),
    );
  });

  it("has a name and an address that are not blank", () => {
    const address = { line1: " ", postalCode: "\u00a0", country: "US" };
    const beneficiary = { ...PERSON, fullName: "   ", address };
    expect(faults("MXN_ACCOUNT", changed("MXN_ACCOUNT", { beneficiary }))).toEqual(
      ["fullName", "address.line1", "address.postalCode"].map((name) => ({
        field: `accountInfo.beneficiary.${name}`,
        message: "must not be blank",
        constraint: FILLED,
      })),
    );
    const firm = { ...COMPANY, legalName: " " };
    expect(faulty("MXN_ACCOUNT", changed("MXN_ACCOUNT", { beneficiary: firm }))).toEqual([
      "beneficiary.legalName",
    ]);
  });

  it("has no control characters anywhere, down to its address", () => {
    const address = { line1: "a\u0000", city: "\tb", postalCode: "1\ud83d", country: "US" };
    const beneficiary = { ...PERSON, fullName: "Maya\u0000", email: "a\u0007@b.example", address };
    expect(faulty("GBP_ACCOUNT", changed("GBP_ACCOUNT", { beneficiary }))).toEqual([
      "beneficiary.fullName",
      "beneficiary.address.line1",
      "beneficiary.address.city",
      "beneficiary.address.postalCode",
      "beneficiary.email",
    ]);
  });

  it("has an address with its three required parts, or none", () => {
    const beneficiary = { ...PERSON, address: {} };
    expect(faulty("GBP_ACCOUNT", changed("GBP_ACCOUNT", { beneficiary }))).toEqual([
      "beneficiary.address.line1",
      "beneficiary.address.postalCode",
      "beneficiary.address.country",
    ]);
    for (const address of [null, "Main St", [], 5]) {
      const odd = { ...PERSON, address };
      expect(faulty("GBP_ACCOUNT", changed("GBP_ACCOUNT", { beneficiary: odd }))).toEqual([
        "beneficiary.address",
      ]);
    }
  });

  it.each(["2000-02-29", "1900-12-31", "2024-02-29", "0001-01-01"])(
    "was born on %s",
    (birthDate) => {
      const beneficiary = { ...PERSON, birthDate };
      expect(faulty("GBP_ACCOUNT", changed("GBP_ACCOUNT", { beneficiary }))).toEqual([]);
    },
  );

  it.each([
    "1900-02-29",
    "2023-02-29",
    "2000-13-01",
    "2000-00-10",
    "2000-04-31",
    "2000-1-1",
    "0000-01-01",
    "2000-01-01T00:00:00Z",
    "01/02/2000",
    "",
  ])("was not born on %j", (birthDate) => {
    const beneficiary = { ...PERSON, birthDate };
    expect(faulty("GBP_ACCOUNT", changed("GBP_ACCOUNT", { beneficiary }))).toEqual([
      "beneficiary.birthDate",
    ]);
  });

  it("keeps the fields of its kind and drops the others", () => {
    const beneficiary = { ...COMPANY, fullName: "X", documentType: "CC", taxId: "1", extra: {} };
    const result = check("COP_ACCOUNT", changed("COP_ACCOUNT", { beneficiary }));
    expect(result.ok && result.accountInfo.beneficiary).toEqual({ ...COMPANY, taxId: "1" });
  });

  it("needs a document in Colombia and a registration number in Canada only", () => {
    const beneficiary = {
      ...PERSON,
      documentType: "CE",
      documentNumber: "1",
      registrationNumber: "7",
    };
    const kept = (accountType: AccountType) => {
      const result = check(accountType, changed(accountType, { beneficiary }));
      return result.ok && result.accountInfo.beneficiary;
    };
    expect(kept("COP_ACCOUNT")).toEqual({ ...PERSON, documentType: "CE", documentNumber: "1" });
    expect(kept("CAD_ACCOUNT")).toEqual({ ...PERSON, registrationNumber: "7" });
    expect(kept("MXN_ACCOUNT")).toEqual(PERSON);
    const wrong = { ...PERSON, documentType: "DNI", documentNumber: "1".repeat(51) };
    expect(faulty("COP_ACCOUNT", changed("COP_ACCOUNT", { beneficiary: wrong }))).toEqual([
      "beneficiary.documentType",
      "beneficiary.documentNumber",
    ]);
  });
});

const FILLED = { pattern: "\\S", minLength: 1, maxLength: 255 };
const COUNTRY = { format: "iso3166-1-alpha-2", pattern: "^[A-Z]{2}$" };

describe("a wallet's owner", () => {
  const wallets = accountTypes.filter((each) => each.endsWith("_WALLET"));

  it.each(wallets)("of a %s may be left out", (accountType) => {
    const bare = without(accountExamples[accountType], "beneficiary");
    expect(faulty(accountType, bare)).toEqual([]);
  });

  it.each(wallets)("of a %s has a name and a residence when given", (accountType) => {
    expect(faulty(accountType, changed(accountType, { beneficiary: PERSON }))).toEqual([
      "beneficiary.countryOfResidence",
    ]);
    expect(faulty(accountType, changed(accountType, { beneficiary: COMPANY }))).toEqual([]);
    const beneficiary = { ...PERSON, countryOfResidence: "SE", email: "kept@nowhere.example" };
    const result = check(accountType, changed(accountType, { beneficiary }));
    expect(result.ok && result.accountInfo.beneficiary).toEqual({
      ...PERSON,
      countryOfResidence: "SE",
    });
  });

  it("is dropped for Lightning, sound or not", () => {
    for (const beneficiary of [PERSON, null, 7]) {
      const result = check("LIGHTNING", changed("LIGHTNING", { beneficiary, vaspName: "X" }));
      expect(result.ok && result.accountInfo).toEqual(accountExamples.LIGHTNING);
    }
  });
});

describe("an account with several ways to name it", () => {
  const bank = { accountNumber: "40312345678" };
  const phone = { phoneNumber: "+573001234567" };

  it.each<[AccountType, Record<string, unknown>, string[]]>([
    ["BDT_ACCOUNT", { bankName: "bKash", phoneNumber: "+8801712345678" }, []],
    ["BDT_ACCOUNT", { bankName: "BRAC", ...bank }, []],
    ["BDT_ACCOUNT", { bankName: "BRAC", ...bank, ...phone }, []],
    ["BDT_ACCOUNT", { ...phone }, ["bankName"]],
    ["BDT_ACCOUNT", { bankName: "BRAC", branchCode: "60435" }, ["accountNumber", "phoneNumber"]],
    ["COP_ACCOUNT", { bankName: "Nequi", ...phone }, []],
    ["COP_ACCOUNT", { bankName: "Bancolombia", ...bank }, ["bankAccountType"]],
    ["COP_ACCOUNT", { bankName: "Bancolombia", ...bank, bankAccountType: "SAVINGS" }, []],
    ["EGP_ACCOUNT", { bankName: "Misr", phoneNumber: "+201001234567" }, []],
    ["EGP_ACCOUNT", { bankName: "Misr", ...bank }, ["iban", "phoneNumber"]],
    ["GHS_ACCOUNT", { bankName: "MTN", phoneNumber: "+233241234567" }, []],
    ["PKR_ACCOUNT", { bankName: "Meezan", iban: "PK36SCBL0000001123456702" }, []],
    ["PKR_ACCOUNT", { bankName: "JazzCash", phoneNumber: "+923001234567" }, []],
    ["PKR_ACCOUNT", { bankName: "Meezan" }, ["accountNumber", "iban", "phoneNumber"]],
    ["SLV_ACCOUNT", { phoneNumber: "+50370123456" }, []],
    ["SLV_ACCOUNT", { ...bank }, ["bankName", "bankAccountType"]],
    ["SLV_ACCOUNT", { bankName: "Agricola", ...bank, bankAccountType: "CHECKING" }, []],
    ["INR_ACCOUNT", { vpa: "a.b-c_d@okbank" }, []],
    ["INR_ACCOUNT", { accountNumber: "123456789", ifsc: "HDFC0001234", rail: "NEFT" }, []],
    ["INR_ACCOUNT", { accountNumber: "123456789" }, ["ifsc", "rail"]],
    ["INR_ACCOUNT", { ifsc: "HDFC0001234", rail: "RTGS" }, ["vpa", "accountNumber"]],
    ["INR_ACCOUNT", { vpa: "a@b", ifsc: "HDFC1001234" }, ["ifsc"]],
    ["INR_ACCOUNT", { vpa: "no-domain" }, ["vpa"]],
    ["LIGHTNING", { invoice: `lnbc1${"q".repeat(700)}` }, []],
    ["LIGHTNING", { bolt12: "lno1qcp4256ypq" }, []],
    ["LIGHTNING", { lightningAddress: "ana@w.example" }, []],
    ["LIGHTNING", {}, ["invoice", "bolt12", "lightningAddress"]],
    ["LIGHTNING", { invoice: "lnbc1", lightningAddress: "a@b.example" }, ["lightningAddress"]],
    [
      "LIGHTNING",
      { invoice: "l", bolt12: "l", lightningAddress: "a" },
      ["bolt12", "lightningAddress"],
    ],
  ])("%s with %j is at fault in %j", (accountType, fields, expected) => {
    const beneficiary = PERSON;
    expect([...faulty(accountType, { accountType, ...fields, beneficiary })].sort()).toEqual(
      [...expected].sort(),
    );
  });

  it("is a company's in a Chinese bank, and a person's with AliPay or WechatPay", () => {
    const china = (fields: object, beneficiary: object) =>
      faulty("CNY_ACCOUNT", { accountType: "CNY_ACCOUNT", ...fields, beneficiary });
    const wallet = { phoneNumber: "+8613812345678", bankName: "WechatPay" };
    const account = { accountNumber: "6222021234567890123", bankName: "Bank of China" };
    expect(china(account, COMPANY)).toEqual([]);
    expect(china(account, PERSON)).toEqual(["beneficiary.beneficiaryType"]);
    expect(china(wallet, PERSON)).toEqual([]);
    expect(china({ ...wallet, bankName: "AliPay" }, PERSON)).toEqual([]);
    expect(china({ ...wallet, bankName: "Alipay" }, PERSON)).toEqual(["bankName"]);
    expect(china(wallet, COMPANY)).toEqual(["beneficiary.beneficiaryType"]);
    expect(china({ ...wallet, ...account }, COMPANY)).toEqual([]);
  });

  it("has an account number or an IBAN with SWIFT, not both and not neither", () => {
    const swift = without(accountExamples.SWIFT_ACCOUNT, "iban", "accountNumber");
    const iban = "CH9300762011623852957";
    expect(faulty("SWIFT_ACCOUNT", { ...swift, iban })).toEqual([]);
    expect(faulty("SWIFT_ACCOUNT", { ...swift, accountNumber: "1" })).toEqual([]);
    expect(faulty("SWIFT_ACCOUNT", { ...swift, accountNumber: "1", iban })).toEqual(["iban"]);
    expect(faulty("SWIFT_ACCOUNT", swift)).toEqual(["accountNumber", "iban"]);
    expect(faulty("SWIFT_ACCOUNT", { ...swift, accountNumber: "1", country: "ZZ" })).toEqual([
      "country",
    ]);
  });
});

describe("checkAccountInfo", () => {
  it.each([null, undefined, "USD_ACCOUNT", 7, true, [], [{}]])("refuses %j as a whole", (input) => {
    expect(checkAccountInfo("USD", input)).toEqual({
      ok: false,
      code: "INVALID_INPUT",
      errors: [{ field: "accountInfo", message: "must be an object" }],
    });
  });

  it.each([
    {},
    { accountType: null },
    { accountType: "US_ACCOUNT" },
    { accountType: ["USD_ACCOUNT"] },
  ])("refuses the type in %j and lists those there are", (input) => {
    expect(checkAccountInfo("USD", input)).toMatchObject({
      ok: false,
      code: "INVALID_INPUT",
      errors: [{ field: "accountInfo.accountType", constraint: { enum: accountTypes } }],
    });
  });

  it("reports the currency together with the fields, as INVALID_INPUT", () => {
    const result = checkAccountInfo("GBP", without(accountExamples.USD_ACCOUNT, "routingNumber"));
    expect(result).toMatchObject({
      ok: false,
      code: "INVALID_INPUT",
      errors: [
        { field: "currency", message: "a USD_ACCOUNT is in USD", constraint: { enum: ["USD"] } },
        { field: "accountInfo.routingNumber", message: "is required" },
      ],
    });
  });

  it("accepts a SWIFT account in any national currency, and in no other", () => {
    const result = (code: string) => checkAccountInfo(code, accountExamples.SWIFT_ACCOUNT).ok;
    expect(["CHF", "USD", "KWD", "JPY"].map(result)).toEqual([true, true, true, true]);
    expect(["BTC", "USDC"].map(result)).toEqual([false, false]);
  });

  it("gives the platform's nested id back in both places", () => {
    const nested = changed("GBP_ACCOUNT", { platformAccountId: "p-1" });
    expect(check("GBP_ACCOUNT", nested)).toMatchObject({
      ok: true,
      platformAccountId: "p-1",
      accountInfo: { platformAccountId: "p-1" },
    });
    expect(check("GBP_ACCOUNT", accountExamples.GBP_ACCOUNT)).not.toHaveProperty(
      "platformAccountId",
    );
    expect(faulty("GBP_ACCOUNT", changed("GBP_ACCOUNT", { platformAccountId: 5 }))).toEqual([
      "platformAccountId",
    ]);
  });

  it("does not judge check digits", () => {
    for (const ending of ["102", "104", "107"]) {
      const iban = `DE89370400440532013${ending}`;
      expect(check("EUR_ACCOUNT", changed("EUR_ACCOUNT", { iban }))).toMatchObject({
        ok: true,
        primaryIdentifier: iban,
      });
    }
  });

  it("counts characters, not halves of them", () => {
    const fullName = "𝒜".repeat(255);
    const named = (name: string) =>
      faulty("GBP_ACCOUNT", changed("GBP_ACCOUNT", { beneficiary: { ...PERSON, fullName: name } }));
    expect(named(fullName)).toEqual([]);
    expect(named(`${fullName}x`)).toEqual(["beneficiary.fullName"]);
  });

  it("bounds the free text of a wire, which may be empty", () => {
    const wire = (text: string) =>
      faulty("USD_ACCOUNT", changed("USD_ACCOUNT", { fiToFiInformation: text }));
    expect(wire("")).toEqual([]);
    expect(wire("x".repeat(210))).toEqual([]);
    expect(wire("x".repeat(211))).toEqual(["fiToFiInformation"]);
  });

  it("does not change what it was given", () => {
    const input = structuredClone(accountExamples.USD_ACCOUNT);
    check("USD_ACCOUNT", input);
    expect(input).toEqual(accountExamples.USD_ACCOUNT);
  });
});
