import Type from "typebox";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { ownerSignatureHeader, readQuoteStamp } from "../../payments/quotes/owner-signature.ts";
import { actionAnswer, submit } from "./submit.ts";

export const agentExecuteQuote = defineOperation({
  id: "agentExecuteQuote",
  method: "POST",
  path: "/agents/me/quotes/{quoteId}/execute",
  access: "AGENT",
  agentPermission: "EXECUTE_QUOTES",
  tag: "For agents",
  summary: "Execute a quote of yours",
  description:
    "The policy is asked about the whole sending amount. With an embedded wallet as source, its owner's stamp goes into the " +
    "header; it holds while the action waits for approval, and no policy takes its place.",
  params: Type.Object({ quoteId: pathId("Quote") }),
  headers: [ownerSignatureHeader],
  answers: { 200: actionAnswer },
  refusals: [
    "QUOTE_NOT_FOUND",
    "INVALID_CURRENCY",
    "CONFLICT",
    "QUOTE_EXPIRED",
    "UNAUTHORIZED",
    "USER_NOT_READY",
    "ACCOUNT_FROZEN",
    "CUSTOMER_FROZEN",
    "RAIL_PAUSED",
    "FX_LIMIT",
    "NOT_IMPLEMENTED",
  ],
  handle: async ({ principal, params, ...asked }, services: Services) => {
    const quoteId = requireId("Quote", params.quoteId, "QUOTE_NOT_FOUND");
    const { owner, idempotency } = await readQuoteStamp(services, principal, { quoteId, ...asked });
    return submit({ principal, idempotency }, services, {
      status: 200,
      order: { type: "EXECUTE_QUOTE", quoteId, owner },
    });
  },
});
