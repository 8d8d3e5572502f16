/** Reads of statements, and of the entries that they are made of. */
import type { Reads } from "../../../postgres/database.ts";
import { toIso } from "../../../std/clock.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { listerOf } from "../../../tables/list-query.ts";
import { type ListedEntry, listEntries } from "../internal/entries.sql.ts";
import type { StatementFigures } from "./create-statement.ts";
import { momentsOfPeriod, type Statement, statements } from "./statement.ts";

export const findStatement = finderOf(statements);

export const listStatements = listerOf(statements);

const figuresOf = {
  name: "statements/figures",
  text:
    "select v.first_version, v.next_version - 1, coalesce(sum(e.amount_minor) filter (where e.amount_minor > 0), 0), " +
    "coalesce(-sum(e.amount_minor) filter (where e.amount_minor < 0), 0), " +
    "coalesce((select b.balance_after_minor from ledger_entries b where b.platform_id = $1::uuid " +
    "and b.account_id = $2::uuid and b.version = v.first_version - 1), 0), " +
    "coalesce((select b.balance_after_minor from ledger_entries b where b.platform_id = $1::uuid " +
    "and b.account_id = $2::uuid and b.version = v.next_version - 1), 0) " +
    "from (select entry_version_at($1::uuid, $2::uuid, $3::timestamptz) as first_version, " +
    "entry_version_at($1::uuid, $2::uuid, $4::timestamptz) as next_version offset 0) v " +
    "left join ledger_entries e on e.platform_id = $1::uuid and e.account_id = $2::uuid " +
    "and e.version >= v.first_version and e.version < v.next_version group by v.first_version, v.next_version",
};

/** Sums of the statement's entries; the opening and closing balances are those stored in the entries. */
export async function statementFigures(
  reads: Reads,
  platformId: string,
  { accountId, ...statement }: Statement,
): Promise<StatementFigures> {
  const { from, to } = momentsOfPeriod(statement);
  const values = [platformId, accountId, toMoment(from), toMoment(to)];
  const [row] = await reads.cells(figuresOf, values);
  const [firstVersion, lastVersion, inMinor, outMinor, openingMinor, closingMinor] = (
    row ?? []
  ).map((cell) => BigInt(cell ?? 0));
  return {
    firstVersion: firstVersion ?? 1n,
    lastVersion: lastVersion ?? 0n,
    inMinor: inMinor ?? 0n,
    outMinor: outMinor ?? 0n,
    openingMinor: openingMinor ?? 0n,
    closingMinor: closingMinor ?? 0n,
  };
}

/** Clamps to 1970, because PostgreSQL has no year 0, in which a day of year 1 may begin; no account is older than 1970. */
function toMoment(at: number): string {
  return toIso(Math.max(at, 0));
}

const ENTRIES_AT_ONCE = 500;

/** The entries with these versions in ascending order, read page by page. */
export async function* entriesBetween(
  reads: Reads,
  platformId: string,
  range: { readonly accountId: string; readonly first: bigint; readonly last: bigint },
): AsyncGenerator<readonly ListedEntry[], void> {
  const { accountId, first, last } = range;
  for (let after = first - 1n; after < last; ) {
    const { rows } = await listEntries(reads, {
      platformId,
      accountId,
      after: String(after),
      order: "asc",
      limit: ENTRIES_AT_ONCE,
      reason: undefined,
      since: undefined,
      until: undefined,
    });
    const wanted = rows.filter(({ version }) => version <= last);
    if (wanted.length === 0) return;
    yield wanted;
    after = wanted.at(-1)?.version ?? last;
  }
}
