import type { Command } from "../../../engine/command.ts";
import type { PaidChannel } from "../../job-kinds.ts";
import {
  putUmaNonce,
  refuseUsedNonce,
  type SignedMessage,
  umaNonceNeeds,
} from "../nonces/uma-nonce.ts";
import { newHook, umaHooks } from "./uma-hook.ts";

export interface ReceivedHook {
  readonly transactionId: string;
  readonly message: SignedMessage;
  readonly utxos: readonly PaidChannel[];
}

/**
 * Stores what the other institution tells of a payment. Refuses a message that was accepted before. The first one is kept: an institution
 * that sends it again, signed anew, is answered as the first time.
 */
export const recordHook: Command<ReceivedHook, undefined> = {
  name: "record-uma-hook",
  needs: (_world, { transactionId, message }) => [
    umaHooks.ref(transactionId),
    ...umaNonceNeeds(message),
  ],
  decide(world, { transactionId, message, utxos }) {
    refuseUsedNonce(world, message);
    putUmaNonce(world, message);
    const hook = world.find(umaHooks.ref(transactionId)) ?? newHook(transactionId, world.at);
    if (hook.utxos !== null) return;
    world.put(umaHooks, { ...hook, utxos, updatedAt: world.at });
  },
};
