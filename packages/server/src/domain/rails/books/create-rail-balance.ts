import type { Command, Loaded, World } from "../../../engine/command.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import { refuseOtherImporter } from "../connections/importers.ts";
import { railConnections, requireLiveConnection } from "../connections/rail-connection.ts";
import { foreignCurrency } from "../entries/create-rail-entry.ts";
import { type Asked, askForMark, needsSecondToken } from "../marks/rail-mark.ts";
import { bookNeeds, findBook } from "./rail-book.ts";
import {
  dayAt,
  hasRoomFor,
  openingWith,
  type RailStatement,
  recordStatement,
} from "./rail-statement.ts";

export interface CreateRailBalanceInput {
  readonly connectionId: string;
  readonly currency: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly closingMinor: bigint;
  /** The sum of the book's entries that were booked up to the day, and the book's `toldCount`, both from one read. */
  readonly coveredMinor: bigint;
  readonly toldCount: bigint;
}

/** The balance as a waiting mark stores it; the amount is a decimal string. The covered sum is read again at confirmation. */
export type BalanceRequest = {
  readonly connectionId: string;
  readonly currency: string;
  readonly day: string;
  readonly booked: string;
};

/** The largest UTC offset: a day that has not begun there has begun nowhere. */
const EARLIEST_ZONE_MS = 14 * 3_600_000;

/**
 * Records the balance of a day that a person read at the bank. The first one sets the opening of the book, and an earlier one corrects it:
 * that moves own funds, and waits for another token at a connection with FOUR_EYES. Refuses, in this order: an unknown connection, an
 * archived one, a caller that may not import balances, a connection whose connector reports its balances, a currency that it does not have,
 * a future day, entries that were booked since the caller read them, an opening for which the books have no room.
 */
export const createRailBalance: Command<CreateRailBalanceInput, Asked<RailStatement>> = {
  name: "create-rail-balance",
  needs: balanceNeeds,
  decide(world, input) {
    const { connectionId, currency, day, closingMinor } = input;
    refuseOtherImporter(world, requireLiveConnection(world, connectionId, "reconciled"));
    refuseBalance(world, input);
    if (!needsSecondToken(world, connectionId) || !movesOwnFunds(world, input)) {
      return { kind: "done", done: recordStatement(world, input, toldOf(input)) };
    }
    const request: BalanceRequest = { connectionId, currency, day, booked: String(closingMinor) };
    return { kind: "waiting", mark: askForMark(world, { connectionId, kind: "BALANCE", request }) };
  },
};

export function balanceNeeds(_world: Loaded, input: CreateRailBalanceInput) {
  return [railConnections.ref(input.connectionId), ...bookNeeds(input)];
}

export function refuseBalance(world: World, input: CreateRailBalanceInput): void {
  const { kind, currencies } = requireLiveConnection(world, input.connectionId, "reconciled");
  if (kind !== "MANUAL") {
    const message = `The connection is of the kind ${kind}, whose connector tells its balances; only those of a MANUAL one are typed in.`;
    throw new Refusal("CONFLICT", { kind }, message);
  }
  const { currency, day, toldCount } = input;
  if (!currencies.includes(currency)) throw foreignCurrency(currencies);
  if (day > dayAt(world.at + EARLIEST_ZONE_MS)) {
    throw invalidField("asOf", `must not be to come: today is ${dayAt(world.at)} in UTC`);
  }
  if ((findBook(world, input)?.toldCount ?? 0n) !== toldCount) {
    const message = "Entries were booked meanwhile; send the request again.";
    throw new Refusal("CONFLICT", {}, message);
  }
  if (!hasRoomFor(world, input, toldOf(input))) {
    throw new Refusal("AMOUNT_OUT_OF_RANGE", { currency });
  }
}

export function toldOf({ day, closingMinor, coveredMinor }: CreateRailBalanceInput) {
  return { day, readAt: null, closingMinor, coveredMinor };
}

function movesOwnFunds(world: World, input: CreateRailBalanceInput): boolean {
  const before = findBook(world, input)?.openingMinor ?? 0n;
  return openingWith(world, input, toldOf(input)).minor !== before;
}
