import { setSpreads as command } from "../../../domain/price-rules/set-spreads.ts";
import {
  SpreadsSchema,
  spreadsBody,
  spreadsExample,
  spreadsJson,
} from "../../../wire/rates/price-rules.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
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
    "applies: one for the receiving currency, then one for the sending currency, then `*`. Without a rule the spread is 0; of an `ECB` source a rule must be there.",
  body: spreadsBody,
  requestExample: { spreads: spreadsExample.spreads },
  answers: {
    200: { description: "The spreads.", schema: SpreadsSchema, example: spreadsExample },
  },
  refusals: ["INVALID_INPUT"],
  judge: ({ spreads }) => judgeRules("spreads", spreads),
  handle: async ({ principal, body }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: { spreads: body.spreads.map(({ from, to, bps }) => ({ from, to, bps })) },
      toAnswer: (rules) => ({ status: 200, body: spreadsJson(rules) }),
    }),
});
