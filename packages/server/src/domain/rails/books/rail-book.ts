/**
 * The book of a connection in one currency: what its entries came to, what the account outside had before the first of them (the
 * opening), and the statement that was recorded last. Every entry updates it in the commit that books the entry.
 *
 * The opening is the first statement less the entries that it covers. An entry that is told later and was covered by that statement was a part
 * of the opening: it is taken out of it, so that the account `clearing` still says what lies outside.
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
  /** Of entries, and of lines that were undone: a change of the sum changes it. */
  toldCount: mutable("int8"),
  /** What the entries add to the account outside, without lines that were undone. */
  toldMinor: mutable("int8"),
  /** When the last entry was told. */
  toldAt: mutable<number | null>("time"),
  /** Null before the first statement. */
  openingMinor: mutable<bigint | null>("int8"),
  openingDay: mutable<string | null>("text"),
  /** Of a statement of a connector. */
  openingReadAt: mutable<number | null>("time"),
  /** The last statement, with `toldCount` as it was then. */
  closingMinor: mutable<bigint | null>("int8"),
  closingDay: mutable<string | null>("text"),
  closingCount: mutable<bigint | null>("int8"),
  unexplainedMinor: mutable<bigint | null>("int8"),
};

export interface RailBook extends RowOf<typeof columns> {}

export const railBooks = defineTable<RailBook>("rail_books", columns);

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
