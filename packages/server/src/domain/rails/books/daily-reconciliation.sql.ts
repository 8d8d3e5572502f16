/**
 * Reads of the reconciliation day by day. The sums of entries come from an index alone, and only those of the days that are shown and of
 * the time after them are read: the sum of all entries is kept in the book.
 */
import type { Reads } from "../../../postgres/database.ts";
import { dayBeside } from "../../../std/calendar/banking-days.ts";
import { type RailEntry, railEntries } from "../entries/rail-entry.ts";
import { type RailItem, railItems } from "../entries/rail-item.ts";
import { type RailPayment, railPayments } from "../orders/rail-payment.ts";
import {
  type DayStatement,
  type DayWaiting,
  daysOf,
  type Explanation,
  explanationsOf,
  type ReconciledDay,
  reconciledDays,
} from "./daily-reconciliation.ts";
import { type RailBook, railBooks } from "./rail-book.ts";
import { type RailStatement, railStatements } from "./rail-statement.ts";

export interface DailyBook {
  readonly book: RailBook;
  readonly connectionName: string;
  readonly days: readonly ReconciledDay[];
}

export interface Span {
  readonly first: string;
  readonly last: string;
}

/** The most books of a platform that a page shows. */
const MOST_BOOKS = 200;

const booksText = {
  name: "rail_books/of-live-connections",
  text:
    `select ${railBooks.selectList("t")}, c.name from rail_connections c join rail_books t on t.platform_id = c.platform_id and t.connection_id = c.id ` +
    "where c.platform_id = $1::uuid and c.status <> 'ARCHIVED' and ($2::uuid is null or c.id = $2::uuid) " +
    `order by c.id, t.currency limit ${MOST_BOOKS}`,
};

/** The last statement of each day, and the last one before the first day. */
const statementsText = {
  name: "rail_statements/of-days",
  text:
    `select ${railStatements.selectList("t")} from unnest($2::uuid[], $3::text[]) k(connection_id, currency), lateral (` +
    "(select d.* from unnest($4::text[]) n(day), lateral (select s.* from rail_statements s where s.platform_id = $1::uuid " +
    "and s.connection_id = k.connection_id and s.currency = k.currency and s.day = n.day order by s.id desc limit 1) d) union all " +
    "(select s.* from rail_statements s where s.platform_id = $1::uuid and s.connection_id = k.connection_id " +
    "and s.currency = k.currency and s.day < $5::text order by s.day desc, s.id desc limit 1)) t",
};

const SIGNED = "case e.direction when 'CREDIT' then e.amount_minor else -e.amount_minor end";

/** The sums of the entries of each day since the one before the span, without undone ones. */
const sumsText = {
  name: "rail_entries/sums-of-days",
  text:
    "select k.connection_id, k.currency, s.day, sum(s.minor) from unnest($2::uuid[], $3::text[], $4::text[]) k(connection_id, currency, since), lateral (" +
    `select e.booked_on as day, sum(${SIGNED}) as minor from rail_entries e where e.platform_id = $1::uuid and e.connection_id = k.connection_id ` +
    "and e.currency = k.currency and e.booked_on > k.since group by e.booked_on union all " +
    `select e.booked_on, -(${SIGNED}) from rail_items i join rail_entries e on e.platform_id = i.platform_id and e.id = i.entry_id ` +
    "where i.platform_id = $1::uuid and i.connection_id = k.connection_id and i.currency = k.currency and i.state = 'RESOLVED' " +
    "and i.resolution #>> '{parts,0,kind}' = 'DUPLICATE_OF' and e.booked_on > k.since) s group by 1, 2, 3",
};

/** Open items and untold orders of a book: this many at most. */
const MOST_WAITING = 1_000;

const waitingText = {
  name: "rail_books/waiting-of-days",
  text:
    "select k.connection_id, k.currency, w.day, sum(w.items), sum(w.untold) from unnest($2::uuid[], $3::text[]) k(connection_id, currency), lateral (" +
    "(select e.booked_on as day, 1 as items, 0 as untold from rail_items i join rail_entries e on e.platform_id = i.platform_id and e.id = i.entry_id " +
    "where i.platform_id = $1::uuid and i.connection_id = k.connection_id and i.currency = k.currency and i.state in ('OPEN', 'HELD') " +
    `limit ${MOST_WAITING}) union all ` +
    "(select r.settled_on, 0, 1 from rail_payments r where r.platform_id = $1::uuid and r.connection_id = k.connection_id " +
    `and r.currency = k.currency and r.untold_minor <> 0 limit ${MOST_WAITING})) w where w.day is not null group by 1, 2, 3`,
};

const keyOf = (connectionId: string | null | undefined, currency: string | null | undefined) =>
  `${connectionId} ${currency}`;

/** All books of the platform, or those of a connection, over the days of the span. */
export async function findDailyBooks(
  reads: Reads,
  platformId: string,
  { first, last, connectionId }: Span & { readonly connectionId?: string | undefined },
): Promise<readonly DailyBook[]> {
  const cells = await reads.cells(booksText, [platformId, connectionId ?? null]);
  const found = cells.map((row) => ({
    book: railBooks.decode(row),
    connectionName: row.at(-1) ?? "",
  }));
  if (found.length === 0) return [];
  const days = daysOf(first, last);
  const names = [
    found.map(({ book }) => book.connectionId),
    found.map(({ book }) => book.currency),
  ] as const;
  const statements = await reads.rows(railStatements, statementsText, [
    ...[platformId, ...names],
    ...[days, first],
  ]);
  const ofBook = (book: RailBook) =>
    statements.filter((one) => keyOf(one.connectionId, one.currency) === bookKey(book));
  const since = found.map(({ book }) => earliestDay(ofBook(book), first));
  const [sums, waiting] = await Promise.all([
    reads.cells(sumsText, [platformId, ...names, since]),
    reads.cells(waitingText, [platformId, ...names]),
  ]);
  return found.map(({ book, connectionName }) => {
    const own = ofBook(book);
    const dated = sums.filter(([id, currency]) => keyOf(id, currency) === bookKey(book));
    const compared = own.map((statement) => comparedWith(book, statement, dated));
    return {
      ...{ book, connectionName },
      days: reconciledDays(days, {
        before: compared.find(({ day }) => day < first),
        statements: compared.filter(({ day }) => day >= first),
        waiting: waiting
          .filter(([id, currency]) => keyOf(id, currency) === bookKey(book))
          .map(waitingOf),
      }),
    };
  });
}

function bookKey({ connectionId, currency }: RailBook): string {
  return keyOf(connectionId, currency);
}

/** The day after which entries are summed: that of the first statement that is compared. */
function earliestDay(statements: readonly RailStatement[], first: string): string {
  return statements.reduce((day, one) => (one.day < day ? one.day : day), dayBeside(first, -1));
}

type Cells = readonly (string | null)[];

/**
 * A balance that was typed in covers all entries up to its day, whenever they were told. One that was read from a connector covers what
 * had been received by then, so what was found at that time stands.
 */
function comparedWith(
  book: RailBook,
  { day, readAt, closingMinor, unexplainedMinor }: RailStatement,
  sums: readonly Cells[],
): DayStatement {
  if (readAt !== null) return { day, closingMinor, unexplainedMinor };
  const laterMinor = sums.reduce(
    (sum, [, , booked, minor]) => ((booked ?? "") > day ? sum + BigInt(minor ?? 0) : sum),
    0n,
  );
  const coveredMinor = book.toldMinor - laterMinor;
  const expectedMinor = (book.openingMinor ?? 0n) + coveredMinor;
  return { day, closingMinor, unexplainedMinor: closingMinor - expectedMinor };
}

function waitingOf([, , day, items, untold]: Cells): DayWaiting {
  return { day: day ?? "", items: Number(items ?? 0), untold: Number(untold ?? 0) };
}

export interface DayBreaks {
  readonly daily: ReconciledDay | undefined;
  /** Items whose line was booked on the day, and orders that were settled on it and have no line. */
  readonly items: readonly { readonly item: RailItem; readonly entry: RailEntry }[];
  readonly untold: readonly RailPayment[];
  readonly explanations: readonly (Explanation & {
    readonly entry?: RailEntry | undefined;
    readonly payment?: RailPayment | undefined;
  })[];
}

/** The most lines, items and orders that a day shows of each. */
const MOST_OF_DAY = 200;

const LINES = `select ${railEntries.selectList("t")} from rail_entries t where t.platform_id = $1::uuid and t.connection_id = $2::uuid and t.currency = $3::text`;

/** The lines of this amount around the day, and then all lines of the day. */
const linesText = {
  name: "rail_entries/around-day",
  text:
    `(${LINES} and t.booked_on >= $4::text and t.booked_on <= $5::text and t.amount_minor = $6::int8 order by t.booked_on, t.id limit ${MOST_OF_DAY}) union all ` +
    `(${LINES} and t.booked_on = $7::text and t.amount_minor <> $6::int8 order by t.id limit ${MOST_OF_DAY})`,
};

const itemsText = {
  name: "rail_items/of-day",
  text:
    `select ${railItems.selectList("t")}, ${railEntries.selectList("e")} from rail_items t ` +
    "join rail_entries e on e.platform_id = t.platform_id and e.id = t.entry_id " +
    "where t.platform_id = $1::uuid and t.connection_id = $2::uuid and t.currency = $3::text and t.state in ('OPEN', 'HELD') " +
    `and e.booked_on = $4::text order by t.id limit ${MOST_OF_DAY}`,
};

const untoldText = {
  name: "rail_payments/untold-of-day",
  text:
    `select ${railPayments.selectList("t")} from rail_payments t where t.platform_id = $1::uuid and t.connection_id = $2::uuid ` +
    `and t.currency = $3::text and t.untold_minor <> 0 and t.settled_on = $4::text order by t.id limit ${MOST_OF_DAY}`,
};

/** Orders of this amount that were sent and have no final report: their lines may be missing. */
const sentText = {
  name: "rail_payments/sent-of-amount",
  text:
    `select ${railPayments.selectList("t")} from (select o.id from unnest(array['SENT', 'ACCEPTED', 'UNKNOWN', 'QUEUED']) s(state), lateral (` +
    "select p.id, p.amount_minor, p.currency from rail_payments p where p.platform_id = $1::uuid and p.connection_id = $2::uuid and p.state = s.state " +
    `order by p.id desc limit ${MOST_OF_DAY}) o where o.currency = $3::text and o.amount_minor = $4::int8) k ` +
    "join rail_payments t on t.platform_id = $1::uuid and t.id = k.id",
};

export interface BookDay {
  readonly connectionId: string;
  readonly currency: string;
  readonly day: string;
}

/** What of a day is open: its difference with what may explain it, and what waits for a person or a line. */
export async function findDayBreaks(
  reads: Reads,
  platformId: string,
  { connectionId, currency, day }: BookDay,
): Promise<DayBreaks> {
  const of = [platformId, connectionId, currency] as const;
  const [books, itemRows, untold] = await Promise.all([
    findDailyBooks(reads, platformId, { first: day, last: day, connectionId }),
    reads.cells(itemsText, [...of, day]),
    reads.rows(railPayments, untoldText, [...of, day]),
  ]);
  const daily = books.find(({ book }) => book.currency === currency)?.days[0];
  const items = itemRows.map((row) => ({
    item: railItems.decode(row),
    entry: railEntries.decode(row, railItems.columns.length),
  }));
  const differenceMinor = daily?.begunMinor ?? 0n;
  if (differenceMinor === 0n) return { daily, items, untold, explanations: [] };
  const amount = String(differenceMinor < 0n ? -differenceMinor : differenceMinor);
  const around = [dayBeside(day, -DAYS_AROUND), dayBeside(day, DAYS_AROUND)];
  const [lines, sent] = await Promise.all([
    reads.rows(railEntries, linesText, [...of, ...around, amount, day]),
    reads.rows(railPayments, sentText, [...of, amount]),
  ]);
  const signed = ({ direction, amountMinor }: RailEntry) =>
    direction === "CREDIT" ? amountMinor : -amountMinor;
  const moved = ({ direction, amountMinor }: RailPayment) =>
    direction === "PULL" ? amountMinor : -amountMinor;
  const orders = [...untold, ...sent];
  const explanations = explanationsOf(differenceMinor, {
    lines: lines.map((entry) => ({ id: entry.id, minor: signed(entry) })),
    orders: orders.map((order) => ({ id: order.id, minor: moved(order) })),
  }).map((explanation) => ({
    ...explanation,
    entry: lines.find(({ id }) => id === explanation.id),
    payment: orders.find(({ id }) => id === explanation.id),
  }));
  return { daily, items, untold, explanations };
}

/** Banks book a line a few days beside the day on which a person types it in. */
const DAYS_AROUND = 4;
