/**
 * Compares the books of a connection, as they are now, with the last statement of a day or an earlier one. All figures are read by one
 * SQL statement, so they are of one moment.
 *
 *   ours                   minus the balance of `clearing`: the external balance according to the books
 *   difference             what the statement says, less ours
 *   settledNotOnStatement  what reports and marks of orders moved, and no entry has confirmed yet
 *   notOnStatement         entries that the statement does not cover
 *   unexplained            the difference, and both of these again
 */
import { systemAccountId } from "../../../ledger/chart.ts";
import type { Reads } from "../../../postgres/database.ts";
import { toIso } from "../../../std/clock.ts";
import { lowestIdAt } from "../../../std/ids.ts";
import type { BookName } from "./rail-book.ts";
import { type RailStatement, railStatements } from "./rail-statement.ts";

export interface Figure {
  readonly count: number;
  readonly minor: bigint;
}

/** Ages of open items in banking days. */
export const ages = ["0-1", "2-5", "6-20", "20+"] as const;
export type Age = (typeof ages)[number];

export interface Reconciliation extends BookName {
  readonly day: string;
  readonly oursMinor: bigint;
  readonly settledNotOnStatement: Figure;
  readonly suspense: Figure;
  readonly ageing: Readonly<Record<Age, Figure>>;
  readonly unknown: number;
  readonly conflicts: number;
  readonly waitingMarks: number;
  /** Undefined when there is no statement of the day or an earlier one. */
  readonly compared: Compared | undefined;
}

export interface Compared {
  readonly statement: RailStatement;
  readonly differenceMinor: bigint;
  readonly notOnStatement: Figure;
  readonly unexplainedMinor: bigint;
}

/** The parameters $1 to $3 of every SQL statement in this file. */
const ofBook = (row: string) =>
  `${row}.platform_id = $1::uuid and ${row}.connection_id = $2::uuid and ${row}.currency = $3::text`;

const SIGNED = "case e.direction when 'CREDIT' then e.amount_minor else -e.amount_minor end";

/** Undone entries. They are few, so each sum subtracts them. */
const UNDONE =
  "rail_items i join rail_entries e on e.platform_id = i.platform_id and e.id = i.entry_id " +
  `where ${ofBook("i")} and i.state = 'RESOLVED' and i.resolution #>> '{parts,0,kind}' = 'DUPLICATE_OF'`;

/** Number and sum of the entries for which the condition holds, without those that were undone. */
const entriesWhere = (condition: string) =>
  "(select sum(n), sum(minor) from (" +
  `select count(*) as n, coalesce(sum(${SIGNED}), 0) as minor from rail_entries e where ${ofBook("e")} and ${condition} union all ` +
  `select -count(*), -coalesce(sum(${SIGNED}), 0) from ${UNDONE} and ${condition}) parts)`;

const lastStatement = {
  name: "rail_statements/last",
  text:
    `select ${railStatements.selectList("t")} from rail_statements t where ${ofBook("t")} ` +
    "and t.day <= $4::text order by t.day desc, t.id desc limit 1",
};

const COUNT_AND_SUM = (rows: string) => `(select count(*), coalesce(sum(minor), 0) from ${rows})`;

const ageOf =
  "case when e.created_at >= $5::timestamptz then 1 when e.created_at >= $6::timestamptz then 2 " +
  "when e.created_at >= $7::timestamptz then 3 else 4 end";
const agedItems = `(select ${SIGNED} as minor, ${ageOf} as age from rail_items e where ${ofBook("e")} and e.state = 'OPEN') aged`;

const ofAge = (age: number) =>
  `count(*) filter (where age = ${age}), coalesce(sum(minor) filter (where age = ${age}), 0)`;

/** $4: the id of the account `clearing`. $5 to $7: the earliest opening time of an item in each of the first three ages. */
const standing = (later: string) =>
  "select coalesce((select -a.balance_minor from ledger_accounts a where a.platform_id = $1::uuid and a.id = $4::uuid), 0), " +
  `(select count(*) from rail_payments r where ${ofBook("r")} and r.state = 'UNKNOWN'), ` +
  `(select count(*) from rail_payments r where ${ofBook("r")} and r.is_conflict), ` +
  "(select count(*) from rail_marks m where m.platform_id = $1::uuid and m.connection_id = $2::uuid and m.state = 'WAITING'), " +
  `untold.*, items.*, later.* from ` +
  `${COUNT_AND_SUM(`(select r.untold_minor as minor from rail_payments r where ${ofBook("r")} and r.untold_minor <> 0) r`)} untold, ` +
  `(select ${[1, 2, 3, 4].map(ofAge).join(", ")} from ${agedItems}) items, ${later} later`;

const withoutStatement = { name: "reconciliation/alone", text: standing("(select 0, 0)") };
/** $8: the day of the statement. */
const byDay = {
  name: "reconciliation/by-day",
  text: standing(entriesWhere("e.booked_on > $8::text")),
};
/** $8: when the connector was asked. $9: a lower bound for the ids of entries received since then. */
const byMoment = {
  name: "reconciliation/by-moment",
  text: standing(entriesWhere("e.created_at >= $8::timestamptz and e.id >= $9::uuid")),
};

export interface ReconciliationQuery extends BookName {
  readonly day: string;
  /** Platform time: the earliest opening times of items that are up to 1, up to 5 and up to 20 banking days old. */
  readonly since: readonly [number, number, number];
}

export async function reconcile(
  reads: Reads,
  platformId: string,
  { connectionId, currency, day, since }: ReconciliationQuery,
): Promise<Reconciliation> {
  const name = [platformId, connectionId, currency] as const;
  const [statement] = await reads.rows(railStatements, lastStatement, [...name, day]);
  const clearing = systemAccountId("clearing", currency, connectionId);
  const values = [...name, clearing, ...since.map(toIso)];
  const [cells = []] = await readStanding(reads, values, statement);
  const [ours, unknown, conflicts, waitingMarks, ...figures] = cells;
  const [settledNotOnStatement, ...rest] = figuresIn(figures);
  const aged = rest.slice(0, ages.length);
  const notOnStatement = rest.at(-1);
  const oursMinor = BigInt(ours ?? 0);
  const answer = {
    connectionId,
    currency,
    day,
    oursMinor,
    settledNotOnStatement: settledNotOnStatement ?? NOTHING,
    suspense: aged.reduce(sumOf, NOTHING),
    ageing: Object.fromEntries(ages.map((age, index) => [age, aged[index] ?? NOTHING])) as Record<
      Age,
      Figure
    >,
    unknown: Number(unknown),
    conflicts: Number(conflicts),
    waitingMarks: Number(waitingMarks),
  };
  if (statement === undefined || notOnStatement === undefined) {
    return { ...answer, compared: undefined };
  }
  const differenceMinor = statement.closingMinor - oursMinor;
  const unexplainedMinor =
    differenceMinor + answer.settledNotOnStatement.minor + notOnStatement.minor;
  const compared = { statement, differenceMinor, notOnStatement, unexplainedMinor };
  return { ...answer, compared };
}

function readStanding(
  reads: Reads,
  values: readonly string[],
  statement: RailStatement | undefined,
) {
  if (statement === undefined) return reads.cells(withoutStatement, values);
  const { day, readAt } = statement;
  if (readAt === null) return reads.cells(byDay, [...values, day]);
  return reads.cells(byMoment, [...values, toIso(readAt), lowestIdAt(readAt)]);
}

const NOTHING: Figure = { count: 0, minor: 0n };

function figuresIn(cells: readonly (string | null)[]): readonly Figure[] {
  return Array.from({ length: cells.length / 2 }, (_, index) => ({
    count: Number(cells[2 * index]),
    minor: BigInt(cells[2 * index + 1] ?? 0),
  }));
}

function sumOf(one: Figure, other: Figure): Figure {
  return { count: one.count + other.count, minor: one.minor + other.minor };
}

const covered = {
  name: "rail_entries/covered",
  text:
    "select coalesce(b.told_count, 0), coalesce(b.told_minor, 0) - later.minor from " +
    `${entriesWhere("e.booked_on > $4::text")} later (n, minor) left join rail_books b on ${ofBook("b")}`,
};

export interface Covered {
  readonly toldCount: bigint;
  readonly coveredMinor: bigint;
}

/** The sum of the entries that were booked up to the day, with the book's `toldCount` at that moment. */
export async function coveredUpTo(
  reads: Reads,
  platformId: string,
  { connectionId, currency }: BookName,
  day: string,
): Promise<Covered> {
  const [cells = []] = await reads.cells(covered, [platformId, connectionId, currency, day]);
  const [toldCount, coveredMinor] = cells;
  return { toldCount: BigInt(toldCount ?? 0), coveredMinor: BigInt(coveredMinor ?? 0) };
}

const toldCountsText = {
  name: "rail_books/counts",
  text: "select b.currency, b.told_count from rail_books b where b.platform_id = $1::uuid and b.connection_id = $2::uuid",
};

/** The `toldCount` of each book of the connection, by currency. */
export async function toldCounts(
  reads: Reads,
  platformId: string,
  connectionId: string,
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await reads.cells(toldCountsText, [platformId, connectionId]);
  return new Map(rows.map(([currency, count]) => [currency ?? "", BigInt(count ?? 0)]));
}
