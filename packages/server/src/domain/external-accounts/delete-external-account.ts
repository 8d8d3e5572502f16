import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { type ExternalAccount, externalAccounts } from "./external-account.ts";

export interface DeleteExternalAccountInput {
  readonly accountId: string;
  /** Customers' accounts and the platform's own are deleted by different paths; the other kind is not found. */
  readonly owner: "customer" | "platform";
}

/** Takes an external account out of use. Payments already under way to it go on. */
export const deleteExternalAccount: Command<DeleteExternalAccountInput, ExternalAccount> = {
  name: "delete-external-account",
  needs: (_world, { accountId }) => [externalAccounts.ref(accountId)],
  decide(world, { accountId, owner }) {
    const account = world.find(externalAccounts.ref(accountId));
    const isOwned =
      account !== undefined && (account.customerId === null) === (owner === "platform");
    if (!isOwned || account.deletedAt !== null) throw new Refusal("REFERENCE_NOT_FOUND");
    return world.put(externalAccounts, {
      ...account,
      defaultUmaDepositAccount: false,
      updatedAt: world.at,
      deletedAt: world.at,
    });
  },
};
