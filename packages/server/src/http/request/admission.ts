/** Who may call an operation, and how often. */
import { ruleRefusal } from "../../domain/agents/agent.ts";
import type { AgentPermission } from "../../domain/agents/agent-policy.ts";
import { Refusal } from "../../engine/refusal.ts";
import { rateLimited } from "../server/errors.ts";
import type { RateLimiter } from "../server/rate-limit.ts";
import { type AgentPrincipal, type Caller, isAgent, type Operation } from "./operation.ts";

/** Checks the permission, then the environment. */
export function refuseUnlessAllowed<C>(
  { access, agentPermission, sandboxOnly }: Operation<C>,
  principal: Caller,
): void {
  if (isAgent(principal)) refuseUnlessPermitted(agentPermission, principal);
  else if (access !== "PUBLIC" && access !== "AGENT" && !principal.permissions.has(access)) {
    const message = `The token does not have the permission ${access}.`;
    throw new Refusal("FORBIDDEN", { permission: access }, message);
  }
  if (sandboxOnly === true && principal.environment !== "SANDBOX") {
    throw new Refusal("FORBIDDEN", undefined, "Only a sandbox token may call this.");
  }
}

export function refuseOverRate(principal: Caller, limiter: RateLimiter): void {
  const seconds = limiter.take(isAgent(principal) ? principal.agentId : principal.tokenId);
  if (seconds > 0) throw rateLimited(seconds);
}

function refuseUnlessPermitted(
  permission: AgentPermission | undefined,
  { policy }: AgentPrincipal,
): void {
  if (permission === undefined || policy.permissions.includes(permission)) return;
  throw ruleRefusal("PERMISSION", { permission });
}
