/** Changes of agents as orders that may wait: their content, and the command input once people have approved. */
import Type, { type Static } from "typebox";
import { findAgent } from "../../../domain/agents/agent.sql.ts";
import { toAgentId } from "../../../domain/agents/agent.ts";
import type { AgentPolicy, PolicyChanges } from "../../../domain/agents/agent-policy.ts";
import type { CreateAgentInput } from "../../../domain/agents/create-agent.ts";
import type { IssueDeviceCodeInput } from "../../../domain/agents/device-code-commands.ts";
import type { UpdateAgentInput } from "../../../domain/agents/update-agent.ts";
import type { Approval } from "../../../domain/people/approvals/approval.ts";
import type { AgreedPolicyInput } from "../../../domain/people/approvals/held-agents.ts";
import { invalidFields } from "../../../engine/refusal.ts";
import { AgentPolicySchema, PolicyChangesSchema } from "../../../wire/agents/agent-policy.ts";
import { nameField } from "../../../wire/fields.ts";
import { requireId, requireIdField } from "../../../wire/ids.ts";
import type { Services } from "../../request/services.ts";

export const PolicyContent = Type.Object({
  agentId: Type.String(),
  changes: PolicyChangesSchema,
  /** The policy before the change, which is shown beside it. */
  before: Type.Unsafe<AgentPolicy>({ type: "object" }),
});

/** The content of a policy change. For an unknown agent it has no `before`; the command then refuses the change. */
export async function policyContent(
  { reads }: Pick<Services, "reads">,
  platformId: string,
  { agentId, changes }: { readonly agentId: string; readonly changes: PolicyChanges },
): Promise<object> {
  const agent = await findAgent(reads, platformId, agentId);
  const content = { agentId: toAgentId(agentId), changes };
  return agent === undefined ? content : { ...content, before: agent.policy };
}

export function agreedPolicyInput({
  agentId,
  changes,
  before,
}: Static<typeof PolicyContent>): AgreedPolicyInput {
  return { agentId: requireAgentId(agentId), changes, shown: before };
}

/** Refuses a change that names no part of the policy. */
export function requireChanges(changes: PolicyChanges): PolicyChanges {
  if (Object.keys(changes).length > 0) return changes;
  throw invalidFields([{ field: "body", message: "must hold a part of a policy" }]);
}

export function requireAgentId(wireId: string): string {
  return requireId("Agent", wireId, "REFERENCE_NOT_FOUND");
}

export const AgentChange = Type.Object({
  agentId: Type.String(),
  name: Type.Optional(nameField),
  isPaused: Type.Optional(Type.Boolean()),
});

export function agentChangeInput({
  agentId,
  name,
  isPaused,
}: Pick<UpdateAgentInput, "agentId"> & Partial<UpdateAgentInput>): UpdateAgentInput {
  return { agentId: requireAgentId(agentId), name, isPaused };
}

/** The content holds only the hash of the code. */
export const CodeContent = Type.Object({ agentId: Type.String(), codeHash: Type.String() });

export function codeInput({ agentId, codeHash }: Static<typeof CodeContent>): IssueDeviceCodeInput {
  return { agentId: requireAgentId(agentId), codeHash };
}

export const AgentContent = Type.Object({
  name: nameField,
  customerId: Type.String(),
  policy: AgentPolicySchema,
  codeHash: Type.String(),
});

export function agentInput({ customerId, ...content }: CreateAgentInput): CreateAgentInput {
  const named = { field: "customerId", raw: customerId };
  return { ...content, customerId: requireIdField("Customer", named, "USER_NOT_FOUND") };
}

/** The requester, not the last approver, counts as the person who made the agent and issued its code. */
export function peopleBehind({ requesterId, requesterPeople }: Approval): {
  readonly people: readonly string[];
} {
  const own = requesterId === null ? [] : [requesterId];
  return { people: [...new Set([...own, ...requesterPeople])] };
}
