import Type from "typebox";
import { toIso } from "../../../../std/clock.ts";
import { DateTimeSchema } from "../../../../wire/fields.ts";
import { defineOperation } from "../../../request/operation.ts";
import { platformTime } from "../../../request/platform-time.ts";
import type { Services } from "../../../request/services.ts";

export const getClock = defineOperation({
  id: "getClock",
  method: "GET",
  path: "/sandbox/clock",
  access: "VIEW",
  capability: "sandbox.use",
  sandboxOnly: true,
  tag: "Sandbox",
  summary: "Get the sandbox clock",
  answers: {
    200: {
      description: "The platform's time.",
      schema: Type.Object({ now: DateTimeSchema }),
      example: { now: "2026-11-21T10:00:00.000Z" },
    },
  },
  refusals: ["FORBIDDEN"],
  async handle({ principal }, services: Services) {
    const now = await platformTime(services, principal.platformId);
    return { status: 200, body: JSON.stringify({ now: toIso(now) }) };
  },
});
