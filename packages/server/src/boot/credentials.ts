/** Reads the owner of credentials from the database: a token of a platform, or an agent. */
import { findAgentByAccessToken } from "../domain/agents/agent.sql.ts";
import { findTokenByClientId } from "../domain/people/tokens/token.sql.ts";
import { peopleBehind } from "../domain/token.ts";
import type { ReadAgent } from "../http/auth/agent-auth.ts";
import type { ReadToken } from "../http/auth/auth.ts";
import type { Reads } from "../postgres/database.ts";
import type { Clock } from "../std/clock.ts";

export function tokenReader(reads: Reads, clock: Clock): ReadToken {
  return async (clientId) => {
    const found = await findTokenByClientId(reads, clientId);
    if (found === undefined) return undefined;
    const { platformId, environment, unknownFields, expiresAt, token } = found;
    const { id: tokenId, secretHash } = token;
    return {
      platformId,
      environment,
      unknownFields,
      tokenId,
      secretHash,
      expiresAt,
      permissions: new Set(token.permissions),
      personId: token.personId,
      people: peopleBehind(token, clock.now()),
    };
  };
}

export function agentReader(reads: Reads): ReadAgent {
  return async (presentedHash) => {
    const found = await findAgentByAccessToken(reads, presentedHash);
    if (found === undefined) return undefined;
    const { platformId, environment, unknownFields, agent } = found;
    const { id: agentId, customerId, policy, people, accessTokenHash } = agent;
    if (accessTokenHash === null) return undefined;
    const platform = { platformId, environment, unknownFields };
    return { ...platform, agentId, customerId, policy, people, accessTokenHash };
  };
}
