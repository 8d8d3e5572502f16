import Type from "typebox";
import { advanceClock as command } from "../../../../domain/platforms/sandbox/advance-clock.ts";
import { toIso } from "../../../../std/clock.ts";
import { DateTimeSchema } from "../../../../wire/fields.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

export const advanceClock = defineOperation({
  id: "advanceClock",
  method: "POST",
  path: "/sandbox/clock/advance",
  access: "TRANSACT",
  capability: "sandbox.use",
  sandboxOnly: true,
  tag: "Sandbox",
  summary: "Advance the sandbox clock",
  description:
    "Everything that is due by then has happened when the answer comes, but for what failed ten times in a row and is tried again. After a 503 the clock may have moved all the same, " +
    "and what was due is still being done: `GET /sandbox/clock` tells, and a repeat under the same `Idempotency-Key` does not " +
    "move it again. The clock goes as far as the year 9000.",
  body: Type.Object({ seconds: Type.Integer({ minimum: 1, maximum: 2_592_000 }) }),
  requestExample: { seconds: 30 },
  answers: {
    200: {
      description: "The platform's time.",
      schema: Type.Object({ now: DateTimeSchema }),
      example: { now: "2026-11-21T10:00:30.000Z" },
    },
  },
  refusals: ["INVALID_INPUT", "FORBIDDEN", "CONFLICT"],
  async handle({ principal, body, idempotency }, services: Services) {
    const answered = await submitForCaller(services.engine, principal, {
      command,
      input: { seconds: body.seconds },
      toAnswer: ({ now }) => ({ status: 200, body: JSON.stringify({ now: toIso(now) }) }),
      idempotency,
    });
    if (answered.status === 200) await services.runDueJobs(principal.platformId);
    return answered;
  },
});
