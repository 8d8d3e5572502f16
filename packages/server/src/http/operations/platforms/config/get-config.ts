import { findPlatform } from "../../../../domain/platform.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import {
  PlatformConfigSchema,
  platformConfigExample,
  platformConfigJson,
} from "../../../../wire/platforms/platform-config.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getConfig = defineOperation({
  id: "getConfig",
  method: "GET",
  path: "/config",
  access: "VIEW",
  capability: "settings.read",
  tag: "Platform",
  summary: "Get the platform configuration",
  answers: {
    200: {
      description: "The configuration.",
      schema: PlatformConfigSchema,
      example: platformConfigExample,
    },
  },
  refusals: [],
  async handle({ principal }, { reads }: Services) {
    const platform = await findPlatform(reads, principal.platformId);
    if (platform === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: platformConfigJson(platform) };
  },
});
