import Type from "typebox";
import {
  pageOfPlatforms,
  pageOfWorkspaces,
} from "../../../../domain/platforms/system/tenants.sql.ts";
import { wireSystemPlatform, wireSystemWorkspace } from "../../../../wire/platforms/tenants.ts";
import { answerPage } from "../../../request/list.ts";
import { uncountedPageOf } from "../../../request/noun.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import { OPERATORS_SHARE } from "./deployment.ts";

const shared = {
  access: "PERSON",
  capability: "system.read",
  tag: "System",
  refusals: ["INVALID_INPUT"],
} as const;

const listSystemWorkspaces = defineOperation({
  ...shared,
  id: "listSystemWorkspaces",
  ...route("GET /system/workspaces"),
  summary: "List the workspaces of the deployment",
  query: Type.Object({ ...pageParameters }),
  answers: {
    200: uncountedPageOf(wireSystemWorkspace, "The oldest first. Nothing of what is in them."),
  },
  handle: ({ principal, query }, services: Services) =>
    answerPage(services, {
      operationId: "listSystemWorkspaces",
      principal,
      query,
      load: (page) =>
        services.reads.withPermit(OPERATORS_SHARE, (cells) => pageOfWorkspaces(cells, page)),
      positionOf: ({ id }) => id,
      toJson: wireSystemWorkspace.json,
    }),
});

const listSystemPlatforms = defineOperation({
  ...shared,
  id: "listSystemPlatforms",
  ...route("GET /system/platforms"),
  summary: "List the platforms of the deployment",
  query: Type.Object({ ...pageParameters }),
  answers: {
    200: uncountedPageOf(wireSystemPlatform, "The oldest first. Nothing of what is in them."),
  },
  handle: ({ principal, query }, services: Services) =>
    answerPage(services, {
      operationId: "listSystemPlatforms",
      principal,
      query,
      load: (page) =>
        services.reads.withPermit(OPERATORS_SHARE, (cells) => pageOfPlatforms(cells, page)),
      positionOf: ({ id }) => id,
      toJson: wireSystemPlatform.json,
    }),
});

export const tenantOperations = [listSystemWorkspaces, listSystemPlatforms];
