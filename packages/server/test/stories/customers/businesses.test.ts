import { beforeAll, describe, expect, it } from "vitest";
import {
  businessFields,
  type CustomerField,
  individualFields,
} from "../../../src/domain/customers/customer-fields.ts";
import { eventsOf } from "../../kit/platform-rows.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import {
  bankAccount,
  ignoreUnknownFields,
  openStory,
  type RawAnswer,
  type Story,
} from "../../kit/story.ts";
import { internalAccount } from "../../kit/story-money.ts";

const server = await sharedServer();
let story: Story;
beforeAll(async () => {
  story = await openStory(server, { umaDomain: "firms.example" });
  await ignoreUnknownFields(story);
});

const INFO = {
  legalName: "Lind Boats LLC",
  country: "US",
  taxId: "12-3456789",
  incorporatedOn: "2015-06-01",
};

const create = (more: object = {}, on = story): Promise<RawAnswer> =>
  on.call("POST", "/customers", { customerType: "BUSINESS", businessInfo: INFO, ...more });
const read = async (id: string) => (await story.call("GET", `/customers/${id}`)).json;
const change = (id: string, more: object): Promise<RawAnswer> =>
  story.call("PATCH", `/customers/${id}`, { customerType: "BUSINESS", ...more });
const named = (answer: RawAnswer): readonly string[] =>
  answer.json.details.errors.map(({ field }: { field: string }) => field);

/** A right value of a field. */
function rightValue(field: CustomerField): unknown {
  switch (field.form) {
    case "text":
      return "x".repeat(field.longest);
    case "digits":
      return "713990";
    case "date":
      return "2001-02-28";
    case "country":
      return "DE";
    case "countries":
      return ["DE", "FR"];
    case "choice":
      return field.values.at(-1);
    case "choices":
      return field.values;
  }
}

/** Everything that a table knows at once. */
const everything = (fields: readonly CustomerField[]) =>
  Object.fromEntries(fields.map((field) => [field.name, rightValue(field)]));

describe("a new business", () => {
  it("needs its name, country, tax id and the day it began, and nothing else", async () => {
    const { status, json } = await create();
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.stringMatching(/^Customer:/),
      platformCustomerId: expect.stringMatching(/./),
      customerType: "BUSINESS",
      umaAddress: expect.stringMatching(/^\$.+@firms\.example$/),
      currencies: ["USD", "EUR", "MXN", "BTC", "USDC", "USDB"],
      kybStatus: "UNVERIFIED",
      businessInfo: INFO,
      beneficialOwners: [],
      isDeleted: false,
      createdAt: json.createdAt,
      updatedAt: json.createdAt,
    });
    expect(await read(json.id)).toEqual(json);
    expect(await eventsOf(story, json.id)).toEqual([]);
    for (const field of Object.keys(INFO)) {
      const refused = await create({ businessInfo: { ...INFO, [field]: undefined } });
      expect([refused.status, named(refused)]).toEqual([400, [`businessInfo.${field}`]]);
    }
    for (const [field, value] of [
      ["legalName", " "],
      ["taxId", "\u00a0 "],
      ["incorporatedOn", "2999-01-01"],
    ] as const) {
      const path = `businessInfo.${field}`;
      const refused = await create({ businessInfo: { ...INFO, [field]: value } });
      expect([refused.status, named(refused)]).toEqual([400, [path]]);
      const changed = await change(json.id, { businessInfo: { [field]: value } });
      expect([changed.status, named(changed)]).toEqual([400, [path]]);
    }
    const bare = await create({ businessInfo: undefined });
    expect([bare.status, named(bare)]).toEqual([400, ["businessInfo"]]);
  });

  it("is answered with every field that was sent", async () => {
    const sent = {
      platformCustomerId: "lind",
      umaAddress: "$lind@firms.example",
      region: "US",
      currencies: ["EUR", "USD"],
      email: "office@lind.example",
      phoneNumber: "+14155550123",
      address: { line1: "1 Harbor Way", postalCode: "02110", country: "US" },
      businessInfo: everything(businessFields),
    };
    const { json } = await create(sent);
    expect(json).toMatchObject(sent);
    expect(json.businessInfo).toEqual(sent.businessInfo);
    expect(await read(json.id)).toEqual(json);
    const list = await story.call(
      "GET",
      "/customers?customerType=BUSINESS&platformCustomerId=lind",
    );
    expect(list.json.data).toEqual([json]);
    const people = await story.call("GET", "/customers?customerType=INDIVIDUAL&limit=100");
    expect(people.json.data).toEqual([]);
  });

  it("keeps no field of a person, and a person none of a business", async () => {
    const business = await create({
      fullName: "Ana Ruiz",
      birthDate: "1990-01-01",
      nationality: "US",
      idType: "SSN",
      identifier: "123-45-6789",
      pepStatus: "NONE",
      kybStatus: "APPROVED",
      kycStatus: "APPROVED",
      businessInfo: { ...INFO, unknown: 1 },
    });
    expect(business.json).not.toHaveProperty("fullName");
    expect(business.json).toMatchObject({ kybStatus: "UNVERIFIED", businessInfo: INFO });
    expect(business.text).not.toMatch(/Ana|pepStatus|kycStatus|unknown|SSN/);
    const changed = await change(business.json.id, { fullName: "Ana Ruiz", pepStatus: "NONE" });
    expect(changed.text).not.toMatch(/Ana|pepStatus/);
    const other = await openStory(server);
    await ignoreUnknownFields(other);
    const person = await other.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      businessInfo: INFO,
    });
    expect(person.status).toBe(201);
    expect(person.text).not.toMatch(/businessInfo|kybStatus|beneficialOwners|Lind/);
  });

  it("of a regulated institution is approved from the start, which is no news to the platform", async () => {
    const regulated = await openStory(server, { isRegulated: true });
    const { json } = await create({}, regulated);
    expect(json.kybStatus).toBe("APPROVED");
    expect(await eventsOf(regulated, json.id)).toEqual([]);
  });

  it("of a production platform is unverified, or approved when that is regulated", async () => {
    for (const [isRegulated, kybStatus] of [
      [false, "UNVERIFIED"],
      [true, "APPROVED"],
    ] as const) {
      const production = await openStory(server, { environment: "PRODUCTION", isRegulated });
      expect((await create({}, production)).json.kybStatus).toBe(kybStatus);
    }
  });

  it("moves no money until it is approved", async () => {
    const { json } = await create({ businessInfo: { ...INFO, registrationNumber: "77" } });
    const accountId = await internalAccount(story, { customerId: json.id, currency: "USD" });
    await story.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 500 });
    const transfer = {
      source: { accountId },
      destination: { accountId: await bankAccount(story, { customerId: json.id }) },
      amount: 100,
    };
    const refused = await story.call("POST", "/transfer-out", transfer);
    expect(refused).toMatchObject({ status: 403, json: { code: "USER_NOT_READY" } });
    await story.call("POST", "/verifications", { customerId: json.id });
    expect((await story.call("POST", "/transfer-out", transfer)).status).toBe(201);
    await story.settle();
    const deleted = await story.call("DELETE", `/customers/${json.id}`);
    expect(deleted).toMatchObject({ status: 409, json: { code: "CONFLICT" } });
  });
});

const tables = [
  {
    kind: "BUSINESS",
    fields: businessFields,
    body: (values: object) => ({ businessInfo: { ...INFO, ...values } }),
    of: (json: RawAnswer["json"]) => json.businessInfo,
  },
  {
    kind: "INDIVIDUAL",
    fields: individualFields,
    body: (values: object) => values,
    of: (json: RawAnswer["json"]) => json,
  },
] as const;

describe.each(tables)("the fields of a customer of type $kind", ({ kind, fields, body, ...of }) => {
  const post = (values: object) =>
    create({ customerType: kind, currencies: ["USD"], ...body(values) });

  it("take every one of their values, alone and in a list", async () => {
    for (const field of fields) {
      if (field.form !== "choice" && field.form !== "choices") continue;
      const why = fields.find(({ explains }) => explains === field.name);
      const checks = field.values.map(async (value) => {
        const sent = {
          [field.name]: field.form === "choices" ? [value, value] : value,
          ...(value === "OTHER" && why !== undefined ? { [why.name]: "because" } : {}),
        };
        const made = await post(sent);
        const stored = field.form === "choices" ? [value] : value;
        expect([field.name, value, made.status]).toEqual([field.name, value, 201]);
        expect(of.of(made.json)).toMatchObject({ ...sent, [field.name]: stored });
      });
      await Promise.all(checks);
    }
  });
});

describe("a person's OTHER", () => {
  const post = (values: object) =>
    create({ customerType: "INDIVIDUAL", currencies: ["USD"], ...values });

  it("is asked for, all at once, by the state that a change leads to", async () => {
    const explanations = individualFields.filter(({ explains }) => explains !== undefined);
    const others = Object.fromEntries(
      explanations.map(({ explains = "" }) => {
        const choice = individualFields.find(({ name }) => name === explains);
        return [explains, choice?.form === "choices" ? ["OTHER"] : "OTHER"];
      }),
    );
    const refused = await post(others);
    expect([refused.status, named(refused)]).toEqual([400, explanations.map(({ name }) => name)]);
    const words = Object.fromEntries(explanations.map(({ name }) => [name, "because"]));
    const { json } = await post({ ...others, ...words });
    expect(json).toMatchObject({ ...others, ...words });

    const patch = (values: object) =>
      story.call("PATCH", `/customers/${json.id}`, { customerType: "INDIVIDUAL", ...values });
    const [first] = explanations;
    const choice = individualFields.find(({ name }) => name === first?.explains);
    const { name: choiceName = "" } = choice ?? {};
    const value = choice !== undefined && "values" in choice ? choice.values[0] : undefined;
    const moved = await patch({ [choiceName]: choice?.form === "choices" ? [value] : value });
    expect(moved.json).not.toHaveProperty(first?.name ?? "");
    const back = await patch({ [choiceName]: others[choiceName] });
    expect([back.status, named(back)]).toEqual([400, [first?.name]]);
    const explained = await patch({ [choiceName]: others[choiceName], [first?.name ?? ""]: "so" });
    expect(explained.json).toMatchObject({ [first?.name ?? ""]: "so" });
  });
});

describe("a business's OTHER", () => {
  it("may have no explanation, and an explanation is kept", async () => {
    const given = { purposeOfAccount: "OTHER", sourceOfFundsOtherDescription: "of nothing" };
    const made = await create({ businessInfo: { ...INFO, ...given } });
    expect(made).toMatchObject({ status: 201, json: { businessInfo: given } });
    const changed = await story.call("PATCH", `/customers/${made.json.id}`, {
      customerType: "BUSINESS",
      businessInfo: { purposeOfAccount: "CROSS_BORDER_B2B" },
    });
    expect(changed.json.businessInfo).toMatchObject({
      purposeOfAccount: "CROSS_BORDER_B2B",
      sourceOfFundsOtherDescription: "of nothing",
    });
  });
});

describe("changing a business", () => {
  it("leaves absent fields as they are and changes each field that is sent", async () => {
    let expected = (await create()).json;
    const { id } = expected;
    for (const field of businessFields) {
      const value =
        field.form === "choice" || field.form === "choices" ? field.values[0] : undefined;
      const sent = {
        [field.name]: field.form === "choices" ? [value] : (value ?? rightValue(field)),
      };
      const changed = await change(id, { businessInfo: sent });
      expect([field.name, changed.status]).toEqual([field.name, 200]);
      expected = {
        ...expected,
        businessInfo: { ...expected.businessInfo, ...sent },
        updatedAt: changed.json.updatedAt,
      };
      expect(changed.json).toEqual(expected);
    }
    const lists = await change(id, { businessInfo: { countriesOfOperation: ["IT"] } });
    expect(lists.json.businessInfo.countriesOfOperation).toEqual(["IT"]);
    const address = { line1: "2", postalCode: "3", country: "FR" };
    expect((await change(id, { address })).json).toMatchObject({ address });
  });

  it("cannot make a person of it, nor change how its checks went", async () => {
    const { json } = await create();
    const refused = await story.call("PATCH", `/customers/${json.id}`, {
      customerType: "INDIVIDUAL",
    });
    expect([refused.status, named(refused)]).toEqual([400, ["customerType"]]);
    expect((await change(json.id, { kybStatus: "APPROVED" })).json.kybStatus).toBe("UNVERIFIED");
  });

  it("refuses null for every field", async () => {
    const { json } = await create();
    for (const { name } of businessFields) {
      const refused = await change(json.id, { businessInfo: { [name]: null } });
      expect([name, refused.status, named(refused)]).toEqual([name, 400, [`businessInfo.${name}`]]);
    }
    expect((await change(json.id, { businessInfo: null })).status).toBe(400);
    expect(await read(json.id)).toEqual(json);
  });

  it("is refused after its deletion", async () => {
    const { json } = await create();
    const deleted = await story.call("DELETE", `/customers/${json.id}`);
    expect(deleted.json).toEqual({ ...json, isDeleted: true, updatedAt: deleted.json.updatedAt });
    const gone = { status: 410, json: { code: "CUSTOMER_DELETED" } };
    expect(await change(json.id, { businessInfo: { taxId: "2" } })).toMatchObject(gone);
    expect(await story.call("DELETE", `/customers/${json.id}`)).toMatchObject(gone);
  });
});

describe("the identifier of a person", () => {
  it("comes from the US, the only country that it can come from", async () => {
    const { json } = await create({ customerType: "INDIVIDUAL", idType: "ITIN" });
    expect(json).toMatchObject({ idType: "ITIN", countryOfIssuance: "US" });
    const without = await create({ customerType: "INDIVIDUAL" });
    expect(without.json).not.toHaveProperty("countryOfIssuance");
  });

  const person = (more: object) => create({ customerType: "INDIVIDUAL", ...more });
  const patch = (id: string, more: object) =>
    story.call("PATCH", `/customers/${id}`, { customerType: "INDIVIDUAL", ...more });

  it("has the form of its type, which may have come before it", async () => {
    const refused = await person({ idType: "SSN", identifier: "123456789" });
    expect([refused.status, named(refused)]).toEqual([400, ["identifier"]]);
    const { json } = await person({ idType: "SSN" });
    const later = await patch(json.id, { identifier: "123456789" });
    expect([later.status, named(later)]).toEqual([400, ["identifier"]]);
    expect((await patch(json.id, { identifier: "123-45-6789" })).status).toBe(200);
    expect((await patch(json.id, { idType: "ITIN", identifier: "9" })).status).toBe(200);
  });
});
