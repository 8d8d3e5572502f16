import type { Command } from "../../engine/command.ts";
import { refuseFrozenCredit } from "../accounts/freezes/freeze.ts";
import type { InternalAccount } from "../accounts/internal/internal-account.ts";
import { unproven } from "./credentials/credential.ts";
import { WRONG_STAMP } from "./owner-stamp.ts";
import {
  findSignedRequest,
  type OwnerProof,
  openSignedRequest,
  proofNeeds,
  type Signed,
  useSignedRequest,
} from "./signed-request.ts";
import { requireWallet, walletNeeds } from "./wallet-account.ts";
import type { ClientPublicKey } from "./wallet-crypto.port.ts";

export interface ExportWalletInput {
  readonly accountId: string;
  readonly clientPublicKey: ClientPublicKey;
  readonly bodySha256: string;
  readonly proof: OwnerProof;
  /** Whether the mnemonic was sealed to the client, which requires a stamp of an active session. */
  readonly isSealed: boolean;
}

/**
 * Exports the mnemonic of a wallet to its owner. It was sealed to the client's key before the command, and is sent only if
 * the command succeeds. Refuses, in this order: a second call without an open request (`findSignedRequest`), an unknown
 * account, an account that is not an embedded wallet, one that is frozen with the scope ALL.
 */
export const exportWallet: Command<ExportWalletInput, Signed<InternalAccount>> = {
  name: "export-wallet",
  needs: (world, { accountId, proof }) => [
    ...walletNeeds(world, accountId),
    ...proofNeeds(world, proof),
  ],
  decide(world, { accountId, clientPublicKey, bodySha256, proof, isSealed }) {
    const act = { operation: "EXPORT_WALLET", target: accountId, bodySha256 } as const;
    const request = findSignedRequest(world, act, proof);
    const account = requireWallet(world, accountId, "id");
    refuseFrozenCredit(account, "id");
    if (request === undefined) {
      const activity = {
        type: "ACTIVITY_TYPE_EXPORT_WALLET",
        parameters: { targetPublicKey: clientPublicKey, walletId: accountId },
      } as const;
      const opened = openSignedRequest(world, { ...act, accountId, activity });
      return { kind: "to-sign", request: opened };
    }
    if (!isSealed) throw unproven(WRONG_STAMP);

    useSignedRequest(world, request);
    return { kind: "done", done: account };
  },
};
