/** A statement: what the keeper of an account outside said lies there. A person typed it in, or the connector was asked. Never changed. */
import type { Loaded, World } from "../../../engine/command.ts";
import { toIso } from "../../../std/clock.ts";
import { toWireId } from "../../../std/ids.ts";
import { defineTable, fixed, type RowOf } from "../../../tables/tables.ts";
import { noteImport } from "../connections/rail-connection.ts";
import {
  type BookName,
  bookOf,
  findBook,
  hasRoomForOpening,
  postOpening,
  railBooks,
} from "./rail-book.ts";

export const statementSources = ["MANUAL", "CONNECTOR"] as const;
export type StatementSource = (typeof statementSources)[number];

const columns = {
  id: fixed("uuid"),
  connectionId: fixed("uuid"),
  currency: fixed("text"),
  source: fixed<StatementSource>("text"),
  /** `YYYY-MM-DD`. A statement that was typed in covers the entries that were booked up to the end of this day. */
  day: fixed("text"),
  /** Of a connector's statement: it covers the entries that were told before. */
  readAt: fixed<number | null>("time"),
  closingMinor: fixed("int8"),
  /** The opening of the book after this statement. */
  openingMinor: fixed("int8"),
  /** What neither the opening nor the entries known then explained. */
  unexplainedMinor: fixed("int8"),
  /** `token <id>`, `worker <kind>` */
  recordedBy: fixed("text"),
  createdAt: fixed("time"),
};

export interface RailStatement extends RowOf<typeof columns> {}

export const railStatements = defineTable<RailStatement>("rail_statements", columns, {
  isFinal: () => true,
});

export function toRailStatementId(id: string): string {
  return toWireId("RailStatement", id);
}

export interface RailStatementSubject {
  readonly kind: "RailStatement";
  readonly id: string;
  readonly statement: RailStatement;
}

/** A balance as it was told, and what the entries that it covers come to. */
export interface ToldBalance {
  readonly day: string;
  readonly readAt: number | null;
  readonly closingMinor: bigint;
  readonly coveredMinor: bigint;
}

export interface Opening {
  readonly minor: bigint;
  /** The balance sets the opening: it is the first one, or of an earlier day. Another one of the same day would move money to own funds unseen. */
  readonly isSet: boolean;
}

/** The opening of the book with this balance. */
export function openingWith(world: Loaded, name: BookName, told: ToldBalance): Opening {
  const book = findBook(world, name);
  const before = book?.openingMinor ?? null;
  const isEarlier =
    book?.openingReadAt === null && book.openingDay !== null && told.day < book.openingDay;
  if (before !== null && !isEarlier) return { minor: before, isSet: false };
  return { minor: told.closingMinor - told.coveredMinor, isSet: true };
}

/** Whether the account outside can be booked with this balance as its opening. */
export function hasRoomFor(world: Loaded, name: BookName, told: ToldBalance): boolean {
  const before = findBook(world, name)?.openingMinor ?? 0n;
  return hasRoomForOpening(world, name, openingWith(world, name, told).minor - before);
}

/** Records a balance for whose opening the books have room; the row of the connection is needed as well. A difference that nothing explains is told. */
export function recordStatement(world: World, name: BookName, told: ToldBalance): RailStatement {
  const { day, readAt, closingMinor, coveredMinor } = told;
  const book = bookOf(world, name);
  const { minor: openingMinor, isSet } = openingWith(world, name, told);
  const unexplainedMinor = closingMinor - openingMinor - coveredMinor;
  const isLast = book.closingDay === null || day >= book.closingDay;
  world.put(railBooks, {
    ...book,
    ...(isSet ? { openingMinor, openingDay: day, openingReadAt: readAt } : {}),
    ...(isLast
      ? { closingMinor, closingDay: day, closingCount: book.toldCount, unexplainedMinor }
      : {}),
  });
  postOpening(world, name, openingMinor - (book.openingMinor ?? 0n));
  const id = world.newId();
  const statement = world.put<RailStatement>(railStatements, {
    id,
    connectionId: name.connectionId,
    currency: name.currency,
    source: readAt === null ? "MANUAL" : "CONNECTOR",
    day,
    readAt,
    closingMinor,
    openingMinor,
    unexplainedMinor,
    recordedBy: `${world.actor.kind} ${world.actor.id}`,
    createdAt: world.at,
  });
  noteImport(world, name.connectionId);
  // A connector is asked every few seconds or minutes: the same difference is told once.
  const isTold = readAt !== null && unexplainedMinor === book.unexplainedMinor;
  if (unexplainedMinor !== 0n && !isTold) {
    world.emit("RAIL_RECONCILIATION.DIFFERENCE", statementSubject(statement));
  }
  return statement;
}

function statementSubject(statement: RailStatement): RailStatementSubject {
  return { kind: "RailStatement", id: toRailStatementId(statement.id), statement };
}

/** The day of a moment in UTC. */
export function dayAt(at: number): string {
  return toIso(at).slice(0, 10);
}
