import type { World } from "../../engine/command.ts";
import type { Transaction } from "./transaction.ts";

export const FOLLOW_AGENT_PAYMENT = "follow-agent-payment";

/**
 * Schedules the job by which an agent's action follows its payment: when the payment fails, and when its money is back.
 * Actions depend on transactions and not the other way round, so a job carries the news.
 */
export function notifyAgent(world: World, { id, agentId }: Transaction): void {
  if (agentId === null) return;
  world.schedule({ kind: FOLLOW_AGENT_PAYMENT, payload: { transactionId: id }, dueAt: world.at });
}
