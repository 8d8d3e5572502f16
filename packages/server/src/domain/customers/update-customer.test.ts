import { describe, expect, it } from "vitest";
import { refusalOf, rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import { customer, internal, PLATFORM, platform } from "../../../test/kit/payment-rows.ts";
import { internalAccounts } from "../accounts/internal/internal-account.ts";
import { platforms } from "../platform.ts";
import { type Customer, customers } from "./customer.ts";
import { type UpdateCustomerInput, updateCustomer } from "./update-customer.ts";

function updated(before: Partial<Customer>, change: Partial<UpdateCustomerInput>) {
  const input: UpdateCustomerInput = {
    customerId: customer.id,
    customerType: "INDIVIDUAL",
    fields: {},
    profile: {},
    businessInfo: {},
    ...change,
  };
  const tables = [
    rowsOf(platforms, platform),
    rowsOf(customers, { ...customer, currencies: ["USD"], ...before }),
    rowsOf(internalAccounts, internal),
  ];
  const world = worldFor({ command: updateCustomer, input, platformId: PLATFORM, tables });
  const refusal = refusalOf(world, () => updateCustomer.decide(world, input));
  const { umaAddress, formerUmaAddresses } = world.get(customers.ref(customer.id));
  return {
    fault: refusal?.details?.field,
    claimed: world.handles,
    addresses: [...formerUmaAddresses, umaAddress],
  };
}

describe("an identifier that becomes a social security number", () => {
  const kept = { identitySealed: "sealed" };
  const asSsn = { profile: { idType: "SSN" } } as const;
  const isTaken = (before: Partial<Customer>) =>
    updated({ ...kept, ...before }, asSsn).fault === undefined;

  it("has its form, as far as that was noted", () => {
    expect(isTaken({ identityHasSsnForm: true, profile: { idType: "ITIN" } })).toBe(true);
    expect(isTaken({ identityHasSsnForm: false, profile: { idType: "ITIN" } })).toBe(false);
    expect(isTaken({ identityHasSsnForm: false, profile: { idType: "SSN" } })).toBe(false);
  });

  it("is a social security number already when no type was stored", () => {
    expect(isTaken({ profile: { idType: "SSN" } })).toBe(true);
    expect(isTaken({ profile: { idType: "ITIN" } })).toBe(false);
    expect(isTaken({ profile: {} })).toBe(false);
  });

  it("may be of any type when none is stored", () => {
    expect(isTaken({ identitySealed: null, profile: { idType: "ITIN" } })).toBe(true);
  });
});

describe("an address", () => {
  it("that is new is claimed, and the one before is kept", () => {
    expect(updated({}, { umaAddress: "$new@p.test" })).toEqual({
      fault: undefined,
      claimed: ["uma:sandbox:$new@p.test"],
      addresses: ["$c@p.test", "$new@p.test"],
    });
  });

  it("that the customer had is taken back without a claim, and all others are kept", () => {
    const before = { formerUmaAddresses: ["$a@p.test", "$b@p.test"] };
    expect(updated(before, { umaAddress: "$a@p.test" })).toEqual({
      fault: undefined,
      claimed: [],
      addresses: ["$b@p.test", "$c@p.test", "$a@p.test"],
    });
  });

  it("is refused when the customer has had a hundred, and each of those can be taken back", () => {
    const formerUmaAddresses = Array.from({ length: 99 }, (_, n) => `$a${n}@p.test`);
    const change = { umaAddress: "$new@p.test" };
    expect(updated({ formerUmaAddresses }, change)).toMatchObject({
      fault: "umaAddress",
      claimed: [],
    });
    const back = updated({ formerUmaAddresses }, { umaAddress: "$a0@p.test" });
    expect(back).toMatchObject({ fault: undefined, claimed: [] });
    const fewer = { formerUmaAddresses: formerUmaAddresses.slice(1) };
    expect(updated(fewer, change).addresses).toHaveLength(100);
  });

  it("that is unchanged is not checked, even if the platform has another domain now", () => {
    const old = { umaAddress: "$c@old.test" };
    expect(updated(old, { umaAddress: "$c@old.test" })).toMatchObject({
      fault: undefined,
      claimed: [],
    });
    expect(updated(old, { umaAddress: "$d@old.test" }).fault).toBe("umaAddress");
  });
});
