/** What becomes of customers when their platform enables a currency, and what the providers of a currency ask for. */
import { afterEach, describe, expect, it } from "vitest";
import { customerInfoFields } from "../../../src/domain/customers/customer-info.ts";
import { providerFieldsOf } from "../../../src/domain/provider-fields.ts";
import { currencies as allCurrencies } from "../../../src/money/currency.ts";
import { endReceivers } from "../../kit/receivers.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { listenTo, setEndpoint } from "../../kit/story-webhooks.ts";

const server = await sharedServer();
afterEach(endReceivers);

/** How many groups of customers have been gone through. */
async function pagesOf({ platformId }: Story): Promise<number> {
  const { rows } = await server.database.asSuperuser((client) =>
    client.query("select 1 from command_log where platform_id = $1 and name = $2", [
      platformId,
      "extend-currencies",
    ]),
  );
  return rows.length;
}

async function support(story: Story, ...codes: string[]): Promise<RawAnswer> {
  const answer = await story.call("PATCH", "/config", {
    supportedCurrencies: codes.map((currencyCode) => ({
      currencyCode,
      minAmount: 1,
      maxAmount: 1_000_000,
      requiredCounterpartyFields: [],
      enabledTransactionTypes: ["INCOMING", "OUTGOING"],
    })),
  });
  await story.settle();
  return answer;
}

const person = (story: Story, more: object = {}) =>
  story.call("POST", "/customers", { customerType: "INDIVIDUAL", ...more });

async function holds(story: Story, customerId: string) {
  const customer = await story.call("GET", `/customers/${customerId}`);
  const accounts = await story.call(
    "GET",
    `/customers/internal-accounts?customerId=${customerId}&limit=100`,
  );
  const held: readonly string[] = accounts.json.data.map(
    (account: RawAnswer["json"]) => account.balance.currency.code,
  );
  return { currencies: customer.json.currencies as readonly string[], held: [...held].sort() };
}

describe("a currency that a platform enables", () => {
  it("is added with an account to customers without a choice of their own, and to no other", async () => {
    const story = await openStory(server);
    await support(story, "USD");
    const [open, chose, gone] = [
      (await person(story)).json.id,
      (await person(story, { currencies: ["USD"] })).json.id,
      (await person(story)).json.id,
    ];
    await story.call("DELETE", `/customers/${gone}`);
    await support(story, "USD", "KES", "GBP");
    expect(await holds(story, open)).toEqual({
      currencies: ["USD", "KES", "GBP"],
      held: ["GBP", "KES", "USD"],
    });
    expect(await holds(story, chose)).toEqual({ currencies: ["USD"], held: ["USD"] });
    expect(await holds(story, gone)).toEqual({ currencies: ["USD"], held: ["USD"] });
  });

  it("reaches all of many customers, each once, page by page", async () => {
    const story = await openStory(server);
    await support(story, "USD");
    const made = await Promise.all(Array.from({ length: 120 }, () => person(story)));
    await Promise.all([support(story, "USD", "KES"), support(story, "USD", "KES", "GBP")]);
    const now = (await story.call("GET", "/config")).json.supportedCurrencies;
    await support(story, ...now.map((one: { currencyCode: string }) => one.currencyCode));
    const list = await story.call("GET", "/customers/internal-accounts?currency=KES&limit=1");
    expect(list.json.totalCount).toBe(made.length);
    expect(await pagesOf(story)).toBeGreaterThanOrEqual(3);
    const { rows: jobs } = await server.database.asSuperuser((client) =>
      client.query("select 1 from jobs where platform_id = $1", [story.platformId]),
    );
    expect(jobs).toEqual([]);
  });

  it("goes on from page to page once, though its jobs run twice", async () => {
    const story = await openStory(server);
    await support(story, "USD");
    await Promise.all(Array.from({ length: 120 }, () => person(story)));
    const before = await pagesOf(story);
    await support(story, "USD", "KES");
    expect((await pagesOf(story)) - before).toBe(3);
  });

  it("is added to customers created meanwhile, and stays when the platform removes it", async () => {
    const story = await openStory(server);
    await support(story, "USD", "KES");
    const { json } = await person(story);
    await support(story, "USD");
    expect((await holds(story, json.id)).held).toEqual(["KES", "USD"]);
    await support(story, "USD", "KES");
    expect((await holds(story, json.id)).held).toEqual(["KES", "USD"]);
  });

  it("is no longer inferred by a customer who chooses", async () => {
    const story = await openStory(server);
    await support(story, "USD", "EUR");
    const { json } = await person(story);
    await story.call("PATCH", `/customers/${json.id}`, {
      customerType: "INDIVIDUAL",
      currencies: ["EUR"],
    });
    await support(story, "USD", "EUR", "KES");
    expect(await holds(story, json.id)).toEqual({ currencies: ["EUR"], held: ["EUR", "USD"] });
  });

  it("reaches businesses too", async () => {
    const story = await openStory(server);
    await support(story, "USD");
    const businessInfo = {
      legalName: "Lind Boats LLC",
      country: "US",
      taxId: "1",
      incorporatedOn: "2015-06-01",
    };
    const firm = await story.call("POST", "/customers", { customerType: "BUSINESS", businessInfo });
    await support(story, "USD", "INR", "AED");
    expect((await holds(story, firm.json.id)).held).toEqual(["INR", "USD"]);
  });
});

const whole = {
  fullName: "Ana Ruiz",
  birthDate: "1991-02-03",
  nationality: "MX",
  address: { line1: "1", postalCode: "2", country: "MX" },
  idType: "ITIN",
  identifier: "9-1",
};
/** The field of a person that a provider's field is. */
const fieldOf: Readonly<Record<string, keyof typeof whole>> = {
  FULL_NAME: "fullName",
  BIRTH_DATE: "birthDate",
  NATIONALITY: "nationality",
  POSTAL_ADDRESS: "address",
  TAX_ID: "identifier",
};

const currenciesWithProviderFields = allCurrencies
  .map(({ code }) => code)
  .filter((code) => providerFieldsOf(code).customer.length > 0);

describe("the fields that a provider asks for", () => {
  it("are shown with the currency, and only where there are any", async () => {
    const story = await openStory(server);
    const { json } = await support(story, "USD", "INR");
    const [usd, inr] = json.supportedCurrencies;
    expect(usd).not.toHaveProperty("providerRequiredCustomerFields");
    expect(usd).not.toHaveProperty("providerRequiredCounterpartyCustomerFields");
    expect(inr).toMatchObject({
      providerRequiredCustomerFields: ["FULL_NAME", "BIRTH_DATE", "NATIONALITY"],
      providerRequiredCounterpartyCustomerFields: ["FULL_NAME"],
    });
    expect((await story.call("GET", "/config")).json).toEqual(json);
  });

  it("are names that the API knows", () => {
    for (const currency of currenciesWithProviderFields) {
      const { customer, counterparty } = providerFieldsOf(currency);
      expect(customerInfoFields).toEqual(expect.arrayContaining([...customer, ...counterparty]));
    }
  });

  it.each(currenciesWithProviderFields)(
    "in %s are had by each who chooses it",
    async (currency) => {
      const story = await openStory(server);
      await support(story, "USD", currency);
      const currencies = ["USD", currency];
      for (const name of providerFieldsOf(currency).customer) {
        const refused = await person(story, {
          ...whole,
          [fieldOf[name] ?? name]: undefined,
          currencies,
        });
        expect(refused).toMatchObject({
          status: 400,
          json: {
            code: "MISSING_MANDATORY_USER_INFO",
            details: { field: "currencies", missing: [{ currency, fields: [name] }] },
          },
        });
      }
      const made = await person(story, { ...whole, currencies });
      expect((await holds(story, made.json.id)).held).toEqual([...currencies].sort());
      const later = await person(story, { currencies: ["USD"] });
      const path = `/customers/${later.json.id}`;
      const asked = await story.call("PATCH", path, { customerType: "INDIVIDUAL", currencies });
      expect(asked.json.code).toBe("MISSING_MANDATORY_USER_INFO");
      const known = await story.call("PATCH", path, {
        customerType: "INDIVIDUAL",
        currencies,
        ...whole,
      });
      expect([known.status, known.json.currencies]).toEqual([200, currencies]);
    },
  );

  it("keep a currency from those who did not choose until they have them", async () => {
    const story = await openStory(server);
    await support(story, "USD", "INR");
    const { json } = await person(story, { fullName: "Ana Ruiz" });
    expect(json.currencies).toEqual(["USD"]);
    await support(story, "USD", "INR", "PHP");
    expect((await holds(story, json.id)).held).toEqual(["USD"]);
    const { birthDate, nationality } = whole;
    const known = await story.call("PATCH", `/customers/${json.id}`, {
      customerType: "INDIVIDUAL",
      birthDate,
      nationality,
    });
    expect(known.json.currencies).toEqual(["USD", "INR", "PHP"]);
    expect((await holds(story, json.id)).held).toEqual(["INR", "PHP", "USD"]);
  });
});

describe("the region of a customer who did not choose", () => {
  it("leaves other countries' money out, whether it is known well enough at once or later", async () => {
    const story = await openStory(server);
    await support(story, "USD", "EUR", "BRL");
    const { fullName, identifier } = whole;
    const [atOnce, later] = [
      await person(story, { region: "BR", fullName, identifier }),
      await person(story, { region: "BR" }),
    ];
    expect([later.status, later.json.currencies]).toEqual([201, []]);
    await story.call("PATCH", `/customers/${later.json.id}`, {
      customerType: "INDIVIDUAL",
      fullName,
      identifier,
    });
    for (const { json } of [atOnce, later]) {
      expect(await holds(story, json.id)).toEqual({ currencies: ["BRL"], held: ["BRL"] });
    }
  });
});

describe("a webhook endpoint that answered 410", () => {
  it("gets the missed events when the same address is set again, without another TEST", async () => {
    const story = await openStory(server);
    let status = 410;
    const receiver = await listenTo(story, () => status);
    await receiver.received(1);
    await receiver.events();
    await person(story, { fullName: "Ana Ruiz" });
    await receiver.events();
    expect(receiver.deliveries.map(({ type }) => type)).toEqual(["TEST"]);
    status = 200;
    await setEndpoint(story, receiver.url);
    await receiver.received(2);
    const delivered = await receiver.events();
    expect(delivered.map(({ type }) => type)).toContain("CUSTOMER.KYC_APPROVED");
    const tests = receiver.deliveries.filter(({ type }) => type === "TEST");
    expect(new Set(tests.map(({ id }) => id)).size).toBe(1);
  });
});
