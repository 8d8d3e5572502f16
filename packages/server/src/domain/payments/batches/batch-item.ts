/** An item of a batch is decided by the command of the single call: the same checks in the same order, and the same effects. */
import type { Loaded, World } from "../../../engine/command.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { type KeptPayment, keptPaymentNeeds, makePayment } from "../transfers/kept-payment.ts";
import type { RailRulesOf } from "../transfers/payment-rail.port.ts";
import { type BatchItem, membersOf, type NewItem } from "./payment-batch.ts";

export function itemNeeds(world: Loaded, item: NewItem): readonly AnyRef[] {
  return keptPaymentNeeds(world, keptOf(item));
}

/** Makes the payment of the item, or refuses whatever the single call would refuse. */
export function payItem(world: World, item: BatchItem, rails: RailRulesOf): Transaction {
  return makePayment(world, { ...keptOf(item), rails, batch: membersOf(item) });
}

function keptOf({ kind, sourceId, destinationId, amountMinor, terms }: NewItem): KeptPayment {
  return { kind, sourceId, destinationId, minor: amountMinor.toString(), ...terms };
}
