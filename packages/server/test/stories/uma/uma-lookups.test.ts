/** Who can be paid where: counterparties of the sandbox, customers of every sandbox platform, external accounts. */
import { beforeAll, describe, expect, it } from "vitest";
import { createLookupIds, LOOKUP_LIFETIME_MS } from "../../../src/domain/uma/lookup-ids.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { advance } from "../../kit/story-money.ts";
import { euroAccount } from "../../kit/story-quotes.ts";

const server = await sharedServer();
let story: Story;
let other: Story;
let sandboxDomain: string;
beforeAll(async () => {
  story = await openStory(server);
  other = await openStory(server);
  sandboxDomain = `sandbox.${(await story.call("GET", "/config")).json.umaDomain}`;
});

const LOOKUP_ID = /^Lookup:[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function look(address: string, query = "", from = story) {
  return from.call("GET", `/receiver/uma/${encodeURIComponent(address)}${query}`);
}

const currencies = (answer: { readonly json: { readonly supportedCurrencies: unknown[] } }) =>
  answer.json.supportedCurrencies.map((each) => {
    const { currency, ...rest } = each as { readonly currency: { readonly code: string } };
    return { ...rest, currency: currency.code };
  });

describe("a counterparty of the sandbox", () => {
  it.each([
    ["success.usd", "USD", 1],
    ["success.eur", "EUR", 0.92],
    ["success.mxn", "MXN", 17.25],
    ["pending.long.usd", "USD", 1],
    ["fail.compliance.usd", "USD", 1],
  ])("$%s takes %s, at receiving units per sending unit", async (name, code, rate) => {
    const found = await look(`$${name}@${sandboxDomain}`);
    expect(found.status).toBe(200);
    expect(found.json).toEqual({
      receiverUmaAddress: `$${name}@${sandboxDomain}`,
      lookupId: expect.stringMatching(LOOKUP_ID),
      supportedCurrencies: [
        {
          currency: expect.objectContaining({ code, decimals: 2 }),
          estimatedExchangeRate: rate,
          min: 1,
          max: 100_000_000_000,
        },
      ],
      requiredPayerDataFields: [
        { name: "FULL_NAME", mandatory: false },
        { name: "BIRTH_DATE", mandatory: false },
        { name: "NATIONALITY", mandatory: false },
      ],
    });
  });

  it("is found whatever the case and however the path is encoded", async () => {
    const plain = `$success.eur@${sandboxDomain}`;
    for (const written of [
      plain,
      encodeURIComponent(plain),
      encodeURIComponent(plain.toUpperCase()),
      plain.replace("$", "%24"),
      plain.replace("@", "%40"),
      plain.replaceAll(".", "%2E"),
    ]) {
      const found = await story.call("GET", `/receiver/uma/${written}`);
      expect([written, found.status]).toEqual([written, 200]);
      expect(found.json.receiverUmaAddress).toBe(plain);
    }
  });

  it("of another platform's domain, or of production, is unknown", async () => {
    const production = await openStory(server, { environment: "PRODUCTION" });
    const { umaDomain } = (await production.call("GET", "/config")).json;
    for (const domain of [sandboxDomain, `sandbox.${umaDomain}`]) {
      // Elsewhere for a production platform, and this one has no domain that is served.
      const { status, json } = await look(`$success.usd@${domain}`, "", production);
      expect([status, json.details.rule]).toEqual([409, "UMA_DOMAIN_NOT_ACTIVE"]);
    }
    const answers = [
      await look(`$success.usd@${sandboxDomain}`, "", other),
      await look(`$success.usd@${umaDomain}`, "", production),
      await look(`$non.existent.usd@${sandboxDomain}`),
      await look(`$success.usd@${sandboxDomain.replace("sandbox.", "")}`),
      await look("$somebody@elsewhere.test"),
    ];
    for (const { status, json } of answers) {
      expect([status, json.code]).toEqual([404, "UMA_NOT_FOUND"]);
    }
  });

  it.each([
    "success.usd",
    "$",
    "$@x.test",
    "$a b@x.test",
    "$a@x",
    "$a@b@c.test",
    "$ä@x.test",
    "$\u212aana@x.test",
    "$ana@\u212aana.test",
    "~",
  ])("is not looked up at %j, which is no address", async (address) => {
    const refused = await look(address, "?senderUmaAddress=nobody");
    expect([refused.status, refused.json.code]).toEqual([400, "INVALID_UMA_ADDRESS"]);
    const fields = refused.json.details.errors.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(["receiverUmaAddress", "senderUmaAddress"]);
  });
});

describe("a customer", () => {
  const limits = (code: string, more: object = {}) => ({
    currencyCode: code,
    minAmount: 0,
    maxAmount: 500_000,
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ["INCOMING", "OUTGOING"],
    ...more,
  });

  it("of another platform is a receiver in the currencies that come in there, within its limits", async () => {
    const theirs = await openStory(server);
    await theirs.call("PATCH", "/config", {
      supportedCurrencies: [
        limits("EUR", { requiredCounterpartyFields: [{ name: "FULL_NAME", mandatory: false }] }),
        limits("USD", {
          requiredCounterpartyFields: [
            { name: "FULL_NAME", mandatory: true },
            { name: "TAX_ID", mandatory: false },
          ],
        }),
        limits("MXN", { enabledTransactionTypes: ["OUTGOING"] }),
        limits("GBP", { maxAmount: 0 }),
      ],
    });
    const { umaAddress } = (
      await theirs.call("POST", "/customers", {
        customerType: "INDIVIDUAL",
        currencies: ["EUR", "USD", "MXN", "GBP"],
      })
    ).json;
    const found = await look(umaAddress);
    expect(found.status).toBe(200);
    expect(currencies(found)).toEqual([
      { currency: "EUR", estimatedExchangeRate: 0.92, min: 1, max: 500_000 },
      { currency: "USD", estimatedExchangeRate: 1, min: 1, max: 500_000 },
    ]);
    expect(found.json.requiredPayerDataFields).toEqual([
      { name: "FULL_NAME", mandatory: true },
      { name: "TAX_ID", mandatory: false },
    ]);
    expect(found.text).not.toContain("Customer:");
  });

  it("is unknown while not ready, once deleted, under a former address, and from production", async () => {
    const make = async (more: object) =>
      (await other.call("POST", "/customers", { customerType: "INDIVIDUAL", ...more })).json;
    const notReady = await make({ fullName: "Ana Ruiz002" });
    const deleted = await make({});
    await other.call("DELETE", `/customers/${deleted.id}`);
    const moved = await make({});
    const { umaDomain } = (await other.call("GET", "/config")).json;
    const umaAddress = `$moved@${umaDomain}`;
    await other.call("PATCH", `/customers/${moved.id}`, { customerType: "INDIVIDUAL", umaAddress });
    for (const address of [notReady, deleted, moved].map((one) => one.umaAddress)) {
      const { status, json } = await look(address);
      expect([status, json.code]).toEqual([404, "UMA_NOT_FOUND"]);
    }
    expect((await look(umaAddress)).status).toBe(200);
    const production = await openStory(server, { environment: "PRODUCTION" });
    expect((await look(umaAddress, "", production)).status).toBe(409);
  });
});

describe("the payer", () => {
  it("decides what rates are from, by id or by address", async () => {
    const payer = (
      await story.call("POST", "/customers", { customerType: "INDIVIDUAL", currencies: ["MXN"] })
    ).json;
    const receiver = `$success.usd@${sandboxDomain}`;
    const sender = encodeURIComponent(payer.umaAddress.toUpperCase());
    for (const query of [
      `?customerId=${payer.id}`,
      `?senderUmaAddress=${sender}`,
      `?customerId=${payer.id}&senderUmaAddress=${sender}`,
    ]) {
      const found = await look(receiver, query);
      expect([query, found.status]).toEqual([query, 200]);
      expect(currencies(found)[0]).toMatchObject({ estimatedExchangeRate: 0.057971014493 });
    }
  });

  it("must be a live customer of the platform, and one", async () => {
    const receiver = `$success.usd@${sandboxDomain}`;
    const foreign = await fundedCustomer(other, 0);
    const foreignAddress = (await other.call("GET", `/customers/${foreign.customerId}`)).json
      .umaAddress;
    const gone = (await story.call("POST", "/customers", { customerType: "INDIVIDUAL" })).json;
    await story.call("DELETE", `/customers/${gone.id}`);
    const one = (await story.call("POST", "/customers", { customerType: "INDIVIDUAL" })).json;
    const two = (await story.call("POST", "/customers", { customerType: "INDIVIDUAL" })).json;
    const rows: readonly (readonly [query: object, status: number, code: string])[] = [
      [{ customerId: foreign.customerId }, 404, "USER_NOT_FOUND"],
      [{ senderUmaAddress: foreignAddress }, 404, "USER_NOT_FOUND"],
      [{ customerId: gone.id }, 410, "CUSTOMER_DELETED"],
      [{ senderUmaAddress: gone.umaAddress }, 404, "USER_NOT_FOUND"],
      [{ customerId: "Customer:1" }, 400, "INVALID_INPUT"],
      [{ senderUmaAddress: "nobody" }, 400, "INVALID_UMA_ADDRESS"],
      [{ customerId: one.id, senderUmaAddress: two.umaAddress }, 400, "INVALID_INPUT"],
    ];
    for (const [query, status, code] of rows) {
      const answer = await look(receiver, `?${new URLSearchParams({ ...query })}`);
      expect([query, answer.status, answer.json.code]).toEqual([query, status, code]);
    }
  });

  it("who has nothing that may go out finds no currency", async () => {
    const poor = await openStory(server);
    const { supportedCurrencies, umaDomain } = (await poor.call("GET", "/config")).json;
    await poor.call("PATCH", "/config", {
      supportedCurrencies: supportedCurrencies.map((each: object) => ({
        ...each,
        enabledTransactionTypes: ["INCOMING"],
      })),
    });
    const found = await look(`$success.usd@sandbox.${umaDomain}`, "", poor);
    expect([found.status, found.json.supportedCurrencies]).toEqual([200, []]);
  });
});

describe("an external account", () => {
  it("receives in its own currency", async () => {
    const { customerId } = await fundedCustomer(story, 0);
    const accountId = await bankAccount(story, { customerId });
    for (const id of [accountId, encodeURIComponent(accountId), await bankAccount(story)]) {
      const found = await story.call("GET", `/receiver/external-account/${id}`);
      expect(found.status).toBe(200);
      expect(found.json).toEqual({
        accountId: decodeURIComponent(id),
        lookupId: expect.stringMatching(LOOKUP_ID),
        supportedCurrencies: [
          {
            currency: expect.objectContaining({ code: "USD" }),
            estimatedExchangeRate: 1,
            min: 1,
            max: 100_000_000_000,
          },
        ],
      });
    }
  });

  it("has no rate from another currency in production without a source of rates", async () => {
    const production = await openStory(server, { environment: "PRODUCTION" });
    const rates = await Promise.all(
      [await bankAccount(production), await euroAccount(production)].map(async (id) => {
        const found = await production.call("GET", `/receiver/external-account/${id}`);
        expect(found.status).toBe(200);
        return found.json.supportedCurrencies.map(
          ({ estimatedExchangeRate }: { readonly estimatedExchangeRate: number }) =>
            estimatedExchangeRate,
        );
      }),
    );
    expect(rates).toEqual([[1], []]);
  });

  it("is not found when it is another platform's, deleted, or none", async () => {
    const { customerId } = await fundedCustomer(story, 0);
    const deleted = await bankAccount(story, { customerId });
    await story.call("DELETE", `/customers/external-accounts/${deleted}`);
    const rows = [await bankAccount(other), deleted, "ExternalAccount:1", "x"];
    for (const id of rows) {
      const answer = await story.call("GET", `/receiver/external-account/${id}`);
      expect([id, answer.status, answer.json.code]).toEqual([id, 404, "REFERENCE_NOT_FOUND"]);
    }
  });
});

describe("the id of a lookup", () => {
  const ids = createLookupIds(Buffer.alloc(32, 7));
  const binding = { platformId: "p", receiver: "$a@x.test" };
  const at = Date.UTC(2026, 10, 21);

  it("counts for its platform and receiver, for ten minutes of the platform's time", () => {
    const id = ids.make(binding, at);
    expect(LOOKUP_LIFETIME_MS).toBe(600_000);
    expect(ids.judge(id, binding)).toEqual({ kind: "made", expiresAt: at + 600_000 });
    expect(ids.judge(id, { ...binding, platformId: "q" })).toEqual({ kind: "unknown" });
    expect(ids.judge(id, { ...binding, receiver: "$b@x.test" })).toEqual({ kind: "unknown" });
    const others = createLookupIds(Buffer.alloc(32, 8));
    expect(others.judge(id, binding)).toEqual({ kind: "unknown" });
  });

  it("cannot be altered anywhere, its time least of all", () => {
    const id = ids.make(binding, at);
    for (const [index, letter] of [...id].entries()) {
      const altered = `${id.slice(0, index)}${letter === "0" ? "1" : "0"}${id.slice(index + 1)}`;
      expect(ids.judge(altered, binding)).toEqual({ kind: "unknown" });
    }
    for (const text of ["", "x", id.toUpperCase(), `${id} `, id.replaceAll("-", "")]) {
      expect(ids.judge(text, binding)).toEqual({ kind: "unknown" });
    }
  });

  it("has the platform's time", async () => {
    const own = await openStory(server);
    await advance(own, 86_400);
    const { umaDomain } = (await own.call("GET", "/config")).json;
    const before = Date.parse((await own.call("GET", "/sandbox/clock")).json.now);
    const { lookupId } = (await look(`$success.usd@sandbox.${umaDomain}`, "", own)).json;
    const after = Date.parse((await own.call("GET", "/sandbox/clock")).json.now);
    const madeAt = Number.parseInt(lookupId.slice(7, 15) + lookupId.slice(16, 20), 16);
    expect(madeAt).toBeGreaterThanOrEqual(before);
    expect(madeAt).toBeLessThanOrEqual(after);
  });
});
