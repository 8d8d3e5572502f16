import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { customerInfoFields } from "../../../src/domain/customers/customer-info.ts";
import { eventsOf } from "../../kit/platform-rows.ts";
import { endReceivers, httpReceiver } from "../../kit/receivers.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let story: Story;
beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
});
afterEach(endReceivers);
afterAll(() => server.close());

const change = (body: unknown, on = story): Promise<RawAnswer> => on.call("PATCH", "/config", body);
const read = async (on = story) => (await on.call("GET", "/config")).json;

function currency(currencyCode: string, more: object = {}) {
  return {
    currencyCode,
    minAmount: 1,
    maxAmount: 1_000_000,
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ["INCOMING", "OUTGOING"],
    ...more,
  };
}

/** The fields that the refusal names. */
const named = (answer: RawAnswer): readonly string[] =>
  answer.json.details.errors.map(({ field }: { field: string }) => field);

describe("the configuration of a new platform", () => {
  it("has every field, and moves six currencies both ways", async () => {
    const fresh = await openStory(server, { umaDomain: "fresh.example" });
    const config = await read(fresh);
    const both = ["INCOMING", "OUTGOING"];
    expect(config).toEqual({
      id: `PlatformConfig:${fresh.platformId}`,
      umaDomain: "fresh.example",
      proxyUmaSubdomain: "fresh",
      webhookEvents: "STANDARD",
      supportedCurrencies: ["USD", "EUR", "MXN", "BTC", "USDC", "USDB"].map((currencyCode) => ({
        currencyCode,
        minAmount: 1,
        maxAmount: 100_000_000_000,
        requiredCounterpartyFields: [],
        enabledTransactionTypes: both,
      })),
      isRegulatedFinancialInstitution: false,
      statementTimeZone: "UTC",
      unknownFields: "REFUSE",
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: config.createdAt,
    });
  });

  it("shows whether the platform is regulated, which cannot be changed", async () => {
    const regulated = await openStory(server, { isRegulated: true });
    expect((await read(regulated)).isRegulatedFinancialInstitution).toBe(true);
    await change({ unknownFields: "IGNORE" });
    const before = await read();
    const answer = await change({
      isRegulatedFinancialInstitution: true,
      id: "PlatformConfig:00000000-0000-7000-8000-000000000000",
      proxyUmaSubdomain: "other",
      createdAt: "2000-01-01T00:00:00Z",
      environment: "PRODUCTION",
    });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ ...before, updatedAt: answer.json.updatedAt });
    expect((await story.call("GET", "/sandbox/clock")).status).toBe(200);
  });
});

describe("changing the configuration", () => {
  it("leaves absent fields as they are", async () => {
    const fresh = await openStory(server);
    await change({ webhookEndpoint: "https://platform.example/a" }, fresh);
    const before = await read(fresh);
    const { json } = await change({ umaDomain: "moved.example" }, fresh);
    expect(json).toEqual({ ...before, umaDomain: "moved.example", updatedAt: json.updatedAt });
    expect(await read(fresh)).toEqual(json);
    const nothing = await change({}, fresh);
    expect({ ...nothing.json, updatedAt: "" }).toEqual({ ...json, updatedAt: "" });
  });

  it("refuses null: no field but the webhook endpoint can be taken away", async () => {
    const fields = ["umaDomain", "supportedCurrencies", "embeddedWalletConfig"];
    for (const field of fields) {
      const answer = await change({ [field]: null });
      expect([field, answer.status, named(answer)]).toEqual([field, 400, [field]]);
    }
  });

  it("changes all or nothing", async () => {
    const before = await read();
    const answer = await change({ umaDomain: "fine.example", webhookEndpoint: "ftp://x.example/" });
    expect([answer.status, named(answer)]).toEqual([400, ["webhookEndpoint"]]);
    expect(await read()).toEqual(before);
  });

  it("names all bad fields at once", async () => {
    const answer = await change({
      umaDomain: "no domain",
      webhookEndpoint: "nowhere",
      supportedCurrencies: [currency("USD", { minAmount: 5, maxAmount: 4 }), currency("USD")],
    });
    expect(named(answer)).toEqual([
      "umaDomain",
      "webhookEndpoint",
      "supportedCurrencies.0.minAmount",
      "supportedCurrencies.1.currencyCode",
    ]);
  });

  it("may leave one amount alone that can be sent", async () => {
    const own = await openStory(server);
    const supportedCurrencies = [currency("USD", { minAmount: 5, maxAmount: 5 })];
    const answer = await own.call("PATCH", "/config", { supportedCurrencies });
    expect([answer.status, answer.json.supportedCurrencies?.[0]?.maxAmount]).toEqual([200, 5]);
  });

  it("names those that do not fit together with those that cannot be", async () => {
    const answer = await change({
      umaDomain: 7,
      webhookEndpoint: "nowhere",
      supportedCurrencies: [currency("NOPE"), currency("USD", { minAmount: "5" }), currency("USD")],
      embeddedWalletConfig: [],
    });
    expect([answer.json.code, named(answer)]).toEqual([
      "INVALID_INPUT",
      [
        "umaDomain",
        "supportedCurrencies.1.minAmount",
        "embeddedWalletConfig",
        "webhookEndpoint",
        "supportedCurrencies.0.currencyCode",
        "supportedCurrencies.2.currencyCode",
      ],
    ]);
  });
});

describe("the UMA domain", () => {
  it("is kept in lower case and gives new customers their addresses", async () => {
    const fresh = await openStory(server);
    expect((await change({ umaDomain: "Pay.Example.COM" }, fresh)).json.umaDomain).toBe(
      "pay.example.com",
    );
    const customer = await fresh.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    expect(customer.json.umaAddress).toMatch(/^\$.+@pay\.example\.com$/);
  });

  it("is a domain name", async () => {
    for (const umaDomain of [
      "localhost",
      "https://a.example",
      "a.example/",
      "$a@b.example",
      "-a.example",
      "a..example",
      "a.example.",
      "ä.example",
      "\u212aana.example",
      "a.example:0",
      "a.example:8080",
      "a b.example",
      `${"a".repeat(64)}.example`,
    ]) {
      const answer = await change({ umaDomain });
      expect([umaDomain, answer.status]).toEqual([umaDomain, 400]);
      expect(named(answer)).toEqual(["umaDomain"]);
    }
  });
});

describe("the sandbox domain of a platform", () => {
  const taken = { status: 409, json: { code: "UMA_ADDRESS_EXISTS" } };

  it("cannot be claimed, not even by the platform itself", async () => {
    const lived = await openStory(server, { umaDomain: "lived.example" });
    for (const platform of [lived, story]) {
      const before = await read(platform);
      const answer = await change({ umaDomain: "Sandbox.Lived.Example" }, platform);
      expect(answer).toMatchObject(taken);
      expect(await read(platform)).toEqual(before);
    }
    const { json } = await lived.call("GET", "/receiver/uma/$success.usd@sandbox.lived.example");
    expect(json.receiverUmaAddress).toBe("$success.usd@sandbox.lived.example");
  });

  it("is claimed with the platform: where it is taken, none is made", async () => {
    const fresh = await openStory(server);
    expect((await change({ umaDomain: "sandbox.late.example" }, fresh)).status).toBe(200);
    const heads = () =>
      server.app.store.database.withClient(async (client) => {
        const { rows } = await client.query(
          "select platform_id, seq from platform_heads order by 1",
        );
        return rows as readonly object[];
      });
    const before = await heads();
    await expect(server.makePlatform({ umaDomain: "late.example" })).rejects.toThrow(
      "new platform",
    );
    expect(await heads()).toEqual(before);
    const real = { umaDomain: "late.example", environment: "PRODUCTION" } as const;
    expect((await server.makePlatform(real)).sandboxUmaDomain).toBeNull();
  });
});

describe("the supported currencies", () => {
  it("are replaced as a whole, with every field", async () => {
    const fresh = await openStory(server);
    const list = [
      currency("JPY", {
        minAmount: 0,
        maxAmount: 9_000_000_000_000_000,
        requiredCounterpartyFields: customerInfoFields.map((name, index) => ({
          name,
          mandatory: index % 2 === 0,
        })),
        enabledTransactionTypes: ["OUTGOING"],
      }),
      currency("USD", { enabledTransactionTypes: ["INCOMING"] }),
    ];
    const { json } = await change({ supportedCurrencies: list }, fresh);
    expect(json.supportedCurrencies).toEqual(list);
    expect((await read(fresh)).supportedCurrencies).toEqual(list);
  });

  it("drop unknown fields where the platform ignores them", async () => {
    const fresh = await openStory(server);
    await change({ unknownFields: "IGNORE" }, fresh);
    const more = {
      providerRequiredCustomerFields: ["BIRTH_DATE"],
      note: "x",
      requiredCounterpartyFields: [{ name: "FULL_NAME", mandatory: true, note: "x" }],
    };
    const { json, text } = await change({ supportedCurrencies: [currency("USD", more)] }, fresh);
    expect(json.supportedCurrencies[0].requiredCounterpartyFields).toEqual([
      { name: "FULL_NAME", mandatory: true },
    ]);
    expect(text).not.toMatch(/note|BIRTH_DATE/);
  });

  it("give the platform an account for each new one, and take none away", async () => {
    const fresh = await openStory(server);
    const held = async () => {
      const { json } = await fresh.call("GET", "/platform/internal-accounts");
      const accounts = json.data as { id: string; balance: { currency: { code: string } } }[];
      return new Map(accounts.map(({ id, balance }) => [balance.currency.code, id]));
    };
    const before = await held();
    expect([...before.keys()].sort()).toEqual(["BTC", "EUR", "MXN", "USD", "USDB", "USDC"]);
    await change({ supportedCurrencies: [currency("KES"), currency("USD")] }, fresh);
    const after = await held();
    expect([...after.keys()].sort()).toEqual(["BTC", "EUR", "KES", "MXN", "USD", "USDB", "USDC"]);
    for (const [code, id] of before) expect(after.get(code)).toBe(id);
    await change({ supportedCurrencies: [currency("USD"), currency("EUR")] }, fresh);
    expect(await held()).toEqual(after);
  });

  it("give one account each when they are set many times at once", async () => {
    const fresh = await openStory(server);
    const wish = { supportedCurrencies: [currency("USD"), currency("KES")] };
    const answers = await Promise.all(Array.from({ length: 10 }, () => change(wish, fresh)));
    for (const { status } of answers) expect(status).toBe(200);
    const { json } = await fresh.call("GET", "/platform/internal-accounts?currency=KES");
    expect(json.data).toHaveLength(1);
  });

  it("decide what a customer can hold", async () => {
    const fresh = await openStory(server);
    await change({ supportedCurrencies: [currency("EUR")] }, fresh);
    const person = { customerType: "INDIVIDUAL" };
    const customer = await fresh.call("POST", "/customers", person);
    expect(customer.json.currencies).toEqual(["EUR"]);
    const refused = await fresh.call("POST", "/customers", { ...person, currencies: ["USD"] });
    expect(refused).toMatchObject({ status: 400, json: { code: "INVALID_CURRENCY" } });
  });

  it("are currencies that exist, each once, in upper case", async () => {
    for (const code of ["XXX", "usd", "Usd", "US", "DOLLAR", "__proto__", "toString"]) {
      const answer = await change({ supportedCurrencies: [currency("USD"), currency(code)] });
      expect([code, answer.status, answer.json.code]).toEqual([code, 400, "INVALID_CURRENCY"]);
    }
    const twice = await change({ supportedCurrencies: [currency("USD"), currency("USD")] });
    expect(twice).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
    const none = await change({ supportedCurrencies: [] });
    expect([none.status, named(none)]).toEqual([400, ["supportedCurrencies"]]);
  });

  it("refuse an amount that cannot be one by its own code", async () => {
    for (const amount of [-1, 1.5, "1"]) {
      const supportedCurrencies = [currency("USD", { minAmount: amount })];
      const { status, json } = await change({ supportedCurrencies });
      expect([status, json.code]).toEqual([400, "INVALID_AMOUNT"]);
    }
  });

  it("say nothing of the least amount beside a most that cannot be one", async () => {
    for (const maxAmount of [-5, 0.5, "0", 9_000_000_000_000_001]) {
      const answer = await change({ supportedCurrencies: [currency("USD", { maxAmount })] });
      expect([answer.json.code, named(answer)]).toEqual([
        "INVALID_AMOUNT",
        ["supportedCurrencies.0.maxAmount"],
      ]);
    }
  });

  it.each([
    ["currencyCode", [undefined, null, 5, ""]],
    ["minAmount", [undefined, null, -1, 1.5, "1", 9_000_000_000_000_001]],
    ["maxAmount", [undefined, null, -1, 1.5, "1", 9_000_000_000_000_001]],
    ["requiredCounterpartyFields", [undefined, null, "FULL_NAME", [{}], [{ name: "FULL_NAME" }]]],
    [
      "requiredCounterpartyFields",
      [[true, false].map((mandatory) => ({ name: "FULL_NAME", mandatory }))],
    ],
    ["requiredCounterpartyFields", [[{ name: "SHOE_SIZE", mandatory: true }], ["FULL_NAME"]]],
    ["enabledTransactionTypes", [undefined, null, [], ["SIDEWAYS"], ["INCOMING", "INCOMING"]]],
  ])("need a right %s", async (field, values: readonly unknown[]) => {
    for (const value of values) {
      const answer = await change({ supportedCurrencies: [currency("USD", { [field]: value })] });
      expect([value, answer.status]).toEqual([value, 400]);
      expect(named(answer)[0]).toMatch(new RegExp(`^supportedCurrencies\\.0\\.${field}`));
    }
  });
});

describe("the wallet configuration", () => {
  it("is absent until it is set, then merged field by field", async () => {
    const fresh = await openStory(server);
    expect(await read(fresh)).not.toHaveProperty("embeddedWalletConfig");
    const full = {
      appName: "Wallet",
      otpLength: 8,
      alphanumeric: true,
      expirationSeconds: 600,
      sendFromEmailAddress: "codes@platform.example",
      replyToEmailAddress: "help@platform.example",
      sendFromEmailSenderName: "Codes",
      logoUrl: "https://platform.example/logo.png",
    };
    await change({ embeddedWalletConfig: { appName: "Old", otpLength: 4 } }, fresh);
    expect((await read(fresh)).embeddedWalletConfig).toEqual({ appName: "Old", otpLength: 4 });
    const merged = await change({ embeddedWalletConfig: { otpLength: 12 } }, fresh);
    expect(merged.json.embeddedWalletConfig).toEqual({ appName: "Old", otpLength: 12 });
    const set = await change({ embeddedWalletConfig: full }, fresh);
    expect(set.json.embeddedWalletConfig).toEqual(full);
    expect((await change({ embeddedWalletConfig: {} }, fresh)).json.embeddedWalletConfig).toEqual(
      full,
    );
  });
});

describe("the wallet configuration's fields", () => {
  const wallet = (field: string, value: unknown) => ({ embeddedWalletConfig: { [field]: value } });

  it.each([
    ["appName", ["a".repeat(255)], ["a".repeat(256), 5, null]],
    ["otpLength", [4, 12], [3, 13, 4.5, "6", null]],
    ["alphanumeric", [true, false], ["true", 1, null]],
    ["expirationSeconds", [1, 86_400], [0, 86_401, 1.5, "300", null]],
    ["sendFromEmailAddress", ["codes@platform.example"], ["codes", "a@", 5, null]],
    ["replyToEmailAddress", ["help@platform.example"], ["help", "a b@x.example", null]],
    ["sendFromEmailSenderName", ["b".repeat(255)], ["b".repeat(256), {}, null]],
    [
      "logoUrl",
      ["https://platform.example/logo.png?x=1"],
      [
        "https://",
        "https://user:pass@platform.example/logo.png",
        "http://platform.example/logo.png",
        "javascript:alert(1)",
        `https://platform.example/${"a".repeat(512)}`,
        "logo.png",
        null,
      ],
    ],
  ] as const)("take and refuse a right and a wrong %s", async (field, right, wrong) => {
    const fresh = await openStory(server);
    for (const value of right) {
      const { json } = await change(wallet(field, value), fresh);
      expect(json.embeddedWalletConfig).toEqual({ [field]: value });
    }
    const before = await read(fresh);
    for (const value of wrong) {
      const answer = await change(wallet(field, value), fresh);
      expect([value, answer.status]).toEqual([value, 400]);
      expect(named(answer)).toEqual([`embeddedWalletConfig.${field}`]);
    }
    expect(await read(fresh)).toEqual(before);
  });
});

describe("the webhook endpoint", () => {
  it("gets a TEST event when it is set, and again when it becomes another one", async () => {
    const fresh = await openStory(server);
    const tests = async () => (await eventsOf(fresh)).filter(({ type }) => type === "TEST").length;
    await change({ webhookEndpoint: "https://one.example/hook" }, fresh);
    expect(await tests()).toBe(1);
    await change({ webhookEndpoint: "https://one.example/hook", umaDomain: "x.example" }, fresh);
    await change({ umaDomain: "y.example" }, fresh);
    expect(await tests()).toBe(1);
    await change({ webhookEndpoint: "https://two.example/hook" }, fresh);
    expect(await tests()).toBe(2);
  });

  it("is taken away by null, and gets a TEST event when it is set again", async () => {
    const fresh = await openStory(server);
    const endpoint = { webhookEndpoint: "https://one.example/hook" };
    const types = async () => (await eventsOf(fresh)).map(({ type }) => type);
    await change(endpoint, fresh);
    const without = await change({ webhookEndpoint: null }, fresh);
    expect(without.status).toBe(200);
    expect(without.json).not.toHaveProperty("webhookEndpoint");
    expect(await read(fresh)).toEqual(without.json);
    expect(await types()).toEqual(["TEST"]);
    const again = await change(endpoint, fresh);
    expect(again.json).toMatchObject(endpoint);
    expect(await types()).toEqual(["TEST", "TEST"]);
  });

  it("is called on this machine in a sandbox", async () => {
    const fresh = await openStory(server);
    const bodies: string[] = [];
    const reported = new Promise<void>((resolve) => {
      httpReceiver((request, response) => {
        let text = "";
        request.on("data", (chunk) => {
          text += chunk;
        });
        request.on("end", () => {
          bodies.push(text);
          response.end();
          resolve();
        });
      }).then(({ url }) => change({ webhookEndpoint: url }, fresh));
    });
    await reported;
    expect(JSON.parse(bodies[0] ?? "")).toMatchObject({ type: "TEST" });
  });

  it.each([
    "http://platform.example/hook",
    "ftp://platform.example/hook",
    "platform.example/hook",
    "//platform.example/hook",
    "javascript:alert(1)",
    "https://user:pass@platform.example/hook",
    "https://user@platform.example/hook",
    "https://@platform.example/hook",
    "https://platform.example/hook#part",
    "https://platform.example:25/hook",
    "https://platform.example/a b",
    "https://10.0.0.1/hook",
    "https://192.168.1.1/hook",
    "https://169.254.169.254/latest/meta-data",
    "https://[fe80::1]/hook",
    "https://[::ffff:10.0.0.1]/hook",
    "https://0x0a000001/hook",
    "https://metadata.google.internal/",
    "https://intranet/hook",
    "http://10.0.0.1/hook",
    `https://platform.example/${"a".repeat(2_048)}`,
  ])("is refused when it is %s", async (webhookEndpoint) => {
    const answer = await change({ webhookEndpoint });
    expect([answer.status, named(answer)]).toEqual([400, ["webhookEndpoint"]]);
    expect(await read()).not.toHaveProperty("webhookEndpoint");
  });

  it("of a production platform is public and https", async () => {
    const production = await openStory(server, { environment: "PRODUCTION" });
    for (const webhookEndpoint of [
      "http://127.0.0.1:9000/hook",
      "https://127.0.0.1:9000/hook",
      "http://localhost:9000/hook",
      "https://[::1]/hook",
      "http://platform.example/hook",
    ]) {
      const answer = await change({ webhookEndpoint }, production);
      expect([webhookEndpoint, answer.status]).toEqual([webhookEndpoint, 400]);
    }
    const webhookEndpoint = "https://platform.example:8443/hook?x=1";
    const set = await change({ webhookEndpoint }, production);
    expect(set.json.webhookEndpoint).toBe(webhookEndpoint);
  });
});
