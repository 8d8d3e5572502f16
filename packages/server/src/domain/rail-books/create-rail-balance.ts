import type { Command } from "../../engine/command.ts";
import { invalidField, Refusal } from "../../engine/refusal.ts";
import { refuseOtherImporter } from "../rail-connections/importers.ts";
import { railConnections, requireLiveConnection } from "../rail-connections/rail-connection.ts";
import { foreignCurrency } from "../rail-entries/create-rail-entry.ts";
import { bookNeeds, findBook } from "./rail-book.ts";
import { dayAt, hasRoomFor, type RailStatement, recordStatement } from "./rail-statement.ts";

export interface CreateRailBalanceInput {
  readonly connectionId: string;
  readonly currency: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly closingMinor: bigint;
  /** What the entries of the book that were booked up to the day come to, and the `toldCount` of the book, read together. */
  readonly coveredMinor: bigint;
  readonly toldCount: bigint;
}

/** The earliest zone is so far ahead of UTC. */
const EARLIEST_ZONE_MS = 14 * 3_600_000;

/**
 * Records the balance of a day that a person read at the bank. The first one sets the opening of the book, and an earlier one corrects
 * it. Refuses, in this order: an unknown connection, an archived one, a caller that may not bring balances in, one whose connector tells its balances, a currency that it does
 * not have, a day to come, entries that were booked since the caller read them, an opening for which the books have no room.
 */
export const createRailBalance: Command<CreateRailBalanceInput, RailStatement> = {
  name: "create-rail-balance",
  needs: (_world, input) => [railConnections.ref(input.connectionId), ...bookNeeds(input)],
  decide(world, input) {
    const connection = requireLiveConnection(world, input.connectionId, "reconciled");
    refuseOtherImporter(world, connection);
    const { kind, currencies } = connection;
    if (kind !== "MANUAL") {
      const message = `The connection is of the kind ${kind}, whose connector tells its balances; only those of a MANUAL one are typed in.`;
      throw new Refusal("CONFLICT", { kind }, message);
    }
    const { currency, day, toldCount, closingMinor, coveredMinor } = input;
    if (!currencies.includes(currency)) throw foreignCurrency(currencies);
    if (day > dayAt(world.at + EARLIEST_ZONE_MS)) {
      throw invalidField("asOf", `must not be to come: today is ${dayAt(world.at)} in UTC`);
    }
    if ((findBook(world, input)?.toldCount ?? 0n) !== toldCount) {
      const message = "Entries were booked meanwhile; send the request again.";
      throw new Refusal("CONFLICT", {}, message);
    }
    const told = { day, readAt: null, closingMinor, coveredMinor };
    if (!hasRoomFor(world, input, told)) throw new Refusal("AMOUNT_OUT_OF_RANGE", { currency });
    return recordStatement(world, input, told);
  },
};
