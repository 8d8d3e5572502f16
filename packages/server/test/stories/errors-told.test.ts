/** Refusals that can be mended without the reference: what is wrong, with its name, and what to do. */
import { beforeAll, describe, expect, it } from "vitest";
import { sharedServer } from "../kit/shared-server.ts";
import { bankAccount, type Funded, fundedCustomer, openStory, type Story } from "../kit/story.ts";
import { internalAccount } from "../kit/story-money.ts";
import { askQuote, euroAccount, execute } from "../kit/story-quotes.ts";
import { newWallet, registrationBody } from "../kit/story-wallets.ts";

const server = await sharedServer();
let story: Story;
let payer: Funded;
let euro: string;
let bank: string;
beforeAll(async () => {
  story = await openStory(server);
  payer = await fundedCustomer(story, 1_000);
  euro = await euroAccount(story, payer.customerId);
  bank = await bankAccount(story, { customerId: payer.customerId });
});

const person = async (fullName: string, on = story): Promise<string> =>
  (
    await on.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName,
      currencies: ["USD"],
    })
  ).json.id;

const payOut = (from: string, to: string, amount: number, key?: string) =>
  story.call(
    "POST",
    "/transfer-out",
    { source: { accountId: from }, destination: { accountId: to }, amount },
    key === undefined ? {} : { key },
  );

describe("a balance that is too low", () => {
  const details = (needed: number) => ({
    accountId: payer.accountId,
    currency: "USD",
    available: 1_000,
    needed,
  });

  it("names both amounts in the refusal of a transfer", async () => {
    const { status, json, headers } = await payOut(payer.accountId, bank, 1_001);
    expect([status, json.code, json.details]).toEqual([
      400,
      "INSUFFICIENT_BALANCE",
      details(1_001),
    ]);
    expect(json.message).toBe(
      `${payer.accountId} has 1000 available and 1001 are needed, in the smallest unit of USD.`,
    );
    expect(headers.get("x-should-retry")).toBe("false");
  });

  it("names both amounts in the refusal of a quote, made at once or executed", async () => {
    const at = { from: payer.accountId, to: euro, amount: 5_000 };
    const quote = await askQuote(story, at);
    const executed = await execute(story, quote.json.id);
    const atOnce = await askQuote(story, { ...at, more: { immediatelyExecute: true } });
    for (const { json } of [executed, atOnce]) {
      expect([json.code, json.details]).toEqual(["INSUFFICIENT_BALANCE", details(5_000)]);
    }
  });
});

describe("a wrong state", () => {
  it("is named, with the one that is needed", async () => {
    const quote = await askQuote(story, { from: payer.accountId, to: euro, amount: 100 });
    await execute(story, quote.json.id);
    await story.settle();
    const again = await execute(story, quote.json.id);
    expect([again.status, again.json.message]).toEqual([
      409,
      "The quote is COMPLETED; only a PENDING quote can be executed.",
    ]);
  });

  it("names the state of a customer who is verified already", async () => {
    const { status, json } = await story.call("POST", "/verifications", {
      customerId: payer.customerId,
    });
    expect([status, json.code, json.message]).toEqual([
      409,
      "CONFLICT",
      "The customer is APPROVED, which is final; only one that is not decided can be verified.",
    ]);
  });
});

describe("a customer who is not ready", () => {
  it.each([
    [
      "Ana 001",
      "The customer's kycStatus is PENDING; it must be APPROVED. The check is under way: GET /verifications with its customerId tells how far it is.",
    ],
    [
      "Ana 002",
      "The customer's kycStatus is REJECTED; it must be APPROVED. The check has rejected it, and only a person in the console overrides that: POST /customers makes another customer.",
    ],
  ])("%s is told what is missing, and the call that moves it on", async (name, message) => {
    const customerId = await person(name);
    const accountId = await internalAccount(story, { customerId, currency: "USD" });
    const to = await bankAccount(story, { customerId });
    const { status, json } = await payOut(accountId, to, 5);
    expect([status, json.code, json.message]).toEqual([403, "USER_NOT_READY", message]);
    expect(json.details.customerId).toBe(customerId);
  });

  it("names the verification that is missing", async () => {
    const firm = await story.call("POST", "/customers", {
      customerType: "BUSINESS",
      currencies: ["USD"],
      businessInfo: { legalName: "A", country: "US", taxId: "1", incorporatedOn: "2020-01-01" },
    });
    const customerId = firm.json.id;
    const accountId = await internalAccount(story, { customerId, currency: "USD" });
    const { json } = await payOut(accountId, await bankAccount(story, { customerId }), 5);
    expect(json.message).toBe(
      "The customer's kybStatus is UNVERIFIED; it must be APPROVED. POST /verifications with its customerId submits it to the check.",
    );
  });
});

describe("a signature that was not sent", () => {
  it("is called missing, on a signed retry", async () => {
    const { accountId } = await newWallet(story);
    const headers = { "request-id": "Request:019a4f00-0000-7000-8000-000000000002" };
    await story.call("POST", "/auth/credentials", registrationBody("EMAIL_OTP", accountId));
    const body = registrationBody("OAUTH", accountId);
    const { status, json } = await story.call("POST", "/auth/credentials", body, { headers });
    expect([status, json.message]).toEqual([401, "Missing Service-Wallet-Signature"]);
  });
});

describe("a request that cannot be read", () => {
  it.each([
    ['{\n  "amount": 5,\n}', "The body is not valid JSON at line 3, column 1."],
    ['{"amount": 5', "The body is not valid JSON: it ends too early, at line 1, column 13."],
  ])("%j is told the line and the column", async (body, message) => {
    const { status, json } = await story.call("POST", "/transfer-out", body);
    expect([status, json.code, json.message]).toEqual([400, "INVALID_REQUEST_FORMAT", message]);
  });

  it("says that the key contains a space", async () => {
    const { json } = await payOut(payer.accountId, bank, 5, "order 17");
    expect(json.message).toBe(
      "Idempotency-Key: contains a space; it must be sent once and be 1 to 255 visible ASCII characters",
    );
  });

  it.each([
    ["changed", { amount: 6 }, "amount"],
    ["added", { remittanceInformation: "rent" }, "remittanceInformation"],
    [
      "changed inside",
      { destination: { accountId: "ExternalAccount:019a4f00-0000-7000-8000-0000000000ee" } },
      "destination",
    ],
  ])(
    "is told the field that was %s under a used key, and no value",
    async (what, change, field) => {
      const first = {
        source: { accountId: payer.accountId },
        destination: { accountId: bank },
        amount: 5,
      };
      const options = { key: `used-${what.replace(" ", "-")}` };
      await story.call("POST", "/transfer-out", first, options);
      const body = { ...first, ...change };
      const { status, json } = await story.call("POST", "/transfer-out", body, options);
      expect([status, json.details, json.message]).toEqual([
        422,
        { field },
        `The Idempotency-Key was used with a different body: ${field} differs. Send a new key with a new body.`,
      ]);
    },
  );
});

interface Account {
  readonly currency: string;
  readonly accountInfo: Readonly<Record<string, unknown>>;
}

const beneficiary = {
  beneficiaryType: "INDIVIDUAL",
  fullName: "Ana Ruiz",
  countryOfResidence: "DE",
};
const account = (currency: string, fields: Readonly<Record<string, unknown>>): Account => ({
  currency,
  accountInfo: { accountType: `${currency}_ACCOUNT`, beneficiary, ...fields },
});
const add = (on: Story, body: Account) => on.call("POST", "/platform/external-accounts", body);

describe("bank details as people write them", () => {
  it.each<readonly [sent: Account, stored: Readonly<Record<string, string>>]>([
    [account("EUR", { iban: "DE89 3704 0044 0532 0130 00" }), { iban: "DE89370400440532013000" }],
    [account("GBP", { sortCode: "20-04-15", accountNumber: "12345678" }), { sortCode: "200415" }],
    [
      account("MXN", { clabeNumber: "032 180 00011835971-9" }),
      { clabeNumber: "032180000118359719" },
    ],
    [
      account("USD", { routingNumber: "0210-0002-1", accountNumber: "0001" }),
      { routingNumber: "021000021" },
    ],
    [
      account("KES", { phoneNumber: "+254 712 345-678", provider: "M-PESA" }),
      { phoneNumber: "+254712345678" },
    ],
  ])("%j are taken, and stored without spaces and hyphens", async (sent, stored) => {
    const { status, json } = await add(story, sent);
    expect(status).toBe(201);
    expect(json.accountInfo).toMatchObject(stored);
  });

  it("are taken of a customer's and an owner's telephone", async () => {
    const made = await story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Bea Ott",
      currencies: ["USD"],
      phoneNumber: "+1 415-555 0123",
    });
    expect([made.status, made.json.phoneNumber]).toEqual([201, "+14155550123"]);
    const changed = await story.call("PATCH", `/customers/${made.json.id}`, {
      customerType: "INDIVIDUAL",
      phoneNumber: "+49 151 1234-5678",
    });
    expect([changed.status, changed.json.phoneNumber]).toEqual([200, "+4915112345678"]);
  });

  it.each<readonly [sent: Account, message: string]>([
    [
      account("EUR", { iban: "89 3704" }),
      "accountInfo.iban: must be an IBAN: a country in two capital letters, two check digits, then 11 to 30 letters and digits",
    ],
    [
      account("GBP", { sortCode: "20-04", accountNumber: "12345678" }),
      "accountInfo.sortCode: must be 6 digits",
    ],
    [account("MXN", { clabeNumber: "12" }), "accountInfo.clabeNumber: must be 18 digits"],
    [
      account("KES", { phoneNumber: "0712345678", provider: "M-PESA" }),
      "accountInfo.phoneNumber: must be a phone number of the account's country: +254 and 9 digits",
    ],
  ])("%j are refused in words where more is wrong", async (sent, message) => {
    const { status, json } = await add(story, sent);
    expect([status, json.code, json.message]).toEqual([400, "INVALID_INPUT", message]);
  });
});

describe("bad bank details", () => {
  const rows: readonly (readonly [sent: Account, message: string])[] = [
    [
      account("EUR", { iban: "DE89370400440532013001" }),
      "accountInfo.iban: has check digits that do not fit: look for a typing error",
    ],
    [
      account("EUR", { iban: "DE8937040044053201300" }),
      "accountInfo.iban: must have 22 characters, as every IBAN of DE",
    ],
    [
      account("USD", { routingNumber: "021000022", accountNumber: "0002" }),
      "accountInfo.routingNumber: is no routing number: its check digit does not fit",
    ],
    [
      account("MXN", { clabeNumber: "032180000118359718" }),
      "accountInfo.clabeNumber: is no CLABE: its check digit does not fit",
    ],
    [
      account("USD", { routingNumber: "021000021", accountNumber: "4111 1111 1111 1111" }),
      "accountInfo.accountNumber: looks like the number of a payment card; give the number of the bank account",
    ],
  ];

  it.each(rows)("%j are refused in production alone", async (sent, message) => {
    const live = await openStory(server, { environment: "PRODUCTION" });
    const { status, json } = await add(live, sent);
    expect([status, json.code, json.message]).toEqual([400, "INVALID_BANK_ACCOUNT", message]);
    expect((await live.call("GET", "/platform/external-accounts")).json.totalCount).toBe(0);
    expect((await add(story, sent)).status).toBe(201);
  });

  it("let sound ones through in production", async () => {
    const live = await openStory(server, { environment: "PRODUCTION" });
    const { status } = await add(live, account("EUR", { iban: "DE89 3704 0044 0532 0130 00" }));
    expect(status).toBe(201);
  });
});
