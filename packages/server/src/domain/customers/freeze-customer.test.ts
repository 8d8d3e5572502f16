/** What the commands of a customer do with the freezes of the customer and of single accounts that they find. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import { customer, internal, PLATFORM } from "../../../test/kit/payment-rows.ts";
import type { Freeze } from "../accounts/freezes/freeze.ts";
import { type InternalAccount, internalAccounts } from "../accounts/internal/internal-account.ts";
import { type Customer, customers } from "./customer.ts";
import { freezeCustomer, unfreezeCustomer } from "./freeze-customer.ts";

const CUSTOMER_SINCE = "2026-11-02T00:00:00.000Z";
const NOW = new Date(DECIDED_AT).toISOString();
const freeze = { reason: "LEGAL_ORDER", scope: "ALL", note: "file 7" } as const;

function freezeWith(scope: Freeze["scope"] | "NONE", since: string): Freeze | null {
  return scope === "NONE" ? null : { reason: "COMPLIANCE", scope, note: "a note", since };
}

describe("the commands of a customer", () => {
  const second: InternalAccount = {
    ...internal,
    frozen: freezeWith("DEBITS", "2026-11-01T00:00:00.000Z"),
    id: "018f0000-0000-7000-8000-000000000022",
  };

  function decided(
    command: typeof freezeCustomer | typeof unfreezeCustomer,
    change: Partial<Customer> | undefined,
  ) {
    const input = { customerId: customer.id, freeze };
    const row = { ...customer, ...change };
    const copies = [internal, second].map((each) => ({ ...each, customerFreeze: row.frozen }));
    const world = worldFor({
      command,
      input,
      platformId: PLATFORM,
      tables: [
        rowsOf(customers, ...(change === undefined ? [] : [row])),
        rowsOf(internalAccounts, ...copies),
      ],
    });
    const refusal = refusalOf(world, () => command.decide(world, input));
    const accounts = [internal, second].map(({ id }) => world.find(internalAccounts.ref(id)));
    return {
      refusal,
      frozen: world.find(customers.ref(customer.id))?.frozen,
      copies: accounts.map((account) => account?.customerFreeze),
      owns: accounts.map((account) => account?.frozen),
      events: world.events.map(({ type }) => type),
    };
  }

  it.each(["NONE", "DEBITS", "ALL"] as const)(
    "freeze one that is frozen %s, and every account",
    (scope) => {
      const before = freezeWith(scope, CUSTOMER_SINCE);
      const { frozen, copies, owns, events } = decided(freezeCustomer, { frozen: before });
      const after = { ...freeze, since: before === null ? NOW : CUSTOMER_SINCE };
      expect(frozen).toEqual(after);
      expect(copies).toEqual([after, after]);
      expect(owns).toEqual([null, second.frozen]);
      expect(events).toEqual(["CUSTOMER.FROZEN"]);
    },
  );

  it("lift the freeze of every account, and leave those that single accounts have", () => {
    const before = freezeWith("ALL", CUSTOMER_SINCE);
    const { frozen, copies, owns, events } = decided(unfreezeCustomer, { frozen: before });
    expect(frozen).toBeNull();
    expect(copies).toEqual([null, null]);
    expect(owns).toEqual([null, second.frozen]);
    expect(events).toEqual(["CUSTOMER.UNFROZEN"]);
  });

  const deleted = { deletedAt: DECIDED_AT };
  const deletedFrozen = { ...deleted, frozen: freezeWith("ALL", CUSTOMER_SINCE) };

  it.each([
    ["freeze", freezeCustomer, undefined, "USER_NOT_FOUND"],
    ["freeze", freezeCustomer, deleted, "CUSTOMER_DELETED"],
    ["lift", unfreezeCustomer, undefined, "USER_NOT_FOUND"],
    ["lift", unfreezeCustomer, deleted, "CUSTOMER_DELETED"],
    ["lift", unfreezeCustomer, deletedFrozen, "CUSTOMER_DELETED"],
    ["lift", unfreezeCustomer, {}, "CONFLICT"],
  ] as const)(
    "%s none that is absent, deleted or not frozen, in this order",
    (_what, command, change, code) => {
      expect(decided(command, change).refusal?.code).toBe(code);
    },
  );
});
