import type { Reads } from "../../postgres/database.ts";
import { NOT_DELETED } from "../../tables/facets.ts";
import { liveFinderOf } from "../../tables/find-row.ts";
import { listerOf } from "../../tables/list-query.ts";
import { platformOfHandle } from "../platform.sql.ts";
import type { Environment, UnknownFields } from "../platform.ts";
import { type Agent, accessTokenHandle, agents } from "./agent.ts";
import { type DeviceCode, deviceCodeHandle, deviceCodes } from "./device-code.ts";

const byAccessToken = {
  name: "agents/authenticate",
  text:
    `select p.environment, p.unknown_fields, ${agents.selectList("t")} from agents t ` +
    "join platforms p on p.platform_id = t.platform_id and p.id = t.platform_id " +
    "join customers c on c.platform_id = t.platform_id and c.id = t.customer_id and c.deleted_at is null " +
    "where t.platform_id = $1::uuid and t.access_token_hash = $2::text and t.deleted_at is null",
};

export interface AuthenticatedAgent {
  readonly platformId: string;
  readonly environment: Environment;
  readonly unknownFields: UnknownFields;
  readonly agent: Agent;
}

/** The live agent of an access token, on any platform. An agent whose customer is deleted is not found. */
export async function findAgentByAccessToken(
  reads: Reads,
  accessTokenHash: string,
): Promise<AuthenticatedAgent | undefined> {
  const platformId = await platformOfHandle(reads, accessTokenHandle(accessTokenHash));
  if (platformId === undefined) return undefined;
  const [cells] = await reads.cells(byAccessToken, [platformId, accessTokenHash]);
  if (cells === undefined) return undefined;
  const [environment, unknownFields] = cells;
  return {
    platformId,
    environment: environment as Environment,
    unknownFields: unknownFields as UnknownFields,
    agent: agents.decode(cells, 2),
  };
}

export const findAgent = liveFinderOf(agents);

export const listAgents = listerOf(agents, NOT_DELETED);

/** The platform that issued a device code. */
export function findPlatformOfCode(reads: Reads, codeHash: string): Promise<string | undefined> {
  return platformOfHandle(reads, deviceCodeHandle(codeHash));
}

const codeByHash = {
  name: "agent_device_codes/get",
  text:
    `select ${deviceCodes.selectList("t")} from agent_device_codes t ` +
    "join agents a on a.platform_id = t.platform_id and a.id = t.agent_id and a.deleted_at is null " +
    "where t.platform_id = $1::uuid and t.code_hash = $2::text and t.voided_at is null",
};

/** A code of this platform that is not void. */
export async function findDeviceCode(
  reads: Reads,
  platformId: string,
  codeHash: string,
): Promise<DeviceCode | undefined> {
  const [code] = await reads.rows(deviceCodes, codeByHash, [platformId, codeHash]);
  return code;
}
