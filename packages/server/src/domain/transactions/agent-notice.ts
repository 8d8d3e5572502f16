import type { World } from "../../engine/command.ts";
import { scheduleJob } from "../job-kinds.ts";
import type { Transaction } from "./transaction.ts";

/**
 * Schedules the job by which an agent's action follows its payment: when the payment fails, and when its money is back.
 * Actions depend on transactions and not the other way round, so a job carries the news.
 */
export function notifyAgent(world: World, { id, agentId }: Transaction): void {
  if (agentId === null) return;
  scheduleJob(world, {
    kind: "follow-agent-payment",
    payload: { transactionId: id },
    dueAt: world.at,
  });
}
