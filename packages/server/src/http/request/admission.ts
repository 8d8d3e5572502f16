/** Who may call an operation, and how often. */
import { ruleRefusal } from "../../domain/agents/agent.ts";
import type { AgentPermission } from "../../domain/agents/agent-policy.ts";
import type { Permission } from "../../domain/token.ts";
import { Refusal } from "../../engine/refusal.ts";
import { Bug } from "../../std/assert.ts";
import { rateLimited } from "../server/errors.ts";
import type { RateLimiter } from "../server/rate-limit.ts";
import {
  type Access,
  type AgentPrincipal,
  type Caller,
  callerIdOf,
  isAgent,
  isPerson,
  type Operation,
} from "./operation.ts";

/** Checks the permission, then the environment. */
export function refuseUnlessAllowed<C>(
  { access, agentPermission, sandboxOnly }: Operation<C>,
  principal: Caller,
): void {
  if (isPerson(principal)) throw new Bug("a person is judged by the gate of the console");
  if (isAgent(principal)) refuseUnlessPermitted(agentPermission, principal);
  else if (isPermission(access) && !principal.permissions.has(access)) {
    const message = `The token does not have the permission ${access}.`;
    throw new Refusal("FORBIDDEN", { permission: access }, message);
  }
  if (sandboxOnly === true && principal.environment !== "SANDBOX") {
    throw new Refusal("FORBIDDEN", undefined, "Only a sandbox token may call this.");
  }
}

/** True for an access that a token can have. */
function isPermission(access: Access): access is Permission {
  return access !== "PUBLIC" && access !== "AGENT" && access !== "PERSON";
}

export function refuseOverRate(principal: Caller, limiter: RateLimiter): void {
  const seconds = limiter.take(callerIdOf(principal));
  if (seconds > 0) throw rateLimited(seconds);
}

function refuseUnlessPermitted(
  permission: AgentPermission | undefined,
  { policy }: AgentPrincipal,
): void {
  if (permission === undefined || policy.permissions.includes(permission)) return;
  throw ruleRefusal("PERMISSION", { permission });
}
