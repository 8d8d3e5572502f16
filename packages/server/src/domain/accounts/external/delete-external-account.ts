import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import {
  type AccountOwner,
  type ExternalAccount,
  externalAccounts,
  isOwnedBy,
} from "./external-account.ts";

export interface DeleteExternalAccountInput {
  readonly accountId: string;
  /** The required owner; an account of another owner is not found. */
  readonly owner: AccountOwner;
}

/** Deletes an external account. Payments already in flight to it continue. */
export const deleteExternalAccount: Command<DeleteExternalAccountInput, ExternalAccount> = {
  name: "delete-external-account",
  needs: (_world, { accountId }) => [externalAccounts.ref(accountId)],
  decide(world, { accountId, owner }) {
    const account = world.find(externalAccounts.ref(accountId));
    if (account === undefined || account.deletedAt !== null || !isOwnedBy(account, owner)) {
      throw new Refusal("REFERENCE_NOT_FOUND");
    }
    return world.put(externalAccounts, {
      ...account,
      defaultUmaDepositAccount: false,
      updatedAt: world.at,
      deletedAt: world.at,
    });
  },
};
