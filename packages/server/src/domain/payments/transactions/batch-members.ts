/** How a transaction names the batch and the item that it was made of. They are members of its `details`. */
import { fromWireId } from "../../../std/ids.ts";
import type { Transaction } from "./transaction.ts";

/** A type, not an interface: an interface is not assignable to a JSON type. */
export type BatchMembers = {
  readonly batchId: string;
  readonly batchReference: string;
};

/** The batch of the transaction; undefined for one that is in no batch. */
export function batchOf({ details }: Pick<Transaction, "details">): string | undefined {
  const batchId = details?.batchId;
  return typeof batchId === "string" ? fromWireId("PaymentBatch", batchId) : undefined;
}
