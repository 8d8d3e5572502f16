/**
 * A transfer of several legs: book transfers that one command decides and one commit holds. Each leg is judged like a single transfer, after the
 * legs before it. A refusal of any leg undoes them all.
 */
import type { Command, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { lowestIdAt, timeOf, toWireId } from "../../../std/ids.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { type BookTransferInput, bookTransfer, bookTransferNeeds } from "./book-transfer.ts";

export const FEWEST_LEGS = 2;
export const MOST_LEGS = 100;

/** Beyond this many legs the command counts as large: a batch takes one such command at most. */
const MOST_SMALL = 10;

export interface BookLegsInput {
  readonly legs: readonly Omit<BookTransferInput, "groupId" | "holdId">[];
}

/** Answers the payers' transactions, in the order of the legs. Refuses what the first refused leg is refused for, with `details.leg`. */
const bookFewLegs: Command<BookLegsInput, readonly Transaction[]> = {
  name: "book-legs",
  needs: (world, { legs }) => legs.flatMap((leg) => bookTransferNeeds(world, leg)),
  decide(world, { legs }) {
    const groupId = toWireId("TransferGroup", world.newId());
    return legs.map((leg, place) => bookLeg(world, { ...leg, groupId }, place));
  },
};

const bookManyLegs: typeof bookFewLegs = { ...bookFewLegs, isLarge: true };

export function bookLegs({ legs }: BookLegsInput): typeof bookFewLegs {
  return legs.length > MOST_SMALL ? bookManyLegs : bookFewLegs;
}

function bookLeg(world: World, leg: BookTransferInput, place: number): Transaction {
  const booked = world.attempt(() => bookTransfer.decide(world, leg));
  if (booked instanceof Refusal) throw ofLeg(booked, place);
  return booked;
}

/** The refusal of a leg, which is counted from 0. The sentence stays. */
export function ofLeg({ code, details, message, isFinal }: Refusal, leg: number): Refusal {
  return new Refusal(code, { ...details, leg }, message, isFinal);
}

/**
 * The ids between which those of a group's transactions are. They are made right after the group's id, so no index on the group is needed,
 * which each payment would write.
 */
export function idsOfGroup(groupId: string): readonly [above: string, below: string] {
  return [groupId, lowestIdAt(timeOf(groupId) + 2)];
}
