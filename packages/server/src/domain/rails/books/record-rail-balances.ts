import type { Command, World } from "../../../engine/command.ts";
import { railConnections } from "../connections/rail-connection.ts";
import { bookNeeds, findBook } from "./rail-book.ts";
import { dayAt, hasRoomFor, recordStatement } from "./rail-statement.ts";

/** The balance that a connector reported in one currency. */
export interface ConnectorBalance {
  readonly currency: string;
  readonly bookedMinor: bigint;
}

export interface RecordRailBalancesInput {
  readonly connectionId: string;
  readonly jobId: string;
  readonly balances: readonly ConnectorBalance[];
  /** By currency, each book's `toldCount` before the connector was asked; the feed had no newer entry after that. */
  readonly toldCounts: ReadonlyMap<string, bigint>;
}

/**
 * Records balances that a connector reported. Its feed was read to the end before and after, so each balance covers exactly the entries in
 * its book. Skips a currency that the connection does not have, one whose entries came in meanwhile by callbacks, one for which the books
 * have no room, and one without a change.
 */
export const recordRailBalances: Command<RecordRailBalancesInput, undefined> = {
  name: "record-rail-balances",
  needs: (_world, { connectionId, balances }) => [
    railConnections.ref(connectionId),
    ...balances.flatMap(({ currency }) => bookNeeds({ connectionId, currency })),
  ],
  decide(world, { connectionId, jobId, balances, toldCounts }) {
    const connection = world.get(railConnections.ref(connectionId));
    if (connection.feedJobId !== jobId) return;
    for (const balance of balances) {
      const { currency } = balance;
      if (!connection.currencies.includes(currency)) continue;
      record(world, { connectionId, balance, toldCount: toldCounts.get(currency) ?? 0n });
    }
  },
};

function record(
  world: World,
  {
    connectionId,
    balance: { currency, bookedMinor },
    toldCount,
  }: {
    readonly connectionId: string;
    readonly balance: ConnectorBalance;
    readonly toldCount: bigint;
  },
): void {
  const name = { connectionId, currency };
  const book = findBook(world, name);
  if ((book?.toldCount ?? 0n) !== toldCount) return;
  // A statement covers only entries before its time, so an entry of the same millisecond postpones it.
  if (book !== undefined && book.toldAt !== null && book.toldAt >= world.at) return;
  const day = dayAt(world.at);
  const isKnown =
    book?.closingMinor === bookedMinor &&
    book.closingCount === toldCount &&
    book.closingDay === day;
  if (isKnown) return;
  const coveredMinor = book?.toldMinor ?? 0n;
  const told = { day, readAt: world.at, closingMinor: bookedMinor, coveredMinor };
  if (hasRoomFor(world, name, told)) recordStatement(world, name, told);
}
