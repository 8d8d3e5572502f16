import type { Reads } from "../../../postgres/database.ts";
import {
  type ListPage,
  type ListQuery,
  type ListSource,
  listPage,
} from "../../../tables/list-query.ts";
import { platformOfHandle } from "../../platform.sql.ts";
import type { Environment, UnknownFields } from "../../platform.ts";
import { type Token, tokenHandle, tokens } from "../../token.ts";

/** The expiry in host time, in milliseconds. The platform's head is read only for tokens that expire. */
const HOST_EXPIRY =
  "case when t.expires_at is not null then floor(extract(epoch from t.expires_at) * 1000)::int8 - " +
  "(select h.clock_offset_ms from platform_heads h where h.platform_id = $1::uuid) end";

const byClientId = {
  name: "tokens/authenticate",
  text:
    `select p.environment, p.unknown_fields, ${HOST_EXPIRY}, ${tokens.selectList("t")} from tokens t ` +
    "join platforms p on p.platform_id = t.platform_id and p.id = t.platform_id " +
    "where t.platform_id = $1::uuid and t.client_id = $2::text and t.deleted_at is null",
};

export interface AuthenticatedToken {
  readonly platformId: string;
  readonly environment: Environment;
  readonly unknownFields: UnknownFields;
  /** Host time; undefined for never. */
  readonly expiresAt: number | undefined;
  readonly token: Token;
}

/** The live token of a client id, on any platform. */
export async function findTokenByClientId(
  reads: Reads,
  clientId: string,
): Promise<AuthenticatedToken | undefined> {
  const platformId = await platformOfHandle(reads, tokenHandle(clientId));
  if (platformId === undefined) return undefined;
  const [cells] = await reads.cells(byClientId, [platformId, clientId]);
  if (cells === undefined) return undefined;
  const [environment, unknownFields, expiresAt] = cells;
  return {
    platformId,
    environment: environment as Environment,
    unknownFields: unknownFields as UnknownFields,
    expiresAt: expiresAt == null ? undefined : Number(expiresAt),
    token: tokens.decode(cells, 3),
  };
}

/** A token with the day of its last use. */
export interface ListedToken {
  readonly token: Token;
  /** YYYY-MM-DD, UTC; undefined before the first use is recorded. */
  readonly lastUsedAt: string | undefined;
}

const source: ListSource<ListedToken> = {
  list: tokens,
  selectList: `${tokens.selectList("t")}, u.day::text`,
  from: "tokens t left join token_uses u on u.platform_id = t.platform_id and u.token_id = t.id",
  countFrom: "tokens t",
  decode: (cells) => ({
    token: tokens.decode(cells),
    lastUsedAt: cells[tokens.columns.length] ?? undefined,
  }),
};

const byId = {
  name: "tokens/get",
  text:
    `select ${source.selectList} from ${source.from} ` +
    "where t.platform_id = $1::uuid and t.id = $2::uuid and t.deleted_at is null",
};

export async function findToken(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<ListedToken | undefined> {
  const [token] = await reads.rows(source, byId, [platformId, id]);
  return token;
}

export function listTokens(reads: Reads, query: ListQuery): Promise<ListPage<ListedToken>> {
  return listPage(reads, source, {
    ...query,
    conditions: [{ sql: "t.deleted_at is null" }, ...query.conditions],
  });
}
