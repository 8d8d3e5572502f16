import type { Reads } from "../../../postgres/database.ts";
import { platformRowFinderOf } from "../../../tables/find-row.ts";
import type { Environment, UnknownFields } from "../../platform.ts";
import { MOST_PLATFORMS_OF_WORKSPACE, type Workspace, workspaces } from "./workspace.ts";

export const findWorkspace = platformRowFinderOf(workspaces);

const platformsOf = {
  name: "platforms/of-workspace",
  text:
    "select t.id, t.name, t.environment, t.unknown_fields from platforms t where t.workspace_id = $1::uuid " +
    `order by t.id limit ${MOST_PLATFORMS_OF_WORKSPACE}`,
};

/** A platform as its workspace sees it. */
export interface OwnPlatform {
  readonly id: string;
  readonly name: string;
  readonly environment: Environment;
  readonly unknownFields: UnknownFields;
}

/** The platforms of a workspace, the oldest first. */
export async function platformsOfWorkspace(
  reads: Reads,
  platformId: string,
): Promise<readonly OwnPlatform[]> {
  const found = await reads.cells(platformsOf, [platformId]);
  return found.map(([id, name, environment, unknownFields]) => ({
    id: id ?? "",
    name: name ?? "",
    environment: environment as Environment,
    unknownFields: unknownFields as UnknownFields,
  }));
}

/** Not a join: a distributed database joins only rows of one partition, and a workspace is another partition than its platforms. */
const homeless = {
  name: "platforms/homeless",
  text:
    "select t.workspace_id, t.name from platforms t " +
    "where t.workspace_id not in (select w.platform_id from workspaces w) limit 1000",
};

/** A workspace that does not exist, with the name that it is to get from its platform. */
export interface HomelessPlatform {
  readonly id: string;
  readonly name: string;
}

/** Workspaces that do not exist although platforms name them, up to a thousand. */
export async function findHomelessPlatforms(reads: Reads): Promise<readonly HomelessPlatform[]> {
  const found = await reads.cells(homeless, []);
  return found.map(([id, name]) => ({ id: id ?? "", name: name ?? "" }));
}

export const MOST_WORKSPACES_LISTED = 1_000;

const all = {
  name: "workspaces/list",
  text: `select ${workspaces.selectList("t")} from workspaces t order by t.id limit ${MOST_WORKSPACES_LISTED + 1}`,
};

/** All workspaces of the deployment, the oldest first; one more than `MOST_WORKSPACES_LISTED` when there are more. */
export function listWorkspaces(reads: Reads): Promise<readonly Workspace[]> {
  return reads.rows(workspaces, all, []);
}
