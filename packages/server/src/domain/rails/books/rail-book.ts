/**
 * The book of a connection in one currency: what its entries came to, what the account outside had before the first of them (the
 * opening), and the statement that was recorded last. Every entry updates it in the commit that books the entry.
 *
 * The opening is the first statement less the entries that it covers. An entry that is told later and was covered by that statement was a part
 * of the opening: it is taken out of it, so that the account `clearing` still says what lies outside.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import { systemAccount } from "../../../ledger/chart.ts";
import { type AnyRef, defineLookup, defineTable, fixed, mutable } from "../../../tables/tables.ts";
import { firstWithoutRoom, type SystemMove } from "../../accounts/internal/system-room.ts";

export interface RailBook {
  readonly id: string;
  readonly connectionId: string;
  readonly currency: string;
  /** Of entries, and of lines that were undone: a change of the sum changes it. */
  readonly toldCount: bigint;
  /** What the entries add to the account outside, without lines that were undone. */
  readonly toldMinor: bigint;
  /** When the last entry was told. */
  readonly toldAt: number | null;
  /** Null before the first statement. */
  readonly openingMinor: bigint | null;
  readonly openingDay: string | null;
  /** Of a statement of a connector. */
  readonly openingReadAt: number | null;
  /** The last statement, with `toldCount` as it was then. */
  readonly closingMinor: bigint | null;
  readonly closingDay: string | null;
  readonly closingCount: bigint | null;
  readonly unexplainedMinor: bigint | null;
}

export const railBooks = defineTable<RailBook>("rail_books", {
  id: fixed("uuid"),
  connectionId: fixed("uuid"),
  currency: fixed("text"),
  toldCount: mutable("int8"),
  toldMinor: mutable("int8"),
  toldAt: mutable("time"),
  openingMinor: mutable("int8"),
  openingDay: mutable("text"),
  openingReadAt: mutable("time"),
  closingMinor: mutable("int8"),
  closingDay: mutable("text"),
  closingCount: mutable("int8"),
  unexplainedMinor: mutable("int8"),
});

/** At most one a currency. */
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

/** The book, which may be new. */
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

/** A line of the account outside, as far as its book knows it. */
export interface ToldLine {
  readonly bookedOn: string;
  readonly createdAt: number;
  /** What it adds to the account outside; the opposite when it is undone. */
  readonly minor: bigint;
}

/** Counts an entry that was told, or one that is undone because it was a duplicate. */
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

/** Whether the statement from which the opening was made covered the line. */
function wasInOpening(
  { openingDay, openingReadAt }: RailBook,
  { bookedOn, createdAt }: ToldLine,
): boolean {
  if (openingReadAt !== null) return createdAt < openingReadAt;
  return openingDay !== null && bookedOn <= openingDay;
}

/** Adds to what the account outside had before its first entry. */
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
