import { expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import { customer, PLATFORM, platform } from "../../../test/kit/payment-rows.ts";
import { platforms } from "../platform.ts";
import { createCustomer } from "./create-customer.ts";
import { customers } from "./customer.ts";

const { id: _, ...newCustomer } = customer;
const input = {
  customer: newCustomer,
  umaAddress: "$new@p.test",
  currencies: ["USD"],
  wallet: undefined,
};
const before = () => {
  const tables = [rowsOf(platforms, platform), rowsOf(customers, customer)];
  return worldFor({ command: createCustomer, input, platformId: PLATFORM, tables });
};

it("a platform's own id for a customer is free once its customer is deleted, be it in the same commit", () => {
  const live = before();
  expect(refusalOf(live, () => createCustomer.decide(live, input))?.code).toBe("CONFLICT");
  const world = before();
  world.put(customers, { ...customer, deletedAt: DECIDED_AT });
  const made = createCustomer.decide(world, input).customer;
  expect(made.platformCustomerId).toBe(customer.platformCustomerId);
  expect(made.id).not.toBe(customer.id);
});
