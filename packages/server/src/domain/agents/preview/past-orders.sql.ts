import type { Reads } from "../../../postgres/database.ts";
import {
  externalAccounts,
  fromExternalAccountId,
  toExternalAccountId,
} from "../../accounts/external/external-account.ts";
import { internalAccounts, toInternalAccountId } from "../../accounts/internal/internal-account.ts";
import { quotes } from "../../payments/quotes/quote.ts";
import { agentActions } from "../actions/agent-action.ts";
import { type AgentPolicy, externalsNamedBy } from "../agent-policy.ts";
import type { OwnAccounts } from "../policy-accounts.ts";
import type { PastOrder } from "./replay-orders.ts";

/** At most this many orders are replayed: the newest ones. */
export const MOST_REPLAYED = 1_000;

/** The limit bounds the index scan. A condition on the time would not: an agent may have any number of older orders. */
const newest = {
  name: "agent_actions/newest",
  text:
    `select ${agentActions.selectList("t")}, ${quotes.selectList("q")} from agent_actions t ` +
    "left join quotes q on q.platform_id = t.platform_id and q.id = t.quote_id " +
    `where t.platform_id = $1::uuid and t.agent_id = $2::uuid order by t.id desc limit ${MOST_REPLAYED + 1}`,
};

export interface PastOrders {
  /** The oldest first. */
  readonly orders: readonly PastOrder[];
  /** Whether some orders since that time were left out. */
  readonly isTruncated: boolean;
}

/** The orders of an agent since this time. */
export async function findPastOrders(
  reads: Reads,
  { platformId, agentId }: { readonly platformId: string; readonly agentId: string },
  since: number,
): Promise<PastOrders> {
  const rows = await reads.cells(newest, [platformId, agentId]);
  const orders = rows
    .map((cells): PastOrder => {
      const action = agentActions.decode(cells);
      const quote =
        action.quoteId === null ? null : quotes.decode(cells, agentActions.columns.length);
      return { action, quote };
    })
    .filter(({ action }) => action.createdAt >= since);
  return {
    orders: orders.slice(0, MOST_REPLAYED).reverse(),
    isTruncated: orders.length > MOST_REPLAYED,
  };
}

const internals = {
  name: "internal_accounts/of-customer",
  text:
    `select ${internalAccounts.selectList("t")} from internal_accounts t ` +
    "where t.platform_id = $1::uuid and t.customer_id = $2::uuid",
};

const externals = {
  name: "external_accounts/named-by-policy",
  text:
    `select ${externalAccounts.selectList("t")} from external_accounts t ` +
    "where t.platform_id = $1::uuid and t.customer_id = $2::uuid and t.deleted_at is null and t.id = any($3::uuid[])",
};

/** Which of the accounts that a policy names are the customer's. */
export async function findOwnAccounts(
  reads: Reads,
  { platformId, customerId }: { readonly platformId: string; readonly customerId: string },
  { accountRestrictions }: AgentPolicy,
): Promise<OwnAccounts> {
  const named = externalsNamedBy(accountRestrictions)
    .map(fromExternalAccountId)
    .filter((id) => id !== undefined);
  const [own, external] = await Promise.all([
    reads.rows(internalAccounts, internals, [platformId, customerId]),
    reads.rows(externalAccounts, externals, [platformId, customerId, named]),
  ]);
  const internalIds = new Set(own.map(({ id }) => toInternalAccountId(id)));
  const externalIds = new Set(external.map(({ id }) => toExternalAccountId(id)));
  return {
    hasInternal: (wireId) => internalIds.has(wireId),
    hasExternal: (wireId) => externalIds.has(wireId),
  };
}
