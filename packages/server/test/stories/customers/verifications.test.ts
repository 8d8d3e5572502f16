import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { reviewVerification } from "../../../src/domain/customers/verification/review-verification.ts";
import { systemClock } from "../../../src/std/clock.ts";
import { allPages, eventsOf } from "../../kit/platform-rows.ts";
import { endReceivers } from "../../kit/receivers.ts";
import { ignoreUnknownFields, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { rowCounts } from "../../kit/story-money.ts";
import { begun, newBusiness } from "../../kit/story-verifications.ts";
import { listenTo } from "../../kit/story-webhooks.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let story: Story;
beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
  await ignoreUnknownFields(story);
});
afterEach(endReceivers);
afterAll(() => server.close());

const business = (more: object = {}, on = story) => newBusiness(on, more);

async function person(fullName: string, on = story): Promise<string> {
  const made = await on.call("POST", "/customers", { customerType: "INDIVIDUAL", fullName });
  return made.json.id;
}

const submit = (customerId: string, on = story): Promise<RawAnswer> =>
  on.call("POST", "/verifications", { customerId });
const customer = async (id: string, on = story) => (await on.call("GET", `/customers/${id}`)).json;
const renumber = (id: string, registrationNumber: string) =>
  story.call("PATCH", `/customers/${id}`, {
    customerType: "BUSINESS",
    businessInfo: { registrationNumber },
  });

/** The types of all events of a platform. */
async function delivered(on: Story): Promise<readonly string[]> {
  return (await eventsOf(on)).map(({ type }) => type);
}

describe("submitting a business in a sandbox", () => {
  it.each([
    ["7700001", "IN_PROGRESS", "PENDING", ["VERIFICATION.IN_PROGRESS", "CUSTOMER.KYB_PENDING"]],
    ["7700002", "REJECTED", "REJECTED", ["VERIFICATION.REJECTED", "CUSTOMER.KYB_REJECTED"]],
    ["7700003", "APPROVED", "APPROVED", ["VERIFICATION.APPROVED", "CUSTOMER.KYB_APPROVED"]],
    ["7700100", "APPROVED", "APPROVED", ["VERIFICATION.APPROVED", "CUSTOMER.KYB_APPROVED"]],
  ])("with the number %s ends %s", async (registrationNumber, status, kybStatus, events) => {
    const own = await openStory(server);
    const customerId = await business({ registrationNumber }, own);
    const answer = await submit(customerId, own);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      id: expect.stringMatching(/^Verification:[0-9a-f-]{36}$/),
      customerId,
      verificationStatus: status,
      errors: [],
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: answer.json.createdAt,
    });
    const now = await customer(customerId, own);
    expect(now.kybStatus).toBe(kybStatus);
    expect(await delivered(own)).toEqual(events);
    const [verification, business_] = await eventsOf(own);
    expect([verification?.subject, verification?.body.data]).toEqual([answer.json.id, answer.json]);
    expect([business_?.subject, business_?.body.data]).toEqual([customerId, now]);
    await own.call("POST", "/sandbox/clock/advance", { seconds: 86_400 });
    expect((await customer(customerId, own)).kybStatus).toBe(kybStatus);
  });

  it("emits the business with its owners as they were decided with it", async () => {
    const own = await openStory(server);
    const receiver = await listenTo(own);
    const customerId = await business({ registrationNumber: "100" }, own);
    await own.call("POST", "/beneficial-owners", {
      customerId,
      roles: ["UBO"],
      ownershipPercentage: 60,
      personalInfo: {
        firstName: "Mara",
        lastName: "Lind002",
        birthDate: "1980-04-05",
        nationality: "US",
        address: { line1: "2 Pier Rd", postalCode: "02110", country: "US" },
        idType: "SSN",
        identifier: "123-45-6789",
      },
    });
    await submit(customerId, own);
    const events = await receiver.events();
    expect(events.map(({ type }) => type)).toEqual([
      "TEST",
      "VERIFICATION.APPROVED",
      "CUSTOMER.KYB_APPROVED",
    ]);
    expect(events.at(-1)?.data).toEqual(await customer(customerId, own));
    expect(events.at(-1)?.data.beneficialOwners).toMatchObject([{ kycStatus: "REJECTED" }]);
  });

  it("without a number lists what is missing, and again until it is mended", async () => {
    const own = await openStory(server);
    const customerId = await business({}, own);
    const answer = await submit(customerId, own);
    expect(answer.status).toBe(200);
    expect(answer.json.verificationStatus).toBe("RESOLVE_ERRORS");
    const errors: { type: string; field?: string; resourceId: string }[] = answer.json.errors;
    expect(errors.map(({ type, field }) => field ?? type)).toEqual([
      "customer.businessInfo.countriesOfOperation",
      "customer.address.line1",
      "customer.address.postalCode",
      "customer.address.country",
      "MISSING_CONTROL_PERSON",
      "MISSING_BENEFICIAL_OWNER",
      "MISSING_LEGAL_PRESENCE_DOCUMENT",
      "MISSING_CONTROL_STRUCTURE_DOCUMENT",
      "MISSING_OWNERSHIP_STRUCTURE_DOCUMENT",
      "MISSING_PROOF_OF_ADDRESS_DOCUMENT",
    ]);
    expect(new Set(errors.map(({ resourceId }) => resourceId))).toEqual(new Set([customerId]));
    expect((await customer(customerId, own)).kybStatus).toBe("UNVERIFIED");
    await own.call("PATCH", `/customers/${customerId}`, {
      customerType: "BUSINESS",
      address: { line1: "1", postalCode: "2", country: "US" },
      businessInfo: { countriesOfOperation: ["US"] },
    });
    const again = await submit(customerId, own);
    expect(again.json.id).not.toBe(answer.json.id);
    expect(again.json.errors).toEqual(answer.json.errors.slice(4));
    expect(await delivered(own)).toEqual([
      "VERIFICATION.RESOLVE_ERRORS",
      "VERIFICATION.RESOLVE_ERRORS",
    ]);
    const first = await own.call("GET", `/verifications/${answer.json.id}`);
    expect(first.json).toEqual(answer.json);
  });

  it("again while one is open takes that one up", async () => {
    const own = await openStory(server);
    const customerId = await business({ registrationNumber: "001" }, own);
    const first = await submit(customerId, own);
    const same = await submit(customerId, own);
    expect(same.text).toBe(first.text);
    await own.call("PATCH", `/customers/${customerId}`, {
      customerType: "BUSINESS",
      businessInfo: { registrationNumber: "100" },
    });
    await own.call("POST", "/sandbox/clock/advance", { seconds: 1 });
    const done = await submit(customerId, own);
    expect(done.json).toMatchObject({ id: first.json.id, verificationStatus: "APPROVED" });
    expect(done.json.createdAt).toBe(first.json.createdAt);
    expect(Date.parse(done.json.updatedAt)).toBeGreaterThan(Date.parse(first.json.updatedAt));
    expect(await delivered(own)).toEqual([
      "VERIFICATION.IN_PROGRESS",
      "CUSTOMER.KYB_PENDING",
      "VERIFICATION.APPROVED",
      "CUSTOMER.KYB_APPROVED",
    ]);
  });

  it("is done once when many ask at once", async () => {
    const own = await openStory(server);
    const customerId = await business({ registrationNumber: "100" }, own);
    const answers = await Promise.all(Array.from({ length: 10 }, () => submit(customerId, own)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    expect(await delivered(own)).toEqual(["VERIFICATION.APPROVED", "CUSTOMER.KYB_APPROVED"]);
  });
});

describe("submitting a person", () => {
  it.each([
    ["Ana Ruiz001", "PENDING"],
    ["Ana Ruiz003", "UNVERIFIED"],
  ])("called %s lists what is missing and leaves it %s", async (fullName, kycStatus) => {
    const customerId = await person(fullName);
    const { status, json } = await submit(customerId);
    expect(status).toBe(200);
    expect(json).toMatchObject({ customerId, verificationStatus: "RESOLVE_ERRORS" });
    expect(json.errors.map(({ field, type }: Record<string, string>) => field ?? type)).toEqual([
      "birthDate",
      "nationality",
      "idType",
      "identifier",
      "address.line1",
      "address.postalCode",
      "address.country",
      "MISSING_IDENTITY_DOCUMENT",
    ]);
    expect((await customer(customerId)).kycStatus).toBe(kycStatus);
  });

  it("of an unregulated production platform starts from nothing", async () => {
    const production = await openStory(server, { environment: "PRODUCTION" });
    const customerId = await person("Ana Ruiz", production);
    expect((await customer(customerId, production)).kycStatus).toBe("UNVERIFIED");
    expect((await submit(customerId, production)).json.verificationStatus).toBe("RESOLVE_ERRORS");
    const firm = await business({ registrationNumber: "002" }, production);
    expect((await submit(firm, production)).json.verificationStatus).toBe("RESOLVE_ERRORS");
    expect((await customer(firm, production)).kybStatus).toBe("UNVERIFIED");
  });
});

describe("a submission", () => {
  it("is refused for a customer that is decided, and leaves nothing behind", async () => {
    const regulated = await openStory(server, { isRegulated: true });
    const firm = await business({ registrationNumber: "002" });
    await submit(firm);
    for (const [customerId, on] of [
      [await person("Ana Ruiz"), story],
      [await person("Ana 002"), story],
      [firm, story],
      [await business({}, regulated), regulated],
    ] as const) {
      const before = [await rowCounts(on), (await on.call("GET", "/verifications")).text];
      const refused = await submit(customerId, on);
      expect(refused).toMatchObject({ status: 409, json: { code: "CONFLICT" } });
      expect(refused.json.message).toMatch(/^The customer is (APPROVED|REJECTED), which is final;/);
      expect(refused.json.details.field).toBe("customerId");
      expect([await rowCounts(on), (await on.call("GET", "/verifications")).text]).toEqual(before);
    }
  });

  it("is refused for a customer that is not there, before anything else", async () => {
    const unknown = await submit("Customer:019a4f00-0000-7000-8000-000000000000");
    expect(unknown).toMatchObject({ status: 404, json: { code: "USER_NOT_FOUND" } });
    const customerId = await business({ registrationNumber: "100" });
    await submit(customerId);
    await story.call("DELETE", `/customers/${customerId}`);
    const gone = await submit(customerId);
    expect(gone).toMatchObject({ status: 410, json: { code: "CUSTOMER_DELETED" } });
  });

  it("is made once under an idempotency key", async () => {
    const customerId = await business();
    const send = () => story.call("POST", "/verifications", { customerId }, { key: "submit-1" });
    const first = await send();
    await renumber(customerId, "100");
    const second = await send();
    expect(second.text).toBe(first.text);
    expect((await customer(customerId)).kybStatus).toBe("UNVERIFIED");
  });

  it("tolerates the fields that steer it, and goes by what is stored", async () => {
    const customerId = await business({ registrationNumber: "001" });
    const answer = await story.call("POST", "/verifications", {
      customerId,
      businessInfo: { registrationNumber: "002" },
    });
    expect(answer.json.verificationStatus).toBe("IN_PROGRESS");
  });
});

describe("the list of verifications", () => {
  it("is newest first, page by page, by customer and by status", async () => {
    const own = await openStory(server);
    const [one, two] = [
      await business({}, own),
      await business({ registrationNumber: "100" }, own),
    ];
    const made: string[] = [];
    for (const customerId of [one, one, two, one]) {
      made.push((await submit(customerId, own)).json.id);
    }
    const ids = async (query: string) =>
      (await allPages(own, `/verifications?${query}`)).map(({ id }) => id);
    const newest = [...made].reverse();
    expect(await ids("limit=1")).toEqual(newest);
    expect(await ids(`customerId=${one}&limit=2`)).toEqual(newest.filter((id) => id !== made[2]));
    expect(await ids("verificationStatus=APPROVED")).toEqual([made[2]]);
    expect(await ids(`verificationStatus=RESOLVE_ERRORS&customerId=${two}`)).toEqual([]);
    expect(await ids("verificationStatus=READY_FOR_VERIFICATION")).toEqual([]);
    const wrong = await own.call("GET", "/verifications?verificationStatus=DONE");
    expect(wrong).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
  });

  it("knows no verification that is not there", async () => {
    const unknown = await story.call(
      "GET",
      "/verifications/Verification:019a4f00-0000-7000-8000-000000000000",
    );
    expect(unknown).toMatchObject({ status: 404, json: { code: "REFERENCE_NOT_FOUND" } });
  });
});

describe("a check that is under way", () => {
  const statusOf = async (on: Story, id: string) =>
    (await on.call("GET", `/verifications/${id}`)).json.verificationStatus;

  it.each([
    ["Ana Ruiz003", "PENDING_MANUAL_REVIEW", "PENDING"],
    ["Ana Ruiz001", "PENDING_MANUAL_REVIEW", "PENDING"],
  ])("of a person called %s goes to %s in its time", async (fullName, status, kycStatus) => {
    const own = await openStory(server);
    const customerId = await person(fullName, own);
    const id = await begun(own, customerId);
    expect(await statusOf(own, id)).toBe("IN_PROGRESS");
    await own.call("POST", "/sandbox/clock/advance", { seconds: 1 });
    expect(await statusOf(own, id)).toBe(status);
    expect((await customer(customerId, own)).kycStatus).toBe(kycStatus);
  });

  it("of a business is decided in its time, with its events, once", async () => {
    const own = await openStory(server);
    const customerId = await business({}, own);
    const id = await begun(own, customerId);
    await own.call("POST", "/sandbox/clock/advance", { seconds: 1 });
    expect(await statusOf(own, id)).toBe("APPROVED");
    expect((await customer(customerId, own)).kybStatus).toBe("APPROVED");
    await own.call("POST", "/sandbox/clock/advance", { seconds: 60 });
    expect(await delivered(own)).toEqual(["VERIFICATION.APPROVED", "CUSTOMER.KYB_APPROVED"]);
  });

  it("of a business whose number has become 001 goes on", async () => {
    const own = await openStory(server);
    const customerId = await business({ registrationNumber: "001" }, own);
    const id = await begun(own, customerId);
    await own.call("POST", "/sandbox/clock/advance", { seconds: 1 });
    expect(await statusOf(own, id)).toBe("IN_PROGRESS");
    expect(await delivered(own)).toEqual([]);
  });

  it("goes to a person in production, whatever the number says", async () => {
    let aheadMs = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
    const ahead = await startTestServer({ clock });
    try {
      const own = await openStory(ahead, { environment: "PRODUCTION" });
      const customerId = await business({ registrationNumber: "002" }, own);
      const id = await begun(own, customerId);
      aheadMs += 1_000;
      await own.settle();
      expect(await statusOf(own, id)).toBe("PENDING_MANUAL_REVIEW");
      expect((await customer(customerId, own)).kybStatus).toBe("PENDING");
      expect((await eventsOf(own)).map(({ type }) => type)).toEqual([
        "VERIFICATION.PENDING_MANUAL_REVIEW",
        "CUSTOMER.KYB_PENDING",
      ]);
    } finally {
      await ahead.close();
    }
  });

  it("stays as it is when it has ended otherwise, or the customer is gone", async () => {
    const own = await openStory(server);
    const [reviewed, deleted] = [await business({}, own), await business({}, own)];
    const waiting = await begun(own, reviewed, "PENDING_MANUAL_REVIEW");
    const orphan = await begun(own, deleted);
    await own.call("DELETE", `/customers/${deleted}`);
    await own.call("POST", "/sandbox/clock/advance", { seconds: 5 });
    expect(await statusOf(own, waiting)).toBe("PENDING_MANUAL_REVIEW");
    expect(await statusOf(own, orphan)).toBe("IN_PROGRESS");
    expect(await delivered(own)).toEqual([]);
  });

  it("is the only one of its customer", async () => {
    const own = await openStory(server);
    const customerId = await business({}, own);
    const id = await begun(own, customerId, "PENDING_MANUAL_REVIEW");
    await expect(begun(own, customerId)).rejects.toThrow("CONFLICT");
    const mended = await own.call("POST", "/verifications", { customerId });
    expect(mended.json).toMatchObject({ id, verificationStatus: "RESOLVE_ERRORS" });
    expect((await own.call("GET", "/verifications")).json.totalCount).toBe(1);
  });
});

describe("a person", () => {
  const review = (on: Story, wire: string, outcome: "APPROVED" | "REJECTED") =>
    server.app.engine.submit({
      platformId: on.platformId,
      actor: { kind: "operator", id: "test" },
      command: reviewVerification,
      input: {
        verificationId: wire.slice("Verification:".length),
        outcome,
        errors: [],
        reason: null,
        by: "Ana Ruiz",
        note: null,
      },
      toAnswer: ({ status }) => ({ status: 200, body: status }),
    });

  it.each(["APPROVED", "REJECTED"] as const)(
    "ends an open verification with %s",
    async (outcome) => {
      const own = await openStory(server);
      const customerId = await business({}, own);
      const id = await begun(own, customerId, "PENDING_MANUAL_REVIEW");
      expect(await review(own, id, outcome)).toMatchObject({ status: 200, body: outcome });
      expect((await customer(customerId, own)).kybStatus).toBe(outcome);
      expect(await delivered(own)).toEqual([`VERIFICATION.${outcome}`, `CUSTOMER.KYB_${outcome}`]);
      expect((await review(own, id, "APPROVED")).status).toBe(409);
    },
  );

  it("ends nothing that is not there, of another platform, or of a deleted customer", async () => {
    const own = await openStory(server);
    const customerId = await business({}, own);
    const id = await begun(own, customerId, "PENDING_MANUAL_REVIEW");
    expect((await review(story, id, "APPROVED")).status).toBe(404);
    await own.call("DELETE", `/customers/${customerId}`);
    expect((await review(own, id, "APPROVED")).status).toBe(410);
    expect(await delivered(own)).toEqual([]);
  });
});
