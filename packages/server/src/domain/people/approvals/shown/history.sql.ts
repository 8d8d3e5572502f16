/** What earlier payments and orders say of a payee, a customer and an asker. Each read is bounded. */
import type { Reads } from "../../../../postgres/database.ts";
import { commandsAt } from "../../../accounts/internal/entries.sql.ts";
import type { PaidBefore } from "./sides.ts";
import type { UsualAmounts } from "./warnings.ts";

/** The newest payments to a payee that are looked at. */
const PAYMENTS_READ = 100;
/** The newest payments of a customer that are looked at. */
const AMOUNTS_READ = 300;
/** The newest orders of an asker that are looked at. */
const ORDERS_READ = 100;

const COUNTS =
  "select count(*) filter (where p.status = 'COMPLETED'), count(*), " +
  "max(floor(extract(epoch from p.settled_at) * 1000)) filter (where p.status = 'COMPLETED')::int8 from ";

const toAccount = {
  name: "transactions/paid-to-account",
  text:
    `${COUNTS}(select t.status, t.settled_at from transactions t where t.platform_id = $1::uuid ` +
    `and t.destination_account_id = $2::uuid order by t.id desc limit ${PAYMENTS_READ}) p`,
};

const toAddress = {
  name: "transactions/paid-to-address",
  text:
    `${COUNTS}(select t.status, t.settled_at from transactions t where t.platform_id = $1::uuid ` +
    "and (t.type = 'INCOMING' or t.quote_id is not null) and t.destination ->> 'umaAddress' = $2::text " +
    `order by t.id desc limit ${PAYMENTS_READ}) p`,
};

/** Payments that reached an account, by its uuid, or a UMA address. */
export async function paidBefore(
  reads: Reads,
  platformId: string,
  payee: { readonly accountId: string } | { readonly umaAddress: string },
): Promise<PaidBefore> {
  const [cells = []] =
    "accountId" in payee
      ? await reads.cells(toAccount, [platformId, payee.accountId])
      : await reads.cells(toAddress, [platformId, payee.umaAddress]);
  const [count, all, lastAt] = cells;
  return {
    count: Number(count ?? 0),
    isMore: Number(all ?? 0) === PAYMENTS_READ,
    lastAt: lastAt == null ? null : Number(lastAt),
  };
}

const usualOf = (owner: string, name: string) => ({
  name: `transactions/usual-amounts-of-${name}`,
  text:
    "select count(*), percentile_disc(0.95) within group (order by p.sent_minor) from (select t.type, t.status, t.sent_currency, " +
    `t.sent_minor from transactions t where t.platform_id = $1::uuid and t.customer_id ${owner} ` +
    `order by t.id desc limit ${AMOUNTS_READ}) p where p.type = 'OUTGOING' and p.status = 'COMPLETED' and p.sent_currency = $2::text`,
});

const usualOfCustomer = usualOf("= $3::uuid", "customer");
const usualOfPlatform = usualOf("is null", "platform");

/** The amounts that a customer usually sends in a currency; null is the platform itself. */
export async function usualAmounts(
  reads: Reads,
  platformId: string,
  { customerId, currency }: { readonly customerId: string | null; readonly currency: string },
): Promise<UsualAmounts> {
  const [cells = []] =
    customerId === null
      ? await reads.cells(usualOfPlatform, [platformId, currency])
      : await reads.cells(usualOfCustomer, [platformId, currency, customerId]);
  const [count, p95Minor] = cells;
  return { count: Number(count ?? 0), p95Minor: BigInt(p95Minor ?? 0) };
}

const hoursBefore = {
  name: "approvals/hours-of-asker",
  text:
    "select extract(hour from t.created_at at time zone 'UTC')::int4 from approvals t where t.platform_id = $1::uuid " +
    `and t.requester_id = $2::uuid and t.id < $3::uuid order by t.id desc limit ${ORDERS_READ}`,
};

/** The hours of the day, in UTC, at which a person asked for earlier orders. */
export async function hoursOfAsker(
  reads: Reads,
  platformId: string,
  { requesterId, approvalId }: { readonly requesterId: string; readonly approvalId: string },
): Promise<readonly number[]> {
  const rows = await reads.cells(hoursBefore, [platformId, requesterId, approvalId]);
  return rows.map(([hour]) => Number(hour));
}

const makers = {
  name: "command_log/makers-of-accounts",
  text:
    "select t.actor from command_log t where t.platform_id = $1::uuid and t.seq >= $2::int8 and t.seq < $3::int8 " +
    "order by t.seq limit 2",
};

/** The actor of the command of a moment, such as `token:<uuid>`; undefined where more than one command ran in that millisecond. */
export async function actorAt(
  reads: Reads,
  platformId: string,
  at: string,
): Promise<string | undefined> {
  const [from, to] = await commandsAt(reads, platformId, { since: at, until: at });
  if (from === undefined || to === undefined) return undefined;
  const rows = await reads.cells(makers, [platformId, from, to]);
  return rows.length === 1 ? (rows[0]?.[0] ?? undefined) : undefined;
}
