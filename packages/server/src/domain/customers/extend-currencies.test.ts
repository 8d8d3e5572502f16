import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import { customer, internal, PLATFORM, platform } from "../../../test/kit/payment-rows.ts";
import { internalAccounts } from "../accounts/internal/internal-account.ts";
import { platforms } from "../platform.ts";
import { type Customer, customers } from "./customer.ts";
import { extendCurrencies } from "./extend-currencies.ts";

const JOB = "018f0000-0000-7000-8000-0000000000bb";

function extended(change: Partial<Customer>, hasMore = false) {
  const input = { jobId: JOB, customerIds: [customer.id], hasMore };
  const tables = [
    rowsOf(platforms, platform),
    rowsOf(customers, { ...customer, infersCurrencies: true, updatedAt: 1, ...change }),
    rowsOf(internalAccounts, internal),
  ];
  const world = worldFor({ command: extendCurrencies, input, platformId: PLATFORM, tables });
  extendCurrencies.decide(world, input);
  expect(world.cancelledJobs).toEqual([JOB]);
  const accounts = [...(world.dirty.get(internalAccounts)?.values() ?? [])];
  const { currencies, updatedAt } = world.get(customers.ref(customer.id));
  return {
    currencies,
    updatedAt,
    opened: accounts.map(({ row }) => (row as typeof internal).currency),
    next: world.jobs.map(({ payload }) => payload),
  };
}

describe("a customer who did not choose its currencies", () => {
  it("gets the missing currencies of the platform, with an account where it has none", () => {
    expect(extended({ currencies: ["EUR"] })).toEqual({
      currencies: ["EUR", "USD", "USDB"],
      updatedAt: DECIDED_AT,
      opened: ["EUR", "USDB"],
      next: [],
    });
  });

  it.each<readonly [string, Partial<Customer>]>([
    ["has them all already", {}],
    ["was deleted", { currencies: ["USD"], deletedAt: 1 }],
    ["has chosen since", { currencies: ["USD"], infersCurrencies: false }],
  ])("is passed over when it %s", (_why, change) => {
    const { currencies } = { ...customer, ...change };
    expect(extended(change)).toEqual({ currencies, updatedAt: 1, opened: [], next: [] });
  });

  it("is followed by those behind it, in another job", () => {
    expect(extended({}, true).next).toEqual([{ after: customer.id }]);
  });
});
