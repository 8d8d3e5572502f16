/** Who may have owners, how many, and how the checks of a new one stand. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, inOrder, named } from "../../../../test/kit/decided.ts";
import { PLATFORM, platform, customer as someone } from "../../../../test/kit/payment-rows.ts";
import { businessInfo, owner } from "../../../../test/kit/verification-rows.ts";
import { platforms } from "../../platform.ts";
import { type Customer, customers, type KycStatus } from "../customer.ts";
import {
  type BeneficialOwner,
  beneficialOwners,
  inCreationOrder,
  MOST_OWNERS,
} from "./beneficial-owner.ts";
import { createBeneficialOwner } from "./create-beneficial-owner.ts";

const business: Customer = {
  ...someone,
  customerType: "BUSINESS",
  kycStatus: null,
  kybStatus: "UNVERIFIED",
  businessInfo,
};

const { personalInfo } = owner();

interface Adding {
  readonly customer?: Customer | null;
  readonly count?: number;
  readonly birthDate?: string;
  readonly lastName?: string;
  readonly environment?: "SANDBOX" | "PRODUCTION";
}

const idOf = (place: number) => `018f0000-0000-7000-8000-${String(place).padStart(12, "0")}`;

function add(scene: Adding) {
  const { customer = business, count = 0, environment = "SANDBOX", ...info } = scene;
  const there = Array.from({ length: count }, (_, place) =>
    owner({ id: idOf(500 + place), customerId: business.id }),
  );
  return decided({
    command: createBeneficialOwner,
    input: {
      customerId: business.id,
      roles: ["UBO"],
      ownershipPercentage: 30,
      personalInfo: { ...personalInfo, ...info },
    },
    platformId: PLATFORM,
    tables: [
      rowsOf(platforms, { ...platform, environment }),
      rowsOf(customers, ...(customer === null ? [] : [customer])),
      rowsOf(beneficialOwners, ...there),
    ],
  });
}

const fieldsOf = (scene: Adding) => {
  const errors: unknown = add(scene).refusal?.details?.errors;
  return Array.isArray(errors) ? errors.map(({ field }: { field: string }) => field) : [];
};

const individual = { ...business, customerType: "INDIVIDUAL" } as const;

describe("a new owner", () => {
  it.each(
    inOrder<Adding>([
      ["USER_NOT_FOUND", { customer: null }],
      ["CUSTOMER_DELETED", { customer: { ...business, deletedAt: 7 } }],
      ["INVALID_INPUT", { customer: individual }],
      ["INVALID_INPUT", { count: MOST_OWNERS }],
      ["INVALID_INPUT", { birthDate: "2027-01-01" }],
    ]),
  )("is refused with %s, %s", (expected, _how, scene) => {
    expect(named(add(scene).refusal)).toBe(expected);
  });

  it("is told all faults of the customer and of the owner in one answer", () => {
    const birthDate = "2027-01-01";
    expect(fieldsOf({ customer: individual, birthDate })).toEqual([
      "customerId",
      "personalInfo.birthDate",
    ]);
    expect(fieldsOf({ count: MOST_OWNERS, birthDate })).toEqual([
      "customerId",
      "personalInfo.birthDate",
    ]);
    expect(fieldsOf({ customer: individual, count: MOST_OWNERS })).toEqual(["customerId"]);
    expect(fieldsOf({ birthDate })).toEqual(["personalInfo.birthDate"]);
  });

  it("is the last of as many as a business can have", () => {
    expect(add({ count: MOST_OWNERS - 1 }).refusal).toBeUndefined();
  });

  it.each<[KycStatus, string, KycStatus, KycStatus]>([
    ["UNVERIFIED", "Lind", "UNVERIFIED", "PENDING"],
    ["PENDING", "Lind", "UNVERIFIED", "PENDING"],
    ["APPROVED", "Lind", "APPROVED", "APPROVED"],
    ["REJECTED", "Lind", "APPROVED", "REJECTED"],
    ["APPROVED", "Lind 001", "PENDING", "APPROVED"],
    ["APPROVED", "Lind 002", "REJECTED", "APPROVED"],
    ["REJECTED", "Lind 002", "REJECTED", "REJECTED"],
    ["UNVERIFIED", "Lind 002", "UNVERIFIED", "PENDING"],
  ])(
    "of a business that is %s, with the last name %s, is %s in a sandbox and %s in production",
    (...row) => {
      const [kybStatus, lastName, sandbox, production] = row;
      const customer = { ...business, kybStatus };
      const standing = (environment: "SANDBOX" | "PRODUCTION") =>
        add({ customer, lastName, environment }).output?.kycStatus;
      expect([standing("SANDBOX"), standing("PRODUCTION")]).toEqual([sandbox, production]);
    },
  );

  it("is kept as sent, with its time", () => {
    expect(add({}).output).toMatchObject({
      customerId: business.id,
      roles: ["UBO"],
      ownershipPercentage: 30,
      personalInfo,
      createdAt: DECIDED_AT,
      updatedAt: DECIDED_AT,
    });
  });
});

it("owners are told in the order in which they were added", () => {
  const [a, b, c] = [idOf(1), idOf(2), idOf(3)].map((id): BeneficialOwner => owner({ id }));
  const order = inCreationOrder([c, a, b].filter((one) => one !== undefined));
  expect(order.map(({ id }) => id)).toEqual([idOf(1), idOf(2), idOf(3)]);
});
