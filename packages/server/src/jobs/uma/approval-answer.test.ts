import { describe, expect, it } from "vitest";
import { LONGEST_ANSWER } from "../../domain/customers/customer-info.ts";
import { LONGEST_REASON } from "../../domain/uma/payment-approval.ts";
import { toHeardAnswer } from "./approval-answer.ts";

type Heard = Parameters<typeof toHeardAnswer>[0];

const heard = (status: number | undefined, body: unknown = "", more: Partial<Heard> = {}) =>
  toHeardAnswer({
    status,
    body: typeof body === "string" ? body : JSON.stringify(body),
    bodyComplete: true,
    isSilent: false,
    ...more,
  });

const taken = (receiverCustomerInfo: object) => ({ kind: "approved", receiverCustomerInfo });

describe("a platform that gets an approval request", () => {
  it.each([200, 201, 204, 299])("accepts it with %i, when the answer is complete", (status) => {
    expect(heard(status)).toEqual(taken({}));
    expect(heard(status, "", { bodyComplete: false })).toEqual({ kind: "unusable" });
  });

  it.each([202, 409])("is no decision with status %i, regardless of the body", (status) => {
    const body = { receiverCustomerInfo: { FULL_NAME: "Ana Ruiz" } };
    expect(heard(status, body)).toEqual({ kind: "deferred" });
  });

  it.each([199, 300, 302, 400, 401, 404, 410, 429, 500, 503])(
    "has said nothing of use by %i",
    (status) => {
      expect(heard(status)).toEqual({ kind: "unusable" });
    },
  );

  it("was silent until the deadline, or could not be reached", () => {
    expect(heard(undefined, "", { isSilent: true })).toEqual({ kind: "none" });
    expect(heard(undefined)).toEqual({ kind: "unusable" });
  });
});

describe("the customer information in its answer", () => {
  it("is the known fields that are sound texts of bearable length", () => {
    const receiverCustomerInfo = {
      FULL_NAME: "Ana Ruiz",
      EMAIL: "x".repeat(LONGEST_ANSWER),
      NATIONALITY: "x".repeat(LONGEST_ANSWER + 1),
      BIRTH_DATE: 19900101,
      TAX_ID: "a\u0000b",
      SHOE_SIZE: "42",
    };
    const { FULL_NAME, EMAIL } = receiverCustomerInfo;
    expect(heard(200, { receiverCustomerInfo })).toEqual(taken({ FULL_NAME, EMAIL }));
  });

  it.each(["", "no JSON", "[]", "null", '{"receiverCustomerInfo":["FULL_NAME"]}'])(
    "is nothing in %j",
    (body) => {
      expect(heard(200, body)).toEqual(taken({}));
    },
  );
});

describe("why it does not", () => {
  it("is the reason, or else the message, without control characters and truncated to the limit", () => {
    const reason = (body: unknown) => heard(403, body);
    expect(reason({ reason: "No.", message: "x" })).toEqual({ kind: "rejected", reason: "No." });
    expect(reason({ reason: "", message: "Never." })).toMatchObject({ reason: "Never." });
    expect(reason({ reason: 7 })).toMatchObject({ reason: null });
    expect(reason({ reason: "a\nb\u0000" })).toMatchObject({ reason: "a b " });
    const long = "é".repeat(LONGEST_REASON + 1);
    expect(reason({ reason: long })).toMatchObject({ reason: long.slice(1) });
  });

  it("is what it wants to know of the sender first: known fields, each once", () => {
    const requiredFields = ["FULL_NAME", "SHOE_SIZE", "EMAIL", 7, "FULL_NAME"];
    expect(heard(422, { requiredFields })).toEqual({
      kind: "needs-more",
      requiredFields: ["FULL_NAME", "EMAIL"],
    });
    expect(heard(422, { requiredFields: "FULL_NAME" })).toMatchObject({ requiredFields: [] });
  });
});
