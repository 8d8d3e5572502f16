/** The accounts and addresses of the latest payments, of which a form offers the same again. Each read is bounded. */
import type { Reads } from "../../../postgres/database.ts";

/** The newest payments that are looked at. */
const PAYMENTS_READ = 100;
/** The most accounts or addresses. */
const MOST = 12;

export interface RecentSide {
  /** The uuid of an account, internal or external; null of an address. */
  readonly accountId: string | null;
  readonly umaAddress: string | null;
  readonly lastAt: number;
}

const LATEST = "max(floor(extract(epoch from p.created_at) * 1000))::int8 as last_at";

const sources = {
  name: "transactions/recent-sources",
  text:
    `select p.source_account_id, null, ${LATEST} from (select t.source_account_id, t.created_at from transactions t ` +
    `where t.platform_id = $1::uuid order by t.id desc limit ${PAYMENTS_READ}) p ` +
    `where p.source_account_id is not null group by 1 order by last_at desc, 1 limit ${MOST}`,
};

const payees = {
  name: "transactions/recent-payees",
  text:
    `select p.account_id, p.address, ${LATEST} from (select t.destination_account_id as account_id, ` +
    "t.destination ->> 'umaAddress' as address, t.created_at from transactions t " +
    "where t.platform_id = $1::uuid and t.source_account_id = $2::uuid " +
    `order by t.id desc limit ${PAYMENTS_READ}) p ` +
    `where coalesce(p.account_id::text, p.address) is not null group by 1, 2 order by last_at desc, 1, 2 limit ${MOST}`,
};

/** Who paid lately, the latest first. */
export async function recentSources(
  reads: Reads,
  platformId: string,
): Promise<readonly RecentSide[]> {
  return (await reads.cells(sources, [platformId])).map(sideOf);
}

/** Who was paid lately from the account with this uuid, the latest first. */
export async function recentPayees(
  reads: Reads,
  platformId: string,
  accountId: string,
): Promise<readonly RecentSide[]> {
  return (await reads.cells(payees, [platformId, accountId])).map(sideOf);
}

function sideOf([accountId, umaAddress, lastAt]: readonly (string | null)[]): RecentSide {
  return { accountId: accountId ?? null, umaAddress: umaAddress ?? null, lastAt: Number(lastAt) };
}
