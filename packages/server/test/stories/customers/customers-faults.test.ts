/** What is wrong with a customer is told at once, and what is told depends on all that is known. */
import { beforeAll, describe, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import { ignoreUnknownFields, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { advance } from "../../kit/story-money.ts";

const server = await sharedServer();
let story: Story;
beforeAll(async () => {
  story = await openStory(server, { umaDomain: "faults.example" });
  await ignoreUnknownFields(story);
});

const create = (more: object = {}): Promise<RawAnswer> =>
  story.call("POST", "/customers", { customerType: "INDIVIDUAL", ...more });
const change = (id: string, more: object): Promise<RawAnswer> =>
  story.call("PATCH", `/customers/${id}`, { customerType: "INDIVIDUAL", ...more });

function fieldsOf({ json }: RawAnswer): readonly string[] {
  return json.details.errors.map(({ field }: { field: string }) => field).sort();
}

describe("a customer", () => {
  it("is refused with all faults at once, from every check", async () => {
    const body = {
      email: "x",
      umaAddress: "bad",
      currencies: ["zzz"],
      idType: "SSN",
      identifier: "1",
      purposeOfAccount: "OTHER",
    };
    const fields = ["email", "umaAddress", "currencies", "identifier"];
    const refused = await create(body);
    expect(refused).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
    expect(fieldsOf(refused)).toEqual([...fields, "purposeOfAccountOtherDescription"].sort());
    const made = await create();
    expect(fieldsOf(await change(made.json.id, body))).toEqual([...fields].sort());
  });

  it("is refused for all that the platform finds at once", async () => {
    const body = {
      umaAddress: "$a@elsewhere.example",
      currencies: ["GBP"],
      birthDate: "2999-01-01",
      purposeOfAccount: "OTHER",
    };
    const made = await create();
    for (const refused of [await create(body), await change(made.json.id, body)]) {
      expect(refused).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
      expect(fieldsOf(refused)).toEqual([
        "birthDate",
        "currencies",
        "purposeOfAccountOtherDescription",
        "umaAddress",
      ]);
    }
  });

  it("gets the error for a future date together with the errors of the body", async () => {
    const made = await create();
    const born = { nationality: "zz", birthDate: "2999-01-01" };
    for (const refused of [await create(born), await change(made.json.id, born)]) {
      expect(fieldsOf(refused)).toEqual(["birthDate", "nationality"]);
    }
    const businessInfo = { legalName: "A", country: "US", taxId: "", incorporatedOn: "2999-01-01" };
    const firm = { customerType: "BUSINESS", birthDate: "2999-01-01", businessInfo };
    for (const refused of [await create(firm), await change(made.json.id, firm)]) {
      expect(fieldsOf(refused)).toEqual(["businessInfo.incorporatedOn", "businessInfo.taxId"]);
    }
    expect(fieldsOf(await create({ email: "x", birthDate: "9999-99-99" }))).toEqual([
      "birthDate",
      "email",
    ]);
    expect(fieldsOf(await create({ email: "x", birthDate: 9 }))).toEqual(["birthDate", "email"]);
  });

  it("has its dates compared with the clock of its platform", async () => {
    const own = await openStory(server);
    await advance(own, 10 * 86_400);
    const now = Date.parse((await own.call("GET", "/sandbox/clock")).json.now);
    const dayIn = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10);
    const born = (days: number) =>
      own.call("POST", "/customers", {
        customerType: "INDIVIDUAL",
        email: "x",
        birthDate: dayIn(days),
      });
    expect(fieldsOf(await born(-1))).toEqual(["email"]);
    expect(fieldsOf(await born(2))).toEqual(["birthDate", "email"]);
  });

  it("is refused under its key for what the command finds, and not for what its body tells", async () => {
    const send = (body: object, key: string) =>
      story.call("POST", "/customers", { customerType: "INDIVIDUAL", ...body }, { key });
    const unexplained = { purposeOfAccount: "OTHER" };
    const [first, again] = [await send(unexplained, "alone"), await send(unexplained, "alone")];
    expect(fieldsOf(first)).toEqual(["purposeOfAccountOtherDescription"]);
    expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
    const beside = await send({ ...unexplained, email: "x", birthDate: "2999-01-01" }, "beside");
    expect(beside.status).toBe(400);
    expect((await send({}, "beside")).status).toBe(201);
  });

  it.each([
    ["INVALID_UMA_ADDRESS", { umaAddress: "bad" }, "umaAddress"],
    ["INVALID_UMA_ADDRESS", { umaAddress: "$a@elsewhere.example" }, "umaAddress"],
    ["INVALID_CURRENCY", { currencies: ["zzz"] }, "currencies"],
    ["INVALID_CURRENCY", { currencies: ["GBP"] }, "currencies"],
  ])("is refused with %s when %j is all that is wrong", async (code, body, field) => {
    const refused = await create(body);
    expect(refused).toMatchObject({ status: 400, json: { code } });
    expect(refused.json.details.errors).toMatchObject([{ field }]);
  });
});

describe("the number of a person", () => {
  it("becomes a social security number only when it has the form of one", async () => {
    const { json } = await create({ identifier: "foo" });
    const refused = await change(json.id, { idType: "SSN" });
    expect(refused).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
    expect(refused.json.details.errors).toMatchObject([{ field: "identifier" }]);
    expect((await change(json.id, { idType: "ITIN" })).status).toBe(200);
    expect((await change(json.id, { idType: "SSN" })).status).toBe(400);
    const both = { idType: "SSN", identifier: "123-45-6789" };
    expect((await change(json.id, both)).status).toBe(200);
    expect((await change(json.id, { identifier: "foo" })).status).toBe(400);
    expect((await change(json.id, { idType: "ITIN" })).status).toBe(200);
    expect((await change(json.id, { idType: "SSN" })).status).toBe(200);
  });
});
