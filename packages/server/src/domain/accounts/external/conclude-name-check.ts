import type { Command } from "../../../engine/command.ts";
import { beneficiaryNameIn, externalAccounts } from "./external-account.ts";

export interface ConcludeNameCheckInput {
  readonly accountId: string;
  readonly jobId: string;
}

/**
 * Ends a pending name check with a match. The account's status does not depend on it, so no event is sent. An account that
 * was deleted meanwhile is left unchanged.
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
