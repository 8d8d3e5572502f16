/** An item of a batch is decided by the command of the single call: the same checks in the same order, and the same effects. */
import type { Loaded, World } from "../../../engine/command.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import type { Transaction } from "../transactions/transaction.ts";
import {
  type BookTransferInput,
  bookTransfer,
  bookTransferNeeds,
} from "../transfers/book-transfer.ts";
import type { RailRulesOf } from "../transfers/payment-rail.port.ts";
import { type TransferOutInput, transferOut } from "../transfers/transfer-out.ts";
import { transferNeeds } from "../transfers/transfer-rules.ts";
import { type BatchItem, membersOf, type NewItem } from "./payment-batch.ts";

export function itemNeeds(world: Loaded, item: NewItem): readonly AnyRef[] {
  const { kind, sourceId, destinationId } = item;
  return kind === "BOOK"
    ? bookTransferNeeds(world, { sourceId, destinationId })
    : transferNeeds(world, { internalId: sourceId, externalId: destinationId });
}

/** Makes the payment of the item, or refuses whatever the single call would refuse. */
export function payItem(world: World, item: BatchItem, rails: RailRulesOf): Transaction {
  const batch = membersOf(item);
  return item.kind === "BOOK"
    ? bookTransfer.decide(world, { ...bookInput(item), batch })
    : transferOut.decide(world, { ...outInput(item, rails), batch });
}

function bookInput({ sourceId, destinationId, amountMinor, terms }: NewItem): BookTransferInput {
  const metadata = terms?.metadata ?? null;
  return { sourceId, destinationId, amountMinor, description: terms?.description, metadata };
}

function outInput(item: NewItem, rails: RailRulesOf): TransferOutInput {
  const { sourceId: internalId, destinationId: externalId, amountMinor, terms } = item;
  return {
    internalId,
    externalId,
    amountMinor,
    paymentRail: terms?.paymentRail,
    remittanceInformation: terms?.remittanceInformation,
    description: terms?.description,
    metadata: terms?.metadata ?? null,
    rails,
  };
}
