/** What all operations that submit an agent's action share. */
import type { ActionOrder } from "../../../domain/agents/actions/action-order.ts";
import { submitAction } from "../../../domain/agents/actions/submit-action.ts";
import type { Answered } from "../../../engine/command.ts";
import type { RefusalCode } from "../../../engine/refusal.ts";
import {
  AgentActionSchema,
  agentActionJson,
  approvedActionExample,
} from "../../../wire/agents/agent-action.ts";
import type { AgentPrincipal, OperationRequest } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

export const actionAnswer = {
  description:
    "The action. `APPROVED` with its transaction when it was carried out, `PENDING_APPROVAL` when the platform decides first, " +
    "`FAILED` when it could not be carried out.",
  schema: AgentActionSchema,
  example: approvedActionExample,
};

export const transferRefusals: readonly RefusalCode[] = [
  "INVALID_INPUT",
  "INVALID_AMOUNT",
  "INVALID_CURRENCY",
  "AMOUNT_OUT_OF_RANGE",
  "USER_NOT_READY",
  "ACCOUNT_FROZEN",
  "CUSTOMER_FROZEN",
  "RAIL_PAUSED",
  "REFERENCE_NOT_FOUND",
  "CONFLICT",
  "NOT_IMPLEMENTED",
];

export function submit(
  {
    principal,
    idempotency,
  }: Pick<OperationRequest<unknown, unknown, unknown, AgentPrincipal>, "principal" | "idempotency">,
  { engine, rails }: Services,
  { order, status }: { readonly order: ActionOrder; readonly status: number },
): Promise<Answered> {
  const { platformId, agentId } = principal;
  return submitForCaller(engine, principal, {
    command: submitAction,
    input: { agentId, order, rails },
    toAnswer: (subject) => ({ status, body: agentActionJson(subject, platformId) }),
    idempotency,
  });
}
