import type { Command } from "../../engine/command.ts";
import { beneficiaryNameIn, externalAccounts } from "./external-account.ts";

export interface ConcludeNameCheckInput {
  readonly accountId: string;
  readonly jobId: string;
}

/**
 * Ends a name check that was pending: the sandbox's banks find that the name is right. The account's status is another
 * matter, so no event tells of it. An account that was deleted in the meantime stays as it is.
 */
export const concludeNameCheck: Command<ConcludeNameCheckInput, void> = {
  name: "conclude-name-check",
  needs: (_, { accountId }) => [externalAccounts.ref(accountId)],
  decide(world, { accountId, jobId }) {
    world.cancel(jobId);
    const account = world.get(externalAccounts.ref(accountId));
    const isPending = account.beneficiaryVerificationStatus === "PENDING";
    if (!isPending || account.deletedAt !== null) return;
    world.put(externalAccounts, {
      ...account,
      beneficiaryVerificationStatus: "MATCHED",
      beneficiaryVerifiedFullName: beneficiaryNameIn(account.accountInfo),
      updatedAt: world.at,
    });
  },
};
