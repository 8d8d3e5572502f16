/** What `expand=parties` adds to the timeline of a payment. */
import type { Transaction } from "../../../domain/payments/transactions/transaction.ts";
import { readParties } from "../../../domain/reading/parties/parties.sql.ts";
import { referenceToActor } from "../../../domain/reading/parties/party.ts";
import { partiesOfTransaction } from "../../../domain/reading/parties/payment-parties.ts";
import type { TimelineFacts } from "../../../domain/reading/timeline.sql.ts";
import { readTimelineStory } from "../../../domain/reading/timeline-steps.sql.ts";
import type { Reads } from "../../../postgres/database.ts";
import { actorsOf, storyJson } from "../../../wire/payments/timeline-story.ts";

/** The names, the steps of people and banks, and the failures alike. */
export async function storyOfPayment(
  reads: Reads,
  platformId: string,
  { transaction, facts }: { readonly transaction: Transaction; readonly facts: TimelineFacts },
): Promise<object> {
  const { commands } = facts;
  const commandSeqs = commands.map(({ seq }) => seq);
  const told = await readTimelineStory(reads, platformId, { transaction, commandSeqs });
  const references = partiesOfTransaction(transaction);
  const actors = actorsOf(commands, told);
  const wanted = [...Object.values(references), ...actors.map(referenceToActor)];
  const found = await readParties(
    reads,
    platformId,
    wanted.filter((one) => one !== undefined),
  );
  return storyJson(told, { commands, references, found });
}
