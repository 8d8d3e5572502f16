/** Transfers that are not made: in which order the reasons are looked for, and that nothing is left behind. */
import { describe, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import {
  bankAccount,
  type Funded,
  fundedCustomer,
  openStory,
  type Story,
} from "../../kit/story.ts";
import { fund, internalAccount, ledgerOf, rowCounts } from "../../kit/story-money.ts";

const BALANCE = 10_000;
const UNKNOWN = "019a4f00-0000-7000-8000-0000000000ee";

const server = await sharedServer();

type Path = "/transfer-out" | "/transfer-in";
interface Wish {
  readonly internal: string;
  readonly external: string;
  readonly amount?: unknown;
  readonly paymentRail?: string;
}

function transfer(
  story: Story,
  path: Path,
  { internal, external, amount = 100, paymentRail }: Wish,
) {
  const rail = paymentRail === undefined ? {} : { paymentRail };
  return story.call("POST", path, {
    ...(path === "/transfer-out"
      ? { source: { accountId: internal }, destination: { accountId: external, ...rail } }
      : { source: { accountId: external }, destination: { accountId: internal } }),
    amount,
  });
}

async function setLimits(story: Story, changes: object): Promise<void> {
  const config = await story.call("GET", "/config");
  const supportedCurrencies = config.json.supportedCurrencies.map(
    (currency: { readonly currencyCode: string }) =>
      currency.currencyCode === "USD" ? { ...currency, ...changes } : currency,
  );
  const set = await story.call("PATCH", "/config", { supportedCurrencies });
  expect(set.status).toBe(200);
}

interface Cast extends Funded {
  readonly story: Story;
  readonly wallet: string;
  readonly eurAccount: string;
  readonly ownBank: string;
  readonly platformAccount: string;
  readonly otherBank: string;
  readonly eurBank: string;
  readonly deletedBank: string;
}

/** One customer with all that can be wrong with a transfer. */
async function cast(): Promise<Cast> {
  const story = await openStory(server);
  const other = await fundedCustomer(story, 0);
  const customer = await story.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName: "Bea Ott",
    currencies: ["USD", "EUR", "USDB"],
  });
  const { id: customerId, platformCustomerId } = customer.json;
  const accountOf = (currency: string, type?: string) =>
    internalAccount(story, { customerId, currency, ...(type === undefined ? {} : { type }) });
  const accountId = await accountOf("USD");
  await fund(story, accountId, BALANCE);
  const eurBank = await story.call("POST", "/customers/external-accounts", {
    customerId,
    currency: "EUR",
    accountInfo: {
      accountType: "EUR_ACCOUNT",
      iban: "DE89370400440532013000",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Bea Ott", countryOfResidence: "DE" },
    },
  });
  const deletedBank = await bankAccount(story, { customerId });
  const gone = await story.call("DELETE", `/customers/external-accounts/${deletedBank}`);
  expect(gone.status).toBe(204);
  return {
    story,
    customerId,
    platformCustomerId,
    accountId,
    wallet: await accountOf("USDB", "EMBEDDED_WALLET"),
    eurAccount: await accountOf("EUR"),
    ownBank: await bankAccount(story, { customerId }),
    platformAccount: await internalAccount(story, { currency: "USD" }),
    otherBank: await bankAccount(story, { customerId: other.customerId }),
    eurBank: eurBank.json.id,
    deletedBank,
  };
}

type Reason = readonly [code: string, status: number, reported?: Record<string, unknown>];
const notFound = (field: string): Reason => ["REFERENCE_NOT_FOUND", 404, { field }];
const invalid = (field: string): Reason => [
  "INVALID_INPUT",
  400,
  { field, errors: [expect.objectContaining({ field })] },
];

/** Two things are wrong in each row but the last ones: the reason that is looked for first is the answer. All: transfer-refusals.test.ts. */
function rows(path: Path, at: Cast): readonly (readonly [string, Wish, Reason])[] {
  const [internalField, externalField] =
    path === "/transfer-out"
      ? ["source.accountId", "destination.accountId"]
      : ["destination.accountId", "source.accountId"];
  const nobody = `InternalAccount:${UNKNOWN}`;
  const nowhere = `ExternalAccount:${UNKNOWN}`;
  const huge = 100_000_000_001;
  return [
    [
      "an unknown internal and a foreign external account",
      { internal: nobody, external: at.otherBank },
      notFound(internalField),
    ],
    [
      "an internal account that is an external one",
      { internal: at.ownBank, external: at.ownBank },
      notFound(internalField),
    ],
    [
      "an external account that is an internal one",
      { internal: at.accountId, external: at.accountId },
      notFound(externalField),
    ],
    [
      "an unknown external account before a wallet",
      { internal: at.wallet, external: nowhere },
      notFound(externalField),
    ],
    [
      "a deleted external account before a wallet",
      { internal: at.wallet, external: at.deletedBank },
      notFound(externalField),
    ],
    ["no id at all", { internal: "", external: "x" }, notFound(internalField)],
    [
      "a wallet before a foreign account",
      { internal: at.wallet, external: at.otherBank },
      invalid(internalField),
    ],
    [
      "a foreign account before the currency",
      { internal: at.eurAccount, external: at.otherBank },
      invalid(externalField),
    ],
    [
      "a customer's account for the platform",
      { internal: at.platformAccount, external: at.ownBank },
      invalid(externalField),
    ],
    [
      "two currencies before the limits",
      { internal: at.accountId, external: at.eurBank, amount: huge },
      ["INVALID_CURRENCY", 400],
    ],
    [
      "the limits before the rail and the balance",
      { internal: at.accountId, external: at.ownBank, amount: huge, paymentRail: "SEPA" },
      ["AMOUNT_OUT_OF_RANGE", 400, { currency: "USD", minAmount: 1, maxAmount: 100_000_000_000 }],
    ],
  ];
}

describe.each(["/transfer-out", "/transfer-in"] as const)("POST %s refuses", (path) => {
  it("the first of two reasons, and leaves nothing behind", async () => {
    const at = await cast();
    const before = await rowCounts(at.story);
    for (const [what, wish, [code, status, reported = {}]] of rows(path, at)) {
      const answer = await transfer(at.story, path, wish);
      expect([what, answer.status, answer.json.code]).toEqual([what, status, code]);
      expect(answer.json.details ?? {}).toMatchObject(reported);
    }
    expect(await rowCounts(at.story)).toEqual(before);
    expect(await ledgerOf(at.story, at.accountId)).toEqual({ available: BALANCE, held: 0 });
  });

  it("another platform's accounts as if they were not there", async () => {
    const at = await cast();
    const stranger = await cast();
    for (const wish of [
      { internal: stranger.accountId, external: at.ownBank },
      { internal: at.accountId, external: stranger.ownBank },
    ]) {
      const answer = await transfer(at.story, path, wish);
      expect([answer.status, answer.json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
    }
    expect(await ledgerOf(stranger.story, stranger.accountId)).toMatchObject({
      available: BALANCE,
    });
  });

  it("a currency that is not moved in this direction, before an amount outside its limits", async () => {
    const at = await cast();
    const isOut = path === "/transfer-out";
    await setLimits(at.story, {
      enabledTransactionTypes: [isOut ? "INCOMING" : "OUTGOING"],
      minAmount: 500,
    });
    const wish = { internal: at.accountId, external: at.ownBank, amount: 1 };
    const answer = await transfer(at.story, path, wish);
    expect([answer.status, answer.json.code]).toEqual([400, "INVALID_CURRENCY"]);
    const other = await transfer(at.story, isOut ? "/transfer-in" : "/transfer-out", {
      ...wish,
      amount: 500,
    });
    expect(other.status).toBe(201);
    await at.story.settle();
  });

  it.each(["Ana Ruiz 001"])(
    "a customer who is not approved (%s), after the limits and before the balance",
    async (fullName) => {
      const { story, customerId, accountId, ownBank } = await unready(fullName);
      const wish = { internal: accountId, external: ownBank };
      const tooMuch = await transfer(story, path, { ...wish, amount: 100_000_000_001 });
      expect(tooMuch.json.code).toBe("AMOUNT_OUT_OF_RANGE");
      const answer = await transfer(story, path, { ...wish, amount: 1_000, paymentRail: "SEPA" });
      expect([answer.status, answer.json.code]).toEqual([403, "USER_NOT_READY"]);
      expect(customerId).toMatch(/^Customer:/);
    },
  );

  it("without the permission to move money", async () => {
    const at = await cast();
    const token = await at.story.call("POST", "/tokens", {
      name: "reader",
      permissions: ["VIEW", "MANAGE"],
    });
    const { clientId, clientSecret } = token.json;
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
    const body = {
      source: { accountId: at.accountId },
      destination: { accountId: at.ownBank },
      amount: 100,
    };
    const refused = await at.story.call("POST", path, body, { authorization });
    expect([refused.status, refused.json.code]).toEqual([403, "FORBIDDEN"]);
    const unknown = await at.story.call("POST", path, body, { authorization: null });
    expect([unknown.status, unknown.json.code]).toEqual([401, "UNAUTHORIZED"]);
    expect(await ledgerOf(at.story, at.accountId)).toEqual({ available: BALANCE, held: 0 });
  });

  it("every amount that is not a whole number of at least one", async () => {
    const at = await cast();
    const before = await rowCounts(at.story);
    const internal = path === "/transfer-out" ? "source" : "destination";
    const external = internal === "source" ? "destination" : "source";
    for (const amount of WRONG_AMOUNTS) {
      const body =
        `{"${internal}":{"accountId":"${at.accountId}"},` +
        `"${external}":{"accountId":"${at.ownBank}"},"amount":${amount}}`;
      const answer = await at.story.call("POST", path, body);
      expect([amount, answer.status, answer.json.code]).toEqual([amount, 400, "INVALID_AMOUNT"]);
      expect(answer.json.details.errors[0].field).toBe("amount");
    }
    const least = { internal: at.accountId, external: at.ownBank, amount: 1 };
    expect((await transfer(at.story, path, least)).status).toBe(201);
    const missing = await at.story.call("POST", path, {
      source: { accountId: at.accountId },
      destination: { accountId: at.ownBank },
    });
    expect([missing.status, missing.json.code]).toEqual([400, "INVALID_INPUT"]);
    const twice = await at.story.call(
      "POST",
      path,
      `{"source":{"accountId":"x"},"destination":{"accountId":"y"},"amount":1,"amount":100}`,
    );
    expect([twice.status, twice.json.code]).toEqual([400, "INVALID_REQUEST_FORMAT"]);
    await at.story.settle();
    const after = await rowCounts(at.story);
    expect(after.transactions).toBe((before.transactions ?? 0) + 1);
  });
});

/** Amounts are written as plain digits: `1e2` and `100.0` are not, though they mean whole numbers. */
const WRONG_AMOUNTS = [
  "0",
  "-1",
  "-0",
  "1.5",
  "100.0",
  "1e2",
  "1e400",
  '"100"',
  '"NaN"',
  "null",
  "true",
  "[100]",
  "{}",
  "9000000000000001",
  "9007199254740993",
  "9223372036854775807",
  "9223372036854775808",
  "1000000000000000000000000000000",
];

async function unready(fullName: string) {
  const story = await openStory(server);
  const customer = await story.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName,
    currencies: ["USD"],
  });
  const customerId = customer.json.id as string;
  const accountId = await internalAccount(story, { customerId, currency: "USD" });
  return { story, customerId, accountId, ownBank: await bankAccount(story, { customerId }) };
}

describe("POST /transfer-out refuses", () => {
  it("a rail that the destination does not have, before too low a balance", async () => {
    const at = await cast();
    const wish = { internal: at.accountId, external: at.ownBank, amount: BALANCE + 1 };
    const rail = await transfer(at.story, "/transfer-out", { ...wish, paymentRail: "SEPA" });
    expect([rail.status, rail.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(rail.json.details).toMatchObject({
      field: "destination.paymentRail",
      supported: ["ACH", "WIRE", "RTP", "FEDNOW"],
    });
    const balance = await transfer(at.story, "/transfer-out", { ...wish, paymentRail: "ACH" });
    expect([balance.status, balance.json.code]).toEqual([400, "INSUFFICIENT_BALANCE"]);
    expect(await ledgerOf(at.story, at.accountId)).toEqual({ available: BALANCE, held: 0 });
  });
});

describe("POST /transfer-in refuses", () => {
  it("an account that cannot be pulled from, and names the way that works", async () => {
    const at = await cast();
    const answer = await transfer(at.story, "/transfer-in", {
      internal: at.eurAccount,
      external: at.eurBank,
    });
    expect([answer.status, answer.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(answer.json.details).toMatchObject({ field: "source.accountId" });
    expect(answer.json.details.reason).toContain("funding instructions");
  });

  it("an embedded wallet, and names the way that works", async () => {
    const at = await cast();
    const answer = await transfer(at.story, "/transfer-in", {
      internal: at.wallet,
      external: at.ownBank,
    });
    expect([answer.status, answer.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(answer.json.details).toMatchObject({
      field: "destination.accountId",
      reason: "is an embedded wallet, which is paid through quotes",
    });
  });
});

describe("a production platform", () => {
  it("is refused with the missing rail, and nothing is stored", async () => {
    const story = await openStory(server, { environment: "PRODUCTION", isRegulated: true });
    const funded = await fundedCustomer(story, 0);
    for (const suffix of ["789", "002", "005"]) {
      const external = await bankAccount(story, { suffix, customerId: funded.customerId });
      const before = await rowCounts(story);
      for (const path of ["/transfer-out", "/transfer-in"] as const) {
        const answer = await transfer(story, path, { internal: funded.accountId, external });
        expect([path, answer.status, answer.json.code]).toEqual([path, 501, "NOT_IMPLEMENTED"]);
        expect(answer.json.details.rail).toBe("ACH");
      }
      expect(await rowCounts(story)).toEqual(before);
    }
  });
  it("gets the id of each request, under a key too, because such a refusal is not stored", async () => {
    const story = await openStory(server, { environment: "PRODUCTION", isRegulated: true });
    const { accountId, customerId } = await fundedCustomer(story, 0);
    const external = await bankAccount(story, { customerId });
    for (const requestId of ["first-try", "second-try"]) {
      const answer = await story.call(
        "POST",
        "/transfer-out",
        { source: { accountId }, destination: { accountId: external }, amount: 100 },
        { key: "no-rail", headers: { "x-request-id": requestId } },
      );
      expect(answer.json.details).toMatchObject({ rail: "ACH", requestId });
      expect(answer.headers.get("idempotent-replayed")).toBeNull();
    }
  });
});
