/** What was sent and not understood: unknown parameters and fields, ids of another kind. */
import { beforeAll, describe, expect, it } from "vitest";
import { sharedServer } from "../kit/shared-server.ts";
import {
  bankAccount,
  fundedCustomer,
  ignoreUnknownFields,
  openStory,
  type Story,
} from "../kit/story.ts";

const UUID = "019a4f00-0000-7000-8000-0000000000ee";

const server = await sharedServer();
let story: Story;
beforeAll(async () => {
  story = await openStory(server);
  await ignoreUnknownFields(story);
});

type Row = readonly [request: string, body: unknown, status: number, message: string];

const told = async (request: string, body: unknown) => {
  const [method = "", path = ""] = request.split(" ");
  const { status, json } = await story.call(method, path, body);
  return [status, json.message];
};

describe("a field that a call does not know", () => {
  it("does not stand in for a parameter of the path", async () => {
    const { customerId, accountId } = await fundedCustomer(story, 0);
    const payer = await bankAccount(story, { customerId });
    const pulled = async () => {
      const sides = { source: { accountId: payer }, destination: { accountId } };
      return (await story.call("POST", "/transfer-in", { ...sides, amount: 500 })).json.id;
    };
    const [one, other] = [await pulled(), await pulled()];
    await story.settle();
    const body = { reason: "OTHER", transactionId: other };
    const refund = await story.call("POST", `/transactions/${one}/refund`, body);
    expect([refund.status, refund.json.refundOf]).toEqual([201, one]);
  });
});

describe("an id with control characters", () => {
  it.each(["/customers/a%00b", "/transactions/%01", "/quotes/%1f"])(
    "is refused beside what else is wrong: %s",
    async (path) => {
      const { status, json } = await story.call("GET", `${path}?more=1`);
      expect([status, json.code]).toEqual([400, "INVALID_INPUT"]);
      expect(json.details.errors).toHaveLength(2);
    },
  );
});

describe("a query parameter that a call does not know", () => {
  it.each<readonly [request: string, message: string]>([
    [
      "/customers/internal-accounts?customer_id=x",
      "customer_id: is no parameter of this call; did you mean customerId?",
    ],
    ["/transactions?Status=PENDING", "Status: is no parameter of this call; did you mean status?"],
    ["/config?limit=1", "limit: is no parameter of this call; it takes none"],
    [
      "/tokens?page=2",
      "page: is no parameter of this call; it takes name, createdAfter, createdBefore, updatedAfter, updatedBefore, limit, cursor",
    ],
  ])("%s is refused by name", async (path, message) => {
    const { status, json } = await story.call("GET", path);
    expect([status, json.code, json.message]).toEqual([400, "INVALID_INPUT", message]);
  });

  it("is refused beside what else is wrong", async () => {
    const { json } = await story.call("GET", "/transactions?limit=0&colour=red");
    const fields = json.details.errors.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(["colour", "limit"]);
  });
});

describe("a list parameter", () => {
  it("is repeated or separated by commas", async () => {
    const rates = (query: string) =>
      story.call("GET", `/exchange-rates?sourceCurrency=USD&${query}`);
    const repeated = await rates("destinationCurrency=EUR&destinationCurrency=MXN");
    const separated = await rates("destinationCurrency=EUR,MXN");
    expect(separated.status).toBe(200);
    expect(separated.json.data.length).toBeGreaterThan(1);
    expect(separated.json).toEqual(repeated.json);
  });
});

describe("a field that a call does not know", () => {
  const customer = {
    customerType: "INDIVIDUAL",
    fullName: "Ana Ruiz",
    full_name: "Ana",
    extra: {},
  };

  it("is ignored and named, in a replay as in the first answer", async () => {
    const first = await story.call("POST", "/customers", customer, { key: "k1" });
    const again = await story.call("POST", "/customers", customer, { key: "k1" });
    const ignored = [first, again].map(({ headers }) => headers.get("x-ignored-fields"));
    expect([first.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(ignored).toEqual(["full_name, extra", "full_name, extra"]);
  });

  it("is named where the call is refused for another reason", async () => {
    const refused = await story.call("POST", "/customers", { ...customer, customerType: "X" });
    expect(refused.status).toBe(400);
    const wrong = await story.call("POST", "/verifications", { customerID: 1 });
    expect([wrong.status, wrong.headers.get("x-ignored-fields")]).toEqual([400, "customerID"]);
  });

  it("is refused under Prefer: handling=strict, and nothing is made", async () => {
    const count = async () => (await story.call("GET", "/customers?limit=1")).json.totalCount;
    const before = await count();
    const options = { headers: { prefer: "handling=strict" }, key: "k2" };
    const refused = await story.call("POST", "/customers", customer, options);
    expect([refused.status, refused.headers.get("preference-applied")]).toEqual([
      400,
      "handling=strict",
    ]);
    expect(refused.json.message).toBe(
      "full_name: is no field of this call; did you mean fullName?",
    );
    expect(await count()).toBe(before);
  });

  it("is found within the form of an account type", async () => {
    const created = await story.call("POST", "/platform/external-accounts", {
      currency: "USD",
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber: "000123456789",
        routingNumber: "021000021",
        bankname: "First",
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz", name: "Ana" },
      },
    });
    expect([created.status, created.headers.get("x-ignored-fields")]).toEqual([
      201,
      "accountInfo.bankname, accountInfo.beneficiary.name",
    ]);
  });

  it("stops the client, unless it was created with strict: false", async () => {
    const misspelt = { customerType: "INDIVIDUAL", fullName: "Ana", adress: {} } as const;
    await expect(story.client.customers.create(misspelt)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: "adress: is no field of this call; did you mean address?",
    });
  });
});

describe("an id of another kind", () => {
  const rows: readonly Row[] = [
    [
      "POST /transfer-out",
      {
        source: { accountId: `ExternalAccount:${UUID}` },
        destination: { accountId: "x" },
        amount: 1,
      },
      404,
      "source.accountId: is an external account; this field takes an internal one",
    ],
    [
      "POST /transfer-in",
      {
        source: { accountId: `Customer:${UUID}` },
        destination: { accountId: `InternalAccount:${UUID}` },
        amount: 1,
      },
      404,
      "source.accountId: is a customer; this field takes an external account",
    ],
    [
      "POST /quotes",
      {
        source: { sourceType: "ACCOUNT", accountId: `Quote:${UUID}` },
        destination: { destinationType: "ACCOUNT", accountId: `ExternalAccount:${UUID}` },
        lockedCurrencySide: "SENDING",
        lockedCurrencyAmount: 1,
      },
      400,
      "source.accountId: is a quote; this field takes an internal account or an external account",
    ],
    [
      "POST /verifications",
      { customerId: `InternalAccount:${UUID}` },
      404,
      "customerId: is an internal account; this field takes a customer",
    ],
    [
      "POST /sandbox/send",
      { quoteId: `Transaction:${UUID}`, currencyCode: "USD" },
      404,
      "quoteId: is a transaction; this field takes a quote",
    ],
    [
      `GET /customers/internal-accounts?customerId=Quote:${UUID}`,
      undefined,
      400,
      "customerId: is a quote; this field takes a customer",
    ],
    [
      `GET /transactions?accountIdentifier=Token:${UUID}`,
      undefined,
      400,
      "accountIdentifier: is a token; this field takes an internal account or an external account",
    ],
    [
      `GET /customers/ExternalAccount:${UUID}`,
      undefined,
      404,
      `The customer does not exist. The id ExternalAccount:${UUID} is of an external account; it must be of a customer.`,
    ],
    [
      `GET /transactions/Quote:${UUID}`,
      undefined,
      404,
      `The transaction does not exist. The id Quote:${UUID} is of a quote; it must be of a transaction.`,
    ],
    [
      `GET /customers/${UUID}`,
      undefined,
      404,
      "The customer does not exist. The id lacks the prefix Customer:",
    ],
  ];

  it.each(rows)("in %s %j is answered %s: %s", async (request, body, status, message) => {
    expect(await told(request, body)).toEqual([status, message]);
  });

  it("that exists is answered the same", async () => {
    const { accountId, customerId } = await fundedCustomer(story);
    const bank = await bankAccount(story, { customerId });
    const swapped = { source: { accountId: bank }, destination: { accountId }, amount: 5 };
    expect(await told("POST /transfer-out", swapped)).toEqual([
      404,
      "source.accountId: is an external account; this field takes an internal one",
    ]);
  });
});

describe("a platform that refuses unknown fields, as every new one does", () => {
  let strict: Story;
  beforeAll(async () => {
    strict = await openStory(server);
  });

  it.each<[object, readonly string[]]>([
    [{ memo: "x" }, ["memo: unknown field `memo`"]],
    [{ descripton: "x" }, ["descripton: unknown field `descripton`; did you mean `description`?"]],
    [
      { source: { acountId: "x" } },
      [
        "source.acountId: unknown field `source.acountId`; did you mean `accountId`?",
        "source.accountId: is required",
      ],
    ],
  ])("%j is refused by name, and nothing is made", async (more, wanted) => {
    const { accountId, customerId } = await fundedCustomer(strict);
    const destination = { accountId: await bankAccount(strict, { customerId }) };
    const order = { source: { accountId }, destination, amount: 100, ...more };
    const answer = await strict.call("POST", "/transfer-out", order);
    expect(answer.json).toMatchObject({ status: 400, code: "INVALID_INPUT" });
    const errors: { field: string; message: string }[] = answer.json.details.errors;
    expect(errors.map(({ field, message }) => `${field}: ${message}`)).toEqual(wanted);
    const { json } = await strict.call("GET", `/transactions?accountIdentifier=${accountId}`);
    expect(json.data.filter(({ type }: { type: string }) => type === "OUTGOING")).toEqual([]);
  });

  it("takes metadata with any names, and what the platform chose to ignore", async () => {
    const body = { customerType: "INDIVIDUAL", metadata: { memo: "x" } };
    expect((await strict.call("POST", "/customers", body)).status).toBe(201);
    expect((await strict.call("POST", "/customers", { ...body, memo: 1 })).status).toBe(400);
    await ignoreUnknownFields(strict);
    expect((await strict.call("POST", "/customers", { ...body, memo: 1 })).status).toBe(201);
    const again = await strict.call("PATCH", "/config", { unknownFields: "REFUSE" });
    expect(again.json.unknownFields).toBe("REFUSE");
    expect((await strict.call("POST", "/customers", { ...body, memo: 1 })).status).toBe(400);
    const wrong = await strict.call("PATCH", "/config", { unknownFields: "MAYBE" });
    expect(wrong.status).toBe(400);
  });
});
