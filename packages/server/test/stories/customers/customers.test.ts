import { beforeAll, describe, expect, it } from "vitest";
import { eventsOf, tablesThatHold } from "../../kit/platform-rows.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { bankAccount, openStory, type RawAnswer, type Story } from "../../kit/story.ts";

const server = await sharedServer();
let story: Story;
beforeAll(async () => {
  story = await openStory(server, { umaDomain: "people.example" });
});

const create = (more: object = {}, on = story): Promise<RawAnswer> =>
  on.call("POST", "/customers", { customerType: "INDIVIDUAL", ...more });
const read = async (id: string, on = story) => (await on.call("GET", `/customers/${id}`)).json;
const change = (id: string, more: object, on = story): Promise<RawAnswer> =>
  on.call("PATCH", `/customers/${id}`, { customerType: "INDIVIDUAL", ...more });

const ADDRESS = {
  line1: "1 Main St",
  line2: "Flat 2",
  city: "San Francisco",
  state: "CA",
  postalCode: "94105",
  country: "US",
};

const ANA = {
  platformCustomerId: "ana-1",
  umaAddress: "$ana@people.example",
  region: "US",
  currencies: ["EUR", "USD"],
  email: "ana@example.com",
  phoneNumber: "+14155550123",
  address: ADDRESS,
  fullName: "Ana Ruiz",
  birthDate: "1991-02-28",
  nationality: "MX",
  idType: "SSN",
  countryOfIssuance: "US",
};

async function accountsOf(customerId: string, on = story) {
  const { json } = await on.call("GET", `/customers/internal-accounts?customerId=${customerId}`);
  return (json.data as { type: string; balance: { currency: { code: string } } }[])
    .map(({ type, balance }) => `${type} ${balance.currency.code}`)
    .sort();
}

describe("a new customer", () => {
  it("is answered with every field that was sent, and reads the same afterwards", async () => {
    const made = await create({ ...ANA, identifier: "123-45-6789" });
    expect(made.status).toBe(201);
    expect(made.json).toEqual({
      ...ANA,
      id: expect.stringMatching(/^Customer:[0-9a-f-]{36}$/),
      customerType: "INDIVIDUAL",
      kycStatus: "APPROVED",
      isDeleted: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: made.json.createdAt,
    });
    const again = await story.call("GET", `/customers/${made.json.id}`);
    expect(again.text).toBe(made.text);
  });

  it("needs nothing but a type: the rest is made up or left out", async () => {
    const { json } = await create();
    expect(json).toEqual({
      id: json.id,
      platformCustomerId: expect.stringMatching(/./),
      customerType: "INDIVIDUAL",
      umaAddress: expect.stringMatching(/^\$[a-z0-9\-_.+]+@people\.example$/),
      currencies: ["USD", "EUR", "MXN", "BTC", "USDC", "USDB"],
      kycStatus: "APPROVED",
      isDeleted: false,
      createdAt: json.createdAt,
      updatedAt: json.updatedAt,
    });
    const other = await create();
    expect(other.json.platformCustomerId).not.toBe(json.platformCustomerId);
    expect(other.json.umaAddress).not.toBe(json.umaAddress);
  });

  it.each([
    ["US", ["USD", "BTC", "USDC", "USDB"]],
    ["DE", ["EUR", "BTC", "USDC", "USDB"]],
    ["JP", ["USD", "EUR", "MXN", "BTC", "USDC", "USDB"]],
  ])("of the region %s has of the platform's currencies %j", async (region, currencies) => {
    const { json } = await create({ region });
    expect(json.currencies).toEqual(currencies);
    expect((await create({ region, currencies: ["MXN"] })).json.currencies).toEqual(["MXN"]);
  });

  it("keeps an identifier sealed and never gives it out", async () => {
    const identifier = "987-65-4321";
    const made = await create({ fullName: "Sealed One", idType: "SSN", identifier });
    const changed = await change(made.json.id, { idType: "SSN", identifier: "987-65-4322" });
    const listed = await story.call("GET", "/customers?limit=100");
    for (const { text } of [made, changed, listed]) expect(text).not.toContain("987-65");
    expect(await tablesThatHold(story, "987-65")).toEqual([]);
    expect(await tablesThatHold(story, "Sealed One")).toContain("customers");
  });

  it("does not keep what a caller may not choose", async () => {
    await story.call("PATCH", "/config", { unknownFields: "IGNORE" });
    const { json } = await create({
      id: "Customer:00000000-0000-7000-8000-000000000000",
      kycStatus: "REJECTED",
      isDeleted: true,
      createdAt: "2000-01-01T00:00:00Z",
      unknown: 1,
      address: { ...ADDRESS, unknown: 1 },
    });
    expect(json).toMatchObject({ kycStatus: "APPROVED", isDeleted: false, address: ADDRESS });
    expect(JSON.stringify(json)).not.toMatch(/unknown|2000-|000000000000/);
  });

  it.each([
    [{ customerType: undefined }, "customerType"],
    [{ customerType: "PERSON" }, "customerType"],
    [{ region: "USA" }, "region"],
    [{ region: "us" }, "region"],
    [{ nationality: "XX" }, "nationality"],
    [{ nationality: "usa" }, "nationality"],
    [{ birthDate: "1991-02-30" }, "birthDate"],
    [{ birthDate: "28.02.1991" }, "birthDate"],
    [{ email: "nobody" }, "email"],
    [{ phoneNumber: "0049123" }, "phoneNumber"],
    [{ phoneNumber: "+0123" }, "phoneNumber"],
    [{ phoneNumber: "+1234567890123456" }, "phoneNumber"],
    [{ address: { line1: "x", postalCode: "1" } }, "address.country"],
    [{ address: { line1: "x", country: "US" } }, "address.postalCode"],
    [{ address: { postalCode: "1", country: "US" } }, "address.line1"],
    [{ address: { ...ADDRESS, country: "ZZ" } }, "address.country"],
    [{ idType: "EIN" }, "idType"],
    [{ idType: "SSN", identifier: "123456789" }, "identifier"],
    [{ countryOfIssuance: "DE" }, "countryOfIssuance"],
    [{ platformCustomerId: "" }, "platformCustomerId"],
    [{ platformCustomerId: "x".repeat(256) }, "platformCustomerId"],
    [{ fullName: "x".repeat(256) }, "fullName"],
    [{ currencies: [] }, "currencies"],
    [{ currencies: "USD" }, "currencies"],
    [{ birthDate: "2999-01-01" }, "birthDate"],
    [{ fullName: " " }, "fullName"],
    [{ address: { ...ADDRESS, line1: "\t" } }, "address.line1"],
  ])("is refused with %j", async (more, field) => {
    const refused = await create(more);
    expect(refused).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
    expect(refused.json.details.errors).toMatchObject([{ field }]);
  });
});

describe("the check of a person", () => {
  it.each([
    ["001", "PENDING", "CUSTOMER.KYC_PENDING"],
    ["002", "REJECTED", "CUSTOMER.KYC_REJECTED"],
    ["003", "UNVERIFIED", undefined],
    ["004", "APPROVED", "CUSTOMER.KYC_APPROVED"],
    ["1001x", "APPROVED", "CUSTOMER.KYC_APPROVED"],
    ["01", "APPROVED", "CUSTOMER.KYC_APPROVED"],
    ["1002", "REJECTED", "CUSTOMER.KYC_REJECTED"],
  ])(
    "of a name that ends in %s is %s in a sandbox, and emits an event",
    async (suffix, kycStatus, type) => {
      const { json } = await create({ fullName: `Ana ${suffix}` });
      expect(json.kycStatus).toBe(kycStatus);
      const events = await eventsOf(story, json.id);
      expect(events.map((event) => event.type)).toEqual(type === undefined ? [] : [type]);
      if (type === undefined) return;
      expect(events[0]?.body).toEqual({
        id: expect.stringMatching(/^Webhook:[0-9a-f-]{36}$/),
        type,
        timestamp: json.createdAt,
        data: await read(json.id),
      });
    },
  );

  it("is not steered by a name in production", async () => {
    const open = await openStory(server, { environment: "PRODUCTION" });
    const regulated = await openStory(server, { environment: "PRODUCTION", isRegulated: true });
    for (const suffix of ["001", "002", "003", "004"]) {
      const fullName = `Ana ${suffix}`;
      expect((await create({ fullName }, open)).json.kycStatus).toBe("UNVERIFIED");
      expect((await create({ fullName }, regulated)).json.kycStatus).toBe("APPROVED");
    }
    for (const platform of [open, regulated]) expect(await eventsOf(platform)).toEqual([]);
  });

  it("decides whether money moves: set-up is allowed, a payment is not", async () => {
    const { json } = await create({ fullName: "Ana 001", currencies: ["USD"] });
    const accounts = await story.call("GET", `/customers/internal-accounts?customerId=${json.id}`);
    const accountId = accounts.json.data[0].id;
    await story.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 100 });
    const destination = await bankAccount(story, { customerId: json.id });
    const refused = await story.call("POST", "/transfer-out", {
      source: { accountId },
      destination: { accountId: destination },
      amount: 10,
    });
    expect(refused).toMatchObject({ status: 403, json: { code: "USER_NOT_READY" } });
  });

  it("is made once: another name does not change its outcome", async () => {
    const { json } = await create({ fullName: "Ana 002" });
    const renamed = await change(json.id, { fullName: "Ana Ruiz", kycStatus: "APPROVED" });
    expect(renamed.json).toMatchObject({ fullName: "Ana Ruiz", kycStatus: "REJECTED" });
  });
});

describe("the accounts of a new customer", () => {
  it("are one for each currency, and a wallet where USDB is among them", async () => {
    const all = await create();
    expect(await accountsOf(all.json.id)).toEqual([
      "EMBEDDED_WALLET USDB",
      "INTERNAL_CRYPTO BTC",
      "INTERNAL_CRYPTO USDB",
      "INTERNAL_CRYPTO USDC",
      "INTERNAL_FIAT EUR",
      "INTERNAL_FIAT MXN",
      "INTERNAL_FIAT USD",
    ]);
    const some = await create({ currencies: ["USD", "USDB"] });
    expect(await accountsOf(some.json.id)).toContain("EMBEDDED_WALLET USDB");
    const none = await create({ currencies: ["USD", "EUR"] });
    expect(await accountsOf(none.json.id)).toEqual(["INTERNAL_FIAT EUR", "INTERNAL_FIAT USD"]);
    const twice = await create({ currencies: ["USD", "USD"] });
    expect(twice.json.currencies).toEqual(["USD"]);
    expect(await accountsOf(twice.json.id)).toEqual(["INTERNAL_FIAT USD"]);
  });

  it("are without a wallet where the platform has no USDB", async () => {
    const plain = await openStory(server);
    const { json } = await plain.call("GET", "/config");
    const supportedCurrencies = json.supportedCurrencies.filter(
      ({ currencyCode }: { currencyCode: string }) => currencyCode === "USD",
    );
    await plain.call("PATCH", "/config", { supportedCurrencies });
    const made = await create({}, plain);
    expect(await accountsOf(made.json.id, plain)).toEqual(["INTERNAL_FIAT USD"]);
  });

  it("are in currencies of the platform", async () => {
    for (const currencies of [["GBP"], ["USD", "KES"], ["usd"], ["NOPE"]]) {
      const refused = await create({ currencies });
      expect(refused).toMatchObject({ status: 400, json: { code: "INVALID_CURRENCY" } });
    }
  });

  it("grow with the customer's currencies and are never taken away", async () => {
    const { json } = await create({ currencies: ["USD"] });
    const grown = await change(json.id, { currencies: ["EUR"] });
    expect(grown.json.currencies).toEqual(["EUR"]);
    expect(await accountsOf(json.id)).toEqual(["INTERNAL_FIAT EUR", "INTERNAL_FIAT USD"]);
    await change(json.id, { currencies: ["USD", "EUR"] });
    expect(await accountsOf(json.id)).toEqual(["INTERNAL_FIAT EUR", "INTERNAL_FIAT USD"]);
    const refused = await change(json.id, { currencies: ["GBP"] });
    expect(refused).toMatchObject({ status: 400, json: { code: "INVALID_CURRENCY" } });
  });
});

describe("a UMA address", () => {
  it("is kept in lower case", async () => {
    const { json } = await create({ umaAddress: "$Bo.Lind+x_1-2@PEOPLE.example" });
    expect(json.umaAddress).toBe("$bo.lind+x_1-2@people.example");
  });

  it.each([
    "ana@people.example",
    "$@people.example",
    "$ana",
    "$ana@",
    "$ana@b@people.example",
    "$an a@people.example",
    "$anä@people.example",
    "$\u212aana@people.example",
    "$ana!@people.example",
    "$ana@people.example\n",
    "$ana@other.example",
    "$ana@sub.people.example",
    `$${"a".repeat(64)}@people.example`,
  ])("is refused when it is %j", async (umaAddress) => {
    const made = await create();
    for (const refused of [
      await create({ umaAddress }),
      await change(made.json.id, { umaAddress }),
    ]) {
      expect(refused).toMatchObject({ status: 400, json: { code: "INVALID_UMA_ADDRESS" } });
    }
  });

  it("has one owner, in any spelling, also after a change", async () => {
    const taken = { status: 409, json: { code: "UMA_ADDRESS_EXISTS" } };
    const first = await create({ umaAddress: "$one@people.example" });
    expect(await create({ umaAddress: "$ONE@people.example" })).toMatchObject(taken);
    const second = await create({ umaAddress: "$two@people.example" });
    const path = second.json.id;
    expect(await change(path, { umaAddress: "$one@people.example" })).toMatchObject(taken);
    expect(await read(path)).toEqual(second.json);
    const same = await change(path, { umaAddress: "$two@people.example" });
    expect(same.json.umaAddress).toBe("$two@people.example");
    const moved = await change(first.json.id, { umaAddress: "$three@people.example" });
    expect(moved.json.umaAddress).toBe("$three@people.example");
    // It stays with the one who had it first: nobody else gets it, and that one may take it back.
    expect(await change(path, { umaAddress: "$one@people.example" })).toMatchObject(taken);
    expect(await create({ umaAddress: "$one@people.example" })).toMatchObject(taken);
    for (const name of ["$One", "$three", "$one"]) {
      const back = await change(first.json.id, { umaAddress: `${name}@people.example` });
      expect(back.json.umaAddress).toBe(`${name.toLowerCase()}@people.example`);
    }
    await story.call("DELETE", `/customers/${first.json.id}`);
    for (const umaAddress of ["$one@people.example", "$three@people.example"]) {
      expect(await create({ umaAddress })).toMatchObject(taken);
    }
  });

  it("goes to one of many who ask at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => create({ umaAddress: "$rush@people.example" })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ json }) => json.code === "UMA_ADDRESS_EXISTS")).toHaveLength(9);
  });
});

describe("a platform's own id for a customer", () => {
  const conflict = { status: 409, json: { code: "CONFLICT" } };

  it("names one live customer", async () => {
    const first = await create({ platformCustomerId: "mine" });
    expect(await create({ platformCustomerId: "mine" })).toMatchObject(conflict);
    expect((await create({ platformCustomerId: "Mine" })).status).toBe(201);
    await story.call("DELETE", `/customers/${first.json.id}`);
    const second = await create({ platformCustomerId: "mine" });
    expect(second.status).toBe(201);
    expect(second.json.id).not.toBe(first.json.id);
    expect(await create({ platformCustomerId: "mine" })).toMatchObject(conflict);
  });

  it("goes to one of many who ask at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => create({ platformCustomerId: "rush" })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ json }) => json.code === "CONFLICT")).toHaveLength(9);
  });
});

describe("changing a customer", () => {
  it("leaves absent fields as they are, and changes each field that is sent", async () => {
    let expected = (await create({ ...ANA, platformCustomerId: "c", umaAddress: undefined })).json;
    const { id } = expected;
    for (const fields of [
      { email: "new@example.com" },
      { phoneNumber: "+4915112345678" },
      { address: { line1: "2 Side St", postalCode: "10115", country: "DE" } },
      { fullName: "Ana Luz" },
      { birthDate: "2000-02-29" },
      { nationality: "DE" },
      { idType: "ITIN" },
      { countryOfIssuance: "US" },
      { umaAddress: "$changed@people.example" },
      { currencies: ["EUR"] },
    ]) {
      const changed = await change(id, fields);
      expect(changed.status).toBe(200);
      expected = { ...expected, ...fields, updatedAt: changed.json.updatedAt };
      expect(changed.json).toEqual(expected);
      expect(await read(id)).toEqual(expected);
    }
  });

  it("moves the time of its last change and not that of its creation", async () => {
    const { json } = await create();
    await story.call("POST", "/sandbox/clock/advance", { seconds: 60 });
    const changed = (await change(json.id, { fullName: "Later" })).json;
    expect(changed.createdAt).toBe(json.createdAt);
    expect(Date.parse(changed.updatedAt) - Date.parse(json.updatedAt)).toBeGreaterThanOrEqual(
      60_000,
    );
  });

  it("cannot change what is fixed at creation", async () => {
    const { json } = await create({ region: "US", platformCustomerId: "fixed" });
    const changed = await change(json.id, { region: "DE", platformCustomerId: "other" });
    expect(changed.json).toMatchObject({ region: "US", platformCustomerId: "fixed" });
  });

  it("needs the customer's type", async () => {
    const { json } = await create();
    const path = `/customers/${json.id}`;
    for (const body of [{ fullName: "X" }, { customerType: "BUSINESS", fullName: "X" }]) {
      const refused = await story.call("PATCH", path, body);
      expect(refused).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
    }
    expect(await read(json.id)).toEqual(json);
  });

  it("changes e-mail or telephone, not both at once", async () => {
    const { json } = await create();
    const refused = await change(json.id, { email: "a@example.com", phoneNumber: "+14155550123" });
    expect(refused).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
    expect(await read(json.id)).toEqual(json);
  });

  it("needs a whole address, which replaces the one before", async () => {
    const { json } = await create({ address: ADDRESS });
    expect((await change(json.id, { address: { line1: "3" } })).status).toBe(400);
    const address = { line1: "3", postalCode: "1", country: "FR" };
    expect((await change(json.id, { address })).json.address).toEqual(address);
  });

  it("refuses null for every field", async () => {
    const { json } = await create();
    for (const field of [
      "fullName",
      "email",
      "phoneNumber",
      "address",
      "birthDate",
      "currencies",
    ]) {
      expect([field, (await change(json.id, { [field]: null })).status]).toEqual([field, 400]);
    }
  });

  it("keeps all of many changes that are made at once", async () => {
    const fields = {
      fullName: "All",
      birthDate: "1990-01-01",
      nationality: "SE",
      email: "x@y.example",
      idType: "ITIN",
      countryOfIssuance: "US",
    };
    for (let round = 0; round < 5; round++) {
      const { json } = await create();
      const changes = Object.entries(fields).map(([name, value]) =>
        change(json.id, { [name]: value }),
      );
      for (const { status } of await Promise.all(changes)) expect(status).toBe(200);
      expect(await read(json.id)).toMatchObject(fields);
    }
  });
});
