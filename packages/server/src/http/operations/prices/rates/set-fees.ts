import { setFeesOrder } from "../../../../domain/people/approvals/held-control.ts";
import { waitingForPeople } from "../../../../wire/people/approval.ts";
import {
  FeesSchema,
  feesBody,
  feesExample,
  feesJson,
} from "../../../../wire/prices/price-rules.ts";
import { submitHeld } from "../../../approvals/submit-held.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { feesInput } from "./held-rules.ts";
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
    "the rail, then for the account type. Without a rule there is no fee. A quote keeps the version that it was priced with. " +
    "In production a lower fee waits for another owner where the workspace has two.",
  body: feesBody,
  requestExample: { rules: feesExample.rules },
  answers: {
    200: { description: "The fees.", schema: FeesSchema, example: feesExample },
    202: waitingForPeople,
  },
  refusals: ["INVALID_INPUT"],
  judge: ({ rules }) => judgeRules("rules", rules),
  handle: async ({ principal, body }, services: Services) =>
    submitHeld(services, principal, {
      order: setFeesOrder,
      content: body,
      input: feesInput(body),
      toAnswer: ({ after }) => ({ status: 200, body: feesJson(after) }),
      idempotency: undefined,
    }),
});
