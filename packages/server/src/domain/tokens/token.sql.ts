import type { Reads } from "../../postgres/database.ts";
import { type ListPage, type ListQuery, listPage, tableSource } from "../../tables/list-query.ts";
import { platformOfHandle } from "../platforms/platform.sql.ts";
import type { Environment } from "../platforms/platform.ts";
import { type Token, tokenHandle, tokens } from "./token.ts";

const byClientId = {
  name: "tokens/authenticate",
  text:
    `select p.environment, ${tokens.selectList("t")} from tokens t ` +
    "join platforms p on p.platform_id = t.platform_id and p.id = t.platform_id " +
    "where t.platform_id = $1::uuid and t.client_id = $2::text and t.deleted_at is null",
};

export interface AuthenticatedToken {
  readonly platformId: string;
  readonly environment: Environment;
  readonly token: Token;
}

/** The live token of a client id, wherever its platform is. */
export async function findTokenByClientId(
  reads: Reads,
  clientId: string,
): Promise<AuthenticatedToken | undefined> {
  const platformId = await platformOfHandle(reads, tokenHandle(clientId));
  if (platformId === undefined) return undefined;
  const [cells] = await reads.cells(byClientId, [platformId, clientId]);
  if (cells === undefined) return undefined;
  return { platformId, environment: cells[0] as Environment, token: tokens.decode(cells, 1) };
}

const byId = {
  name: "tokens/get",
  text:
    `select ${tokens.selectList("t")} from tokens t ` +
    "where t.platform_id = $1::uuid and t.id = $2::uuid and t.deleted_at is null",
};

export async function findToken(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<Token | undefined> {
  const [token] = await reads.rows(tokens, byId, [platformId, id]);
  return token;
}

const source = tableSource(tokens);

export function listTokens(reads: Reads, query: ListQuery): Promise<ListPage<Token>> {
  return listPage(reads, source, {
    ...query,
    conditions: [{ sql: "t.deleted_at is null" }, ...query.conditions],
  });
}
