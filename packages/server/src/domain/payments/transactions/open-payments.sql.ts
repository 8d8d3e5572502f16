import type { Reads } from "../../../postgres/database.ts";
import { inFlight } from "./open-payments.ts";

const countInFlight = {
  name: "transactions/count-in-flight",
  text:
    "select count(*) from (select from transactions t where t.platform_id = $1::uuid and t.customer_id = $2::uuid " +
    `and ${inFlight.sql} limit $3::int8) found`,
};

/** Whether the customer has more than `than` transactions in flight. The query stops counting at `than` + 1. */
export async function hasMoreInFlight(
  reads: Reads,
  platformId: string,
  { customerId, than }: { readonly customerId: string; readonly than: number },
): Promise<boolean> {
  const [row] = await reads.cells(countInFlight, [platformId, customerId, than + 1]);
  return Number(row?.[0] ?? 0) > than;
}

const countOfAccount = {
  name: "transactions/count-in-flight-of-account",
  text:
    "select count(*) from (" +
    `(select from transactions t where t.platform_id = $1::uuid and t.source_account_id = $2::uuid and ${inFlight.sql} limit $3::int8) union all ` +
    `(select from transactions t where t.platform_id = $1::uuid and t.destination_account_id = $2::uuid and ${inFlight.sql} limit $3::int8)) found`,
};

/** Whether the account has more than `than` transactions in flight. */
export async function accountHasMoreInFlight(
  reads: Reads,
  platformId: string,
  { accountId, than }: { readonly accountId: string; readonly than: number },
): Promise<boolean> {
  const [row] = await reads.cells(countOfAccount, [platformId, accountId, than + 1]);
  return Number(row?.[0] ?? 0) > than;
}
