/** Names of the objects that an order names by their ids: one statement for each kind of object. */
import type { Reads } from "../../../../postgres/database.ts";
import { toWireId } from "../../../../std/ids.ts";

const CUSTOMER_NAME =
  "coalesce(c.full_name, c.business_info ->> 'legalName', c.platform_customer_id)";

/** The name of each kind, and where it is read. */
const OF_KIND = {
  Customer: `select c.id, ${CUSTOMER_NAME} from customers c where c.platform_id = $1::uuid and c.id = any($2::uuid[])`,
  InternalAccount:
    `select t.id, coalesce(${CUSTOMER_NAME}, 'The platform') || ', ' || t.currency || coalesce(', ' || t.name, '') from internal_accounts t ` +
    "left join customers c on c.platform_id = t.platform_id and c.id = t.customer_id " +
    "where t.platform_id = $1::uuid and t.id = any($2::uuid[])",
  ExternalAccount:
    "select t.id, coalesce(t.account_info -> 'beneficiary' ->> 'fullName', t.account_info -> 'beneficiary' ->> 'legalName', 'No name') " +
    "|| ', ••' || right(t.primary_identifier, 4) from external_accounts t where t.platform_id = $1::uuid and t.id = any($2::uuid[])",
  Agent:
    "select t.id, t.name from agents t where t.platform_id = $1::uuid and t.id = any($2::uuid[])",
  Token:
    "select t.id, t.name from tokens t where t.platform_id = $1::uuid and t.id = any($2::uuid[])",
  RailConnection:
    "select t.id, t.name from rail_connections t where t.platform_id = $1::uuid and t.id = any($2::uuid[])",
  RailRoute:
    "select t.id, t.name from rail_routes t where t.platform_id = $1::uuid and t.id = any($2::uuid[])",
  Document:
    "select t.id, t.file_name from documents t where t.platform_id = $1::uuid and t.id = any($2::uuid[])",
  Verification:
    `select t.id, ${CUSTOMER_NAME} from verifications t join customers c on c.platform_id = t.platform_id and c.id = t.customer_id ` +
    "where t.platform_id = $1::uuid and t.id = any($2::uuid[])",
} as const;

type NamedKind = keyof typeof OF_KIND;

const KINDS = Object.keys(OF_KIND) as readonly NamedKind[];

const STATEMENTS = new Map(
  KINDS.map((kind) => [kind, { name: `approvals/names-of-${kind}`, text: OF_KIND[kind] }]),
);

/** The names of these objects of a platform, by their wire ids. Objects of other kinds, and unknown ones, have none. */
export async function namesOf(
  reads: Reads,
  platformId: string,
  wireIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    [...STATEMENTS].map(async ([kind, statement]) => {
      const own = wireIds.filter((one) => one.startsWith(`${kind}:`));
      if (own.length === 0) return [];
      const ids = own.map((one) => one.slice(kind.length + 1));
      const rows = await reads.cells(statement, [platformId, ids]);
      return rows.map(([id, name]) => [toWireId(kind, id ?? ""), name ?? ""] as const);
    }),
  );
  return new Map(found.flat());
}
