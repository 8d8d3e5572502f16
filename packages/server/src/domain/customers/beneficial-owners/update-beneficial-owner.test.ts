import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { customer, PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { owner } from "../../../../test/kit/verification-rows.ts";
import { type Customer, customers } from "../customer.ts";
import { beneficialOwners } from "./beneficial-owner.ts";
import {
  type UpdateBeneficialOwnerInput,
  updateBeneficialOwner,
} from "./update-beneficial-owner.ts";

const before = {
  ...owner(),
  id: "018f0000-0000-7000-8000-0000000000f2",
  customerId: customer.id,
  kycStatus: "REJECTED",
} as const;

function updated(change: Partial<UpdateBeneficialOwnerInput>, business: Partial<Customer> = {}) {
  const input = { ownerId: before.id, personalInfo: {}, ...change };
  const tables = [
    rowsOf(customers, { ...customer, ...business }),
    rowsOf(beneficialOwners, before),
  ];
  const world = worldFor({ command: updateBeneficialOwner, input, platformId: PLATFORM, tables });
  const refusal = refusalOf(world, () => updateBeneficialOwner.decide(world, input));
  return refusal?.code ?? world.get(beneficialOwners.ref(before.id));
}

describe("an owner that is changed", () => {
  it("keeps what was not sent, and how its checks went", () => {
    expect(updated({})).toEqual({ ...before, updatedAt: DECIDED_AT });
    expect(updated({ roles: ["DIRECTOR"] })).toMatchObject({ roles: ["DIRECTOR"] });
  });

  it("may have given up its whole share", () => {
    expect(before.ownershipPercentage).toBeGreaterThan(0);
    expect(updated({ ownershipPercentage: 0 })).toMatchObject({ ownershipPercentage: 0 });
  });

  it("loses a member that is sent as none", () => {
    const { countryOfIssuance: _, ...personalInfo } = before.personalInfo;
    const sent: object = { middleName: "K", countryOfIssuance: undefined };
    const changed = updated({ personalInfo: sent });
    expect(changed).toMatchObject({ personalInfo: { ...personalInfo, middleName: "K" } });
    expect(changed).not.toHaveProperty("personalInfo.countryOfIssuance");
  });

  it("is refused a birth date in the future, and with a deleted customer", () => {
    expect(updated({ personalInfo: { birthDate: "2026-11-21" } })).not.toBe("INVALID_INPUT");
    expect(updated({ personalInfo: { birthDate: "2026-11-22" } })).toBe("INVALID_INPUT");
    expect(updated({}, { deletedAt: DECIDED_AT })).toBe("CUSTOMER_DELETED");
  });
});
