import { invalidFields, Refusal } from "../../engine/refusal.ts";
import { present } from "../../std/assert.ts";
import type { Holders } from "../accounts/holders.port.ts";
import { customers } from "./customer.ts";

export const holders: Holders = {
  needs: (customerId) => [customers.ref(customerId)],
  refuseUnknown(world, customerId) {
    const customer = world.find(customers.ref(customerId));
    if (customer === undefined) throw new Refusal("USER_NOT_FOUND");
    if (customer.deletedAt !== null) {
      throw invalidFields([{ field: "customerId", message: "names a customer who was deleted" }]);
    }
  },
  standingOf(world, customerId) {
    const { frozen, currencies } = present(world.find(customers.ref(customerId)), "a customer");
    return { freeze: frozen, currencies };
  },
};
