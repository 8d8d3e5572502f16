import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { isSameMetadata, type Metadata } from "../../metadata.ts";
import { type Transaction, transactions } from "./transaction.ts";

export interface ChangeMetadataInput {
  readonly transactionId: string;
  readonly metadata: Metadata | null;
}

/**
 * Replaces the metadata of a transaction in any state; its quote, its batch and the other side of a book transfer keep theirs. No event
 * is emitted. The same metadata again changes nothing. Refuses an unknown transaction.
 */
export const changeTransactionMetadata: Command<ChangeMetadataInput, Transaction> = {
  name: "change-transaction-metadata",
  needs: (_, { transactionId }) => [transactions.ref(transactionId)],
  decide(world, { transactionId, metadata }) {
    const transaction = world.find(transactions.ref(transactionId));
    if (transaction === undefined) throw new Refusal("TRANSACTION_NOT_FOUND");
    if (isSameMetadata(transaction.metadata, metadata)) return transaction;
    return world.put(transactions, { ...transaction, metadata, updatedAt: world.at });
  },
};
