import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { Transaction } from "../../payments/transactions/transaction.ts";
import { platforms, supportedCurrency } from "../../platform.ts";
import {
  announcementNeeds,
  announcePayment,
  type PaymentOrder,
} from "../../uma/announce-payment.ts";
import { findCounterparty } from "../../uma/counterparties.ts";

export interface ReceiveUmaPaymentInput extends PaymentOrder {
  /** Normalized. */
  readonly senderUmaAddress: string;
}

/**
 * Simulates an incoming payment to a customer, and asks the platform whether it takes the payment. Refuses, in this
 * order: an unknown sender, whatever `announcePayment` lists.
 */
export const receiveUmaPayment: Command<ReceiveUmaPaymentInput, Transaction> = {
  name: "receive-uma-payment",
  needs: announcementNeeds,
  decide(world, input) {
    const platform = world.get(platforms.ref(world.platformId));
    const sender = findCounterparty(input.senderUmaAddress, platform.sandboxUmaDomain);
    if (sender === undefined) throw new Refusal("UMA_NOT_FOUND", { field: "senderUmaAddress" });
    // The simulated sender asks the receiver for the same fields that the platform asks of a counterparty.
    const requestedFields =
      supportedCurrency(platform, input.currency)?.requiredCounterpartyFields ?? [];
    const { information, outcome } = sender;
    return announcePayment(world, input, {
      sender: { umaAddress: input.senderUmaAddress, information, requestedFields },
      outcome,
    });
  },
};
