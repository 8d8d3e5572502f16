import type { Answer } from "../../../engine/command.ts";
import { answerList, type ListOptions } from "../../request/list.ts";
import type { AgentPrincipal } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";

/** What all operations of agents share. */
export const ofAgents = { access: "AGENT", tag: "For agents" } as const;

/** A list of an agent. Its cursors are valid for this agent only. */
export function answerOwnList<Query extends { readonly limit: number }, Row>(
  services: Services,
  options: Omit<ListOptions<Query, Row>, "principal"> & { readonly principal: AgentPrincipal },
): Promise<Answer> {
  const { agentId } = options.principal;
  return answerList(services, { ...options, query: { ...options.query, agentId } });
}
