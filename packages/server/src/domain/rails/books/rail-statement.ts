/** A statement: the balance of an external account, typed in by a person or read from the connector. Never changed. */
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
  /** When the connector was asked: the statement covers the entries received before. Null for one that was typed in. */
  readAt: fixed<number | null>("time"),
  closingMinor: fixed("int8"),
  /** The opening of the book after this statement. */
  openingMinor: fixed("int8"),
  /** The difference that neither the opening nor the entries known at that time explain. */
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

/** A reported balance, and the sum of the entries that it covers. */
export interface ToldBalance {
  readonly day: string;
  readonly readAt: number | null;
  readonly closingMinor: bigint;
  readonly coveredMinor: bigint;
}

export interface Opening {
  readonly minor: bigint;
  /** True for the first balance or one of an earlier day. A second balance of the same day must not move own funds unseen. */
  readonly isSet: boolean;
}

/** The opening that the book has once this balance is recorded. */
export function openingWith(world: Loaded, name: BookName, told: ToldBalance): Opening {
  const book = findBook(world, name);
  const before = book?.openingMinor ?? null;
  const isEarlier =
    book?.openingReadAt === null && book.openingDay !== null && told.day < book.openingDay;
  if (before !== null && !isEarlier) return { minor: before, isSet: false };
  return { minor: told.closingMinor - told.coveredMinor, isSet: true };
}

/** Whether the books have room for the change of the opening that this balance causes. */
export function hasRoomFor(world: Loaded, name: BookName, told: ToldBalance): boolean {
  const before = findBook(world, name)?.openingMinor ?? 0n;
  return hasRoomForOpening(world, name, openingWith(world, name, told).minor - before);
}

/** Records a balance that `hasRoomFor` accepts. Needs the connection's row. An unexplained difference emits an event. */
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
  // A connector is asked every few seconds or minutes, so an unchanged difference emits no second event.
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
