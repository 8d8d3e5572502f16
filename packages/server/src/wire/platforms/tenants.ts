import Type from "typebox";
import { toWorkspaceId } from "../../domain/people/workspaces/workspace.ts";
import { toPlatformConfigId } from "../../domain/platform.ts";
import type { ListedPlatform, ListedWorkspace } from "../../domain/platforms/system/tenants.sql.ts";
import { toIso } from "../../std/clock.ts";
import { sensitive } from "../../validation/schema.ts";
import { DateTimeSchema } from "../fields.ts";

const EnvironmentSchema = Type.Enum(["SANDBOX", "PRODUCTION"]);

export const SystemWorkspaceSchema = Type.Object(
  {
    id: Type.String({ description: "`Workspace:<uuid>`" }),
    name: Type.String(),
    platforms: Type.Integer(),
    hasOwner: Type.Boolean({ description: "False while its first owner has not come in." }),
    commands: Type.Integer({ description: "Changes of people, roles and policies." }),
    createdAt: DateTimeSchema,
  },
  { $id: "SystemWorkspace" },
);

export const systemWorkspaceExample = {
  id: "Workspace:019a4f00-0000-7000-8000-000000000032",
  name: "Lind Boats",
  platforms: 2,
  hasOwner: true,
  commands: 41,
  createdAt: "2026-11-01T09:00:00.000Z",
};

export function systemWorkspaceJson({ id, commands, createdAt, ...rest }: ListedWorkspace): string {
  return JSON.stringify({
    id: toWorkspaceId(id),
    ...rest,
    commands: Number(commands),
    createdAt: toIso(createdAt),
  });
}

export const SystemPlatformSchema = Type.Object(
  {
    id: Type.String({ description: "`PlatformConfig:<uuid>`" }),
    workspaceId: Type.String({ description: "`Workspace:<uuid>`" }),
    name: Type.String(),
    environment: EnvironmentSchema,
    umaDomain: Type.String(),
    reviewers: Type.Enum(["WORKSPACE", "OPERATOR"], {
      description: "Who decides its verifications.",
    }),
    commands: Type.Integer({ description: "Changes that are in its log." }),
    events: Type.Integer(),
    undelivered: Type.Optional(
      Type.Integer({
        description:
          "Events that its default webhook endpoint is to get and has not got; absent when none is set. Of those that wait for a retry, " +
          "1,000 are counted.",
      }),
    ),
    clockAheadMs: Type.Integer({ description: "How far the clock of a sandbox was moved." }),
    createdAt: DateTimeSchema,
  },
  { $id: "SystemPlatform" },
);

export const systemPlatformExample = {
  id: "PlatformConfig:019a4f00-0000-7000-8000-000000000033",
  workspaceId: systemWorkspaceExample.id,
  name: "lind-boats",
  environment: "PRODUCTION",
  umaDomain: "lind.example",
  reviewers: "OPERATOR",
  commands: 120934,
  events: 240101,
  undelivered: 3,
  clockAheadMs: 0,
  createdAt: "2026-11-01T09:00:00.000Z",
};

export function systemPlatformJson(platform: ListedPlatform): string {
  const { id, workspaceId, commands, events, undelivered, aheadMs, createdAt, ...rest } = platform;
  return JSON.stringify({
    id: toPlatformConfigId(id),
    workspaceId: toWorkspaceId(workspaceId),
    ...rest,
    commands: Number(commands),
    events: Number(events),
    ...(undelivered === null ? {} : { undelivered: Number(undelivered) }),
    clockAheadMs: aheadMs,
    createdAt: toIso(createdAt),
  });
}

export const CreatedWorkspaceSchema = Type.Object(
  {
    id: Type.String({ description: "`Workspace:<uuid>`" }),
    name: Type.String(),
    startUrl: Type.String({
      ...sensitive,
      description: "By which its first owner comes in; good for a day, once, and shown once.",
    }),
  },
  { $id: "CreatedWorkspace" },
);

export const createdWorkspaceExample = {
  id: systemWorkspaceExample.id,
  name: "Lind Boats",
  startUrl: "http://localhost:8080/console/start#mUHlRjFM…",
};

export const CreatedPlatformSchema = Type.Object(
  {
    id: Type.String({ description: "`PlatformConfig:<uuid>`" }),
    workspaceId: Type.String({ description: "`Workspace:<uuid>`" }),
    name: Type.String(),
    environment: EnvironmentSchema,
    umaDomain: Type.String(),
    isRegulatedFinancialInstitution: Type.Boolean(),
    clientId: Type.String({ description: "Of its first token, which has all permissions." }),
    clientSecret: Type.String({ ...sensitive, description: "Shown once." }),
  },
  { $id: "CreatedPlatform" },
);

export const createdPlatformExample = {
  id: systemPlatformExample.id,
  workspaceId: systemWorkspaceExample.id,
  name: "lind-boats",
  environment: "PRODUCTION",
  umaDomain: "lind.example",
  isRegulatedFinancialInstitution: false,
  clientId: "6f1d0c2e9b7a48d3a5e0f4c1b2d3e4f5",
  clientSecret: "8c1f…64 hexadecimal digits",
};
