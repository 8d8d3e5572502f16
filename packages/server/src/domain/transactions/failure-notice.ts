import type { World } from "../../engine/command.ts";
import type { Transaction } from "./transaction.ts";

export const FAIL_AGENT_ACTION = "fail-agent-action";

/** An agent's action fails with its transaction. Actions know of transactions and not the other way round, so a job tells. */
export function noticeFailure(world: World, { id, agentId }: Transaction): void {
  if (agentId === null) return;
  world.schedule({ kind: FAIL_AGENT_ACTION, payload: { transactionId: id }, dueAt: world.at });
}
