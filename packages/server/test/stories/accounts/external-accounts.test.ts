import { describe, expect, it } from "vitest";
import { accountExamples } from "../../../src/domain/accounts/external/account-examples.ts";
import {
  type AccountType,
  accountTypes,
  ruleOf,
} from "../../../src/domain/accounts/external/account-types.ts";
import { eventsOf } from "../../kit/platform-rows.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { fundedCustomer, ignoreUnknownFields, openStory, type Story } from "../../kit/story.ts";
import { advance, rowCounts } from "../../kit/story-money.ts";

const CUSTOMERS = "/customers/external-accounts";
const PLATFORM = "/platform/external-accounts";
const NOBODY = "Customer:019a4f00-0000-7000-8000-0000000000ee";
const PERSON = { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" };

const server = await sharedServer();

function currencyOf(accountType: AccountType): string {
  const { currencies } = ruleOf(accountType);
  return currencies === "any-fiat" ? "CHF" : (currencies[0] ?? "");
}

const usdInfo = (accountNumber = "000123456789", more: object = {}) => ({
  accountType: "USD_ACCOUNT",
  accountNumber,
  routingNumber: "021000021",
  beneficiary: PERSON,
  ...more,
});

async function newCustomer(story: Story): Promise<string> {
  return (await fundedCustomer(story, 0)).customerId;
}

const create = (
  story: Story,
  customerId: string | undefined,
  accountInfo: unknown,
  more: object = {},
) =>
  story.call("POST", CUSTOMERS, {
    currency: "USD",
    accountInfo,
    ...(customerId === undefined ? {} : { customerId }),
    ...more,
  });

/** The fields at fault, in the order of the answer. */
const faultsOf = (answer: {
  readonly json: { readonly details: { readonly errors: { field: string }[] } };
}) => answer.json.details.errors.map(({ field }) => field);

describe.each([
  ["a customer", CUSTOMERS],
  ["the platform", PLATFORM],
])("an account of %s", (_owner, path) => {
  it("can be of each of the 46 types: made, read, listed and deleted", async () => {
    const story = await openStory(server);
    const customerId = path === CUSTOMERS ? await newCustomer(story) : null;
    const made: { readonly id: string }[] = [];
    expect(accountTypes).toHaveLength(46);
    for (const accountType of accountTypes) {
      const { paymentRails, family } = ruleOf(accountType);
      const answer = await story.call("POST", path, {
        ...(customerId === null ? {} : { customerId }),
        currency: currencyOf(accountType),
        accountInfo: accountExamples[accountType],
      });
      expect([accountType, answer.status]).toEqual([accountType, 201]);
      expect(answer.json).toMatchObject({
        id: expect.stringMatching(/^ExternalAccount:[0-9a-f-]{36}$/),
        status: "ACTIVE",
        currency: currencyOf(accountType),
        customerId,
        defaultUmaDepositAccount: false,
      });
      expect(answer.json.accountInfo).toEqual({
        ...accountExamples[accountType],
        ...(paymentRails.length === 0 ? {} : { paymentRails }),
      });
      expect(Object.hasOwn(answer.json, "beneficiaryVerificationStatus")).toBe(family !== "wallet");
      const read = await story.call("GET", `${path}/${answer.json.id}`);
      expect([read.status, read.text]).toEqual([200, answer.text]);
      made.push(answer.json);
    }

    const list = await story.call("GET", `${path}?limit=100`);
    expect(list.json.totalCount).toBe(46);
    expect(list.json.data).toEqual(made.toReversed());
    const dollars = await story.call("GET", `${path}?currency=USD&limit=100`);
    expect(dollars.json.data.map((account: { currency: string }) => account.currency)).toEqual([
      "USD",
      "USD",
    ]);
    for (const { id } of made) {
      expect((await story.call("DELETE", `${path}/${id}`)).status).toBe(204);
    }
    const [first] = made;
    for (const method of ["GET", "DELETE"]) {
      const gone = await story.call(method, `${path}/${first?.id}`);
      expect([gone.status, gone.json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
    }
    expect((await story.call("GET", path)).json).toEqual({
      data: [],
      hasMore: false,
      totalCount: 0,
    });
  });
});

describe("the owner of an account", () => {
  it("decides under which path it is found", async () => {
    const story = await openStory(server);
    const theirs = (await create(story, await newCustomer(story), usdInfo())).json.id;
    const own = (await story.call("POST", PLATFORM, { currency: "USD", accountInfo: usdInfo() }))
      .json.id;
    const stranger = await openStory(server);
    for (const [from, path] of [
      [story, `${PLATFORM}/${theirs}`],
      [story, `${CUSTOMERS}/${own}`],
      [stranger, `${CUSTOMERS}/${theirs}`],
      [stranger, `${PLATFORM}/${own}`],
    ] as const) {
      for (const method of ["GET", "DELETE"]) {
        const answer = await from.call(method, path);
        expect([path, answer.status, answer.json.code]).toEqual([path, 404, "REFERENCE_NOT_FOUND"]);
      }
    }
    expect((await story.call("GET", `${CUSTOMERS}/${theirs}`)).status).toBe(200);
    expect((await story.call("GET", `${PLATFORM}/${own}`)).status).toBe(200);
  });

  it("is the platform when no customer is named, and under the platform's path always", async () => {
    const story = await openStory(server);
    await ignoreUnknownFields(story);
    const customerId = await newCustomer(story);
    const without = await create(story, undefined, usdInfo("000123450001"), {
      defaultUmaDepositAccount: true,
    });
    const named = await story.call("POST", PLATFORM, {
      currency: "USD",
      accountInfo: usdInfo("000123450111"),
      customerId,
      defaultUmaDepositAccount: true,
    });
    for (const { json } of [without, named]) {
      expect(json).toMatchObject({ customerId: null, defaultUmaDepositAccount: false });
    }
    expect((await story.call("GET", PLATFORM)).json.totalCount).toBe(2);
    expect((await story.call("GET", CUSTOMERS)).json.totalCount).toBe(0);
  });

  it("narrows the list of customers' accounts", async () => {
    const story = await openStory(server);
    const [ana, bea] = [await newCustomer(story), await newCustomer(story)];
    const made = await create(story, ana, usdInfo());
    await create(story, bea, usdInfo());
    const list = await story.call("GET", `${CUSTOMERS}?customerId=${ana}&currency=USD`);
    expect(list.json).toEqual({ data: [made.json], hasMore: false, totalCount: 1 });
    expect((await story.call("GET", `${CUSTOMERS}?customerId=${NOBODY}`)).json.data).toEqual([]);
    for (const path of [CUSTOMERS, PLATFORM, "/platform/internal-accounts"]) {
      const small = await story.call("GET", `${path}?currency=usd`);
      expect([path, small.status, faultsOf(small)]).toEqual([path, 400, ["currency"]]);
    }
    const wrong = await story.call("GET", `${CUSTOMERS}?customerId=x`);
    expect([wrong.status, faultsOf(wrong)]).toEqual([400, ["customerId"]]);
  });

  it("must be a customer of this platform who is not deleted", async () => {
    const [story, stranger] = [await openStory(server), await openStory(server)];
    const foreign = await newCustomer(stranger);
    for (const id of [NOBODY, foreign, "x", foreign.replace("Customer", "Token")]) {
      const answer = await create(story, id, usdInfo());
      expect([id, answer.status, answer.json.code]).toEqual([id, 404, "USER_NOT_FOUND"]);
    }
    const customerId = await newCustomer(story);
    const kept = await create(story, customerId, usdInfo());
    expect((await story.call("DELETE", `/customers/${customerId}`)).status).toBe(200);
    const late = await create(story, customerId, usdInfo("000123450111"));
    expect([late.status, late.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(faultsOf(late)).toEqual(["customerId"]);
    expect((await story.call("GET", `${CUSTOMERS}/${kept.json.id}`)).status).toBe(200);
  });
});

describe("the same account", () => {
  it("is refused a second time for one owner, however it is described, until it is deleted", async () => {
    const story = await openStory(server);
    await ignoreUnknownFields(story);
    const [ana, bea] = [await newCustomer(story), await newCustomer(story)];
    const first = await create(story, ana, usdInfo());
    const again = await create(story, ana, usdInfo("000123456789", { routingNumber: "011000015" }));
    expect([again.status, again.json.code]).toEqual([409, "CONFLICT"]);
    expect((await create(story, bea, usdInfo())).status).toBe(201);
    expect((await create(story, undefined, usdInfo())).status).toBe(201);
    const own = await story.call("POST", PLATFORM, { currency: "USD", accountInfo: usdInfo() });
    expect([own.status, own.json.code]).toEqual([409, "CONFLICT"]);
    const otherType = {
      ...usdInfo(),
      accountType: "SLV_ACCOUNT",
      bankName: "Banco",
      bankAccountType: "SAVINGS",
    };
    expect((await create(story, ana, otherType)).status).toBe(201);

    expect((await story.call("DELETE", `${CUSTOMERS}/${first.json.id}`)).status).toBe(204);
    const renewed = await create(story, ana, usdInfo());
    expect(renewed.status).toBe(201);
    expect(renewed.json.id).not.toBe(first.json.id);
  });

  it("is made once when many ask at once", async () => {
    const story = await openStory(server);
    const customerId = await newCustomer(story);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => create(story, customerId, usdInfo())),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(7).fill(409)]);
    expect((await story.call("GET", CUSTOMERS)).json.totalCount).toBe(1);
  });

  it("is answered again under the same key", async () => {
    const story = await openStory(server);
    const body = { currency: "USD", accountInfo: usdInfo() };
    const first = await story.call("POST", PLATFORM, body, { key: "a" });
    const again = await story.call("POST", PLATFORM, body, { key: "a" });
    expect([again.status, again.text]).toEqual([201, first.text]);
  });
});

describe("the default deposit account", () => {
  it("is the newest that was asked for, one a customer", async () => {
    const story = await openStory(server);
    const [ana, bea] = [await newCustomer(story), await newCustomer(story)];
    const asDefault = { defaultUmaDepositAccount: true };
    const isDefault = async (id: string) =>
      (await story.call("GET", `${CUSTOMERS}/${id}`)).json.defaultUmaDepositAccount;
    const first = (await create(story, ana, usdInfo("000000000111"), asDefault)).json;
    const plain = (await create(story, ana, usdInfo("000000000222"))).json;
    const beas = (await create(story, bea, usdInfo(), asDefault)).json;
    expect(first.defaultUmaDepositAccount).toBe(true);
    expect(await isDefault(first.id)).toBe(true);
    const second = (await create(story, ana, usdInfo("000000000333"), asDefault)).json;
    expect(await Promise.all([first, plain, second, beas].map(({ id }) => isDefault(id)))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    await story.call("DELETE", `${CUSTOMERS}/${second.id}`);
    expect(await isDefault(first.id)).toBe(false);
    await Promise.all(
      [4, 5, 6, 7].map((digit) =>
        create(story, ana, usdInfo(`00000000${digit}${digit}${digit}`), asDefault),
      ),
    );
    const list = await story.call("GET", `${CUSTOMERS}?customerId=${ana}`);
    const defaults = list.json.data.filter(
      (account: { defaultUmaDepositAccount: boolean }) => account.defaultUmaDepositAccount,
    );
    expect(defaults).toHaveLength(1);
  });

  it("stays where it was when the new one is refused", async () => {
    const story = await openStory(server);
    const customerId = await newCustomer(story);
    const asDefault = { defaultUmaDepositAccount: true };
    const kept = (await create(story, customerId, usdInfo(), asDefault)).json;
    expect((await create(story, customerId, usdInfo("000000000105"), asDefault)).status).toBe(400);
    expect((await create(story, customerId, usdInfo(), asDefault)).status).toBe(409);
    expect((await story.call("GET", `${CUSTOMERS}/${kept.id}`)).json).toEqual(kept);
  });
});

describe("the ending of an identifier", () => {
  const ENDINGS = [
    ["102", "NOT_MATCHED"],
    ["103", "PARTIAL_MATCH"],
    ["104", "PENDING"],
    ["106", "UNSUPPORTED"],
    ["107", "CHECKED_BY_RECEIVING_FI"],
    ["789", "MATCHED"],
    ["002", "MATCHED"],
    ["007", "MATCHED"],
    ["101", "MATCHED"],
  ] as const;
  const info = (accountType: AccountType, change: object) => ({
    ...accountExamples[accountType],
    ...change,
  });
  const IDENTIFIERS: readonly (readonly [AccountType, (ending: string) => unknown])[] = [
    ["USD_ACCOUNT", (ending) => info("USD_ACCOUNT", { accountNumber: `000123456${ending}` })],
    [
      "EUR_ACCOUNT",
      (ending) =>
        info("EUR_ACCOUNT", { iban: `DE8937040044053201${ending}0`.slice(0, 18) + ending }),
    ],
    ["MXN_ACCOUNT", (ending) => info("MXN_ACCOUNT", { clabeNumber: `032180000118359${ending}` })],
    ["KES_ACCOUNT", (ending) => info("KES_ACCOUNT", { phoneNumber: `+254712345${ending}` })],
    ["INR_ACCOUNT", (ending) => info("INR_ACCOUNT", { vpa: `maya.${ending}@okbank` })],
    [
      "BRL_ACCOUNT",
      (ending) =>
        info("BRL_ACCOUNT", { pixKeyType: "EMAIL", pixKey: `maya.${ending}@example.com` }),
    ],
  ];

  it("that leaves the name check pending is followed by its result, of which no event tells", async () => {
    const story = await openStory(server);
    const customerId = await newCustomer(story);
    const info = { accountType: "USD_ACCOUNT" as const, accountNumber: "000123456104" };
    const [made, gone] = [
      (await create(story, customerId, { ...usdInfo(), ...info })).json,
      (await create(story, customerId, usdInfo("000123457104"))).json,
    ];
    const before = await eventsOf(story);
    await story.call("DELETE", `${CUSTOMERS}/${gone.id}`);
    await advance(story, 59);
    const path = `${CUSTOMERS}/${made.id}`;
    expect((await story.call("GET", path)).json).toEqual(made);
    await advance(story, 1);
    expect((await story.call("GET", path)).json).toEqual({
      ...made,
      beneficiaryVerificationStatus: "MATCHED",
      beneficiaryVerifiedData: { fullName: "Ana Ruiz" },
    });
    expect(await eventsOf(story)).toEqual(before);
  });

  it.each(IDENTIFIERS)(
    "of a %s steers the name check of the sandbox",
    async (accountType, make) => {
      const story = await openStory(server);
      const customerId = await newCustomer(story);
      const currency = currencyOf(accountType);
      for (const [ending, status] of ENDINGS) {
        const answer = await create(story, customerId, make(ending), { currency });
        const { beneficiaryVerificationStatus, beneficiaryVerifiedData } = answer.json;
        expect([ending, answer.status, beneficiaryVerificationStatus]).toEqual([
          ending,
          201,
          status,
        ]);
        expect(answer.json.status).toBe("ACTIVE");
        expect(beneficiaryVerifiedData).toEqual(
          status === "MATCHED" ? { fullName: "Maya Lindqvist" } : undefined,
        );
      }
      const before = await rowCounts(story);
      const refused = await create(story, customerId, make("105"), { currency });
      expect([refused.status, refused.json.code]).toEqual([400, "INVALID_BANK_ACCOUNT"]);
      expect(await rowCounts(story)).toEqual(before);
    },
  );

  it("means nothing in production", async () => {
    const story = await openStory(server, { environment: "PRODUCTION" });
    for (const ending of ["102", "105", "107"]) {
      const answer = await create(story, undefined, usdInfo(`000123456${ending}`));
      expect(answer.status).toBe(201);
      expect(answer.json).not.toHaveProperty("beneficiaryVerificationStatus");
    }
  });
});

describe("a request for an account", () => {
  it("is answered with everything that is wrong with it", async () => {
    const story = await openStory(server);
    const answer = await create(
      story,
      undefined,
      {
        accountType: "USD_ACCOUNT",
        accountNumber: "",
        routingNumber: "12",
        bankAccountType: "GOLD",
        beneficiary: { beneficiaryType: "INDIVIDUAL", address: { line1: "x" } },
      },
      { currency: "EUR" },
    );
    expect([answer.status, answer.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(faultsOf(answer).toSorted()).toEqual([
      "accountInfo.accountNumber",
      "accountInfo.bankAccountType",
      "accountInfo.beneficiary.address.country",
      "accountInfo.beneficiary.address.postalCode",
      "accountInfo.beneficiary.fullName",
      "accountInfo.routingNumber",
      "currency",
    ]);
    expect(await rowCounts(story)).toMatchObject({ external_accounts: 0 });
  });

  it.each([
    ["no accountInfo", { currency: "USD" }, "INVALID_INPUT", ["accountInfo"]],
    ["no currency", { accountInfo: usdInfo() }, "INVALID_INPUT", ["currency"]],
    ["a list", { currency: "USD", accountInfo: [] }, "INVALID_INPUT", ["accountInfo"]],
    ["no type", { currency: "USD", accountInfo: {} }, "INVALID_INPUT", ["accountInfo.accountType"]],
    [
      "a type nobody has",
      { currency: "USD", accountInfo: { accountType: "GOLD_BAR" } },
      "INVALID_INPUT",
      ["accountInfo.accountType"],
    ],
    [
      "another currency",
      { currency: "EUR", accountInfo: usdInfo() },
      "INVALID_CURRENCY",
      ["currency"],
    ],
    [
      "small letters",
      { currency: "usd", accountInfo: usdInfo() },
      "INVALID_CURRENCY",
      ["currency"],
    ],
    [
      "an unknown currency",
      { currency: "XYZ", accountInfo: usdInfo() },
      "INVALID_CURRENCY",
      ["currency"],
    ],
    [
      "a number for a text",
      { currency: "USD", accountInfo: usdInfo("1", { accountNumber: 123_456 }) },
      "INVALID_INPUT",
      ["accountInfo.accountNumber"],
    ],
    [
      "a control character",
      { currency: "USD", accountInfo: usdInfo("1", { bankName: "a\u0001b" }) },
      "INVALID_INPUT",
      ["accountInfo.bankName"],
    ],
  ])("is refused with %s", async (_what, body, code, fields) => {
    const story = await openStory(server);
    for (const path of [CUSTOMERS, PLATFORM]) {
      const answer = await story.call("POST", path, body);
      expect([answer.status, answer.json.code, faultsOf(answer)]).toEqual([400, code, fields]);
    }
  });

  it("keeps what is known, and leaves out what is not", async () => {
    const story = await openStory(server);
    await ignoreUnknownFields(story);
    const made = await create(
      story,
      undefined,
      usdInfo("000123456789", { colour: "red", paymentRails: ["FREE"] }),
      {
        colour: "blue",
        platformAccountId: "acct-7",
      },
    );
    expect(made.json.accountInfo).toEqual({
      ...usdInfo(),
      paymentRails: ["ACH", "WIRE", "RTP", "FEDNOW"],
    });
    expect(made.json.platformAccountId).toBe("acct-7");
    expect(made.text).not.toContain("colour");
  });

  it("needs the permission to manage", async () => {
    const story = await openStory(server);
    const token = await story.call("POST", "/tokens", {
      name: "t",
      permissions: ["VIEW", "TRANSACT"],
    });
    const { clientId, clientSecret } = token.json;
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
    const id = (await create(story, undefined, usdInfo())).json.id;
    const body = { currency: "USD", accountInfo: usdInfo("000123450111") };
    expect((await story.call("POST", PLATFORM, body, { authorization })).status).toBe(403);
    expect(
      (await story.call("DELETE", `${PLATFORM}/${id}`, undefined, { authorization })).status,
    ).toBe(403);
    expect(
      (await story.call("GET", `${PLATFORM}/${id}`, undefined, { authorization })).status,
    ).toBe(200);
  });
});
