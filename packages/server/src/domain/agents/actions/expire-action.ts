import type { Command, World } from "../../../engine/command.ts";
import { scheduleJob } from "../../job-kinds.ts";
import { agents } from "../agent.ts";
import { type AgentAction, agentActions, moveAction } from "./agent-action.ts";
import { release } from "./usage.ts";

/** The time that a platform has to decide about an action. */
export const APPROVAL_LIFE_MS = 24 * 60 * 60 * 1000;

/** Schedules the expiry of a pending action. Without it the action would reserve part of its agent's limits without end. */
export function scheduleExpiry(world: World, { id }: AgentAction): void {
  const payload = { actionId: id };
  scheduleJob(world, { kind: "expire-agent-action", payload, dueAt: world.at + APPROVAL_LIFE_MS });
}

export interface ExpireActionInput {
  readonly actionId: string;
  readonly jobId: string;
}

/**
 * Fails an action that was not decided in time and releases its reserved amount. An action that was decided is left
 * unchanged. An action whose time has not passed keeps its job, because the clocks of hosts differ by milliseconds.
 */
export const expireAction: Command<ExpireActionInput, AgentAction> = {
  name: "expire-agent-action",
  needs(world, { actionId }) {
    const ref = agentActions.ref(actionId);
    const action = world.find(ref);
    return action === undefined ? [ref] : [ref, agents.ref(action.agentId)];
  },
  decide(world, { actionId, jobId }) {
    const action = world.get(agentActions.ref(actionId));
    const isWaiting = action.status === "PENDING_APPROVAL";
    if (isWaiting && world.at < action.createdAt + APPROVAL_LIFE_MS) return action;
    world.cancel(jobId);
    if (!isWaiting) return action;

    const agent = world.get(agents.ref(action.agentId));
    world.put(agents, { ...agent, ...release(agent, action.countedMinor) });
    const failureReason = "APPROVAL_EXPIRED";
    return world.put(agentActions, moveAction(action, "FAILED", { at: world.at, failureReason }));
  },
};
