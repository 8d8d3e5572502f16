import { setSpreadsOrder } from "../../../../domain/people/approvals/held-control.ts";
import { waitingForPeople } from "../../../../wire/people/approval.ts";
import {
  SpreadsSchema,
  spreadsBody,
  spreadsExample,
  spreadsJson,
} from "../../../../wire/prices/price-rules.ts";
import { submitHeld } from "../../../approvals/submit-held.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { spreadsInput } from "./held-rules.ts";
import { judgeRules } from "./rule-bodies.ts";

export const setSpreads = defineOperation({
  id: "setSpreads",
  method: "PUT",
  path: "/rates/spreads",
  access: "MANAGE",
  capability: "settings.write",
  tag: "Rates",
  summary: "Set the spreads",
  description:
    "Replaces the table. The customer's rate is the source's times 1 + bps / 10,000, in sending units for a receiving unit. The most specific rule " +
    "applies: one for the receiving currency, then one for the sending currency, then `*`. Without a rule the spread is 0; of an `ECB` source a rule must be there. " +
    "In production a lower spread waits for another owner where the workspace has two.",
  body: spreadsBody,
  requestExample: { spreads: spreadsExample.spreads },
  answers: {
    200: { description: "The spreads.", schema: SpreadsSchema, example: spreadsExample },
    202: waitingForPeople,
  },
  refusals: ["INVALID_INPUT"],
  judge: ({ spreads }) => judgeRules("spreads", spreads),
  handle: async ({ principal, body }, services: Services) =>
    submitHeld(services, principal, {
      order: setSpreadsOrder,
      content: body,
      input: spreadsInput(body),
      toAnswer: ({ after }) => ({ status: 200, body: spreadsJson(after) }),
      idempotency: undefined,
    }),
});
