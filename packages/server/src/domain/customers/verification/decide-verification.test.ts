import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { customer, PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import { owner } from "../../../../test/kit/verification-rows.ts";
import { type Platform, platforms } from "../../platform.ts";
import { beneficialOwners } from "../beneficial-owners/beneficial-owner.ts";
import { type Customer, customers, type KycStatus } from "../customer.ts";
import { decideVerification } from "./decide-verification.ts";
import { type VerificationStatus, verifications } from "./verification.ts";

const ID = "018f0000-0000-7000-8000-0000000000f1";
const OWNER = "018f0000-0000-7000-8000-0000000000f2";
const JOB = "018f0000-0000-7000-8000-0000000000e1";

interface State {
  readonly environment?: Platform["environment"];
  readonly status?: VerificationStatus;
  readonly customer?: Partial<Customer>;
  readonly owner?: KycStatus;
}

function decided({ environment = "SANDBOX", status = "IN_PROGRESS", ...state }: State) {
  const input = { verificationId: ID, jobId: JOB };
  const before = { ...customer, kycStatus: "PENDING", updatedAt: 1, ...state.customer } as const;
  const person = {
    ...owner(),
    id: OWNER,
    customerId: customer.id,
    kycStatus: state.owner ?? "UNVERIFIED",
  } as const;
  const tables = [
    rowsOf(platforms, { ...platform, environment }),
    rowsOf(customers, before),
    rowsOf(beneficialOwners, ...(before.customerType === "BUSINESS" ? [person] : [])),
    rowsOf(verifications, {
      id: ID,
      customerId: customer.id,
      status,
      errors: [],
      decidedBy: null,
      decisionNote: null,
      decisionReason: null,
      takenBy: null,
      takenByName: null,
      takenUntil: null,
      createdAt: 1,
      updatedAt: 1,
    }),
  ];
  const world = worldFor({ command: decideVerification, input, platformId: PLATFORM, tables });
  decideVerification.decide(world, input);
  expect(world.cancelledJobs).toEqual([JOB]);
  const { kycStatus, kybStatus, updatedAt } = world.get(customers.ref(customer.id));
  return {
    status: world.get(verifications.ref(ID)).status,
    standing: kybStatus ?? kycStatus,
    isChanged: updatedAt === DECIDED_AT,
    emitted: world.events.map(({ type }) => type),
    owners: [...(world.dirty.get(beneficialOwners)?.values() ?? [])].length,
  };
}

const business = {
  customerType: "BUSINESS",
  kycStatus: null,
  kybStatus: "PENDING",
  businessInfo: { legalName: "Blue Ridge LLC" },
} as const;

describe("a check that ends", () => {
  it("decides the customer in a sandbox, with an event for each", () => {
    expect(decided({})).toEqual({
      status: "APPROVED",
      standing: "APPROVED",
      isChanged: true,
      emitted: ["VERIFICATION.APPROVED", "CUSTOMER.KYC_APPROVED"],
      owners: 0,
    });
    expect(decided({ customer: { fullName: "Ana Ruiz002" } })).toMatchObject({
      standing: "REJECTED",
      emitted: ["VERIFICATION.REJECTED", "CUSTOMER.KYC_REJECTED"],
    });
  });

  it.each([
    ["in production", { environment: "PRODUCTION" }],
    ["for a name that asks for it", { customer: { fullName: "Ana Ruiz001" } }],
  ] as const)("lies with a person %s, which is no news of the customer", (_when, state) => {
    expect(decided(state)).toEqual({
      status: "PENDING_MANUAL_REVIEW",
      standing: "PENDING",
      isChanged: false,
      emitted: ["VERIFICATION.PENDING_MANUAL_REVIEW"],
      owners: 0,
    });
  });

  it("uses the present number of a business; a business without one is approved", () => {
    const numbered = (registrationNumber: string) => ({
      customer: { ...business, businessInfo: { ...business.businessInfo, registrationNumber } },
    });
    expect(decided({ customer: business }).standing).toBe("APPROVED");
    expect(decided(numbered("x002")).standing).toBe("REJECTED");
    expect(decided(numbered("x001"))).toEqual({
      status: "IN_PROGRESS",
      standing: "PENDING",
      isChanged: false,
      emitted: [],
      owners: 0,
    });
  });

  it("stores only owners whose status has changed", () => {
    expect(decided({ customer: business }).owners).toBe(1);
    expect(decided({ customer: business, owner: "APPROVED" }).owners).toBe(0);
  });

  it.each<readonly [string, State]>([
    ["was ended otherwise", { status: "REJECTED" }],
    ["lies with a person", { status: "PENDING_MANUAL_REVIEW" }],
    ["is about a customer who was deleted", { customer: { deletedAt: 1 } }],
  ])("changes nothing when it %s", (_why, state) => {
    const { isChanged, emitted, standing } = decided(state);
    expect([isChanged, emitted, standing]).toEqual([false, [], "PENDING"]);
  });
});
