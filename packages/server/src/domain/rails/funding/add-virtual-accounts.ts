import type { Command } from "../../../engine/command.ts";
import { invalidField } from "../../../engine/refusal.ts";
import { railConnections, requireLiveConnection } from "../connections/rail-connection.ts";
import { virtualAccounts } from "./virtual-account.ts";

export interface AddVirtualAccountsInput {
  readonly connectionId: string;
  /** Without duplicates. */
  readonly numbers: readonly string[];
  /** The numbers that the pool had when the caller read it. */
  readonly known: readonly string[];
}

/**
 * Adds virtual accounts to the pool of a connection. One that is there already is left as it is. Refuses, in this order: an unknown
 * connection, an archived one, one that does not use virtual accounts.
 */
export const addVirtualAccounts: Command<AddVirtualAccountsInput, { readonly added: number }> = {
  name: "add-virtual-accounts",
  isLarge: true,
  needs: (_world, { connectionId }) => [railConnections.ref(connectionId)],
  decide(world, { connectionId, numbers, known }) {
    const { funding } = requireLiveConnection(world, connectionId, "given virtual accounts");
    if (funding.mode !== "VIRTUAL_ACCOUNTS") {
      throw invalidField(
        "accounts",
        `are for a connection with the funding mode VIRTUAL_ACCOUNTS; this one has ${funding.mode}`,
      );
    }
    const there = new Set(known);
    const added = numbers.filter((number) => !there.has(number));
    for (const number of added) {
      const id = world.newId();
      world.put(virtualAccounts, {
        id,
        connectionId,
        number,
        addressId: null,
        createdAt: world.at,
      });
    }
    return { added: added.length };
  },
};
