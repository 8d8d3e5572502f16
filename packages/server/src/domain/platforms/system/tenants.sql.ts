/** The workspaces and the platforms of the deployment for its operators: names and sizes, but none of their data. */
import type { ReadCells } from "../../../postgres/database.ts";
import { DEFAULT_ENDPOINT } from "../../events/stream.sql.ts";
import { MOST_PLATFORMS_OF_WORKSPACE } from "../../people/workspaces/workspace.ts";
import { type Environment, umaNamespace } from "../../platform.ts";

export interface TenantPage<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

export interface TenantQuery {
  readonly after: string | undefined;
  readonly limit: number;
}

export interface ListedWorkspace {
  readonly id: string;
  readonly name: string;
  readonly platforms: number;
  readonly hasOwner: boolean;
  /** The number of commands in the log of the workspace itself. */
  readonly commands: bigint;
  readonly createdAt: number;
}

/** Sorts before all ids. */
const NONE = "00000000-0000-0000-0000-000000000000";

const workspaces = {
  name: "system/workspaces",
  text:
    "select w.platform_id, w.name, h.seq, floor(extract(epoch from w.created_at) * 1000)::int8, " +
    "exists (select 1 from people o where o.platform_id = w.platform_id and o.state = 'ACTIVE' " +
    'and o.roles::jsonb @> \'[{"roles": ["OWNER"]}]\') ' +
    "from workspaces w join platform_heads h on h.platform_id = w.platform_id " +
    "where w.platform_id > $1::uuid order by w.platform_id limit $2::int8",
};

/** Not a join: a distributed database joins only rows of one partition, and a workspace is another partition than its platforms. */
const platformCounts = {
  name: "system/platforms-of-workspaces",
  text: "select t.workspace_id, count(*) from platforms t where t.workspace_id = any($1::uuid[]) group by 1",
};

/** The oldest first. */
export async function pageOfWorkspaces(
  cells: ReadCells,
  { after = NONE, limit }: TenantQuery,
): Promise<TenantPage<ListedWorkspace>> {
  const found = await cells(workspaces, [after, limit + 1]);
  const shown = found.slice(0, limit);
  const ids = shown.map(([id]) => id ?? "");
  const counted = await cells(platformCounts, [ids]);
  const counts = new Map(counted.map(([id, count]) => [id, Number(count)]));
  const rows = shown.map(([id, name, commands, createdAt, hasOwner]) => ({
    id: id ?? "",
    name: name ?? "",
    platforms: Math.min(counts.get(id ?? "") ?? 0, MOST_PLATFORMS_OF_WORKSPACE),
    hasOwner: hasOwner === "t",
    commands: BigInt(commands ?? 0),
    createdAt: Number(createdAt),
  }));
  return { rows, hasMore: found.length > limit };
}

export interface ListedPlatform {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly environment: Environment;
  readonly umaDomain: string;
  readonly reviewers: "WORKSPACE" | "OPERATOR";
  readonly commands: bigint;
  readonly events: bigint;
  /** Events that the default endpoint has yet to receive; null when no endpoint is set. */
  readonly undelivered: bigint | null;
  /** How far the platform's clock is ahead of the host's. */
  readonly aheadMs: number;
  readonly createdAt: number;
}

/** At most this many deliveries that wait for a retry are counted. */
const MOST_WAITING_COUNTED = 1_000;

const platforms = {
  name: "system/platforms",
  text:
    "select p.platform_id, p.workspace_id, p.name, p.environment, p.uma_domain, p.reviewers, h.seq, h.event_seq, " +
    "case when p.webhook_endpoint is not null then greatest(0, h.event_seq - greatest(coalesce(s.position, 0), " +
    "p.webhook_since_event_seq)) + (select count(*) from (select 1 from webhook_deliveries d " +
    `where d.platform_id = p.platform_id and d.endpoint_id = '${DEFAULT_ENDPOINT}' and d.state in ('WAITING', 'BEHIND') ` +
    `limit ${MOST_WAITING_COUNTED}) w) end, h.clock_offset_ms, floor(extract(epoch from p.created_at) * 1000)::int8 ` +
    "from platforms p join platform_heads h on h.platform_id = p.platform_id " +
    `left join webhook_streams s on s.platform_id = p.platform_id and s.endpoint_id = '${DEFAULT_ENDPOINT}' ` +
    "where p.platform_id > $1::uuid order by p.platform_id limit $2::int8",
};

/** The oldest first. */
export async function pageOfPlatforms(
  cells: ReadCells,
  { after = NONE, limit }: TenantQuery,
): Promise<TenantPage<ListedPlatform>> {
  const found = await cells(platforms, [after, limit + 1]);
  const rows = found.slice(0, limit).map((row) => ({
    id: row[0] ?? "",
    workspaceId: row[1] ?? "",
    name: row[2] ?? "",
    environment: row[3] as Environment,
    umaDomain: row[4] ?? "",
    reviewers: row[5] as ListedPlatform["reviewers"],
    commands: BigInt(row[6] ?? 0),
    events: BigInt(row[7] ?? 0),
    undelivered: row[8] == null ? null : BigInt(row[8]),
    aheadMs: Number(row[9]),
    createdAt: Number(row[10]),
  }));
  return { rows, hasMore: found.length > limit };
}

const claims = {
  name: "system/claimed-domain",
  text:
    "select 1 from domain_claims c where c.namespace = $1::text and (c.reversed = any($2::text[]) " +
    "or (c.reversed > $3::text || '.' and c.reversed < $3::text || '/')) limit 1",
};

/** Whether a platform of this environment has the domain, or one above or below it, as `claim_domain` judges it. */
export async function isDomainTaken(
  cells: ReadCells,
  environment: Environment,
  domain: string,
): Promise<boolean> {
  const labels = domain.split(".").toReversed();
  const reversed = labels.join(".");
  const above = labels.map((_, index) => labels.slice(0, index + 1).join(".")).slice(1);
  const found = await cells(claims, [umaNamespace(environment), [reversed, ...above], reversed]);
  return found.length > 0;
}
