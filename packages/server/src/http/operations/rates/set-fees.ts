import { setFees as command } from "../../../domain/price-rules/set-fees.ts";
import {
  FeesSchema,
  feesBody,
  feesExample,
  feesJson,
  toFeeRule,
} from "../../../wire/rates/price-rules.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { judgeRules } from "./rule-bodies.ts";

export const setFees = defineOperation({
  id: "setFees",
  method: "PUT",
  path: "/fees",
  access: "MANAGE",
  capability: "settings.write",
  tag: "Rates",
  summary: "Set the fees",
  description:
    "Replaces the table of fees on quotes of a production platform. The fee is `fixedMinor` and `bps` of the rest, not below `minMinor` and not above " +
    "`maxMinor`, in the sending currency. The most specific rule applies: one for the receiving currency, then for the sending currency, then for " +
    "the rail, then for the account type. Without a rule there is no fee. A quote keeps the version that it was priced with.",
  body: feesBody,
  requestExample: { rules: feesExample.rules },
  answers: { 200: { description: "The fees.", schema: FeesSchema, example: feesExample } },
  refusals: ["INVALID_INPUT"],
  judge: ({ rules }) => judgeRules("rules", rules),
  handle: async ({ principal, body }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: { rules: body.rules.map(toFeeRule) },
      toAnswer: (rules) => ({ status: 200, body: feesJson(rules) }),
    }),
});
