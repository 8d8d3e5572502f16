/** A batch of payments as it is at this moment, for the people who decide about it. */
import { currenciesOf, neverPaidOf } from "../../domain/payments/batches/held-batch.sql.ts";
import type { ShownBatch } from "../../domain/people/approvals/shown/batch.ts";
import type { Reads } from "../../postgres/database.ts";
import type { JsonObject } from "../../std/json.ts";
import { soundAccountId } from "../../wire/ids.ts";

/** The members that every item of a stored order has. */
interface StoredItem {
  readonly reference: string;
  readonly source: { readonly accountId: string };
  readonly destination: { readonly accountId: string };
  readonly amount: number;
}

export async function shownBatch(
  reads: Reads,
  platformId: string,
  content: JsonObject,
): Promise<ShownBatch> {
  const items = content.items as unknown as readonly StoredItem[];
  const [sources, payees] = [
    [...new Set(items.map(({ source }) => source.accountId))],
    [...new Set(items.map(({ destination }) => destination.accountId))],
  ];
  const [currencies, fresh] = await Promise.all([
    currenciesOf(reads, platformId, sources.map(soundAccountId)),
    neverPaidOf(reads, platformId, payees.map(soundAccountId)),
  ]);
  const isFresh = new Set(fresh);
  return {
    items: items.map(({ reference, source, destination, amount }) => ({
      reference,
      to: destination.accountId,
      minor: BigInt(amount),
      currency: currencies.get(soundAccountId(source.accountId)),
    })),
    newPayees: payees.filter((id) => isFresh.has(soundAccountId(id))),
  };
}
