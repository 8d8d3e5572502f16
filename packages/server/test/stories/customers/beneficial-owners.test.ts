import { beforeAll, describe, expect, it } from "vitest";
import { MOST_OWNERS } from "../../../src/domain/customers/beneficial-owners/beneficial-owner.ts";
import { allPages, eventsOf } from "../../kit/platform-rows.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { ignoreUnknownFields, openStory, type RawAnswer, type Story } from "../../kit/story.ts";

const server = await sharedServer();
let story: Story;
let businessId: string;
beforeAll(async () => {
  story = await openStory(server);
  await ignoreUnknownFields(story);
  businessId = await business();
});

async function business(registrationNumber?: string, on = story): Promise<string> {
  const businessInfo = {
    legalName: "Lind Boats LLC",
    country: "US",
    taxId: "1",
    incorporatedOn: "2015-06-01",
    ...(registrationNumber === undefined ? {} : { registrationNumber }),
  };
  const made = await on.call("POST", "/customers", { customerType: "BUSINESS", businessInfo });
  return made.json.id;
}

const PERSON = {
  firstName: "Mara",
  lastName: "Lind",
  birthDate: "1980-04-05",
  nationality: "US",
  address: { line1: "2 Pier Rd", postalCode: "02110", country: "US" },
  idType: "SSN",
  identifier: "123-45-6789",
};

interface Wish {
  readonly customerId?: string;
  readonly personalInfo?: object;
  readonly roles?: readonly string[];
  readonly ownershipPercentage?: number;
}

const add = (more: Wish = {}, on = story): Promise<RawAnswer> =>
  on.call("POST", "/beneficial-owners", {
    customerId: businessId,
    roles: ["UBO", "CONTROL_PERSON"],
    ownershipPercentage: 60,
    personalInfo: PERSON,
    ...more,
  });
const read = async (id: string, on = story) =>
  (await on.call("GET", `/beneficial-owners/${id}`)).json;
const change = (id: string, more: object): Promise<RawAnswer> =>
  story.call("PATCH", `/beneficial-owners/${id}`, more);
const named = (answer: RawAnswer): readonly string[] =>
  answer.json.details.errors.map(({ field }: { field: string }) => field);

describe("a new owner", () => {
  it("is answered with every field that was sent, its identifier too", async () => {
    const personalInfo = {
      firstName: "Mara",
      middleName: "Eva",
      lastName: "Lind",
      birthDate: "1980-04-05",
      nationality: "SE",
      email: "mara@example.com",
      phoneNumber: "+46701234567",
      address: { line1: "1", line2: "2", city: "3", state: "4", postalCode: "5", country: "SE" },
      idType: "NON_US_TAX_ID",
      identifier: "800405-1234",
      countryOfIssuance: "SE",
    };
    const roles = [
      "UBO",
      "DIRECTOR",
      "COMPANY_OFFICER",
      "CONTROL_PERSON",
      "TRUSTEE",
      "GENERAL_PARTNER",
    ];
    const made = await add({ roles, personalInfo });
    expect(made.status).toBe(201);
    expect(made.json).toEqual({
      id: expect.stringMatching(/^BeneficialOwner:[0-9a-f-]{36}$/),
      customerId: businessId,
      roles,
      ownershipPercentage: 60,
      personalInfo,
      kycStatus: "UNVERIFIED",
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: made.json.createdAt,
    });
    expect(await read(made.json.id)).toEqual(made.json);
    expect(await eventsOf(story, made.json.id)).toEqual([]);
  });

  it("takes a share from nothing to the whole, and each role once", async () => {
    for (const ownershipPercentage of [0, 100]) {
      expect((await add({ ownershipPercentage })).json).toMatchObject({ ownershipPercentage });
    }
    expect((await add({ roles: ["UBO", "UBO"] })).json.roles).toEqual(["UBO"]);
    for (const ownershipPercentage of [-1, 101, 33.3]) {
      const refused = await add({ ownershipPercentage });
      expect([refused.status, named(refused)]).toEqual([400, ["ownershipPercentage"]]);
    }
    expect(named(await add({ roles: [] }))).toEqual(["roles"]);
  });

  it("is refused for a birth to come beside other faults, and so is a change", async () => {
    const wrong = { roles: [], personalInfo: { ...PERSON, birthDate: "2999-01-01" } };
    const { id } = (await add()).json;
    for (const refused of [await add(wrong), await change(id, wrong)]) {
      expect([refused.status, named(refused)]).toEqual([400, ["roles", "personalInfo.birthDate"]]);
    }
  });

  it("drops unknown fields", async () => {
    const personalInfo = { ...PERSON, unknown: 1, address: { ...PERSON.address, unknown: 1 } };
    const made = await add({ personalInfo });
    expect(made.json.personalInfo).toEqual(PERSON);
  });

  it("is a person of a business that is there", async () => {
    const person = await story.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    const wrong = await add({ customerId: person.json.id });
    expect([wrong.status, named(wrong)]).toEqual([400, ["customerId"]]);
    const unknown = await add({ customerId: "Customer:019a4f00-0000-7000-8000-000000000000" });
    expect(unknown).toMatchObject({ status: 404, json: { code: "USER_NOT_FOUND" } });
    const customerId = await business();
    await story.call("DELETE", `/customers/${customerId}`);
    expect(await add({ customerId })).toMatchObject({
      status: 410,
      json: { code: "CUSTOMER_DELETED" },
    });
  });

  it("is one of a bounded number, also when many ask at once", async () => {
    const customerId = await business();
    const answers = await Promise.all(
      Array.from({ length: MOST_OWNERS + 5 }, () => add({ customerId, ownershipPercentage: 1 })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MOST_OWNERS);
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused.map(named)).toEqual(Array.from({ length: 5 }, () => ["customerId"]));
    const { json } = await story.call("GET", `/customers/${customerId}`);
    expect(json.beneficialOwners).toHaveLength(MOST_OWNERS);
  });

  it("and the check of the business that is asked for at the same time go together", async () => {
    for (let round = 0; round < 10; round++) {
      const customerId = await business();
      const answers = await Promise.all([
        add({ customerId }),
        story.call("POST", "/verifications", { customerId }),
      ]);
      for (const { status, text } of answers) expect([text, status < 500]).toEqual([text, true]);
      expect(answers[0].status).toBe(201);
    }
  });

  it("is made once under an idempotency key", async () => {
    const customerId = await business();
    const send = () =>
      story.call(
        "POST",
        "/beneficial-owners",
        { customerId, roles: ["UBO"], ownershipPercentage: 1, personalInfo: PERSON },
        { key: "owner-1" },
      );
    const [first, second] = [await send(), await send()];
    expect(second.text).toBe(first.text);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
  });

  it("is under check at once in production", async () => {
    const production = await openStory(server, { environment: "PRODUCTION" });
    const customerId = await business(undefined, production);
    expect((await add({ customerId }, production)).json.kycStatus).toBe("PENDING");
    const regulated = await openStory(server, { environment: "PRODUCTION", isRegulated: true });
    const approved = await business(undefined, regulated);
    expect((await add({ customerId: approved }, regulated)).json.kycStatus).toBe("APPROVED");
  });
});

describe("the owners of a business", () => {
  it("are listed newest first, page by page, and shown with the business in their order", async () => {
    const customerId = await business();
    const made: string[] = [];
    for (let share = 1; share <= 5; share++) {
      made.push((await add({ customerId, ownershipPercentage: share })).json.id);
    }
    const path = `/beneficial-owners?customerId=${customerId}`;
    const paged = await allPages(story, `${path}&limit=2`);
    expect(paged.map(({ id }) => id)).toEqual([...made].reverse());
    expect((await story.call("GET", path)).json.totalCount).toBe(5);
    const shown = await story.call("GET", `/customers/${customerId}`);
    expect(shown.json.beneficialOwners).toEqual([...paged].reverse());
    const listed = await story.call("GET", "/customers?customerType=BUSINESS&limit=100");
    const same = listed.json.data.find(({ id }: { id: string }) => id === customerId);
    expect(same).toEqual(shown.json);
  });

  it("are asked for by their business", async () => {
    const missing = await story.call("GET", "/beneficial-owners");
    expect([missing.status, named(missing)]).toEqual([400, ["customerId"]]);
    const wrong = await story.call("GET", "/beneficial-owners?customerId=7");
    expect([wrong.status, named(wrong)]).toEqual([400, ["customerId"]]);
  });
});

describe("changing an owner", () => {
  it("leaves absent fields as they are, those of the person too", async () => {
    let expected = (await add()).json;
    for (const sent of [
      { roles: ["DIRECTOR"] },
      { ownershipPercentage: 5 },
      ...[
        { firstName: "Eva" },
        { middleName: "M" },
        { lastName: "Berg" },
        { birthDate: "1981-01-01" },
        { nationality: "DE" },
        { email: "eva@example.com" },
        { phoneNumber: "+4915112345678" },
        { address: { line1: "9", postalCode: "8", country: "DE" } },
        { idType: "ITIN" },
        { identifier: "9" },
        { countryOfIssuance: "US" },
      ].map((personalInfo) => ({ personalInfo })),
    ]) {
      const changed = await change(expected.id, sent);
      expect(changed.status).toBe(200);
      const personalInfo = {
        ...expected.personalInfo,
        ...("personalInfo" in sent ? sent.personalInfo : {}),
      };
      expected = { ...expected, ...sent, personalInfo, updatedAt: changed.json.updatedAt };
      expect(changed.json).toEqual(expected);
      expect(await read(expected.id)).toEqual(expected);
    }
    const nothing = await change(expected.id, {});
    expect(nothing.json).toEqual({ ...expected, updatedAt: nothing.json.updatedAt });
  });

  it("cannot move it to another business or change how its checks went", async () => {
    const { json } = await add();
    const changed = await change(json.id, {
      customerId: await business(),
      kycStatus: "APPROVED",
      id: "x",
    });
    expect(changed.json).toEqual({ ...json, updatedAt: changed.json.updatedAt });
  });

  it("refuses null, half an address and an owner of a deleted business", async () => {
    const customerId = await business();
    const { json } = await add({ customerId });
    for (const name of Object.keys(PERSON)) {
      const refused = await change(json.id, { personalInfo: { [name]: null } });
      expect(named(refused)).toEqual([`personalInfo.${name}`]);
    }
    const half = await change(json.id, { personalInfo: { address: { line1: "1" } } });
    expect(named(half)).toEqual([
      "personalInfo.address.postalCode",
      "personalInfo.address.country",
    ]);
    expect(await read(json.id)).toEqual(json);
    await story.call("DELETE", `/customers/${customerId}`);
    expect(await change(json.id, { ownershipPercentage: 1 })).toMatchObject({
      status: 410,
      json: { code: "CUSTOMER_DELETED" },
    });
    expect(await read(json.id)).toEqual(json);
  });
});

describe("the checks on owners in a sandbox", () => {
  it.each([
    ["Lind", "APPROVED"],
    ["Lind001", "PENDING"],
    ["Lind002", "REJECTED"],
    ["Lind003", "APPROVED"],
    ["001", "PENDING"],
  ])(
    "of the name %s end %s when the business is decided, either way",
    async (lastName, kycStatus) => {
      for (const number of ["7700002", "7700100"]) {
        const customerId = await business(number);
        const { json } = await add({ customerId, personalInfo: { ...PERSON, lastName } });
        expect(json.kycStatus).toBe("UNVERIFIED");
        await story.call("POST", "/verifications", { customerId });
        expect((await read(json.id)).kycStatus).toBe(kycStatus);
        const late = await add({ customerId, personalInfo: { ...PERSON, lastName } });
        expect(late.json.kycStatus).toBe(kycStatus);
      }
    },
  );

  it("do not end while the business waits, and are not done again for another name", async () => {
    const customerId = await business("7700001");
    const { json } = await add({ customerId });
    await story.call("POST", "/verifications", { customerId });
    expect((await read(json.id)).kycStatus).toBe("UNVERIFIED");
    await story.call("PATCH", `/customers/${customerId}`, {
      customerType: "BUSINESS",
      businessInfo: { registrationNumber: "7700100" },
    });
    await story.call("POST", "/verifications", { customerId });
    expect((await read(json.id)).kycStatus).toBe("APPROVED");
    const renamed = await change(json.id, { personalInfo: { lastName: "Lind002" } });
    expect(renamed.json.kycStatus).toBe("APPROVED");
  });
});
