/** Reads of funding addresses and of the pools of virtual accounts. */
import type { Reads } from "../../../postgres/database.ts";
import type { Environment } from "../../platform.ts";
import { type RailConnection, railConnections } from "../connections/rail-connection.ts";
import { type FundingAddress, fundingAddresses } from "./funding-address.ts";

const ofAccounts = {
  name: "funding_addresses/of-accounts",
  text:
    `select ${fundingAddresses.selectList("t")} from funding_addresses t ` +
    "where t.platform_id = $1::uuid and t.account_id = any ($2::uuid[])",
};

export function addressesOfAccounts(
  reads: Reads,
  platformId: string,
  accountIds: readonly string[],
): Promise<readonly FundingAddress[]> {
  return reads.rows(fundingAddresses, ofAccounts, [platformId, accountIds]);
}

const ofQuote = {
  name: "funding_addresses/of-quote",
  text:
    `select ${fundingAddresses.selectList("t")} from funding_addresses t ` +
    "where t.platform_id = $1::uuid and t.quote_id = $2::uuid order by t.id",
};

export function addressesOfQuote(
  reads: Reads,
  platformId: string,
  quoteId: string,
): Promise<readonly FundingAddress[]> {
  return reads.rows(fundingAddresses, ofQuote, [platformId, quoteId]);
}

const free = {
  name: "virtual_accounts/free",
  text:
    "select t.id from virtual_accounts t where t.platform_id = $1::uuid and t.connection_id = $2::uuid " +
    "and t.address_id is null order by t.id limit $3::int4",
};

/** The ids of the oldest free virtual accounts of a connection. */
export async function freeVirtualAccounts(
  reads: Reads,
  platformId: string,
  { connectionId, most }: { readonly connectionId: string; readonly most: number },
): Promise<readonly string[]> {
  const rows = await reads.cells(free, [platformId, connectionId, most]);
  return rows.map(([id]) => id ?? "");
}

const known = {
  name: "virtual_accounts/known",
  text:
    "select t.number from virtual_accounts t " +
    "where t.platform_id = $1::uuid and t.connection_id = $2::uuid and t.number = any ($3::text[])",
};

/** The given numbers that the connection's pool already has. */
export async function knownNumbers(
  reads: Reads,
  platformId: string,
  { connectionId, numbers }: { readonly connectionId: string; readonly numbers: readonly string[] },
): Promise<readonly string[]> {
  const rows = await reads.cells(known, [platformId, connectionId, numbers]);
  return rows.map(([number]) => number ?? "");
}

/** The count of free accounts stops at this number. */
const COUNTED = 10_000;

const countFree = {
  name: "virtual_accounts/count-free",
  text:
    "select count(*) from (select 1 from virtual_accounts t where t.platform_id = $1::uuid and t.connection_id = $2::uuid " +
    `and t.address_id is null limit ${COUNTED}) n`,
};

export async function freeCount(
  reads: Reads,
  platformId: string,
  connectionId: string,
): Promise<number> {
  const [row] = await reads.cells(countFree, [platformId, connectionId]);
  return Number(row?.[0] ?? 0);
}

/** An address that is requested from a connector, with the data of the request. */
export interface AskedAddress {
  readonly address: FundingAddress;
  readonly connection: RailConnection;
  readonly environment: Environment;
  readonly customerName: string;
  /** For a quote: the amount that it needs, and its expiry. */
  readonly quote: { readonly amountMinor: bigint; readonly expiresAt: number } | undefined;
}

const asked = {
  name: "funding_addresses/asked",
  text:
    `select ${fundingAddresses.selectList("t")}, ${railConnections.selectList("c")}, p.environment, ` +
    "coalesce(u.full_name, u.business_info ->> 'legalName', p.name), " +
    "q.sending_minor, floor(extract(epoch from q.expires_at) * 1000)::int8 " +
    "from funding_addresses t " +
    "join rail_connections c on c.platform_id = t.platform_id and c.id = t.connection_id " +
    "join platforms p on p.platform_id = t.platform_id and p.id = t.platform_id " +
    "left join internal_accounts i on i.platform_id = t.platform_id and i.id = t.account_id " +
    "left join quotes q on q.platform_id = t.platform_id and q.id = t.quote_id " +
    "left join customers u on u.platform_id = t.platform_id and u.id = coalesce(i.customer_id, q.customer_id) " +
    "where t.platform_id = $1::uuid and t.id = $2::uuid",
};

export async function findAskedAddress(
  reads: Reads,
  platformId: string,
  addressId: string,
): Promise<AskedAddress | undefined> {
  const [cells] = await reads.cells(asked, [platformId, addressId]);
  if (cells === undefined) return undefined;
  const [environment, customerName, sendingMinor, expiresAt] = cells.slice(-4);
  const isQuote = typeof sendingMinor === "string" && typeof expiresAt === "string";
  return {
    address: fundingAddresses.decode(cells),
    connection: railConnections.decode(cells, fundingAddresses.columns.length),
    environment: environment as Environment,
    customerName: customerName ?? "",
    quote: isQuote
      ? { amountMinor: BigInt(sendingMinor), expiresAt: Number(expiresAt) }
      : undefined,
  };
}
