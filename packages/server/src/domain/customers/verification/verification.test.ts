import { describe, expect, it } from "vitest";
import {
  businessInfo,
  document,
  NOW,
  wholeBusiness,
  wholePerson,
} from "../../../../test/kit/verification-rows.ts";
import type { Platform } from "../../platform.ts";
import type { BusinessInfo } from "../customer.ts";
import { judgeLater, judgeSubmission } from "./judge.ts";
import {
  isOpen,
  mayBecome,
  moveVerification,
  type Verification,
  type VerificationStatus,
} from "./verification.ts";

const statuses = [
  "RESOLVE_ERRORS",
  "IN_PROGRESS",
  "PENDING_MANUAL_REVIEW",
  "APPROVED",
  "REJECTED",
] as const satisfies readonly VerificationStatus[];

const ways: Readonly<Record<VerificationStatus, readonly VerificationStatus[]>> = {
  IN_PROGRESS: ["RESOLVE_ERRORS", "PENDING_MANUAL_REVIEW", "APPROVED", "REJECTED"],
  PENDING_MANUAL_REVIEW: ["RESOLVE_ERRORS", "APPROVED", "REJECTED"],
  RESOLVE_ERRORS: [],
  APPROVED: [],
  REJECTED: [],
};

describe("a verification", () => {
  const at = (status: VerificationStatus): Verification => ({
    id: "v",
    customerId: "c",
    status,
    errors: [],
    decidedBy: null,
    decisionNote: null,
    takenBy: null,
    takenByName: null,
    takenUntil: null,
    decisionReason: null,
    createdAt: 1,
    updatedAt: 1,
  });

  it.each(statuses.flatMap((from) => statuses.map((to) => ({ from, to }))))(
    "goes from $from to $to only where a way leads",
    ({ from, to }) => {
      const move = () => moveVerification(at(from), { status: to, errors: [] }, 2);
      expect(mayBecome(from, to)).toBe(ways[from].includes(to));
      if (!ways[from].includes(to)) return expect(move).toThrow("no way leads");
      return expect(move()).toEqual({ ...at(from), status: to, updatedAt: 2 });
    },
  );

  it("is open exactly while its status has a transition", () => {
    for (const status of statuses) expect(isOpen(status)).toBe(ways[status].length > 0);
  });
});

const platformIn = (environment: "SANDBOX" | "PRODUCTION") => ({ environment }) as Platform;
const sandbox = platformIn("SANDBOX");
const production = platformIn("PRODUCTION");

const named = (fullName: string) => ({
  ...wholePerson,
  customer: { ...wholePerson.customer, fullName },
});
const numbered = (registrationNumber: string, info: BusinessInfo = businessInfo) => ({
  ...wholeBusiness,
  customer: { ...wholeBusiness.customer, businessInfo: { ...info, registrationNumber } },
});

describe("the verdict on a business in a sandbox", () => {
  it.each([
    ["7700001", "IN_PROGRESS"],
    ["7700002", "REJECTED"],
    ["7700003", "APPROVED"],
    ["7700100", "APPROVED"],
    ["1", "APPROVED"],
    ["001", "IN_PROGRESS"],
  ] as const)("with the number %s is %s, whatever it has brought", (number, status) => {
    for (const verificationCase of [
      numbered(number),
      { ...numbered(number, { legalName: "A" }), owners: [], documents: [] },
    ]) {
      const verdict = judgeSubmission(sandbox, verificationCase);
      expect(verdict).toEqual({ status, errors: [], isDecidedLater: false });
    }
  });

  it("without a number depends on its documents", () => {
    expect(judgeSubmission(sandbox, wholeBusiness)).toMatchObject({
      status: "IN_PROGRESS",
      isDecidedLater: true,
    });
    expect(judgeSubmission(sandbox, { ...wholeBusiness, owners: [] })).toMatchObject({
      status: "RESOLVE_ERRORS",
      errors: [{ type: "MISSING_CONTROL_PERSON" }, { type: "MISSING_BENEFICIAL_OWNER" }],
      isDecidedLater: false,
    });
  });

  it("comes later by the number that it has by then", () => {
    expect(judgeLater(sandbox, wholeBusiness.customer)).toBe("APPROVED");
    expect(judgeLater(sandbox, numbered("001").customer)).toBe("IN_PROGRESS");
    expect(judgeLater(sandbox, numbered("002").customer)).toBe("REJECTED");
    expect(judgeLater(sandbox, numbered("009").customer)).toBe("APPROVED");
  });
});

describe("the verdict on a person in a sandbox", () => {
  it.each([
    ["Ana Ruiz", "IN_PROGRESS", "APPROVED"],
    ["Ana Ruiz001", "PENDING_MANUAL_REVIEW", "PENDING_MANUAL_REVIEW"],
    ["Ana Ruiz002", "IN_PROGRESS", "REJECTED"],
    ["Ana Ruiz003", "RESOLVE_ERRORS", "PENDING_MANUAL_REVIEW"],
  ])("called %s is %s at first and %s later", (fullName, first, later) => {
    expect(judgeSubmission(sandbox, named(fullName)).status).toBe(first);
    expect(judgeLater(sandbox, named(fullName).customer)).toBe(later);
  });

  it("with 003 reports each image of an identity document", () => {
    const documents = [document("PASSPORT"), document("UTILITY_BILL")];
    const { errors } = judgeSubmission(sandbox, { ...named("Ana 003"), documents });
    expect(errors).toMatchObject([
      { resourceId: "Document:passport", type: "POOR_QUALITY_DOCUMENT" },
    ]);
  });

  it.each(["Ana 001", "Ana 003", "Ana Ruiz"])("called %s waits for what is missing", (name) => {
    const verdict = judgeSubmission(sandbox, { ...named(name), documents: [] });
    expect(verdict).toMatchObject({
      status: "RESOLVE_ERRORS",
      errors: [{ type: "MISSING_IDENTITY_DOCUMENT" }],
    });
  });
});

describe("the verdict in production", () => {
  it.each([numbered("001"), numbered("002"), numbered("7"), wholeBusiness, named("Ana 001")])(
    "knows no magic number or name, and is left to a person",
    (verificationCase) => {
      expect(judgeSubmission(production, { ...verificationCase, at: NOW })).toEqual({
        status: "IN_PROGRESS",
        errors: [],
        isDecidedLater: true,
      });
      expect(judgeLater(production, verificationCase.customer)).toBe("PENDING_MANUAL_REVIEW");
      const bare = { ...verificationCase, documents: [] };
      expect(judgeSubmission(production, bare).status).toBe("RESOLVE_ERRORS");
    },
  );
});
