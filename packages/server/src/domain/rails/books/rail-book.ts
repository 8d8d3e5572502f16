/**
 * The book of a connection in one currency: the sum of its entries, the balance of the external account before the first of them (the
 * opening), and the last recorded statement. Every entry updates it in the commit that books the entry.
 *
 * The opening is the first statement less the entries that it covers. An entry that arrives later, although that statement covered it, is
 * subtracted from the opening, so that the account `clearing` still mirrors the external balance.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import { systemAccount } from "../../../ledger/chart.ts";
import {
  type AnyRef,
  defineLookup,
  defineTable,
  fixed,
  mutable,
  type RowOf,
} from "../../../tables/tables.ts";
import { firstWithoutRoom, type SystemMove } from "../../accounts/internal/system-room.ts";

const columns = {
  id: fixed("uuid"),
  connectionId: fixed("uuid"),
  currency: fixed("text"),
  /** The number of entries and of undone lines, so that every change of the sum changes the count. */
  toldCount: mutable("int8"),
  /** The sum that the entries add to the external balance, without undone lines. */
  toldMinor: mutable("int8"),
  /** When a line was last counted or undone. */
  toldAt: mutable<number | null>("time"),
  /** Null before the first statement. */
  openingMinor: mutable<bigint | null>("int8"),
  openingDay: mutable<string | null>("text"),
  /** Set when the opening comes from a connector's statement. */
  openingReadAt: mutable<number | null>("time"),
  /** The last statement, with `toldCount` as it was then. */
  closingMinor: mutable<bigint | null>("int8"),
  closingDay: mutable<string | null>("text"),
  closingCount: mutable<bigint | null>("int8"),
  unexplainedMinor: mutable<bigint | null>("int8"),
};

export interface RailBook extends RowOf<typeof columns> {}

export const railBooks = defineTable<RailBook>("rail_books", columns);

/** A connection has at most one book per currency. */
const booksOfConnection = defineLookup(railBooks, { by: "connectionId" });

export interface BookName {
  readonly connectionId: string;
  readonly currency: string;
}

/** The rows that an entry, or a statement, of this book can touch. */
export function bookNeeds({ connectionId, currency }: BookName): readonly AnyRef[] {
  return [
    booksOfConnection.of(connectionId),
    systemAccount("clearing", currency, connectionId),
    systemAccount("own-funds", currency, connectionId),
  ];
}

export function findBook(world: Loaded, { connectionId, currency }: BookName) {
  return world.all(booksOfConnection.of(connectionId)).find((book) => book.currency === currency);
}

/** The stored book, or a new empty one. */
export function bookOf(world: World, { connectionId, currency }: BookName): RailBook {
  const found = findBook(world, { connectionId, currency });
  if (found !== undefined) return found;
  return {
    id: world.newId(),
    connectionId,
    currency,
    toldCount: 0n,
    toldMinor: 0n,
    toldAt: null,
    openingMinor: null,
    openingDay: null,
    openingReadAt: null,
    closingMinor: null,
    closingDay: null,
    closingCount: null,
    unexplainedMinor: null,
  };
}

/** The data of an account line that its book needs. */
export interface ToldLine {
  readonly bookedOn: string;
  readonly createdAt: number;
  /** The change of the external balance; with the opposite sign when the line is undone. */
  readonly minor: bigint;
}

/** Counts a new entry, or the reversal of one that was a duplicate. */
export function countLine(world: World, name: BookName, line: ToldLine): void {
  const book = bookOf(world, name);
  const { openingMinor } = book;
  const counted: RailBook = {
    ...book,
    toldCount: book.toldCount + 1n,
    toldMinor: book.toldMinor + line.minor,
    toldAt: world.at,
  };
  if (openingMinor === null || !wasInOpening(book, line)) {
    world.put(railBooks, counted);
    return;
  }
  world.put(railBooks, { ...counted, openingMinor: openingMinor - line.minor });
  postOpening(world, name, -line.minor);
}

/** Whether the statement that set the opening covered the line. */
function wasInOpening(
  { openingDay, openingReadAt }: RailBook,
  { bookedOn, createdAt }: ToldLine,
): boolean {
  if (openingReadAt !== null) return createdAt < openingReadAt;
  return openingDay !== null && bookedOn <= openingDay;
}

/** Posts a change of the opening against the platform's own funds. */
export function postOpening(world: World, name: BookName, minor: bigint): void {
  if (minor === 0n) return;
  const [clearing, ownFunds] = openingMoves(name, minor);
  world.post({ reason: "rail.opening", legs: [clearing, ownFunds] });
}

function openingMoves(name: BookName, minor: bigint): readonly [SystemMove, SystemMove] {
  const { connectionId, currency } = name;
  return [
    { system: "clearing", currency, connectionId, minor: -minor },
    { system: "own-funds", currency, connectionId, minor },
  ];
}

export function hasRoomForOpening(world: Loaded, name: BookName, minor: bigint): boolean {
  return firstWithoutRoom(world, openingMoves(name, minor)) === undefined;
}
