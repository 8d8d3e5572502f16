import Type from "typebox";
import type { ListedPlatform, ListedWorkspace } from "../../domain/platforms/system/tenants.sql.ts";
import { sensitive } from "../../validation/schema.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const EnvironmentSchema = Type.Enum(["SANDBOX", "PRODUCTION"]);

export const wireSystemWorkspace = wireObject(
  "SystemWorkspace",
  ({ of }: Kit<ListedWorkspace>) => ({
    id: of.id("Workspace", { description: "`Workspace:<uuid>`", example: 32 }),
    name: of.text({ example: "Lind Boats" }),
    platforms: of.integer({ example: 2 }),
    hasOwner: of.boolean({
      description: "False while its first owner has not come in.",
      example: true,
    }),
    commands: of.integer({ description: "Changes of people, roles and policies.", example: 41 }),
    createdAt: of.time({ example: "2026-11-01T09:00:00.000Z" }),
  }),
);

export const wireSystemPlatform = wireObject(
  "SystemPlatform",
  ({ of, maybe }: Kit<ListedPlatform>) => ({
    id: of.id("PlatformConfig", { description: "`PlatformConfig:<uuid>`", example: 33 }),
    workspaceId: of.id("Workspace", { description: "`Workspace:<uuid>`", example: 32 }),
    name: of.text({ example: "lind-boats" }),
    environment: of.enum(["SANDBOX", "PRODUCTION"], { example: "PRODUCTION" }),
    umaDomain: of.text({ example: "lind.example" }),
    reviewers: of.enum(["WORKSPACE", "OPERATOR"], {
      description: "Who decides its verifications.",
      example: "OPERATOR",
    }),
    commands: of.integer({ description: "Changes that are in its log.", example: 120934 }),
    events: of.integer({ example: 240101 }),
    undelivered: maybe.integer({
      description:
        "Events that its default webhook endpoint is to get and has not got; absent when none is set. Of those that wait for a retry, " +
        "1,000 are counted.",
      example: 3,
    }),
    clockAheadMs: of.integer({
      from: "aheadMs",
      description: "How far the clock of a sandbox was moved.",
      example: 0,
    }),
    createdAt: of.time({ example: "2026-11-01T09:00:00.000Z" }),
  }),
);

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
  id: wireSystemWorkspace.example.id,
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
  id: wireSystemPlatform.example.id,
  workspaceId: wireSystemWorkspace.example.id,
  name: "lind-boats",
  environment: "PRODUCTION",
  umaDomain: "lind.example",
  isRegulatedFinancialInstitution: false,
  clientId: "6f1d0c2e9b7a48d3a5e0f4c1b2d3e4f5",
  clientSecret: "8c1f…64 hexadecimal digits",
};
